"""Kernels over interned token sequences: interning, longest common subsequences, n-grams, shares.

Every kernel works on a half-open range ``begin:end`` of its work list and writes only to its own part of the
output, so that threads need no lock. Each gets ``room`` words of scratch memory; it returns 0 when it is done
and how many words it wants where they do not suffice, having changed nothing that a second run does not
write anew. Numba compiles this module when the package is built.
"""

# Numba infers its own types, for which int and the scalars of NumPy are one.
# mypy: disable-error-code="assignment,no-any-return,arg-type"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from esascore.align import _pointers as types
from esascore.align import _steps
from esascore.align._compiler import Kernels
from esascore.align._pointers import fill, floats_at, inlined, int32_at, int64_at, moved, words_at

ZERO, ONE, ALL = _steps.ZERO, _steps.ONE, _steps.ALL

# 2**64 divided by the golden ratio: multiplication by it spreads consecutive keys over the high bits.
_SPREAD = np.uint64(0x9E3779B97F4A7C15)

_count_ones = inlined(_steps.count_ones)
_equal = inlined(_steps.equal)
_lower_bound = inlined(_steps.lower_bound)


@inlined
def _is_space(code: int) -> bool:
    """Return whether ``str.split`` separates tokens at this code point."""
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
def _longest(offsets: Any, sequences: Any, begin: int, end: int) -> int:
    """Return the length of the longest of some sequences."""
    longest = 0
    for index in range(begin, end):
        longest = max(longest, offsets[sequences[index] + 1] - offsets[sequences[index]])
    return longest


def intern_texts(
    codes: Any, borders: Any, groups: Any, places: Any, ids: Any, counts: Any, sizes: Any, begin: int,
    end: int, memory: Any, room: int,
) -> int:  # fmt: skip
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
        fill(table, 1 << power, -1)
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
                    if (keys[found] == key and lengths[found] == i - start) and _equal(
                        codes, start, firsts[found], i - start
                    ):
                        break
                    slot = (slot + 1) & mask
                ids[write] = found
                write += 1
            counts[text] = write - places[text]
        sizes[group] = size
    return 0


def lcs_lengths(
    ids: Any, size: int, offsets: Any, first: Any, second: Any, lengths: Any, begin: int, end: int,
    memory: Any, room: int,
) -> int:  # fmt: skip
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
    fill(row, size, -1)
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
            fill(masks, distinct * blocks, ZERO)
            for token in range(low, high):
                at = token - low
                masks[row[ids[token]] * blocks + (at >> 6)] |= ONE << np.uint64(at & 63)
        fill(state, blocks, ALL)
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


class _Trie(NamedTuple):
    """The n-grams of one sequence; nodes stand order by order, each in order of first occurrence."""

    ids: Any
    size: int
    max_order: int
    unigram: Any  # id -> node, -1 where there is none
    keys: Any  # of each slot, -1 where it is free
    nodes: Any
    path: Any  # node of the n-gram of the current order that starts at each token
    ends: Any  # number of nodes up to each order


@inlined
def _child(trie: _Trie, power: int, key: int) -> Any:
    """Return the slot that holds ``key``, or the free slot where it belongs."""
    slot = np.int64((np.uint64(key) * _SPREAD) >> np.uint64(64 - power))
    mask = (1 << power) - 1
    while trie.keys[slot] >= 0 and trie.keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


@inlined
def _grow(trie: _Trie, power: int, low: int, high: int) -> None:
    """Build the trie of the tokens ``low:high``; ``unigram`` must hold -1 for every token."""
    ids, size, max_order, unigram, keys, nodes, path, ends = trie
    fill(keys, np.int64(1) << power, -1)
    made = 0
    for token in range(low, high):
        if unigram[ids[token]] < 0:
            unigram[ids[token]] = made
            made += 1
        path[token - low] = unigram[ids[token]]
    ends[0] = 0
    ends[1] = made
    for order in range(1, max_order):
        for token in range(low, high - order):
            key = path[token - low] * size + ids[token + order]
            slot = _child(trie, power, key)
            if keys[slot] < 0:
                keys[slot] = key
                nodes[slot] = made
                made += 1
            path[token - low] = nodes[slot]
        ends[order + 1] = made


