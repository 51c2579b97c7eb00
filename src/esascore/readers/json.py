"""JSON files that hold one array: its objects are what JSON lines have one per line.

An object without ``triples``, ``records`` or ``data`` is data itself: what is not a field of an example, such
as ``id`` and ``text``, is an attribute.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from esascore.errors import DataError
from esascore.readers.fields import decoder, make_example, with_data, without_surrogates
from esascore.readers.lines import opened, without_mark
from esascore.readers.located import MAX_JSON_BYTES, Located, Place

_WHITE = " \t\n\r"


def read(path: Path) -> Iterator[Located]:
    """Read one example per object of the array."""
    for number, (place, fields) in enumerate(iter_array(path), start=1):
        yield Located(make_example(with_data(fields), number, place), place)


def iter_array(path: Path) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Yield each object of the array with the line where it begins.

    Raises
    ------
    DataError
        The file is not one array of objects.
    """
    text = _text(path)
    decode = decoder().raw_decode
    position, line = _skipped(text, 0), 1
    if text[position : position + 1] != "[":
        Place(path, 1).fail("an array of objects is needed: [{...}, {...}]")
    done, position = 0, _skipped(text, position + 1)
    if text[position : position + 1] == "]":
        return
    while True:
        line += text.count("\n", done, position)
        done, place = position, Place(path, line)
        try:
            fields, position = decode(text, position)
        except ValueError as error:
            place.fail(f"not JSON ({error}): correct the object that begins here")
        except RecursionError:
            place.fail("not JSON (it is nested too deeply): correct the object that begins here")
        if not isinstance(fields, dict):
            place.fail("an array of objects is needed: [{...}, {...}]")
        yield place, without_surrogates(fields) if "\\u" in text else fields
        position = _skipped(text, position)
        if text[position : position + 1] != ",":
            break
        position = _skipped(text, position + 1)
    if text[position : position + 1] != "]" or text[position + 1 :].strip(_WHITE):
        Place(path, line + text.count("\n", done, position)).fail(
            "the array ends with ] and nothing follows it: a comma or a bracket is missing here"
        )


def _text(path: Path) -> str:
    with opened(path) as file:
        raw = file.read(MAX_JSON_BYTES + 1)
    if len(raw) > MAX_JSON_BYTES:
        limit = MAX_JSON_BYTES // 2**20
        raise DataError(f"the file has more than {limit} MiB: write one object per line instead", file=path)
    try:
        return without_mark(raw, path).decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise DataError("the file is not UTF-8: convert it", file=path, line=line) from None


def _skipped(text: str, position: int) -> int:
    while position < len(text) and text[position] in _WHITE:
        position += 1
    return position
