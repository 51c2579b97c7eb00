"""Judges a text: everything that it claims against everything that its input says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from esascore.claims.assertions import AssertionJudge, Attributes
from esascore.claims.calendar import CalendarJudge
from esascore.claims.cells import record_of
from esascore.claims.codes import Codes, judge_codes, judge_slots
from esascore.claims.finding import Finding, apart
from esascore.claims.hours import Table, judge_hours, tables_of
from esascore.claims.known import Known
from esascore.claims.labelled import Labels, judge_labels
from esascore.claims.misplaced import Placed, judge_places
from esascore.claims.order import judge_order
from esascore.claims.pairs import Pairs, judge_pairs
from esascore.claims.quantities import QuantityJudge
from esascore.claims.reading import Reading, Span, Spans
from esascore.claims.values import Values
from esascore.lazy import lazy
from esascore.model import Input, once_per_input
from esascore.text.document import Document


class Background:
    """Everything that is known of an input before any text, each part from when a text first needs it."""

    def __init__(self, input_: Input):
        self._record = record_of(input_)

    @lazy
    def known(self) -> Known:
        """Its cells, words, handles and numbers."""
        return Known.of(self._record)

    @lazy
    def attributes(self) -> Attributes:
        """What may be asserted or denied."""
        return Attributes(self._record)

    @lazy
    def tables(self) -> Sequence[Table]:
        """Its opening hours."""
        return tables_of(self._record)

    @lazy
    def pairs(self) -> Pairs:
        """Its pairs of numbers."""
        return Pairs(self.known)

    @lazy
    def codes(self) -> Codes:
        """Its codes, versions and long numbers."""
        return Codes(self._record)

    @lazy
    def values(self) -> Values:
        """Its values that exclude others."""
        return Values(self._record)

    @lazy
    def labels(self) -> Labels:
        """The whole names of its attributes."""
        return Labels.of(self._record)

    @lazy
    def placed(self) -> Placed:
        """Its names, dates and times, by how texts say them."""
        return Placed(self._record)


background_of = once_per_input(Background)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What judging a text found, in text order, and the spans that are dates or times, not names.

    ``borne`` are the numbers of the cells that its numbers rest on, as far as the input bears them out.
    """

    findings: tuple[Finding, ...] = ()
    moments: tuple[Span, ...] = ()
    borne: frozenset[int] = frozenset()


NOTHING = Judgement()
"""Nothing was judged."""


def judge(document: Document) -> Judgement:
    """Judge the quantities, dates, times, codes and assertions of a document against its input, once.

    Places are those of the text as it is read, without marks.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> inn = Graph.from_data({"name": "Blue Inn", "rooms": 27, "pool": False})
    >>> for one in judge(Document(inn, "The Blue Inn has 28 rooms and a pool.")).findings:
    ...     print(one.start, one.end, one.evidence, one.reason, sep=" | ")
    17 | 19 | address | the input says rooms = 27
    32 | 36 | polarity | the text asserts pool; the input says pool = no
    """
    return document.once(_judged)


def _judged(document: Document) -> Judgement:
    """Judge a text; in other languages than English only its figures, dates and codes."""
    reading = document.once(Reading.of_source)
    own = background_of(reading.document.input)
    known = own.known
    numbers = QuantityJudge(known, reading)
    scopes = numbers.scopes
    english = reading.document.language.english
    hours, open_ = judge_hours(own.tables if english else (), reading)
    pairs, paired = judge_pairs(own.pairs, known, reading, scopes) if english else ([], [])
    labelled, right = judge_labels(own.labels, reading)
    found = [*hours, *pairs]
    # What is judged as a whole is not judged in parts.
    whole = Spans([*open_, *paired, *((one.start, one.end) for one in found)])
    if english:
        found += AssertionJudge(own.attributes, reading, scopes).judge()
        found += judge_places(own.placed, known, reading, scopes)
    parts = [*numbers.judge(), *CalendarJudge(known, reading).judge()]
    found += (one for one in parts if not whole.overlap(one.start, one.end))
    if english:
        found += judge_order(known, reading, scopes, numbers.judged)
        found += own.values.judge(reading, scopes)
        found += judge_slots(own.codes, reading)
    settled = Spans(right)
    found = [one for one in found if not settled.overlap(one.start, one.end)]
    taken = Spans((one.start, one.end) for one in found)
    more = [*labelled, *judge_codes(own.codes, reading)]
    found += (one for one in more if not taken.overlap(one.start, one.end))
    borne = frozenset(n for one in numbers.judged if one.state in ("same", "derived") for n in one.cells)
    return Judgement(tuple(apart(found)), reading.moments, borne)
