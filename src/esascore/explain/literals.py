"""Dates, numbers and codes of a text that nothing in the input explains."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from datetime import date as calendar_date
from decimal import Decimal
from itertools import accumulate, combinations

from esascore.detectors.clock import find_times, find_weekdays, weekday
from esascore.detectors.dates import DateRange, DateValue, FoundDate, PartialDate, agrees, find_dates
from esascore.detectors.numbers import FoundNumber, find_numbers
from esascore.detectors.quantities import Quantity, number_distance
from esascore.explain.explanation import Explained, figures_in
from esascore.explain.spans import Unexplained
from esascore.explain.view import View
from esascore.text.numerals import NUMBER_WORDS
from esascore.text.symbols import tail
from esascore.text.vocabulary import WEEKDAYS

_SPLIT_CODE = re.compile(r"(?<!\d)\d+(?:[ -]+\d+)+")  # once for each run of digits
_ASIDE = re.compile(
    r"\s?(?:[(\[/,]|or|,\sor)\s?(?:or\s|about\s|around\s|approximately\s|approx\.?\s|roughly\s|[~≈]\s?)?"
)
_TOTAL = re.compile(r"\b(?:combin\w+|total\w*|altogether|sum|together|in all|aggregate)\b")
_BY = re.compile(r"\b(?:by|margin of|difference of|gap of|lead of)\s(?:an?\s|just\s|only\s|about\s|some\s)*$")
_MORE = re.compile(
    r"(?:[\s-]+\w+){0,2}[\s-]+(?:more|fewer|less|higher|lower|greater|ahead|behind|margin|difference|gap|lead|win|victory"
    r"|loss|defeat|advantage|deficit|older|younger|longer|shorter|larger|smaller|heavier|lighter|warmer|colder|cheaper)\b"
)
_SENTENCE_END = re.compile(r"[.!?]\s")
_CUE_REACH = 40
_DAYS = re.compile(r"[\s-]+(?:days?|nights?)(?![^\W_])")
_MOST_DAYS = 12
_MOST_COMPARED = 8
_BESIDE = re.compile(r"\s?[,(]?\s?(?:the\s)?")
_WIDEST_GAP = 7
_A_DIGIT = re.compile(r"\d")
_SMALL = 20
_FEW = 2
_CENTURY = re.compile(r"(?:st|nd|rd|th)?[\s-]?centur(?:y|ies)")
_DECADE = re.compile(r"\s?['’]?s(?!\w)")
_YEARS = re.compile(r"[\s-]?(?:years?|yrs?)\b|\s?$|\s?[.,]")
_LONGEST_SPAN = 150
_SHORT_YEAR = re.compile(r"['’/–-]\s?$")
_GLUED = re.compile(r"[^\W\d_]*(\d{1,18})[^\W\d_]*")


def unexplained_literals(view: View) -> Iterator[Unexplained]:
    """Yield the dates, numbers and codes that nothing explains; from then on they are spoken for."""
    if view.explained.data:
        yield from _wrong_weekdays(view)
    if not _A_DIGIT.search(view.text):
        yield from _spoken_numbers(view)
        return
    bad: list[tuple[int, int, str]] = []
    units: list[tuple[int, int]] = []
    for split in _SPLIT_CODE.finditer(view.text):
        digits = "".join(filter(str.isdigit, split[0]))
        if len(digits) > 3 and any(digits in code for code in view.explained.codes):
            view.take(split.start(), split.end())
    for time in find_times(view.lowered) if view.explained.data else ():
        if view.is_taken(time.start, time.end):
            continue
        if any(clock.shows(time) for clock in view.explained.clocks):
            view.take(time.start, time.end)
        elif time.sure or (view.explained.clocks and _A_DIGIT.search(view.text, time.start, time.end)):
            bad.append((time.start, time.end, "date"))
    for date in view.document.found(find_dates, languages=view.explained.languages, days=view.explained.data):
        if view.is_taken(date.start, date.end):
            continue
        if _date_is_explained(date, view.explained):
            view.take(date.start, date.end)
        elif not isinstance(date.values[0], DateRange) or _is_decade(date):
            stop = view.explained.data and view.text[date.end - 1] == "."
            bad.append((date.start, date.end - stop, "date"))
    numbers = [n for n in _numbers(view) if not view.is_taken(n.start, n.end)]
    # Words that are spoken for otherwise: of the one word "1920x1200" only a part may be explained.
    known = list(view.taken) if view.explained.data else view.taken
    right: list[tuple[int, int]] = []
    before: FoundNumber | None = None  # the last one that is explained
    done = 0  # where the last one of two units ends: "6 ft 11 in" is not 6 ft
    for number in numbers:
        if number.start < done:
            continue
        if view.explained.data and number.unit is not None and number.end == number.outer_end:
            done = number.end
        if _number_is_explained(number, view) or (before is not None and _converts(view, before, number)):
            view.take(number.start, number.outer_end)
            view.take(number.outer_start, number.start)
            before = number if view.explained.data else None
            right.append((number.outer_start, number.outer_end))
        elif _A_DIGIT.search(view.text, number.start, number.end) or _is_told(number, view):
            bad.append((number.start, number.end, "number"))
            units.append((number.outer_start, number.outer_end))
    # Of readings that overlap, the longest is what the text says.
    last = -1
    right.sort()
    ends = list(accumulate((end for _, end in right), max))  # the last end of so many of them
    for start, end, kind in sorted(bad, key=lambda span: (span[0], -span[1])):
        if start < last or any(known[index] for index in view.inside(start, end)):
            continue
        before_end = bisect_left(right, (end,))
        if before_end and ends[before_end - 1] > start:
            continue
        last = end
        view.take(start, end)
        yield Unexplained(start, end, kind, kind)
    for start, end in units:  # the unit of a wrong number is no wrong name
        view.take(start, end)
    words = view.words
    for index in [number for number, is_plain in enumerate(map(str.isalpha, words)) if not is_plain]:
        word = words[index]
        if view.taken[index] or not _A_DIGIT.search(word):
            continue
        explained = view.has_own_tail(index) and _code_is_explained(view, index)
        end = tail(view.text, view.ends[index])[1] if view.explained.tails else view.ends[index]
        if view.explained.data and not explained:
            end = max(end, _end_of_code(view, index))
        view.take(view.starts[index], end)
        if not explained:
            kind = "number" if word.isdigit() else "name"
            yield Unexplained(view.starts[index], end, kind, "code")


def _wrong_weekdays(view: View) -> Iterator[Unexplained]:
    """Yield the weekdays that no date of the data is on, or that are not those of the date beside them."""
    days = {number: value for value in view.explained.dates if (number := _weekday(value)) is not None}
    found = find_weekdays(view.lowered) if days else []
    dates = view.document.found(find_dates, languages=view.explained.languages) if found else []
    for start, end, number in found:
        if view.is_taken(start, end) or not view.explained.words.isdisjoint(_called(number)):
            continue
        beside = next((date for date in dates if _is_beside(view, start, end, date)), None)
        right = set(days)
        if beside is not None and (number not in right or _date_is_explained(beside, view.explained)):
            right = _weekdays_of(beside, view.explained)
        if right and number not in right:
            expected = WEEKDAYS[min(right)].capitalize() if len(right) == 1 else None
            what = "the date beside it" if beside is not None else "no date of the input"
            verb = "is not on" if beside is not None else "is on"
            reason = f"{what} {verb} a {WEEKDAYS[number].capitalize()}"
            yield Unexplained(start, end, "date", "date", None, "inaccurate", expected, reason)


def _called(number: int) -> tuple[str, ...]:
    name = WEEKDAYS[number]
    return (name, name + "s", name[:3], name[:4])


def _weekday(value: DateValue) -> int | None:
    return weekday(value.year, value.month, value.day) if isinstance(value, PartialDate) else None


def _is_beside(view: View, start: int, end: int, date: FoundDate) -> bool:
    gap = (end, date.start) if end <= date.start else (date.end, start)
    return 0 <= gap[1] - gap[0] <= _WIDEST_GAP and _BESIDE.fullmatch(view.lowered, *gap) is not None


def _weekdays_of(date: FoundDate, explained: Explained) -> set[int]:
    """Return the weekdays that a date of a text can be on, in the years of the input if it gives none."""
    found: set[int | None] = set()
    for value in date.values:
        if isinstance(value, PartialDate):
            years = explained.years if value.year is None else (value.year,)
            found.update(weekday(year, value.month, value.day) for year in years)
    return {number for number in found if number is not None}


def _numbers(view: View) -> list[FoundNumber]:
    explained = view.explained
    numbers = view.document.found(find_numbers, words=True, data=explained.data, comma=explained.comma)
    if not explained.data:
        return numbers
    return sorted(numbers, key=lambda number: (number.start, -number.end))


def _spoken_numbers(view: View) -> Iterator[Unexplained]:
    if not view.explained.data and NUMBER_WORDS.isdisjoint(view.words):
        return
    for number in _numbers(view):
        if _is_told(number, view) and not view.is_taken(number.start, number.end):
            explained = _number_is_explained(number, view)
            view.take(number.start, number.end)
            if not explained:
                yield Unexplained(number.start, number.end, "number", "number")


def _is_told(number: FoundNumber, view: View) -> bool:
    """Whether a number in words is said for its value, as "one" and "first" hardly are."""
    return not number.ordinal and abs(number.values[0]) > (_FEW if view.explained.data else _SMALL)


def _converts(view: View, before: FoundNumber, number: FoundNumber) -> bool:
    """Whether a number only gives the one before it in another unit: "180 cm (5 ft 11 in)"."""
    if before.unit is None or number.unit is None or before.unit.dimension != number.unit.dimension:
        return False
    if not _ASIDE.fullmatch(view.text, before.outer_end, number.outer_start):
        return False
    return number_distance(number, Quantity(before.values[0], before.unit, typed=True)) is not None


def _is_day(number: FoundNumber, whole: int, view: View) -> bool:
    """Whether an ordinal is the day of a date of the input: "on Tuesday the 28th"."""
    return number.ordinal and any(
        isinstance(date, PartialDate) and date.day == whole for date in view.explained.dates
    )


def _is_span_of_days(number: FoundNumber, whole: int, view: View) -> bool:
    """Whether a number of days or nights lies between two dates of the input."""
    if not _DAYS.match(view.lowered, number.end):
        return False
    days = [day for own in view.explained.dates if (day := _ordinal_day(own)) is not None][:_MOST_DAYS]
    return any(abs(a - b) + more == whole for a, b in combinations(days, 2) for more in (0, 1))


def _ordinal_day(value: DateValue) -> int | None:
    if _weekday(value) is None or not isinstance(value, PartialDate):
        return None
    return calendar_date(value.year or 1, value.month or 1, value.day or 1).toordinal()


def _is_derived(number: FoundNumber, view: View) -> bool:
    """Whether a number is a sum or difference of numbers that are alike, and the text says that it is one."""
    value = number.values[0]
    after = view.lowered[number.outer_end : number.outer_end + _CUE_REACH]
    before = view.lowered[max(0, number.outer_start - _CUE_REACH) : number.outer_start]
    series = view.explained.series
    if _TOTAL.search(_SENTENCE_END.split(before)[-1]) or _TOTAL.search(_SENTENCE_END.split(after)[0]):
        return any(value == sum(own) or any(value - one in own for one in set(own)) for own in series)
    if _BY.search(before) or _MORE.match(after):
        few = (own for own in series if len(own) <= _MOST_COMPARED)
        return any(abs(a - b) == value for own in few for a, b in combinations(own, 2))
    return False


def _is_decade(date: FoundDate) -> bool:
    value = date.values[0]
    if not isinstance(value, DateRange) or value.first.year is None or value.last.year is None:
        return False
    return value.last.year == value.first.year + 9 and value.first.month is None


def _date_is_explained(date: FoundDate, explained: Explained) -> bool:
    if any(agrees(date, own) is not None for own in explained.dates):
        return True
    for value in date.values:
        if isinstance(value, DateRange):
            first, last = value.first.year, value.last.year
            if explained.data and not _is_decade(date):
                continue  # whose ends are judged by themselves
            if first is not None and last is not None and any(first <= y <= last for y in explained.years):
                return True
        elif value.month is None and value.year is not None:
            if value.year in explained.years or Decimal(value.year) in explained.values:
                return True
        elif value == PartialDate(value.year, 1, 1) and value.year in explained.years:
            return True
    return False


def _number_is_explained(number: FoundNumber, view: View) -> bool:
    explained = view.explained
    if any(abs(value) in explained.values for value in number.values):
        return True
    agreeing = explained.quantities.agreeing(number)
    if agreeing and number.unit is not None and explained.currencies:
        money = (
            number.unit.dimension.startswith("money") and number.unit.dimension not in explained.currencies
        )
        agreeing = [one for one in agreeing if not money or explained.quantities.all[one[0]].unit is not None]
    if agreeing:
        return True
    value = number.values[0]
    if explained.series and _is_derived(number, view):
        return True
    if value != value.to_integral_value() or not 0 < value < 10_000:
        return False
    whole = int(value)
    if whole in explained.counts and not number.ordinal:
        return True
    if explained.data and (_is_day(number, whole, view) or _is_span_of_days(number, whole, view)):
        return True
    if whole <= _LONGEST_SPAN and whole in explained.spans and _YEARS.match(view.lowered, number.end):
        return True
    if _CENTURY.match(view.lowered, number.end):
        return any(whole in ((year - 1) // 100 + 1, year // 100) for year in explained.years)
    if _DECADE.match(view.lowered, number.end):
        tens = whole % 100
        return any(year // 10 * 10 % 100 == tens or year // 100 * 100 == whole for year in explained.years)
    if whole < 100 and _SHORT_YEAR.search(view.lowered, max(0, number.start - 2), number.start):
        return any(year % 100 == whole for year in explained.years)
    return False


def _end_of_code(view: View, index: int) -> int:
    """Return where the words with digits end that follow one without a space: "2.4.2" is one code."""
    last = index
    while (
        last + 1 < len(view.words) and not view.has_space(last + 1) and _A_DIGIT.search(view.words[last + 1])
    ):
        last += 1
    return view.ends[last]


def _code_is_explained(view: View, index: int) -> bool:
    """Whether letters and digits that stand together without a space are part of a label."""
    first = last = index
    explained = view.explained
    if explained.pieces and not explained.pieces.isdisjoint(
        figures_in(view.text[view.starts[first] : view.ends[last]])
    ):
        return True
    word = view.words[index]
    left = explained.longest_code  # a longer run is no part of a label, wherever it ends
    starts, ends = view.starts, view.ends
    while left >= 0 and first and ends[first - 1] >= starts[first] - 1 and not view.has_space(first):
        first -= 1
        left -= len(view.words[first])
    while left >= 0 and last + 1 < len(view.words) and not view.has_space(last + 1):
        last += 1
        left -= len(view.words[last])
    if explained.code("".join(view.words[first : last + 1])) or explained.code(word):
        return True
    if word.isdecimal():  # isdigit would also take digits that no number has: circled ones, Ethiopic ones
        return Decimal(word) in explained.values
    glued = _GLUED.fullmatch(word)
    return explained.word(word) or (glued is not None and Decimal(glued[1]) in explained.values)
