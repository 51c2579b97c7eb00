"""Scores systems on a corpus that is in memory or read as needed; results come in corpus order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from time import perf_counter
from typing import Any

from esascore.errors import DataError, UsageError
from esascore.metrics.base import Detector, Metric
from esascore.model import Detection, Example, Input
from esascore.pipeline import Ruler
from esascore.readers.systems import System
from esascore.run.blocks import Row, blocks, rows_of, size_of_row
from esascore.run.gc_tuning import rare_collections, set_aside
from esascore.run.pool import LostError, Progress, Tell, run
from esascore.run.scored import Scored, joined
from esascore.run.scoring import Factory, Keep, MakeMetrics, Scorer, scorer_of
from esascore.run.workers import Workers, worth_starting

Spent = Callable[[str, float], None]
"""Called with a stage of the work and the seconds that it took, in whatever process."""


def evaluate(
    factory: Factory,
    examples: Sequence[Example],
    systems: Sequence[System],
    make_metrics: MakeMetrics,
    *,
    keep_detections: bool = False,
    jobs: int = 1,
) -> Scored:
    """Score systems on a corpus, and hold everything; the parameters are those of `stream`.

    With ``keep_detections`` the result has every detection, and what metrics found.
    """
    keep: Keep = "detections" if keep_detections else "statistics"
    return joined(list(stream(factory, examples, systems, make_metrics, keep=keep, jobs=jobs)))


def stream(
    factory: Factory,
    examples: Collection[Example],
    systems: Sequence[System],
    make_metrics: MakeMetrics,
    *,
    keep: Keep = "statistics",
    jobs: int = 1,
    workers: Workers | None = None,
    learning: Progress | None = None,
    progress: Progress | None = None,
    spent: Spent = lambda _stage, _seconds: None,
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
    keep
        What parts hold of each text.
    jobs
        Processes that work, this one included.
    workers
        Processes that were started ahead; they end with the run.
    learning, progress
        Called while the corpus teaches how texts put values, and with the texts that are done, and all.
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
    workers = workers or Workers()
    try:
        workers.start_ahead(worth_starting(total, jobs) - 1)  # during the pass over the whole corpus
        if pipeline is None and isinstance(factory, Ruler) and factory.learned is None:
            with timed("first pass", spent):
                names = any(metric.learns for metric in make_metrics(factory()))
                texts = [system.texts for system in systems]
                factory = factory.taught_by(examples, texts, names=names, progress=learning)
        make_scorer = partial(scorer_of, factory, make_metrics, keep, total)
        scorer = make_scorer(pipeline)
        processes = worth_starting(total, jobs, models=scorer.has_models)
        workers.start_ahead(processes - 1)
        rows = rows_of(examples, systems)
        units = blocks(rows, size_of_row, texts=scorer.block, sharers=processes, total=total)
        work = run(partial(_made, make_scorer), _timed(units, spent), processes, workers, do=scorer)
        own, done = [system.name for system in systems], 0
        with rare_collections(), set_aside():
            for block, kept in work:
                if isinstance(kept, LostError):
                    raise kept
                done += len(block) * len(own)
                if progress is not None:
                    progress(done, total)
                for stage, seconds in kept.seconds.items():
                    spent(stage, seconds)
                yield scorer.scored(block, own, kept)
    finally:
        workers.dismiss()


def detect_all(
    factory: Factory,
    items: Sequence[tuple[Input, str]],
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
    options: Any = {"jobs": jobs, "progress": progress, "pipeline": pipeline}
    parts = stream(factory, examples, [system], no_metrics, keep="detections", **options)
    return [found for part in parts for found in part.systems[0].detections or ()]


def no_metrics(_detector: Detector) -> tuple[Metric[Any], ...]:
    """Make no metric, for callers that need only detections."""
    return ()


@contextmanager
def timed(stage: str, spent: Spent) -> Iterator[None]:
    """Report the time that a stage took."""
    started = perf_counter()
    yield
    spent(stage, perf_counter() - started)


def _timed(units: Iterator[list[Row]], spent: Spent) -> Iterator[list[Row]]:
    """Report the time that reading each unit took."""
    while True:
        with timed("reading", spent):
            unit = next(units, None)
        if unit is None:
            return
        yield unit


def _made(make_scorer: Callable[[], Scorer], _tell: Tell) -> Scorer:
    """Make the function that another process applies to blocks."""
    return make_scorer()
