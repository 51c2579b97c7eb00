"""Kernels over interned token sequences: interning, longest common subsequences, n-grams, shares.

Every kernel works on a half-open range ``begin:end`` of its work list and writes only to its own part of the
output, so that threads need no lock. Each gets ``room`` words of scratch memory; it returns 0 when it is done
and how many words it wants where they do not suffice, having changed nothing that a second run does not
write anew. Numba compiles this module once on a machine, in a process of its own.
"""

# Numba infers its own types, for which int and the scalars of NumPy are one.
# mypy: disable-error-code="assignment,no-any-return,arg-type"

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from esascore.align import _steps
from esascore.align._pointers import (
    BYTES,
    FLOATS,
    INT32,
    INT64,
    INTEGER,
    UINT32,
    WORDS,
    bytes_at,
    floats_at,
    inlined,
    int32_at,
    int64_at,
    moved,
    words_at,
)

ZERO, ONE, ALL = _steps.ZERO, _steps.ONE, _steps.ALL

# 2**64 divided by the golden ratio: multiplication by it spreads consecutive keys over the high bits.
_SPREAD = np.uint64(0x9E3779B97F4A7C15)

_count_ones = inlined(_steps.count_ones)


@inlined
def _is_space(code: int) -> bool:
    """Tell whether ``str.split`` separates tokens at this code point."""
    if 32 < code < 0x85:  # nearly always
        return False
    if code <= 32:
        return code == 32 or 9 <= code <= 13 or 28 <= code <= 31
    return code in (0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000) or 0x2000 <= code <= 0x200A


@inlined
def _log2_capacity(entries: int) -> int:
    """Return the power of two that keeps an open-addressing table at most half full."""
    power = 3
    while (1 << power) < 2 * entries:
        power += 1
    return power


@inlined
def _largest(sizes: Any, begin: int, end: int) -> int:
    largest = 0
    for group in range(begin, end):
        largest = max(largest, np.int64(sizes[group]))
    return largest


@inlined
def _longest(offsets: Any, sequences: Any, begin: int, end: int) -> int:
    """Return the length of the longest of some sequences."""
    longest = 0
    for index in range(begin, end):
        longest = max(longest, offsets[sequences[index] + 1] - offsets[sequences[index]])
    return longest


@inlined
def _fill(numbers: Any, count: int, value: int) -> None:
    for index in range(count):
        numbers[index] = value


def intern_texts(
    codes: Any,
    borders: Any,
    groups: Any,
    places: Any,
    ids: Any,
    counts: Any,
    sizes: Any,
    begin: int,
    end: int,
    memory: Any,
    room: int,
) -> int:
    """Split the texts of the groups ``begin:end`` and number the distinct tokens of each group.

    Text ``t`` is ``codes[borders[t]:borders[t + 1]]`` and writes its ids from ``places[t]`` on, ``counts[t]``
    of them: how many is known only afterwards, but a text cannot have more tokens than half its characters.
    Equal hashes are never taken for equal tokens, the code points decide.
    """
    most = 0
    for group in range(begin, end):
        most = max(most, places[groups[group + 1]] - places[groups[group]])
    firsts, lengths, keys = int64_at(memory, 0), int64_at(memory, most), words_at(memory, 2 * most)
    table, capacity = int32_at(memory, 3 * most), np.int64(1) << _log2_capacity(most)
    if 3 * most + capacity > room:
        return 3 * most + capacity
    for group in range(begin, end):
        first, last = groups[group], groups[group + 1]
        power = _log2_capacity(places[last] - places[first])
        _fill(table, 1 << power, -1)
        mask, shift = (np.int64(1) << power) - 1, np.uint64(64 - power)
        size = np.int64(0)
        for text in range(first, last):
            i, high = borders[text], borders[text + 1]
            write = places[text]
            while True:
                while i < high and _is_space(codes[i]):
                    i += 1
                if i >= high:
                    break
                start = i
                key = ZERO
                while i < high and not _is_space(codes[i]):
                    key = key * _SPREAD + np.uint64(codes[i])
                    i += 1
                slot = np.int64(((key ^ (key >> np.uint64(32))) * _SPREAD) >> shift)
                while True:
                    found = np.int64(table[slot])
                    if found < 0:
                        found = size
                        table[slot] = found
                        keys[found] = key
                        firsts[found] = start
                        lengths[found] = i - start
                        size += 1
                        break
                    if keys[found] == key and lengths[found] == i - start:
                        same = np.int64(0)
                        while same < i - start and codes[start + same] == codes[firsts[found] + same]:
                            same += 1
                        if same == i - start:
                            break
                    slot = (slot + 1) & mask
                ids[write] = found
                write += 1
            counts[text] = write - places[text]
        sizes[group] = size
    return 0


