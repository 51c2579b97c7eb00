"""Distributes units over processes: this one may also work, and a worker that dies is replaced.

Which process does a unit has no influence on its result.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING, Any, Self

from esascore.errors import EsascoreError
from esascore.run.workers import Workers, end

if TYPE_CHECKING:
    from concurrent.futures import Future

    from esascore.run.workers import Worker

Progress = Callable[[int, int], None]
"""Called with the number of items done and of all items."""

Tell = Callable[..., None]
"""Called within a unit with its progress."""

Do = Callable[[Any], Any]
"""Makes the result of a unit."""

MakeDo = Callable[[Tell], Do]
"""Makes that function in any process; must be picklable: a module's function, or a partial of one."""

ATTEMPTS = 3
"""How often a unit that ends its processes is tried."""

_AHEAD = 3
"""Units per process that may be in work, or done and not yet taken: this bounds the memory of a run."""

_PROMPT = 0.0005
"""Seconds after which a thread that feeds a process gets its turn while this one works. By default
Python waits ten times as long, and the other process idles meanwhile, more than once for each unit."""


class LostError(EsascoreError):
    """A unit ended the worker processes that tried it."""


def run(
    make_do: MakeDo,
    units: Iterable[Any],
    processes: int,
    workers: Workers,
    *,
    do: Do | None = None,
    tell: Tell = lambda *_news: None,
    in_order: bool = True,
) -> Iterator[tuple[Any, Any]]:
    """Do every unit, in as many processes; yields units with results, or with a `LostError`.

    Units are read, and results kept, only so far ahead of what the caller has taken. Every error of the work
    itself is raised as it is.

    Parameters
    ----------
    make_do
        Makes the work of another process.
    units
        The work.
    processes
        How many processes work.
    workers
        Where other processes come from, and go back to.
    do
        What is done with a unit here; without it this process only gives units to others, if there are any.
    tell
        Receives the progress within units; threads call it.
    in_order
        Whether results come in the order of the units, not as they are ready.
    """
    if processes < 2:
        here = do or make_do(tell)
        yield from ((unit, here(unit)) for unit in units)
        return
    from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

    left = iter(units)
    taken: list[tuple[Any, Future[Any]]] = []
    with (
        ThreadPoolExecutor(processes - (do is not None)) as threads,
        _Elsewhere(pickle.dumps(make_do), workers, tell) as elsewhere,
    ):
        while True:
            for unit in islice(left, _AHEAD * processes - len(taken)):
                taken.append((unit, threads.submit(elsewhere, unit)))
            if not taken:
                return
            following = taken[:1] if in_order else taken
            done = next((pair for pair in following if pair[1].done()), None)
            if done is not None:
                taken.remove(done)
                yield done[0], done[1].result()
            elif do is None or not _done_here(taken, do):
                wait([future for _, future in following], return_when=FIRST_COMPLETED)


def _done_here(taken: list[tuple[Any, Future[Any]]], do: Do) -> bool:
    """Do a unit that no process has begun, if there is one, since there is nothing to yield meanwhile."""
    from concurrent.futures import Future

    for place, (unit, future) in enumerate(taken):
        if future.cancel():
            result: Future[Any] = Future()
            result.set_result(do(unit))
            taken[place] = unit, result
            return True
    return False


class _Elsewhere:
    """Does units in other processes, which threads feed; at the end of its block no process is busy."""

    def __init__(self, made: bytes, workers: Workers, tell: Tell):
        self._made = made
        self._workers = workers
        self._tell = tell
        self._busy: set[Worker] = set()
        self._prepared: set[Worker] = set()
        self._is_over = False
        self._lock = Lock()

    def __enter__(self) -> Self:
        self._interval = sys.getswitchinterval()
        sys.setswitchinterval(min(self._interval, _PROMPT))
        return self

    def __exit__(self, *_error: object) -> None:
        sys.setswitchinterval(self._interval)
        with self._lock:
            self._is_over = True
            for process, _ in self._busy:  # whose threads see that, and end
                process.terminate()

    def __call__(self, unit: Any) -> Any:
        """Do a unit in a process that waits for work, or in a new one."""
        for _ in range(ATTEMPTS):
            with self._lock:
                if self._is_over:
                    raise EsascoreError("the work is over")
                self._busy.add(worker := self._workers.take())
            try:
                result = self._result(worker, unit)
            except (EOFError, OSError):  # the process died
                self._let_go(worker, end)
                continue
            self._let_go(worker, self._workers.give_back)
            if isinstance(result, BaseException):
                raise result
            return result
        return LostError("a worker process died (out of memory?): try again with fewer processes (--jobs 1)")

    def _let_go(self, worker: Worker, how: Callable[[Worker], None]) -> None:
        with self._lock:
            self._busy.remove(worker)
            how(worker)

    def _result(self, worker: Worker, unit: Any) -> Any:
        connection = worker[1]
        connection.send((None if worker in self._prepared else self._made, unit))
        self._prepared.add(worker)
        is_result = False
        while not is_result:
            is_result, answer = connection.recv()
            if not is_result:
                self._tell(*answer)
        return answer
