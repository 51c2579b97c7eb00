"""Attributes that are made when they are first asked for, and kept: hardly any command needs them all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Self


class MadeLate:
    """A frozen dataclass some of whose fields follow from others.

    `late` gives a function for each of them. `with_fields` makes an object without them, also without those
    of the constructor that follow from what is given.
    """

    __slots__ = ()

    @staticmethod
    def late() -> Mapping[str, Callable[[Any], Any]]:
        """Return what makes each attribute that is made late."""
        raise TypeError("a class with attributes that are made late says how")

    if not TYPE_CHECKING:  # which would take any name for an attribute

        def __getattr__(self, name: str) -> Any:
            """Make an attribute that is not there yet."""
            make = self.late().get(name)
            if make is None:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            made = make(self)
            object.__setattr__(self, name, made)
            return made

    @classmethod
    def with_fields(cls, **fields: object) -> Self:
        """Make an object that has these fields; all others are late."""
        made = object.__new__(cls)
        for name, value in fields.items():
            object.__setattr__(made, name, value)
        return made