def occurs_in(
    ids: Any,
    offsets: Any,
    groups: Any,
    sizes: Any,
    source: Any,
    occurs: Any,
    begin: int,
    end: int,
    memory: Any,
    room: int,
) -> int:
    """Mark every token that occurs in a source sequence of its group, for the groups ``begin:end``."""
    largest = _largest(sizes, begin, end)
    if largest > room:
        return largest
    known = bytes_at(memory, 0)
    for group in range(begin, end):
        _fill(known, sizes[group], 0)
        for sequence in range(groups[group], groups[group + 1]):
            if source[sequence]:
                for token in range(offsets[sequence], offsets[sequence + 1]):
                    known[ids[token]] = 1
        for token in range(offsets[groups[group]], offsets[groups[group + 1]]):
            occurs[token] = known[ids[token]]
    return 0


def lcs_lengths(
    ids: Any,
    offsets: Any,
    size: int,
    first: Any,
    second: Any,
    lengths: Any,
    begin: int,
    end: int,
    memory: Any,
    room: int,
) -> int:
    """Length of the longest common subsequence of each pair ``begin:end``.

    Bit-parallel (Hyyrö 2004): a zero bit of ``state`` says that the row grows by one at that token of the
    first sequence. The masks of the first sequence are kept while consecutive pairs share it, so many short
    values against one text cost one step per token of a value and 64 tokens of the text; a token that the
    text lacks costs nothing.
    """
    longest = _longest(offsets, first, begin, end)
    row, state = int64_at(memory, 0), words_at(memory, size)  # row: id -> row of masks
    used = size + ((longest + 63) >> 6)
    masks = words_at(memory, used)
    if used > room:
        return used
    _fill(row, size, -1)
    current = np.int64(-1)
    low = high = blocks = np.int64(0)
    for pair in range(begin, end):
        if first[pair] != current:
            for token in range(low, high):
                row[ids[token]] = -1
            current = first[pair]
            low, high = offsets[current], offsets[current + 1]
            blocks = (high - low + 63) >> 6
            distinct = 0
            for token in range(low, high):
                if row[ids[token]] < 0:
                    row[ids[token]] = distinct
                    distinct += 1
            if used + distinct * blocks > room:
                return used + distinct * blocks
            _fill(masks, distinct * blocks, ZERO)
            for token in range(low, high):
                at = token - low
                masks[row[ids[token]] * blocks + (at >> 6)] |= ONE << np.uint64(at & 63)
        _fill(state, blocks, ALL)
        for token in range(offsets[second[pair]], offsets[second[pair] + 1]):
            found = row[ids[token]]
            if found < 0:
                continue
            carry = ZERO
            for block in range(blocks):
                word = state[block]
                grow = word & masks[found * blocks + block]
                total = word + grow
                carried = np.uint64(total < word)
                total += carry
                carry = carried | np.uint64(total < carry)
                state[block] = total | (word - grow)
        length = 0
        for block in range(blocks):
            unused = max(0, 64 * (block + 1) - (high - low))
            length += np.int64(_count_ones(~state[block] << np.uint64(unused)))
        lengths[pair] = length
    return 0


# N-grams are the nodes of a trie: the node of an n-gram is the child of its prefix's node at its last token.
# A child is found in one open-addressing table under the key prefix * size + token, which is unique as long
# as both are below 2**31, so equal keys are equal n-grams: there is no hash to trust.


