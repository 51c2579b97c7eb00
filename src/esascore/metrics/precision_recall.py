"""Metrics whose score of a text is a precision, a recall and their F, and of a corpus the means of these."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from esascore.metrics.base import Batch, Column, Statistics
from esascore.metrics.kinds import MeanMetric

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class PrecisionRecallMetric(MeanMetric):
    """A metric with precision, recall and F of each text; its value is the mean F.

    The statistics of a text are these three numbers, between 0 and 1; NaN where it has none because nothing
    was given to compare it with.
    """

    title: ClassVar[str]
    measures: ClassVar[tuple[str, ...]] = ("precision", "recall", "")

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
