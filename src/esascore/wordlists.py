"""The lexicon files that come with the package: found, parsed and hashed here and nowhere else."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from os import PathLike
from pathlib import Path

from esascore.errors import DataError, UsageError, unreadable

COLUMNS = "# columns:"
SEVERAL = "|"
"""Separates several values in one cell of a lexicon that comes with the package."""


@dataclass(frozen=True, slots=True)
class Rows:
    """A parsed lexicon file: what its header says, and its rows with their line numbers."""

    columns: tuple[str, ...]
    header: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]


def folder() -> Path:
    """Return the folder of the lexicons: inside the package, or next to the sources during development."""
    package = Path(__file__).resolve().parent
    for place in (package / "lexicons", package.parent.parent / "lexicons"):
        if place.is_dir():
            return place
    raise DataError("the lexicons of esascore are missing: install it again", file=package / "lexicons")


def names() -> tuple[str, ...]:
    """Return the names of the lexicons that come with the package.

    Examples
    --------
    >>> "demonyms" in names()
    True
    """
    return tuple(sorted(path.stem for path in folder().glob("*.tsv")))


@cache
def load(name: str) -> Rows:
    """Return the lexicon of that name.

    Raises
    ------
    UsageError
        There is no such lexicon.

    Examples
    --------
    >>> load("months").columns
    ('number', 'name', 'abbreviation')
    >>> load("months").rows[3]
    ('4', 'April', 'Apr')
    """
    path = folder() / f"{name}.tsv"
    if name not in names():
        raise UsageError(f"there is no lexicon {name!r}: known are {', '.join(names())}")
    return read(path)


def read(path: str | PathLike[str]) -> Rows:
    """Read a file in the format of the lexicons: ``#`` lines, then rows of the columns that they name.

    Trailing empty cells may be left out.
    """
    columns: tuple[str, ...] = ()
    header: list[tuple[str, str]] = []
    rows: list[tuple[str, ...]] = []
    lines: list[int] = []
    for number, line in text_lines(path):
        if not line:
            continue
        if line[0] != "#" or not is_comment(line):  # most lines by far
            cells = tuple(line.split("\t"))
            if len(cells) != len(columns):
                cells = _filled(cells, columns, path, number)
            rows.append(cells)
            lines.append(number)
        elif line.startswith(COLUMNS):
            columns = tuple(cell.strip() for cell in line.removeprefix(COLUMNS).split("\t"))
        else:
            key, colon, value = line.removeprefix("#").partition(":")
            named = colon and key.strip().isalpha()
            header.append((key.strip(), value.strip()) if named else ("", line.removeprefix("#").strip()))
    return Rows(columns, tuple(header), tuple(rows), tuple(lines))


def _filled(
    cells: tuple[str, ...], columns: tuple[str, ...], path: str | PathLike[str], line: int
) -> tuple[str, ...]:
    """Return the cells of a row, including empty ones at the end that the file leaves out."""
    if not columns:
        raise DataError("a line '# columns: ...' is needed before the rows", file=path, line=line)
    if len(cells) > len(columns):
        raise DataError(
            f"{len(cells)} cells, but the header names {len(columns)} columns", file=path, line=line
        )
    return *cells, *[""] * (len(columns) - len(cells))


def values(cell: str) -> tuple[str, ...]:
    """Split a cell with several values.

    Examples
    --------
    >>> values("Saudi|Saudi Arabian"), values("")
    (('Saudi', 'Saudi Arabian'), ())
    """
    return tuple(cell.split(SEVERAL)) if cell else ()


def is_comment(line: str) -> bool:
    """Return whether a line is a comment: ``#`` alone or before a space, so ``#9 Dream`` is not one."""
    return line.startswith("# ") or line == "#"


def text_lines(path: str | PathLike[str]) -> list[tuple[int, str]]:
    r"""Return the lines of a small UTF-8 file with their numbers, without ``\n`` or ``\r\n``."""
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except (OSError, ValueError) as error:
        raise unreadable(error, path) from None
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    if "\r" in text:
        lines = [line.removesuffix("\r") for line in lines]
    return list(enumerate(lines, 1))


def lexicon_digest(lexicons: Iterable[str]) -> str:
    """Return a short hash of what the named lexicons say.

    Comments, line ends and the order of ``lexicons`` make no difference.

    Examples
    --------
    >>> lexicon_digest(["months"]) == lexicon_digest(["months"]) != lexicon_digest(["states"])
    True
    """
    parts = [f"{name}:{_content(name)}" for name in sorted(set(lexicons))]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]


@cache
def _content(name: str) -> str:
    lines = [line for _, line in text_lines(folder() / f"{name}.tsv") if line]
    kept = [line for line in lines if line[0] != "#" or line.startswith(COLUMNS) or not is_comment(line)]
    return hashlib.sha256("".join([f"{line}\n" for line in kept]).encode()).hexdigest()
