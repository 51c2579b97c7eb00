"""Runs detection over corpora and systems, in batches and several processes, and scores the results.

Texts go to the pipeline input by input, since texts of the same input share its preparation; equal texts of
one input are looked at once. The calling process works too: with ``jobs=2`` there is one other process.
Those are spawned, never forked (a fork copies the locks of running threads), receive plain tuples and send
back only what was asked for. Order, batch and process have no influence on a result.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, cast

from esascore.errors import DataError, EsascoreError, UsageError
from esascore.metrics.base import Batch, Detector, Metric, Signature, Statistics, coverage_of
from esascore.model import (
    Cell,
    Detection,
    Example,
    Graph,
    Input,
    LinkedMention,
    LinkFailure,
    Links,
    Mention,
    Table,
    Triple,
)

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    import numpy as np
    from numpy.typing import NDArray

    from esascore.readers.systems import System

Factory = Callable[[], Detector]
"""Makes a pipeline; must be picklable where ``jobs`` is above 1: a module's function, or a partial of one."""

Progress = Callable[[int, int], None]
"""Called with the number of texts done and of all texts."""

Item = tuple[Input, str]

BATCH = 1024
"""Texts that a pipeline sees at once: enough to fill its kernels, few enough to bound memory."""

WORTH_A_PROCESS = 4096
"""Texts per process below which starting it (imports, lexicons, compiled code) costs more than it saves."""


@dataclass(frozen=True, slots=True)
class SystemScores:
    """The statistics of one system under each metric, one row per text; its detections where kept.

    ``unlinked`` are the positions of texts that the entity linker did not answer for.
    """

    name: str
    texts: Sequence[str]
    statistics: dict[str, Statistics]
    detections: Sequence[Detection] | None = None
    unlinked: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Evaluation:
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


