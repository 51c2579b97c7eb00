"""The fields that JSONL objects and CSV rows share, from values of unknown type to the model."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from math import isinf
from typing import Any, NoReturn

from esascore.errors import UsageError, misspelt
from esascore.label import label
from esascore.model import Cell, Example, Input, Reference, Triple
from esascore.readers.located import Place, check_size, make_triple, parse_triple, shown

TRIPLE_FIELDS = ("triples",)
RECORD_FIELDS = ("records", "table")
DATA_FIELDS = ("data",)
REFERENCE_FIELDS = ("references", "reference")
INPUT_FIELDS = TRIPLE_FIELDS + RECORD_FIELDS + DATA_FIELDS
RESERVED_FIELDS = (*REFERENCE_FIELDS, "id", "system", "text", "category", "seen", "input", "original")
"""Fields and columns that are never attributes."""

_SURROGATES = re.compile("[\ud800-\udfff]")
_ALMOST = 0.8  # "metadata" and "dates" are attributes, "tripels" is no word
_KINDS = {bool: "a boolean", int: "a number", float: "a number", list: "a list", dict: "an object"}
NONE = type(None)
_TRIPLE_FORMS = '["s", "p", "o"], "s | p | o" or {"subject": ..., "predicate": ..., "object": ...}'


def load_json(text: str) -> Any:
    r"""Parse JSON strictly: no NaN or Infinity, no number beyond all others, no field twice in one object.

    An escaped half of a surrogate pair (``\ud83d`` alone, left by a text that was cut) is no
    character; it becomes U+FFFD, which keeps all offsets.

    Raises
    ------
    ValueError
        This is not JSON; the message says why.

    Examples
    --------
    >>> load_json('{"a": [1, "\\ud800!"]}')
    {'a': [1, '\ufffd!']}
    """
    try:
        value = decoder().decode(text)
        return without_surrogates(value) if "\\u" in text else value
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def decoder() -> json.JSONDecoder:
    """Return a strict decoder, as `load_json` has it."""
    return json.JSONDecoder(
        parse_float=_finite, parse_constant=_no_constant, object_pairs_hook=_no_repetition
    )


def with_data(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of an example; without an input, everything that is not a field is its data.

    A list or an object whose name is almost that of an input is a misspelt input.

    Examples
    --------
    >>> with_data({"id": "a", "title": "Blue Inn", "text": "It is blue."})
    {'id': 'a', 'text': 'It is blue.', 'data': {'title': 'Blue Inn'}}
    """
    own = {name: value for name, value in fields.items() if name not in RESERVED_FIELDS}
    nested = [name for name, value in own.items() if isinstance(value, list | dict)]
    if not own or any(name in own for name in INPUT_FIELDS) or misspelt(INPUT_FIELDS, nested, _ALMOST):
        return fields
    return {**{name: value for name, value in fields.items() if name in RESERVED_FIELDS}, "data": own}


def make_example(fields: Mapping[str, Any], number: int, place: Place) -> Example:
    """Make an example of the fields of a JSON object; absent fields may be missing or null."""
    given = [name for name in INPUT_FIELDS if fields.get(name) is not None]
    if len(given) > 1:
        place.fail(f"{' and '.join(given)} are both given: keep one")
    if not given:
        empty = next((name for name in INPUT_FIELDS if name in fields), None)
        if empty:
            place.fail(f"{empty} is empty: fill it in, or write [] for an empty input")
        near = misspelt(INPUT_FIELDS, fields)
        place.fail(f"{' or '.join(INPUT_FIELDS)} is missing: found {_names(fields)}{near}")
    value = fields[given[0]]
    category = optional_string(fields, "category", place) or None
    if given[0] in TRIPLE_FIELDS:
        source = Input.from_triples(_triples(value, "triples", place), category)
    elif given[0] in DATA_FIELDS:
        try:
            source = Input.from_data(value, category)
        except UsageError as error:
            place.fail(str(error))
        check_size(source.size, place)
    else:
        source = Input.from_table(_cells(value, given[0], place), category=category)
    source = source.linked(_links(fields.get("links"), place))
    original = fields.get("original")
    return Example(
        id=whole_id(fields.get("id"), place) or f"Id{number}",
        input=source,
        references=_references(fields, place),
        size=source.size,
        original=None if original is None else Input.from_triples(_triples(original, "original", place)),
        # A field with null means a system that gave nothing; without the field there is no system.
        text=(optional_string(fields, "text", place) or "") if "text" in fields else None,
        seen=typed(fields.get("seen"), "seen must be true or false", place, bool, NONE),
        input_text=optional_string(fields, "input", place) or None,
    )


def _links(value: Any, place: Place) -> Iterator[tuple[str, str]]:
    """Yield the other names that a field gives: ``[["Abilene,_Texas", "sameAs", "Абилин"], ...]``."""
    for item in typed(value, "links must be a list", place, list, NONE) or ():
        triple = _triple(item, place)
        yield triple.subject, label(triple.object)


def _triples(value: Any, name: str, place: Place) -> tuple[Triple, ...]:
    check_size(len(typed(value, f"{name} must be a list", place, list)), place)
    return tuple(_triple(item, place) for item in value)


