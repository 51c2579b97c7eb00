"""Corpora that are in memory: rows of a DataFrame, an Arrow table or a Dataset, dicts, triples, inputs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import Enum
from typing import Any

from esascore.data import Data
from esascore.errors import DataError, UsageError, did_you_mean
from esascore.model import Cell, Example, Input, Table, Triple
from esascore.readers.csv import column_name, fields_of_cells
from esascore.readers.fields import INPUT_FIELDS, RECORD_FIELDS, RESERVED_FIELDS, make_example, with_data
from esascore.readers.located import Place

_WHERE = "row"


def read_rows(rows: Any, columns: Mapping[str, str] | None = None) -> list[Example]:
    """Make a corpus from Python objects.

    Parameters
    ----------
    rows
        A pandas DataFrame, an Arrow table, a Hugging Face Dataset, or a list. Items of a list are examples,
        inputs, lists of triples, or dicts. Rows and dicts have the fields of JSON lines (``triples``,
        ``records`` or ``data``, ``id``, ``text``, ``references``, ...); without any of the first three every
        other field is an attribute.
    columns
        Name of a field -> the column that holds it, where they differ.

    Raises
    ------
    DataError
        A row is not as described (the message says which), or an id is given twice.
    UsageError
        The object is not a corpus, or it has no such column.

    Examples
    --------
    >>> corpus = read_rows([["Bionico | country | Mexico"], {"id": "b", "name": "Blue Spice", "stars": 3}])
    >>> [(example.id, [entity.term for entity in example.input.entities]) for example in corpus]
    [('Id1', ['Bionico', 'Mexico']), ('b', ['Blue Spice', '3'])]
    """
    fields = (*INPUT_FIELDS, *RESERVED_FIELDS)
    for field in columns or ():  # otherwise a misspelt one would become an attribute, and be scored
        if field not in fields:
            raise UsageError(f"there is no field {field!r} for a column to hold{did_you_mean(field, fields)}")
    examples: list[Example] = []
    seen: dict[str, int] = {}
    for number, row in enumerate(_listed(rows), 1):
        place = Place(_WHERE, number)
        example = row if isinstance(row, Example) else example_of_row(_renamed(row, columns), number, place)
        if example.id in seen:
            place.fail(f"the id {example.id!r} is already used in row {seen[example.id]}")
        seen[example.id] = number
        examples.append(example)
    if not examples:
        raise DataError("the corpus contains no example")
    return examples


def as_input(data: Any) -> Input:
    """Make an input of a graph, table or example, of triples in any form, of pairs, or of any data.

    All of a dict is data, unless it is a row: ``triples``, ``records``, ``table`` or ``data``, and nothing
    beside it that rows do not have.

    Raises
    ------
    DataError
        A triple does not have three parts.
    UsageError
        The object cannot be data.

    Examples
    --------
    >>> as_input(["Bionico | country | Mexico", ("Bionico", "course", "Dessert")]).triples[1].object
    'Dessert'
    >>> as_input({"name": "Blue Spice", "stars": 3}).entities[1].term
    '3'
    >>> as_input([("name", "Blue Spice"), ("area", "riverside")]).facts[0].path
    'area'
    """
    if isinstance(data, Input):
        return data
    if isinstance(data, Example):
        return data.input
    if isinstance(data, Triple):
        return Input.from_triples([data])
    if isinstance(data, Data | Table):
        return Input(data)
    if isinstance(data, Mapping):
        if _is_row(data):
            return example_of_row(data, 1, Place(_WHERE, 1)).input
        return Input.from_data(plain_value(data))
    if _is_object(data):
        return Input.from_data(plain_value(data))
    items = _sequence(data)
    if items is None:
        raise UsageError(
            f"data must be triples, a dict, a Graph or a Table, not {type(data).__name__}: "
            "a triple is ('subject', 'predicate', 'object') or 'subject | predicate | object'"
        )
    if items and all(map(_is_pair, items)):
        return Input.from_table(Cell(str(value), str(name), row=n) for n, (name, value) in enumerate(items))
    if any(isinstance(item, Mapping) and "subject" not in item for item in items):
        return Input.from_data(plain_value(items))
    return Input.from_triples(items)


def _is_row(data: Mapping[Any, Any]) -> bool:
    """Return whether a dict is a row of a corpus, not data that happen to have a table."""
    given = [name for name in INPUT_FIELDS if name in data]
    if not given or not data.keys() <= {*INPUT_FIELDS, *RESERVED_FIELDS, "links", "language"}:
        return False
    objects = isinstance(data[given[0]], list) and any(isinstance(item, Mapping) for item in data[given[0]])
    return not (objects and given[0] in RECORD_FIELDS)


def example_of_row(row: Any, number: int, place: Place) -> Example:
    """Make an example of a row of a table, or of an input alone.

    Raises
    ------
    DataError
        The row is not as `read_rows` describes; the message gives the place.
    """
    if not isinstance(row, Mapping):
        try:
            source = as_input(row)
        except (DataError, UsageError) as error:
            place.fail(str(error))
        return Example(f"Id{number}", source, size=source.size)
    given = {str(name): plain_value(value) for name, value in row.items()}
    if isinstance(given.get("triples"), list):
        try:
            given["triples"] = plain_value(Input.from_triples(given["triples"]).triples)
        except DataError as error:
            place.fail(str(error))
    return example_of_plain_row(given, number, place)


def example_of_plain_row(row: Mapping[str, Any], number: int, place: Place) -> Example:
    """Make an example of a row of a table whose values are those of JSON.

    A string holds what a cell of a CSV file does: triples between line breaks, JSON, yes and no.
    """
    cells = {column_name(name): value for name, value in row.items() if isinstance(value, str)}
    read = fields_of_cells(cells, place)
    fields = {name: read.get(column_name(name), value) for name, value in row.items()} | read
    return make_example(with_data(fields), number, place)


def _listed(rows: Any) -> Iterable[Any]:
    """Return the rows of a table of whatever library, which is never imported here."""
    if isinstance(rows, str | bytes) or (isinstance(rows, Mapping) and not hasattr(rows, "column_names")):
        raise UsageError(
            f"a corpus is a path, a list or a table, not one {type(rows).__name__}: put it into [ ]"
        )
    if isinstance(rows, Mapping):
        raise UsageError(f"choose a split of the datasets: {', '.join(map(str, rows))}")
    if hasattr(rows, "to_pylist"):  # Arrow
        return list(rows.to_pylist())
    if hasattr(rows, "to_dict") and hasattr(rows, "columns"):  # pandas
        return list(rows.to_dict("records"))
    if not isinstance(rows, Iterable):
        raise UsageError(f"a corpus is a path, a list or a table, not {type(rows).__name__}")
    return rows


def _renamed(row: Any, columns: Mapping[str, str] | None) -> Any:
    if not columns or not isinstance(row, Mapping):
        return row
    for column in columns.values():
        if column not in row:
            raise UsageError(f"there is no column {column!r}{did_you_mean(column, map(str, row))}")
    taken = {column: field for field, column in columns.items()}
    kept = [name for name in row if name in taken or name not in columns]
    return {taken.get(name, name): row[name] for name in kept}


def _is_pair(item: Any) -> bool:
    parts = _sequence(item)
    return (
        parts is not None
        and len(parts) == 2
        and all(isinstance(part, str | int | float | Decimal) for part in parts)
    )


def _is_object(value: Any) -> bool:
    """Return whether a value is an instance of a dataclass or of a model of pydantic."""
    return not isinstance(value, type) and (is_dataclass(value) or hasattr(value, "model_dump"))


def _sequence(value: Any) -> list[Any] | None:
    """Return a list, tuple, array or iterator as a list; None for anything else."""
    if isinstance(value, str | bytes | Mapping):
        return None
    if hasattr(value, "tolist"):
        value = value.tolist()
    return list(value) if isinstance(value, list | tuple | Iterator) else None


def plain_value(value: Any) -> Any:
    """Return a value as JSON has it: no NumPy, no NaN, no dates of Python."""
    if isinstance(value, Triple):
        return [value.subject, value.predicate, value.object]
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return None if math.isnan(value) else float(value)
    if isinstance(value, Mapping):
        return {str(name): plain_value(item) for name, item in value.items()}
    items = _sequence(value)
    if items is not None:
        return [plain_value(item) for item in items]
    if isinstance(value, Enum):
        return plain_value(value.value)
    if hasattr(value, "model_dump"):  # of pydantic, which need not be installed
        return value.model_dump(mode="json")
    if _is_object(value):
        return {one.name: plain_value(getattr(value, one.name)) for one in fields(value)}
    if hasattr(value, "tolist"):  # a number of NumPy
        return plain_value(value.tolist())
    if type(value).__name__ in ("NAType", "NaTType"):  # of pandas, which need not be installed
        return None
    if hasattr(value, "total_seconds"):  # a duration; pandas has its own
        return f"{Decimal(repr(value.total_seconds())).normalize():f} s"
    if hasattr(value, "isoformat"):
        return str(value.isoformat())
    if isinstance(value, Decimal):
        return str(value)
    raise UsageError(f"data cannot hold a value of the type {type(value).__name__}")
