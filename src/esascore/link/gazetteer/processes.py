"""Processes that share the work of a build, and end with it."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from itertools import starmap
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any

from esascore.errors import EsascoreError

Calls = Callable[[Callable[..., Any], Iterable[tuple[Any, ...]]], Iterator[Any]]
"""Calls a function for each of the arguments, and gives the results in their order."""


@contextmanager
def processes(jobs: int) -> Iterator[Calls]:
    """Give what makes calls in so many processes, with few calls waiting at a time.

    Examples
    --------
    >>> with processes(1) as calls:
    ...     list(calls(pow, [(2, 3), (3, 2)]))
    [8, 9]
    """
    if jobs < 2:
        yield starmap
        return
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_watch_parent)
    try:
        yield partial(_in_order, pool, jobs + 1)
    except BrokenProcessPool as error:
        raise EsascoreError(
            "a process was killed, perhaps out of memory: run it again to continue, or with --jobs 1"
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _in_order(
    pool: Executor, most: int, function: Callable[..., Any], arguments: Iterable[tuple[Any, ...]]
) -> Iterator[Any]:
    waiting: deque[Future[Any]] = deque()
    for each in arguments:
        waiting.append(pool.submit(function, *each))
        if len(waiting) >= most:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _watch_parent() -> None:
    """End this process with its parent, which may be killed without a chance to say so."""
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)
