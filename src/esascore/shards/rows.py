"""Rows of a unit: each a text of a system with its example, or what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from esascore.data import matches
from esascore.errors import DataError, UsageError, misspelt
from esascore.model import Example
from esascore.readers.choice import Choice, paths_of
from esascore.readers.fields import make_example, optional_string, whole_id
from esascore.readers.jsonl import WANTED
from esascore.readers.lines import decoded
from esascore.readers.located import Place
from esascore.readers.objects import object_of
from esascore.readers.rows import example_of_row
from esascore.shards.units import Content, Unit

SYSTEM = "system"
"""The name of the system whose rows have none: how files are cut must not make systems."""


@dataclass(frozen=True, slots=True)
class Row:
    """A text of a system with its example; ``number`` counts the rows of the unit from 1."""

    number: int
    system: str
    example: Example
    text: str


@dataclass(frozen=True, slots=True)
class Malformed:
    """A row that cannot be scored, and why."""

    number: int
    reason: str


class Chosen:
    """What of the inputs counts, and which patterns of attributes fit any."""

    def __init__(self, choice: Choice):
        self._choice = choice
        self.unfit = {*choice.optional, *choice.ignored}

    def of(self, example: Example) -> Example:
        """Return an example whose input is what counts of it."""
        if self.unfit:
            paths = list(paths_of(example.input))
            self.unfit = {one for one in self.unfit if not any(matches([one], path) for path in paths)}
        return self._choice.of(example)


def rows_of(unit: Unit, content: Content, choice: Chosen) -> Iterator[Row | Malformed]:
    """Yield the rows of a unit; empty lines are none.

    A row that has the system and the id of an earlier one is malformed, since figures would count it twice.
    """
    seen: dict[tuple[str, str], int] = {}
    for row in _rows(unit, content, choice):
        if isinstance(row, Row):
            first = seen.setdefault((row.system, row.example.id), row.number)
            if first != row.number:
                yield Malformed(
                    row.number,
                    f"system {row.system!r} already has a row with the id {row.example.id!r}, "
                    f"{row.number - first} before this one",
                )
                continue
        yield row


def _rows(unit: Unit, content: Content, choice: Chosen) -> Iterator[Row | Malformed]:
    if unit.kind == "jsonl":
        for number, raw in enumerate(content.lines(), 1):
            if raw.strip():
                try:
                    place = Place(unit.file, number)
                    fields = object_of(decoded(raw, Path(unit.file), number), place, WANTED)
                    yield row_of(fields, number, place, choice)
                except DataError as error:
                    yield Malformed(number, error.problem)
        return
    for number, cells in enumerate(content.rows(), 1):
        if isinstance(cells, ValueError):
            yield Malformed(number, str(cells))
            continue
        try:
            yield row_of(cells, number, Place(unit.file, number), choice, cells=True)
        except (DataError, UsageError) as error:
            yield Malformed(number, error.problem if isinstance(error, DataError) else str(error))


def row_of(fields: dict[str, Any], number: int, place: Place, choice: Chosen, *, cells: bool = False) -> Row:
    """Make a row of fields; those of a table (``cells``) may hold what the cells of a CSV file do.

    Raises
    ------
    DataError
        It has no id or no text, or is no example.

    Examples
    --------
    >>> fields = {"id": 7, "system": "bt5", "text": "Hi.", "triples": ["Bionico | country | Mexico"]}
    >>> row = row_of(fields, 1, Place("rows.jsonl", 1), Chosen(Choice()))
    >>> row.system, row.example.id, row.text
    ('bt5', '7', 'Hi.')
    """
    if "text" not in fields:
        place.fail(f"text is missing{misspelt(['text'], fields)}: each row holds one text of a system")
    text = optional_string(fields, "text", place) or ""
    if whole_id(fields.get("id"), place) is None:
        place.fail("id is missing: with --out rows are known by their system and id")
    name = fields.get("system")
    system = SYSTEM if name is None else _system(name, place)
    own = {key: value for key, value in fields.items() if key not in ("text", "system")}
    example = example_of_row(own, number, place) if cells else make_example(own, number, place)
    return Row(number, system, choice.of(example), text)


def _system(name: Any, place: Place) -> str:
    if isinstance(name, bool) or not isinstance(name, str | int):
        place.fail(f"system must be a string, found {name!r:.40}")
    return str(name).strip() or SYSTEM
