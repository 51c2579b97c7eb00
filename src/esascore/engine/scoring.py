"""What is done with one block, in whatever process: detection, and the statistics of each metric."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from esascore.engine.blocks import Block
from esascore.metrics.base import Batch, Detector, Metric, Statistics, coverage_of
from esascore.model import Detection, Example, LinkFailure
from esascore.text.document import Document

if TYPE_CHECKING:
    from esascore.explain.knowledge import Knowledge
    from esascore.explain.whose.model import Model

Factory = Callable[[], Detector]
"""Makes a pipeline; must be picklable where ``jobs`` is above 1: a module's function, or a partial of one."""

MakeMetrics = Callable[[Detector], Sequence[Metric[Any]]]
"""Makes the metrics for a pipeline; picklable like a `Factory`."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of a block: of each distinct text one entry, and for each system the entry of each text.

    ``failures`` are the reasons why the entity linker did not answer, by entry. ``seconds`` is what each
    stage of the work took. ``missing`` are the entities that each text lacks, where detection was needed.
    """

    places: NDArray[np.intp]
    statistics: Mapping[str, Statistics]
    failures: Mapping[int, str] = field(default_factory=dict)
    detections: Sequence[Detection] | None = None
    details: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    missing: Sequence[tuple[str, ...]] = ()


@dataclass(frozen=True, slots=True)
class Scorer:
    """Scores blocks; equal texts of an example are looked at once for all systems.

    ``whose`` is what the texts of each system teach about data, None for those that teach nothing; a text of
    one that does is looked at for this system alone. ``keep_detections`` and ``keep_details`` say what is
    kept beside the statistics.
    """

    pipeline: Detector
    metrics: tuple[Metric[Any], ...]
    knowledge: Knowledge | None
    whose: Sequence[Model | None]
    keep_detections: bool
    keep_details: bool

    def __call__(self, block: Block) -> Kept:
        """Detect and score the texts of a block."""
        numbers: dict[tuple[int, str, int | None], int] = {}
        teachers = [None if model is None else system for system, model in enumerate(self.whose)]
        # The texts of an example one after the other: what is made of its input is at hand for all of them.
        places = [
            [
                # An id is enough: the block keeps its inputs alive.
                numbers.setdefault((id(example), text, teacher), len(numbers))
                for text, teacher in zip(texts, teachers, strict=True)
            ]
            for example, texts in block.rows()
        ]
        owners = {id(example): example for example in block.examples}
        whose = [None if system is None else self.whose[system] for _, _, system in numbers]
        judged = self.judged([owners[key] for key, _, _ in numbers], [text for _, text, _ in numbers], whose)
        of_examples = np.array(places, np.intp).reshape(len(block.examples), len(block.texts))
        return replace(judged, places=of_examples.T)

    def judged(
        self, examples: Sequence[Example], texts: Sequence[str], whose: Sequence[Model | None]
    ) -> Kept:
        """Detect and score texts, each with its example and what the texts of its system teach."""
        items = [Document(example.input, text) for example, text in zip(examples, texts, strict=True)]
        needs = {metric.needs for metric in self.metrics}
        whole = self.keep_detections or "detections" in needs
        started = perf_counter()
        found = self.pipeline.detect(items, whole=whole) if whole or "coverage" in needs else None
        seconds = {} if found is None else {"detection": perf_counter() - started}
        batch = Batch(
            examples,
            texts,
            detect=lambda: found if found is not None else self.pipeline.detect(items),
            coverage=None if found is None else coverage_of(found),
            details={} if self.keep_details else None,
            knowledge=self.knowledge,
            whose=whose,
            documents=items,
        )
        statistics = {}
        for metric in self.metrics:
            started = perf_counter()
            statistics[metric.name] = metric.statistics(batch)
            seconds[metric.name] = perf_counter() - started
        return Kept(
            np.arange(len(texts)).reshape(1, len(texts)),
            statistics,
            failures_among(found or ()),
            found if self.keep_detections else None,
            batch.details or {},
            seconds,
            [one.undetected for one in found or ()],
        )


def failures_among(detections: Sequence[Detection]) -> dict[int, str]:
    """Return the positions of texts that an entity linker was asked about and did not answer for, and why.

    Examples
    --------
    >>> failures_among([Detection("A.", (), (), (), ()), Detection("B.", (), (), (), LinkFailure("down"))])
    {1: 'down'}
    """
    return {n: one.links.reason for n, one in enumerate(detections) if isinstance(one.links, LinkFailure)}