def evaluate(
    factory: Factory,
    examples: Sequence[Example],
    systems: Sequence[System],
    make_metrics: Callable[[Detector], Sequence[Metric[Any]]],
    *,
    keep_detections: bool = False,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Evaluation:
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
        Whether the result holds every detection, not only what the metrics make of them.
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
        coverage = _cover(factory, items, pipeline, jobs, progress)
    step = max(len(systems), 1)

    def detect(position: int) -> Sequence[Detection]:
        if detections is not None:
            return detections[position::step]
        return detect_all(factory, items[position::step], pipeline=pipeline, jobs=jobs)

    scored = []
    for position, system in enumerate(systems):
        batch = Batch(
            examples,
            system.texts,
            detect=partial(detect, position),
            coverage=None if coverage is None else coverage[position::step, :2],
            system=system.name,
        )
        statistics = {metric.name: metric.statistics(batch) for metric in metrics}
        kept = batch.detections if keep_detections else None
        unlinked: tuple[int, ...] = ()
        if detections is not None:
            unlinked = tuple(unlinked_among(detections[position::step]))
        elif coverage is not None:
            unlinked = tuple(coverage[position::step, 2].nonzero()[0].tolist())
        scored.append(SystemScores(system.name, system.texts, statistics, kept, unlinked))
    return Evaluation(examples, metrics, tuple(scored))


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
    distinct, places = _distinct(items)
    batches = _run(factory, pipeline, distinct, _DETECTIONS, jobs, _scaled(progress, distinct, items))
    found: list[Detection] = [detection for batch in batches for detection in batch]
    return [found[place] for place in places]


def cover_all(
    factory: Factory,
    items: Sequence[Item],
    *,
    pipeline: Detector | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
) -> NDArray[np.int64]:
    """Count the entities of each item and the undetected ones among them, (n, 2).

    The same as :func:`detect_all`, but mentions are dropped where they are found, which saves memory.
    """
    return _cover(factory, items, pipeline, jobs, progress)[:, :2]


def unlinked_among(detections: Sequence[Detection]) -> list[int]:
    """Return the positions of the texts that an entity linker was asked about and did not answer for.

    Examples
    --------
    >>> from esascore.model import LinkFailure
    >>> unlinked_among([Detection("A.", (), (), (), ()), Detection("B.", (), (), (), LinkFailure("down"))])
    [1]
    """
    return [n for n, found in enumerate(detections) if isinstance(found.links, LinkFailure)]


def _cover(
    factory: Factory,
    items: Sequence[Item],
    pipeline: Detector | None,
    jobs: int,
    progress: Progress | None,
) -> NDArray[np.int64]:
    """Count entities, undetected ones, and (0 or 1) whether the linker did not answer, (n, 3)."""
    import numpy as np

    distinct, places = _distinct(items)
    batches = _run(factory, pipeline, distinct, _COVERAGE, jobs, _scaled(progress, distinct, items))
    counts = np.concatenate([np.zeros((0, 3), np.int64), *batches])
    return cast("NDArray[np.int64]", counts[np.array(places, dtype=np.intp)])


# --- batches over processes


def _run(
    factory: Factory,
    pipeline: Detector | None,
    items: Sequence[Item],
    form: _Form,
    jobs: int,
    progress: Progress | None,
) -> list[Any]:
    """Run detection over the items; a list of what ``form`` makes of each batch."""
    if jobs < 1:
        raise UsageError(f"the number of jobs must be at least 1, not {jobs}")
    pipeline = pipeline if pipeline is not None else factory()
    work = _Work([items[start : start + BATCH] for start in range(0, len(items), BATCH)], progress)
    helpers = min(jobs, len(items) // WORTH_A_PROCESS) - 1
    _load_compiled_code(len(items))
    with _helpers(factory, form, work, helpers):
        while (index := work.take()) is not None:
            work.finish(index, form.keep(pipeline.detect(work.batches[index])))
    return work.results()


def _load_compiled_code(texts: int) -> None:
    """Load it now if it pays: the chooser judges each batch alone, only we know how many will come."""
    from esascore.align.backends import prepare

    prepare(texts)


class _Work:
    """Batches that threads take one by one; the first error stops all."""

    def __init__(self, batches: list[Sequence[Item]], progress: Progress | None):
        self.batches = batches
        self._results: dict[int, Any] = {}
        self._next = 0
        self._done = 0
        self._size = sum(map(len, batches))
        self._progress = progress
        self._error: BaseException | None = None
        self._lock = threading.Lock()

    def take(self) -> int | None:
        with self._lock:
            if self._error is not None or self._next == len(self.batches):
                return None
            self._next += 1
            return self._next - 1

    def finish(self, index: int, result: object) -> None:
        with self._lock:
            self._results[index] = result
            self._done += len(self.batches[index])
            if self._progress is not None:
                self._progress(self._done, self._size)

    def fail(self, error: BaseException) -> None:
        with self._lock:
            self._error = self._error or error

    def results(self) -> list[Any]:
        if self._error is not None:
            raise self._error
        return [self._results[index] for index in range(len(self.batches))]


@contextmanager
def _helpers(factory: Factory, form: _Form, work: _Work, number: int) -> Iterator[None]:
    """Let other processes take part while the body works; at its end all are gone, whatever happened."""
    if number < 1:
        yield
        return
    from multiprocessing import get_context

    context = get_context("spawn")
    started = []
    try:
        for _ in range(number):
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs, factory, form.pack), daemon=True)
            with _interrupts_blocked():
                process.start()
            theirs.close()  # so that the death of the process ends our waiting for it
            thread = threading.Thread(target=_feed, args=(ours, form, work), daemon=True)
            started.append((process, thread, ours))
            thread.start()
        yield
        for _, thread, _ in started:
            thread.join()
    finally:
        for process, _, _ in started:
            process.terminate()
        for process, thread, connection in started:
            process.join()
            thread.join()
            connection.close()


def _feed(connection: Connection, form: _Form, work: _Work) -> None:
    """Hand batches to one process and collect what it answers; runs in a thread of this process."""
    try:
        while (index := work.take()) is not None:
            items = work.batches[index]
            connection.send(_packed_items(items))
            answer = connection.recv()
            if isinstance(answer, BaseException):
                raise answer
            work.finish(index, form.unpack(items, answer))
    except (EOFError, OSError):
        work.fail(
            EsascoreError("a worker process died (out of memory?): try again with fewer processes (--jobs 1)")
        )
    except BaseException as error:  # handed on to the calling thread, which raises it
        work.fail(error)


