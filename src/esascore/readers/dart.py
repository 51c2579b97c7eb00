"""DART's own JSON: an array of objects with ``tripleset`` and ``annotations``, the references."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from esascore.readers.fields import make_example
from esascore.readers.json import iter_array
from esascore.readers.located import Located, Place

MARK = '"tripleset"'
"""What distinguishes DART from other JSON."""


def read(path: Path) -> Iterator[Located]:
    """Read one example per set of triples."""
    for number, (place, fields) in enumerate(iter_array(path), start=1):
        if "tripleset" not in fields:
            place.fail("tripleset is missing")
        given = {"triples": fields["tripleset"], "references": _texts(fields, place)}
        yield Located(make_example(given, number, place), place)


def _texts(fields: Mapping[str, Any], place: Place) -> list[Any]:
    annotations = fields.get("annotations", [])
    if not isinstance(annotations, list) or not all(isinstance(one, dict) for one in annotations):
        place.fail("annotations must be a list of objects with a text")
    return [one["text"] for one in annotations if "text" in one]
