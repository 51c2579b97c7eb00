"""Numba kernels over interned token sequences: interning, longest common subsequence, n-gram counts.

Every kernel works on a half-open range of its work list and writes only to its own part of the output, so
that threads need no lock; they release the GIL. Scratch memory is bounded by the largest group or sequence
of the range. Imported only by :mod:`esascore.align.sequences`, and only when it is going to be used.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from esascore.align import _steps

Array = NDArray[Any]

# 2**64 divided by the golden ratio: multiplication by it spreads consecutive keys over the high bits.
_SPREAD = np.uint64(0x9E3779B97F4A7C15)


@njit(cache=True, nogil=True)
def is_space(code: int) -> bool:
    """Tell whether ``str.split`` separates tokens at this code point."""
    if 32 < code < 0x85:  # nearly always
        return False
    if code <= 32:
        return code == 32 or 9 <= code <= 13 or 28 <= code <= 31
    return code in (0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000) or 0x2000 <= code <= 0x200A


@njit(cache=True, nogil=True)
def _log2_capacity(entries: int) -> int:
    """Return the power of two that keeps an open-addressing table at most half full."""
    power = 3
    while (1 << power) < 2 * entries:
        power += 1
    return power


@njit(cache=True, nogil=True)
def _find_or_add(
    codes: Array,
    start: int,
    length: int,
    key: Any,
    table: Array,
    power: int,
    keys: Array,
    firsts: Array,
    lengths: Array,
    size: int,
) -> int:
    """Return the id of a token, ``size`` if it is new.

    Equal hashes are never taken for equal tokens, the code points decide.
    """
    mask = (1 << power) - 1
    slot = np.int64(((key ^ (key >> np.uint64(32))) * _SPREAD) >> np.uint64(64 - power))
    while True:
        found = table[slot]
        if found < 0:
            table[slot] = size
            keys[size] = key
            firsts[size] = start
            lengths[size] = length
            return size
        if keys[found] == key and lengths[found] == length:
            other = firsts[found]
            i = 0
            while i < length and codes[start + i] == codes[other + i]:
                i += 1
            if i == length:
                return int(found)
        slot = (slot + 1) & mask


@njit(cache=True, nogil=True)
def intern_texts(
    codes: Array,
    borders: Array,
    groups: Array,
    room: Array,
    begin: int,
    end: int,
    ids: Array,
    counts: Array,
    sizes: Array,
) -> None:
    """Split the texts of the groups ``begin:end`` and number the distinct tokens of each group.

    Text ``t`` is ``codes[borders[t]:borders[t + 1]]`` and writes its ids from ``room[t]`` on, ``counts[t]``
    of them: how many is known only afterwards, but a text cannot have more tokens than half its characters.
    """
    most = 0
    for group in range(begin, end):
        most = max(most, room[groups[group + 1]] - room[groups[group]])
    table = np.empty(1 << _log2_capacity(most), np.int32)
    keys = np.empty(most, np.uint64)
    firsts = np.empty(most, np.int64)
    lengths = np.empty(most, np.int64)
    for group in range(begin, end):
        power = _log2_capacity(room[groups[group + 1]] - room[groups[group]])
        table[: 1 << power] = -1
        size = 0
        for text in range(groups[group], groups[group + 1]):
            low, high = borders[text], borders[text + 1]
            write = room[text]
            i = low
            while True:
                while i < high and is_space(codes[i]):
                    i += 1
                if i >= high:
                    break
                start = i
                key = np.uint64(0)
                while i < high and not is_space(codes[i]):
                    key = key * _SPREAD + np.uint64(codes[i])
                    i += 1
                found = _find_or_add(codes, start, i - start, key, table, power, keys, firsts, lengths, size)
                size += found == size
                ids[write] = found
                write += 1
            counts[text] = write - room[text]
        sizes[group] = size


@njit(cache=True, nogil=True)
def close_ranks(ids: Array, room: Array, offsets: Array, begin: int, end: int, closed: Array) -> None:
    """Copy the ids of the texts ``begin:end`` from where :func:`intern_texts` put them, without gaps."""
    for text in range(begin, end):
        shift = room[text] - offsets[text]
        for i in range(offsets[text], offsets[text + 1]):
            closed[i] = ids[i + shift]


@njit(cache=True, nogil=True)
def occurs_in(
    ids: Array,
    offsets: Array,
    groups: Array,
    sizes: Array,
    source: Array,
    begin: int,
    end: int,
    occurs: Array,
) -> None:
    """Mark every token that occurs in a source sequence of its group, for the groups ``begin:end``."""
    most = 0
    for group in range(begin, end):
        most = max(most, sizes[group])
    known = np.empty(most, np.bool_)
    for group in range(begin, end):
        known[: sizes[group]] = False
        for sequence in range(groups[group], groups[group + 1]):
            if source[sequence]:
                for token in range(offsets[sequence], offsets[sequence + 1]):
                    known[ids[token]] = True
        for token in range(offsets[groups[group]], offsets[groups[group + 1]]):
            occurs[token] = known[ids[token]]


_count_ones = njit(cache=True, nogil=True)(_steps.count_ones)


@njit(cache=True, nogil=True)
def lcs_lengths(
    ids: Array, offsets: Array, size: int, first: Array, second: Array, begin: int, end: int, lengths: Array
) -> None:
    """Length of the longest common subsequence of each pair ``begin:end``.

    Bit-parallel (Hyyrö 2004): a zero bit of ``state`` says that the row grows by one at that token of the
    first sequence. The masks of the first sequence are kept while consecutive pairs share it, so many short
    values against one text cost one step per token of a value and 64 tokens of the text; a token that the
    text lacks costs nothing.
    """
    longest = 0
    for pair in range(begin, end):
        longest = max(longest, offsets[first[pair] + 1] - offsets[first[pair]])
    if longest == 0:
        for pair in range(begin, end):
            lengths[pair] = 0
        return
    row = np.full(size, -1, np.int32)  # id -> row of masks
    masks = np.empty(max(64, longest), np.uint64)
    state = np.empty((longest + 63) >> 6, np.uint64)
    current = -1
    low = high = blocks = 0
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
            if masks.size < distinct * blocks:
                masks = np.empty(distinct * blocks, np.uint64)
            masks[: distinct * blocks] = np.uint64(0)
            for token in range(low, high):
                at = token - low
                masks[row[ids[token]] * blocks + (at >> 6)] |= np.uint64(1) << np.uint64(at & 63)
        other = second[pair]
        if blocks == 1:
            word = _steps.ALL
            for token in range(offsets[other], offsets[other + 1]):
                found = row[ids[token]]
                if found >= 0:
                    grow = word & masks[found]
                    word = (word + grow) | (word - grow)
            unused = 64 - (high - low)
            lengths[pair] = _count_ones((~word << np.uint64(unused)) if unused else ~word)
            continue
        state[:blocks] = _steps.ALL
        for token in range(offsets[other], offsets[other + 1]):
            found = row[ids[token]]
            if found < 0:
                continue
            carry = np.uint64(0)
            at = found * blocks
            for block in range(blocks):
                word = state[block]
                grow = word & masks[at + block]
                total = word + grow
                carried = np.uint64(total < word)
                total += carry
                carry = carried | np.uint64(total < carry)
                state[block] = total | (word - grow)
        length = 0
        for block in range(blocks):
            unused = max(0, 64 * (block + 1) - (high - low))
            length += _count_ones((~state[block] << np.uint64(unused)) if unused else ~state[block])
        lengths[pair] = length


# N-grams are the nodes of a trie: the node of an n-gram is the child of its prefix's node at its last token.
# A child is found in one open-addressing table under the key prefix * size + token, which is unique as long
# as both are below 2**31, so equal keys are equal n-grams: there is no hash to trust.


@njit(cache=True, nogil=True)
def _child(keys: Array, power: int, key: int) -> Any:
    """Return the slot that holds ``key``, or the free slot where it belongs."""
    slot = np.int64((np.uint64(key) * _SPREAD) >> np.uint64(64 - power))
    mask = (1 << power) - 1
    while keys[slot] >= 0 and keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


@njit(cache=True, nogil=True)
def _grow_trie(
    ids: Array,
    low: int,
    high: int,
    size: int,
    max_order: int,
    unigram: Array,
    keys: Array,
    nodes: Array,
    power: int,
    path: Array,
    ends: Array,
    starts: Array,
    counts: Array,
) -> None:
    """Build the trie of one sequence: nodes order by order, each in order of first occurrence.

    ``path[i]`` holds the node of the n-gram of the current order that starts at token ``low + i``;
    ``ends[order]`` is the number of nodes up to that order; a node has its first occurrence and its count.
    ``unigram`` must hold -1 for every token.
    """
    keys[: 1 << power] = -1
    made = 0
    for token in range(low, high):
        node = unigram[ids[token]]
        if node < 0:
            node = made
            unigram[ids[token]] = node
            starts[node] = token
            counts[node] = 0
            made += 1
        counts[node] += 1
        path[token - low] = node
    ends[0] = 0
    ends[1] = made
    for order in range(1, max_order):
        for token in range(low, high - order):
            key = np.int64(path[token - low]) * size + ids[token + order]
            slot = _child(keys, power, key)
            if keys[slot] < 0:
                keys[slot] = key
                nodes[slot] = made
                starts[made] = token
                counts[made] = 0
                made += 1
            node = nodes[slot]
            counts[node] += 1
            path[token - low] = node
        ends[order + 1] = made


@njit(cache=True, nogil=True)
def _combine(before: float, weight: float, geometric: bool) -> float:
    return before * weight if geometric else before + weight


@njit(cache=True, nogil=True)
def _mean(combined: float, order: int, geometric: bool) -> float:
    """Mean of ``order`` weights from their product or sum."""
    if order == 1:
        return combined
    return combined ** (1.0 / order) if geometric else combined / order


@njit(cache=True, nogil=True)
def ngram_overlap(
    ids: Array,
    offsets: Array,
    size: int,
    max_order: int,
    weights: Array,
    geometric: bool,
    first: Array,
    second: Array,
    begin: int,
    end: int,
    statistics: Array,
) -> None:
    """Weighted n-gram overlap of the pairs ``begin:end``; see :func:`esascore.align.sequences.ngram_overlap`.

    The trie of the first sequence is kept while consecutive pairs share it. Only n-grams that the first
    sequence has are looked up in the second: all others add to denominators alone.
    """
    longest = 0
    for pair in range(begin, end):
        longest = max(longest, offsets[first[pair] + 1] - offsets[first[pair]])
    unigram = np.full(size, -1, np.int32)
    keys = np.empty(1 << _log2_capacity(longest * (max_order - 1)), np.int64)
    nodes = np.empty(keys.size, np.int32)
    path = np.empty(longest, np.int32)
    starts = np.empty(longest * max_order, np.int64)
    counts = np.empty(longest * max_order, np.int32)
    worth = np.empty(longest * max_order, np.float64)  # summed over the occurrences in the first sequence
    there = np.empty(longest * max_order, np.int32)
    worth_there = np.empty(longest * max_order, np.float64)
    ends = np.zeros(max_order + 1, np.int64)
    current = -1
    low = high = power = total = 0
    for pair in range(begin, end):
        if first[pair] != current:
            for token in range(low, high):
                unigram[ids[token]] = -1
            current = first[pair]
            low, high = offsets[current], offsets[current + 1]
            power = _log2_capacity((high - low) * (max_order - 1))
            _grow_trie(
                ids, low, high, size, max_order, unigram, keys, nodes, power, path, ends, starts, counts
            )
            total = ends[max_order]
            worth[:total] = 0.0
            for token in range(low, high):
                node: Any = np.int32(-1)
                combined = weights[token]
                for order in range(1, min(max_order, high - token) + 1):
                    if order == 1:
                        node = unigram[ids[token]]
                    else:
                        key = np.int64(node) * size + ids[token + order - 1]
                        node = nodes[_child(keys, power, key)]
                        combined = _combine(combined, weights[token + order - 1], geometric)
                    worth[node] += _mean(combined, order, geometric)
        there[:total] = 0
        worth_there[:total] = 0.0
        statistics[pair] = 0.0
        start, stop = offsets[second[pair]], offsets[second[pair] + 1]
        for token in range(start, stop):
            node = unigram[ids[token]]
            combined = weights[token]
            for order in range(1, min(max_order, stop - token) + 1):
                if order > 1:
                    combined = _combine(combined, weights[token + order - 1], geometric)
                    if node >= 0:
                        slot = _child(keys, power, np.int64(node) * size + ids[token + order - 1])
                        node = nodes[slot] if keys[slot] >= 0 else np.int32(-1)
                mean = _mean(combined, order, geometric)
                statistics[pair, order - 1, 3] += mean
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
            statistics[pair, order, 0] = rewarded
            statistics[pair, order, 1] = max(0, high - low - order)
            statistics[pair, order, 2] = recalled
