"""What follows from the cells of an input: counts, sums, means and differences of time.

Each derived value has its own words, by which a clause may refer to it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import combinations, islice
from typing import Literal, NamedTuple, TypeVar

from esascore.claims.cells import Amount, Cell, Record, content_bases, items_above
from esascore.literals.keys import read_key
from esascore.literals.units import Unit, unit_named

Kind = Literal["length", "count", "sum", "mean", "time"]
_MOST_MOMENTS = 24
_MOST_SUMS = 256
_LONGEST = 6000  # minutes

T = TypeVar("T")


class Derived(NamedTuple):  # made by the hundred for an input with many dates
    """A value that follows from several cells, the words that ask for it, and how it is made.

    ``made`` describes it in words, or is the two dates or years that lie that far apart. With ``inside``, all
    its parts stand in one object.
    """

    value: float
    unit: Unit | None
    words: frozenset[str]
    kind: Kind
    made: str | tuple[date, date] | tuple[int, int]
    inside: bool = False

    @property
    def told(self) -> str:
        """How it is made, in words."""
        return self.made if isinstance(self.made, str) else "from {} to {}".format(*sorted(self.made))


class Family:
    """Derived values among which one is found by its size, the smallest first."""

    def __init__(self, members: Iterable[Derived]):
        self.members = sorted(members, key=lambda own: abs(own.value))
        self._sizes = [abs(own.value) for own in self.members]
        self.measured = [own for own in self.members if own.kind not in ("length", "count")]
        """Those that may have a unit."""
        self.values: dict[tuple[frozenset[str], bool], set[float]] = defaultdict(set)
        """The values that some words ask for: of one object, and all."""
        for own in self.members:
            self.values[own.words, False].add(own.value)
            if own.inside:
                self.values[own.words, True].add(own.value)

    def within(self, low: float, high: float) -> Sequence[Derived]:
        """Return those whose size is within bounds."""
        return self.members[bisect_left(self._sizes, low) : bisect_right(self._sizes, high)]


def derived_from(record: Record) -> tuple[Family, Family]:
    """Return what follows from the lists and objects of an input; how far its dates and times are apart."""
    return Family((*_of_arrays(record), *_of_objects(record))), Family(_of_times(record))


def _of_arrays(record: Record) -> Iterator[Derived]:
    by_spot = {cell.spot: cell for cell in record.cells}
    numbers: dict[int, Amount] = {}
    for own in record.amounts:
        if own.whole:
            numbers.setdefault(own.cell, own)
    inside: dict[str, list[Cell]] = defaultdict(list)
    for home, cells in record.by_home.items():
        for item in items_above(home):
            inside[item] += cells
    plain: dict[str, bool] = {}
    for array, items in record.items.items():
        name = array.rpartition("/")[2]
        words = frozenset(read_key(name).stems)
        yield Derived(float(len(items)), None, words, "length", f"the number of {name}")
        columns: dict[str, dict[int, Cell]] = defaultdict(dict)
        for n, item in enumerate(items):
            if item in by_spot:
                columns[""][n] = by_spot[item]
            for cell in inside[item]:
                rest = cell.spot[len(item) :]
                if rest not in plain:
                    plain[rest] = not any(part.isdigit() for part in rest.split("/"))
                if plain[rest]:
                    columns[rest][n] = cell
        filters = list(_filters(columns, len(items)))
        for chosen, own_words, told in filters:
            yield Derived(
                float(len(chosen)), None, words | own_words, "count", f"the number of {name} with {told}"
            )
        # Choosing among more than a few hundred sums takes more bits than it explains.
        few = len(filters) * len(columns) <= _MOST_SUMS
        yield from _sums(name, words, columns, numbers, filters if few else [])


def _filters(
    columns: Mapping[str, Mapping[int, Cell]], size: int
) -> Iterator[tuple[frozenset[int], frozenset[str], str]]:
    """Yield the groups of items that share a value, with the words of that value."""
    for column in columns.values():
        groups: dict[str, set[int]] = defaultdict(set)
        for n, cell in column.items():
            if cell.type in ("name", "text", "boolean"):
                groups[cell.value].add(n)
            elif cell.type == "null":
                groups["none"].add(n)
            elif cell.type == "number" and cell.value.lstrip("-").replace(".", "", 1).isdecimal():
                sign = float(cell.value)
                groups["some" if sign > 0 else "zero" if sign == 0 else "minus"].add(n)
        for value, chosen in groups.items():
            if 0 < len(chosen) < size:
                cell = column[min(chosen)]
                yield frozenset(chosen), cell.own | content_bases(value), f"{cell.attribute} = {value}"


def _sums(
    name: str,
    words: frozenset[str],
    columns: Mapping[str, Mapping[int, Cell]],
    numbers: Mapping[int, Amount],
    filters: Sequence[tuple[frozenset[int], frozenset[str], str]],
) -> Iterator[Derived]:
    numeric = {
        key: {n: numbers[cell.number] for n, cell in column.items() if cell.number in numbers}
        for key, column in columns.items()
    }
    for key, column in numeric.items():
        if len(column) < 2:
            continue
        values = [own.value for own in column.values()]
        unit = next(iter(column.values())).unit
        cell = columns[key][min(column)]
        own_words, told = words | cell.own, f"{name}.{cell.attribute}"
        yield Derived(sum(values), unit, own_words, "sum", f"the sum of {told}")
        yield Derived(sum(values) / len(values), unit, own_words, "mean", f"the mean of {told}")
        for chosen, more, which in filters:
            some = [own.value for n, own in column.items() if n in chosen]
            if 1 < len(some) < len(column):
                yield Derived(sum(some), unit, own_words | more, "sum", f"the sum of {told} with {which}")
        for other, beside in numeric.items():
            if key < other and beside.keys() == column.keys():
                products = [column[n].value * beside[n].value for n in column]
                unit_ = unit or next(iter(beside.values())).unit
                yield Derived(sum(products), unit_, own_words, "sum", f"the sum of products in {name}")


def _of_objects(record: Record) -> Iterator[Derived]:
    """Yield the sums of similar numbers in one object, and how many of its flags are set."""
    alike: dict[tuple[str, Unit | None, bool], list[float]] = defaultdict(list)
    for own in record.amounts:
        if own.whole:
            alike[record.cells[own.cell].home, own.unit, own.value.is_integer()].append(own.value)
    for (home, unit, _), values in alike.items():
        name = home.rpartition("/")[2]
        if len(values) > 2:
            yield Derived(sum(values), unit, frozenset(read_key(name).stems), "sum", f"the sum of {name}")
    flags: dict[str, list[bool]] = defaultdict(list)
    for cell in record.cells:
        if cell.type == "boolean":
            flags[cell.home].append(cell.value.lower() in ("yes", "true"))
    for home, truths in flags.items():
        name = home.rpartition("/")[2]
        if name and len(truths) > 1:
            words = frozenset(read_key(name).stems)
            yield Derived(float(sum(truths)), None, words, "count", f"how many of {name} are true")


def _of_times(record: Record) -> Iterator[Derived]:
    """Yield how far dates, years and times of day are apart."""
    cells = record.cells

    def apart(
        size: int, unit: str, first: int, second: int, ends: tuple[date, date] | tuple[int, int] | str
    ) -> Iterator[Derived]:
        if size:
            words, inside = cells[first].own | cells[second].own, cells[first].home == cells[second].home
            yield Derived(float(size), unit_named(unit), words, "time", ends, inside)

    for (one, first), (other, second) in _two(dict(record.days).items()):
        early, late = sorted((one, other))
        days, years = (late - early).days, late.year - early.year
        yield from apart(days, "days", first, second, (one, other))
        yield from apart(days + 1, "days", first, second, (one, other))
        yield from apart(12 * years + late.month - early.month, "months", first, second, (one, other))
        age = years - ((late.month, late.day) < (early.month, early.day))
        yield from apart(age, "years", first, second, (one, other))
    for (a, first), (b, second) in _two({own.year: n for own, n in record.dates if own.year}.items()):
        yield from apart(abs(a - b), "years", first, second, (a, b))
    for (at, first), (then, second) in _two(record.stamps):
        minutes = abs(int((at - then).total_seconds() // 60))
        yield from apart(minutes if minutes < _LONGEST else 0, "minutes", first, second, "between times")
    for (a, first), (b, second) in _two(dict(record.clocks).items()):
        for minutes in {abs(a - b), 1440 - abs(a - b)}:
            yield from apart(minutes % 1440, "minutes", first, second, "between times")


def _two(moments: Iterable[tuple[T, int]]) -> Iterator[tuple[tuple[T, int], tuple[T, int]]]:
    """Yield each two of the first moments of an input, with the numbers of their cells."""
    return combinations(islice(moments, _MOST_MOMENTS), 2)
