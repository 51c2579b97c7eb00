"""What every reader of a format yields: an example, and where it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from esascore.model import Example


class Located(NamedTuple):
    """An example and the file and line on which it begins."""

    example: Example
    file: Path
    line: int


Reader = Callable[[Path], Iterator[Located]]
