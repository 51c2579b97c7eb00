"""What every reader of a format yields: an example, and where it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from os import PathLike
from pathlib import Path
from typing import NamedTuple, NoReturn

from esascore.errors import DataError
from esascore.model import Example


class Place(NamedTuple):  # made for every element of a file
    """A line of a file, for errors about what is there."""

    file: str | PathLike[str]
    line: int

    def fail(self, problem: str) -> NoReturn:
        """Raise a `DataError` for this place."""
        raise DataError(problem, file=self.file, line=self.line) from None


class Located(NamedTuple):
    """An example and the place where it begins."""

    example: Example
    place: Place


Reader = Callable[[Path], Iterator[Located]]
