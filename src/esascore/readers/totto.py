"""ToTTo's JSON lines: tables with spans and headers, highlighted cells, metadata, up to three references.

The overlap flag (does the table share its header names with training data?) becomes ``seen``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from esascore.model import Cell, Example, Input, Reference
from esascore.readers.fields import NONE, optional_string, typed
from esascore.readers.jsonl import iter_objects
from esascore.readers.located import Located, Place

MARK = '"highlighted_cells"'
"""What distinguishes ToTTo from other JSON lines."""

MAX_CELLS = 200_000
"""Cells of one table; whole tables are larger than what other corpora ask a text to mention."""

MAX_COLUMNS = 1_000_000
"""Columns that the cells of one table span, added up."""


def read(path: Path) -> Iterator[Located]:
    """Read one example per line; lines of white space only are skipped."""
    for place, fields in iter_objects(path, "ToTTo has them"):
        yield Located(_example(fields, place), place)


def _example(fields: Mapping[str, Any], place: Place) -> Example:
    told = "example_id is missing, or neither a number nor a string"
    identifier = typed(fields.get("example_id"), told, place, int, str)
    overlap = typed(fields.get("overlap_subset"), "overlap_subset must be true or false", place, bool, NONE)
    rows = _rows(fields.get("table"), place)
    marked = _marked(fields.get("highlighted_cells"), rows, place)
    cells = _cells(rows, marked)
    titles = ("table_page_title", "table_section_title", "table_section_text")
    table = Input.from_table(cells, *(optional_string(fields, name, place) or "" for name in titles))
    return Example(
        id=str(identifier),
        input=table,
        references=_references(fields.get("sentence_annotations"), place),
        size=len(marked),
        seen=overlap,
    )


def _rows(value: Any, place: Place) -> list[list[Mapping[str, Any]]]:
    if not isinstance(value, list) or not all(isinstance(row, list) for row in value):
        place.fail("table must be a list of rows, each a list of cells")
    if sum(map(len, value)) > MAX_CELLS:
        place.fail(f"a table may have at most {MAX_CELLS:,} cells")
    for row in value:
        for cell in row:
            if not isinstance(cell, dict) or not isinstance(cell.get("value"), str):
                place.fail('a cell is {"value": ..., "is_header": ..., "column_span": ..., "row_span": ...}')
            typed(cell.get("is_header", False), "is_header must be true or false", place, bool)
            for span in ("column_span", "row_span"):
                number = cell.get(span, 1)
                if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= 10_000:
                    place.fail(f"{span} must be a number from 1 to 10,000, found {number!r}")
    if sum(cell.get("column_span", 1) for row in value for cell in row) > MAX_COLUMNS:
        place.fail(f"the cells of a table may span at most {MAX_COLUMNS:,} columns together")
    return value


def _marked(value: Any, rows: list[list[Mapping[str, Any]]], place: Place) -> set[tuple[int, int]]:
    marked = set()
    for item in typed(value, "highlighted_cells must be a list of [row, cell] numbers", place, list):
        if not isinstance(item, list) or [type(number) for number in item] != [int, int]:
            place.fail(f"an item of highlighted_cells is [row, cell], found {item!r}")
        row, column = item
        if not (0 <= row < len(rows) and 0 <= column < len(rows[row])):
            place.fail(f"highlighted_cells names row {row}, cell {column}, which the table does not have")
        marked.add((row, column))
    return marked


def _cells(rows: list[list[Mapping[str, Any]]], marked: set[tuple[int, int]]) -> tuple[Cell, ...]:
    """Put the cells on a grid, each where the spans of those before leave room, and name its header."""
    taken: dict[int, int] = {}  # grid column -> first row that is free there
    headers: dict[int, str] = {}  # grid column -> the lowest header so far
    cells = []
    for number, row in enumerate(rows):
        column, row_header = 0, ""
        named: dict[int, str] = {}
        for index, cell in enumerate(row):
            while taken.get(column, 0) > number:
                column += 1
            wide, high = cell.get("column_span", 1), cell.get("row_span", 1)
            value, is_header = cell["value"].strip(), cell.get("is_header", False)
            attribute = "" if is_header else headers.get(column) or row_header
            cells.append(
                Cell(value, attribute, (number, index) in marked, is_header, number, column, high, wide)
            )
            for under in range(column, column + wide):
                taken[under] = number + high
                if is_header:
                    named[under] = value
            if is_header:
                row_header = value
            column += wide
        # A header next to values names its row, not the columns below.
        if named and len(named) * 2 >= column:
            headers.update(named)
    return tuple(cells)


def _references(value: Any, place: Place) -> tuple[Reference, ...]:
    items = typed(value, "sentence_annotations must be a list", place, list, NONE) or ()
    for item in items:
        if not isinstance(item, dict) or not isinstance(item.get("final_sentence"), str):
            place.fail("an item of sentence_annotations needs a final_sentence")
    return tuple(Reference(f"Id{n}", item["final_sentence"].strip()) for n, item in enumerate(items, 1))
