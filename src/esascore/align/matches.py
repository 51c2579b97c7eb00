"""The result of an alignment: parallel columns, one row for each matched n-gram."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


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
