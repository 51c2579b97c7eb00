"""RapidFuzz for the distances within each group, NumPy for the rest: nothing has to be compiled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from operator import add
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from esascore.align._problem import Problem, most_tokens, solve_in_batches, tokens_of
from esascore.align.matches import Integers, Matches, offsets_of, ordered_quotients

_CHARACTERS = 1 << 12
"""Characters of texts that are taken at once: enough to hide what calls of NumPy cost, and to fit caches."""

_DISTANCES = 1 << 16
"""Distances that are held at once."""


class _Ngrams(NamedTuple):
    """All n-grams of some texts, ordered by text."""

    strings: list[str]
    text: Integers
    start: Integers
    end: Integers
    size: Integers


def available() -> tuple[bool, str]:
    """Return whether the package is there; it is a requirement, so mostly yes."""
    try:
        import rapidfuzz
    except ImportError:
        return False, "the package rapidfuzz is not installed"
    return True, f"rapidfuzz {rapidfuzz.__version__}"


def solve(problem: Problem, *, select: bool, threads: int) -> Matches:
    """Return hits of every item, or those that the greedy assignment selects."""
    if len(problem.texts) == 1 and not select:
        candidates, tokens = problem.groups[0], tokens_of(problem.texts[0])
        ngrams = list(chain.from_iterable(_by_order(tokens, most_tokens(candidates))))
        if len(ngrams) * len(candidates) <= _DISTANCES:
            return _hits_of_one(candidates, ngrams, len(tokens), problem.numerator / problem.denominator)
    return solve_in_batches(problem, partial(_solved, select=select, threads=threads), _CHARACTERS)


def _hits_of_one(candidates: Sequence[str], ngrams: list[str], tokens: int, limit: float) -> Matches:
    """What `_solved` finds in a single text, in half the time: without arrays as long as the distances."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    distances = cdist(
        ngrams, candidates, scorer=Levenshtein.normalized_distance, score_cutoff=limit, dtype=np.float64
    )
    rows: list[tuple[float, int, int, int, int, int, int]] = []
    for place in (distances <= limit).ravel().nonzero()[0].tolist():
        number, candidate = divmod(place, len(candidates))
        start, order = number, 1
        while start > tokens - order:
            start -= tokens - order + 1
            order += 1
        size, distance = len(ngrams[number]), float(distances[number, candidate])
        length = max(size, len(candidates[candidate]))
        if candidates[candidate]:
            rows.append((distance, -size, start, candidate, start + order, round(distance * length), length))
    rows.sort()
    _, _, start_, candidate_, end, edits, length_ = np.array(rows).reshape(-1, 7).astype(np.int64).T
    return Matches(np.zeros(len(rows), np.int64), candidate_, start_, end, edits, length_)


def _by_order(tokens: list[str], most: int) -> Iterator[list[str]]:
    """Yield the n-grams of a text: its tokens, those of two tokens, of three."""
    last, spaced = tokens, [" " + token for token in tokens]
    yield last
    for n in range(1, min(most, len(tokens))):
        last = list(map(add, last, spaced[n:]))
        yield last


def _solved(problem: Problem, select: bool, threads: int) -> Matches:
    """Return rows of texts of which those of a group are next to each other."""
    ngrams = _ngrams(problem)
    found = zip((np.empty(0, np.int64),) * 4, *_near(problem, ngrams, threads), strict=True)
    which, candidate, edits, length = map(np.concatenate, found)
    text, start, end, size = (column[which] for column in ngrams[1:])
    order = np.lexsort((candidate, start, -size, ordered_quotients(edits, length), text))
    if select:
        order = order[_selected(*(column[order].tolist() for column in (text, start, end)))]
    return Matches(*(column[order] for column in (text, candidate, start, end, edits, length)))


def _ngrams(problem: Problem) -> _Ngrams:
    longest = {group: most_tokens(problem.groups[group]) for group in set(problem.group)}
    strings: list[str] = []
    counts, orders = [], []
    for group, text in zip(problem.group, problem.texts, strict=True):
        tokens = tokens_of(text)
        counts.append(len(tokens))
        orders.append(min(longest[group], len(tokens)))
        strings += chain.from_iterable(_by_order(tokens, orders[-1]))
    owner = np.repeat(np.arange(len(orders)), orders)  # one for each order of each text
    order = np.arange(len(owner)) - np.repeat(offsets_of(orders)[:-1], orders) + 1
    width = np.array(counts, np.int64)[owner] - order + 1
    start = np.arange(len(strings)) - np.repeat(offsets_of(width)[:-1], width)
    size = np.fromiter(map(len, strings), np.int64, len(strings))
    return _Ngrams(strings, np.repeat(owner, width), start, start + np.repeat(order, width), size)


def _near(problem: Problem, ngrams: _Ngrams, threads: int) -> Iterator[tuple[NDArray[Any], ...]]:
    """Yield n-grams, candidates, edits, lengths of the pairs that are near enough, group by group."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    group = np.array(problem.group)
    edges = np.append(np.flatnonzero(np.diff(group, prepend=-1)), len(group))
    at = np.searchsorted(ngrams.text, edges).tolist()
    longest, denominator = int(ngrams.size.max(initial=0)), np.int64(problem.denominator)
    for which, low, high in zip(group[edges[:-1]].tolist(), at, at[1:], strict=False):
        candidates = [candidate for candidate in problem.groups[which] if candidate]
        if not candidates:
            continue
        sizes = np.array(list(map(len, problem.groups[which])), np.int64)
        numbers = np.flatnonzero(sizes)
        sizes = sizes[numbers]
        # Values over the cutoff come back as cutoff + 1: more than any pair may have.
        cutoff = max(longest, int(sizes.max())) * problem.numerator // problem.denominator
        step = _DISTANCES // len(candidates) + 1
        for begin in range(low, high, step):
            end = min(begin + step, high)
            edits = cdist(
                candidates,
                ngrams.strings[begin:end],
                scorer=Levenshtein.distance,
                score_cutoff=cutoff,
                dtype=np.int32,
                workers=threads,
            ).ravel()
            length = np.maximum(sizes[:, None], ngrams.size[begin:end]).ravel()
            near = np.flatnonzero(edits * denominator <= length * problem.numerator)
            row, column = np.divmod(near, end - begin)
            yield begin + column, numbers[row], edits[near], length[near]


def _selected(texts: list[int], starts: list[int], ends: list[int]) -> list[int]:
    """Return which hits, given from the best to the worst of each text, overlap no better selected one."""
    chosen = []
    current, taken = -1, 0
    for number, (text, start, end) in enumerate(zip(texts, starts, ends, strict=True)):
        if text != current:
            current, taken = text, 0
        tokens = (1 << end) - (1 << start)
        if not taken & tokens:
            taken |= tokens
            chosen.append(number)
    return chosen
