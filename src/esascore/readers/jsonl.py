"""JSON lines: one object per example.

Fields (see ``docs/formats.md``): ``triples``, ``records`` or ``data``, and if wanted ``id``, ``text``,
``references``, ``category``, ``seen``, ``original``. Others are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from esascore.readers.fields import make_example
from esascore.readers.located import Located
from esascore.readers.objects import iter_objects

WANTED = 'in {"triples": [["s", "p", "o"]]}'
"""What the object of a line looks like."""


def read(path: Path) -> Iterator[Located]:
    """Read one example per line; lines of white space only are skipped."""
    objects = iter_objects(path, WANTED)
    for number, (place, fields) in enumerate(objects, start=1):
        yield Located(make_example(fields, number, place), place)
