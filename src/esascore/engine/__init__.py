"""Runs detection over corpora and systems, in batches and several processes, and scores the results.

Texts go to the pipeline input by input, since texts of the same input share its preparation; equal texts of
one input are looked at once. Other processes send back only what was asked for. Order, batch and process
have no influence on a result.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from esascore.align.backends import prepare
from esascore.engine.pool import Progress, run
from esascore.errors import DataError, UsageError
from esascore.metrics.base import Batch, Detector, Metric, Signature, Statistics, coverage_of
from esascore.model import Detection, Example, Input, LinkFailure
from esascore.readers.systems import System

Factory = Callable[[], Detector]
"""Makes a pipeline; must be picklable where ``jobs`` is above 1: a module's function, or a partial of one."""

Item = tuple[Input, str]
Keep = Callable[[list[Detection]], Any]
"""Makes of the detections of a batch what is kept."""

BATCH = 1024
"""Texts that a pipeline sees at once: enough to fill its kernels, few enough to bound memory."""

WORTH_A_PROCESS = 4096
"""Texts per process below which starting it (imports, lexicons, compiled code) costs more than it saves."""


@dataclass(frozen=True, slots=True)
class SystemScores:
    """The statistics of one system under each metric, one row per text; its detections where kept.

    ``unlinked`` are the positions of texts that the entity linker did not answer for. ``details`` are what
    metrics found in each text beyond their statistics, by metric, where kept.
    """

    name: str
    texts: Sequence[str]
    statistics: dict[str, Statistics]
    detections: Sequence[Detection] | None = None
    unlinked: tuple[int, ...] = ()
    details: Mapping[str, Sequence[Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scored:
    """Systems scored on a corpus: everything that tables, segments and tests of significance read."""

    examples: Sequence[Example]
    metrics: tuple[Metric[Any], ...]
    systems: tuple[SystemScores, ...]

    @property
    def signature(self) -> Signature:
        """The settings of all metrics."""
        return Signature.joined((metric.name, metric.signature()) for metric in self.metrics)


def processes_available() -> int:
    """Cores that this process may use.

    Examples
    --------
    >>> processes_available() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


_NEW_OBJECTS = 50_000  # after which Python looks for cycles; 700 by default


@contextmanager
def rare_collections() -> Iterator[None]:
    """Let Python look for cycles of objects less often: millions are made here, and none has any.

    Examples
    --------
    >>> before = gc.get_threshold()
    >>> with rare_collections():
    ...     gc.get_threshold() > before
    True
    >>> gc.get_threshold() == before
    True
    """
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], _NEW_OBJECTS), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


@rare_collections()
def evaluate(
    factory: Factory,
    examples: Sequence[Example],
    systems: Sequence[System],
    make_metrics: Callable[[Detector], Sequence[Metric[Any]]],
    *,
    keep_detections: bool = False,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Scored:
    """Score systems on a corpus.

    Parameters
    ----------
    factory
        Makes the pipeline that detects entities.
    examples, systems
        The corpus, and systems with one text for each example.
    make_metrics
        Makes the metrics for a pipeline.
    keep_detections
        Whether the result holds every detection and what metrics found, not only their statistics.
    jobs
        Processes that work, this one included.
    progress
        Called while entities are detected.
    """
    for system in systems:
        if len(system.texts) != len(examples):
            raise DataError(
                f"system {system.name!r} has {len(system.texts)} texts, the corpus {len(examples)} examples: "
                "one text for each example is needed"
            )
    pipeline = factory()
    metrics = tuple(make_metrics(pipeline))
    needs = {metric.needs for metric in metrics}
    # Input by input, all systems' texts of one input together.
    items = [(example.input, system.texts[i]) for i, example in enumerate(examples) for system in systems]
    coverage: NDArray[np.int64] | None = None
    detections: list[Detection] | None = None
    if keep_detections or "detections" in needs:
        detections = detect_all(factory, items, pipeline=pipeline, jobs=jobs, progress=progress)
    elif "coverage" in needs:
        coverage = _cover_all(factory, items, pipeline, jobs, progress)

    late = partial(detect_all, factory, pipeline=pipeline, jobs=jobs)

    def scores_of(position: int, system: System) -> SystemScores:
        own = slice(position, None, len(systems))
        found = None if detections is None else detections[own]
        batch = Batch(
            examples,
            system.texts,
            detect=lambda: found if found is not None else late(items[own]),
            coverage=None if coverage is None else coverage[own, :2],
            details={} if keep_detections else None,
        )
        statistics = {metric.name: metric.statistics(batch) for metric in metrics}
        unlinked = unlinked_among(found or ()) if coverage is None else coverage[own, 2].nonzero()[0].tolist()
        kept = found if keep_detections else None
        return SystemScores(system.name, system.texts, statistics, kept, tuple(unlinked), batch.details or {})

    return Scored(examples, metrics, tuple(scores_of(*pair) for pair in enumerate(systems)))


@rare_collections()
def detect_all(
    factory: Factory,
    items: Sequence[Item],
    *,
    pipeline: Detector | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> list[Detection]:
    """Detect the entities of each input in its text; one detection per item, in order.

    ``pipeline`` may be one that ``factory`` made already.
    """
    batches, places = _run(factory, items, pipeline, jobs, progress, list)
    found: list[Detection] = [detection for batch in batches for detection in batch]
    return [found[place] for place in places]


def unlinked_among(detections: Sequence[Detection]) -> list[int]:
    """Return the positions of the texts that an entity linker was asked about and did not answer for.

    Examples
    --------
    >>> from esascore.model import LinkFailure
    >>> unlinked_among([Detection("A.", (), (), (), ()), Detection("B.", (), (), (), LinkFailure("down"))])
    [1]
    """
    return [n for n, found in enumerate(detections) if isinstance(found.links, LinkFailure)]


def _cover_all(
    factory: Factory, items: Sequence[Item], pipeline: Detector, jobs: int, progress: Progress | None
) -> NDArray[np.int64]:
    """Count entities, undetected ones, and (0 or 1) whether the linker did not answer, (n, 3).

    The same as `detect_all`, but mentions are dropped where they are found, which saves memory.
    """
    batches, places = _run(factory, items, pipeline, jobs, progress, _covered)
    counts = np.concatenate([np.zeros((0, 3), np.int64), *batches])
    return cast("NDArray[np.int64]", counts[np.array(places, dtype=np.intp)])


def _covered(detections: Sequence[Detection]) -> NDArray[np.int64]:
    unlinked = np.zeros(len(detections), np.int64)
    unlinked[unlinked_among(detections)] = 1
    return np.column_stack((coverage_of(detections), unlinked))


def _run(
    factory: Factory,
    items: Sequence[Item],
    pipeline: Detector | None,
    jobs: int,
    progress: Progress | None,
    keep: Keep,
) -> tuple[list[Any], list[int]]:
    """Run detection over the distinct items: what is kept of each batch, and the place of each item."""
    if jobs < 1:
        raise UsageError(f"the number of jobs must be at least 1, not {jobs}")
    numbers: dict[tuple[int, str], int] = {}
    # An id is enough: the items keep their inputs alive.
    places = [numbers.setdefault((id(input_), text), len(numbers)) for input_, text in items]
    distinct = list(dict(zip(places, items, strict=True)).values())
    batches = [distinct[start : start + BATCH] for start in range(0, len(distinct), BATCH)]

    def told(done: int, total: int) -> None:
        if progress is not None:  # all texts count, though equal ones are looked at once
            progress(done * len(items) // total, len(items))

    prepare(len(distinct))
    do = partial(_detect, pipeline if pipeline is not None else factory(), keep)
    make_do = partial(_make_do, factory, keep, len(distinct))
    return run(do, make_do, batches, min(jobs, len(distinct) // WORTH_A_PROCESS), told), places


def _detect(detector: Detector, keep: Keep, batch: Sequence[Item]) -> Any:
    return keep(detector.detect(batch, whole=keep is not _covered))


def _make_do(factory: Factory, keep: Keep, texts: int) -> Callable[[Sequence[Item]], Any]:
    """What another process does with a batch."""
    gc.set_threshold(_NEW_OBJECTS, *gc.get_threshold()[1:])
    prepare(texts)
    return partial(_detect, factory(), keep)
