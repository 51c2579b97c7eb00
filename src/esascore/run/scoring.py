"""Scores a block of rows, in any process: detection, then the statistics of each metric."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from esascore.align.backends import prepare
from esascore.metrics.base import Batch, Detector, Metric, coverage_of
from esascore.model import LinkFailure
from esascore.run import blocks
from esascore.run.blocks import Row
from esascore.run.scored import Scored, SystemScores
from esascore.text.document import Document

Factory = Callable[[], Detector]
"""Makes a pipeline; must be picklable where ``jobs`` is above 1: a module's function, or a partial of one."""

MakeMetrics = Callable[[Detector], Sequence[Metric[Any]]]
"""Makes the metrics for a pipeline; picklable like a `Factory`."""

Keep = Literal["statistics", "details", "detections"]
"""What is kept of a text: its statistics, also what metrics found in it, also every mention."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of a block: of each distinct text, and for each text of each row which of them it is.

    ``seconds`` is what each stage of the work took.
    """

    distinct: SystemScores
    places: NDArray[np.intp]
    seconds: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Scorer:
    """Scores blocks of rows; equal texts of an example are looked at once for all systems."""

    pipeline: Detector
    metrics: tuple[Metric[Any], ...]
    keep: Keep
    texts: int

    @property
    def has_models(self) -> bool:
        """Whether models read each text."""
        return self.pipeline.verifier is not None or self.pipeline.questioner is not None

    @property
    def block(self) -> int:
        """How many texts make a block."""
        return min(blocks.BATCH, blocks.BATCH_WITH_MODELS) if self.has_models else blocks.BATCH

    def __call__(self, rows: Sequence[Row]) -> Kept:
        """Detect and score the texts of a block."""
        prepare(self.texts)
        numbers: dict[tuple[int, str], int] = {}
        # The texts of an example one after the other, so that what is computed from its input is reused.
        # An id is enough: the rows keep their examples alive.
        places = [
            numbers.setdefault((id(example), text), len(numbers)) for example, texts in rows for text in texts
        ]
        owners = {id(example): example for example, _ in rows}
        examples, texts = [owners[key] for key, _ in numbers], [text for _, text in numbers]
        items = [Document(example.input, text) for example, text in zip(examples, texts, strict=True)]
        needs = {metric.needs for metric in self.metrics}
        whole = self.keep == "detections" or "detections" in needs
        started = perf_counter()
        found = self.pipeline.detect(items, whole=whole) if whole or "coverage" in needs else None
        seconds = {} if found is None else {"detection": perf_counter() - started}
        batch = Batch(
            examples,
            texts,
            detect=lambda: found if found is not None else self.pipeline.detect(items),
            coverage=None if found is None else coverage_of(found),
            details=None if self.keep == "statistics" else {},
            documents=items,
        )
        statistics = {}
        for metric in self.metrics:
            started = perf_counter()
            statistics[metric.name] = metric.statistics(batch)
            seconds[metric.name] = perf_counter() - started
        for document in items:
            document.forget()
        distinct = SystemScores(
            "",
            texts,
            statistics,
            found if self.keep == "detections" else None,
            # What an entity linker was asked and did not answer.
            {n: one.links.reason for n, one in enumerate(found or ()) if isinstance(one.links, LinkFailure)},
            batch.details or {},
            [one.undetected for one in found or ()],
            [one.language for one in found or ()],
        )
        return Kept(distinct, np.array(places, np.intp), seconds)

    def scored(self, rows: Sequence[Row], names: Sequence[str], kept: Kept | None = None) -> Scored:
        """Return the scores of each system, from what was kept of a block or by scoring it now."""
        kept = self(rows) if kept is None else kept
        places = kept.places.reshape(-1, len(names))
        systems = tuple(kept.distinct.at(places[:, n], name) for n, name in enumerate(names))
        return Scored([example for example, _ in rows], self.metrics, systems)


def scorer_of(
    factory: Factory,
    make_metrics: MakeMetrics,
    keep: Keep = "statistics",
    texts: int = 1 << 20,
    pipeline: Detector | None = None,
) -> Scorer:
    """Make the scorer of about this many texts; a pipeline that exists already is used."""
    made = factory() if pipeline is None else pipeline
    return Scorer(made, tuple(make_metrics(made)), keep, texts)
