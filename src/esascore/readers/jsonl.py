"""JSON lines: one object per line, as JSON lines and ToTTo have them; one example each.

Fields (see ``docs/formats.md``): ``triples``, ``records`` or ``data``, and if wanted ``id``, ``text``,
``references``, ``category``, ``seen``, ``original``. Others are skipped. Where none of the first three is
there, an object is data itself: every field that is not one of the rest is an attribute.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from esascore.readers.fields import load_json, make_example, with_data
from esascore.readers.lines import iter_lines
from esascore.readers.located import Located, Place

WANTED = 'in {"triples": [["s", "p", "o"]]}'
"""What the object of a line looks like."""


def read(path: Path) -> Iterator[Located]:
    """Read one example per line; lines of white space only are skipped."""
    objects = iter_objects(path, WANTED)
    for number, (place, fields) in enumerate(objects, start=1):
        yield Located(make_example(with_data(fields), number, place), place)


def iter_objects(path: Path, wanted: str) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Yield each object with its place; lines of white space only are skipped.

    ``wanted`` ends the message for a line that holds something else: what its objects look like.
    """
    for line, text in iter_lines(path):
        if not text.strip():
            continue
        place = Place(path, line)
        yield place, object_of(text, place, wanted)


def object_of(text: str, place: Place, wanted: str) -> dict[str, Any]:
    """Return the object that one line holds; ``wanted`` is as for `iter_objects`."""
    try:
        fields = load_json(text)
    except json.JSONDecodeError as error:
        place.fail(f"not JSON ({error.msg} at column {error.colno}): one whole object per line is needed")
    except ValueError as error:
        place.fail(f"not JSON ({error}): correct the line")
    if not isinstance(fields, dict):
        place.fail(f"one JSON object per line is needed, as {wanted}")
    return fields
