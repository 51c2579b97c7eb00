"""Rows of files and tables: each a text of a system with its example, or what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from esascore.data import matches
from esascore.errors import DataError, UsageError, misspelt
from esascore.model import Example
from esascore.readers.choice import Choice, paths_of
from esascore.readers.fields import make_example, optional_string, whole_id, with_data
from esascore.readers.located import Place
from esascore.readers.rows import example_of_row
from esascore.run.blocks import Row, size_of_row
from esascore.run.units import Content

SYSTEM = "system"
"""The name of the system for rows without one: the division into files must not make systems."""


@dataclass(frozen=True, slots=True)
class TextRow:
    """A text of a system with its example; ``number`` counts the rows of a unit from 1."""

    number: int
    system: str
    example: Example
    text: str


@dataclass(frozen=True, slots=True)
class Malformed:
    """A row that cannot be scored, and why."""

    number: int
    error: Exception

    @property
    def reason(self) -> str:
        """The problem, without its place."""
        return self.error.problem if isinstance(self.error, DataError) else str(self.error)


AnyRow = TextRow | Malformed


def size_of(row: AnyRow) -> tuple[int, int]:
    """Return how many texts a row has, and what it weighs (`esascore.run.blocks`)."""
    return (0, 0) if isinstance(row, Malformed) else size_of_row((row.example, (row.text,)))


def pairs(rows: Iterable[AnyRow]) -> list[Row]:
    """Return examples with a text each; equal ones are one object, whose texts are looked at together."""
    owners: dict[Example, Example] = {}
    good = (row for row in rows if isinstance(row, TextRow))
    return [(owners.setdefault(row.example, row.example), (row.text,)) for row in good]


class Chosen:
    """Which part of the inputs counts, and which patterns have matched no attribute yet."""

    def __init__(self, choice: Choice):
        self._choice = choice
        self.unfit = {*choice.optional, *choice.ignored}

    def of(self, example: Example) -> Example:
        """Return the example with only the part of its input that counts."""
        if self.unfit:
            paths = list(paths_of(example.input))
            self.unfit = {one for one in self.unfit if not any(matches([one], path) for path in paths)}
        return self._choice.of(example)


def text_rows(
    fields: Iterable[tuple[int, dict[str, Any] | Exception]], file: str, choice: Chosen, *, cells: bool
) -> Iterator[AnyRow]:
    """Make rows of numbered fields; those of a table (``cells``) may hold what cells of a CSV file do.

    Examples
    --------
    >>> fields = {"id": 7, "system": "bt5", "text": "Hi.", "triples": ["Bionico | country | Mexico"]}
    >>> good, bad = text_rows([(1, fields), (2, {"id": 8})], "rows.jsonl", Chosen(Choice()), cells=False)
    >>> good.system, good.example.id, good.text, bad.reason[:15]
    ('bt5', '7', 'Hi.', 'text is missing')
    """
    known: dict[str, Example] = {}
    for number, own in fields:
        try:
            if isinstance(own, Exception):
                raise own
            yield _row(own, number, Place(file, number), choice, cells, known)
        except (DataError, UsageError, ValueError) as error:
            yield Malformed(number, error)


def rows_of(content: Content, choice: Chosen) -> Iterator[AnyRow]:
    """Make the rows of a unit.

    A row that has the system and the id of an earlier one is malformed, since figures would count it twice.
    """
    seen: dict[tuple[str, str], int] = {}
    for row in text_rows(content.fields(), content.file, choice, cells=content.has_cells):
        if isinstance(row, TextRow):
            first = seen.setdefault((row.system, row.example.id), row.number)
            if first != row.number:
                before = f"{row.number - first} before this one"
                told = f"system {row.system!r} already has a row with the id {row.example.id!r}, {before}"
                yield Malformed(row.number, DataError(told))
                continue
        yield row


def _row(
    fields: dict[str, Any], number: int, place: Place, choice: Chosen, cells: bool, known: dict[str, Example]
) -> TextRow:
    if "text" not in fields:
        place.fail(f"text is missing{misspelt(['text'], fields)}: each row holds one text of a system")
    text = optional_string(fields, "text", place) or ""
    id_ = whole_id(fields.get("id"), place)
    if id_ is None:
        place.fail("id is missing: with --out, system and id identify a row")
    name = fields.get("system")
    if name is not None and (isinstance(name, bool) or not isinstance(name, str | int)):
        place.fail(f"system must be a string, found {name!r:.40}")
    system = SYSTEM if name is None else str(name).strip() or SYSTEM
    own = {key: value for key, value in fields.items() if key not in ("text", "system", "id")}
    # Many rows have the input of another one, which is made once; 1 is not true there, though equal.
    example = known.get(written := repr(own))
    if example is None:
        own["id"] = id_
        made = example_of_row(own, number, place) if cells else make_example(with_data(own), number, place)
        example = known[written] = choice.of(made)
    return TextRow(number, system, example if example.id == id_ else replace(example, id=id_), text)
