"""Spreadsheets: CSV with a header, one example per row.

Columns (see ``docs/formats.md``): ``triples``, ``records`` or ``data``, and if wanted ``id``, ``text``,
``references`` (or ``reference``, ``reference_1``, ``reference_2``, ...), ``category``, ``seen``,
``original``. Others are skipped. Where none of the first three is there, the table is wide: every column that
is not one of the rest is an attribute.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from esascore.errors import DataError
from esascore.readers.fields import DATA_FIELDS, INPUT_FIELDS, RESERVED_FIELDS, load_json, make_example
from esascore.readers.lines import iter_lines
from esascore.readers.located import MAX_FIELD_CHARACTERS, Located, Place, shown

DELIMITERS = (",", ";", "\t")
_NAMES = {",": "comma", ";": "semicolon", "\t": "tab"}
_BREAK = re.compile(r"\n|<br\s*/?>", re.IGNORECASE)
_JSON = re.compile(r'\[\s*(?:[\[{"]|\]$)|\{\s*["}]')
_PRINTED = re.compile(r"""\[\s*['"(].*['")]\s*\]""", re.DOTALL)
_REFERENCE = re.compile(r"references?(?:_([0-9]+))?")
_TRUTH: Mapping[str, bool] = {
    **dict.fromkeys(("true", "yes", "1", "seen"), True),
    **dict.fromkeys(("false", "no", "0", "unseen"), False),
}


def read(path: Path) -> Iterator[Located]:
    """Read one example per row; rows without any content are skipped."""
    for number, (place, row) in enumerate(_records(path, INPUT_FIELDS), start=1):
        fields = fields_of_cells(row, place)
        if not any(name in row for name in INPUT_FIELDS):
            fields["data"] = _attributes(row, place)
        yield Located(make_example(fields, number, place), place)


def read_rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Read a CSV file of any content: per row its line and its cells by column; blank rows are skipped.

    Raises
    ------
    DataError
        The file is empty, two columns share a name, or a row has another number of cells than the header.
    """
    for place, row in _records(path, ()):
        yield place.line, row


def delimiter_of(header: str, wanted: Sequence[str] = INPUT_FIELDS) -> str:
    r"""Guess the delimiter: the one that yields the most columns, a wanted one among them if possible.

    Examples
    --------
    >>> delimiter_of("id;triples;text"), delimiter_of("id\ttriples")
    (';', '\t')
    """

    def merit(delimiter: str) -> tuple[bool, int]:
        names = [column_name(cell.strip('"')) for cell in header.split(delimiter)]
        return any(name in wanted for name in names), len(names)

    return max(DELIMITERS, key=merit)  # max keeps the first of equals


def column_name(cell: str) -> str:
    """Return a header's cell in the spelling that column names have: `` Reference 1`` is ``reference_1``."""
    return re.sub(r"[\s-]+", "_", cell.strip().lower())


def _records(path: Path, wanted: Sequence[str]) -> Iterator[tuple[Place, dict[str, str]]]:
    """Read the cells of each row by column.

    If there are wanted columns, one of them has to be there, or one that is not reserved: an attribute, which
    keeps its spelling.
    """
    lines = iter_lines(path)
    first = next(lines, None)
    if first is None:
        example = ", as in id,triples,text" if wanted else ""
        raise DataError(f"the file is empty: a header is needed{example}", file=path)
    delimiter = delimiter_of(first[1], wanted)
    rows = _rows(chain([first], lines), delimiter, path)
    place, header = next(rows)
    columns = [column_name(cell) for cell in header]
    if wanted and not any(name in wanted for name in columns):
        columns = [
            name if is_reserved(name) else " ".join(cell.split())
            for name, cell in zip(columns, header, strict=True)
        ]
    if wanted and all(not name or is_reserved(name) for name in columns):
        place.fail(
            f"no column {', '.join(wanted)} or of an attribute: the header, split at every "
            f"{_NAMES[delimiter]}, has {shown(', '.join(columns))}"
        )
    for name, number in Counter(columns).items():
        if number > 1 and (name or not wanted):
            place.fail(f"two columns are called {shown(name)}: rename one")
    for place, cells in rows:
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) != len(columns):
            place.fail(
                f"the row has {len(cells)} cells, the header {len(columns)}: "
                f'put cells that contain a {_NAMES[delimiter]} or a line break into "quotes"'
            )
        yield place, dict(zip(columns, cells, strict=True))


