"""JSON objects, one per line: what JSON lines and ToTTo have in common."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from esascore.readers.fields import load_json
from esascore.readers.lines import iter_lines
from esascore.readers.located import Place


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
