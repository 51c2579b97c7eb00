"""What readers of all formats share: places for messages, limits, and triples that are written as text.

Beyond a limit (but for `MOST_HELD`) a file is broken or hostile, and the error says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from os import PathLike
from pathlib import Path
from typing import NamedTuple, NoReturn

from esascore.data import SEPARATOR, Triple
from esascore.errors import DataError
from esascore.model import Example, triple_parts

MAX_LINE_BYTES = 64 * 2**20
"""Bytes of one line of an output, JSONL or records file."""

MAX_FIELD_CHARACTERS = 16 * 2**20
"""Characters of one CSV cell, or of the text of one XML element."""

MAX_TRIPLES = 50_000
"""Triples or cells of one example."""

MAX_XML_DEPTH = 64
"""Nesting of XML elements; WebNLG needs 6."""

MAX_RDF_BYTES = 256 * 2**20
"""Bytes of one RDF file, which is held in memory as a whole."""

MAX_JSON_BYTES = 256 * 2**20
"""Bytes of one JSON array, which is held in memory as a whole."""

MOST_HELD = 16 * 2**20
"""Bytes of a corpus or output up to which it stays in memory, where examples take about 15 times as much.

A larger one is read again when it is needed."""

_SHOWN = 60


class Place(NamedTuple):  # made for every element of a file
    """A line of a file, for errors about what is there."""

    file: str | PathLike[str]
    line: int

    def fail(self, problem: str) -> NoReturn:
        """Raise a `DataError` for this place."""
        raise DataError(problem, file=self.file, line=self.line) from None


class Located(NamedTuple):
    """An example and the place where it begins."""

    example: Example
    place: Place


Reader = Callable[[Path], Iterator[Located]]


def parse_triple(text: str, place: Place) -> Triple:
    """Read ``subject | predicate | object``.

    The separator is a bar between spaces; a bar without them belongs to its term. Exactly three parts
    are needed, except that an object in quotes may hold the separator itself. Surrounding white space
    of the parts is dropped, all else is kept as it stands.

    Raises
    ------
    DataError
        There are not three parts, or one is empty.

    Examples
    --------
    >>> place = Place("corpus.txt", 1)
    >>> parse_triple("Bionico | country | Mexico", place)
    Triple(subject='Bionico', predicate='country', object='Mexico')
    >>> parse_triple('Duo | name | "This | That"', place).object
    '"This | That"'
    """
    parts = triple_parts(text)
    if len(parts) != 3:
        place.fail(
            f"a triple needs three parts, as in 'subject | predicate | object', "
            f"found {len(parts) if text.strip() else 0} in {shown(text)}"
        )
    return make_triple(parts, place)


def make_triple(parts: list[str], place: Place) -> Triple:
    """Make a triple of three strings, none of which may be empty."""
    subject, predicate, object_ = parts[0].strip(), parts[1].strip(), parts[2].strip()
    if not (subject and predicate and object_):
        place.fail(f"a part of the triple {shown(SEPARATOR.join(parts))} is empty")
    return Triple(subject, predicate, object_)


def check_size(count: int, place: Place) -> None:
    """Reject an example with more triples or cells than `MAX_TRIPLES`."""
    if count > MAX_TRIPLES:
        place.fail(f"an example may have at most {MAX_TRIPLES:,} triples or cells")


def shown(text: str) -> str:
    """Quote a text for an error message: on one line, and not too long."""
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")
