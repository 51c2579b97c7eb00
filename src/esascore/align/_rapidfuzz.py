"""RapidFuzz once for each text, NumPy for the rest: no compilation, hence best for little work."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from esascore.align._problem import Problem, allowed_edits, most_tokens, tokens_of
from esascore.align.matches import Matches

_KEY_BITS = 42
"""Fractions with denominators below 2**21 differ by more than 2**-42, so that many bits keep them apart."""


def available() -> tuple[bool, str]:
    """Whether the package is there; it is a requirement, so mostly yes."""
    try:
        import rapidfuzz
    except ImportError:
        return False, "the package rapidfuzz is not installed"
    return True, f"rapidfuzz {rapidfuzz.__version__}"


def solve(problem: Problem, *, select: bool, threads: int) -> Matches:
    """Hits of every item, or those that the greedy assignment selects."""
    longest = [most_tokens(candidates) for candidates in problem.groups]
    lengths = [np.array([len(c) for c in candidates], np.int64) for candidates in problem.groups]
    parts = [np.empty((6, 0), np.int64)]
    for index, (group, text) in enumerate(zip(problem.group, problem.texts, strict=True)):
        candidates = problem.groups[group]
        rows = _hits(candidates, lengths[group], tokens_of(text), longest[group], problem, threads)
        if select:
            rows = rows[:, _selected(rows[1].tolist(), rows[2].tolist())]
        if rows.shape[1]:
            parts.append(np.vstack((np.full(rows.shape[1], index), rows)))
    return Matches(*np.concatenate(parts, axis=1))


def _hits(
    candidates: tuple[str, ...],
    lengths: NDArray[np.int64],
    tokens: list[str],
    longest: int,
    problem: Problem,
    threads: int,
) -> NDArray[np.int64]:
    """Rows candidate, start, end, edits, length of all hits in one text, best first."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    count = len(tokens)
    spans = [(start, start + n) for n in range(1, min(longest, count) + 1) for start in range(count - n + 1)]
    ngrams = [" ".join(tokens[start:end]) for start, end in spans]
    if not ngrams or not candidates:
        return np.empty((5, 0), np.int64)
    characters = np.array([len(ngram) for ngram in ngrams], np.int64)
    longer = np.maximum(lengths[:, None], characters[None, :])
    # Values over the cutoff come back as cutoff + 1: more than any pair may have.
    edits = cdist(
        candidates,
        ngrams,
        scorer=Levenshtein.distance,
        score_cutoff=allowed_edits(int(longer.max()), problem),
        dtype=np.int32,
        workers=threads,
    ).astype(np.int64)
    within = edits * problem.denominator <= longer * problem.numerator
    which, where = np.nonzero(within & (lengths[:, None] > 0))
    edits, longer, characters = edits[which, where], longer[which, where], characters[where]
    starts, ends = np.array(spans, np.int64).reshape(-1, 2)[where].T
    order = np.lexsort((which, starts, -characters, _keys(edits, longer)))
    return np.vstack((which, starts, ends, edits, longer))[:, order]


def _keys(edits: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[Any]:
    """Numbers in the exact order of the fractions, equal where these are equal."""
    if int(lengths.max(initial=1)) < 2 ** (_KEY_BITS // 2):
        return (edits << _KEY_BITS) // lengths
    fractions = [Fraction(*pair) for pair in zip(edits.tolist(), lengths.tolist(), strict=True)]
    ranks = {fraction: rank for rank, fraction in enumerate(sorted(set(fractions)))}
    return np.array([ranks[fraction] for fraction in fractions])


def _selected(starts: list[int], ends: list[int]) -> list[int]:
    """Positions of the hits that overlap no better selected one."""
    taken = 0
    chosen = []
    for position, (start, end) in enumerate(zip(starts, ends, strict=True)):
        tokens = (1 << end) - (1 << start)
        if not taken & tokens:
            taken |= tokens
            chosen.append(position)
    return chosen