def _rows(lines: Iterator[tuple[int, str]], delimiter: str, path: Path) -> Iterator[tuple[Place, list[str]]]:
    """Split lines into rows of cells, each with the place where it begins."""
    line = ""

    def texts() -> Iterator[str]:
        nonlocal line
        for _, line in lines:
            yield line + "\n"

    reader = csv.reader(texts(), delimiter=delimiter, strict=True)
    while True:
        place = Place(path, reader.line_num + 1)
        limit = csv.field_size_limit(MAX_FIELD_CHARACTERS)  # one for the whole process
        try:
            row = next(reader, None)
        except csv.Error as error:
            place.fail(_explained(str(error), line, delimiter))
        finally:
            csv.field_size_limit(limit)
        if row is None:
            return
        yield place, row


def _explained(reason: str, line: str, delimiter: str) -> str:
    if reason.startswith("field larger"):
        return f"a cell has more than {MAX_FIELD_CHARACTERS:,} characters: is a closing quote missing?"
    if reason.startswith("unexpected end"):
        return "a cell begins with a quote that is never closed: close it, or double and enclose it"
    if reason.startswith("new-line"):
        return 'a cell contains a carriage return: put cells with line breaks into "quotes"'
    rest = re.search(rf'(?<=[^"{delimiter}])"(?:"")*([^"{delimiter}].*)', line)
    return (
        f"{shown(rest[1] if rest else line)} follows the closing quote of a cell: double the quotes that "
        'belong to the text, as in "a ""quoted"" word"'
    )


def is_reserved(name: str) -> bool:
    """Return whether a column is a field of an example that is not its input."""
    return name in RESERVED_FIELDS or _REFERENCE.fullmatch(name) is not None


def _attributes(row: Mapping[str, str], place: Place) -> dict[str, Any]:
    """Return the attributes of a wide row; a cell may hold a list or an object."""
    given = {name: cell.strip() for name, cell in row.items() if name and not is_reserved(name)}
    return {
        name: _json(cell, name, place) if _JSON.match(cell) else cell for name, cell in given.items() if cell
    }


def fields_of_cells(row: Mapping[str, str], place: Place) -> dict[str, Any]:
    """Turn the cells of a row into what a JSON object would hold."""
    fields: dict[str, Any] = {}
    references: list[tuple[int, str]] = []
    for name, content in row.items():
        cell = content.strip()
        if name in (*INPUT_FIELDS, "original"):
            fields[name] = _items(cell, name, place)
        elif match := _REFERENCE.fullmatch(name):
            references.extend((int(match[1] or 0), text) for text in _texts(cell, name, place))
        elif name == "seen":
            if cell and cell.lower() not in _TRUTH:
                place.fail(f"the column seen contains {shown(cell)}: write {' or '.join(_TRUTH)}")
            fields[name] = _TRUTH.get(cell.lower())
        elif name in ("id", "text", "category", "input"):
            fields[name] = cell
    if references:
        fields["references"] = [text for _, text in sorted(references, key=lambda pair: pair[0])]
    return fields


def _items(cell: str, name: str, place: Place) -> Any:
    if not cell:
        return None
    if _JSON.match(cell) or name in DATA_FIELDS:
        return _json(cell, name, place)
    _refuse_printed(cell, name, place)
    items = [item for item in _BREAK.split(cell) if item.strip()]
    if name not in ("records", "table"):
        return items
    pairs = [[part.strip() for part in item.split("|", 1)] for item in items]
    for pair in pairs:
        if len(pair) != 2:
            place.fail(f"a record needs two parts, as in 'attribute | value', found {shown(pair[0])}")
    return pairs


def _json(cell: str, name: str, place: Place) -> Any:
    try:
        return load_json(cell)
    except ValueError as error:
        place.fail(f"the JSON in column {name} cannot be read: {error}")


def _refuse_printed(cell: str, name: str, place: Place) -> None:
    """Reject a list as ``str`` writes it: quotes and brackets would become part of terms and texts."""
    if _PRINTED.fullmatch(cell):
        place.fail(f"the column {name} contains a list as Python prints it: write it as JSON (json.dumps)")


def _texts(cell: str, name: str, place: Place) -> list[str]:
    if not cell.startswith("["):
        return [cell] if cell else []
    try:
        texts = load_json(cell)
    except ValueError:
        _refuse_printed(cell, name, place)
        return [cell]  # a text that begins with a bracket
    return texts if all(isinstance(text, str) for text in texts) else [cell]
