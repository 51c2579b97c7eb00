"""The CUDA kernels, as plain functions: `esascore.align._cuda` launches them, tests compile them to PTX.

The edit distance itself is `esascore.align._steps`, compiled as device functions: the source that the CPU
runs. Only ones are counted by the GPU's own instruction, which its compiler does not find by itself. Nothing
here goes beyond what Numba's simulator knows: no warp intrinsics, no device attributes. Every index within a
batch fits 32 bits; products with the threshold's numerator and denominator are 64-bit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numba import cuda, types

from esascore.align import _steps

SHARED_WORDS = 1024
"""Words of pattern masks that a block can hold in shared memory: 8 KB leave room for full occupancy."""

TEXT, CANDIDATE, START, END, EDITS, LENGTH, CHARACTERS = range(7)
"""Rows of the array of hits; START and END count tokens of the text."""

HIT_ROWS = 7

BEGIN, STOP, OWNER, FIRST, LAST = range(5)
"""Rows of the array of tokens: where it is in the codes, its text, where the tokens of that begin and end."""

TOKEN_ROWS = 5

_SPACE = 32
_UNDERSCORE = 95
_ZERO, _ONE, _ALL = _steps.ZERO, _steps.ONE, _steps.ALL

_advance = cuda.jit(device=True)(_steps.advance)
_advance_block = cuda.jit(device=True)(_steps.advance_block)
_lower_bound = cuda.jit(device=True)(_steps.lower_bound)


@cuda.jit(device=True)
def _code(character: int, alphabet: Any, low: int, high: int) -> Any:
    """Number from 1 of a character in ``alphabet[low:high]``, which is sorted; 0 where it is not there."""
    at = _lower_bound(alphabet, low, high, character)
    if at < high and alphabet[at] == character:
        return at - low + 1
    return 0


@cuda.jit(device=True)
def _record(
    hits: Any, counter: Any, tokens: Any, start: int, token: int, candidate: int, edits: int, length: int,
    characters: int,
) -> None:  # fmt: skip
    """Append the n-gram from one token to another, in any order; if there is no room it is only counted."""
    at = cuda.atomic.add(counter, 0, 1)
    if at < hits.shape[1]:
        hits[TEXT, at] = tokens[OWNER, start]
        hits[CANDIDATE, at] = candidate
        hits[START, at] = start - tokens[FIRST, start]
        hits[END, at] = token + 1 - tokens[FIRST, start]
        hits[EDITS, at] = edits
        hits[LENGTH, at] = length
        hits[CHARACTERS, at] = characters


def read_texts(
    characters: Any, text_at: Any, text_group: Any, alphabet: Any, alphabet_at: Any, room: Any, codes: Any,
    begins: Any, ends: Any, counts: Any,
) -> None:  # fmt: skip
    """Tokenise a text and turn it into codes of its group's alphabet, tokens separated by one space.

    One thread a text. Codes are written to where the characters of the text are in ``characters``, the
    borders of its tokens from ``room[text]`` on, ``counts[text]`` of them.
    """
    text = cuda.grid(1)
    if text < text_group.size:
        low, high = alphabet_at[text_group[text]], alphabet_at[text_group[text] + 1]
        space = _code(_SPACE, alphabet, low, high)
        write = text_at[text]
        token = room[text]
        inside = False
        for position in range(text_at[text], text_at[text + 1]):
            character = characters[position]
            if character == _SPACE:
                if inside:
                    ends[token] = write
                    token += 1
                    inside = False
            else:
                if not inside:
                    if token > room[text]:
                        codes[write] = space
                        write += 1
                    begins[token] = write
                    inside = True
                codes[write] = _code(character, alphabet, low, high)
                write += 1
        if inside:
            ends[token] = write
            token += 1
        counts[text] = token - room[text]


def place_tokens(room: Any, begins: Any, ends: Any, token_at: Any, tokens: Any) -> None:
    """Move the tokens of a text next to those of the text before. One thread a text."""
    text = cuda.grid(1)
    if text < token_at.size - 1:
        shift = room[text] - token_at[text]
        for token in range(token_at[text], token_at[text + 1]):
            tokens[BEGIN, token] = begins[token + shift]
            tokens[STOP, token] = ends[token + shift]
            tokens[OWNER, token] = text
            tokens[FIRST, token] = token_at[text]
            tokens[LAST, token] = token_at[text + 1]


def build_masks(
    characters: Any, candidate_begin: Any, candidate_length: Any, candidate_group: Any, alphabet: Any,
    alphabet_at: Any, mask_at: Any, masks: Any, most_tokens: Any,
) -> None:  # fmt: skip
    """Mark where a candidate has which character, and see how many words it has. One thread a candidate.

    ``masks`` must be zero; the word of code ``c`` and block ``b`` is ``mask_at[candidate] + c * blocks + b``.
    """
    candidate = cuda.grid(1)
    if candidate < candidate_group.size:
        group = candidate_group[candidate]
        low, high = alphabet_at[group], alphabet_at[group + 1]
        begin = candidate_begin[candidate]
        length = candidate_length[candidate]
        blocks = (length + 63) >> 6
        words = 0
        inside = False
        for i in range(length):
            character = characters[begin + i]
            separator = character in (_SPACE, _UNDERSCORE)
            if not separator and not inside:
                words += 1
            inside = not separator
            at = mask_at[candidate] + _code(character, alphabet, low, high) * blocks + (i >> 6)
            masks[at] |= _ONE << np.uint64(i & 63)
        cuda.atomic.max(most_tokens, group, words + 1)


def find_hits(
    tiles: Any, candidate_length: Any, candidate_number: Any, candidate_group: Any, mask_at: Any, masks: Any,
    most_tokens: Any, codes: Any, tokens: Any, shared_words: int, numerator: int, denominator: int, hits: Any,
    counter: Any,
) -> None:  # fmt: skip
    """Compare candidates of at most 64 characters with the n-grams that start at a token.

    A block takes a tile: some candidates and some start tokens of one group, with the masks of these
    candidates in shared memory if they fit. A thread takes a candidate and a start token: all n-grams that
    start there share their prefix, so one pass along the text gives the distance to each.
    """
    shared = cuda.shared.array(SHARED_WORDS, types.uint64)
    tile = cuda.blockIdx.x
    if tile < tiles.shape[0]:
        first, last = tiles[tile, 0], tiles[tile, 1]
        low, high = tiles[tile, 2], tiles[tile, 3]
        base = mask_at[first]
        origin = np.uint64(base)
        words = mask_at[last] - base
        fits = words <= shared_words
        if fits:
            for i in range(cuda.threadIdx.x, words, cuda.blockDim.x):
                shared[i] = masks[base + i]
        cuda.syncthreads()
        starts = high - low
        most = most_tokens[candidate_group[first]]
        for pair in range(cuda.threadIdx.x, (last - first) * starts, cuda.blockDim.x):
            candidate = first + pair // starts
            start = low + pair % starts
            size = candidate_length[candidate]
            used = _ALL >> np.uint64(64 - size)
            row = mask_at[candidate] - base
            begin = tokens[BEGIN, start]
            position = begin
            vp, vn = _ALL, _ZERO
            for token in range(start, min(tokens[LAST, start], start + most)):
                end = tokens[STOP, token]
                length = end - begin
                # Longer n-grams need at least as many insertions more: none of them can be near enough.
                if length > size and (length - size) * denominator > numerator * length:
                    break
                while position < end:
                    # Unsigned, for Numba lets signed indices count from the end, at a quarter of this loop.
                    at = np.uint64(row + codes[np.uint64(position)])
                    match = shared[at] if fits else masks[origin + at]
                    vp, vn = _advance(match, vp, vn)
                    position += 1
                longer = max(length, size)
                if (longer - length) * denominator <= numerator * longer:
                    edits = length + np.int64(cuda.popc(vp & used)) - np.int64(cuda.popc(vn & used))
                    if edits * denominator <= numerator * longer:
                        number = candidate_number[candidate]
                        _record(hits, counter, tokens, start, token, number, edits, longer, length)


def find_long_hits(
    pair_at: Any, group_candidate: Any, group_token: Any, candidate_length: Any, candidate_number: Any,
    mask_at: Any, masks: Any, most_tokens: Any, codes: Any, tokens: Any, column_vp: Any, column_vn: Any,
    threads: int, numerator: int, denominator: int, hits: Any, counter: Any,
) -> None:  # fmt: skip
    """Compare candidates of more than 64 characters, as `find_hits` does, with columns in global memory.

    Pairs of group ``g`` are numbered from ``pair_at[g]``; its first long candidate is ``group_candidate[g]``,
    its first token ``group_token[g]``. Only the first ``threads`` threads work. Word ``w`` of a thread's
    column is at ``w * threads + thread``, so that neighbouring threads touch neighbouring words.
    """
    thread = cuda.grid(1)
    stride = np.uint64(threads)
    last = pair_at[pair_at.size - 1] if thread < threads else 0
    for pair in range(thread, last, threads):
        group, beyond = 0, pair_at.size - 1
        while beyond - group > 1:
            middle = (group + beyond) >> 1
            if pair_at[middle] <= pair:
                group = middle
            else:
                beyond = middle
        starts = group_token[group + 1] - group_token[group]
        candidate = group_candidate[group] + (pair - pair_at[group]) // starts
        start = group_token[group] + (pair - pair_at[group]) % starts
        size = candidate_length[candidate]
        blocks = (size + 63) >> 6
        for block in range(blocks):
            column_vp[block * threads + thread] = _ALL
            column_vn[block * threads + thread] = _ZERO
        begin = tokens[BEGIN, start]
        position = begin
        for token in range(start, min(tokens[LAST, start], start + most_tokens[group])):
            end = tokens[STOP, token]
            length = end - begin
            if length > size and (length - size) * denominator > numerator * length:
                break
            while position < end:
                row = np.uint64(mask_at[candidate] + codes[np.uint64(position)] * blocks)
                at = np.uint64(thread)
                hp, hn = _ONE, _ZERO
                for _ in range(blocks):
                    vp, vn, hp, hn = _advance_block(masks[row], column_vp[at], column_vn[at], hp, hn)
                    column_vp[at] = vp
                    column_vn[at] = vn
                    row += _ONE
                    at += stride
                position += 1
            longer = max(length, size)
            if (longer - length) * denominator <= numerator * longer:
                edits = length
                at = np.uint64(thread)
                for block in range(blocks):
                    used = _ALL
                    if block == blocks - 1:
                        used = _ALL >> np.uint64(64 * blocks - size)
                    edits += np.int64(cuda.popc(column_vp[at] & used))
                    edits -= np.int64(cuda.popc(column_vn[at] & used))
                    at += stride
                if edits * denominator <= numerator * longer:
                    number = candidate_number[candidate]
                    _record(hits, counter, tokens, start, token, number, edits, longer, length)


def select_hits(hits: Any, order: Any, hit_at: Any, token_at: Any, taken: Any, selected: Any) -> None:
    """Walk the hits of a text from the best to the worst and keep those that touch no token twice.

    One thread a text; ``taken`` and ``selected`` must be zero.
    """
    text = cuda.grid(1)
    if text < hit_at.size - 1:
        for i in range(hit_at[text], hit_at[text + 1]):
            low = token_at[text] + hits[START, order[i]]
            high = token_at[text] + hits[END, order[i]]
            free = True
            for token in range(low, high):
                if taken[token] != 0:
                    free = False
                    break
            if free:
                for token in range(low, high):
                    taken[token] = 1
                selected[i] = 1


_INT, _I32, _I64, _U64 = types.int64, types.int32[::1], types.int64[::1], types.uint64[::1]
_U8, _U32 = types.uint8[::1], types.uint32[::1]
_ROWS, _TILES = types.int32[:, ::1], types.int64[:, ::1]
_PATTERNS = _I64, _U64, _I32, _I32
_LIMIT_AND_HITS = _INT, _INT, _ROWS, _I64

KERNELS: Mapping[str, tuple[Callable[..., None], tuple[Any, ...]]] = {
    "read_texts": (read_texts, (_U32, _I64, _I32, _U32, _I64, _I64, _I32, _I32, _I32, _I32)),
    "place_tokens": (place_tokens, (_I64, _I32, _I32, _I64, _ROWS)),
    "build_masks": (build_masks, (_U32, _I64, _I64, _I32, _U32, _I64, _I64, _U64, _I32)),
    "find_hits": (find_hits, (_TILES, _I64, _I32, _I32, *_PATTERNS, _ROWS, _INT, *_LIMIT_AND_HITS)),
    "find_long_hits": (
        find_long_hits,
        (_I64, _I64, _I64, _I64, _I32, *_PATTERNS, _ROWS, _U64, _U64, _INT, *_LIMIT_AND_HITS),
    ),
    "select_hits": (select_hits, (_ROWS, _I64, _I64, _I64, _U8, _U8)),
}
"""Name of a kernel -> its function and the types of its arguments."""
