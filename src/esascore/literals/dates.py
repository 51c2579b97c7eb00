"""Dates: those of the input, how texts write them, and when the two agree.

A date is looked for by its written form alone, with one compiled scan; the input then says which of its
readings is meant ("10/03/1983" may be in March or October). dateparser is asked only about what looks
like a date in a language whose forms the scan does not know, and about terms of the input that a
property calls a date.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

from esascore.label import label
from esascore.lazy import lazy
from esascore.literals.date_patterns import DAY, grammar, numbers_of, ordinal_day_before
from esascore.literals.number_patterns import ORDINAL_ENDING
from esascore.model import Entity
from esascore.text.normalize import lowered_in_place

FORMS: Mapping[str, float] = {
    "full": 0.0, "first-day": 0.05, "range": 0.1, "partial": 0.2, "time": 0.2, "weekday": 0.22, "decade": 0.3,
}  # fmt: skip
"""The ways in which a text may agree with a date of the input, with the distance that each is given.

full
    Every part that the input states is stated and equal ("27th of April, 1937" for 1937-04-27; "1937" for
    1937).
first-day
    A year for the first of its January, a month for its first day: how data often write what they know
    only in part ("in 1937" for 1937-01-01).
range
    One end of a range of the input, or a range given by years where the input has months.
partial
    Part of the date, no part wrong ("in 1937" or "April 27th" for 1937-04-27).
time, weekday
    The time of day alone ("at 6 pm" for 2023-11-28 18:00), the weekday alone ("on Tuesday"): only for data,
    which say what is a date. A date and its time together are ``full``.
decade
    The decade of the date ("the 1930s" for 1937-04-27).
"""


@dataclass(frozen=True, slots=True)
class PartialDate:
    """A date of which some parts may be unknown; years before Christ are negative.

    >>> PartialDate(1937, 4)
    PartialDate(year=1937, month=4, day=None)
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None


@dataclass(frozen=True, slots=True)
class DateRange:
    """From one date to another, both included; a decade is the range of its years."""

    first: PartialDate
    last: PartialDate


DateValue = PartialDate | DateRange


@dataclass(frozen=True, slots=True)
class FoundDate:
    """A date in a text: its span, and all values that the written form can have."""

    start: int
    end: int
    values: tuple[DateValue, ...]


def find_dates(text: str, languages: tuple[str, ...] = ("en",), *, days: bool = False) -> list[FoundDate]:
    """Find the dates of a text, in text order.

    A number of four digits that may be a year is given as one; whether it is, the input knows. Ranges
    are given in addition to their two ends.

    Parameters
    ----------
    text
        Any text, also tokenised or lower-cased.
    languages
        ISO codes of the languages whose month names are known.
    days
        Give the other days of "January 4 to 9" and of "4th and 5th of May", too.

    Examples
    --------
    >>> text = "She was born on the 27th of April, 1937."
    >>> [(text[d.start:d.end], d.values) for d in find_dates(text)]
    [('the 27th of April, 1937', (PartialDate(year=1937, month=4, day=27),))]
    >>> find_dates("10/03/1983")[0].values
    (PartialDate(year=1983, month=3, day=10), PartialDate(year=1983, month=10, day=3))
    >>> find_dates("am 27. April 1937", languages=("de",))[0].values
    (PartialDate(year=1937, month=4, day=27),)
    """
    if not _A_DIGIT.search(text):
        return []
    rules = grammar(languages)
    lowered = lowered_in_place(text)
    match_form = rules.form.match
    found: list[FoundDate] = []
    end = 0
    for anchor in rules.anchor.finditer(lowered):
        start = anchor.start()
        if start < end or (match := match_form(lowered, start)) is None:
            continue
        form = match.lastgroup or ""
        values = _values(match[0], form, languages)
        if not values:
            continue
        end = match.end()
        if form == "years":
            found += _year_span(lowered, start, end, values)
            continue
        first = values[0]
        if form == "my" and isinstance(first, PartialDate) and (day := ordinal_day_before(lowered, start)):
            start, form = day[0], "dmy"
            values = (PartialDate(first.year, first.month, day[1]),)
        if form in _BEFORE and (before := _BEFORE[form].search(lowered, max(0, start - 12), start)):
            start = before.start()
        found.append(FoundDate(start, end, values))
    if rules.loose is not None:
        found = _with_loose(found, lowered, rules.loose, languages)
    if days:
        found = _with_days(found, lowered)
    return _with_ranges(found, lowered) if len(found) > 1 else found


