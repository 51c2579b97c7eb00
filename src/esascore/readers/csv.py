"""Spreadsheets: CSV with a header, one example a row.

Columns (see ``docs/formats.md``): ``triples`` or ``records``, and if wanted ``id``, ``text``,
``references`` (or ``reference``, ``reference_1``, ``reference_2``, ...), ``category``, ``seen``,
``original``. Others are passed over.

The standard library's parser is not used: its limit on the size of a field is one for the whole
process, and it does not tell a quote that is never closed from a long cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from esascore.errors import DataError
from esascore.readers.fields import INPUT_FIELDS, Place, load_json, make_example
from esascore.readers.limits import MAX_FIELD_CHARACTERS
from esascore.readers.lines import iter_lines
from esascore.readers.located import Located
from esascore.readers.triples import shown

DELIMITERS = (",", ";", "\t")
_NAMES = {",": "comma", ";": "semicolon", "\t": "tab"}
_BREAK = re.compile(r"\n|<br\s*/?>", re.IGNORECASE)
_JSON = re.compile(r'\[\s*(?:[\[{"]|\]$)|\{\s*["}]')
_REFERENCE = re.compile(r"references?(?:_([0-9]+))?")
_TRUTH: Mapping[str, bool] = MappingProxyType(
    {
        **dict.fromkeys(("true", "yes", "1", "seen"), True),
        **dict.fromkeys(("false", "no", "0", "unseen"), False),
    }
)


class Row(NamedTuple):
    """The cells of a row and the line on which it begins."""

    line: int
    cells: list[str]


def read(path: Path) -> Iterator[Located]:
    """Read one example a row; rows without any content are passed over."""
    lines = iter_lines(path)
    first = next(lines, None)
    if first is None:
        raise DataError("the file is empty: a header is needed, as in id,triples,text", file=path)
    delimiter = delimiter_of(first[1])
    rows = _rows(chain([first], lines), delimiter, path)
    header = next(rows)
    columns = [column_name(cell) for cell in header.cells]
    _check(columns, Place(path, header.line), delimiter)
    number = 0
    for line, cells in rows:
        if not any(cell.strip() for cell in cells):
            continue
        place = Place(path, line)
        if len(cells) != len(columns):
            place.fail(
                f"the row has {len(cells)} cells, the header {len(columns)}: "
                f'put cells that hold a {_NAMES[delimiter]} or a line break into "quotes"'
            )
        number += 1
        fields = _fields(dict(zip(columns, cells, strict=True)), place)
        yield Located(make_example(fields, number, place), path, line)


def read_rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Read a CSV file of any content: per row its line and its cells by column; blank rows are passed over.

    Raises
    ------
    DataError
        The file is empty, two columns share a name, or a row has another number of cells than the header.
    """
    lines = iter_lines(path)
    first = next(lines, None)
    if first is None:
        raise DataError("the file is empty: a header is needed", file=path)
    delimiter = max(DELIMITERS, key=first[1].count)  # max keeps the first of equals
    rows = _rows(chain([first], lines), delimiter, path)
    header = next(rows)
    columns = [column_name(cell) for cell in header.cells]
    for name in columns:
        if columns.count(name) > 1:
            Place(path, header.line).fail(f"two columns are called {shown(name)}: rename one")
    for line, cells in rows:
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) != len(columns):
            Place(path, line).fail(
                f"the row has {len(cells)} cells, the header {len(columns)}: "
                f'put cells that hold a {_NAMES[delimiter]} or a line break into "quotes"'
            )
        yield line, dict(zip(columns, cells, strict=True))


def delimiter_of(header: str) -> str:
    r"""Guess the delimiter: the one that yields the most columns, a known one among them if possible.

    Examples
    --------
    >>> delimiter_of("id;triples;text"), delimiter_of("id\ttriples")
    (';', '\t')
    """

    def merit(delimiter: str) -> tuple[bool, int]:
        names = [column_name(cell.strip('"')) for cell in header.split(delimiter)]
        return any(name in INPUT_FIELDS for name in names), len(names)

    return max(DELIMITERS, key=merit)  # max keeps the first of equals


def column_name(cell: str) -> str:
    """Return a header's cell in the spelling that column names have: `` Reference 1`` is ``reference_1``."""
    return re.sub(r"[\s-]+", "_", cell.strip().lower())


