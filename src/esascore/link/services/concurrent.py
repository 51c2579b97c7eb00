"""Several questions to a service at the same time."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from queue import SimpleQueue
from typing import TypeVar

Q = TypeVar("Q")
A = TypeVar("A")


def answers(ask: Callable[[Q], A], questions: Sequence[Q], threads: int) -> Iterator[tuple[int, A]]:
    """Yield the place of a question and its answer, as they come; the first error is raised and ends it.

    Whatever ends it, no further question is asked. Those under way are not waited for, as pools of threads
    do: a service that hangs would hold up Ctrl-C.

    Examples
    --------
    >>> sorted(answers(str.upper, ["a", "b", "c"], threads=2))
    [(0, 'A'), (1, 'B'), (2, 'C')]
    """
    waiting = deque(enumerate(questions))
    done: SimpleQueue[tuple[int, A] | BaseException] = SimpleQueue()

    def work() -> None:
        while True:
            try:
                place, question = waiting.popleft()
            except IndexError:
                return
            try:
                done.put((place, ask(question)))
            except BaseException as error:
                done.put(error)
                return

    for _ in range(min(threads, len(questions))):
        threading.Thread(target=work, daemon=True).start()
    try:
        for _ in questions:
            found = done.get()
            if isinstance(found, BaseException):
                raise found
            yield found
    finally:
        waiting.clear()