def _serve(connection: Connection, factory: Factory, pack: Callable[[Sequence[Detection]], Any]) -> None:
    """Answer each batch, be it with an error, until the other side hangs up; runs in its own process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _load_compiled_code(WORTH_A_PROCESS)  # a process is only started for so many
    pipeline: Detector | None = None
    try:
        while True:
            items = _unpacked_items(connection.recv())
            try:
                pipeline = pipeline if pipeline is not None else factory()
                answer = pack(pipeline.detect(items))
            except EsascoreError as error:
                connection.send(error)
            except Exception as error:  # may not be picklable
                connection.send(RuntimeError(f"in a worker process: {type(error).__name__}: {error}"))
            else:
                connection.send(answer)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Start processes that never see Ctrl-C: the terminal sends it to all, this process ends the others."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # started along with the first process, it would unblock the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# --- what is sent: plain tuples, which pickle many times faster than our dataclasses

_triple = attrgetter("subject", "predicate", "object")
_cell = attrgetter(*Cell.__slots__)
_link = attrgetter("start", "end", "entity", "confidence", "type")
_mention = attrgetter("entity", "start", "end", "method", "distance", "variant", "cost", "also")


def _packed_items(items: Sequence[Item]) -> tuple[list[Any], list[tuple[int, str]]]:
    """Each input once, and per item the number of its input and its text."""
    numbers: dict[int, int] = {}
    inputs: list[Any] = []
    pairs = []
    for input_, text in items:
        if id(input_) not in numbers:
            numbers[id(input_)] = len(inputs)
            inputs.append(_packed_input(input_))
        pairs.append((numbers[id(input_)], text))
    return inputs, pairs


def _packed_input(input_: Input) -> tuple[Any, ...]:
    if isinstance(input_, Graph):
        return ("graph", tuple(map(_triple, input_.triples)), input_.category)
    texts = (input_.title, input_.section_title, input_.section_text)
    return ("table", tuple(map(_cell, input_.cells)), *texts, input_.category)


def _unpacked_items(packed: tuple[list[Any], list[tuple[int, str]]]) -> list[Item]:
    inputs: list[Input] = []
    for kind, parts, *rest in packed[0]:
        if kind == "graph":
            inputs.append(Graph(tuple(Triple(*part) for part in parts), *rest))
        else:
            inputs.append(Table(tuple(Cell(*part) for part in parts), *rest))
    return [(inputs[number], text) for number, text in packed[1]]


def _pack(detections: Sequence[Detection]) -> list[tuple[Any, ...]]:
    return [
        (found.entities, found.undetected, tuple(map(_mention, found.mentions)), _packed_links(found.links))
        for found in detections
    ]


def _packed_links(links: Links | None) -> Any:
    """Links as plain tuples, a failure as its reason."""
    if links is None:
        return None
    return links.reason if isinstance(links, LinkFailure) else tuple(map(_link, links))


def _unpacked_links(text: str, packed: Any) -> Links | None:
    if packed is None:
        return None
    if isinstance(packed, str):
        return LinkFailure(packed)
    return tuple(LinkedMention(start, end, text[start:end], *rest) for start, end, *rest in packed)


def _unpack(items: Sequence[Item], packed: Sequence[tuple[Any, ...]]) -> list[Detection]:
    """Rebuild detections; the texts did not travel back, mentions are cut out of ours."""
    return [
        Detection(
            text,
            entities,
            tuple(
                Mention(entity, start, end, text[start:end], *rest) for entity, start, end, *rest in mentions
            ),
            undetected,
            _unpacked_links(text, links),
        )
        for (_, text), (entities, undetected, mentions, links) in zip(items, packed, strict=True)
    ]


def _covered(detections: Sequence[Detection]) -> NDArray[np.int64]:
    import numpy as np

    unlinked = np.zeros(len(detections), np.int64)
    unlinked[unlinked_among(detections)] = 1
    return np.column_stack((coverage_of(detections), unlinked))


def _as_they_are(detections: Sequence[Detection]) -> Sequence[Detection]:
    return detections


def _as_answered(items: Sequence[Item], answer: object) -> object:
    return answer


@dataclass(frozen=True, slots=True)
class _Form:
    """What is kept of a batch: made here by ``keep``, or by ``pack`` over there and ``unpack`` here."""

    keep: Callable[[Sequence[Detection]], Any]
    pack: Callable[[Sequence[Detection]], Any]
    unpack: Callable[[Sequence[Item], Any], Any]


_DETECTIONS = _Form(_as_they_are, _pack, _unpack)
_COVERAGE = _Form(_covered, _covered, _as_answered)


def _distinct(items: Sequence[Item]) -> tuple[list[Item], list[int]]:
    """Items without repetition, and for each item its place among them."""
    numbers: dict[tuple[int, str], int] = {}
    distinct: list[Item] = []
    places = []
    for item in items:
        key = (id(item[0]), item[1])  # an id is enough: the items keep their inputs alive
        if key not in numbers:
            numbers[key] = len(distinct)
            distinct.append(item)
        places.append(numbers[key])
    return distinct, places


def _scaled(progress: Progress | None, distinct: Sequence[Item], items: Sequence[Item]) -> Progress | None:
    """Count all texts in the progress, though equal ones are looked at once."""
    if progress is None:
        return None
    report, total, looked_at = progress, len(items), len(distinct)
    return lambda done, _: report(done * total // looked_at, total)
