"""Judges values of the input that a text says of another item than the input.

Where a text says a name or a date of the input, its clause may name the item that has it. If the input has
another value there, and the text leaves that one out, the value is in the wrong place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import Literal, NamedTuple

from esascore.claims.cells import Cell, Record, homes_of
from esascore.claims.finding import Finding, contradicted_by
from esascore.claims.known import Known
from esascore.claims.reading import Reading, parts
from esascore.claims.scope import Scopes, around, calls, kind_of
from esascore.text.phrases import lengths_of
from esascore.text.words import Phrase

Kind = Literal["name", "date"]


class _Occurrence(NamedTuple):
    """Where a text says values of the input, of which kind, and the cells that have them."""

    start: int
    end: int
    kind: Kind
    cells: frozenset[int]


@dataclass(frozen=True)
class Placed:
    """The names and dates of an input by how texts say them."""

    record: Record

    @cached_property
    def names(self) -> Mapping[Phrase, frozenset[int]]:
        """The cells by the words of their names."""
        found: dict[Phrase, set[int]] = defaultdict(set)
        for cell in self.record.cells:
            if cell.type in ("name", "text") and cell.path and not any(map(str.isdigit, cell.value)):
                for words in calls(cell.value, cell.type == "name"):
                    found[words].add(cell.number)
        return {words: frozenset(cells) for words, cells in found.items()}

    @cached_property
    def lengths(self) -> Mapping[str, Sequence[int]]:
        """How many words the names have that begin with a word, the longest first."""
        return lengths_of(self.names)

    @cached_property
    def at(self) -> Mapping[str, Sequence[Cell]]:
        """The cells by where they stand."""
        found: dict[str, list[Cell]] = defaultdict(list)
        for cell in self.record.cells:
            found[cell.spot].append(cell)
        return found

    @cached_property
    def kinds(self) -> Mapping[int, Kind]:
        """The type of a cell's value, as a whole."""
        found: dict[int, Kind] = {cell: "name" for cells in self.names.values() for cell in cells}
        found.update(dict.fromkeys((cell for own, cell in self.record.dates if own.day), "date"))
        return found


def judge_places(placed: Placed, known: Known, reading: Reading, scopes: Scopes) -> Iterator[Finding]:
    """Yield names and dates that a text says of another item than the input."""
    said = list(_occurrences(placed, reading)) if len(placed.kinds) > 1 else []
    everywhere = {cell for own in said for cell in own.cells}
    for own in said:
        meant = _of_item(placed, known, scopes, own)
        if meant and everywhere.isdisjoint(cell.number for cell in meant):
            yield contradicted_by(meant[0], own.start, own.end, own.kind, "binding", elsewhere=True)


def _occurrences(placed: Placed, reading: Reading) -> Iterator[_Occurrence]:
    words = reading.document.words
    done, lengths = 0, placed.lengths
    for at in compress(range(len(words.texts)), map(lengths.__contains__, words.texts)):
        for size in lengths[words.texts[at]] if at >= done else ():
            cells = placed.names.get(words.texts[at : at + size])
            if cells is not None and at + size <= len(words.texts):
                yield _Occurrence(words.starts[at], words.ends[at + size - 1], "name", cells)
                done = at + size
                break
    record = placed.record
    for date in reading.dates:
        said = [(own.month, own.day) for own in parts(date) if own.month and own.day]
        cells = frozenset(cell for own, cell in record.dates if (own.month, own.day) in said)
        if cells:
            yield _Occurrence(date.start, date.end, "date", cells)


def _of_item(placed: Placed, known: Known, scopes: Scopes, own: _Occurrence) -> list[Cell]:
    """Return what the item that the clause names has where another one has the value."""
    found: list[Cell] = []
    for cell in (known.record.cells[number] for number in own.cells):
        homes = (home for home in homes_of(cell.spot) if _kind(home) in known.handles.kinds)
        abouts = ((home, scopes.of(_kind(home), own.start, itself=False)) for home in homes)
        home, about = next(((home, about) for home, about in abouts if about and about[1]), ("", None))
        if about is None:
            return []  # it need not be an item's
        items = [item for item in about[0] if kind_of(item) == kind_of(home)]
        near = around(scopes.by_kind[_kind(home)], own.start)
        named = any(one.items == about[0] and one.end <= own.start for one in near)
        rest = cell.spot[len(home) :]
        if len(items) != 1 or kind_of(rest) != rest or not named:
            return []
        found += placed.at.get(f"{items[0]}{rest}", ())
    return found if all(placed.kinds.get(cell.number) == own.kind for cell in found) else []


def _kind(item: str) -> str:
    """Return the kind of the array of an item."""
    return kind_of(item.rpartition("/")[0])
