"""Judges a text: everything that it claims against everything that its input says."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from esascore.claims.assertions import AssertionJudge, Attributes
from esascore.claims.calendar import CalendarJudge
from esascore.claims.cells import record_of
from esascore.claims.codes import Codes, judge_codes, judge_numbered
from esascore.claims.finding import Finding, apart
from esascore.claims.hours import judge_hours, tables_of
from esascore.claims.known import Known
from esascore.claims.labelled import judge_labels, labels_of
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
    """Everything that is known about an input before any text; each part is computed on first use."""

    def __init__(self, input_: Input):
        self.record = record_of(input_)

    known = lazy(lambda own: Known.of(own.record))
    """Its cells, words, handles and numbers."""
    attributes = lazy(lambda own: Attributes(own.record))
    """What may be asserted or denied."""
    tables = lazy(lambda own: tables_of(own.record))
    """Its opening hours."""
    pairs = lazy(lambda own: Pairs(own.known))
    """Its pairs of numbers."""
    codes = lazy(lambda own: Codes(own.record))
    """Its codes, versions and long numbers."""
    values = lazy(lambda own: Values(own.record))
    """Its values that exclude others."""
    labels = lazy(lambda own: labels_of(own.record))
    """The whole names of its attributes."""
    placed = lazy(lambda own: Placed(own.record))
    """Its names, dates and times, by how texts say them."""


background_of = once_per_input(Background)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What judging a text found, in text order, and the spans that are dates or times, not names.

    ``borne`` are the numbers of the cells that support the numbers of the text.
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
    """Judge a text; in languages other than English only its figures, dates and codes."""
    reading = document.once(Reading.of_source)
    own = background_of(reading.document.input)
    known = own.known
    numbers = QuantityJudge(known, reading)
    scopes = numbers.scopes
    english = reading.document.language.english
    hours, open_ = judge_hours(own.tables if english else (), reading)
    pairs, paired = judge_pairs(own.pairs, known, reading, scopes) if english else ([], [])
    labelled, right = judge_labels(own.labels, reading)
    # Spans that are judged as a whole are not judged in parts.
    whole = [*hours, *pairs]
    parts = [*numbers.judge(), *CalendarJudge(known, reading).judge()]
    found = [*whole, *_outside([*open_, *paired, *_spans(whole)], parts)]
    if english:
        found += AssertionJudge(own.attributes, reading, scopes).judge()
        found += judge_places(own.placed, known, reading, scopes)
        found += judge_order(known, reading, scopes, numbers.judged)
        found += own.values.judge(reading, scopes)
        found += judge_numbered(own.codes, reading)
    found = _outside(right, found)
    found += _outside(_spans(found), [*labelled, *judge_codes(own.codes, reading)])
    borne = frozenset(n for one in numbers.judged if one.state in ("same", "derived") for n in one.cells)
    return Judgement(tuple(apart(found)), reading.moments, borne)


def _spans(found: Iterable[Finding]) -> list[Span]:
    return [(one.start, one.end) for one in found]


def _outside(spans: Iterable[Span], found: Iterable[Finding]) -> list[Finding]:
    """Return the findings that overlap none of some spans."""
    taken = Spans(spans)
    return [one for one in found if not taken.overlap(one.start, one.end)]
