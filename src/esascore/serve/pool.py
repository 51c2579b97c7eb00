"""Processes that do the work of requests, and can be stopped in the middle of it.

Whatever takes too long, or whose client has left, ends with its process: nothing else stops computation for
sure and leaves no half-made state. Another process takes its place.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

from esascore.run.gc_tuning import rare_collections, set_aside
from esascore.serve.limits import RETRY_SECONDS, Limits, Problem, busy

GRACE_SECONDS = 1.0
"""How long work goes on for a client that has closed its side; the client may still read."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The part of a request that the work needs: the operation, its options, and the body."""

    what: str
    options: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    lines: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: its body and headers, its counts, and a line for the operator of the server."""

    body: bytes
    headers: dict[str, str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    status: int = 200
    line: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """How much of the work is done."""

    done: int
    all: int


Tell = Callable[[Progress], None]
Handler = Callable[[Asked, Tell], Reply]
"""Does the work; a `Problem` is also an answer."""

MakeHandler = Callable[[], Handler]
"""Makes the handler in each process; a module's function, or a partial of one."""


class Worker:
    """One process, which sends a message as soon as it is ready."""

    def __init__(self, context: Any, make: MakeHandler):
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(make, theirs), daemon=True)
        self.process.start()
        theirs.close()

    def ask(self, asked: Asked, tell: Tell) -> Reply | Problem:
        """Send it a request and wait for the answer; raises EOFError if the process is stopped or dies."""
        self.pipe.send(asked)
        while isinstance(answer := self.pipe.recv(), Progress):
            tell(answer)
        return answer  # type: ignore[no-any-return]


class Pool:
    """Keeps processes at work, one request each.

    Parameters
    ----------
    make
        Makes the handler in each process.
    limits
        How many processes, and how long they may take.
    """

    def __init__(self, make: MakeHandler, limits: Limits):
        self._limits = limits
        methods = multiprocessing.get_all_start_methods()
        self._context: Any = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
        if "forkserver" in methods:  # a process that replaces another one then has its modules at once
            self._context.set_forkserver_preload(["esascore.serve.work"])
        self._make = make
        self._threads = ThreadPoolExecutor(2 * limits.workers, "esascore worker")
        self._free: asyncio.Queue[Worker] = asyncio.Queue()
        self._workers: set[Worker] = set()
        self._closed = False
        self.waiting = 0
        self.stopped = 0

    @property
    def ready(self) -> int:
        """How many processes run."""
        return len(self._workers)

    def start(self) -> None:
        """Start all processes, and wait until they are ready."""
        started = [Worker(self._context, self._make) for _ in range(self._limits.workers)]
        for worker in started:
            worker.pipe.recv()
            self._workers.add(worker)
            self._free.put_nowait(worker)

    def close(self) -> None:
        """Stop all processes."""
        self._closed = True
        for worker in list(self._workers):
            worker.process.kill()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def answer(
        self, asked: Asked, left: asyncio.Event, seconds: float, tell: Tell = lambda _: None
    ) -> Reply:
        """Have a process answer a request.

        Parameters
        ----------
        asked
            The request.
        left
            Set when its client closes its side of the connection.
        seconds
            How long the work may take.
        tell
            Called in this thread with the progress of the work.

        Raises
        ------
        Problem
            All are busy, the work took too long, the client has left, or the handler raised it.
        """
        worker = await self._next()
        loop = asyncio.get_running_loop()

        def told(progress: Progress) -> None:
            loop.call_soon_threadsafe(tell, progress)

        task: asyncio.Future[Any] = loop.run_in_executor(self._threads, worker.ask, asked, told)
        gone: asyncio.Future[Any] = asyncio.ensure_future(left.wait())
        try:
            await asyncio.wait({task, gone}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if left.is_set() and not task.done():
                await asyncio.wait({task}, timeout=min(seconds, GRACE_SECONDS))
        finally:
            gone.cancel()
            in_time = task.done()
            if not in_time:
                worker.process.kill()
            task.add_done_callback(partial(self._done, worker))
        if not in_time:
            retry = {"Retry-After": str(RETRY_SECONDS)}
            raise Problem(503, f"the work took longer than {seconds:g} seconds: send less at once", retry)
        if task.exception() is not None:
            raise Problem(500, "the process that worked on this request ended: send less at once")
        answer: Reply | Problem = task.result()
        if isinstance(answer, Problem):
            raise answer
        return answer

    async def _next(self) -> Worker:
        if self.waiting >= self._limits.waiting:
            raise busy()
        self.waiting += 1
        try:
            return await asyncio.wait_for(self._free.get(), self._limits.wait_seconds)
        except TimeoutError:
            raise busy() from None
        finally:
            self.waiting -= 1

    def _done(self, worker: Worker, task: asyncio.Future[Any]) -> None:
        if task.exception() is None:
            self._free.put_nowait(worker)
            return
        self._workers.discard(worker)
        if not self._closed:
            self.stopped += 1
            self._threads.submit(self._replace, worker, task.get_loop())

    def _replace(self, worker: Worker, loop: asyncio.AbstractEventLoop) -> None:
        worker.process.join()
        worker.pipe.close()
        with suppress(EOFError, OSError, RuntimeError):  # the server ends meanwhile
            other = Worker(self._context, self._make)
            self._workers.add(other)
            if self._closed:
                other.process.kill()
            other.pipe.recv()
            loop.call_soon_threadsafe(self._free.put_nowait, other)


def _work(make: MakeHandler, pipe: Connection) -> None:
    """Answer requests until the server closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # which is for the server
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with suppress(EOFError, OSError):
        handle = make()
        pipe.send(None)
        with rare_collections(), set_aside():
            while True:
                asked = pipe.recv()
                try:
                    answer: Reply | Problem = handle(asked, pipe.send)
                except Problem as problem:
                    answer = problem
                pipe.send(answer)
