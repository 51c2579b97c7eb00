"""The bit-parallel inner loop of the edit distance: one text character against up to 64 of a pattern.

This is the one source of it. The functions are plain Python over 64-bit words and know nothing of a
compiler: `numba.njit` compiles them for the CPU, `numba.cuda.jit(device=True)` for the GPU, and
`esascore.align._simd` runs `advance` on symbols to emit the same operations on vectors. Hence they use
only operators, and constants that are typed, for an untyped 1 would turn words into floats.

A column of the dynamic programming table is two bit vectors (Myers 1999, in the form of Hyyrö 2003):
bit ``i`` of ``vp`` (``vn``) says that row ``i + 1`` exceeds row ``i`` by one (falls short of it by one).
At first ``vp`` is all ones and ``vn`` zero. After ``n`` characters the distance between the pattern and
these characters is ``n + count_ones(vp & mask) - count_ones(vn & mask)``, where ``mask`` has a one for
each pattern character; bits above the pattern hold rubbish that never moves down.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Word = Any
"""An unsigned 64-bit integer, or a vector of unsigned integers."""

ONE = np.uint64(1)
ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
ZERO = np.uint64(0)
TOP = np.uint64(63)

_PAIRS = np.uint64(0x5555_5555_5555_5555)
_FOURS = np.uint64(0x3333_3333_3333_3333)
_BYTES = np.uint64(0x0F0F_0F0F_0F0F_0F0F)
_SUM = np.uint64(0x0101_0101_0101_0101)
_TWO = np.uint64(2)
_FOUR = np.uint64(4)
_SHIFT = np.uint64(56)


def advance(match: Word, vp: Word, vn: Word) -> tuple[Word, Word]:
    """Column after one more character of the text, for a pattern that fits one word.

    Parameters
    ----------
    match
        Positions of the pattern that hold this character.
    vp, vn
        The column before.
    """
    # hp and its shifted form stand inverted: that saves operations, and d0 | vp == carry | vp | match | vn
    # shortens the chain from one character to the next, which is what limits the speed.
    carry = (match & vp) + vp
    not_hp = ((match | vp) | carry) & ~vn
    d0 = (carry ^ vp) | (match | vn)
    not_hp = not_hp << ONE
    hn = (d0 & vp) << ONE
    return hn | (not_hp & ~d0), d0 & ~not_hp


def advance_block(match: Word, vp: Word, vn: Word, hp_in: Word, hn_in: Word) -> tuple[Word, Word, Word, Word]:
    """One word of the column of a pattern that needs several, from the first word to the last.

    ``hp_in`` and ``hn_in`` (0 or 1) are what the word before handed over; for the first word they are 1
    and 0. Returns the word's ``vp`` and ``vn`` and what it hands to the next.
    """
    # A falling step from below lets the first row of this word match (Hyyrö 2003, section 4).
    match = match | hn_in
    carry = (match & vp) + vp
    not_hp = ((match | vp) | carry) & ~vn
    d0 = (carry ^ vp) | (match | vn)
    hn = d0 & vp
    hp_out = (not_hp >> TOP) ^ ONE
    hn_out = hn >> TOP
    not_hp = (not_hp << ONE) | (hp_in ^ ONE)
    hn = (hn << ONE) | hn_in
    return hn | (not_hp & ~d0), d0 & ~not_hp, hp_out, hn_out


def equal(values: Any, first: Any, second: Any, size: Any) -> Any:
    """Return whether the same ``size`` values begin at two places."""
    same = 0
    while same < size and values[first + same] == values[second + same]:
        same += 1
    return same == size


def lower_bound(values: Any, begin: Any, end: Any, value: Any) -> Any:
    """Index of the first of the sorted ``values[begin:end]`` that is not below ``value``, or ``end``."""
    while begin < end:
        middle = (begin + end) >> 1
        if values[middle] < value:
            begin = middle + 1
        else:
            end = middle
    return begin


def count_ones(word: Word) -> Word:
    """Number of ones in a word, as a word; compilers turn this into one instruction."""
    word = word - ((word >> ONE) & _PAIRS)
    word = (word & _FOURS) + ((word >> _TWO) & _FOURS)
    word = (word + (word >> _FOUR)) & _BYTES
    return (word * _SUM) >> _SHIFT
