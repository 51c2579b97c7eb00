"""Runs detection and metrics over a corpus that need not fit into memory, in several processes.

How a run goes, and what it holds at each moment:

1. The corpus is read lazily, example by example, and so are the outputs of the systems
   (`esascore.readers.corpus.Corpus`, `esascore.readers.plain.Lines`). A first time it is read only to count
   and to check it, so that a mistake in the last line is found before any work is done. Small corpora stay in
   memory, larger ones are read again.
2. What a metric needs of the corpus as a whole is gathered in a pass of its own, before any text is judged:
   `esascore.explain.knowledge.Knowledge`. It is bounded: of what there is too much of, the entries with the
   smallest content hashes are kept (`esascore.sample`), a rule that depends neither on the order of the
   examples nor on how they are cut. A corpus below the bounds is known completely. The texts of each system
   teach by themselves whose numbers of data are whose (`esascore.explain.whose.model`).
3. `blocks` cuts examples and texts into blocks of at most `BATCH` texts, fewer where inputs are large.
4. `pool.run` hands blocks to processes, this one included, a few ahead of what has been consumed. The others
   were started before the first pass and got ready meanwhile.
5. `scoring.Scorer` detects the entities of a block and makes the statistics of each metric, one row per
   text. Equal texts of an example are looked at once for all systems.
6. Each block comes back as a `Scored` of its own, in corpus order. `stream` yields them one by one, and
   whoever reads them adds their totals up (exactly, `esascore.metrics.totals`), writes their lines and
   forgets them. Only tests of significance keep rows of all texts. `evaluate` joins them, for whoever needs
   everything at once.

Order, block and process have no influence on a result.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from esascore.align.backends import prepare
from esascore.engine.blocks import BATCH, Block, blocks
from esascore.engine.pool import Progress, run
from esascore.engine.scoring import Factory, Kept, MakeMetrics, Scorer
from esascore.errors import DataError, UsageError
from esascore.garbage import rare_collections, set_aside
from esascore.metrics.base import Detector, Metric, Signature, Statistics
from esascore.model import Detection, Example, Input
from esascore.processes import dismiss, start_ahead, worth_starting
from esascore.readers.systems import System

if TYPE_CHECKING:  # what explains takes long to load, and not all metrics need it
    from esascore.explain.knowledge import Knowledge
    from esascore.explain.whose.model import Model

__all__ = [
    "BATCH",
    "Factory",
    "Scored",
    "SystemScores",
    "detect_all",
    "evaluate",
    "no_metrics",
    "stream",
]

Item = tuple[Input, str]

Spent = Callable[[str, float], None]
"""Called with a stage of the work and the seconds that it took, in whatever process."""


@dataclass(frozen=True, slots=True)
class SystemScores:
    """The statistics of one system under each metric, one row per text; its detections where kept.

    ``unlinked`` are the positions of texts that the entity linker did not answer for, and why. ``details``
    are what metrics found in each text beyond their statistics, by metric, where kept; ``missing`` the
    entities that each text lacks, where detection was needed.
    """

    name: str
    texts: Sequence[str]
    statistics: dict[str, Statistics]
    detections: Sequence[Detection] | None = None
    unlinked: Mapping[int, str] = field(default_factory=dict)
    details: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    missing: Sequence[tuple[str, ...]] = ()


@dataclass(frozen=True, slots=True)
class Scored:
    """Systems scored on a corpus or a part of it: all that tables, segments and tests read."""

    examples: Sequence[Example]
    metrics: tuple[Metric[Any], ...]
    systems: tuple[SystemScores, ...]

    @property
    def signature(self) -> Signature:
        """The settings of all metrics."""
        return Signature.joined((metric.name, metric.signature()) for metric in self.metrics)


def evaluate(
    factory: Factory,
    examples: Sequence[Example],
    systems: Sequence[System],
    make_metrics: MakeMetrics,
    *,
    keep_detections: bool = False,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Scored:
    """Score systems on a corpus, and hold everything; the parameters are those of `stream`.

    With ``keep_detections`` the result has every detection, and what metrics found.
    """
    parts = stream(
        factory,
        examples,
        systems,
        make_metrics,
        keep_detections=keep_detections,
        keep_details=keep_detections,
        jobs=jobs,
        progress=progress,
    )
    return _joined(list(parts))


def stream(
    factory: Factory,
    examples: Collection[Example],
    systems: Sequence[System],
    make_metrics: MakeMetrics,
    *,
    keep_detections: bool = False,
    keep_details: bool = False,
    knowledge: Knowledge | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
    spent: Spent | None = None,
    pipeline: Detector | None = None,
) -> Iterator[Scored]:
    """Score systems on a corpus, block by block; yields at least one part, in corpus order.

    Parameters
    ----------
    factory
        Makes the pipeline that detects entities.
    examples, systems
        The corpus, which is read once or twice, and systems with one text for each example.
    make_metrics
        Makes the metrics for a pipeline.
    keep_detections, keep_details
        Whether parts hold every detection, and what metrics found, not only their statistics.
    knowledge
        What the corpus teaches, if that was gathered already.
    jobs
        Processes that work, this one included.
    progress
        Called with the texts that are done, and all.
    spent
        Called with what each stage took.
    pipeline
        One that ``factory`` made already.
    """
    if jobs < 1:
        raise UsageError(f"the number of jobs must be at least 1, not {jobs}")
    for system in systems:
        if len(system.texts) != len(examples):
            raise DataError(
                f"system {system.name!r} has {len(system.texts)} texts, the corpus {len(examples)} examples: "
                "one text for each example is needed"
            )
    total = len(examples) * len(systems)
    start_ahead(worth_starting(total, jobs) - 1)  # while the corpus is looked at as a whole
    try:
        pipeline = pipeline if pipeline is not None else factory()
        models = pipeline.verifier is not None or pipeline.questioner is not None
        processes = worth_starting(total, jobs, models=models)
        start_ahead(processes - 1)
        metrics = tuple(make_metrics(pipeline))
        if knowledge is None and any(metric.learns for metric in metrics):
            with timed(spent, "first pass"):
                knowledge = _gathered(examples)
        whose: tuple[Model | None, ...] = (None,) * len(systems)
        if knowledge is not None and knowledge.of_data and pipeline.explainer.whose is None:
            with timed(spent, "first pass"):
                whose = _learned_whose(examples, systems)
        scorer = Scorer(pipeline, metrics, knowledge, whose, keep_detections, keep_details)

        def do(block: Block) -> Kept:
            prepare(total)  # while the other processes have their first block already
            return scorer(block)

        make_do = partial(
            _make_do, factory, make_metrics, knowledge, whose, keep_detections, keep_details, total
        )
        shared = blocks(examples, systems, texts=BATCH, sharers=processes, total=total)
        work = _timed_blocks(shared, spent)
        done = 0
        with rare_collections(), set_aside():
            for block, kept in run(do, make_do, work, processes):
                done += len(block)
                if progress is not None:
                    progress(done, total)
                if spent is not None:
                    for stage, seconds in kept.seconds.items():
                        spent(stage, seconds)
                yield _scored(block, kept, metrics, systems)
    finally:
        dismiss()


def _gathered(examples: Iterable[Example]) -> Knowledge:
    from esascore.explain.knowledge import gather

    return gather(examples)


def _learned_whose(examples: Iterable[Example], systems: Sequence[System]) -> tuple[Model | None, ...]:
    from esascore.explain.knowledge import learn_whose

    rows = (row for block in blocks(examples, systems) for row in block.rows())
    return learn_whose(len(systems), rows)


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
    owners: dict[int, Example] = {}
    examples = [owners.setdefault(id(input_), Example("", input_)) for input_, _ in items]
    system = System("", tuple(text for _, text in items))
    parts = stream(
        factory,
        examples,
        [system],
        no_metrics,
        keep_detections=True,
        jobs=jobs,
        progress=progress,
        pipeline=pipeline,
    )
    return [found for part in parts for found in part.systems[0].detections or ()]


@contextmanager
def timed(spent: Spent | None, stage: str) -> Iterator[None]:
    """Tell what a stage took."""
    started = perf_counter()
    yield
    if spent is not None:
        spent(stage, perf_counter() - started)


def no_metrics(_detector: Detector) -> tuple[Metric[Any], ...]:
    """Make no metric, for whoever needs detections only."""
    return ()


def _timed_blocks(parts: Iterator[Block], spent: Spent | None) -> Iterator[Block]:
    while True:
        with timed(spent, "reading"):
            block = next(parts, None)
        if block is None:
            return
        yield block


def _make_do(
    factory: Factory,
    make_metrics: MakeMetrics,
    knowledge: Knowledge | None,
    whose: Sequence[Model | None],
    keep_detections: bool,
    keep_details: bool,
    texts: int,
) -> Scorer:
    """What another process does with a block."""
    prepare(texts)
    pipeline = factory()
    return Scorer(pipeline, tuple(make_metrics(pipeline)), knowledge, whose, keep_detections, keep_details)


def _scored(block: Block, kept: Kept, metrics: tuple[Metric[Any], ...], systems: Sequence[System]) -> Scored:
    """Spread what was kept of the distinct texts of a block over the texts of each system."""

    def of_system(name: str, texts: tuple[str, ...], places: Sequence[int]) -> SystemScores:
        return SystemScores(
            name,
            texts,
            {metric: rows[np.array(places, np.intp)] for metric, rows in kept.statistics.items()},
            None if kept.detections is None else [kept.detections[place] for place in places],
            {n: kept.failures[place] for n, place in enumerate(places) if place in kept.failures},
            {metric: [found[place] for place in places] for metric, found in kept.details.items()},
            [kept.missing[place] for place in places] if kept.missing else (),
        )

    rows = zip(systems, block.texts, kept.places.tolist(), strict=True)
    return Scored(
        block.examples, metrics, tuple(of_system(system.name, *columns) for system, *columns in rows)
    )


def _joined(parts: Sequence[Scored]) -> Scored:
    """Join the parts of a corpus."""
    first = parts[0]
    starts = np.cumsum([0, *(len(part.examples) for part in parts[:-1])]).tolist()

    def of_system(own: Sequence[SystemScores]) -> SystemScores:
        kept = [one.detections for one in own if one.detections is not None]
        return SystemScores(
            own[0].name,
            tuple(text for one in own for text in one.texts),
            {name: np.concatenate([one.statistics[name] for one in own]) for name in own[0].statistics},
            [found for some in kept for found in some] if kept else None,
            {
                start + n: why
                for start, one in zip(starts, own, strict=True)
                for n, why in one.unlinked.items()
            },
            {name: [found for one in own for found in one.details[name]] for name in own[0].details},
            [lacking for one in own for lacking in one.missing],
        )

    systems = zip(*(part.systems for part in parts), strict=True)
    examples = [example for part in parts for example in part.examples]
    return Scored(examples, first.metrics, tuple(map(of_system, systems)))
