"""The three files that the public PARENT script reads, line by line: tables, references, generations.

A line of tables holds ``attribute|||value`` or ``head|||relation|||tail`` items with tabs between them, one
of references texts with tabs between them, one of generations a text. Unlike the corpus format ``records``
nothing needs to be there: a value may be empty, a table too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from os import PathLike
from pathlib import Path

from esascore.errors import DataError
from esascore.readers.lines import iter_lines
from esascore.readers.located import Place
from esascore.readers.records import SEPARATOR
from esascore.readers.triples import shown

Entry = tuple[str, ...]


def read_tables(path: str | PathLike[str]) -> Iterator[list[Entry]]:
    r"""Read one table per line.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "tables.txt")
    ...     _ = path.write_text("name|||Ann Lee\tborn|||\n", encoding="utf-8")
    ...     list(read_tables(path))
    [[('name', 'Ann Lee'), ('born', '')]]
    """
    for line, text in iter_lines(Path(path)):
        entries = [tuple(item.split(SEPARATOR)) for item in text.split("\t") if item.strip()]
        for entry in entries:
            if len(entry) not in (2, 3):
                Place(path, line).fail(
                    "an item is attribute|||value or head|||relation|||tail, separated by tabs: "
                    f"found {shown(SEPARATOR.join(entry))}"
                )
        yield entries


def read_references(path: str | PathLike[str]) -> Iterator[list[str]]:
    """Read the references of one text per line."""
    for _, text in iter_lines(Path(path)):
        yield text.strip().split("\t")


def read_generations(path: str | PathLike[str]) -> Iterator[str]:
    """Read one text per line."""
    for _, text in iter_lines(Path(path)):
        yield text.strip()


def in_step(
    files: Sequence[str | PathLike[str]], streams: Sequence[Iterator[object]]
) -> Iterator[tuple[object, ...]]:
    """Read files together, line by line; one that ends before the others is an error."""
    end = object()
    for number, items in enumerate(zip_longest(*streams, fillvalue=end)):
        if any(item is end for item in items):
            short = next(file for file, item in zip(files, items, strict=True) if item is end)
            long = next(file for file, item in zip(files, items, strict=True) if item is not end)
            raise DataError(f"it has {number:,} lines, but {long} has more: each line needs one", file=short)
        yield items
