"""Judges values of the input that a text gives to something else: another item, or another attribute.

Where a text says a name, a date or a time of the input, the words around it may show what it belongs to: the
item that the clause names, or the attribute that stands right before it. If the input has another value
there, and the text leaves that one out, the value is in the wrong place.
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
from esascore.text.vocabulary import function_words
from esascore.text.words import Phrase

Kind = Literal["name", "date", "time"]

_LINKS = 3
"""Small words between an attribute and its value at most."""

_SAYING = frozenset({"by", "is", "was", "are", "were", "as"})
"""Words of which one stands between an attribute and a name that is its value."""

_DAY = 1440


class _Occurrence(NamedTuple):
    """Where a text says values of the input, of which kind, and the cells that have them."""

    start: int
    end: int
    kind: Kind
    cells: frozenset[int]


@dataclass(frozen=True)
class Placed:
    """The names, dates and times of an input by how texts say them."""

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
        found.update((cell, "time") for _, cell in self.record.clocks if cell not in found)
        return found


def judge_places(placed: Placed, known: Known, reading: Reading, scopes: Scopes) -> Iterator[Finding]:
    """Yield names, dates and times that a text says of another item or attribute than the input."""
    said = list(_occurrences(placed, reading)) if len(placed.kinds) > 1 else []
    everywhere = {cell for own in said for cell in own.cells}
    for own in said:
        for meant in (_of_attribute(placed, known, reading, own), _of_item(placed, known, scopes, own)):
            if meant and everywhere.isdisjoint(cell.number for cell in meant):
                type_ = "name" if own.kind == "name" else "date"
                yield contradicted_by(meant[0], own.start, own.end, type_, "binding", elsewhere=True)
                break


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
    for time in reading.times:
        minutes = {own % _DAY for own in time.minutes}
        cells = frozenset(cell for own, cell in record.clocks if own in minutes)
        if cells and (time.sure or ":" in reading.text[time.start : time.end]):
            yield _Occurrence(time.start, time.end, "time", cells)


def _of_attribute(placed: Placed, known: Known, reading: Reading, own: _Occurrence) -> list[Cell]:
    """Return the cells of the attribute that stands right before a value: "illustrated by Aiko Shimada"."""
    first, _ = reading.sentences[reading.sentence_at(own.start)]
    run = reading.words_before(own.start, 2 + _LINKS, first)
    small = function_words()
    links = next((n for n, word in enumerate(run) if word not in small), len(run))
    words = run[links : links + 2]
    if not words or links > _LINKS or (own.kind == "name" and _SAYING.isdisjoint(run[:links])):
        return []
    index, cells = known.index, known.record.cells
    nearest = set(index.matches(words[0]))
    named = [n for n, hits in index.named(words).items() if hits == index.sizes[n]]
    near = (n for n in named if not nearest.isdisjoint(index.words[n]))
    found = [cells[number] for number in sorted(cell for n in near for cell in index.cells_of[n])]
    found = [cell for cell in found if placed.kinds.get(cell.number) == own.kind]
    some = [*found, *(cells[number] for number in own.cells)]
    return found if own.kind != "name" or all(cell.type == "name" for cell in some) else []


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
