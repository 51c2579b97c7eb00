"""Attributes that are computed on first access."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class lazy(Generic[T]):  # noqa: N801 (used like the built-in property)
    """A method whose result replaces it in the object, like `functools.cached_property`.

    In Python 3.11 that holds a lock, which takes longer than many of the computations here. Without the lock,
    two threads may both compute the same result.

    Examples
    --------
    >>> class Text:
    ...     @lazy
    ...     def words(self):
    ...         print("computed")
    ...         return ["a", "b"]
    >>> text = Text()
    >>> text.words is text.words
    computed
    True
    """

    def __init__(self, make: Callable[[Any], T]):
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type | None = None) -> T:
        value = self._make(instance)
        instance.__dict__[self._name] = value
        return value
