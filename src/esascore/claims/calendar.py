"""Judges dates, weekdays and times of day: does the input have them, or can they be derived from it?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta

from esascore.claims.cells import Amount, converted
from esascore.claims.finding import Finding, contradicted_by
from esascore.claims.hours import DAY_NAME, day_number
from esascore.claims.known import Known
from esascore.claims.reading import Reading, parts
from esascore.literals.clock import find_weekdays
from esascore.literals.dates import FoundDate, PartialDate
from esascore.literals.units import unit_named
from esascore.text.vocabulary import WEEKDAYS

_LONGEST_STEP = 800  # days
_MOST_MOVED = 10**4
_DAY = 1440  # minutes
_DAY_BEFORE = re.compile(rf"(?<!\w)(?P<name>{DAY_NAME})[,.]?\s*(?:\(|the |on )?$")
_DAY_AFTER = re.compile(rf"\s*[,(]\s*(?:a )?(?P<name>{DAY_NAME})\b")
_REACH = 18  # characters between a weekday and the date that it belongs to
_FIGURES = re.compile(r"\d{1,2}:\d\d")
_ABOUT = re.compile(r"\b(?:after|before|around|about|by|near|past|towards?|until) $")
_UTC = re.compile(r"\s*(?:utc|gmt)\b")
_PACE = re.compile(r"\s?(?:per\s|/)")


class CalendarJudge:
    """Judges the dates and times of one text."""

    def __init__(self, known: Known, reading: Reading):
        self._known = known
        self._record = known.record
        self._reading = reading

    def judge(self) -> list[Finding]:
        """Return the dates, weekdays and times that the input does not support."""
        return [*self._dates(), *self._weekdays(), *self._times()]

    def _dates(self) -> Iterator[Finding]:
        if not self._reading.dates:
            return
        known = [own for own, _ in self._record.dates]
        possible = [*known, *self._moved_days()]
        years = {own.year for own in known}
        dated = any(own.month for own in known)
        for found in self._reading.dates:
            said = parts(found)
            if all(own.month is None and own.day is None for own in said):
                continue  # a year is a number
            if any(_agree(value, own) for value in said for own in possible):
                yield from self._wrong_day(found, said)
            elif not dated and any(own.year is None or own.year in years for own in said):
                continue
            else:
                yield self._baseless(found)

    def _baseless(self, found: FoundDate) -> Finding:
        text = self._reading.text[found.start : found.end].rstrip(" .,")
        span = found.start, found.start + len(text)
        reason = f"the input has no date that is {text}"
        cells = {cell for own, cell in self._record.dates if own.month}
        if len(cells) == 1:
            return contradicted_by(self._record.cells[cells.pop()], *span, "date", "date", reason)
        return Finding(*span, "date", "date", "baseless", reason=reason)

    def _moved_days(self) -> Iterator[PartialDate]:
        """Yield the days that lie a duration of the input before or after one of its dates."""
        steps = _steps(self._record.amounts, "days", _LONGEST_STEP)
        days = {own for own, _ in self._record.days}
        for day in days if len(days) * len(steps) < _MOST_MOVED else ():
            for step in (*steps, *(-step for step in steps)):
                if 0 < day.toordinal() + step <= date.max.toordinal():
                    moved = day + timedelta(days=step)
                    yield PartialDate(moved.year, moved.month, moved.day)

    def _wrong_day(self, found: FoundDate, said: Sequence[PartialDate]) -> Iterator[Finding]:
        """Yield a weekday beside a date that is not that of the date."""
        lowered = self._reading.lowered
        before = _DAY_BEFORE.search(lowered, max(0, found.start - _REACH), found.start)
        match = before or _DAY_AFTER.match(lowered, found.end, found.end + _REACH)
        meant = [
            own
            for own, _ in self._record.days
            if any(_agree(value, PartialDate(own.year, own.month, own.day)) for value in said if value.day)
        ]
        if match is None or not meant or day_number(match["name"]) in {own.weekday() for own in meant}:
            return
        start, end = min(match.start("name"), found.start), max(match.end("name"), found.end)
        end = start + len(self._reading.text[start:end].rstrip(" .,"))
        name = WEEKDAYS[meant[0].weekday()].capitalize()
        reason = f"{meant[0]} is a {name}"
        yield Finding(start, end, "date", "weekday", "contradicted", None, name, reason)

    def _weekdays(self) -> Iterator[Finding]:
        known = self._known.weekdays
        if not known or not self._reading.document.language.english:
            return
        for start, end, day in find_weekdays(self._reading.lowered):
            if day not in known:
                name = ", ".join(WEEKDAYS[own].capitalize() for own in sorted(known))
                reason = f"the dates of the input are on {name}"
                expected = name if len(known) == 1 else None
                yield Finding(start, end, "date", "weekday", "baseless", None, expected, reason)

    def _times(self) -> Iterator[Finding]:
        known = {minute for minute, _ in self._record.clocks}
        if not known or not self._reading.times:
            return
        cells, amounts = self._record.cells, self._record.amounts
        counted = (own for own in self._record.loose if cells[own.cell].type == "number")
        steps = _steps((*amounts, *counted), "minutes", _DAY - 1)
        moved = {(own + step * sign) % _DAY for own in known for step in steps for sign in (1, -1)}
        seconds = {round(60 * size) for size in _in_unit((*amounts, *self._record.loose), "minutes")}
        for found in self._reading.times:
            text = self._reading.text[found.start : found.end]
            minutes = {own % _DAY for own in found.minutes}
            if _UTC.match(self._reading.lowered, found.end):
                minutes |= {own + ahead for own in minutes for ahead in self._record.ahead}
            if not minutes.isdisjoint(known | moved) or any(text in cell.value for cell in cells):
                continue
            if _PACE.match(self._reading.lowered, found.end):
                continue  # 5:30 per kilometre
            if not any(map(str.isdigit, text)) and _ABOUT.search(self._reading.lowered, 0, found.start):
                continue  # shortly after noon
            # Figures with a colon may be hours and minutes, or minutes and seconds.
            if not _FIGURES.fullmatch(text) or seconds.isdisjoint((*minutes, *(60 * own for own in minutes))):
                reason = f"the input has no time that is {text}"
                yield Finding(found.start, found.end, "date", "time", "baseless", reason=reason)


def _in_unit(some: Iterable[Amount], name: str) -> Iterator[float]:
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
