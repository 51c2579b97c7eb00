"""Exact totals of statistics: any split and any order of the segments gives the same total, bit for bit.

Totals add up with ``+``. ``as_dict`` gives plain JSON values, of which ``from_dict`` makes the same total.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

_LIMBS = 4
_LIMB_BITS = 26


@dataclass(frozen=True, slots=True)
class Tally:
    """A multiset of rows of whole numbers: how often each occurred, sorted by row.

    For metrics that add up fractions with different denominators, or count more than sums can tell.

    Examples
    --------
    >>> import numpy as np
    >>> tally = Tally.of(np.array([[3, 0], [2, 1], [3, 0]]))
    >>> tally.counts, tally.texts
    ((((2, 1), 1), ((3, 0), 2)), 3)
    >>> tally + Tally.of(np.array([[2, 1]]))
    Tally(width=2, counts=(((2, 1), 2), ((3, 0), 2)))
    >>> tally.sums(lambda rows: 1 / rows[:, :1])
    array([Fraction(7, 6)], dtype=object)
    """

    width: int
    counts: tuple[tuple[tuple[int, ...], int], ...] = ()

    @classmethod
    def of(cls, rows: NDArray[np.int64]) -> Self:
        """Count rows, (n, width)."""
        return cls(rows.shape[1], tuple(sorted(Counter(map(tuple, rows.tolist())).items())))

    def __add__(self, other: Tally) -> Tally:
        both = Counter(dict(self.counts)) + Counter(dict(other.counts))
        return Tally(self.width, tuple(sorted(both.items())))

    @property
    def texts(self) -> int:
        """The number of all rows."""
        return sum(count for _, count in self.counts)

    def sums(self, summands: Callable[[NDArray[Any]], NDArray[Any]]) -> NDArray[Any]:
        """Exact sums of what ``summands`` makes of the rows, which it receives as fractions."""
        rows = np.array([[Fraction(number) for number in row] for row, _ in self.counts], object)
        counts = np.array([count for _, count in self.counts], object).reshape(-1, 1)
        summed: NDArray[Any] = (counts * summands(rows.reshape(-1, self.width))).sum(axis=0)
        return summed

    def as_dict(self) -> dict[str, Any]:
        """Return the total as plain JSON values."""
        return {"width": self.width, "counts": [[list(row), count] for row, count in self.counts]}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `as_dict` gave."""
        return cls(values["width"], tuple((tuple(row), count) for row, count in values["counts"]))


@dataclass(frozen=True, slots=True)
class FixedSums:
    """Column sums as whole multiples of 2**-104, and how many rows they are of.

    That is exact for every number from 2**-51 on, and as good as exact for those below.

    Examples
    --------
    >>> import numpy as np
    >>> total = FixedSums.of(np.array([[0.5, 3.0]])) + FixedSums.of(np.array([[0.25, 1.0], [0.0, 0.0]]))
    >>> total.sums(), total.texts
    (array([Fraction(3, 4), Fraction(4, 1)], dtype=object), 3)
    >>> FixedSums.from_dict(total.as_dict()) == total
    True
    """

    units: tuple[int, ...]
    texts: int

    @classmethod
    def of(cls, rows: NDArray[Any]) -> Self:
        """Add up the rows of an array of finite numbers."""
        # The whole part, then limbs of 26 bits: 2**37 texts would be needed for a sum to leave 64 bits.
        limb = np.floor(rows)
        rest = rows - limb
        units = limb.astype(np.int64).sum(axis=0).tolist()
        for _ in range(_LIMBS):
            rest = rest * 2.0**_LIMB_BITS
            limb = np.floor(rest)
            rest = rest - limb
            sums = limb.astype(np.int64).sum(axis=0).tolist()
            units = [(unit << _LIMB_BITS) + more for unit, more in zip(units, sums, strict=True)]
        return cls(tuple(units), len(rows))

    def __add__(self, other: FixedSums) -> FixedSums:
        units = tuple(a + b for a, b in zip(self.units, other.units, strict=True))
        return FixedSums(units, self.texts + other.texts)

    def sums(self) -> NDArray[Any]:
        """Return the sums as fractions."""
        return np.array([Fraction(unit, 1 << _LIMBS * _LIMB_BITS) for unit in self.units], object)

    def as_dict(self) -> dict[str, Any]:
        """The total as plain JSON values; as strings, since other programs round numbers above 2**53."""
        return {"units": [str(unit) for unit in self.units], "texts": self.texts}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `as_dict` gave."""
        return cls(tuple(map(int, values["units"])), values["texts"])
