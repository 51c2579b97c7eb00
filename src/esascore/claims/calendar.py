"""Judges dates, weekdays and times of day: does the input have them, or does something of it give them?"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from math import log2

from esascore.claims.cells import Amount, converted
from esascore.claims.finding import Finding, contradicted_by
from esascore.text.vocabulary import WEEKDAYS as WEEK
from esascore.claims.known import Known
from esascore.claims.reading import Quantity, Reading, Spans, parts
from esascore.lazy import lazy
from esascore.literals.clock import FoundTime, find_weekdays
from esascore.literals.dates import FoundDate, PartialDate
from esascore.literals.units import unit_named

_BITS_OF_DATE = 8.5
_BITS_OF_TIME = {"hour": 4.6, "five": 8.2, "minute": 10.5}
_MARGIN = 1.0
_LONGEST_STEP = 800
_MOST_MONTHS = 600
_ABOUT = re.compile(
    r"\b(?:about|around|approximately|roughly|shortly|just|soon|by|before|after|until)\s+(?:the\s)?$"
)
_IN = re.compile(r"\bin\s$")
_DAY_NAME = r"(?P<name>(?P<day>mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?)"
_DAY_BEFORE = re.compile(rf"(?<!\w){_DAY_NAME}[,.]?\s*(?:\(|the |on )?$")
_DAY_AFTER = re.compile(rf"\s*[,(]\s*(?:a )?{_DAY_NAME}\b")
_DAY_WITHIN = re.compile(rf"{_DAY_NAME},?\s")
_MAY_BE_NO_MONTH = ("may", "march", "mar", "sun")
_DAY = 1440  # minutes
_AROUND = 15  # minutes that "about" may be off
_BESIDE = 9  # characters between a weekday and the date that it belongs to
_REACH = 18

_UTC = re.compile(r"\s?\(?(?:utc|gmt)\b")


class CalendarJudge:
    """Judges the dates and times of one text."""

    def __init__(self, known: Known, reading: Reading):
        self._known = known
        self._record = known.record
        self._reading = reading

    def judge(self) -> list[Finding]:
        """Return the dates, weekdays and times that the input does not bear out."""
        return [*self._dates(), *self._weekdays(), *self._times()]

    def _dates(self) -> Iterator[Finding]:
        if not self._reading.dates:
            return
        known = self._record.dates
        years = {own.year for own, _ in known}
        derived = self._derived()
        whole = [own for own, _ in known if own.month]
        for found in self._reading.dates:
            said = parts(found)
            if not said or all(own.month is None and own.day is None for own in said):
                continue  # a year is a number
            if any(_agree(value, own) for value in said for own, _ in known):
                if (wrong := self._wrong_day(found, said)) is not None:
                    yield wrong
                continue
            if any(_agree(value, own) for value in said for own in derived):
                continue
            if not whole and any(own.year is None or own.year in years for own in said):
                continue
            if said[0].day is None and self._is_month_known(said[0], found):
                continue
            if (
                _IN.search(self._reading.lowered, max(0, found.start - 3), found.start)
                and said[0].year is None
            ):
                continue  # "in January 17 of them": what follows is no day
            yield self._baseless(found)

    def _baseless(self, found: FoundDate) -> Finding:
        text = self._reading.text[found.start : found.end].rstrip(" .,")
        span = found.start, found.start + len(text)
        reason = f"the input has no date that is {text}"
        cells = {cell for own, cell in self._record.dates if own.month}
        if len(cells) == 1:
            return contradicted_by(self._record.cells[cells.pop()], *span, "date", "date", reason)
        return Finding(*span, "date", "date", "baseless", reason=reason)

    def _derived(self) -> list[PartialDate]:
        """Return dates that lie a duration of the input before or after one of its dates."""
        steps = _steps(self._record.amounts, "days", _LONGEST_STEP)
        months = _steps(self._record.amounts, "months", _MOST_MONTHS)
        days = {own for own, _ in self._record.days}
        if log2(max(1, 2 * len(days) * (len(steps) + len(months)))) > _BITS_OF_DATE - _MARGIN:
            return []
        found = []
        for day in days:
            for step in (*months, *(-step for step in months)):
                year, month = divmod(day.year * 12 + day.month - 1 + step, 12)
                found.append(PartialDate(year, month + 1, day.day))
            for step in (*steps, *(-step for step in steps)):
                try:
                    moved = day + timedelta(days=step)
                except OverflowError:
                    continue
                found.append(PartialDate(moved.year, moved.month, moved.day))
        return found

    def _is_month_known(self, said: PartialDate, found: FoundDate) -> bool:
        """Return whether a month lies between the dates of the input, or may be no month at all."""
        text = self._reading.text[found.start : found.end]
        if text.lower() in _MAY_BE_NO_MONTH or len(text) < 4 or said.month is None:
            return True
        months = {(own.year, own.month) for own, _ in self._record.dates if own.month}
        if any(
            month == said.month and (said.year is None or year in (None, said.year)) for year, month in months
        ):
            return True
        days = [own for own, _ in self._record.days]
        if not days:
            return said.year is None and any(month == said.month for _, month in months)
        first, last = min(days), max(days)
        years = [said.year] if said.year else range(first.year, last.year + 1)
        return any(
            date(year, said.month, 1) <= last and date(year, said.month, 28) >= first for year in years
        )

    def _wrong_day(self, found: FoundDate, said: list[PartialDate]) -> Finding | None:
        """Return a weekday beside a date that is not that of the date."""
        lowered = self._reading.lowered
        before = _DAY_BEFORE.search(lowered, max(0, found.start - _REACH), found.start)
        match = (
            before
            or _DAY_WITHIN.match(lowered, found.start, found.end)
            or _DAY_AFTER.match(lowered, found.end, found.end + _REACH)
        )
        if match is None:
            return None
        meant = [
            own
            for own, _ in self._record.days
            if any(
                (value.month, value.day) == (own.month, own.day) and value.year in (None, own.year)
                for value in said
            )
        ]
        number = next(n for n, name in enumerate(WEEK) if name.startswith(match["day"][:3]))
        if not meant or any(own.weekday() == number for own in meant):
            return None
        start, end = min(match.start("name"), found.start), max(match.end("name"), found.end)
        end = start + len(self._reading.text[start:end].rstrip(" .,"))
        name = WEEK[meant[0].weekday()].capitalize()
        return Finding(start, end, "date", "weekday", "contradicted", None, name, f"{meant[0]} is a {name}")

    def _weekdays(self) -> Iterator[Finding]:
        found = find_weekdays(self._reading.lowered)
        if not found or not self._reading.document.language.english:
            return
        known = self._known.weekdays
        if not known or len(known) > 6:
            return
        dated = Spans(
            (own.start - _BESIDE, own.end + _BESIDE)
            for own in self._reading.dates
            if any(value.day for value in parts(own))
        )
        for start, end, day in found:
            if day in known or dated.overlap(start, end + 1):
                continue
            if self._reading.lowered[end : end + 1] == "s":
                continue
            name = ", ".join(WEEK[own].capitalize() for own in sorted(known))
            reason = f"the dates of the input are on {name}"
            expected = name if len(known) == 1 else None
            yield Finding(start, end, "date", "weekday", "baseless", None, expected, reason)

    def _times(self) -> Iterator[Finding]:
        known = {minute for minute, _ in self._record.clocks}
        if not known or not self._reading.times:
            return
        cells = self._record.cells
        counted = (own for own in self._record.loose if cells[own.cell].type == "number")
        steps = _steps((*self._record.amounts, *counted), "minutes", _DAY - 1)
        for found in self._reading.times:
            minutes = {own % _DAY for own in found.minutes}
            if minutes & known or not self._is_time(found):
                continue
            if minutes & self._record.utc and _UTC.match(self._reading.lowered, found.end):
                continue
            if not self._is_explained(found, minutes, known, steps):
                reason = f"the input has no time that is {self._reading.text[found.start : found.end]}"
                yield Finding(found.start, found.end, "date", "time", "baseless", reason=reason)

    def _is_time(self, found: FoundTime) -> bool:
        said = self._reading.lowered[found.start : found.end]
        return found.sure or ":" in said or said in ("noon", "midnight", "midday")

    def _is_explained(self, found: FoundTime, minutes: set[int], known: set[int], steps: set[int]) -> bool:
        """Return whether a time is near one of the input or a duration away from one, or is no time."""
        reading = self._reading
        said = reading.text[found.start : found.end]
        if _ABOUT.search(reading.lowered, max(0, found.start - 24), found.start) and any(
            abs(own - minute) <= _AROUND for own in known for minute in minutes
        ):
            return True
        whole = all(own % 60 == 0 for own in minutes)
        five = all(own % 5 == 0 for own in minutes)
        bits = _BITS_OF_TIME["hour" if whole else "five" if five else "minute"] - _MARGIN
        if log2(max(1, 2 * len(known) * len(steps))) > bits:  # only what the sentence states is a short way
            sentence = reading.sentence_at(found.start)
            here = (own for own in reading.quantities if own.sentence == sentence)
            steps = steps & {int(size) for size in _in_unit(here, "minutes")}
        moved = {(own + step * sign) % _DAY for own in known for step in steps for sign in (1, -1)}
        if minutes & (moved | self._ends):
            return True
        if re.fullmatch(r"\d{1,2}:\d\d", said) and self._is_duration(minutes):
            return True
        return any(said in cell.value for cell in self._record.cells)

    @lazy
    def _ends(self) -> frozenset[int]:
        """The times that lie a duration after a time of the same object."""
        cells = self._record.cells
        by_home: dict[str, set[int]] = defaultdict(set)
        for own in self._record.amounts:
            by_home[cells[own.cell].home] |= _steps([own], "minutes", _DAY - 1)
        return frozenset(
            (minute + step) % _DAY
            for minute, cell in self._record.clocks
            for step in by_home[cells[cell].home]
        )

    def _is_duration(self, minutes: set[int]) -> bool:
        """Return whether figures with a colon are a duration of the input."""
        return any(
            size in minutes or any(abs(60 * size - one) < 1e-6 for one in minutes)
            for size in _in_unit((*self._record.amounts, *self._record.loose), "minutes")
        )


def _in_unit(some: Iterable[Amount | Quantity], name: str) -> Iterator[float]:
    """Yield the durations among some numbers, in a unit of time."""
    to = unit_named(name)
    for own in some:
        if own.unit is not None and to is not None and own.unit.dimension == "time":
            yield converted(own.value, own.unit, to)


def _steps(amounts: Iterable[Amount], name: str, longest: int) -> set[int]:
    """Return the durations of an input that are a whole number of a unit."""
    return {int(size) for size in _in_unit(amounts, name) if 0 < size <= longest and size.is_integer()}


def _agree(said: PartialDate, meant: PartialDate) -> bool:
    """Return whether all parts that both dates have are equal, and the month and day of a text are known."""
    pairs = [(said.year, meant.year), (said.month, meant.month), (said.day, meant.day)]
    both = [(a, b) for a, b in pairs if a is not None and b is not None]
    if not both or any(a != b for a, b in both):
        return False
    return not (said.month is not None and meant.month is None) and not (
        said.day is not None and meant.day is None
    )
