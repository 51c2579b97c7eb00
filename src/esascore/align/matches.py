"""The result of an alignment: parallel columns, one row for each matched n-gram."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

_QUOTIENT_BITS = 31
_LARGEST_ITEM = 2**28
"""Longest string, in code points, that becomes one item of an array; NumPy's limit is 2**29 - 1."""


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """Which n-gram of which text matches which candidate; columns of equal length.

    Rows are grouped by item in input order, and within an item ordered from the best to the worst.

    Attributes
    ----------
    item
        Index of the item.
    candidate
        Index of the candidate within its item.
    start, end
        The n-gram: token indices, ``end`` exclusive.
    edits
        Levenshtein distance, in code points.
    length
        Code points of the longer of candidate and n-gram.
    """

    item: Integers
    candidate: Integers
    start: Integers
    end: Integers
    edits: Integers
    length: Integers

    @property
    def distance(self) -> NDArray[np.float64]:
        """Normalised distance, ``edits / length``."""
        return self.edits / self.length

    def __len__(self) -> int:
        return len(self.item)


def in_input_order(parts: Sequence[Matches], batches: Sequence[Integers]) -> Matches:
    """Join the matches of batches of items; a part numbers the items of its batch from 0.

    Examples
    --------
    >>> one = Matches(*np.array([[0, 5, 0, 1, 0, 4], [1, 6, 2, 3, 0, 4]]).T)
    >>> joined = in_input_order([one, one], [np.array([3, 1]), np.array([0, 2])])
    >>> joined.item.tolist(), joined.candidate.tolist()
    ([0, 1, 2, 3], [5, 6, 6, 5])
    """
    none = np.empty(0, np.int64)
    item = np.concatenate([none, *(batch[part.item] for part, batch in zip(parts, batches, strict=True))])
    take = np.argsort(item, kind="stable")
    columns = (
        np.concatenate([none, *(getattr(part, name) for part in parts)])[take]
        for name in ("candidate", "start", "end", "edits", "length")
    )
    return Matches(item[take], *columns)


def offsets_of(sizes: Sequence[int] | NDArray[Any]) -> Integers:
    """Return where parts of these sizes begin, and where the last one ends.

    Examples
    --------
    >>> offsets_of([2, 0, 3]).tolist()
    [0, 2, 2, 5]
    """
    offsets = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=offsets[1:])
    return offsets


def code_points(text: str) -> NDArray[np.uint32]:
    """Return the code points of a string, lone surrogates too, and at least one number.

    Examples
    --------
    >>> code_points("aé").tolist()
    [97, 233]
    """
    if len(text) < _LARGEST_ITEM:
        return np.array([text]).view(np.uint32)  # four times as fast as a codec
    native = "utf-32-le" if sys.byteorder == "little" else "utf-32-be"
    return np.frombuffer(text.encode(native, "surrogatepass"), np.uint32)


def ordered_quotients(edits: Any, lengths: Any) -> Any:
    """Whole numbers in the order of edits / lengths, for arrays of NumPy or CuPy.

    They are so many binary digits that any two different fractions of 31-bit numbers differ.

    Examples
    --------
    >>> first, second, third = ordered_quotients(np.array([1, 2, 334]), np.array([3, 6, 1000]))
    >>> bool(first == second < third)
    True
    """
    head = edits << _QUOTIENT_BITS
    quotient = head // lengths
    return (quotient << _QUOTIENT_BITS) + ((head - quotient * lengths) << _QUOTIENT_BITS) // lengths
