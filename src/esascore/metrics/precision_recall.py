"""Metrics whose score of a text is a precision, a recall and their F, and of a corpus the means of these."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any, ClassVar

from esascore.metrics.base import Batch, Column, Metric, Score, Statistics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LIMBS = 4
_LIMB_BITS = 26


@dataclass(frozen=True, slots=True)
class FixedSums:
    """Column sums of numbers between 0 and 1, as whole multiples of 2**-104: they add up in any order.

    That is exact for every number from 2**-51 on, and as good as exact for those below.

    Examples
    --------
    >>> sums = FixedSums.of([[0.5, 0.25]]) + FixedSums.of([[0.5, 1.0], [float("nan"), 0.0]])
    >>> sums.means(), sums.texts, sums.undefined
    ([0.5, 0.625], 3, 1)
    """

    units: tuple[int, ...]
    texts: int
    undefined: int

    @classmethod
    def of(cls, rows: Any) -> FixedSums:
        """Add up the rows of an array; one with a NaN is undefined and only counted."""
        import numpy as np

        figures = np.asarray(rows, np.float64)
        defined = ~np.isnan(figures).any(axis=1)
        # Limbs of 26 bits: 2**37 texts would be needed for a sum to leave 64 bits.
        rest = figures[defined]
        units = [0] * figures.shape[1]
        for _ in range(_LIMBS):
            rest = rest * 2.0**_LIMB_BITS
            limb = np.floor(rest)
            rest = rest - limb
            sums = limb.astype(np.int64).sum(axis=0)
            units = [(unit << _LIMB_BITS) + int(more) for unit, more in zip(units, sums, strict=True)]
        return cls(tuple(units), len(figures), int((~defined).sum()))

    def __add__(self, other: FixedSums) -> FixedSums:
        units = tuple(a + b for a, b in zip(self.units, other.units, strict=True))
        return FixedSums(units, self.texts + other.texts, self.undefined + other.undefined)

    def means(self) -> list[float | None]:
        """Mean of each column over the defined rows."""
        from fractions import Fraction

        number = self.texts - self.undefined
        return [
            float(Fraction(total, number << _LIMBS * _LIMB_BITS)) if number else None for total in self.units
        ]


class PrecisionRecallMetric(Metric[FixedSums]):
    """A metric with precision, recall and F of each text; its value is the mean F.

    The statistics of a text are these three numbers, between 0 and 1; NaN where it has none because nothing
    was given to compare it with. ``scale`` is what reported figures are multiplied with.
    """

    title: ClassVar[str]
    scale: ClassVar[float] = 1.0

    @abstractmethod
    def scores(self, batch: Batch) -> NDArray[np.float64]:
        """Precision, recall and F of each text, (n, 3), between 0 and 1; NaN where undefined."""

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if "title" in cls.__dict__:
            cls.columns = (
                Column(cls.name, cls.title, cls.title),
                Column(f"{cls.name}_precision", f"{cls.title} P", f"{cls.title} P"),
                Column(f"{cls.name}_recall", f"{cls.title} R", f"{cls.title} R"),
            )

    def statistics(self, batch: Batch) -> Statistics:
        """Per text precision, recall and F."""
        return self.scores(batch)

    def total(self, statistics: Statistics) -> FixedSums:
        """The sums of the three columns."""
        return FixedSums.of(statistics)

    def score_total(self, total: FixedSums) -> Score:
        """Mean F, precision and recall, and how many texts have none."""
        precision, recall, f = (None if mean is None else mean * self.scale for mean in total.means())
        fields = {
            self.name: f,
            f"{self.name}_precision": precision,
            f"{self.name}_recall": recall,
            f"{self.name}_undefined": total.undefined,
        }
        return Score(self.name, f, fields, self.signature())

    def segment_scores(self, statistics: Statistics) -> list[float | None]:
        """F of each text."""
        return [None if isnan(f) else f * self.scale for f in statistics[:, 2].tolist()]

    def summands(self, statistics: Statistics) -> NDArray[np.float64]:
        """Whether a text is defined, and its three numbers."""
        import numpy as np

        undefined = np.isnan(statistics).any(axis=1, keepdims=True)
        return np.hstack((1.0 - undefined, np.where(undefined, 0.0, statistics)))

    def figures(self, sums: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
        """The figures that tables show, from weighted sums of ``summands``."""
        import numpy as np

        texts, precision, recall, f = np.moveaxis(sums, -1, 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            return {
                self.name: self.scale * f / texts,
                f"{self.name}_precision": self.scale * precision / texts,
                f"{self.name}_recall": self.scale * recall / texts,
            }
