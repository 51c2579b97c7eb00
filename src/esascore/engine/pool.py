"""Batches over processes: this one works too, and a worker that dies is replaced.

Workers are spawned, never forked (a fork copies the locks of running threads). They end with this process,
whatever ended it. Which process did a batch has no influence on its result.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from esascore.engine.pickling import dumps
from esascore.errors import EsascoreError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

Progress = Callable[[int, int], None]
"""Called with the number of items done and of all items."""


Batch = Sequence[Any]
Do = Callable[[Batch], Any]
"""Makes the result of a batch."""


def run(
    do: Do, make_do: Callable[[], Do], batches: Sequence[Batch], processes: int, progress: Progress
) -> list[Any]:
    """Do every batch, in as many processes, this one included; results in order.

    Parameters
    ----------
    do
        What is done with a batch here.
    make_do
        Makes the same in another process; must be picklable: a module's function, or a partial of one.
    batches
        The work. Batches and results travel between processes as `esascore.engine.pickling` writes them.
    processes
        How many processes work.
    progress
        Called after each batch.

    Raises
    ------
    EsascoreError
        A batch ended two worker processes; every error of the work itself is raised as it is.
    """
    work = _Work(batches, progress)
    with _Workers(make_do, work, processes - 1):
        while (index := work.take()) is not None:
            work.finish(index, do(batches[index]))
    return work.results()


class _Work:
    """Batches that threads take one by one; the first error stops all."""

    def __init__(self, batches: Sequence[Batch], progress: Progress):
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
            self._progress(self._done, self._size)

    def fail(self, error: BaseException) -> None:
        with self._lock:
            self._error = self._error or error

    def results(self) -> list[Any]:
        if self._error is not None:
            raise self._error
        return [self._results[index] for index in range(len(self.batches))]


class _Workers:
    """Other processes that take part while the body works, each fed by a thread; at its end all are gone."""

    def __init__(self, make_do: Callable[[], Do], work: _Work, number: int):
        self._make_do = make_do
        self._work = work
        self._threads = [threading.Thread(target=self._feed, daemon=True) for _ in range(number)]
        self._lock = threading.Lock()
        self._processes: list[SpawnProcess] = []
        self._closed = False

    def __enter__(self) -> None:
        for thread in self._threads:
            thread.start()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                for thread in self._threads:
                    thread.join()
        finally:
            with self._lock:
                self._closed = True
            for process in self._processes:
                process.terminate()
            for process in self._processes:
                process.join()
            for thread in self._threads:
                thread.join()

    def _feed(self) -> None:
        """Hand batches to a process and collect what it answers; runs in a thread of this process."""
        connection: Connection | None = None
        try:
            while (index := self._work.take()) is not None:
                batch = dumps(self._work.batches[index])
                for attempt in (1, 2):
                    connection = connection or self._start()
                    try:
                        connection.send_bytes(batch)
                        answer = pickle.loads(connection.recv_bytes())
                        break
                    except (EOFError, OSError):  # the process died
                        connection.close()
                        connection = None
                        if attempt == 2:
                            raise EsascoreError(
                                "a worker process died (out of memory?): try again with fewer processes "
                                "(--jobs 1)"
                            ) from None
                if isinstance(answer, BaseException):
                    raise answer
                self._work.finish(index, answer)
        except BaseException as error:  # handed on to the calling thread, which raises it
            self._work.fail(error)
        finally:
            if connection is not None:
                connection.close()

    def _start(self) -> Connection:
        from multiprocessing import get_context

        context = get_context("spawn")
        with self._lock:
            if self._closed:
                raise EsascoreError("the work is over")
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs, self._make_do), daemon=True)
            with _interrupts_blocked():
                process.start()
            self._processes.append(process)
        theirs.close()  # so that the death of the process ends our waiting for it
        return ours


def _serve(connection: Connection, make_do: Callable[[], Do]) -> None:
    """Answer each batch, be it with an error, until the other side hangs up; runs in its own process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    do: Do | None = None
    try:
        while True:
            batch = pickle.loads(connection.recv_bytes())
            try:
                do = do or make_do()
                answer = do(batch)
            except EsascoreError as error:
                answer = error
            except Exception as error:  # may not be picklable
                answer = RuntimeError(f"in a worker process: {type(error).__name__}: {error}")
            connection.send_bytes(dumps(answer))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return


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
