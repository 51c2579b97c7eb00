"""What an engine is, and the one of this machine: it decides where and when a unit is done, nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Protocol

from esascore.engine.pool import run
from esascore.errors import EsascoreError
from esascore.shards.scoring import ATTEMPTS, Failed
from esascore.shards.units import Unit

Work = tuple[Unit, Any]
"""A unit, and what else is to be known of it."""

Do = Callable[[Work], Any]
"""Does something with a unit; can be pickled."""


class Engine(Protocol):
    """Does units, in any order, in whatever processes."""

    def run(self, do: Do, work: Iterable[Work]) -> Iterator[tuple[Unit, Any]]:
        """Yield units with their results as they are ready; a unit that ends its processes is a `Failed`."""
        ...

    def close(self) -> None:
        """End what was started for it."""
        ...


class LocalEngine:
    """Processes of this machine; one that dies is replaced.

    Parameters
    ----------
    jobs
        How many processes work. With one, that is this process.
    """

    def __init__(self, jobs: int = 1):
        self._jobs = jobs

    def run(self, do: Do, work: Iterable[Work]) -> Iterator[tuple[Unit, Any]]:
        """Yield units with their results as they are ready."""
        here = do if self._jobs < 2 else None
        done = run(here, partial(_same, do), work, self._jobs, attempts=ATTEMPTS, lost=_lost, in_order=False)
        for (unit, _), result in done:
            yield unit, result

    def close(self) -> None:
        """Do nothing: the processes end with each run."""


def _same(do: Do) -> Do:
    return do


def _lost(work: Work, error: EsascoreError) -> Failed:
    return Failed(work[0], str(error))
