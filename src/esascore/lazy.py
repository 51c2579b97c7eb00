"""Attributes that are computed when first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class lazy(Generic[T]):  # noqa: N801 (used like the built-in property)
    """A method whose result takes its place in the object, as `functools.cached_property` does.

    That one holds a lock in Python 3.11, which takes longer than many a reading of a text. Two threads that
    ask at once may both compute the same here.

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