def _triple(item: Any, place: Place) -> Triple:
    if isinstance(item, str):
        return parse_triple(item, place)
    if isinstance(item, dict):
        predicate = "property" if "property" in item and "predicate" not in item else "predicate"
        missing = [name for name in ("subject", predicate, "object") if name not in item]
        if missing:
            place.fail(f"a triple needs three parts, {' and '.join(missing)} missing in {_json(item)}")
        parts = [item["subject"], item[predicate], item["object"]]
    else:
        parts = typed(item, f"a triple is {_TRIPLE_FORMS}", place, list)
        if len(parts) != 3:
            place.fail(f"a triple needs three parts, found {len(parts)} in {_json(item)}")
    return make_triple(_strings(parts, "the parts of a triple", item, place), place)


def _cells(value: Any, name: str, place: Place) -> tuple[Cell, ...]:
    typed(value, f"{name} must be a list of [attribute, value] pairs or an object", place, list, dict)
    if isinstance(value, dict):
        pairs = [list(pair) for pair in value.items()]
    elif _is_grid(value):
        return _grid(value, place)
    else:
        pairs = [_pair(item, name, place) for item in value]
    check_size(len(pairs), place)
    for pair in pairs:
        _strings(pair, "attributes and values", pair, place)
    return tuple(Cell(cell.strip(), key.strip(), row=row) for row, (key, cell) in enumerate(pairs))


def _is_grid(rows: list[Any]) -> bool:
    """Return whether items are the rows of a table, of equal length; two cells in each are pairs instead."""
    lengths = {len(row) if isinstance(row, list) else 0 for row in rows}
    return len(rows) > 1 and len(lengths) == 1 and min(lengths) > 2


def _grid(rows: list[list[Any]], place: Place) -> tuple[Cell, ...]:
    """Make cells of rows whose first is the header."""
    check_size(sum(map(len, rows)), place)
    written = [[_cell(cell, place) for cell in row] for row in rows]
    header, *body = written
    top = tuple(Cell(name, highlighted=False, is_header=True, column=n) for n, name in enumerate(header))
    return top + tuple(
        Cell(value, header[column], row=row, column=column)
        for row, cells in enumerate(body, start=1)
        for column, value in enumerate(cells)
    )


def _cell(cell: Any, place: Place) -> str:
    if isinstance(cell, dict | list):
        place.fail(f"the cells of a table must be strings or numbers, found {_kind(cell)} in {_json(cell)}")
    return "" if cell is None else str(cell).strip()


def _pair(item: Any, name: str, place: Place) -> list[Any]:
    if isinstance(item, dict) and {"attribute", "value"} <= item.keys():
        return [item["attribute"], item["value"]]
    if not isinstance(item, list) or len(item) != 2:
        place.fail(f'an item of {name} is ["attribute", "value"], found {_json(item)}')
    return item


def _references(fields: Mapping[str, Any], place: Place) -> tuple[Reference, ...]:
    given = [name for name in REFERENCE_FIELDS if fields.get(name) is not None]
    if not given:
        return ()
    if len(given) > 1:
        place.fail("the fields reference and references are both given: keep one")
    value = fields[given[0]]
    texts = [value] if isinstance(value, str) else value
    typed(texts, f"{given[0]} must be a text or a list of texts", place, list)
    for text in texts:
        typed(text, f"{given[0]} must contain only texts", place, str)
    return tuple(Reference(f"Id{number}", text.strip()) for number, text in enumerate(texts, 1))


def whole_id(value: Any, place: Place) -> str | None:
    """Return an id, a string or an integer, as a string; None if it is empty."""
    if typed(value, "id must be a string or an integer", place, str, int, NONE) is None:
        return None
    return str(value).strip() or None


def optional_string(fields: Mapping[str, Any], name: str, place: Place) -> str | None:
    """Return a field that holds a string, without white space around it; None if it is absent or null."""
    value = typed(fields.get(name), f"{name} must be a string", place, str, NONE)
    return None if value is None else value.strip()


def typed(value: Any, told: str, place: Place, *kinds: type) -> Any:
    """Return a value of one of some kinds, where booleans are not integers; ``told`` says what it must be."""
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        place.fail(f"{told}, found {_kind(value)}")
    return value


def _strings(parts: list[Any], what: str, whole: Any, place: Place) -> list[Any]:
    for part in parts:
        if not isinstance(part, str):
            place.fail(f"{what} must be strings, found {_kind(part)} in {_json(whole)}")
    return parts


def _finite(number: str) -> float:
    if isinf(value := float(number)):
        raise ValueError(f"{shown(number)} is too large for a number")
    return value


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _no_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        numbers = Counter(name for name, _ in pairs)
        twice = next(name for name, number in numbers.items() if number > 1)
        raise ValueError(f"the field {shown(twice)} is given twice")
    return found


def without_surrogates(value: Any) -> Any:
    """Replace what is half a character in the strings of a JSON value."""
    if isinstance(value, str):
        return _SURROGATES.sub("\ufffd", value)
    if isinstance(value, list):
        return [without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {without_surrogates(name): without_surrogates(item) for name, item in value.items()}
    return value


def _kind(value: Any) -> str:
    return shown(value) if isinstance(value, str) else _KINDS.get(type(value), "null")


def _json(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return "something nested too deeply"
    return text if len(text) <= 80 else text[:79] + "…"


def _names(fields: Mapping[str, Any]) -> str:
    return shown(", ".join(fields)) if fields else "no field"
