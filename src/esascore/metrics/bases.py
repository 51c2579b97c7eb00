"""Kinds of metrics: how they add up their statistics, and where they get a pipeline from."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from esascore._version import __version__
from esascore.errors import known_arguments
from esascore.metrics.base import Detector, Metric, Signature, Statistics, ratio
from esascore.metrics.parent_options import ParentOptions
from esascore.metrics.totals import FixedSums, Tally

if TYPE_CHECKING:
    from esascore.coref.choice import CorefChoice
    from esascore.learned import Learned
    from esascore.lexicon import UserLexicon
    from esascore.link.choice import LinkerChoice


class TalliedMetric(Metric[Tally]):
    """A metric whose statistics are whole numbers, counted row by row."""

    total_type = Tally

    def total(self, statistics: Statistics) -> Tally:
        """Return how often each row occurs."""
        return Tally.of(statistics)

    def sums(self, total: Tally) -> NDArray[Any]:
        """Return the exact sums of the summands."""
        return total.sums(self.summands)


class SummedMetric(Metric[FixedSums]):
    """A metric that adds up its statistics as they are; NaN if a segment is undefined."""

    total_type = FixedSums

    def summands(self, statistics: NDArray[Any]) -> NDArray[Any]:
        """Return whether a segment is defined, and its statistics."""
        undefined = np.isnan(statistics).any(axis=1, keepdims=True)
        return np.hstack((1.0 - undefined, np.where(undefined, 0.0, statistics)))

    def total(self, statistics: Statistics) -> FixedSums:
        """Return the sums of the summands."""
        return FixedSums.of(self.summands(statistics))

    def sums(self, total: FixedSums) -> NDArray[Any]:
        """Return the exact sums of the summands."""
        return total.sums()

    def fields(self, total: FixedSums) -> dict[str, Any]:
        """Return the figures, and how many segments are undefined."""
        undefined = total.texts - int(self.sums(total)[0])
        return {**super().fields(total), f"{self.name}_undefined": undefined}


class MeanMetric(SummedMetric):
    """A metric whose figures are means of its statistics over the defined segments.

    ``measures`` names the columns of the statistics, "" the one that is the score itself; ``scale`` is what
    figures are multiplied with.
    """

    measures: ClassVar[tuple[str, ...]]
    scale: ClassVar[float] = 1.0

    def figures(self, sums: NDArray[Any]) -> dict[str, NDArray[np.float64]]:
        """Return the mean score, and the means of what it is made of."""
        texts, *columns = np.moveaxis(sums, -1, 0)
        named = zip(self.measures, columns, strict=True)
        means = {measure: self.scale * ratio(column, texts) for measure, column in named}
        return {
            self.name: means.pop(""),
            **{f"{self.name}_{measure}": mean for measure, mean in means.items()},
        }


class DetectorMetric:
    """Base of metrics that detect entities: they have a pipeline.

    Parameters
    ----------
    profile, lexicon, learned, linker, coref, backend
        What the pipeline is built of (see `esascore.pipeline.build_pipeline`).
    detector
        A pipeline that exists already, instead of all that.
    """

    @known_arguments()
    def __init__(
        self,
        profile: str | PathLike[str] = "default",
        *,
        lexicon: UserLexicon = (),
        learned: str | PathLike[str] | Learned = "none",
        linker: str | LinkerChoice | None = None,
        coref: str | CorefChoice | None = None,
        backend: str = "auto",
        detector: Detector | None = None,
    ):
        if detector is None:
            from esascore.pipeline import build_pipeline

            detector = build_pipeline(
                profile, lexicon=lexicon, learned=learned, linker=linker, coref=coref, backend=backend
            )
        self._detector = detector

    @classmethod
    def from_detector(cls, detector: Detector) -> Self:
        """Make the metric of a pipeline that exists already."""
        return cls(detector=detector)

    @classmethod
    def create(cls, detector: Detector, options: ParentOptions) -> Self:
        """Make the metric for a pipeline."""
        return cls.from_detector(detector)

    def _signature(self, **more: str) -> Signature:
        """Return the settings of detection, and more."""
        return Signature.of({"esascore": __version__, **self._detector.signature_parts(), **more})
