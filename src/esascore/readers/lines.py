r"""Text files as lines: bounded, decoded strictly, and split on ``\n`` only."""

from __future__ import annotations

import atexit
import codecs
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path
from typing import BinaryIO, TextIO

from esascore.errors import DataError, unreadable
from esascore.readers.located import MAX_LINE_BYTES

STANDARD_INPUT = Path("-")
"""The path that means standard input; it is read once, and can be opened several times."""

# The longer marks first: UTF-32's little-endian mark begins with UTF-16's.
_OTHER_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file, a pipe or standard input for reading bytes; what the system refuses is a `DataError`."""
    try:
        file = _kept(path).open("rb")
    except (OSError, ValueError) as error:
        raise unreadable(error, path) from None
    with file:
        try:
            yield file
        except OSError as error:
            raise unreadable(error, path) from None


def is_there(path: Path) -> bool:
    r"""Return whether there is something to open.

    Examples
    --------
    >>> is_there(STANDARD_INPUT), is_there(Path("no/such/file")), is_there(Path("a\0b"))
    (True, False, False)
    """
    try:
        return path == STANDARD_INPUT or path.exists()
    except (OSError, ValueError):  # a name too long for the system, or with a NUL
        return False


def size_of(path: Path) -> int:
    """Bytes of what `opened` opens; 0 for a directory, and for what cannot be opened."""
    try:
        return 0 if path.is_dir() else _kept(path).stat().st_size
    except (OSError, ValueError):
        return 0


def _kept(path: Path) -> Path:
    """Return where the content can be read more than once: what comes through a pipe goes to a file first."""
    if path == STANDARD_INPUT:
        if sys.stdin is None or sys.stdin.closed:
            raise OSError("standard input is closed")
        return _spooled(sys.stdin)
    return _spooled(path, path.stat().st_ino) if path.is_fifo() else path


@lru_cache(maxsize=8)
def _spooled(source: TextIO | Path, _identity: int = 0) -> Path:
    number, name = tempfile.mkstemp(prefix="esascore-")
    atexit.register(Path(name).unlink, missing_ok=True)
    with os.fdopen(number, "wb") as target:
        if isinstance(source, Path):
            with source.open("rb") as pipe:
                shutil.copyfileobj(pipe, target)
        else:
            shutil.copyfileobj(source.buffer, target)
    return Path(name)


def iter_lines(path: Path) -> Iterator[tuple[int, str]]:
    r"""Yield the lines of a UTF-8 file with their numbers, counted from 1, without ``\n`` or ``\r\n``.

    Only ``\n`` ends a line: NEL, U+2028, vertical tab, form feed, NUL and a lone ``\r`` stay inside.
    A final ``\n`` does not begin another line. A byte order mark is dropped.
    """
    with opened(path) as file:
        for number, raw in enumerate(iter(partial(file.readline, MAX_LINE_BYTES + 1), b""), 1):
            if len(raw) > MAX_LINE_BYTES:
                told = f"a line has more than {MAX_LINE_BYTES // 2**20} MiB: one text per line is needed"
                raise DataError(told, file=path, line=number)
            plain = without_mark(raw, path) if number == 1 else raw
            if plain:
                yield number, decoded(plain, path, number).removesuffix("\n").removesuffix("\r")


def without_mark(raw: bytes, path: Path) -> bytes:
    """Drop UTF-8's byte order mark; other encodings' marks are an error."""
    for mark, name in _OTHER_MARKS:
        if raw.startswith(mark):
            raise DataError(f"the file is in {name}: save it as UTF-8", file=path, line=1)
    return raw.removeprefix(codecs.BOM_UTF8)


def decoded(raw: bytes, path: Path, line: int) -> str:
    """Decode bytes as UTF-8; an error names the line (``line`` is that of the first byte)."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise unreadable(error, path, line) from None
