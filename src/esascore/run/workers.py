"""Worker processes: how many are worth starting, and how they start, get ready, work and end.

They are spawned, never forked (a fork copies the locks of running threads), and they end with this process,
however it ends. A command starts them before its own imports, so this module imports little, and the work
imports what it needs in the worker.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from esascore.run.gc_tuning import rare_collections, set_aside

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

    Worker = tuple[SpawnProcess, Connection]

WORTH_A_PROCESS = 4096
"""Texts per process below which starting it (imports, lexicons, compiled code) costs more than it saves."""

WORTH_A_PROCESS_WITH_MODELS = 256
"""The same where models read each text: some 20 ms for each, and seconds until a process has loaded them."""

_INPUT = (("Ada_Lovelace", "birthDate", "1815-12-10"), ("Ada_Lovelace", "birthPlace", "London"))
_TEXT = "Ada Lovelace, who died at 36, was born in Paris on 10 December 1815. She had walked 5.5 km."
"""A text with a name, a pronoun, a date and numbers, of which not all are in the input."""


def processes_available() -> int:
    """Cores that this process may use.

    Examples
    --------
    >>> processes_available() >= 1
    True
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def worth_starting(texts: int, jobs: int, *, models: bool = False) -> int:
    """Return how many of ``jobs`` processes are worth starting for this many texts.

    Examples
    --------
    >>> worth_starting(100, 8), worth_starting(10_000, 8), worth_starting(10_000_000, 8)
    (1, 2, 8)
    >>> worth_starting(100, 8, models=True), worth_starting(1000, 8, models=True)
    (1, 3)
    """
    return max(1, min(jobs, texts // (WORTH_A_PROCESS_WITH_MODELS if models else WORTH_A_PROCESS)))


class Workers:
    """Processes that get ready, wait for work, and may be given back after it."""

    def __init__(self) -> None:
        self._waiting: list[Worker] = []

    def start_ahead(self, number: int, profile: str = "default", metrics: Sequence[str] = ("esa",)) -> None:
        """Start processes ahead of a run, so that they are ready for these metrics when it has work."""
        while len(self._waiting) < number:
            self._waiting.append(_started(profile, metrics))

    def take(self) -> Worker:
        """One of those processes, or a new one; it expects what `work_through` does."""
        return self._waiting.pop() if self._waiting else _started()

    def give_back(self, worker: Worker) -> None:
        """Keep a process that has no more work, for the next run."""
        self._waiting.append(worker)

    def dismiss(self) -> None:
        """End the processes that wait for work."""
        while self._waiting:
            end(self._waiting.pop())


def end(worker: Worker) -> None:
    """End a process, whatever it does."""
    process, connection = worker
    connection.close()
    process.terminate()
    process.join()


def work_through(connection: Connection) -> None:
    """Answer each unit with a result or an error until the other side hangs up; runs in its own process.

    A message is a pair: the function that makes the work, or None if it stays the same, and the unit.
    Progress goes back under False, the result under True.
    """
    import pickle

    from esascore.errors import EsascoreError

    def tell(*news: Any) -> None:
        connection.send((False, news))

    do: Callable[[Any], Any] | None = None
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            made, unit = connection.recv()
            try:
                if made is not None or do is None:
                    do = pickle.loads(made)(tell)  # nosec B301 - from the process that started us
                result = do(unit)
            except EsascoreError as error:
                result = error
            except (BrokenPipeError, ConnectionResetError):
                raise
            except Exception as error:  # may not be picklable
                result = RuntimeError(f"in a worker process: {type(error).__name__}: {error}")
            connection.send((True, result))


def warm_up(profile: str, metrics: Sequence[str]) -> None:
    """Score a text, so that lexicons are read, patterns compiled and kernels loaded before there is work.

    A profile of the user's own may name parts that take long to start, and metrics of other packages may do
    anything: both are left to the work itself, and so are all errors.

    Examples
    --------
    >>> warm_up("default", ["esa", "hallucination"])
    """
    from functools import partial

    from esascore.metrics import METRICS, create_metrics
    from esascore.model import Example, Graph
    from esascore.pipeline import Ruler
    from esascore.profiles import names
    from esascore.run.scoring import scorer_of

    with suppress(Exception):
        ruler = Ruler(profile if profile in names() else "default")
        make_metrics = partial(create_metrics, [name for name in metrics if name in METRICS])
        # Of fewer texts none is for another process.
        scorer = scorer_of(ruler, make_metrics, "details", 2 * WORTH_A_PROCESS)
        scorer([(Example("", Graph.from_triples(_INPUT)), (_TEXT,))])


def _started(profile: str = "default", metrics: Sequence[str] = ("esa",)) -> Worker:
    from multiprocessing import get_context

    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, profile, metrics), daemon=True)
    with _interrupts_blocked():
        process.start()
    theirs.close()  # so that the death of the process ends our waiting for it
    return process, ours


def _serve(connection: Connection, profile: str, metrics: Sequence[str]) -> None:
    """Do what there is to do until the other side hangs up; runs in its own process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with rare_collections():
        warm_up(profile, metrics)
        with set_aside():
            work_through(connection)


def _end_with_parent() -> None:
    """End this process, even in the middle of its work, when its parent is gone."""
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


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
