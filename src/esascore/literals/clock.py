"""Times of day and weekdays: how texts write them, and those of values in the data."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from esascore.model import Entity
from esascore.text.normalize import lowered_in_place
from esascore.text.numerals import SMALL_NUMBERS
from esascore.text.vocabulary import WEEKDAYS

_DAY = 24 * 60
_NOON = 12 * 60
_NAMED = {"noon": _NOON, "midday": _NOON, "midnight": 0}
_SHIFTS = {("half", "past"): 30, ("quarter", "past"): 15, ("quarter", "to"): -15}
_HOUR = rf"{'|'.join(SMALL_NUMBERS[1:13])}|1[0-2]|[1-9]"
_HALF = r"(?P<half>[ap])(?:\.\s?m\.?|m)(?![^\W_])"
_SPOKEN = re.compile(
    rf"(?<![^\W_])(?:(?P<part>half|quarter)\s(?P<side>past|to)\s(?P<of>{_HOUR})"
    rf"|(?P<oclock>{_HOUR})\s?o\s?['’]\s?clock|(?P<named>{'|'.join(_NAMED)}))(?![^\W_])"
)
_IN_SPOKEN = ("half", "quarter", "clock", *_NAMED)
_IN_FIGURES = re.compile(r"[0-9](?::[0-9]|\s?[ap](?:\.\s?)?m)")
_FIGURES = re.compile(
    r"[0-9](?<![^\W_].)(?<![0-9][:.,/].)(?<![$£€].)(?:(?<=[01])[0-9]|(?<=2)[0-4])?"
    r"(?:(?P<dot>[:.])(?P<minute>[0-5][0-9])(?::[0-5][0-9](?:\.[0-9]+)?)?)?(?![0-9]|[:.,][0-9])"
    rf"(?:\s?{_HALF})?(?![^\W_])"
)
_TO = re.compile(
    r"(?<![^\W_.,:])(?P<hour>1[0-2]|[1-9])(?::(?P<minute>[0-5][0-9]))?\s?(?:[-–—]|(?:to|until|and)\s)\s?$"
)
_RANGE = re.compile(r"(?<![:0-9])[0-9]{1,2}:[0-9]{2}\s?-\s?$")
_ZONE = re.compile(r"\s?\(?(?:utc|gmt|z)(?![^\W_]|\s?[+−-])")
_WEEKDAY = re.compile(rf"(?<![^\W_])(?:{'|'.join(WEEKDAYS)})(?![^\W_])")
_TERM = re.compile(
    r"(?:[+-]?[0-9]{4}-[0-9]{2}-[0-9]{2}[T ])?(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::[0-9.]+)?"
    r"(?:\s?(?P<half>[ap])\.?m\.?)?\s?(?P<zone>Z|[+-][0-9]{2}:?[0-9]{2})?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class FoundTime:
    """A time of day in a text.

    ``minutes`` since midnight are one or two: "6:00" may be in the evening. ``sure`` tells that it cannot be
    a duration or a score ("6 pm"), ``universal`` that the text says UTC.
    """

    start: int
    end: int
    minutes: tuple[int, ...]
    sure: bool
    universal: bool = False


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day in the data, in minutes since midnight; also in UTC if the data give the zone."""

    local: int
    universal: int | None = None

    def shows(self, time: FoundTime) -> bool:
        """Return whether a time of a text is this one."""
        if time.universal and self.universal is not None:
            return self.universal in time.minutes
        return self.local in time.minutes


