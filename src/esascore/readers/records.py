"""The files of the public PARENT script: record tables, and references, one instance per line.

``attribute|||value`` items make a table, ``head|||relation|||tail`` items a graph; tabs separate them. Read
as a corpus (`read`) they must be whole; beside references and generations, as the script reads them, a value
may be empty, and a table too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from os import PathLike
from pathlib import Path

from esascore.errors import DataError
from esascore.model import Cell, Example, Input
from esascore.readers.lines import iter_lines
from esascore.readers.located import Located, Place, check_size, make_triple, shown

SEPARATOR = "|||"
Entry = tuple[str, ...]


def read(path: Path) -> Iterator[Located]:
    """Read one example per line; a blank line is an empty table, since texts are matched by line."""
    for line, text in iter_lines(path):
        place = Place(path, line)
        items = [item.split(SEPARATOR) for item in text.split("\t") if item.strip()]
        check_size(len(items), place)
        lengths = {len(item) for item in items}
        if lengths == {3}:
            source = Input.from_triples(make_triple(item, place) for item in items)
        elif lengths <= {2}:
            source = Input.from_table(
                Cell(value.strip(), name.strip(), row=row) for row, (name, value) in enumerate(items)
            )
        else:
            wrong = next(item for item in items if len(item) != 2 and (len(item) != 3 or 2 in lengths))
            place.fail(
                "items must all be attribute|||value or all head|||relation|||tail, separated by tabs: "
                f"found {shown(SEPARATOR.join(wrong))}"
            )
        yield Located(Example(id=f"Id{line}", input=source, size=len(items)), place)


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
