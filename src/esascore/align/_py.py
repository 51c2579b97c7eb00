"""Plain Python: slow, short and obviously right. Every other implementation is tested against it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from esascore.align._problem import Problem, most_tokens, tokens_of
from esascore.align.matches import Matches


class _Hit(NamedTuple):
    candidate: int
    start: int
    end: int
    edits: int
    length: int
    characters: int

    def rank(self) -> tuple[Fraction, int, int, int]:
        return Fraction(self.edits, self.length), -self.characters, self.start, self.candidate


def available() -> tuple[bool, str]:
    """Always."""
    return True, "plain Python, for checking the others"


def solve(problem: Problem, *, select: bool, threads: int) -> Matches:
    """Return hits of every item, or those that the greedy assignment selects; ``threads`` is ignored."""
    del threads
    rows = []
    for index, (group, text) in enumerate(zip(problem.group, problem.texts, strict=True)):
        hits = list(_hits(problem.groups[group], text, problem))
        chosen = _select(hits) if select else sorted(hits, key=_Hit.rank)
        rows += [(index, *hit[:5]) for hit in chosen]
    return Matches(*np.array(rows, np.int64).reshape(-1, 6).T)


def levenshtein(a: str, b: str) -> int:
    """Least number of inserted, deleted and replaced code points that turn ``a`` into ``b``.

    Examples
    --------
    >>> levenshtein("kitten", "sitting")
    3
    """
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (x != y))
    return row[-1]


def _hits(candidates: tuple[str, ...], text: str, problem: Problem) -> Iterator[_Hit]:
    tokens = tokens_of(text)
    longest = most_tokens(candidates)
    for start in range(len(tokens)):
        for end in range(start + 1, min(start + longest, len(tokens)) + 1):
            ngram = " ".join(tokens[start:end])
            for index, candidate in enumerate(candidates):
                if not candidate:
                    continue
                edits = levenshtein(candidate, ngram)
                length = max(len(candidate), len(ngram))
                if edits * problem.denominator <= problem.numerator * length:
                    yield _Hit(index, start, end, edits, length, len(ngram))


def _select(hits: list[_Hit]) -> Iterator[_Hit]:
    while hits:
        best = min(hits, key=_Hit.rank)
        yield best
        hits = [hit for hit in hits if hit.end <= best.start or best.end <= hit.start]
