"""What is known of an input before any text: its cells with their words, and its numbers by size."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from esascore.claims.cells import Amount, Cell, Record
from esascore.claims.derivations import Derived, derived_from
from esascore.claims.nearness import WordIndex
from esascore.claims.reading import Quantity
from esascore.claims.rounding import window
from esascore.claims.scope import Handles, groups_of, handles_of
from esascore.literals.dates import calls_a_date
from esascore.literals.keys import read_key
from esascore.literals.units import Unit
from esascore.text.words import name_words

_LEVELS = frozenset({"temperature", "temp", "elevation"})
_CHANGES = frozenset({"change", "delta", "diff", "difference", "balance"})
_PLANNED = frozenset({
    "scheduled", "planned", "promised", "due", "target", "expected", "original", "deadline", "baseline",
    "booked", "plan", "schedule",
})  # fmt: skip
_MOSTLY = 0.6  # of the values of an attribute

Ranked = tuple[list[float], list[int]]
"""Sizes in rising order, and the numbers of the amounts that have them."""


@dataclass(frozen=True, slots=True)
class Change:
    """A value now and the one before it, the numbers of their cells, and the words of both."""

    new: float
    old: float
    unit: Unit | None
    cell: int
    old_cell: int
    words: frozenset[str]


class Delay(NamedTuple):
    """How many minutes something was later than planned, and the number of the cell that says when it was."""

    minutes: float
    cell: int


@dataclass(frozen=True)
class Known:
    """What is known of an input before any text: its cells, words, handles and what follows from them.

    Examples
    --------
    >>> from esascore.claims.cells import record_of
    >>> from esascore.claims.reading import Reading
    >>> from esascore.model import Graph
    >>> from esascore.text.document import read
    >>> known = Known.of(record_of(Graph.from_data({"rooms": 27, "price_eur": 90})))
    >>> [claim] = Reading(read("It costs about €88.")).quantities
    >>> [own.value for own in known.near(claim)]
    [90.0]
    """

    record: Record
    index: WordIndex
    handles: Handles

    @classmethod
    def of(cls, record: Record) -> Known:
        """Read a record."""
        return cls(record, WordIndex(record), handles_of(record))

    @cached_property
    def derived(self) -> tuple[Derived, ...]:
        """Counts, sums, means and differences of time, the smallest first."""
        return tuple(sorted(derived_from(self.record), key=lambda own: abs(own.value)))

    @cached_property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """Lists of objects, and objects side by side."""
        return groups_of(self.record)

    @cached_property
    def delays(self) -> tuple[Delay, ...]:
        """How much later than planned the moments of objects were."""
        cells = self.record.cells
        moments: dict[str, dict[int, datetime]] = defaultdict(dict)
        for day, cell in self.record.days:
            moments[cells[cell].home][cell] = datetime.combine(day, time())
        for stamp, cell in self.record.stamps:
            moments[cells[cell].home][cell] = stamp
        return tuple(
            Delay((was - due).total_seconds() / 60, cell)
            for some in moments.values()
            for cell, was in some.items()
            for other, due in some.items()
            if was != due and not _is_planned(cells[cell]) and _is_planned(cells[other])
        )

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """What objects have now and had before: a price and its previous one."""
        return tuple(self._changes())

    def _changes(self) -> Iterator[Change]:
        cells = self.record.cells
        by_home: dict[str, list[Amount]] = defaultdict(list)
        for own in self.index.whole:
            by_home[cells[own.cell].home].append(own)
        for some in by_home.values():
            before = [own for own in some if "before" in cells[own.cell].key.roles]
            now = [own for own in some if "before" not in cells[own.cell].key.roles]
            for old in before:
                like = [own for own in now if own.dimension == old.dimension]
                shared = [own for own in like if cells[own.cell].own & cells[old.cell].own]
                bare = [own for own in like if not cells[own.cell].own]
                for chosen in (shared, bare, like):
                    if chosen:
                        if len(chosen) == 1 and chosen[0].value != old.value:
                            new = chosen[0]
                            words = cells[new.cell].wide | cells[old.cell].wide
                            yield Change(new.value, old.value, new.unit, new.cell, old.cell, words)
                        break

    @cached_property
    def lengths(self) -> Mapping[str, frozenset[int]]:
        """How many items the lists have that a word names."""
        found: dict[str, set[int]] = defaultdict(set)
        for array, items in self.record.items.items():
            for stem in read_key(array.rpartition("/")[2]).stems:
                found[stem].add(len(items))
        return {word: frozenset(own) for word, own in found.items()}

    @cached_property
    def by_cell(self) -> Mapping[int, Sequence[Amount]]:
        """The numbers of each cell."""
        found: dict[int, list[Amount]] = defaultdict(list)
        for own in self.record.amounts:
            found[own.cell].append(own)
        return found

    @cached_property
    def measures(self) -> frozenset[str]:
        """The attributes whose values are mostly plain numbers."""
        total: dict[str, int] = defaultdict(int)
        plain: dict[str, int] = defaultdict(int)
        for cell in self.record.cells:
            if cell.type != "null":
                total[cell.path] += 1
                plain[cell.path] += any(
                    own.whole and not own.counter for own in self.by_cell.get(cell.number, ())
                )
        return frozenset(path for path, n in total.items() if plain[path] >= _MOSTLY * n)

    @cached_property
    def _paths_by_word(self) -> Mapping[str, frozenset[str]]:
        return {
            word: frozenset(self.record.cells[n].path for n in cells)
            for word, cells in self.record.by_word.items()
        }

    def is_ambiguous(self, cell: Cell) -> bool:
        """Return whether another attribute has a word of this one, too."""
        return any(len(self._paths_by_word[word]) > 1 for word in cell.own)

    @cached_property
    def containers(self) -> frozenset[str]:
        """The words of keys that hold lists: their items are named by their own words."""
        return frozenset(
            stem for array in self.record.items for stem in read_key(array.rpartition("/")[2]).stems
        )

    @cached_property
    def has_ranges(self) -> bool:
        """Whether a value has two numbers, or an object a lowest and a highest, or a first and a last one."""
        numbers = self.record.amounts
        if any(a.cell == b.cell and a.unit is b.unit for a, b in pairwise(numbers)):
            return True
        roles: dict[str, set[str]] = defaultdict(set)
        for own in numbers:
            cell = self.record.cells[own.cell]
            roles[cell.home].update(cell.key.roles)
        return any({"low", "high"} <= own or {"first", "last"} <= own for own in roles.values())

    @cached_property
    def signed(self) -> frozenset[int]:
        """The cells whose signs tell something: temperatures, heights, changes, columns with both signs."""
        signs: dict[str, set[bool]] = defaultdict(set)
        for own in self.record.amounts:
            if own.whole and own.value:
                signs[self.record.cells[own.cell].path].add(own.value > 0)
        return frozenset(
            own.cell
            for own in self.record.amounts
            if own.whole
            and (
                own.dimension == "temperature"
                or self.is_level(own.cell)
                or not _CHANGES.isdisjoint(self.record.cells[own.cell].key.words)
                or len(signs[self.record.cells[own.cell].path]) > 1
            )
        )

    def is_level(self, cell: int) -> bool:
        """Return whether a cell is above or below something that is zero."""
        return not _LEVELS.isdisjoint(self.record.cells[cell].key.words)

    def nature(self, cell: int) -> tuple[bool, bool]:
        """Return whether a cell is a year, and whether its sign tells something."""
        return cell in self.years, cell in self.signed

    @cached_property
    def years(self) -> frozenset[int]:
        """The cells that are years by their attribute: a number that might be one is a number."""
        cells = self.record.cells
        return frozenset(
            cell
            for own, cell in self.record.dates
            if own.year and not own.month and calls_a_date((cells[cell].spot.rpartition("/")[2],))
        )

    @cached_property
    def verbatim(self) -> frozenset[tuple[str, str]]:
        """Neighbouring words of values of which one is a number: a text may say them so."""
        found: set[tuple[str, str]] = set()
        for cell in self.record.cells:
            if cell.type in ("name", "text", "list") and any(map(str.isdigit, cell.value)):
                words = name_words(cell.value)
                found.update((a, b) for a, b in pairwise(words) if a.isdigit() != b.isdigit())
        return frozenset(found)

    @cached_property
    def peers(self) -> Mapping[str, int]:
        """How many numbers each attribute, and each object, has."""
        found: dict[str, int] = defaultdict(int)
        for own in self.index.whole:
            cell = self.record.cells[own.cell]
            found[f".{cell.path}"] += 1
            found[cell.home] += 1
        return found

    @cached_property
    def amounts(self) -> tuple[Amount, ...]:
        """All numbers, those of prose and keys included."""
        return (*self.record.amounts, *self.record.loose)

    @cached_property
    def _sizes(self) -> Ranked:
        return _ranked((abs(own.value), n) for n, own in enumerate(self.amounts))

    @cached_property
    def _in_base(self) -> Mapping[str, Ranked]:
        """Numbers with units in the base unit of each dimension."""
        found: dict[str, list[tuple[float, int]]] = defaultdict(list)
        for n, own in enumerate(self.amounts):
            if own.unit is not None:
                size = own.value * float(own.unit.factor) + float(own.unit.offset)
                found[own.unit.dimension].append((abs(size), n))
        return {dimension: _ranked(some) for dimension, some in found.items()}

    def near(self, claim: Quantity, *, factor: float = 1.0) -> Iterator[Amount]:
        """Yield the numbers that may be near one of a text, multiplied by a factor."""
        seen: set[int] = set()
        for said in (claim.value, *claim.others):
            low, high = window(claim, said)
            seen.update(_between(self._sizes, low / factor, high / factor))
            unit = claim.unit
            if unit is not None and unit.dimension in self._in_base:
                scale, shift = float(unit.factor), float(unit.offset)
                ends = [abs(side * end * scale + shift) for side in (1, -1) for end in (low, high)]
                if unit.dimension != "temperature":
                    ends = ends[:2]
                margin = 1e-6 * max(ends)
                seen.update(_between(self._in_base[unit.dimension], min(ends) - margin, max(ends) + margin))
        return (self.amounts[n] for n in sorted(seen))


def _is_planned(cell: Cell) -> bool:
    return not _PLANNED.isdisjoint(cell.key.words)


def _ranked(some: Iterable[tuple[float, int]]) -> Ranked:
    ranked = sorted(some)
    return [size for size, _ in ranked], [n for _, n in ranked]


def _between(ranked: Ranked, low: float, high: float) -> list[int]:
    sizes, numbers = ranked
    return numbers[bisect_left(sizes, low) : bisect_right(sizes, high)]