@inlined
def _child(keys: Any, power: int, key: int) -> Any:
    """Return the slot that holds ``key``, or the free slot where it belongs."""
    slot = np.int64((np.uint64(key) * _SPREAD) >> np.uint64(64 - power))
    mask = (1 << power) - 1
    while keys[slot] >= 0 and keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


@inlined
def _grow_trie(
    ids: Any,
    low: int,
    high: int,
    size: int,
    max_order: int,
    unigram: Any,
    keys: Any,
    nodes: Any,
    power: int,
    path: Any,
    ends: Any,
    counts: Any,
) -> None:
    """Build the trie of one sequence: nodes order by order, each in order of first occurrence.

    ``path[i]`` holds the node of the n-gram of the current order that starts at token ``low + i``;
    ``ends[order]`` is the number of nodes up to that order; a node has its count. ``unigram`` must hold -1
    for every token.
    """
    _fill(keys, np.int64(1) << power, -1)
    made = 0
    for token in range(low, high):
        node = unigram[ids[token]]
        if node < 0:
            node = made
            unigram[ids[token]] = node
            counts[node] = 0
            made += 1
        counts[node] += 1
        path[token - low] = node
    ends[0] = 0
    ends[1] = made
    for order in range(1, max_order):
        for token in range(low, high - order):
            key = path[token - low] * size + ids[token + order]
            slot = _child(keys, power, key)
            if keys[slot] < 0:
                keys[slot] = key
                nodes[slot] = made
                counts[made] = 0
                made += 1
            node = nodes[slot]
            counts[node] += 1
            path[token - low] = node
        ends[order + 1] = made


@inlined
def _combine(before: float, weight: float, geometric: int) -> float:
    return before * weight if geometric else before + weight


@inlined
def _mean(combined: float, order: int, geometric: int) -> float:
    """Mean of ``order`` weights from their product or sum."""
    if order == 1:
        return combined
    return combined ** (1.0 / order) if geometric else combined / order


def ngram_overlap(
    ids: Any,
    offsets: Any,
    size: int,
    max_order: int,
    weights: Any,
    geometric: int,
    first: Any,
    second: Any,
    statistics: Any,
    begin: int,
    end: int,
    memory: Any,
    room: int,
) -> int:
    """Weighted n-gram overlap of the pairs ``begin:end``; see :func:`esascore.align.sequences.ngram_overlap`.

    The trie of the first sequence is kept while consecutive pairs share it. Only n-grams that the first
    sequence has are looked up in the second: all others add to denominators alone.
    """
    longest = _longest(offsets, first, begin, end)
    most = longest * max_order
    slots = np.int64(1) << _log2_capacity(longest * (max_order - 1))
    unigram, path, ends = int64_at(memory, 0), int64_at(memory, size), int64_at(memory, size + longest)
    used = size + longest + max_order + 1
    keys, nodes = int64_at(memory, used), int64_at(memory, used + slots)
    used += 2 * slots
    counts, there = int64_at(memory, used), int64_at(memory, used + most)
    # Weights summed over the occurrences in the first and in the second sequence.
    worth, worth_there = floats_at(memory, used + 2 * most), floats_at(memory, used + 3 * most)
    used += 4 * most
    if used > room:
        return used
    _fill(unigram, size, -1)
    current = np.int64(-1)
    low = high = power = total = np.int64(0)
    for pair in range(begin, end):
        if first[pair] != current:
            for token in range(low, high):
                unigram[ids[token]] = -1
            current = first[pair]
            low, high = offsets[current], offsets[current + 1]
            power = _log2_capacity((high - low) * (max_order - 1))
            _grow_trie(ids, low, high, size, max_order, unigram, keys, nodes, power, path, ends, counts)
            total = ends[max_order]
            _fill(worth, total, 0.0)
            for token in range(low, high):
                node = np.int64(-1)
                combined = weights[token]
                for order in range(1, min(max_order, high - token) + 1):
                    if order == 1:
                        node = unigram[ids[token]]
                    else:
                        node = nodes[_child(keys, power, node * size + ids[token + order - 1])]
                        combined = _combine(combined, weights[token + order - 1], geometric)
                    worth[node] += _mean(combined, order, geometric)
        _fill(there, total, 0)
        _fill(worth_there, total, 0.0)
        sums = moved(statistics, pair * max_order * 4)
        _fill(sums, max_order * 4, 0.0)
        start, stop = offsets[second[pair]], offsets[second[pair] + 1]
        for token in range(start, stop):
            node = unigram[ids[token]]
            combined = weights[token]
            for order in range(1, min(max_order, stop - token) + 1):
                if order > 1:
                    combined = _combine(combined, weights[token + order - 1], geometric)
                    if node >= 0:
                        slot = _child(keys, power, node * size + ids[token + order - 1])
                        node = nodes[slot] if keys[slot] >= 0 else np.int64(-1)
                mean = _mean(combined, order, geometric)
                sums[4 * order - 1] += mean
                if node >= 0:
                    there[node] += 1
                    worth_there[node] += mean
        for order in range(max_order):
            rewarded = 0.0
            recalled = 0.0
            for node in range(ends[order], ends[order + 1]):
                count = counts[node]
                matched = min(count, there[node])
                rewarded += matched + (count - matched) * (worth[node] / count)
                if matched:
                    recalled += matched * (worth_there[node] / there[node])
            sums[4 * order] = rewarded
            sums[4 * order + 1] = max(0, high - low - order)
            sums[4 * order + 2] = recalled
    return 0