def entity_date(entity: Entity, languages: tuple[str, ...] = ("en",)) -> DateValue | None:
    """Return the date that an entity is, or None if it is not one.

    Only a term that is a date as a whole is one. A number of four digits is a year unless its properties
    speak of something else that is counted or measured.

    Examples
    --------
    >>> entity_date(Entity('"1937-04-27"^^xsd:date'))
    PartialDate(year=1937, month=4, day=27)
    >>> entity_date(Entity("1500", object_of=("numberOfMembers",)))
    """
    if entity.type == "number" and (stamp := unix_date(str(entity.term), entity.object_of)) is not None:
        return stamp
    return _date(entity.term, entity.object_of, languages)


def unix_date(term: str, properties: tuple[str, ...]) -> PartialDate | None:
    """Return the day of seconds or milliseconds since 1970, where the attribute speaks of a time.

    Examples
    --------
    >>> unix_date("1701194400", ("created_at",)), unix_date("1701194400", ("population",))
    (PartialDate(year=2023, month=11, day=28), None)
    """
    if len(term) not in _UNIX_SIZES or not _UNIX.fullmatch(term) or not any(map(_STAMP.search, properties)):
        return None
    day = datetime.fromtimestamp(int(term[:10]), UTC)
    return PartialDate(day.year, day.month, day.day)


def may_be_year(term: str, properties: tuple[str, ...]) -> bool:
    """Return whether figures are a year under these properties.

    Examples
    --------
    >>> may_be_year("1998", ("opened",)), may_be_year("1998", ("numberOfMembers",))
    (True, False)
    """
    dated, usual = _years_under(properties)
    size = len(term)
    return (dated and size <= _YEAR_SIZE) or (usual and size == _YEAR_SIZE and "1000" <= term <= "2100")


def calls_a_date(properties: Sequence[str]) -> bool:
    """Return whether one of the properties around an entity is a date by its name.

    >>> calls_a_date(["birthDate"]), calls_a_date(["numberOfMembers"])
    (True, False)
    """
    return any(_DATE_PROPERTY.search(name.lower()) for name in properties)


def calls_an_identifier(properties: Sequence[str]) -> bool:
    """Return whether one of the properties around an entity is, by its name, a code or what is called by one.

    >>> calls_an_identifier(["postalCode"]), calls_an_identifier(["numberOfMembers"])
    (True, False)
    """
    return any(map(_IDENTIFIER_PROPERTY.search, properties))


def agrees(found: FoundDate, date: DateValue, forms: Sequence[str] = tuple(FORMS)) -> float | None:
    """Return the distance of the best of ``forms`` in which a found date agrees with one of the input.

    Examples
    --------
    >>> agrees(find_dates("in 1937")[0], PartialDate(1937, 1, 1), ("full", "first-day"))
    0.05
    >>> agrees(find_dates("on May 4th, 1937")[0], PartialDate(1937, 4, 5)) is None
    True
    """
    ways = filter(None, (_form(value, date) for value in found.values))
    return min((FORMS[way] for way in ways if way in forms), default=None)


@dataclass(frozen=True)
class Dates:
    """Dates by their years and days: those that a date of a text can agree with are looked up.

    Examples
    --------
    >>> own = Dates((PartialDate(1937, 4, 27), PartialDate(1938)))
    >>> [found] = find_dates("in April 1937")
    >>> own.agreeing(found)
    [(0, 0.2)]
    """

    all: tuple[DateValue, ...]

    @lazy
    def _by_parts(self) -> dict[tuple[str, int | None], list[int]]:
        """Ranges stand under the parts of both ends."""
        index: dict[tuple[str, int | None], list[int]] = {}
        for place, date in enumerate(self.all):
            for end in {date.first, date.last} if isinstance(date, DateRange) else (date,):
                index.setdefault(("year", end.year), []).append(place)
                index.setdefault(("day", end.day), []).append(place)
        return index

    def agreeing(self, found: FoundDate, forms: Sequence[str] = tuple(FORMS)) -> list[tuple[int, float]]:
        """Return the positions of the dates that one of a text agrees with, and its distances from them."""
        near: Iterable[int] = range(len(self.all))
        if len(self.all) > _FEW:
            parts = (part for value in found.values for part in _parts_to_look_up(value))
            near = sorted({place for part in parts for place in self._by_parts.get(part, ())})
        return [(at, distance) for at in near if (distance := agrees(found, self.all[at], forms)) is not None]


