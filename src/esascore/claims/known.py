"""What is known about an input before any text: its cells with their words, and its numbers by size."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isclose, log2

import numpy as np
from numpy.typing import NDArray

from esascore.claims.cells import Amount, Cell, Record, homes_of, in_base
from esascore.claims.derivations import Derived, Family, derived_from
from esascore.claims.hours import weekdays_of
from esascore.claims.nearness import WordIndex
from esascore.claims.reading import Quantity
from esascore.claims.rounding import window
from esascore.claims.scope import Handles, groups_of, handles_of, kind_of
from esascore.lazy import lazy
from esascore.literals.dates import calls_a_date
from esascore.literals.keys import read_key
from esascore.literals.units import Unit

_PLANNED = frozenset({
    "scheduled", "planned", "promised", "due", "target", "expected", "original", "deadline", "baseline",
    "booked", "plan", "schedule",
})  # fmt: skip
_LEAST_PARTS = 3
_WHOLE = 0.01
_MOSTLY = 0.6  # of the values of an attribute

Columns = Mapping[str, Mapping[str, Mapping[str, Amount]]]
"""By list or object, and by attribute: the number of each item or part."""

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
    >>> [known.record.numbers[n].value for n in known.near(claim)]
    [90.0]
    """

    record: Record
    index: WordIndex
    handles: Handles

    @classmethod
    def of(cls, record: Record) -> Known:
        """Read a record."""
        return cls(record, WordIndex(record), handles_of(record))

    @lazy
    def derived(self) -> tuple[Family, Family]:
        """Counts, sums and means; differences of time."""
        return derived_from(self.record)

    @lazy
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """Lists of objects, and objects side by side."""
        return groups_of(self.record)

    @lazy
    def changes(self) -> tuple[Change, ...]:
        """What objects have now and had before: a price and its previous one."""
        return tuple(self._changes())

    def _changes(self) -> Iterator[Change]:
        cells = self.record.cells
        by_home: dict[str, list[Amount]] = defaultdict(list)
        for n in self.index.whole:
            own = self.record.amounts[n]
            by_home[cells[own.cell].home].append(own)
        for some in by_home.values():
            before = [own for own in some if _is_measure_of_others(cells[own.cell])]
            now = [own for own in some if not _is_measure_of_others(cells[own.cell])]
            for old in before:
                like = [own for own in now if own.dimension == old.dimension]
                shared = [own for own in like if cells[own.cell].own & cells[old.cell].wide]
                bare = [own for own in like if not cells[own.cell].own]
                for chosen in (shared, bare, like):
                    if chosen:
                        if len(chosen) == 1 and chosen[0].value != old.value:
                            new = chosen[0]
                            words = cells[new.cell].wide | cells[old.cell].wide
                            yield Change(new.value, old.value, new.unit, new.cell, old.cell, words)
                        break

    @lazy
    def weekdays(self) -> frozenset[int]:
        """The weekdays that it names, those of its dates, and of the days between two of them."""
        return weekdays_of(self.record)

    @lazy
    def lists(self) -> frozenset[str]:
        """The bases of the words that lists are called by."""
        return frozenset(
            stem for array in self.record.items for stem in read_key(array.rpartition("/")[2]).stems
        )

    @lazy
    def by_cell(self) -> Mapping[int, Sequence[Amount]]:
        """The numbers of each cell."""
        found: dict[int, list[Amount]] = defaultdict(list)
        for own in self.record.amounts:
            found[own.cell].append(own)
        return found

    @lazy
    def by_size(self) -> Mapping[float, Sequence[Amount]]:
        """The numbers that are whole values, by their size."""
        found: dict[float, list[Amount]] = defaultdict(list)
        for n in self.index.whole:
            own = self.record.amounts[n]
            found[abs(own.value)].append(own)
        return found

    @lazy
    def measures(self) -> frozenset[str]:
        """The attributes whose values are mostly plain numbers."""
        total: dict[str, int] = defaultdict(int)
        plain: dict[str, int] = defaultdict(int)
        counted = {own.cell for own in self.record.amounts if own.whole and not own.counter}
        for cell in self.record.cells:
            if cell.type != "null":
                total[cell.path] += 1
                plain[cell.path] += cell.number in counted
        return frozenset(path for path, n in total.items() if plain[path] >= _MOSTLY * n)

    @lazy
    def _measured(self) -> dict[str | None, frozenset[int]]:
        return {}

    def measured_in(self, dimension: str | None) -> frozenset[int]:
        """Return the cells of attributes with plain numbers that may be of a dimension."""
        if dimension not in self._measured:
            cells = self.record.cells
            self._measured[dimension] = frozenset(
                own.cell
                for own in self.record.amounts
                if _may_be_of(own.dimension, own.soft, dimension) and cells[own.cell].path in self.measures
            )
        return self._measured[dimension]

    @lazy
    def lists_above(self) -> Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]:
        """For each object the lists of named things that it is in, the innermost first: kinds, and items.

        An item is empty where the object is such a list itself.
        """
        if not self.handles.kinds:
            return dict.fromkeys(self.record.by_home, ((), ()))
        found: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
        for home in self.record.by_home:
            spots = (home, *homes_of(home))
            named = [
                (kind, item)
                for spot, item in zip(spots, ("", *spots), strict=False)
                if (kind := kind_of(spot)) in self.handles.kinds
            ]
            found[home] = tuple(kind for kind, _ in named), tuple(item for _, item in named)
        return found

    @lazy
    def columns(self) -> Columns:
        """The columns of numbers: of lists by path inside an item, and of parts of one object by unit."""
        found: dict[str, dict[str, dict[str, Amount]]] = defaultdict(lambda: defaultdict(dict))
        items = {item: kind_of(array) for array, some in self.groups.items() for item in some}
        parts: dict[tuple[str, str], list[Amount]] = defaultdict(list)
        cells = self.record.cells
        for n in self.index.whole:
            own = self.record.amounts[n]
            cell = cells[own.cell]
            if cell.home in items and not own.counter:
                found[items[cell.home]][cell.spot[len(cell.home) :]][cell.home] = own
            elif not own.soft and not own.counter and not cell.key.roles:
                parts[cell.home, own.dimension or ""].append(own)
        for (home, dimension), some in parts.items():
            whole = sum(own.value for own in some) / 2
            left = [own for own in some if not isclose(own.value, whole, rel_tol=_WHOLE)]
            # Without a unit they are parts of one thing only if they add up.
            if len(left) >= _LEAST_PARTS and (dimension or len(left) == len(some) - 1):
                found[home][dimension] = {cells[own.cell].spot: own for own in left}
        return found

    @lazy
    def kinds(self) -> Sequence[int]:
        """For each number which others a text may say in the same way: those of the same value and nature."""
        kinds: dict[Hashable, int] = {}
        return [
            kinds.setdefault((value, unit, soft, whole), len(kinds))
            for value, unit, _, whole, _, soft in self.record.numbers
        ]

    @lazy
    def operands(self) -> list[int]:
        """The numbers that may be part of a derivation; years may only be part of differences."""
        amounts = self.record.amounts
        return [
            n
            for n in self.index.whole
            if (own := amounts[n]).value
            and not own.counter
            and not (own.unit is None and own.cell in self.years and own.value.is_integer())
        ]

    @lazy
    def sums(self) -> Sequence[Derived]:
        """The sums that follow from its lists."""
        return [own for own in self.derived[0].members if own.kind == "sum" and own.value]

    @lazy
    def counts(self) -> Sequence[Derived]:
        """How many items its lists have, and how many of them with one value."""
        return [own for own in self.derived[0].members if own.kind in ("length", "count") and own.value]

    @lazy
    def days_of_months(self) -> frozenset[int | None]:
        """The days of the month of its dates."""
        return frozenset(own.day for own, _ in self.record.dates)

    @lazy
    def years_of_dates(self) -> frozenset[int]:
        """The years of its dates."""
        return frozenset(own.year for own, _ in self.record.dates if own.year)

    @lazy
    def years(self) -> frozenset[int]:
        """The cells that are years by their attribute: other numbers that look like years are numbers."""
        cells = self.record.cells
        return frozenset(
            cell
            for own, cell in self.record.dates
            if own.year and not own.month and calls_a_date((cells[cell].spot.rpartition("/")[2],))
        )

    @lazy
    def peers(self) -> NDArray[np.float64]:
        """For each cell the number of its path and of its object, and the bits of naming another one there.

        The last row, of what is no cell, equals no other.
        """
        cells, whole = self.record.cells, [self.record.amounts[n].cell for n in self.index.whole]
        columns: Sequence[list[str]] = (
            [cell.path for cell in cells],
            [cell.home or cell.spot for cell in cells],
        )
        found = np.full((len(cells) + 1, 4), np.nan)
        for n, column in enumerate(columns):
            numbers = {own: number for number, own in enumerate(dict.fromkeys(column))}
            counts = Counter(column[cell] for cell in whole)
            found[:-1, n] = [numbers[own] for own in column]
            found[:-1, n + 2] = [log2(max(1, counts[own] - 1)) + 0.5 for own in column]
        return found

    @lazy
    def _sizes(self) -> Ranked:
        return _ranked((abs(own.value), n) for n, own in enumerate(self.record.numbers))

    @lazy
    def _in_base(self) -> Mapping[str, Ranked]:
        """Numbers with units in the base unit of each dimension."""
        found: dict[str, list[tuple[float, int]]] = defaultdict(list)
        for n, own in enumerate(self.record.numbers):
            if own.unit is not None:
                factor, offset = in_base(own.unit)
                size = own.value * factor + offset
                found[own.unit.dimension].append((abs(size), n))
        return {dimension: _ranked(some) for dimension, some in found.items()}

    def near(self, claim: Quantity, *, factor: float = 1.0) -> list[int]:
        """Return the numbers that may be near one of a text, multiplied by a factor."""
        seen: set[int] = set()
        for said in (claim.value, *claim.others):
            low, high = window(claim, said)
            seen.update(_between(self._sizes, low / factor, high / factor))
            unit = claim.unit
            if unit is not None and unit.dimension in self._in_base:
                scale, shift = in_base(unit)
                ends = [abs(side * end * scale + shift) for side in (1, -1) for end in (low, high)]
                if unit.dimension != "temperature":
                    ends = ends[:2]
                margin = 1e-6 * max(ends)
                seen.update(_between(self._in_base[unit.dimension], min(ends) - margin, max(ends) + margin))
        return sorted(seen)


def _may_be_of(own: str | None, soft: bool, dimension: str | None) -> bool:
    """Return whether a number of a dimension may be one of another, or of what that is a rate of."""
    meant = None if soft and dimension is None else own
    return dimension == meant or bool(dimension and meant and dimension.startswith(f"{meant}/"))


def _is_planned(cell: Cell) -> bool:
    return not _PLANNED.isdisjoint(cell.key.words)


def _is_measure_of_others(cell: Cell) -> bool:
    """Return whether a value is what another one was before, or should be."""
    return "before" in cell.key.roles or _is_planned(cell)


def _ranked(some: Iterable[tuple[float, int]]) -> Ranked:
    ranked = sorted(some)
    return [size for size, _ in ranked], [n for _, n in ranked]


def _between(ranked: Ranked, low: float, high: float) -> list[int]:
    sizes, numbers = ranked
    return numbers[bisect_left(sizes, low) : bisect_right(sizes, high)]
