"""What a text leaves out: the facts of its input that nothing in it says.

A fact is said if a mention realises its value, if a correct number in the text is derived from it, or if its
words stand in one sentence: those of the value or, if that is true or false, those of the attribute. Facts
that people do not mention are never missing: identifiers, addresses, coordinates, when a record was written,
unknown values, zeros, the position of an item that is named, and words that several items of a list share.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any

from esascore.claims.assertions import distinctive_words
from esascore.claims.cells import Cell, numbers_in, record_of
from esascore.claims.hours import days_of_key
from esascore.claims.judge import background_of, judge
from esascore.claims.known import Known
from esascore.claims.reading import Reading
from esascore.data import EVERY, Value, is_prose, truth_of
from esascore.lazy import lazy
from esascore.lexicon.codes import country_names
from esascore.literals.clock import find_weekdays, weekday
from esascore.literals.dates import DateRange, PartialDate
from esascore.literals.keys import split_key, word_base
from esascore.model import Detection, Input, once_per_input
from esascore.text.blank import is_blank
from esascore.text.document import Document
from esascore.text.vocabulary import function_words, month_numbers, title_words
from esascore.text.words import Phrase, name_words, spaced

_MOST = 0.5
"""The share of the words, or of the times, of a value that one sentence must have."""

_MOST_OF_NAME = 0.6
_LEAST_FIGURES = 3
_LEAST_LIST = 3
_PREFIX = 4
_LAST_DAYS = 28
_ABBREVIATION = re.compile(r"[A-Z][A-Za-z]{2,3}")
_PERSON = re.compile(r"(?:[^\W\d_]+[.]? ){1,3}[^\W\d_]+")
_OF_RECORD = re.compile(
    r"(?:.*_)?(?:created|updated|modified|posted|fetched|generated|retrieved|synced|indexed|last_seen)"
    r"(?:_(?:at|on|date|time|ts|utc))?|timestamp|(?:schema|record|data|api)_version|revision|etag"
)


@dataclass(frozen=True, slots=True)
class Omission:
    """A fact that a text does not say.

    Attributes
    ----------
    attribute
        The path of its attribute, positions as ``*``; for what names an object that of the name, and empty
        for the subjects of triples.
    subject
        What the fact is about; empty where that has no name.
    value, type
        The value as a string, and what kind of value it is.
    """

    attribute: str
    subject: str
    value: str
    type: str = "name"

    def as_dict(self) -> dict[str, Any]:
        """The object for JSON output, with truth values as booleans.

        Examples
        --------
        >>> Omission("pool", "Blue Inn", "no", "boolean").as_dict()
        {'attribute': 'pool', 'subject': 'Blue Inn', 'value': False}
        """
        truth = truth_of(self.value) if self.type == "boolean" else None
        value = str(self.value) if truth is None else truth
        return {"attribute": self.attribute, "subject": str(self.subject), "value": value}


def missing(document: Document, detection: Detection) -> tuple[Omission, ...]:
    """Return the facts that a text does not say, names first, in input order.

    Parameters
    ----------
    document
        The text with its input.
    detection
        Which entities of the input were detected in it.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> from esascore.pipeline import build_pipeline
    >>> inn = Graph.from_data({"name": "Blue Inn", "rooms": 27, "pets_allowed": False, "open": "2025-05-01"})
    >>> document = Document(inn, "The Blue Inn opens in May; pets stay at home.")
    >>> [found] = build_pipeline().detect([document])
    >>> [one.as_dict() for one in missing(document, found)]
    [{'attribute': 'rooms', 'subject': 'Blue Inn', 'value': '27'}]
    """
    lacking = frozenset(detection.undetected)
    open_ = {
        number: one
        for number, value, key, one in (_reportable(document.input) if lacking else ())
        if value in lacking and key in lacking
    }
    if open_ and not is_blank(detection.text):
        heard = _Heard(document, frozenset(open_))
        open_ = {number: one for number, one in open_.items() if not heard.says(number)}
    return tuple(open_.values())


@once_per_input
def _reportable(input_: Input) -> Sequence[tuple[int, str, str, Omission]]:
    """Return the facts that may be missing: number of the cell, value, value of its attribute."""
    found: list[tuple[int, str, str, Omission]] = []
    objects = {fact.value for fact in input_.facts}
    for n, subject in enumerate(input_.subjects):
        name = Value(subject.name, subject.path) if subject.path else subject.name
        if subject.path or name not in objects:
            found.append((n, name, name, Omission(subject.path, subject.name, subject.name, subject.type)))
    for n, fact in enumerate(input_.facts, len(input_.subjects)):
        if not fact.optional:
            omission = Omission(fact.path, fact.subject, fact.value, fact.type)
            found.append((n, fact.value, Value(fact.value, fact.path), omission))
    return found


@once_per_input
def _unsaid(input_: Input) -> frozenset[int]:
    """Return the numbers of the cells that no text need say."""
    return frozenset(
        cell.number
        for cell in record_of(input_).cells
        if cell.type == "null" or is_prose(cell.value) or _is_of_record(cell.attribute)
    )


class _Heard:
    """What a text says about the cells of its input."""

    def __init__(self, document: Document, lacking: frozenset[int]):
        self._document = document
        self._reading = document.once(Reading.of_source)
        self._record = record_of(document.input)
        self._lacking = lacking

    @lazy
    def _known(self) -> Known:
        return background_of(self._reading.document.input).known

    @lazy
    def _borne(self) -> frozenset[int]:
        return judge(self._document).borne

    def says(self, number: int) -> bool:
        """Return whether the text says a cell, or need not say it."""
        cell = self._record.cells[number]
        if number in _unsaid(self._document.input) or self._is_in_range(cell):
            return True
        if any(map(str.isdigit, cell.value)) and number in self._borne:
            return True
        if cell.type == "boolean":
            words = distinctive_words(cell)
            return bool(words) and self._has(words)
        if cell.type == "number":
            return self._says_number(cell) or self._says_time(cell)
        return self._says_date(cell) or self._says_time(cell) or self._says_words(cell)

    def _is_in_range(self, cell: Cell) -> bool:
        """Return whether a list of rising numbers has a cell between its ends, both of which are said."""
        items = self._record.items.get(cell.home, ())
        if len(items) < _LEAST_LIST or cell.spot not in items[1:-1]:
            return False
        cells = [self._by_spot[item] for item in items if item in self._by_spot]
        if len(cells) < len(items):
            return False
        values = [numbers_in(own.value)[:1] for own in cells]
        rising = all(a and b and a[0][0] < b[0][0] for a, b in pairwise(values))
        return rising and all(
            own.number not in self._lacking or self.says(own.number) for own in (cells[0], cells[-1])
        )

    @lazy
    def _by_spot(self) -> Mapping[str, Cell]:
        return {cell.spot: cell for cell in self._record.cells}

    @lazy
    def _by_prefix(self) -> Mapping[str, Sequence[tuple[str, int]]]:
        """The bases of the words, each with the number of its sentence, by their first letters."""
        found: dict[str, list[tuple[str, int]]] = {}
        number, (_, edge) = 0, self._reading.sentences[0]
        for base, start, _ in self._reading.words:
            while start >= edge:
                number += 1
                edge = self._reading.sentences[number][1]
            found.setdefault(base[:_PREFIX], []).append((base, number))
        return found

    @lazy
    def _capitals(self) -> frozenset[str]:
        """The words that are written with a capital."""
        words = self._reading.document.words
        return frozenset(
            word
            for word, at in zip(words.texts, words.starts, strict=True)
            if self._reading.text[at].isupper()
        )

    def _has(self, words: Sequence[str], share: float = _MOST) -> bool:
        """Return whether one sentence has this share of some words, in any form."""
        said = list(chain.from_iterable(map(self._with_form, words)))
        return max(map(said.count, set(said)), default=0) >= share * len(words)

    def _with_form(self, word: str) -> set[int]:
        """Return the sentences with a word, or one of which it is the beginning, or the other way round."""
        own = self._by_prefix.get(word[:_PREFIX], ())
        whole = len(word) < _PREFIX
        return {n for other, n in own if whole or other.startswith(word) or word.startswith(other)}

    def _says_date(self, cell: Cell) -> bool:
        own = [one for one, n in self._record.dates if n == cell.number and one.month]
        return bool(own) and all(map(self._has_date, own))

    def _has_date(self, own: PartialDate) -> bool:
        """Return whether a date, its month where it is the edge of one, its day or its weekday is named."""
        if any(_is_same(said, own) or _is_within(own, said) for said in self._dates):
            return True
        if own.month in self._months and (own.day is None or own.day == 1 or own.day >= _LAST_DAYS):
            return True
        return own.day in self._ordinals or weekday(own.year, own.month, own.day) in self._weekdays

    @lazy
    def _dates(self) -> tuple[PartialDate | DateRange, ...]:
        return tuple(value for found in self._reading.dates for value in found.values)

    @lazy
    def _months(self) -> frozenset[int]:
        numbers = month_numbers()
        return frozenset(numbers[word] for word in self._capitals if word in numbers)

    @lazy
    def _ordinals(self) -> frozenset[float]:
        return frozenset(own.value for own in self._reading.quantities if own.ordinal and not own.spoken)

    @lazy
    def _weekdays(self) -> frozenset[int]:
        return frozenset(day for _, _, day in find_weekdays(self._reading.lowered))

    def _says_time(self, cell: Cell) -> bool:
        own = [minute for minute, n in self._record.clocks if n == cell.number]
        if not own or any(one.day for one, n in self._record.dates if n == cell.number):
            return False
        said = {minute for time in self._reading.times for minute in time.minutes}
        return sum(minute in said for minute in own) > _MOST * len(own)

    def _says_number(self, cell: Cell) -> bool:
        """Return whether a text has the very figures of a number, or need not say it."""
        amounts = self._known.by_cell.get(cell.number, ())
        if amounts and all(own.value == 0 for own in amounts):
            return True
        if amounts and amounts[0].value == _position(cell):
            return any(
                self._record.cells[n].type in ("name", "text") and n not in self._lacking
                for n in self._known.index.children[cell.home]
            )
        digits = "".join(filter(str.isdigit, cell.value)).strip("0")
        return len(digits) >= _LEAST_FIGURES and any(own.value in self._figures for own in amounts)

    @lazy
    def _figures(self) -> frozenset[float]:
        return frozenset(own.value for own in self._reading.quantities)

    def _says_words(self, cell: Cell) -> bool:
        """Return whether a text has most words of a value, or need not say it."""
        value = cell.value
        folded, words = _words_of(value)
        if any(self._has(name_words(name)) for name in country_names(value)):
            return True
        if not words:
            return False
        share = _MOST_OF_NAME if cell.type == "name" and not value.isupper() else _MOST
        if self._has(words, share) or (EVERY in cell.path and self._repeated[cell.path, value] > 1):
            return True
        if _ABBREVIATION.fullmatch(value):  # THU, SWE
            return any(word.startswith(words[0]) for word in self._capitals)
        if cell.type == "name" and _PERSON.fullmatch(value):
            return not self._capitals.isdisjoint(set(folded) - title_words() - function_words())
        days = days_of_key(value)
        return days is not None and not self._weekdays.isdisjoint(days)

    @lazy
    def _repeated(self) -> Mapping[tuple[str, str], int]:
        """How often each value stands under its attribute."""
        return Counter((cell.path, cell.value) for cell in self._record.cells)


@lru_cache(maxsize=1 << 12)
def _words_of(value: str) -> tuple[Phrase, Sequence[str]]:
    """Return the words of a value, and the bases of those with content."""
    folded = name_words(spaced(value.lower() if value.isupper() else value))
    return folded, [word_base(word) for word in folded if word not in function_words()]


def _is_same(said: PartialDate | DateRange, own: PartialDate) -> bool:
    """Return whether a date of a text, or the beginning or end of a range, is one of the input."""
    if isinstance(said, DateRange):
        return _is_same(said.first, own) or _is_same(said.last, own)
    pairs = ((said.year, own.year), (said.month, own.month), (said.day, own.day))
    return said.month is not None and all(None in pair or pair[0] == pair[1] for pair in pairs)


def _is_within(own: PartialDate, said: PartialDate | DateRange) -> bool:
    """Return whether a date lies in a range of days: the 5th in "3 to 7 November"."""
    if not isinstance(said, DateRange) or own.year is None:
        return False
    try:
        first, day, last = (
            date(one.year or own.year, one.month or 0, one.day or 0) for one in (said.first, own, said.last)
        )
    except ValueError:
        return False
    return first <= day <= last


def _position(cell: Cell) -> int | None:
    """Return the place of the item that holds a cell in its list, from one on."""
    last = cell.home.rpartition("/")[2]
    return int(last) + 1 if last.isascii() and last.isdigit() else None


@lru_cache(maxsize=1 << 12)
def _is_of_record(key: str) -> bool:
    """Return whether an attribute is about the record itself: when it was written, its version."""
    return _OF_RECORD.fullmatch("_".join(split_key(key))) is not None
