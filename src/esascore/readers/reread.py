"""Collections that are read again each time they are iterated over, since they may not fit into memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TypeVar

T = TypeVar("T")


class Reread(Collection[T]):
    """A collection that a function reads; it is counted when first asked for its length."""

    def __init__(self, read: Callable[[], Iterator[T]], number: int | None = None):
        self._read = read
        self._number = number

    def __iter__(self) -> Iterator[T]:
        return self._read()

    def __len__(self) -> int:
        if self._number is None:
            self._number = sum(1 for _ in self)
        return self._number

    def __contains__(self, one: object) -> bool:
        return any(one == other for other in self)