def _parts_to_look_up(said: DateValue) -> Iterator[tuple[str, int | None]]:
    """Yield what dates must have, one of these, for `_form` to find an agreement."""
    if isinstance(said, DateRange):
        first, last = said.first.year, said.last.year
        years = {first, last}
        if first is not None and last == first + 9:
            years.update(range(first, last))
        yield from (("year", year) for year in years if year is not None)
        yield from (("day", end.day) for end in (said.first, said.last) if end.year is None)
    elif said.year is None and said.day is not None:
        yield "day", said.day
    else:
        yield "year", said.year


_A_DIGIT = re.compile(r"\d")
_YEAR_SIZE = 4
_FEW = 8  # so many dates are sooner compared than looked up
_UNIX = re.compile(r"1[0-9]{9}(?:[0-9]{3})?")
_UNIX_SIZES = (10, 13)
_STAMP = re.compile(r"(?i:time|date|epoch|(?:^|_)(?:at|dt|ts|on)$)|(?<=[a-z])At$")
_ISO_TERM = re.compile(
    r"(?P<y>-?[0-9]{4})-(?P<m>[0-9]{2})(?:-(?P<d>[0-9]{2}))?(?:[T ][0-9:.]+)?(?:Z|[+-][0-9:]{4,6})?"
    r"|--(?P<m2>[0-9]{2})(?:-(?P<d2>[0-9]{2}))?"
)
_DIGITS = re.compile(r"\d+")
_NOTHING_ELSE = re.compile(r"[ .,()]+|(?<!\w)(?:the|in|on|from|between|circa|ca?\.)(?!\w)")
_LAST_DIGITS = re.compile(r"[0-9]+$")
_ASIDE = re.compile(r"\s*\([^()]*\)$")
# What belongs to a date before it begins: people mark "the 27th of April", "the 1990s", "the year 1937".
_BEFORE = {
    "dmy": re.compile(r"(?<!\w)the\s$"),
    "decade": re.compile(r"(?:(?<!\w)the\s)?['’]$|(?<!\w)the\s$"),
    "year": re.compile(r"(?<!\w)the\syear\s$"),
}
_DATE_PROPERTY = re.compile(
    r"date|year|epoch|birth|born|death|died|founded|founding|established|opening|opened|launch|voyage"
    r"|flight|aired|release|discovered|season|selected|inaugurat|construct|retire"
)
_QUANTITY_PROPERTY = re.compile(
    r"number|count|length|elevation|height|width|depth|size|area|population|runway|page|code|staff|member"
    r"|student|employee|mass|weight|speed|cost|price|revenue|income|budget|gross|salary|capacity|distance"
    r"|altitude|production|rooms|beds|density|temperature|period|displacement|power|launches|_id$|ident"
)
_IDENTIFIER_PROPERTY = re.compile(
    r"(?i)issn|isbn|oclc|lccn|code|(?:^|[a-z_])id$|identifier|runway|postal|phone"
)
_DAY = rf"(?P<day>{DAY}{ORDINAL_ENDING}?)"
_DAY_AFTER = re.compile(
    rf"(?:\s?(?:[-–—]|(?:to|until|till|through)\s)\s?(?:the\s)?|(?:\s?,)?\s(?:and|&|or)?\s?(?:the\s)?(?={DAY}{ORDINAL_ENDING}))"
    rf"{_DAY}(?![^\W_]|[.,:/-][0-9]|\s?[%°]|\s(?:degrees|mm|km|m/s|mph|hpa|am|pm|a\.m|p\.m)(?![^\W_]))"
)
_DAY_BEFORE = re.compile(rf"(?<![^\W_.,:/-]){_DAY}\s?(?:[-–—]|(?:to|and|&|or|until|through)\s(?:the\s)?)\s?$")
_RANGE_JOIN = re.compile(r"\s?(?:-|–|—|to|until|till|through|and)\s?")
_BETWEEN = re.compile(r"\b(?:between|from)\s$")


def _date(term: str, properties: tuple[str, ...], languages: tuple[str, ...]) -> DateValue | None:
    if term.isdigit() and term.isascii():  # most numbers: no need to remember each beside its properties
        return PartialDate(int(term)) if len(term) <= _YEAR_SIZE and may_be_year(term, properties) else None
    if not _A_DIGIT.search(term):
        return None
    return _date_of_other(str(term), properties, languages)


