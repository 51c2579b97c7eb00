"""Judges opening hours: the times that a text gives for days, against a table by weekdays."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache
from itertools import chain, pairwise

from esascore.claims.cells import Cell, Record
from esascore.claims.finding import Finding, contradicted_by
from esascore.claims.reading import Reading, Span
from esascore.literals.clock import find_weekdays
from esascore.literals.keys import split_key
from esascore.text.vocabulary import WEEKDAYS

Days = frozenset[int]
Minutes = frozenset[int]
Range = tuple[Minutes, Minutes]

DAY_NAME = r"(?:mon|tue|wed|thu|fri|sat|sun)(?:s|r|rs|nes|ur)?(?:day)?"
"""A weekday in small letters, short or long; its first three letters tell which one it is."""

_DAYS = re.compile(
    rf"\b(?P<first>{DAY_NAME})s?\b\.?(?:\s*(?:-|–|—|to|through|thru|until|till)\s*(?P<last>{DAY_NAME})s?\b\.?)?"
    r"|\b(?P<week>weekday|weekend)s?\b"
    r"|\b(?:daily|(?:every|each)[\s-]?day|all week|(?:seven|7) days (?:a|per) week)\b"
)
_SETS: Mapping[str, Days] = {"weekday": frozenset(range(5)), "weekend": frozenset((5, 6))}
_EVERY = frozenset(range(7))
_TIME = (
    r"(?:(?P<h{0}>\d{{1,2}})(?:[:.](?P<m{0}>\d\d?))?(?::\d\d)?\s*(?P<p{0}>[ap]\.?\s?m\b\.?)?"
    r"|(?P<w{0}>noon|midday|midnight))"
)
_HOURS = re.compile(
    r"\b(?:(?:(?P<ends>until|till|clos(?:es?|ing) at)|(?P<begins>opens? (?:at|from)|starting (?:at|from)))"
    rf"\s+(?:at\s+)?)?(?P<times>{_TIME.format(1)}(?P<range>\s*(?:-|–|—|to|until|till|and|through)\s*"
    rf"{_TIME.format(2)})?)(?![\d%])"
)
_SHUT = re.compile(r"\bclosed\b(?!-)|\bnot open\b")
_EMPTY = re.compile(r"clos|none|^\W*$", re.IGNORECASE)
_CUE = re.compile(r"\b(?:open\w*|hours|operat\w+|clos(?:e|es|ed|ing)|schedule|available|staffed|served)\b")
_OPEN = re.compile(r"^(?!.*(?:\bnot\b|n['’]t)).*\bopens?\b", re.DOTALL)
_BETWEEN = re.compile(r"[^\w;]*(?:\w+[^\w;]+){0,4}")  # days and when something is open on them
_AND = re.compile(r"[^\w.;:(]*(?:(?:and|or)[^\w.;:(]+)?")
_LEAST_NAMED, _LONGEST_NAMED = 3, 79  # characters of what may name a weekday


@dataclass(frozen=True, slots=True)
class Table:
    """Hours by weekday: the ranges of each day that is known, none where it is closed; the cells by day."""

    hours: Mapping[int, Sequence[Range]]
    cells: Mapping[int, Cell]


def tables_of(record: Record) -> list[Table]:
    """Return the weekly tables of an input.

    Examples
    --------
    >>> from esascore.claims.cells import record_of
    >>> from esascore.model import Graph
    >>> data = {"opening": {"mon-fri": "08:00-18:00", "sat": "9:00-13:00", "sun": "closed"}}
    >>> [table] = tables_of(record_of(Graph.from_data(data)))
    >>> [[tuple(map(min, own)) for own in table.hours[day]] for day in (0, 5, 6)]
    [[(480, 1080)], [(540, 780)], []]
    """
    by_home: dict[str, dict[int, Cell]] = defaultdict(dict)
    for cell in record.cells:
        by_home[cell.home].update(dict.fromkeys(days_of_key(cell.spot.rpartition("/")[2]) or (), cell))
    tables = []
    for cells in by_home.values():
        hours = {day: _ranges(cell.value) for day, cell in cells.items()}
        if len(hours) > 1 and all(own or _EMPTY.search(cells[day].value) for day, own in hours.items()):
            if any(opens != closes for some in hours.values() for opens, closes in some):
                # 0:00-0:00 beside real hours is closed.
                hours = {day: [own for own in some if own[0] != own[1]] for day, some in hours.items()}
            tables.append(Table(hours, cells))
    return tables


def _ranges(value: str) -> list[Range]:
    """Return the hours that a value gives, on a clock of 24 hours unless it says "am" or "pm"."""
    found = [own for own in _HOURS.finditer(value.lower()) if own["range"]]
    halves = any(own[f"p{n}"] for own in found for n in (1, 2))
    return [(_minutes(own, 1, either=halves), _minutes(own, 2, either=halves)) for own in found]


@lru_cache(maxsize=1 << 12)
def days_of_key(key: str) -> Days | None:
    """Return the weekdays that a key names; None if it names something else.

    Examples
    --------
    >>> days_of_key("mon_thu") == {0, 1, 2, 3}, days_of_key("Saturday") == {5}, days_of_key("month")
    (True, True, None)
    """
    words = [word for word in split_key(key.replace("-", " ")) if word not in ("to", "and", "through")]
    found = _DAYS.fullmatch("-".join(words))
    return None if found is None else _named_days(found)


def weekdays_of(record: Record) -> Days:
    """Return the weekdays that an input names, and those of its dates and of the days between two of them."""
    days = set[int]()
    by_home: dict[str, list[date]] = defaultdict(list)
    for own, cell in record.days:
        days.add(own.weekday())
        by_home[record.cells[cell].home].append(own)
    for some in by_home.values():
        gap = (max(some) - min(some)).days
        days.update((min(some) + timedelta(days=n)).weekday() for n in range(min(7, gap + 1)))
    texts = {part for path in {cell.path for cell in record.cells} for part in path.split(".")}
    texts.update(cell.value for cell in record.cells if cell.type != "number")
    for text in texts:
        if not _LEAST_NAMED <= len(text) <= _LONGEST_NAMED:
            continue
        days.update(days_of_key(text) or ())
        days.update(number for _, _, number in find_weekdays(text.lower()))
    for text in record.prose:
        days.update(number for _, _, number in find_weekdays(text))
    return frozenset(days)


def day_number(name: str) -> int:
    """Return which weekday a name or abbreviation is, Monday being 0."""
    return next(n for n, day in enumerate(WEEKDAYS) if day.startswith(name[:3]))


def _named_days(found: re.Match[str]) -> Days:
    if found["week"]:
        return _SETS[found["week"]]
    if not found["first"]:
        return _EVERY
    first, last = (day_number(own) for own in (found["first"], found["last"] or found["first"]))
    return frozenset((first + n) % 7 for n in range((last - first) % 7 + 1))


def _minutes(own: re.Match[str], n: int, *, either: bool = True) -> Minutes:
    """Return the minutes since midnight that a written time can mean, in either half of the day."""
    if own[f"w{n}"]:
        return frozenset({0 if own[f"w{n}"] == "midnight" else 720})
    hour, minute, half = int(own[f"h{n}"]), int(own[f"m{n}"] or 0), own[f"p{n}"]
    if hour > 24 or minute > 59:
        return frozenset()
    if half and hour <= 12:
        return frozenset({hour % 12 * 60 + minute + (720 if half[0] == "p" else 0)})
    at = hour * 60 + minute
    return frozenset({at % 1440, (at + 720) % 1440} if either and 1 <= hour <= 12 else {at % 1440})


@dataclass(frozen=True, slots=True)
class _Part:
    """What a part of a sentence says: days, or opening times; something closed has no times."""

    start: int
    end: int
    days: Days | None = None
    opens: Minutes | None = None
    closes: Minutes | None = None

    @property
    def shuts(self) -> bool:
        """Whether it says "closed"."""
        return self.days is None and self.opens is None and self.closes is None

    def fits(self, hours: Sequence[Range]) -> bool:
        """Return whether it may be said of a day with these hours."""
        if self.shuts:
            return not hours
        return any(
            (self.opens is None or not self.opens.isdisjoint(opens))
            and (self.closes is None or not self.closes.isdisjoint(closes))
            for opens, closes in hours
        )


def judge_hours(tables: Sequence[Table], reading: Reading) -> tuple[list[Finding], list[Span]]:
    """Return hours that no table has, and the spans of those that one has."""
    findings: list[Finding] = []
    borne: list[Span] = []
    for start, end in reading.sentences if tables else ():
        sentence = reading.lowered[start:end]
        for days, when in _statements(sentence) if _CUE.search(sentence) else ():
            said = sorted(days.days or ())
            wrong = [[day for day in said if not when.fits(table.hours.get(day, ()))] for table in tables]
            if not all(wrong):
                borne += ((start + own.start, start + own.end) for own in (days, when))
                continue
            day, cell = wrong[0][0], tables[0].cells.get(wrong[0][0])
            first, last = days.start, days.end
            if when.shuts:
                first, last = min(first, when.start), max(last, when.end)
            elif len(wrong[0]) == len(said):
                first, last = when.start, when.end
            span = start + first, start + first + len(sentence[first:last].rstrip(" .,;"))
            reason = f"the input says {WEEKDAYS[day]} = {cell.value if cell else 'closed'}"
            if cell is None:
                findings.append(Finding(*span, "date", "hours", "contradicted", reason=reason))
            else:
                findings.append(contradicted_by(cell, *span, "date", "hours", reason))
    return findings, borne


def _statements(sentence: str) -> Iterator[tuple[_Part, _Part]]:
    """Yield days with when something is open on them: in the order in which most have both, and nearest."""
    parts = _parts(sentence)
    orders: dict[bool, list[tuple[_Part, _Part, int]]] = {True: [], False: []}
    for one, other in pairwise(parts):
        between = _BETWEEN.fullmatch(sentence, one.end, other.start)
        if between is not None and (one.days is None) != (other.days is None):
            orders[one.days is not None].append((one, other, len(between[0].split())))
    free, made = set(parts), list[tuple[_Part, _Part]]()
    leading = sorted(orders.values(), key=lambda some: (-len(some), sum(apart for *_, apart in some)))
    for one, other, _ in chain(*leading):
        if {one, other} <= free:
            free -= {one, other}
            made.append((one, other) if other.days is None else (other, one))
    if _OPEN.search(sentence):
        made += ((own, own) for own in free if own.days is not None)
    made.sort(key=lambda pair: pair[0].start)
    for n, (days, when) in enumerate(made):
        left = days.days or _EVERY
        for other, _ in made[n + 1 :]:  # later, smaller sets of days are exceptions
            if not when.shuts and other.days is not None and not other.days >= left:
                left -= other.days
        yield replace(days, days=left), when


def _parts(sentence: str) -> list[_Part]:
    """Return the days of a sentence and when something is open or closed, neighbouring days as one."""
    found = [_Part(*own.span(), _named_days(own)) for own in _DAYS.finditer(sentence)]
    some_days = bool(found)
    found += (_Part(*own.span()) for own in _SHUT.finditer(sentence))
    for own in _HOURS.finditer(sentence):
        is_clock = any(own[f"{part}{n}"] for part in "mpw" for n in (1, 2))
        first = _minutes(own, 1)
        if own["range"] and first and (last := _minutes(own, 2)) and (is_clock or some_days):
            found.append(_Part(*own.span("times"), None, first, last))
        elif not own["range"] and first and is_clock and (own["ends"] or own["begins"]):
            found.append(_Part(*own.span(), None, *((None, first) if own["ends"] else (first, None))))
    found.sort(key=lambda own: own.start)
    parts: list[_Part] = []
    for one in found:
        if parts and one.days and parts[-1].days and _AND.fullmatch(sentence, parts[-1].end, one.start):
            parts[-1] = _Part(parts[-1].start, one.end, parts[-1].days | one.days)
        else:
            parts.append(one)
    return parts
