"""JSON lines: one object an example.

Fields (see ``docs/formats.md``): ``triples`` or ``records``, and if wanted ``id``, ``text``,
``references``, ``category``, ``seen``, ``original``. Others are passed over.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from esascore.readers.fields import Place, load_json, make_example
from esascore.readers.lines import iter_lines
from esascore.readers.located import Located


def read(path: Path) -> Iterator[Located]:
    """Read one example a line; lines of white space only are passed over."""
    number = 0
    for line, text in iter_lines(path):
        if not text.strip():
            continue
        place = Place(path, line)
        try:
            fields = load_json(text)
        except json.JSONDecodeError as error:
            place.fail(f"not JSON ({error.msg} at column {error.colno}): one whole object a line is needed")
        except ValueError as error:
            place.fail(f"not JSON ({error}): correct the line")
        if not isinstance(fields, dict):
            place.fail('one JSON object a line is needed, as in {"triples": [["s", "p", "o"]]}')
        number += 1
        yield Located(make_example(fields, number, place), path, line)
