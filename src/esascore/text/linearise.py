"""Tables as one string, as the baselines of the ToTTo paper read them (Parikh et al. 2020, section 7).

``full`` has every cell, row by row, the highlighted ones marked; ``subtable`` has the highlighted cells only.
Each cell is followed by its column and row headers, found by the authors' heuristic: a column header is a
header cell in a row above whose columns overlap (columns counted by spans within the row), a row header a
header cell to the left.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from esascore.errors import UsageError
from esascore.model import Cell, Table

Style = Literal["subtable", "full"]
_Placed = tuple[Cell, int, int]


def linearise(table: Table, style: Style = "subtable", *, metadata: bool = True, headers: bool = True) -> str:
    """Write a table as one string.

    Parameters
    ----------
    table
        The table.
    style
        ``"subtable"`` or ``"full"``.
    metadata
        Whether page title and section title come first.
    headers
        Whether a cell's headers follow it.

    Examples
    --------
    >>> cells = (Cell("City", highlighted=False, is_header=True), Cell("Paris", row=1))
    >>> linearise(Table(cells, title="France"))
    '<page_title> France </page_title> <table> <cell> Paris <col_header> City </col_header> </cell> </table>'
    >>> linearise(Table(cells[1:]), "full", headers=False)
    '<table> <row> <highlighted_cell> Paris </highlighted_cell> </row> </table>'
    """
    if style not in ("subtable", "full"):
        raise UsageError(f"the style must be subtable or full, not {style!r}")
    parts: list[str] = []
    if metadata:
        if table.title:
            parts += ["<page_title>", table.title, "</page_title>"]
        if table.section_title:
            parts += ["<section_title>", table.section_title, "</section_title>"]
    parts.append("<table>")
    rows = _rows(table)
    for number, row in enumerate(rows):
        if style == "full":
            parts.append("<row>")
        for index, (cell, _, _) in enumerate(row):
            if style == "subtable" and not cell.highlighted:
                continue
            mark = "highlighted_cell" if style == "full" and cell.highlighted else "cell"
            parts += [f"<{mark}>", cell.value]
            if headers:
                for header in _column_headers(rows, number, index):
                    parts += ["<col_header>", header.value, "</col_header>"]
                for header, _, _ in row[:index]:
                    if header.is_header:
                        parts += ["<row_header>", header.value, "</row_header>"]
            parts.append(f"</{mark}>")
        if style == "full":
            parts.append("</row>")
    return " ".join([*parts, "</table>"])


def _rows(table: Table) -> list[list[_Placed]]:
    """Cells by row, each with the columns it covers when only the spans of its own row count."""
    rows: dict[int, list[_Placed]] = {}
    for cell in table.cells:
        row = rows.setdefault(cell.row, [])
        start = row[-1][2] if row else 0
        row.append((cell, start, start + cell.column_span))
    return [rows[number] for number in sorted(rows)]


def _column_headers(rows: list[list[_Placed]], number: int, index: int) -> Iterator[Cell]:
    _, start, end = rows[number][index]
    for row in rows[:number]:
        for cell, other_start, other_end in row:
            if cell.is_header and other_start < end and other_end > start:
                yield cell