@lru_cache(maxsize=1 << 14)
def _date_of_other(term: str, properties: tuple[str, ...], languages: tuple[str, ...]) -> DateValue | None:
    term = _ASIDE.sub("", label(term))
    if not _A_DIGIT.search(term):
        return None
    if (whole := _ISO_TERM.fullmatch(term)) and (date := _date_of_iso(whole)):
        return date
    if calls_an_identifier(properties):
        return None
    if term.isdigit() and term.isascii():
        return _date(term, properties, languages)
    for found in find_dates(term, languages):
        if not _NOTHING_ELSE.sub("", term[: found.start].lower() + term[found.end :]):
            ranges = [value for value in found.values if isinstance(value, DateRange)]
            return ranges[0] if ranges else found.values[0]
    if calls_a_date(properties):
        return _ask_dateparser(term, languages)
    return None


@lru_cache(maxsize=1 << 14)
def _values(string: str, form: str, languages: tuple[str, ...]) -> tuple[DateValue, ...]:
    """Return what a string matched by the scan can mean; empty if no calendar has such a date."""
    rules = grammar(languages)
    numbers = numbers_of(string)
    if form in ("dmy", "mdy", "my", "ydm", "ymd"):
        name = rules.month_name.search(string)
        month = None if name is None else rules.months[name[0]]
        if form == "my":
            return tuple(PartialDate(year, month) for year in _years(numbers[0], string))
        year_first = form in ("ydm", "ymd")
        day = numbers[-1] if year_first else numbers[0]
        if len(numbers) == 1:
            return (PartialDate(None, month, day),)
        return tuple(PartialDate(y, month, day) for y in _years(numbers[0 if year_first else -1], string))
    if form == "iso":
        year, month, day = numbers[:3]
        return _valid([(year, month, day)] if month <= 12 else [(year, day, month)])
    if form == "numeric":
        a, b, short = numbers
        years = _years(short, "'" if short < 100 else "")
        return _valid([(y, m, d) for y in years for d, m in ((a, b), (b, a))])
    if form == "decade":
        first = numbers[0]
        starts = (first,) if first > 99 else _years(first, "'")
        return tuple(DateRange(PartialDate(y), PartialDate(y + 9)) for y in starts)
    if form == "years":
        return _year_pair(*numbers)
    before_christ = form == "era" and "b" in string
    return (PartialDate(-numbers[0] if before_christ else numbers[0]),)


def _years(number: int, string: str) -> tuple[int, ...]:
    """Return the years that a number can mean; of two digits after an apostrophe, either century."""
    if number > 99 or not ("'" in string or "’" in string):
        return (number,)
    return (1900 + number, 2000 + number)


def _valid(dates: Sequence[tuple[int, int, int]]) -> tuple[PartialDate, ...]:
    kept = [PartialDate(y, m, d) for y, m, d in dates if 1 <= m <= 12 and 1 <= d <= 31]
    return tuple(dict.fromkeys(kept))


def _year_pair(first: int, last: int) -> tuple[DateValue, ...]:
    month = (PartialDate(first, last),) if 1 <= last <= 12 else ()
    last += first - first % 100 if last < 100 else 0
    return (*month, DateRange(PartialDate(first), PartialDate(last))) if last > first else month


def _year_span(lowered: str, start: int, end: int, values: tuple[DateValue, ...]) -> list[FoundDate]:
    """Give "1961 - 1964" as a range and, unless it is a month ("1961-11"), as its two ends."""
    found = [FoundDate(start, end, values)]
    span = values[-1]
    if isinstance(span, DateRange):
        second = end - len(_LAST_DIGITS.search(lowered[start:end])[0])  # type: ignore[index]
        found = [FoundDate(start, start + 4, (span.first,)), *found, FoundDate(second, end, (span.last,))]
    return found


def _with_days(found: list[FoundDate], lowered: str) -> list[FoundDate]:
    """Add the days that share the month of a date: "January 4th, 5th and 6th", "from 4 to 9 January"."""
    result: list[FoundDate] = []
    for date in found:
        first = date.values[0]
        result.append(date)
        if not isinstance(first, PartialDate) or first.month is None or first.day is None:
            continue
        if lowered[date.start].isdigit() or lowered.startswith("the ", date.start):
            before = _DAY_BEFORE.search(lowered, max(0, date.start - 14), date.start)
            spans = [] if before is None else [before.span("day")]
        else:
            spans, end = [], date.end
            while (after := _DAY_AFTER.match(lowered, end)) is not None:
                spans.append(after.span("day"))
                end = after.end()
        for start, end in spans:
            day = int(_DIGITS.match(lowered, start)[0])  # type: ignore[index]
            result.append(FoundDate(start, end, (PartialDate(first.year, first.month, day),)))
    return sorted(result, key=lambda date: (date.start, date.end))


