"""Other processes: how many are worth it, and how they begin and end.

They are spawned, never forked (a fork copies the locks of running threads), and they end with this process,
whatever ended it. A command starts them before it imports what it needs itself: so this module imports
little, and knows what they do by name only.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING

from esascore.garbage import rare_collections, set_aside

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

WORTH_A_PROCESS = 4096
"""Texts per process below which starting it (imports, lexicons, compiled code) costs more than it saves."""

WORTH_A_PROCESS_WITH_MODELS = 256
"""The same where models read each text: some 20 ms for each, and seconds until a process has loaded them."""

_WORK = "esascore.engine.pool"
"""Whose function ``answer`` is what a process does."""

_WARMING = "esascore.engine.warming"
"""Whose function ``warm_up`` makes it ready for metrics that are known by name."""

_NEEDED = ("esascore.pipeline", "esascore.metrics.hallucination")
"""What much other work needs and takes long to load."""

_waiting: list[tuple[SpawnProcess, Connection]] = []
"""Processes that were started ahead of their work."""


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


def worth_starting(texts: int, jobs: int, *, models: bool = False) -> int:
    """Return how many of as many processes are worth it for so many texts, which ``models`` may read.

    Examples
    --------
    >>> worth_starting(100, 8), worth_starting(10_000, 8), worth_starting(10_000_000, 8)
    (1, 2, 8)
    >>> worth_starting(100, 8, models=True), worth_starting(1000, 8, models=True)
    (1, 3)
    """
    return max(1, min(jobs, texts // (WORTH_A_PROCESS_WITH_MODELS if models else WORTH_A_PROCESS)))


def start_ahead(number: int, profile: str = "", metrics: Sequence[str] = ()) -> None:
    """Start processes ahead of a run, so that they are ready when it has work for them.

    Meanwhile they load what they will need, with ``metrics`` (of a profile) all of it. `dismiss` ends those
    that the run does not need.
    """
    while len(_waiting) < number:
        _waiting.append(_started(profile, metrics))


def dismiss() -> None:
    """End the processes that still wait for work."""
    while _waiting:
        process, connection = _waiting.pop()
        connection.close()
        process.terminate()
        process.join()


def take_process() -> tuple[SpawnProcess, Connection]:
    """One of those processes, or a new one; it expects what makes its work of batches, and then batches."""
    return _waiting.pop() if _waiting else _started()


def _started(profile: str = "", metrics: Sequence[str] = ()) -> tuple[SpawnProcess, Connection]:
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
        work = import_module(_WORK)
        if metrics:
            import_module(_WARMING).warm_up(profile, metrics)
        else:
            for part in _NEEDED:
                import_module(part)
        with set_aside():
            work.answer(connection)


def _end_with_parent() -> None:
    """End this process, even in the middle of its work, when its parent is gone: nobody waits for it."""
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