def _check(columns: list[str], place: Place, delimiter: str) -> None:
    if not any(name in INPUT_FIELDS for name in columns):
        place.fail(
            f"no column {' or '.join(INPUT_FIELDS)}: the header, split at every {_NAMES[delimiter]}, "
            f"has {shown(', '.join(columns))}"
        )
    for name in columns:
        if name and columns.count(name) > 1:
            place.fail(f"two columns are called {shown(name)}: rename one")


def _fields(row: Mapping[str, str], place: Place) -> dict[str, Any]:
    """Turn the cells of a row into what a JSON object would hold."""
    fields: dict[str, Any] = {}
    references: list[tuple[int, str]] = []
    for name, content in row.items():
        cell = content.strip()
        if name in (*INPUT_FIELDS, "original"):
            fields[name] = _items(cell, name, place)
        elif match := _REFERENCE.fullmatch(name):
            references.extend((int(match[1] or 0), text) for text in _texts(cell))
        elif name == "seen":
            fields[name] = _truth(cell, place)
        elif name in ("id", "text", "category"):
            fields[name] = cell
    if references:
        fields["references"] = [text for _, text in sorted(references, key=lambda pair: pair[0])]
    return fields


def _items(cell: str, name: str, place: Place) -> Any:
    if not cell:
        return None
    if _JSON.match(cell):
        try:
            return load_json(cell)
        except ValueError as error:
            place.fail(f"the JSON in column {name} cannot be read: {error}")
    items = [item for item in _BREAK.split(cell) if item.strip()]
    if name not in ("records", "table"):
        return items
    pairs = [[part.strip() for part in item.split("|", 1)] for item in items]
    for pair in pairs:
        if len(pair) != 2:
            place.fail(f"a record needs two parts, as in 'attribute | value', found {shown(pair[0])}")
    return pairs


def _texts(cell: str) -> list[str]:
    if not cell:
        return []
    if cell.startswith("["):
        try:
            texts = load_json(cell)
        except ValueError:
            return [cell]  # a text that begins with a bracket
        if all(isinstance(text, str) for text in texts):
            return list(texts)
    return [cell]


def _truth(cell: str, place: Place) -> bool | None:
    if not cell:
        return None
    value = _TRUTH.get(cell.lower())
    if value is None:
        place.fail(f"the column seen holds {shown(cell)}: write {' or '.join(_TRUTH)}")
    return value


def _rows(lines: Iterator[tuple[int, str]], delimiter: str, path: Path) -> Iterator[Row]:
    """Split lines into rows of cells (RFC 4180; a quote inside an unquoted cell is a character)."""
    for start, first in lines:
        place = Place(path, start)
        cells: list[str] = []
        line, at = first, 0
        while at >= 0:
            if line.startswith('"', at):
                cell, line, end = _quoted(line, at + 1, lines, place)
                if end < len(line) and not line.startswith(delimiter, end):
                    place.fail(
                        f"{shown(line[end:])} follows the closing quote of a cell: double the quotes that "
                        'belong to the text, as in "a ""quoted"" word"'
                    )
                at = end + 1 if end < len(line) else -1
            else:
                end = line.find(delimiter, at)
                cell = line[at:end] if end >= 0 else line[at:]
                at = end + 1 if end >= 0 else -1
            cells.append(cell)
        yield Row(start, cells)


def _quoted(line: str, at: int, lines: Iterator[tuple[int, str]], place: Place) -> tuple[str, str, int]:
    """Read a cell after its opening quote; return it with the line and the position where it ends."""
    pieces: list[str] = []
    size = 0
    while True:
        end = line.find('"', at)
        piece = line[at:end] if end >= 0 else line[at:] + "\n"
        pieces.append(piece)
        size += len(piece)
        if size > MAX_FIELD_CHARACTERS:
            place.fail(f"a cell has more than {MAX_FIELD_CHARACTERS:,} characters: is its quote not closed?")
        if end < 0:
            following = next(lines, None)
            if following is None:
                place.fail(
                    "a cell begins with a quote that is never closed: close it, or double and enclose it"
                )
            line, at = following[1], 0
        elif line.startswith('"', end + 1):
            pieces.append('"')
            at = end + 2
        else:
            return "".join(pieces), line, end + 1