def find_times(text: str) -> list[FoundTime]:
    """Find the times of day of a text, in text order.

    Examples
    --------
    >>> [time.minutes for time in find_times("at 18:00, from 2 to 4:30 p.m., at half past nine or at noon")]
    [(1080,), (840,), (990,), (570, 1290), (720,)]
    >>> find_times("20 of 9.30 for 1:2")
    []
    """
    lowered = lowered_in_place(text)
    found = []
    for match in _FIGURES.finditer(lowered) if _IN_FIGURES.search(lowered) else ():
        half, minute = match["half"], int(match["minute"] or 0)
        if half is None and (match["dot"] != ":" or _is_zone(lowered, match.start())):
            continue
        hour = int(re.split("[:.apm ]", match[0], maxsplit=1)[0])
        if half is None:
            minutes = _either(hour, minute)
            if hour == 0 or match[0][0] == "0":
                minutes = minutes[:1]
        elif 1 <= hour <= 12:
            minutes = (hour % 12 * 60 + minute + (_NOON if half == "p" else 0),)
        else:
            continue
        start, end = match.span()
        if half is not None and (first := _TO.search(lowered, max(0, start - 12), start)):
            earlier = int(first["hour"]) % 12 * 60 + int(first["minute"] or 0)
            ends = first.end("minute") if first["minute"] else first.end("hour")
            either = (earlier + _NOON,) if half == "p" else (earlier, earlier + _NOON)
            found.append(FoundTime(first.start(), ends, either, True))
        found.append(FoundTime(start, end, minutes, half is not None, _ZONE.match(lowered, end) is not None))
    for match in _SPOKEN.finditer(lowered) if any(map(lowered.__contains__, _IN_SPOKEN)) else ():
        if match["named"]:
            found.append(FoundTime(*match.span(), (_NAMED[match["named"]],), False))
            continue
        word = match["of"] or match["oclock"]
        hour = SMALL_NUMBERS.index(word) if word in SMALL_NUMBERS else int(word)
        shift = _SHIFTS.get((match["part"], match["side"]), 0)
        minutes = tuple((value + shift) % _DAY for value in _either(hour, 0))
        found.append(FoundTime(*match.span(), minutes, True))
    return sorted(found, key=lambda time: time.start)


def find_weekdays(lowered: str) -> list[tuple[int, int, int]]:
    """Find the weekdays of a lower-cased text: start, end, and number, Monday being 0.

    Examples
    --------
    >>> find_weekdays("on tuesday evening, but not on sundays")
    [(3, 10, 1)]
    """
    if "day" not in lowered:
        return []
    return [(*found.span(), WEEKDAYS.index(found[0])) for found in _WEEKDAY.finditer(lowered)]


def weekday(year: int | None, month: int | None, day: int | None) -> int | None:
    """Return the weekday of a whole date, Monday being 0; None for others.

    Examples
    --------
    >>> weekday(2023, 11, 28), weekday(2023, 11, None), weekday(2023, 2, 30)
    (1, None, None)
    """
    if year is None or month is None or day is None or not 1 <= year <= 9999:
        return None
    try:
        return date(year, month, day).weekday()
    except ValueError:
        return None


def entity_clock(entity: Entity) -> Clock | None:
    """Return the time of day of a value that is a date with a time, or a time.

    Examples
    --------
    >>> entity_clock(Entity("2023-11-28T18:00:00+02:00", type="date"))
    Clock(local=1080, universal=960)
    """
    return _clock(str(entity.term)) if entity.type in ("date", "time") else None


@lru_cache(maxsize=1 << 14)
def _clock(term: str) -> Clock | None:
    match = _TERM.fullmatch(term)
    if match is None or int(match["hour"]) > 24:
        return None
    hour = int(match["hour"])
    if match["half"]:
        hour = hour % 12 + (12 if match["half"].lower() == "p" else 0)
    local = (hour * 60 + int(match["minute"])) % _DAY
    zone = match["zone"]
    if zone is None:
        return Clock(local)
    if zone in "Zz":
        return Clock(local, local)
    ahead = int(zone[0] + "1") * (int(zone[1:3]) * 60 + int(zone[-2:]))
    return Clock(local, (local - ahead) % _DAY)


def _is_zone(lowered: str, start: int) -> bool:
    """Whether what begins at ``start`` is the zone of a time (18:00:00-05:00), not the end of a range."""
    sign = lowered[start - 1 : start]
    return sign in ("+", "−") or (sign == "-" and not _RANGE.search(lowered, max(0, start - 8), start))


def _either(hour: int, minute: int) -> tuple[int, ...]:
    """Return the times that an hour can mean; up to twelve it may be before or after noon."""
    time = hour * 60 + minute
    return (time % _DAY,) if not 1 <= hour <= 12 else (time % _DAY, (time + _NOON) % _DAY)
