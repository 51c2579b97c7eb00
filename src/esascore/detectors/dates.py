"""Dates, times of day and weekdays of a text that agree with a date of the input."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from esascore.detectors.base import mention
from esascore.errors import UsageError
from esascore.literals.clock import Clock, entity_clock, find_times, find_weekdays, weekday
from esascore.literals.dates import (
    FORMS,
    Dates,
    DateValue,
    FoundDate,
    PartialDate,
    agrees,
    entity_date,
    find_dates,
)
from esascore.model import Input, Mention, once_per_input
from esascore.text.document import Document

METHOD = "date"
_AT = re.compile(r"\s?(?:,\s?)?(?:(?:at|from|on|around|by|t|@)\s?|the\s)?\(?")


class DateDetector:
    """Proposes a mention for every date of a text that agrees with a date of the input.

    Parameters
    ----------
    forms
        Names of `FORMS`: which kinds of agreement count.
    languages
        ISO codes of the languages that the texts are written in.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> graph = Graph.from_triples([("Alex", "birthDate", '"1937-04-27"')])
    >>> DateDetector(("full",)).mentions(Document(graph, "Alex was born on April 27th, 1937."))[0].text
    'April 27th, 1937'
    """

    def __init__(self, forms: Sequence[str], languages: tuple[str, ...] = ("en",)):
        for form in forms:
            if form not in FORMS:
                raise UsageError(f"unknown form of dates {form!r}; known: {', '.join(FORMS)}")
        self.forms, self.languages = forms, languages
        self._wanted = once_per_input(self._dates_of)

    def _dates_of(self, input_: Input) -> _Wanted:
        terms: list[str] = []
        dates: list[DateValue] = []
        moments: list[_Moment] = []
        timed = not {"time", "weekday"}.isdisjoint(self.forms)
        for entity in input_.entities:
            date = entity_date(entity, self.languages) if entity.type != "time" else None
            if date is not None:
                terms.append(entity.term)
                dates.append(date)
            whole = isinstance(date, PartialDate) and date.day is not None
            if timed and (whole or entity.type == "time"):
                day = date if isinstance(date, PartialDate) else PartialDate()
                moments.append(_Moment(entity.term, day, entity_clock(entity)))
        return _Wanted(tuple(terms), Dates(tuple(dates)), tuple(moments))

    def mentions(self, document: Document) -> list[Mention]:
        """Return the proposals for a document, in text order."""
        text, wanted = document.text, self._wanted(document.input)
        if not wanted.terms and not wanted.moments:
            return []
        dates = document.found(find_dates, languages=self.languages, days=bool(wanted.moments))
        mentions = [
            mention(text, found.start, found.end, wanted.terms[at], METHOD, distance)
            for found in dates
            for at, distance in wanted.dates.agreeing(found, self.forms)
        ]
        return [*mentions, *self._moments(document, dates, wanted.moments)] if wanted.moments else mentions

    def _moments(
        self, document: Document, dates: Sequence[FoundDate], moments: Sequence[_Moment]
    ) -> Iterator[Mention]:
        """Yield the times and weekdays of a text that a date has, and dates with their times."""
        text, lowered = document.text, document.lowered
        for time in document.found(find_times) if "time" in self.forms else ():
            shown = [one for one in moments if one.clock is not None and one.clock.shows(time)]
            for one in shown:
                yield mention(text, time.start, time.end, one.term, METHOD, FORMS["time"])
            for day in dates if shown else ():
                start, end = min(day.start, time.start), max(day.end, time.end)
                between = (day.end, time.start) if day.start < time.start else (time.end, day.start)
                if between[0] <= between[1] <= between[0] + 9 and _AT.fullmatch(lowered, *between):
                    for one in shown:
                        if (distance := agrees(day, one.day, self.forms)) is not None:
                            yield mention(text, start, end, one.term, METHOD, distance / 4)
        for start, end, number in find_weekdays(lowered) if "weekday" in self.forms else ():
            for one in moments:
                if weekday(one.day.year, one.day.month, one.day.day) == number:
                    yield mention(text, start, end, one.term, METHOD, FORMS["weekday"])


@dataclass(frozen=True, slots=True)
class _Moment:
    """A value that is a whole date, a time of day, or both."""

    term: str
    day: PartialDate
    clock: Clock | None


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The dates of an input with their terms; its moments, if weekdays and times are looked for."""

    terms: tuple[str, ...]
    dates: Dates
    moments: tuple[_Moment, ...]
