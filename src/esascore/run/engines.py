"""Where units of files are done, and what happens if that fails.

An engine decides where and when a unit is done, nothing else. This module has the one of this machine,
`esascore.run.ray` that of clusters.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from time import sleep, time
from typing import Any

from esascore.errors import DataError, EsascoreError
from esascore.run.pool import ATTEMPTS, LostError, MakeDo, Progress, Tell, run
from esascore.run.storage import Folder
from esascore.run.units import Unit
from esascore.run.workers import Workers

LOG = "attempts"
"""The folder with the log of attempts, in that of a run."""

_WAIT = 1.0

Engine = Callable[[MakeDo, Sequence[Unit], Tell], Iterator[tuple[Unit, Any]]]
"""Does units, in any order, in whatever processes, and yields them with their results as they are ready.

A unit that ends its processes is a `Failed`. Progress within units may be lost."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A unit that could not be done, and why; if that is ``lasting``, trying again will not help."""

    unit: Unit
    reason: str
    lasting: bool = False


class UnitsFailedError(EsascoreError):
    """Some units could not be done; ``failed`` lists them."""

    exit_code = 1

    def __init__(self, failed: Sequence[Failed], units: int):
        self.failed = tuple(failed)
        remedy = (
            "fix the problems above and run the command again"
            if all(one.lasting for one in failed)
            else "run the command again to do what is missing"
        )
        super().__init__(f"{len(failed)} of {units} units failed: {remedy}")


@contextmanager
def local_engine(jobs: int) -> Iterator[Engine]:
    """Do units in this many processes of this machine; one means this process itself."""
    workers = Workers()

    def engine(make_do: MakeDo, units: Sequence[Unit], tell: Tell) -> Iterator[tuple[Unit, Any]]:
        for unit, result in run(make_do, units, jobs, workers, tell=tell, in_order=False):
            yield unit, Failed(unit, str(result)) if isinstance(result, LostError) else result

    try:
        yield engine
    finally:
        workers.dismiss()


def results(
    engine: Engine, make_do: MakeDo, units: Sequence[Unit], progress: Progress | None
) -> Iterator[tuple[Unit, Any]]:
    """Yield units that could be done, with their results.

    Raises
    ------
    UnitsFailedError
        At the end, if there are others.
    """
    total, count = sum(unit.rows for unit in units), 0
    done: dict[Unit, int] = {}
    lock = Lock()  # threads tell

    def tell(unit: Unit, rows: int) -> None:
        nonlocal count
        with lock:
            count += min(rows, unit.rows) - done.get(unit, 0)
            done[unit] = min(rows, unit.rows)
            if progress is not None:
                progress(count, total)

    failed = []
    for unit, result in engine(make_do, units, tell):
        if isinstance(result, Failed):
            failed.append(result)
        else:
            yield unit, result
        tell(unit, unit.rows)
    if failed:
        raise UnitsFailedError(failed, len(units))


def attempted(do: Callable[[Unit], Any], folder: Folder, what: str, unit: Unit) -> Any:
    """Do something with a unit, retrying if the machine failed; log each attempt in the folder of the run.

    A unit that fails every time is a `Failed`, one with wrong data at once; errors of the command are raised.
    """
    for attempt in range(ATTEMPTS):
        sleep(_WAIT * attempt)
        _log(folder, unit, what, "start")
        try:
            done = do(unit)
        except Exception as error:
            _log(folder, unit, what, "failed")
            if isinstance(error, DataError):
                return Failed(unit, error.problem, lasting=True)
            if isinstance(error, EsascoreError) and type(error) is not EsascoreError:
                raise
            kind = "" if isinstance(error, EsascoreError) else f"{type(error).__name__}: "
            failed = Failed(unit, f"{kind}{error}")
        else:
            _log(folder, unit, what, "end")
            return done
    return failed


def _log(folder: Folder, unit: Unit, what: str, event: str) -> None:
    """Note that a unit was begun or ended, where and when."""
    where = {"host": socket.gethostname(), "pid": os.getpid()}
    line = {"what": what, "event": event, "time": round(time(), 3), **where}
    folder.append(f"{LOG}/{unit.name}.jsonl", json.dumps(line) + "\n")
