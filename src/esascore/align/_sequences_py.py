"""The sequence functions in plain Python: the definition that the kernels must reproduce bit by bit.

Each function takes and returns what the public one of :mod:`esascore.align.sequences` does, on arguments
that have been checked. It needs no compilation and is what small work runs on. Sums run in the same order as
in the kernels, so that no backend changes a number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Ngram = tuple[int, ...]


def intern_texts(texts: Sequence[str], groups: Array) -> tuple[Array, Array, Array, Array]:
    """Number the distinct tokens of each group in order of first occurrence: ids, offsets, groups, sizes."""
    ids: list[int] = []
    offsets = [0]
    sizes = []
    for low, high in _ranges(groups):
        known: dict[str, int] = {}
        for text in texts[low:high]:
            ids.extend([known.setdefault(token, len(known)) for token in text.split()])
            offsets.append(len(ids))
        sizes.append(len(known))
    return np.array(ids, np.int32), np.array(offsets, np.int64), groups, np.array(sizes, np.int32)


def lcs_lengths(ids: Array, offsets: Array, first: Array, second: Array) -> Array:
    """Return length of the longest common subsequence of each pair."""
    lists = _lists(ids, offsets)
    return np.array(
        [_lcs(lists[a], lists[b]) for a, b in zip(first.tolist(), second.tolist(), strict=True)], np.int32
    )


def ngram_overlap(
    ids: Array, offsets: Array, max_order: int, weights: Array, geometric: bool, first: Array, second: Array
) -> Array:
    """Weighted n-gram overlap of each pair."""
    lists = _lists(ids, offsets)
    values = _lists(weights, offsets)
    statistics = np.zeros((len(first), max_order, 4), np.float64)
    current, own = -1, []
    for pair, (a, b) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        if a != current:
            orders = range(1, max_order + 1)
            current, own = a, [_weighted(lists[a], values[a], order, geometric) for order in orders]
        for order, (counts, worth, _) in enumerate(own, 1):
            there, worth_there, total = _weighted(lists[b], values[b], order, geometric)
            rewarded = recalled = 0.0
            for ngram, count in counts.items():
                matched = min(count, there.get(ngram, 0))
                rewarded += matched + (count - matched) * (worth[ngram] / count)
                if matched:
                    recalled += matched * (worth_there[ngram] / there[ngram])
            statistics[pair, order - 1] = rewarded, max(0, len(lists[a]) - order + 1), recalled, total
    return statistics


def largest_shares(
    words: Array, at: Array, items: Array, item_at: Array, *table: Array, shares: Array
) -> None:
    """Give every token that has none the largest share of its group's items."""
    totals, rows, columns, counts = table
    for (low, high), (first, last) in zip(_ranges(at), _ranges(item_at), strict=True):
        asked = low + np.flatnonzero((shares[low:high] == 0) & (words[low:high] >= 0))
        for item in items[first:last].tolist():
            row = columns[rows[item] : rows[item + 1]]
            place = np.searchsorted(row, words[asked])
            found = np.append(row, -1)[place] == words[asked]
            share = counts[rows[item] + place[found]] / totals[item]
            shares[asked[found]] = np.maximum(shares[asked[found]], share)


def _weighted(
    tokens: list[int], weights: list[float], order: int, geometric: bool
) -> tuple[dict[Ngram, int], dict[Ngram, float], float]:
    """Return count and summed weight of each n-gram in order of first occurrence, and the sum over all."""
    counts: dict[Ngram, int] = {}
    worth: dict[Ngram, float] = {}
    total = 0.0
    for start, ngram in enumerate(_ngrams(tokens, order)):
        mean = weights[start]
        for weight in weights[start + 1 : start + order]:
            mean = mean * weight if geometric else mean + weight
        if order > 1:
            mean = mean ** (1.0 / order) if geometric else mean / order
        counts[ngram] = counts.get(ngram, 0) + 1
        worth[ngram] = worth.get(ngram, 0.0) + mean
        total += mean
    return counts, worth, total


def _lcs(a: list[int], b: list[int]) -> int:
    """Bit-parallel (Hyyrö 2004): a zero bit says that the row grows by one at that token of ``a``."""
    masks: dict[int, int] = {}
    for at, token in enumerate(a):
        masks[token] = masks.get(token, 0) | 1 << at
    everything = row = (1 << len(a)) - 1
    for token in b:
        grow = row & masks.get(token, 0)
        row = (row + grow | row - grow) & everything
    return len(a) - row.bit_count()


def _ngrams(tokens: list[int], order: int) -> Iterator[Ngram]:
    return (tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1))


def _lists(values: Array, offsets: Array) -> list[list[Any]]:
    return [values[low:high].tolist() for low, high in _ranges(offsets)]


def _ranges(offsets: Array) -> list[tuple[int, int]]:
    return list(pairwise(offsets.tolist()))
