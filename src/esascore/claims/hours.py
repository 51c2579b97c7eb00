"""Judges opening hours: the times that a text gives for days, against a table by weekdays."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache
from itertools import pairwise

from esascore.claims.cells import Cell, Record
from esascore.claims.finding import Finding, contradicted_by
from esascore.claims.reading import Reading
from esascore.literals.clock import find_weekdays
from esascore.literals.keys import split_key

Days = frozenset[int]
Range = tuple[int, int]

WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SHORT = {name[:3]: n for n, name in enumerate(WEEK)} | {"tues": 1, "thur": 3, "thurs": 3, "weds": 2}
_DAY_NUMBER = _SHORT | {name: n for n, name in enumerate(WEEK)}
_WEEKDAYS, _WEEKEND, _EVERY = frozenset(range(5)), frozenset((5, 6)), frozenset(range(7))
_SETS = {
    "weekday": _WEEKDAYS, "weekdays": _WEEKDAYS, "weekend": _WEEKEND, "weekends": _WEEKEND, "daily": _EVERY,
    "everyday": _EVERY, "all": _EVERY,
}  # fmt: skip
_NAME = "|".join(sorted(_DAY_NUMBER, key=len, reverse=True))
_A_DAY = rf"(?:{_NAME})s?\b\.?"
_DAY_SPAN = re.compile(
    rf"\b(?P<first>{_A_DAY})\s*(?:-|–|—|to|through|thru|until|till)\s*(?P<last>{_A_DAY})|\b(?P<one>{_A_DAY})"
    r"|\b(?P<every>daily|every\s?day|all week|(?:seven|7) days (?:a|per) week|each day)\b"
    r"|\b(?P<set>weekdays|weekends?)\b"
)
_TIME = (
    r"(?:(?P<h{0}>\d{{1,2}})(?:[:.](?P<m{0}>\d\d))?\s*(?P<p{0}>[ap]\.?\s?m\b\.?)?"
    r"|(?P<w{0}>noon|midday|midnight))"
)
_TIME_RANGE = re.compile(
    rf"\b{_TIME.format(1)}\s*(?:-|–|—|to|until|till|and|through)\s*{_TIME.format(2)}(?![\d%])"
)
_ONE_TIME = re.compile(
    r"\b(?P<which>until|till|opens? (?:at|from)|clos(?:es?|ing) at|starting (?:at|from))\s+(?:at\s+)?"
    + _TIME.format(1)
)
_CLOSED = re.compile(r"\bclosed\b(?!-)|\bnot open\b")
_EXCEPT = re.compile(r"\b(?:except|excluding|other than|apart from)\b")
_CUE = re.compile(r"\b(?:open\w*|hours|operat\w+|clos(?:e|es|ed|ing)|schedule|available|staffed|served)\b")
_UNSURE = re.compile(r"\b(?:if|whether|may|might|could|would|perhaps|possibly|maybe|probably)\b|\?")
_VALUE = re.compile(
    r"(\d{1,2})(?::(\d{1,2}))?(?::\d\d)?\s*([ap]m)?\s*[-–]\s*(\d{1,2})(?::(\d{1,2}))?(?::\d\d)?\s*([ap]m)?",
    re.IGNORECASE,
)
_SHUT = re.compile(r"clos|none|^\W*$", re.IGNORECASE)
# What may stand between days and their times, and between times and their days.
_TO_TIMES = re.compile(
    r"\W*(?:(?:is|are|we|re|from|at|between|opening|hours|of|it|they|the|open|until|to)\W*){0,4}"
)
_TO_DAYS = re.compile(r"\W*(?:(?:on|from|the|for|during|each|every)\W*){0,2}")
_AGAIN = re.compile(r"\W*(?:and|,)?\W*(?:again )?(?:from)?\W*")
_NOT = re.compile(r"\bnot\b|n't|n’t")
_A_WORD = re.compile(r"\w+")
_NEAR = 5  # words between a set of days and "closed"
_LEAST_NAMED, _LONGEST_NAMED = 3, 79  # characters of what may name a weekday


@dataclass(frozen=True, slots=True)
class Table:
    """Hours by weekday: the ranges of each day that is known, none where it is closed; the cells by day."""

    hours: Mapping[int, tuple[Range, ...]]
    cells: Mapping[int, Cell]


def tables_of(record: Record) -> list[Table]:
    """Return the weekly tables of an input.

    Examples
    --------
    >>> from esascore.claims.cells import record_of
    >>> from esascore.model import Graph
    >>> data = {"opening": {"mon-fri": "08:00-18:00", "sat": "9:00-13:00", "sun": "closed"}}
    >>> [table] = tables_of(record_of(Graph.from_data(data)))
    >>> table.hours[0], table.hours[5], table.hours[6]
    (((480, 1080),), ((540, 780),), ())
    """
    by_home: dict[str, list[tuple[Days, Cell]]] = defaultdict(list)
    others: Counter[str] = Counter()
    for cell in record.cells:
        days = days_of_key(cell.spot.rpartition("/")[2])
        if days is None:
            others[cell.home] += 1
        else:
            by_home[cell.home].append((days, cell))
    tables = (
        _table(rows)
        for home, rows in by_home.items()
        if sum(len(days) for days, _ in rows) > 1 and others[home] < 2
    )
    return [table for table in tables if table is not None]


def _table(rows: Sequence[tuple[Days, Cell]]) -> Table | None:
    hours: dict[int, tuple[Range, ...]] = {}
    cells: dict[int, Cell] = {}
    for days, cell in rows:
        ranges = _ranges(cell.value)
        if ranges is None:
            return None
        hours |= dict.fromkeys(days, ranges)
        cells |= dict.fromkeys(days, cell)
    if any(a != b for ranges in hours.values() for a, b in ranges):  # 0:00-0:00 beside real hours is closed
        hours = {day: tuple(r for r in ranges if r[0] != r[1]) for day, ranges in hours.items()}
    return Table(hours, cells)


@lru_cache(maxsize=1 << 12)
def days_of_key(key: str) -> Days | None:
    """Return the weekdays that a key names; None if it names something else.

    Examples
    --------
    >>> days_of_key("mon_thu") == {0, 1, 2, 3}, days_of_key("Saturday") == {5}, days_of_key("month")
    (True, True, None)
    """
    words = [word for word in split_key(key.replace("-", " ")) if word not in ("to", "and", "through")]
    if len(words) == 1 and words[0] in _SETS:
        return _SETS[words[0]]
    numbers = [_DAY_NUMBER.get(word, _DAY_NUMBER.get(word.removesuffix("s"))) for word in words]
    if not words or len(words) > 2 or None in numbers:
        return None
    return _span(numbers[0] or 0, numbers[-1] or 0)


def weekdays_of(record: Record) -> frozenset[int]:
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


def _span(first: int, last: int) -> Days:
    return frozenset((first + n) % 7 for n in range((last - first) % 7 + 1))


def _ranges(value: str) -> tuple[Range, ...] | None:
    """Return the hours that a value gives; none for a day that is closed, None for what cannot be read."""
    found = []
    for own in _VALUE.finditer(value):
        ends = []
        for hour, minute, half in ((own[1], own[2], own[3] or own[6]), (own[4], own[5], own[6])):
            at = int(hour)
            if half:
                at = at % 12 + (12 if half.lower() == "pm" else 0)
            ends.append((at * 60 + int(minute or 0)) % 1440)
        found.append((ends[0], ends[1]))
    if found:
        return tuple(found)
    return () if _SHUT.search(value) else None


@dataclass(frozen=True, slots=True)
class _Event:
    kind: str
    start: int
    end: int
    days: Days | None = None
    opens: frozenset[int] | None = None
    closes: frozenset[int] | None = None


@dataclass(frozen=True, slots=True)
class _Said:
    """What a sentence says: on which days, when; ``kind`` is open, closed or except."""

    kind: str
    days: Days | None
    day_span: Range | None
    opens: frozenset[int] | None = None
    closes: frozenset[int] | None = None
    time_span: Range | None = None


def judge_hours(tables: Sequence[Table], reading: Reading) -> tuple[list[Finding], list[Range]]:
    """Return hours that no table has, and the spans of those that one has."""
    if not tables:
        return [], []
    findings: list[Finding] = []
    borne: list[Range] = []
    for start, end in reading.sentences:
        sentence = reading.lowered[start:end]
        if _CUE.search(sentence) is None or _UNSURE.search(sentence):
            continue
        for said in _paired(_events(sentence), sentence):
            spans = [span for span in (said.day_span, said.time_span) if span is not None]
            wrong = [one for table in tables if (one := _wrong(table, said)) is not None]
            if len(wrong) < len(tables):
                borne += ((start + a, start + b) for a, b in spans)
                continue
            (first, last), reason, cell = wrong[0]
            last = first + len(sentence[first:last].rstrip(" .,;"))
            place = start + first, start + last
            if cell is None:
                findings.append(Finding(*place, "date", "hours", "contradicted", reason=reason))
            else:
                findings.append(contradicted_by(cell, *place, "date", "hours", reason))
    return findings, borne


def _wrong(table: Table, said: _Said) -> tuple[Range, str, Cell | None] | None:
    """Return what of a statement is wrong, why, and the cell that says otherwise; None if nothing is."""
    hours, span, place = table.hours, said.day_span, said.time_span
    days = sorted(said.days or ())
    if said.kind == "closed":
        open_ = next((day for day in days if hours.get(day)), None)
        if open_ is None or span is None:
            return None
        return span, f"the input says {WEEK[open_]} = {table.cells[open_].value}", table.cells[open_]
    if said.opens is None and said.closes is None:
        shut = next((day for day in days if not hours.get(day)), None)
        if shut is None or span is None:
            return None
        return span, f"the input has no hours for {WEEK[shut]}", table.cells.get(shut)

    def fits(day: int) -> bool:
        return any(
            (said.opens is None or a in said.opens) and (said.closes is None or b in said.closes)
            for a, b in hours.get(day, ())
        )

    if said.days is None:
        if place is not None and not any(map(fits, hours)):
            return place, "no day of the input has these hours", None
        return None
    wrong = [day for day in days if not fits(day)]
    if not wrong:
        return None
    cell = table.cells.get(wrong[0])
    reason = f"the input says {WEEK[wrong[0]]} = {cell.value if cell else 'closed'}"
    chosen = place if len(wrong) == len(days) else span
    return (chosen, reason, cell) if chosen is not None else None


def _events(sentence: str) -> list[_Event]:
    found = [_Event("days", own.start(), own.end(), _day_set(own)) for own in _DAY_SPAN.finditer(sentence)]
    taken: list[Range] = []
    for own in _TIME_RANGE.finditer(sentence):
        opens, closes = _minutes(own, 1), _minutes(own, 2)
        is_clock = any(own[f"{part}{n}"] for part in "mpw" for n in (1, 2))
        if opens and closes and (is_clock or found):
            found.append(_Event("times", own.start(), own.end(), None, opens, closes))
            taken.append(own.span())
    for own in _ONE_TIME.finditer(sentence):
        if any(a < own.end() <= b for a, b in taken) or not (own["p1"] or own["m1"] or own["w1"]):
            continue
        if minutes := _minutes(own, 1):
            begins = own["which"].startswith(("open", "start"))
            ends = (minutes, None) if begins else (None, minutes)
            found.append(_Event("times", own.start(), own.end(), None, *ends))
    found += (_Event("closed", *own.span()) for own in _CLOSED.finditer(sentence))
    found += (_Event("except", *own.span()) for own in _EXCEPT.finditer(sentence))
    return sorted(found, key=lambda own: own.start)


def _day_set(own: re.Match[str]) -> Days:
    if own["every"]:
        return _EVERY
    if own["set"]:
        return _SETS[own["set"]]
    if own["one"]:
        return frozenset({_number(own["one"])})
    return _span(_number(own["first"]), _number(own["last"]))


def _number(word: str) -> int:
    word = word.rstrip(".")
    return _DAY_NUMBER[word] if word in _DAY_NUMBER else _DAY_NUMBER[word.removesuffix("s")]


def _minutes(own: re.Match[str], n: int) -> frozenset[int]:
    """Return the minutes since midnight that a written time can mean."""
    if own[f"w{n}"]:
        return frozenset({0 if own[f"w{n}"] == "midnight" else 720})
    hour, minute, half = int(own[f"h{n}"]), int(own[f"m{n}"] or 0), own[f"p{n}"]
    if hour > 24 or minute > 59:
        return frozenset()
    if half and hour <= 12:
        return frozenset({hour % 12 * 60 + minute + (720 if half[0] == "p" else 0)})
    both = {(hour * 60 + minute) % 1440}
    return frozenset(both | {(hour * 60 + minute + 720) % 1440} if 1 <= hour <= 12 else both)


def _paired(events: Sequence[_Event], sentence: str) -> Iterator[_Said]:
    """Pair sets of days with times, the kind that comes first in the sentence leading."""
    blocks = _blocks(events, sentence)
    used: set[int] = set()
    made = [*_timed(blocks, sentence, used), *_closed(blocks, sentence, used)]
    left = [own for n, own in enumerate(blocks) if n not in used]
    days = [own for own in left if own.kind == "days"]
    if re.search(r"\bopens?\b", sentence) and not _NOT.search(sentence):
        made += (_Said("open", own.days, (own.start, own.end)) for own in days)
    if not days and not any(own.days for own in made):
        made += (
            _Said("open", None, None, own.opens, own.closes, (own.start, own.end))
            for own in left
            if own.kind == "times"
        )
    made.sort(key=lambda own: (own.day_span or own.time_span or (0, 0))[0])
    return _without_exceptions(made)


def _blocks(events: Sequence[_Event], sentence: str) -> list[_Event]:
    """Join neighbouring days ("Friday, Saturday and Sunday"); nothing is left if days have two ranges."""
    blocks: list[_Event] = []
    for own in events:
        last = blocks[-1] if blocks else None
        if last is None or own.kind != last.kind:
            blocks.append(own)
            continue
        gap = sentence[last.end : own.start]
        if own.kind == "days" and len(_A_WORD.findall(gap)) < 2 and not re.search(r"[.;:(]", gap):
            blocks[-1] = _Event("days", last.start, own.end, (last.days or _EVERY) | (own.days or _EVERY))
        elif own.kind == "times" and _AGAIN.fullmatch(gap):
            return []
        else:
            blocks.append(own)
    return blocks


def _timed(blocks: Sequence[_Event], sentence: str, used: set[int]) -> Iterator[_Said]:
    """Yield sets of days with the times beside them; note which blocks are used."""
    lead = next((own.kind for own in blocks if own.kind in ("days", "times")), "")
    order = [("days", "times", _TO_TIMES), ("times", "days", _TO_DAYS)]
    for first, second, gap in order if lead == "days" else reversed(order):
        for n, (one, other) in enumerate(pairwise(blocks)):
            if {n, n + 1} & used or (one.kind, other.kind) != (first, second):
                continue
            if gap.fullmatch(sentence, one.end, other.start) and ";" not in sentence[one.end : other.start]:
                used.update((n, n + 1))
                days, times = (one, other) if first == "days" else (other, one)
                day_span, time_span = (days.start, days.end), (times.start, times.end)
                yield _Said("open", days.days, day_span, times.opens, times.closes, time_span)


def _closed(blocks: Sequence[_Event], sentence: str, used: set[int]) -> Iterator[_Said]:
    """Yield sets of days that are closed or excepted; note which blocks are used."""
    for n, own in enumerate(blocks):
        if n in used or own.kind not in ("closed", "except"):
            continue
        for k in (n + 1, n - 1):
            if 0 <= k < len(blocks) and blocks[k].kind == "days" and k not in used:
                days = blocks[k]
                if _is_close(own, days, sentence):
                    used.update((n, k))
                    yield _Said(own.kind, days.days, (min(own.start, days.start), max(own.end, days.end)))
                    break


def _is_close(one: _Event, other: _Event, sentence: str) -> bool:
    first, second = sorted((one, other), key=lambda own: own.start)
    return len(_A_WORD.findall(sentence, first.end, second.start)) < _NEAR


def _without_exceptions(made: list[_Said]) -> Iterator[_Said]:
    """Take later, smaller sets of days out of earlier ones: they are exceptions."""
    for n, own in enumerate(made):
        days = own.days
        for other in made[n + 1 :]:
            if days and own.kind == "open" and other.days and other.days & days and not other.days >= days:
                days -= other.days
        if own.kind != "except":
            yield replace(own, days=days)
