"""Collections that are read anew whenever they are iterated over, since they may not fit into memory."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterator
from typing import TypeVar

T = TypeVar("T")


class Reread(Collection[T]):
    """A collection of which a subclass says how it is read; it is counted when first asked for its length."""

    _number: int | None = None

    @abstractmethod
    def __iter__(self) -> Iterator[T]: ...

    def __len__(self) -> int:
        if self._number is None:
            self._number = sum(1 for _ in self)
        return self._number

    def __contains__(self, one: object) -> bool:
        return any(one == other for other in self)
