"""Algorithm 1, written well in Python with the fastest library that exists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

Rows = list[tuple[int, int, int, int, int]]
"""(item, candidate, start, end, edits), in order of selection."""


def ngrams_of(candidates: Sequence[str], text: str) -> tuple[list[str], list[int], list[int]]:
    """Return the n-grams of a text with their starts and ends."""
    tokens = text.split(" ") if text else []
    longest = 1 + max((len(candidate.replace("_", " ").split()) for candidate in candidates), default=0)
    count = len(tokens)
    ngrams, starts, ends = list(tokens), list(range(count)), list(range(1, count + 1))
    for n in range(2, min(longest, count) + 1):
        ngrams += [" ".join(tokens[start : start + n]) for start in range(count - n + 1)]
        starts += range(count - n + 1)
        ends += range(n, count + 1)
    return ngrams, starts, ends


def select(hits: list[tuple[float, int, int, int, int, int]], item: int) -> Rows:
    """Select greedily from (distance, -characters, start, candidate, end, edits)."""
    hits.sort()
    taken = 0
    rows = []
    for _, _, start, candidate, end, edits in hits:
        tokens = (1 << end) - (1 << start)
        if not taken & tokens:
            taken |= tokens
            rows.append((item, candidate, start, end, edits))
    return rows


def with_cdist(items: Iterable[tuple[Sequence[str], str]]) -> list[np.ndarray]:
    """Compute distances by one `cdist` for each text, then sort once and use bit masks; threshold 0.4."""
    rows: Rows = []
    for item, (candidates, text) in enumerate(items):
        ngrams, starts, ends = ngrams_of(candidates, text)
        if not ngrams or not candidates:
            continue
        lengths = np.fromiter(map(len, ngrams), np.int32, len(ngrams))
        longer = np.maximum(np.fromiter(map(len, candidates), np.int32, len(candidates))[:, None], lengths)
        edits = cdist(
            candidates,
            ngrams,
            scorer=Levenshtein.distance,
            score_cutoff=2 * int(longer.max()) // 5,
            dtype=np.int32,
        )
        which, where = (5 * edits <= 2 * longer).nonzero()
        hits = [
            (d / m, -len(ngrams[g]), starts[g], c, ends[g], d)
            for c, g, d, m in zip(
                which.tolist(),
                where.tolist(),
                edits[which, where].tolist(),
                longer[which, where].tolist(),
                strict=True,
            )
            if candidates[c]
        ]
        rows += select(hits, item)
    return columns(rows)


def with_calls(items: Iterable[tuple[Sequence[str], str]]) -> list[np.ndarray]:
    """Call `Levenshtein.distance` for each pair that the lengths allow; threshold 0.4."""
    rows: Rows = []
    distance = Levenshtein.distance
    for item, (candidates, text) in enumerate(items):
        ngrams, starts, ends = ngrams_of(candidates, text)
        hits = []
        for c, candidate in enumerate(candidates):
            size = len(candidate)
            if not size:
                continue
            for ngram, start, end in zip(ngrams, starts, ends, strict=True):
                length = len(ngram)
                longer = max(length, size)
                allowed = 2 * longer // 5
                if abs(length - size) <= allowed:
                    d = distance(candidate, ngram, score_cutoff=allowed)
                    if d <= allowed:
                        hits.append((d / longer, -length, start, c, end, d))
        rows += select(hits, item)
    return columns(rows)


def columns(rows: Rows) -> list[np.ndarray]:
    return list(np.array(rows, np.int64).reshape(-1, 5).T)
