"""The facts of an input as cells with coordinates: what they are about, and what their values contain.

A cell has the words of its attribute, the object that it stands in with its name, and every number, date and
time of its value. Values of more than a dozen words are prose: they support what they contain, but contradict
nothing.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from esascore.data import EVERY, PRICES, FactType, is_prose, last_key
from esascore.label import label
from esascore.lazy import lazy
from esascore.literals.clock import find_times
from esascore.literals.dates import DateRange, PartialDate, find_dates, unix_date
from esascore.literals.keys import Key, read_key, word_base
from esascore.literals.number_patterns import has_decimal_comma
from esascore.literals.numbers import find_numbers
from esascore.literals.units import Unit, unit_named
from esascore.model import Input, once_per_input
from esascore.text.vocabulary import function_words
from esascore.text.words import name_words, spaced

_LONGEST_NAME = 8
_ISO = re.compile(
    r"[+-]?(\d{4})-(\d\d)(?:-(\d\d))?(?:[T ](\d\d):(\d\d)(?::\d\d(?:\.\d+)?)?\s?(?:Z|([+-]\d\d):?(\d\d))?)?"
)
_DAY_OF_YEAR = re.compile(r"(?:--)?(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
_DURATION = re.compile(
    r"P(?=.)(?:(\d{1,9})Y)?(?:(\d{1,9})M)?(?:(\d{1,9})W)?(?:(\d{1,9})D)?"
    r"(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?|(\d{1,3}):(\d\d):(\d\d)(?:\.\d+)?"
)
_SHORT_DURATION = re.compile(r"\+?(\d{1,2}):(\d\d(?:\.\d+)?)")
_CLOCK = re.compile(r"(?<![\d:.])(\d{1,2})(?::(\d{1,2})|\.(\d\d))(?::\d\d)?(?![\d.:])")
_UNIT_AFTER = re.compile(r"\+?[\s-]([^\W\d_]{3,})(?:\s([^\W\d_]{3,}))?")
_FIGURES = re.compile(r"(FY\W?)?(?<!\d)(\d{1,18}(?:\.\d+)?)(?!\d)(?:([kKmM])(?![^\W_]))?")
_POWERS = {"k": 10**3, "m": 10**6}
UNKNOWN = re.compile(
    r"\W*|n/?a|none|null|unknown|unspecified|not (?:specified|available|known)|tb[acd]", re.IGNORECASE
)
"""How data and texts write that something is not known."""

_UNIT_KEY = re.compile(r"(?i)(?:.*_)?(?:units?|uom|unit_of_measure|currency)")
_DECIMAL = re.compile(r"-?(?:0|[1-9]\d{0,2})\.(?:\d\d?|\d{4,6})", re.ASCII)  # no date, and no thousands
_HOUR_KEY = frozenset({"h", "hr", "hour"})
_MILLION = 10**6
_LAST_YEAR = 2100
_LONGEST_NUMBER = 16

LARGEST = 10**18
"""Numbers beyond it are not judged: floats cannot distinguish neighbouring integers there."""


class Amount(NamedTuple):  # made for every number, three times as fast as a frozen dataclass
    """A number of the input.

    Attributes
    ----------
    value, unit
        What it is; no unit where neither value, key nor siblings give one.
    cell
        The number of its cell.
    whole
        Whether it is the whole value, not a part of a longer string.
    counter
        Whether it is one of a list's running numbers.
    soft
        Whether the unit is only the currency that its object names: not all its numbers need be money.
    """

    value: float
    unit: Unit | None
    cell: int
    whole: bool = True
    counter: bool = False
    soft: bool = False

    @property
    def dimension(self) -> str | None:
        """The dimension of its unit."""
        return None if self.unit is None else self.unit.dimension


class Cell(NamedTuple):  # made for every fact
    """A fact with its coordinates.

    Attributes
    ----------
    number
        Its place among the cells.
    path, spot, home
        The path of its attribute, where it stands, and the spot of the object that holds it.
    key
        Its last meaningful key, as read.
    own, wide
        Bases of the words of its key, and of those of all keys of its path.
    value, type
        The value as it is written, and what kind of value it is; ``null`` where it is known to be unknown.
    """

    number: int
    path: str
    spot: str
    home: str
    key: Key
    own: frozenset[str]
    wide: frozenset[str]
    value: str
    type: FactType | str

    @property
    def attribute(self) -> str:
        """The last key."""
        return last_key(self.path)

    @property
    def called(self) -> str:
        """The readable name of its attribute: the path without positions."""
        return _called(self.path)

    @property
    def statement(self) -> str:
        """What it says: ``rooms.beds = 2``."""
        return f"{self.called} = {self.value}"

    def is_in(self, items: Iterable[str]) -> bool:
        """Return whether it is one of some items, or inside one."""
        return any(self.spot == item or self.spot.startswith(f"{item}/") for item in items)


@dataclass(frozen=True)
class Record:
    """The cells of an input, and what can be read in them.

    Attributes
    ----------
    cells
        All cells in input order.
    amounts
        Every number of a value that is not prose.
    loose
        Numbers in prose and in keys: they support what a text says, but contradict nothing.
    dates, clocks, stamps
        Dates, times of day in minutes and both together, each with the number of its cell.
    items
        For each array its items: the spots of the objects or values in it.
    subjects
        For each object the bases of the words of its short strings.
    prose
        Long values, in small letters.
    ahead
        By how many minutes its times are ahead of UTC.
    """

    cells: tuple[Cell, ...]
    amounts: tuple[Amount, ...]
    loose: tuple[Amount, ...]
    dates: tuple[tuple[PartialDate, int], ...]
    clocks: tuple[tuple[int, int], ...]
    stamps: tuple[tuple[datetime, int], ...]
    items: Mapping[str, tuple[str, ...]]
    subjects: Mapping[str, frozenset[str]]
    prose: tuple[str, ...] = ()
    ahead: frozenset[int] = frozenset()

    @lazy
    def numbers(self) -> tuple[Amount, ...]:
        """All numbers, those of prose and keys included."""
        return (*self.amounts, *self.loose)

    @lazy
    def by_home(self) -> Mapping[str, list[Cell]]:
        """The cells of each object itself."""
        found: dict[str, list[Cell]] = defaultdict(list)
        for cell in self.cells:
            found[cell.home].append(cell)
        return dict(found)

    @lazy
    def dimensions(self) -> frozenset[str]:
        """The dimensions of all units."""
        return frozenset(own.unit.dimension for own in self.amounts if own.unit is not None)

    @lazy
    def by_word(self) -> Mapping[str, tuple[int, ...]]:
        """The cells of each word of an attribute."""
        found: dict[str, list[int]] = defaultdict(list)
        for cell in self.cells:
            for word in cell.own:
                found[word].append(cell.number)
        return {word: tuple(some) for word, some in found.items()}

    @lazy
    def days(self) -> tuple[tuple[date, int], ...]:
        """The dates that are whole."""
        found = []
        for own, cell in self.dates:
            if own.year and own.month and own.day:
                try:
                    found.append((date(own.year, own.month, own.day), cell))
                except ValueError:
                    continue
        return tuple(found)


@dataclass(slots=True)
class _Reader:
    """Collects what values say; ``comma`` tells that the input writes decimal commas."""

    comma: bool
    amounts: list[Amount] = field(default_factory=list)
    loose: list[Amount] = field(default_factory=list)
    dates: list[tuple[PartialDate, int]] = field(default_factory=list)
    clocks: list[tuple[int, int]] = field(default_factory=list)
    stamps: list[tuple[datetime, int]] = field(default_factory=list)
    ahead: set[int] = field(default_factory=set)
    prose: list[str] = field(default_factory=list)

    def read(self, cell: Cell, given: str, currency: str) -> None:
        """Read the value of a cell, which may have a unit given, and a currency from its object."""
        text, number = cell.value, cell.number
        if cell.type in ("boolean", "null"):
            return
        unit = cell.key.unit or (unit_named(given) if given else None)
        if text.isdigit() and text.isascii() and len(text) < _LONGEST_NUMBER:
            self._number(cell, float(text), unit, currency)
        elif cell.type == "number" and not self.comma and _DECIMAL.fullmatch(text):
            self._amount(cell, float(text), unit, currency)
        elif iso := _ISO.fullmatch(text):
            self._moment(iso, number)
        elif is_prose(text):
            self.prose.append(text.lower())
            self.loose += (Amount(value, u, number, False) for value, u, _ in numbers_in(text, self.comma))
            self.dates += ((own, number) for own in dates_in(text))
            self.clocks += ((minute, number) for minute in _clocks_in(text))
        elif lasts := _duration(text):
            self.amounts += (Amount(value, of, number) for value, of in lasts)
            self.clocks += ((minute, number) for minute in _clocks_in(text))
        else:
            self._text(text, cell, unit, currency)

    def _text(self, text: str, cell: Cell, unit: Unit | None, currency: str) -> None:
        """Read a value that is more than one number, moment or duration."""
        number = cell.number
        self.dates += ((own, number) for own in dates_in(text))
        if day := _DAY_OF_YEAR.fullmatch(text):
            self.dates.append((PartialDate(None, int(day[1]), int(day[2])), number))
        clocks = _clocks_in(text) if cell.type != "number" else ()
        self.clocks += ((minute, number) for minute in clocks)
        if short := _SHORT_DURATION.fullmatch(text):
            total = int(short[1]) * 60 + float(short[2])
            self.loose += (Amount(total, unit_named(own), number, False) for own in ("seconds", "minutes"))
        found = numbers_in(text, self.comma)
        for value, own, size in found:
            self._amount(cell, value, own or unit, "" if own else currency, 2 * size >= len(text))
        if not clocks:
            is_code = not found or (cell.type != "number" and " " not in text)
            self.loose += (own for own in _figures_of(text, number) if is_code or own.value >= 1000)

    def _number(self, cell: Cell, value: float, unit: Unit | None, currency: str) -> None:
        """Read a value that is one whole number."""
        words, number = cell.key.words, cell.number
        self._amount(cell, value, unit, currency)
        if unit is None and "min" in words[1:]:
            self.loose.append(Amount(value, unit_named("minutes"), number, False))
        if unit is None and not currency and 1000 <= value <= _LAST_YEAR:
            self.dates.append((PartialDate(int(value)), number))
        if value > _LAST_YEAR and (day := unix_date(cell.value, (cell.spot.rpartition("/")[2],))) is not None:
            self.dates.append((day, number))
        if value <= 24 and words and words[-1] in _HOUR_KEY:
            self.clocks.append((int(value) * 60, number))

    def _amount(self, cell: Cell, value: float, unit: Unit | None, currency: str, whole: bool = True) -> None:
        """Note a number; where the key counts in thousands, millions or cents, the full number as well."""
        soft, scale = unit is None and bool(currency), cell.key.scale
        own = Amount(value, unit_named(currency) if soft else unit, cell.number, whole, False, soft)
        if scale < 1 or scale >= _MILLION:
            self.loose.append(own._replace(whole=False, unit=None if scale < 1 else own.unit))
        elif abs(value) <= LARGEST:
            self.amounts.append(own)
        if scale != 1 and abs(value * scale) <= LARGEST:
            self.amounts.append(own._replace(value=round(value * scale, 2)))

    def _moment(self, iso: re.Match[str], number: int) -> None:
        year, month, day = int(iso[1]), int(iso[2]), int(iso[3]) if iso[3] else None
        self.dates.append((PartialDate(year, month, day), number))
        if iso[4] is not None:
            hour, minute = int(iso[4]), int(iso[5])
            self.clocks.append(((hour * 60 + minute) % 1440, number))
            if iso[6] is not None:
                self.ahead.add(int(iso[6]) * 60 + int(f"{iso[6][0]}{iso[7]}"))
            with suppress(ValueError):
                self.stamps.append((datetime(year, month, day or 1, hour % 24, minute), number))  # noqa: DTZ001


@lru_cache(maxsize=1 << 12)
def _duration(text: str) -> tuple[tuple[float, Unit | None], ...]:
    """Return how long a value lasts that is a duration; months and years apart from what has a length.

    Examples
    --------
    >>> [(value, unit.name) for value, unit in _duration("P1DT2H")], _duration("12:30:05")[0][0]
    ([(93600.0, 'second')], 45005.0)
    """
    found = _DURATION.fullmatch(text) if ":" in text or text[:1] == "P" else None
    if found is None:
        return ()
    years, months, weeks, days, hours, minutes, seconds, *clock = (int(part or 0) for part in found.groups())
    hours, minutes, seconds = hours + clock[0], minutes + clock[1], seconds + clock[2]
    total = float((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds)
    sizes = (total, unit_named("seconds")), (float(12 * years + months), unit_named("months"))
    return tuple(own for own in sizes if own[0])


@once_per_input
def record_of(input_: Input) -> Record:
    """Return the cells of an input.

    Examples
    --------
    >>> record = record_of(Graph.from_data({"name": "Inn", "rooms": [{"beds": 2, "price_eur": 80}]}))
    >>> [(cell.path, cell.value, sorted(cell.own)) for cell in record.cells]
    [('name', 'Inn', []), ('rooms.*.beds', '2', ['bed']), ('rooms.*.price_eur', '80', ['pric'])]
    >>> [(own.value, own.unit and own.unit.name) for own in record.amounts]
    [(2.0, None), (80.0, 'EUR')]
    """
    leaves = list(_leaves(input_))
    reader = _Reader(
        any(has_decimal_comma(leaf.value) for leaf in leaves if len(leaf.value) < _LONGEST_NUMBER)
    )
    keys: dict[str, dict[str, None]] = defaultdict(dict)
    currencies: dict[str, str] = {}
    for leaf in leaves:
        keys[leaf.home][leaf.key] = None
        if _is_unit_key(leaf.key) and unit_named(leaf.value) is not None:
            currencies[leaf.home] = leaf.value
    beside = {home: _known_keys(tuple(own)) for home, own in keys.items()}
    items: dict[str, dict[str, None]] = defaultdict(dict)
    for home in keys:
        for item in items_above(home):
            items[item.rpartition("/")[0]][item] = None
    cells: list[Cell] = []
    for path, spot, home, last, value, type_, unit in leaves:
        if last.isdigit():
            items[home][spot] = None
        key, own, wide = _coordinates(path, beside[home], type_ == "number")
        cell = Cell(len(cells), path, spot, home, key, own, wide, value, type_)
        cells.append(cell)
        reader.read(cell, unit, _currency_of(cell, currencies) if currencies and not key.unit else "")
    return Record(
        tuple(cells),
        _with_counters(reader.amounts, cells),
        (*reader.loose, *_numbers_of_keys(cells)),
        tuple(reader.dates),
        tuple(reader.clocks),
        tuple(reader.stamps),
        {array: tuple(own) for array, own in items.items()},
        _subjects(cells),
        tuple(reader.prose),
        frozenset(reader.ahead),
    )


def _currency_of(cell: Cell, currencies: Mapping[str, str]) -> str:
    """Return the currency, or another unit, that an object gives; for a price also one further out."""
    home = cell.home
    if home in currencies or not (cell.key.scale < 1 or "".join(cell.key.words) in PRICES):
        return currencies.get(home, "")
    while home:
        home = home.rpartition("/")[0]
        unit = unit_named(currencies[home]) if home in currencies else None
        if unit is not None and unit.dimension.startswith("money"):
            return currencies[home]
    return ""


def items_above(spot: str) -> Iterator[str]:
    """Yield the items of arrays that a spot is in or is itself, the outermost first.

    Examples
    --------
    >>> list(items_above("/teams/0/players/2/name"))
    ['/teams/0', '/teams/0/players/2']
    """
    parts = spot.split("/")
    for n in range(1, len(parts)):
        if parts[n].isdigit():
            yield "/".join(parts[: n + 1])


def homes_of(spot: str) -> Iterator[str]:
    """Yield the spots of all objects and lists that something is inside of, the innermost first.

    Examples
    --------
    >>> list(homes_of("/teams/0/name"))
    ['/teams/0', '/teams', '']
    """
    while spot:
        spot = spot.rpartition("/")[0]
        yield spot


class _Leaf(NamedTuple):
    path: str
    spot: str
    home: str
    key: str
    value: str
    type: FactType | str
    unit: str = ""


def _leaves(input_: Input) -> Iterator[_Leaf]:
    """Yield the facts of an input, names of objects and what is known to be unknown included."""
    for subject in input_.subjects:
        home, key = "" if subject.owner == "/" else subject.owner, subject.path.rpartition(".")[2]
        spot = f"{home}/{key}"
        home, _, key = spot.rpartition("/")
        yield _Leaf(subject.path, spot, home, key, label(subject.name), subject.type)
    for _, _, path, value, type_, unit, _, _, spot in input_.facts:
        home, _, key = spot.rpartition("/")
        null = type_ in ("name", "text") and UNKNOWN.fullmatch(value)
        yield _Leaf(path, spot, home, key, label(value), "null" if null else type_, unit)
    for path, spot in input_.unknown:
        home, _, key = spot.rpartition("/")
        yield _Leaf(path, spot, home, key, "", "null")
    for title in input_.titles:
        yield _Leaf("", "/", "", "", title, "text")


@lru_cache(maxsize=1 << 12)
def _called(path: str) -> str:
    return ".".join(part for part in path.split(".") if part != EVERY)


# The objects of a list have the same keys, and the inputs of a corpus the same paths.
_known_keys: Callable[[tuple[str, ...]], frozenset[str]] = lru_cache(maxsize=1 << 10)(frozenset)


@lru_cache(maxsize=1 << 12)
def _is_unit_key(key: str) -> bool:
    return _UNIT_KEY.fullmatch(key) is not None


@lru_cache(maxsize=1 << 13)
def _coordinates(
    path: str, beside: frozenset[str], is_number: bool
) -> tuple[Key, frozenset[str], frozenset[str]]:
    """Return the last key of a path that says something, the bases of its words, and those of all keys."""
    parts = [part for part in path.split(".") if part != EVERY]
    keys = [read_key(part, beside) for part in parts]
    last = next((key for key in reversed(keys) if key.stems), keys[-1] if keys else read_key(""))
    if keys and keys[-1] is not last:
        # The last key has no words of its own: those of the one above stand for it. The name of a list says
        # what its items are, not in what their numbers are.
        listed = f".{EVERY}." in path[path.rfind(parts[keys.index(last)]) :]
        unit = keys[-1].unit or (None if listed else last.unit)
        last = replace(keys[-1], words=last.words, stems=last.stems, unit=unit)
    elif len(keys) > 1 and last.unit is None and is_number and not keys[-2].is_unit:
        above = keys[-2]
        scale = above.scale if last.scale == 1 else last.scale
        last = replace(last, unit=above.unit, scale=scale)  # avg_transit_days.domestic, prices_pence.full
    return last, frozenset(last.stems), frozenset(stem for key in keys for stem in key.stems)


def _with_counters(amounts: Sequence[Amount], cells: Sequence[Cell]) -> tuple[Amount, ...]:
    """Mark the running numbers of lists: they count the items, and say nothing about them."""
    runs: dict[str, list[Amount]] = defaultdict(list)
    for own in amounts:
        if own.whole and EVERY in (path := cells[own.cell].path):
            runs[path].append(own)
    counters = {
        own.cell
        for some in runs.values()
        if len(some) > 2 and all(b.value - a.value == 1 for a, b in pairwise(some))
        for own in some
    }
    if not counters:
        return tuple(amounts)
    return tuple(own._replace(counter=own.whole and own.cell in counters) for own in amounts)


def _numbers_of_keys(cells: Sequence[Cell]) -> Iterator[Amount]:
    paths: dict[str, Cell] = {}
    for cell in cells:
        if any(map(str.isdigit, cell.path)):
            paths.setdefault(cell.path, cell)
    parts: dict[str, int] = {}
    for cell in paths.values():
        for part in cell.spot.split("/"):  # a key may have a dot in it: 3.5mm jack
            if not part.isdigit():
                parts.setdefault(part, cell.number)
    return (own for part, number in parts.items() for own in _figures_of(part, number))


def _figures_of(code: str, cell: int) -> Iterator[Amount]:
    """Yield the numbers in a code or a key: the million of ``load_1m_rows``, the year of FY26."""
    for own in _FIGURES.finditer(code):
        value = float(own[2])
        yield Amount(value, None, cell, False)
        if own[3]:
            yield Amount(value * _POWERS[own[3].lower()], None, cell, False)
        elif own[1] and value < 100:
            yield Amount(value + 2000, None, cell, False)


def _subjects(cells: Sequence[Cell]) -> dict[str, frozenset[str]]:
    """Return the words of the short strings of each object, by which texts call it."""
    found: dict[str, set[str]] = defaultdict(set)
    for cell in cells:
        if cell.type in ("name", "text", "date", "time") and len(cell.value.split()) <= _LONGEST_NAME:
            found[cell.home].update(content_bases(cell.value))
    return {home: frozenset(own) for home, own in found.items()}


def converted(value: float, unit: Unit, to: Unit) -> float:
    """Return a value in another unit of the same dimension.

    Examples
    --------
    >>> converted(168.0, unit_named("cm"), unit_named("m"))
    1.68
    """
    if unit is to:
        return value
    factor, shift = _conversion(unit, to)
    return round(value * factor + shift, 12)


@lru_cache(maxsize=1 << 12)
def in_base(unit: Unit) -> tuple[float, float]:
    """Return what a value is multiplied by, and what is added, for the base unit of its dimension."""
    return float(unit.factor), float(unit.offset)


@lru_cache(maxsize=1 << 12)
def _conversion(unit: Unit, to: Unit) -> tuple[float, float]:
    return float(unit.factor / to.factor), float((unit.offset - to.offset) / to.factor)


@lru_cache(maxsize=1 << 14)
def content_bases(text: str) -> frozenset[str]:
    """Return the bases of the words of a text that carry content.

    Examples
    --------
    >>> sorted(content_bases("The lowest of all readings"))
    ['lowest', 'read']
    """
    return frozenset(word_base(word) for word in name_words(spaced(text)) if word not in function_words())


@lru_cache(maxsize=1 << 14)
def numbers_in(text: str, comma: bool = False) -> tuple[tuple[float, Unit | None, int], ...]:
    """Return the numbers of a value, each with its unit and the characters that both take.

    With ``comma`` the input writes decimal commas, so that a point may stand between thousands.

    Examples
    --------
    >>> [(value, unit.name) for value, unit, _ in numbers_in("5+ years of experience, 2 business days")]
    [(5.0, 'year'), (2.0, 'day')]
    """
    found: list[tuple[float, Unit | None, int]] = []
    for own in find_numbers(text, comma=comma):
        if ":" not in text[own.start : own.end]:
            after = _UNIT_AFTER.match(text, own.end)
            loose = (unit_named(word) for word in after.groups() if word) if after else ()
            unit = own.unit or next(filter(None, loose), None)
            size = own.outer_end - own.outer_start
            found += ((float(value), unit, size) for value in own.values[:2] if abs(value) <= LARGEST)
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def dates_in(text: str) -> tuple[PartialDate, ...]:
    """Return the dates of a value; of a range its two ends."""
    found: list[PartialDate] = []
    for own in find_dates(text):
        value = own.values[0]
        found += [value.first, value.last] if isinstance(value, DateRange) else [value]
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=1 << 14)
def _clocks_in(text: str) -> tuple[int, ...]:
    """Return the times of day of a value, in minutes since midnight."""
    lowered = text.lower()
    found = [minute for time in find_times(lowered) if time.sure for minute in time.minutes]
    for own in _CLOCK.finditer(lowered):
        hour, minute = int(own[1]), int(own[2] or own[3])
        if hour <= 24 and minute < 60:
            found.append((hour * 60 + minute) % 1440)
    return tuple(dict.fromkeys(found))
