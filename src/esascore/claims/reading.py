"""A text as it is read for claims: sentences and clauses with their words, and every quantity in them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate, pairwise
from typing import Literal, Self

from esascore.claims.cells import LARGEST
from esascore.lazy import lazy
from esascore.literals.clock import FoundTime, find_times
from esascore.literals.dates import DateRange, FoundDate, PartialDate, find_dates
from esascore.literals.keys import word_base
from esascore.literals.numbers import FoundNumber, find_numbers
from esascore.literals.units import Unit, unit_named
from esascore.text.document import Document
from esascore.text.markdown import table_cells
from esascore.text.vocabulary import function_words

Span = tuple[int, int]
Mode = Literal["", "about", "over", "under"]

ADDRESS = re.compile(r"(?:https?://|www\.)\S+")
"""Addresses of pages: nothing in them is said."""

_BREAK = re.compile(
    r"[;:()\n|]|,(?!\d)|\s[–—-]{1,2}\s|—"
    r"|(?<![\w-])(?:and|but|while|whereas|with|although|though|versus|plus|compared|or)(?![\w-])",
    re.IGNORECASE,
)
_OVER = (
    r"over|more than|above|at least|exceed\w*|beyond|upwards of|past|minimum(?: of)?|from"
    r"|greater than|higher than|surpass\w*|topp\w+|no less than|as of"
)
_UNDER = (
    r"under|less than|below|fewer than|at most|(?<!add )(?<!adds )(?<!added )(?<!sums )up to|nearly|almost"
    r"|close to|just short of|within"
    r"|no more than|maximum(?: of)?|approaching|lower than|shy of|until"
)
_ABOUT = (
    r"about|around|approximately|roughly|some|circa|approx\.?|near|an? estimated|or so|mid"
    r"|low|high|upper|average of|say"
)
_TO_NUMBER = r"(?:an?\s|the\s)?[$€£]?$"
_MODES: tuple[tuple[Mode, re.Pattern[str]], ...] = (
    ("over", re.compile(rf"(?<![\w-])(?:{_OVER})\s+{_TO_NUMBER}")),
    ("under", re.compile(rf"(?<![\w-])(?:{_UNDER})\s+{_TO_NUMBER}")),
    ("about", re.compile(rf"(?:(?<![\w-])(?:{_ABOUT})[\s-]+|[~≈]\s?){_TO_NUMBER}")),
)
_ANY_MODE = re.compile(rf"(?:(?<![\w-])(?:{_OVER}|{_UNDER}|{_ABOUT})[\s-]+|[~≈]\s?){_TO_NUMBER}")
_SCALE_ALONE = frozenset({
    "million", "millions", "thousand", "thousands", "billion", "billions", "hundred", "hundreds", "m", "bn",
    "dozen", "dozens",
})  # fmt: skip
_CENTS = re.compile(r"\s?-?(?:cents?|p|pence|ct|c)\b")
_NIGHTS = re.compile(r"[\s-]?nights?\b")
_POINTS = re.compile(r"[\s-]?percentage[\s-]points?\b")
_AFTER_AND_A = re.compile(r"and[\s-]a?[\s-]?$")
_BEFORE_DAY = re.compile(
    r"(?:st|nd|rd|th)?\s?(?:and|&|or|,)\s\d{1,2}(?:st|nd|rd|th)?\s"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b"
)
_AND_A_HALF = re.compile(r"[\s-]and[\s-]a[\s-]half\b")
_PART_OF_WORD = re.compile(r"[\s-]?(?:dozen|time|way|term|back|final|board|hour|day|year|life|off)\b")
_RANGE_TO_SCALE = re.compile(r"\s?(?:-|–|to|and)\s?[$€£]?\d[\d.,]*\s?(thousand|million|billion|bn|m\b|k\b)")
_DECIMALS = re.compile(r"\.(\d+)$")
_MOST_DECIMALS = 15
_POWERS = {"t": 10**3, "k": 10**3, "m": 10**6, "b": 10**9}
_REACH = 26
_BESIDE = 20
_LONGEST_CLAUSE = 240  # characters on each side
_NEIGHBOURS = 4
_LINE_BREAK = re.compile("\n")
_PUNCTUATION = re.compile(r"[.,;:()|\n–—]")
_HOLIDAYS = {
    "christmas day": (12, 25), "christmas eve": (12, 24), "christmas": (12, 25), "boxing day": (12, 26),
    "new year's day": (1, 1), "new year's eve": (12, 31), "new year": (1, 1), "valentine's day": (2, 14),
    "halloween": (10, 31),
}  # fmt: skip
_HOLIDAY = re.compile(rf"(?<!\w)(?:{'|'.join(sorted(_HOLIDAYS, key=len, reverse=True))})(?!\w)")


def _first(column: tuple[Span, Span]) -> int:
    return column[0][0]


@dataclass(slots=True, eq=False)  # made for every number, in a third of the time that a frozen one takes
class Quantity:
    """A number that a text states.

    Attributes
    ----------
    start, end, outer
        The number, and the number with its unit or currency.
    value, others
        Its likeliest value, and other readings of the same figures.
    decimals
        How many decimals it is written with.
    unit
        Its unit, if the text gives one.
    mode
        Whether it is hedged, or a bound.
    ordinal, spoken
        Whether it is an ordinal, and whether it is written in words.
    sentence, clause
        What it stands in.
    """

    start: int
    end: int
    outer: Span
    value: float
    decimals: int
    unit: Unit | None
    mode: Mode
    ordinal: bool
    spoken: bool
    sentence: int
    clause: Span
    others: tuple[float, ...] = ()


class Spans:
    """Spans of a text that others are compared with.

    Examples
    --------
    >>> spans = Spans([(0, 4), (10, 12)])
    >>> spans.overlap(3, 6), spans.overlap(4, 10)
    (True, False)
    """

    def __init__(self, spans: Iterable[Span]):
        ordered = sorted(spans)
        self._starts = [start for start, _ in ordered]
        self._ends = list(accumulate((end for _, end in ordered), max))

    def overlap(self, start: int, end: int) -> bool:
        """Return whether a span has a part in common with one of these."""
        before = bisect_left(self._starts, end)
        return before > 0 and self._ends[before - 1] > start


class Reading:
    """A text in sentences, clauses and words, with the dates, times and quantities in them.

    Parameters
    ----------
    document
        The text.
    soft
        Line breaks of the text that end no sentence: those between the cells of a row, and after a label.
    columns
        The cells of tables, each with the cell at the head of its column.

    Examples
    --------
    >>> from esascore.text.document import read
    >>> reading = Reading(read("It has 27 rooms, from about €90. Breakfast is at 7:30."))
    >>> [(own.value, own.unit and own.unit.name, own.mode) for own in reading.quantities]
    [(27.0, None, ''), (90.0, 'euro', 'about')]
    >>> [time.minutes for time in reading.times]
    [(450, 1170)]
    """

    def __init__(
        self, document: Document, soft: Sequence[int] = (), columns: Sequence[tuple[Span, Span]] = ()
    ):
        self.document = document
        self.text = document.text
        self.lowered = document.lowered
        self._soft = frozenset(soft)
        self._columns = columns
        self.sentences = self._sentences()
        self._starts = [start for start, _ in self.sentences]

    @classmethod
    def of_source(cls, document: Document) -> Self:
        """Read a text without the marks of Markdown that its source may have."""
        shown = document.reading
        if shown is None:
            return cls(document)
        breaks = (own.start() for own in _LINE_BREAK.finditer(shown.text))
        soft = tuple([n for n in breaks if document.source[shown.offsets[n]] != "\n"])
        columns = tuple(
            (shown.from_source(*cell), shown.from_source(*head))
            for cell, head in (table_cells(document.source) if "|" in document.source else ())
        )
        return cls(document.as_read, soft, columns)

    @lazy
    def words(self) -> tuple[tuple[str, int, int], ...]:
        """The base, start and end of each word."""
        own = self.document.words
        return tuple(zip(map(word_base, own.texts), own.starts, own.ends, strict=True))

    @lazy
    def _word_starts(self) -> list[int]:
        return list(self.document.words.starts)

    @lazy
    def times(self) -> tuple[FoundTime, ...]:
        """The times of day."""
        return tuple(self.document.found(find_times))

    @lazy
    def dates(self) -> tuple[FoundDate, ...]:
        """The dates; a number alone is one only if it may be a year."""
        dates = self.document.found(find_dates, languages=("en",), days=True)
        found = [*dates, *_holidays(self.lowered)]
        return tuple(
            own
            for n, own in enumerate(found)
            if not (said := self.text[own.start : own.end].strip()).isdigit()
            or len(said) == 4
            or any(
                other is not own and other.start <= own.start and own.end <= other.end
                for other in found[max(0, n - _NEIGHBOURS) : n + _NEIGHBOURS]
            )
        )

    @lazy
    def moments(self) -> tuple[Span, ...]:
        """The spans of the dates, then those of the times."""
        return (
            *((own.start, own.end) for own in self.dates),
            *((own.start, own.end) for own in self.times),
        )

    @lazy
    def quantities(self) -> tuple[Quantity, ...]:
        """The numbers that are no part of a date, a time of day or an address."""
        spans = [
            (own.start, own.end)
            for own in self.dates
            if not (self.text[own.start : own.end].isdigit() and own.end - own.start == 4)
        ]
        spans += [
            (own.start, own.end) for own in self.times if own.sure or ":" in self.text[own.start : own.end]
        ]
        spans += (own.span() for own in ADDRESS.finditer(self.text))
        busy = Spans(spans)
        return tuple(
            made
            for own in self.document.found(find_numbers, comma=False, words=self.document.language.english)
            if own.values
            and not busy.overlap(own.start, own.end)
            and (made := self._quantity(own)) is not None
        )

    def sentence_at(self, place: int) -> int:
        """Return the number of the sentence that a place is in."""
        return max(0, bisect_right(self._starts, place) - 1)

    def clause_at(self, start: int, end: int) -> Span:
        """Return the clause around a span."""
        first, last = self.sentences[self.sentence_at(start)]
        starts, ends = self._breaks
        before, after = bisect_right(ends, start) - 1, bisect_left(starts, end)
        left = max(first, ends[before]) if before >= 0 else first
        right = min(last, starts[after]) if after < len(starts) else last
        # Words that are further away say nothing of it.
        return max(left, start - _LONGEST_CLAUSE), min(max(right, end), end + _LONGEST_CLAUSE)

    @lazy
    def _breaks(self) -> tuple[list[int], list[int]]:
        """Where the breaks between clauses begin and end."""
        found = [own.span() for own in _BREAK.finditer(self.text)]
        return [start for start, _ in found], [end for _, end in found]

    def beside(self, claim: Quantity) -> Sequence[Quantity]:
        """Return the quantities around one that stand in its sentence."""
        at = bisect_left(self._quantity_starts, claim.start)
        near = self.quantities[max(0, at - _BESIDE) : at + _BESIDE]
        return [own for own in near if own.sentence == claim.sentence]

    def of_sentence(self, sentence: int) -> Sequence[Quantity]:
        """Return the quantities of a sentence."""
        start, end = self.sentences[sentence]
        places = self._quantity_starts
        return self.quantities[bisect_left(places, start) : bisect_left(places, end)]

    @lazy
    def _quantity_starts(self) -> list[int]:
        return [own.start for own in self.quantities]

    def bases(self, start: int, end: int) -> frozenset[str]:
        """Return the bases of the words with content in a span."""
        first, last = bisect_left(self._word_starts, start), bisect_left(self._word_starts, end)
        return frozenset(filter(None, self._with_content[first:last]))

    @lazy
    def _with_content(self) -> list[str]:
        """The base of each word; empty for those without content."""
        small = function_words()
        texts = self.document.words.texts
        return ["" if word in small else own[0] for word, own in zip(texts, self.words, strict=True)]

    def head_at(self, place: int) -> frozenset[str]:
        """Return the bases of the words at the head of the column that a place is in; none outside tables."""
        at = bisect_right(self._columns, place, key=_first) - 1
        if at < 0:
            return frozenset()
        (start, end), head = self._columns[at]
        return self.bases(*head) if start <= place < end else frozenset()

    @lazy
    def sentence_bases(self) -> tuple[frozenset[str], ...]:
        """The bases of the words with content of each sentence."""
        return tuple(self.bases(start, end) for start, end in self.sentences)

    def words_after(self, place: int, limit: int, end: int) -> list[str]:
        """Return the bases of the next words up to punctuation."""
        return self._run(bisect_left(self._word_starts, place), place, limit, end, 1)

    def words_before(self, place: int, limit: int, start: int) -> list[str]:
        """Return the bases of the words before a place back to punctuation, the nearest first."""
        return self._run(bisect_left(self._word_starts, place) - 1, place, limit, start, -1)

    def _run(self, at: int, place: int, limit: int, edge: int, step: int) -> list[str]:
        found: list[str] = []
        while 0 <= at < len(self.words) and len(found) < limit:
            base, start, end = self.words[at]
            between = self.text[place:start] if step > 0 else self.text[end:place]
            if (end > edge if step > 0 else start < edge) or (
                between != " " and _PUNCTUATION.search(between)
            ):
                break
            found.append(base)
            place = end if step > 0 else start
            at += step
        return found

    def _sentences(self) -> tuple[Span, ...]:
        places = [
            place for place in self.document.sentence_places if not self._soft or not self._is_soft(place)
        ]
        edges = [*places, len(self.text)]
        return tuple(pairwise(edges)) or ((0, len(self.text)),)

    def _is_soft(self, place: int) -> bool:
        """Return whether all line breaks before a place end no sentence, and there is one."""
        before = place
        while before and self.text[before - 1].isspace():
            before -= 1
        lines = [n for n in range(before, place) if self.text[n] == "\n"]
        return bool(lines) and self._soft.issuperset(lines)

    def _quantity(self, number: FoundNumber) -> Quantity | None:
        lowered = self.lowered
        said = lowered[number.start : number.end]
        if self._is_no_number(number, said):
            return None
        value = number.values[0]
        if abs(value) > LARGEST:
            return None
        if _AND_A_HALF.match(lowered, number.end):
            value += Decimal("0.5")
        spoken = not any(map(str.isdigit, said))
        decimals = _decimals(value, said, spoken)
        unit = self._unit(number)
        others = tuple(map(float, number.values[1:]))
        if scale := _RANGE_TO_SCALE.match(lowered, number.end):
            others += (float(value) * _POWERS[scale[1][0]],)
        if unit is None and _CENTS.match(lowered, number.outer_end):
            others += (float(value) / 100,)
        return Quantity(
            number.start,
            number.end,
            (number.outer_start, number.outer_end),
            float(value),
            decimals,
            unit,
            self._mode(number),
            number.ordinal,
            spoken,
            self.sentence_at(number.start),
            self.clause_at(number.outer_start, number.outer_end),
            others,
        )

    def _is_no_number(self, number: FoundNumber, said: str) -> bool:
        """Return whether a word is no number: "thousands of", "halfway", the end of "two and a half"."""
        if said in _SCALE_ALONE or (said == "one" and self.lowered.endswith("not ", 0, number.start)):
            return True
        if _BEFORE_DAY.match(self.lowered, number.end):
            return True  # 19 and 20 May
        if said.endswith(("half", "half a", "quarter", "third")) and _PART_OF_WORD.match(
            self.lowered, number.end
        ):
            return True
        if said not in ("half", "a half", "quarter"):
            return False
        return _AFTER_AND_A.search(self.lowered, max(0, number.start - 6), number.start) is not None

    def _unit(self, number: FoundNumber) -> Unit | None:
        """Return the unit of a number; degrees without a sign have none, since they may be of any kind."""
        unit = number.unit
        if unit is None and _NIGHTS.match(self.lowered, number.outer_end):
            return unit_named("days")
        if unit is None and _POINTS.match(self.lowered, number.outer_end):
            return unit_named("percent")
        if unit is not None and unit.name == "degree":
            return unit if "°" in self.text[number.outer_start : number.outer_end] else None
        return unit

    def _mode(self, number: FoundNumber) -> Mode:
        if not self.document.language.english:
            # Whether a word hedges is not known: two zeros at the end may be rounded.
            return "about" if number.values[0] % 100 == 0 else ""
        left = self.lowered[max(0, number.outer_start - _REACH) : number.outer_start]
        near = _ANY_MODE.search(left) is not None  # most numbers stand alone
        said: Mode = next((mode for mode, words in _MODES if words.search(left)), "") if near else ""
        if number.hedge == "over" or self.text[number.outer_end : number.outer_end + 1] == "+":
            return "over"
        return said or ("about" if number.hedge else "")


def _decimals(value: Decimal, said: str, spoken: bool) -> int:
    exponent = value.as_tuple().exponent
    decimals = max(0, -exponent) if isinstance(exponent, int) else 0
    if spoken:
        return min(decimals, 2)
    written = _DECIMALS.search(said) if "." in said else None
    return min(len(written[1]) if written else decimals, _MOST_DECIMALS)


def _holidays(lowered: str) -> list[FoundDate]:
    """Return the days that a text calls by their names."""
    plain = lowered.replace("’", "'")
    return [
        FoundDate(*own.span(), (PartialDate(None, *_HOLIDAYS[own[0]]),)) for own in _HOLIDAY.finditer(plain)
    ]


def parts(found: FoundDate) -> list[PartialDate]:
    """Return the dates that a found one can be; no ranges."""
    return [value for value in found.values if not isinstance(value, DateRange)]