def _with_ranges(found: list[FoundDate], lowered: str) -> list[FoundDate]:
    """Add the range of two dates that a dash or a word joins."""
    result: list[FoundDate] = []
    for left, right in zip(found, [*found[1:], None], strict=True):
        result.append(left)
        if right is None or right.start - left.end > 9:
            continue
        join = _RANGE_JOIN.fullmatch(lowered, left.end, right.start)
        between = _BETWEEN.search(lowered, max(0, left.start - 9), left.start)
        if join is None or ("and" in join[0] and not between):
            continue
        firsts, lasts = ([v for v in one.values if isinstance(v, PartialDate)] for one in (left, right))
        if values := tuple(DateRange(first, last) for first in firsts for last in lasts):
            result.append(FoundDate(left.start, right.end, values))
    return result


def _with_loose(
    found: list[FoundDate], lowered: str, loose: re.Pattern[str], languages: tuple[str, ...]
) -> list[FoundDate]:
    """Replace what lies in a run that only dateparser understands by the date that it reads there."""
    result = list(found)
    for run in loose.finditer(lowered):
        inside = [d for d in result if d.start < run.end() and run.start() < d.end]
        whole = any(isinstance(v, PartialDate) and v.day and v.year for d in inside for v in d.values)
        if whole or len(_DIGITS.findall(run[0])) < 2:
            continue
        value = _ask_dateparser(run[0], languages)
        if value is not None:
            result = [d for d in result if d not in inside]
            result.append(FoundDate(run.start(), run.end(), (value,)))
    return sorted(result, key=lambda d: (d.start, d.end))


@lru_cache(maxsize=1 << 14)
def _ask_dateparser(string: str, languages: tuple[str, ...]) -> PartialDate | None:
    named = languages != ("en",) or grammar(languages).month_name.search(string.lower())
    if not named and len(_DIGITS.findall(string)) < 3:
        return None  # no whole date; spares most corpora the loading of dateparser, a quarter of a second
    import warnings

    import dateparser

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # dateparser warns of its own dependencies' deprecations
        moment = dateparser.parse(
            string,
            languages=list(languages),
            settings={
                "STRICT_PARSING": True,
                "REQUIRE_PARTS": ["day", "month", "year"],
                "PARSERS": ["absolute-time"],
            },
        )
    return None if moment is None else PartialDate(moment.year, moment.month, moment.day)


def _date_of_iso(match: re.Match[str]) -> PartialDate | None:
    year, month, day = match["y"], match["m"] or match["m2"], match["d"] or match["d2"]
    m, d = int(month), None if day is None else int(day)
    if not 1 <= m <= 12 or (d is not None and not 1 <= d <= 31):
        return None
    return PartialDate(None if year is None else int(year), m, d)


@lru_cache(maxsize=1 << 12)
def _years_under(properties: tuple[str, ...]) -> tuple[bool, bool]:
    """Return whether any figures are a year under these properties, and whether usual ones are."""
    if calls_an_identifier(properties):
        return False, False
    dated = calls_a_date(properties)
    return dated, dated or not any(_QUANTITY_PROPERTY.search(name.lower()) for name in properties)


def _form(said: DateValue, meant: DateValue) -> str | None:
    """Return the form in which a date in a text agrees with one of the input, or None."""
    if said == meant:
        return "full"
    if isinstance(meant, DateRange):
        if isinstance(said, DateRange):
            fits = _fits(said.first, meant.first) and _fits(said.last, meant.last)
        else:
            fits = _fits(said, meant.first) or _fits(said, meant.last)
        return "range" if fits else None
    if isinstance(said, DateRange):
        first, last, year = said.first.year or -1, said.last.year or -1, meant.year
        decade = year is not None and first % 10 == 0 and first <= year <= last == first + 9
        return "decade" if decade else None
    if not _fits(said, meant):
        return None
    whole = said.year is not None and said.day is None and meant.day == 1
    return "first-day" if whole and (said.month is not None or meant.month == 1) else "partial"


def _fits(said: PartialDate, meant: PartialDate) -> bool:
    """Return whether a date is another one, or leaves out parts of it and contradicts none."""
    if said.year is None and said.day is None:
        return said == meant
    pairs = ((said.year, meant.year), (said.month, meant.month), (said.day, meant.day))
    return all(a is None or a == b for a, b in pairs)
