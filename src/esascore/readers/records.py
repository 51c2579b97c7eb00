"""Record tables, one instance per line, in the form that the public PARENT script reads.

``attribute|||value`` items make a table, ``head|||relation|||tail`` items a graph; tabs separate them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from esascore.model import Cell, Example, Input
from esascore.readers.lines import iter_lines
from esascore.readers.located import Located, Place
from esascore.readers.triples import check_size, make_triple, shown

SEPARATOR = "|||"


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