@inlined
def _weigh(
    trie: _Trie, power: int, weights: Any, geometric: int, low: int, high: int, counts: Any, worth: Any,
    sums: Any,
) -> None:  # fmt: skip
    """Count the n-grams of the tokens ``low:high`` that the trie has, and sum up their weights.

    ``worth`` gets the sum of each node, ``sums`` that of all n-grams of an order in its last of four places.
    """
    ids, size, max_order, unigram, keys, nodes, _, ends = trie
    fill(counts, ends[max_order], 0)
    fill(worth, ends[max_order], 0.0)
    fill(sums, 4 * max_order, 0.0)
    for token in range(low, high):
        node = unigram[ids[token]]
        mean = combined = weights[token]
        for order in range(1, min(max_order, high - token) + 1):
            if order > 1:
                weight = weights[token + order - 1]
                combined = combined * weight if geometric else combined + weight
                mean = combined ** (1.0 / order) if geometric else combined / order
                if node >= 0:
                    slot = _child(trie, power, node * size + ids[token + order - 1])
                    node = nodes[slot] if keys[slot] >= 0 else np.int64(-1)
            sums[4 * order - 1] += mean
            if node >= 0:
                counts[node] += 1
                worth[node] += mean


def ngram_overlap(
    statistics: Any, ids: Any, offsets: Any, weights: Any, first: Any, second: Any, size: int, max_order: int,
    geometric: int, begin: int, end: int, memory: Any, room: int,
) -> int:  # fmt: skip
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
    worth, worth_there = floats_at(memory, used + 2 * most), floats_at(memory, used + 3 * most)
    used += 4 * most
    if used > room:
        return used
    trie = _Trie(ids, size, max_order, unigram, keys, nodes, path, ends)
    fill(unigram, size, -1)
    current = np.int64(-1)
    low = high = power = np.int64(0)
    for pair in range(begin, end):
        sums = moved(statistics, pair * max_order * 4)
        if first[pair] != current:
            for token in range(low, high):
                unigram[ids[token]] = -1
            current = first[pair]
            low, high = offsets[current], offsets[current + 1]
            power = _log2_capacity((high - low) * (max_order - 1))
            _grow(trie, power, low, high)
            _weigh(trie, power, weights, geometric, low, high, counts, worth, sums)
        start, stop = offsets[second[pair]], offsets[second[pair] + 1]
        _weigh(trie, power, weights, geometric, start, stop, there, worth_there, sums)
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
    words: Any, at: Any, items: Any, item_at: Any, totals: Any, rows: Any, columns: Any, counts: Any,
    shares: Any, begin: int, end: int, _memory: Any, _room: int,
) -> int:  # fmt: skip
    """Give every token of the groups ``begin:end`` that has none the largest share of its group's items.

    Group ``g`` has the tokens from ``at[g]`` and the items from ``item_at[g]`` on.
    """
    for group in range(begin, end):
        for token in range(at[group], at[group + 1]):
            word = words[token]
            if word < 0 or shares[token] > 0.0:
                continue
            for k in range(item_at[group], item_at[group + 1]):
                last = rows[items[k] + 1]
                found = _lower_bound(columns, rows[items[k]], last, word)
                if found < last and columns[found] == word:
                    shares[token] = max(shares[token], counts[found] / totals[items[k]])
    return 0


_INT, _I32, _I64, _F64 = types.INT, types.I32, types.I64, types.F64
_RANGE = _INT, _INT, types.U64, _INT

KERNELS: Kernels = {
    "intern_texts": (intern_texts, (types.U32, *[_I64] * 3, _I32, _I64, _I32, *_RANGE)),
    "lcs_lengths": (lcs_lengths, (_I32, _INT, *[_I64] * 3, _I32, *_RANGE)),
    "ngram_overlap": (ngram_overlap, (_F64, _I32, _I64, _F64, _I64, _I64, *[_INT] * 3, *_RANGE)),
    "largest_shares": (largest_shares, (*[_I64] * 7, _F64, _F64, *_RANGE)),
}
