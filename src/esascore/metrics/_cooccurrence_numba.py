"""Numba kernel of the co-occurrence model. Imported only when it is going to be used."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[Any]


@njit(cache=True, nogil=True)
def largest_shares(
    words: Array,
    offsets: Array,
    groups: Array,
    source: Array,
    certain: Array,
    totals: Array,
    rows: Array,
    columns: Array,
    counts: Array,
    begin: int,
    end: int,
    weights: Array,
) -> None:
    """Entailment probability of every token of the groups ``begin:end``.

    Token ``t`` is word ``words[t]`` of the vocabulary (-1: unknown); the items of a group are the words of
    its source sequences. Item ``v`` has the columns ``rows[v]:rows[v + 1]``, sorted.
    """
    for group in range(begin, end):
        low, high = groups[group], groups[group + 1]
        items = np.empty(offsets[high] - offsets[low], np.int64)
        number = 0
        for sequence in range(low, high):
            if source[sequence]:
                for token in range(offsets[sequence], offsets[sequence + 1]):
                    word = words[token]
                    if word >= 0 and totals[word] > 0:
                        items[number] = word
                        number += 1
        found = np.unique(items[:number])
        for sequence in range(low, high):
            for token in range(offsets[sequence], offsets[sequence + 1]):
                word = words[token]
                best = 0.0
                if certain[token]:
                    best = 1.0
                elif word >= 0 and not source[sequence]:
                    for item in found:
                        left, right = rows[item], rows[item + 1]
                        while left < right:
                            middle = (left + right) >> 1
                            if columns[middle] < word:
                                left = middle + 1
                            else:
                                right = middle
                        if left < rows[item + 1] and columns[left] == word:
                            best = max(best, counts[left] / totals[item])
                weights[token] = best