def largest_shares(
    ids: Any,
    offsets: Any,
    groups: Any,
    sizes: Any,
    source: Any,
    words: Any,
    totals: Any,
    rows: Any,
    columns: Any,
    counts: Any,
    shares: Any,
    begin: int,
    end: int,
    memory: Any,
    room: int,
) -> int:
    """Largest share of every token; see :func:`esascore.align.sequences.largest_shares`."""
    largest = _largest(sizes, begin, end)
    if 2 * largest > room:
        return 2 * largest
    items, known = int64_at(memory, 0), int64_at(memory, largest)
    for group in range(begin, end):
        low, high = groups[group], groups[group + 1]
        _fill(known, sizes[group], 0)
        number = 0
        for sequence in range(low, high):
            if source[sequence]:
                for token in range(offsets[sequence], offsets[sequence + 1]):
                    if known[ids[token]] == 0:
                        known[ids[token]] = 1
                        if words[token] >= 0 and totals[words[token]] > 0:
                            items[number] = words[token]
                            number += 1
        for token in range(offsets[low], offsets[high]):
            word = words[token]
            best = 0.0
            if known[ids[token]]:
                best = 1.0
            elif word >= 0:
                for k in range(number):
                    left, right = rows[items[k]], rows[items[k] + 1]
                    while left < right:
                        middle = (left + right) >> 1
                        if columns[middle] < word:
                            left = middle + 1
                        else:
                            right = middle
                    if left < rows[items[k] + 1] and columns[left] == word:
                        best = max(best, counts[left] / totals[items[k]])
            shares[token] = best
    return 0


_RANGE = INTEGER, INTEGER, WORDS, INTEGER

KERNELS: Mapping[str, tuple[Callable[..., int], tuple[Any, ...]]] = MappingProxyType(
    {
        "intern_texts": (intern_texts, (UINT32, *[INT64] * 3, INT32, INT64, INT32, *_RANGE)),
        "occurs_in": (occurs_in, (INT32, INT64, INT64, INT32, BYTES, BYTES, *_RANGE)),
        "lcs_lengths": (lcs_lengths, (INT32, INT64, INTEGER, INT64, INT64, INT32, *_RANGE)),
        "ngram_overlap": (
            ngram_overlap,
            (INT32, INT64, INTEGER, INTEGER, FLOATS, INTEGER, INT64, INT64, FLOATS, *_RANGE),
        ),
        "largest_shares": (
            largest_shares,
            (INT32, INT64, INT64, INT32, BYTES, *[INT64] * 4, FLOATS, FLOATS, *_RANGE),
        ),
    }
)
"""Name of a kernel -> its function and the types of its arguments."""
