"""RapidFuzz once for each text, Python for the rest: no compilation, hence best for little work."""

from __future__ import annotations

from itertools import starmap

import numpy as np
from numpy.typing import NDArray

from esascore.align._problem import Problem, most_tokens, tokens_of
from esascore.align.matches import Matches

_KEY_BITS = 62
"""Fractions with denominators below 2**31 differ by more than 2**-62, so that many bits keep them apart."""

_Hit = tuple[int, int, int, int, int, int, int]
"""Order of the distance, minus the n-gram's characters, start, candidate, end, edits, length."""


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
    lengths = [np.array([[len(c)] for c in candidates], np.int64) for candidates in problem.groups]
    rows = []
    for item, (group, text) in enumerate(zip(problem.group, problem.texts, strict=True)):
        tokens = tokens_of(text)
        if tokens and problem.groups[group]:
            hits = _hits(problem, problem.groups[group], lengths[group], tokens, longest[group], threads)
            hits.sort()
            for _, _, start, candidate, end, edits, length in _selected(hits) if select else hits:
                rows.append((item, candidate, start, end, edits, length))
    return Matches(*np.array(rows, np.int64).reshape(-1, 6).T)


def _hits(
    problem: Problem,
    candidates: tuple[str, ...],
    lengths: NDArray[np.int64],
    tokens: list[str],
    longest: int,
    threads: int,
) -> list[_Hit]:
    """All hits in one text."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    count = len(tokens)
    ngrams, spans = list(tokens), [(start, start + 1) for start in range(count)]
    for n in range(2, min(longest, count) + 1):
        ngrams += [" ".join(tokens[start : start + n]) for start in range(count - n + 1)]
        spans += [(start, start + n) for start in range(count - n + 1)]
    longer = np.maximum(lengths, np.fromiter(map(len, ngrams), np.int64, len(ngrams)))
    allowed = longer * problem.numerator // problem.denominator
    # Values over the cutoff come back as cutoff + 1: more than any pair may have.
    edits = cdist(
        candidates,
        ngrams,
        scorer=Levenshtein.distance,
        score_cutoff=int(allowed.max()),
        dtype=np.int32,
        workers=threads,
    )
    which, where = (edits <= allowed).nonzero()

    def hit(candidate: int, ngram: int, edits: int, length: int) -> _Hit:
        start, end = spans[ngram]
        return (edits << _KEY_BITS) // length, -len(ngrams[ngram]), start, candidate, end, edits, length

    columns = (which, where, edits[which, where], longer[which, where])
    found = zip(*(column.tolist() for column in columns), strict=True)
    return list(starmap(hit, (values for values in found if candidates[values[0]])))


def _selected(hits: list[_Hit]) -> list[_Hit]:
    """The hits that overlap no better selected one."""
    taken = 0
    chosen = []
    for hit in hits:
        tokens = (1 << hit[4]) - (1 << hit[2])
        if not taken & tokens:
            taken |= tokens
            chosen.append(hit)
    return chosen
