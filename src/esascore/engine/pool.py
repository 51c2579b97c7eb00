"""Batches over processes: this one works too, and a worker that dies is replaced.

Which process did a batch has no influence on its result.
"""

from __future__ import annotations

import pickle
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from esascore.engine.pickling import dumps
from esascore.errors import EsascoreError
from esascore.processes import take_process

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

Progress = Callable[[int, int], None]
"""Called with the number of items done and of all items."""

Batch = Any
Do = Callable[[Batch], Any]
"""Makes the result of a batch."""

_PROMPT = 0.0005
"""Seconds after which a thread that feeds a process gets its turn, though this one works; Python gives it ten
times as many, and the other process waits meanwhile, more than once for each batch."""

_AHEAD = 3
"""Batches per process that may be in work, or done and not yet taken: what bounds the memory of a run."""

Lost = Callable[[Batch, EsascoreError], Any]
"""Makes the result of a batch that ended the worker processes which tried it."""


def run(
    do: Do | None,
    make_do: Callable[[], Do],
    batches: Iterable[Batch],
    processes: int,
    *,
    attempts: int = 2,
    lost: Lost | None = None,
    in_order: bool = True,
) -> Iterator[tuple[Batch, Any]]:
    """Do every batch, in as many processes, this one included; yields batches with results, in order.

    Batches are read, and results kept, only so far ahead of what the caller has taken.

    Parameters
    ----------
    do
        What is done with a batch here; without it this process only gives batches to others.
    make_do
        Makes the same in another process; must be picklable: a module's function, or a partial of one.
    batches
        The work. Batches and results travel between processes as `esascore.engine.pickling` writes them.
    processes
        How many processes work.
    attempts
        How many worker processes a batch may end.
    lost
        Makes the result of a batch that ended as many; without it that is an error.
    in_order
        Whether results come in the order of the batches, not as they are ready.

    Raises
    ------
    EsascoreError
        A batch ended too many worker processes; every error of the work itself is raised as it is.
    """
    if do is not None and processes < 2:
        for batch in batches:
            yield batch, do(batch)
        return
    work = _Work(batches, _AHEAD * processes, in_order)
    with _Workers(make_do, work, processes - (do is not None), attempts, lost):
        while not work.is_over():
            next_ = None if do is None else work.take(wait=False)
            if do is not None and next_ is not None:
                work.finish(next_[0], do(next_[1]))
            yield from work.ready(wait=next_ is None)


class _Work:
    """Batches that threads take one by one, and their results; the first error stops all."""

    def __init__(self, batches: Iterable[Batch], ahead: int, in_order: bool):
        self._in_order = in_order
        self._batches = iter(batches)
        self._taken: dict[int, Batch] = {}
        self._results: dict[int, Any] = {}
        self._given = self._next = 0
        self._ahead = ahead
        self._is_closed = False
        self._error: BaseException | None = None
        self._changed = threading.Condition()

    def take(self, *, wait: bool) -> tuple[int, Batch] | None:
        """The next batch; None if there is no more, or (without waiting) too many are ahead of the caller."""
        with self._changed:
            while not self._is_closed and self._next - self._given >= self._ahead:
                if not wait:
                    return None
                self._changed.wait()
            if self._is_closed:
                return None
            try:
                batch = next(self._batches)
            except StopIteration:
                self._close()
                return None
            except BaseException as error:
                self._fail(error)
                return None
            self._taken[self._next] = batch
            self._next += 1
            return self._next - 1, batch

    def finish(self, index: int, result: object) -> None:
        with self._changed:
            self._results[index] = result
            self._changed.notify_all()

    def fail(self, error: BaseException) -> None:
        with self._changed:
            self._fail(error)

    def close(self) -> None:
        with self._changed:
            self._close()

    def is_over(self) -> bool:
        with self._changed:
            return self._error is None and self._is_closed and self._given == self._next

    def ready(self, *, wait: bool) -> Iterator[tuple[Batch, Any]]:
        """Results that are next in order; with ``wait`` at least one, unless all were given."""
        while True:
            with self._changed:
                while wait and self._error is None and self._first() is None:
                    if self._is_closed and self._given == self._next:
                        return
                    self._changed.wait()
                if self._error is not None:
                    raise self._error
                if (first := self._first()) is None:
                    return
                pair = self._taken.pop(first), self._results.pop(first)
                self._given += 1
                self._changed.notify_all()
            wait = False
            yield pair

    def _first(self) -> int | None:
        """The result to be given next, if it is there."""
        if self._in_order:
            return self._given if self._given in self._results else None
        return next(iter(self._results), None)

    def _fail(self, error: BaseException) -> None:
        self._error = self._error or error
        self._close()

    def _close(self) -> None:
        self._is_closed = True
        self._changed.notify_all()


class _Workers:
    """Other processes that take part while the body works, each fed by a thread; at its end all are gone."""

    def __init__(self, make_do: Callable[[], Do], work: _Work, number: int, attempts: int, lost: Lost | None):
        self._made = dumps(make_do)
        self._attempts = attempts
        self._lost = lost
        self._work = work
        self._threads = [threading.Thread(target=self._feed, daemon=True) for _ in range(number)]
        self._lock = threading.Lock()
        self._processes: list[SpawnProcess] = []
        self._closed = False

    def __enter__(self) -> None:
        self._interval = sys.getswitchinterval()
        sys.setswitchinterval(min(self._interval, _PROMPT))
        for thread in self._threads:
            thread.start()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                for thread in self._threads:
                    thread.join()
        finally:
            sys.setswitchinterval(self._interval)
            self._work.close()
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
            while (next_ := self._work.take(wait=True)) is not None:
                index, batch = next_[0], dumps(next_[1])
                answer: Any = EsascoreError(
                    "a worker process died (out of memory?): try again with fewer processes (--jobs 1)"
                )
                for _ in range(self._attempts):
                    messages = [batch] if connection else [self._made, batch]
                    connection = connection or self._start()
                    try:
                        for message in messages:
                            connection.send_bytes(message)
                        answer = pickle.loads(connection.recv_bytes())  # nosec B301 - from our own process
                        break
                    except (EOFError, OSError):  # the process died
                        connection.close()
                        connection = None
                else:
                    if self._lost is not None:
                        answer = self._lost(next_[1], answer)
                if isinstance(answer, BaseException):
                    raise answer
                self._work.finish(index, answer)
        except BaseException as error:  # handed on to the calling thread, which raises it
            self._work.fail(error)
        finally:
            if connection is not None:
                connection.close()

    def _start(self) -> Connection:
        with self._lock:
            if self._closed:
                raise EsascoreError("the work is over")
            process, connection = take_process()
            self._processes.append(process)
        return connection


def answer(connection: Connection) -> None:
    """Answer each batch, be it with an error, until the other side hangs up; runs in its own process.

    What makes the work of batches comes before the first of them.
    """
    do: Do | None = None
    try:
        made = connection.recv_bytes()
        while True:
            batch = pickle.loads(connection.recv_bytes())  # nosec B301 - from the process that started us
            try:
                do = do or pickle.loads(made)()  # nosec B301 - likewise
                answer = do(batch)
            except EsascoreError as error:
                answer = error
            except Exception as error:  # may not be picklable
                answer = RuntimeError(f"in a worker process: {type(error).__name__}: {error}")
            connection.send_bytes(dumps(answer))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
