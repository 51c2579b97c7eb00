"""Judges order and direction: superlatives, comparisons of two numbers, whether something rose or fell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from esascore.claims.cells import Amount, Cell, converted
from esascore.claims.explanations import Explained
from esascore.claims.finding import Finding, contradicted_by
from esascore.claims.known import Change, Columns, Known
from esascore.claims.reading import Quantity, Reading, Span
from esascore.claims.rounding import nearness
from esascore.claims.scope import Scopes, kind_of
from esascore.literals.keys import word_base
from esascore.literals.units import Unit, unit_named
from esascore.wordlists import load, values

WORDLISTS = ("dimensions",)
"""The word lists that are read here."""

_UP = (
    r"r[oi]se[sn]?|rising|climb(?:s|ed|ing)?|increas(?:e[sd]?|ing)|gr[eo]w(?:s|n|ing)?|jump(?:s|ed)?|gain(?:s|ed)?"
    r"|improv(?:e[sd]?|ing)|went up|goes up|up|more|higher"
)
_DOWN = (
    r"f[ae]ll(?:s|en|ing)?|drop(?:s|ped|ping)?|decreas(?:e[sd]?|ing)|declin(?:e[sd]?|ing)|slip(?:s|ped)?|shr[aiu]nk"
    r"|went down|goes down|down|less|fewer|lower|lost"
)
_DIRECTION = re.compile(rf"(?<![\w-])(?:(?P<up>{_UP})|(?P<down>{_DOWN}))(?![\w-])", re.IGNORECASE)
_COMPARED = re.compile(
    r"[\s,–—-]*(?:(?:is|was|are|were|but|still|just|slightly|well|far|and|only|a\slittle)\s){0,3}"
    r"(?:(?P<up>above|over|higher than|wider than|larger than|bigger than|greater than|longer than|ahead of)"
    r"|(?P<down>below|under|lower than|narrower than|smaller than|shorter than|short of))"
    r"\s(?:the|its|a|an|your|last|this|their)\s(?:[^\W\d]+\s){0,3}[$€£]?$",
    re.IGNORECASE,
)
_CHANGE = frozenset(map(word_base, ("change", "diff", "difference", "delta", "growth", "gain", "trend")))
_DEFINITE = re.compile(r"\b(?:the|its|their|our|your|his|her)\s(?:[^\W\d]+\s)?$")
_WORD = re.compile(r"[^\W\d_]+")
_RANKED = re.compile(r"\b(?:second|third|fourth|fifth|next|joint|\d+(?:st|nd|rd|th))\s")
# What may stand between a number and a superlative that is said of it, in both orders.
_AFTER_NUMBER = re.compile(
    r"\)?(?:\sof(?:\s[^\W\d]+){1,2})?\s?(?:,|[–—-]|\(|is|was|are|be|were)?\s(?:also\s)?(?:the|its|their|a)?\s?"
)
_BEFORE_NUMBER = re.compile(
    r"(?:\s(?!and\b|but\b|in\b|for\b)[^\W\d]+){0,4}(?:,|,?\swith(?:\s[^\W\d]+){0,3}|\s(?:of|at|is|was|are|be|were)|:|\s\()"
    r"\s?[$€£]?\s?"
)
_ALSO_ADVERBS = frozenset({"most", "least"})
# What may stand between a word for a rise or fall and the number that it is said of.
_BY = re.compile(
    r"\s(?:(?:by|of|just|only|about|around|roughly|nearly|almost|some|slightly|over|sharply|steadily|an?)\s){0,3}"
    r"(?:(?P<role>from|to|at)\s)?(?:(?:just|only|about|around|roughly|nearly|almost|over)\s)?[$€£]?"
)
_FROM = re.compile(r"(?<!\w)from (?:an? |about |around |just |only )?[$€£]?$")
_TO = re.compile(r"\s?(?:[^\W\d]+\s){0,2}to (?:just |only |about |around |now |a )?[$€£]?")
_MORE = re.compile(r"\s(?:[^\W\d]+\s)?")
_LATE = re.compile(
    r"\s(?:(?P<late>late|later|behind|after|past|overdue)|(?P<early>early|earlier|ahead|before))\b"
)
_THAN_BEFORE = re.compile(
    r"\sthan\s(?:before|last\s|the\s(?:previous|last|year|month|week|season)|a\s|its\s|previous)"
)
_ADVERBS = re.compile(r",?\s(?:which\sis\s)?(?:(?:slightly|a\slittle|much|far|somewhat|clearly|even)\s)?")
_THAN = re.compile(r"\sthan\s[$€£]?\d")
_COMPARING = frozenset({"more", "less", "fewer", "higher", "lower"})
_REACH = 60
_SMALL = 12
_BESIDE = 40
_BEYOND = re.compile(
    r"\s(?:(?P<up>above|over|more than|higher than)|(?P<down>below|under|less than|short of|lower than))\s"
)


def judge_order(known: Known, reading: Reading, scopes: Scopes, judged: Sequence[Explained]) -> list[Finding]:
    """Return comparisons, changes and superlatives that the input contradicts."""
    explained = [own for own in judged if own.state in ("same", "derived")]
    places = [
        own.start()
        for own in _superlative().finditer(reading.lowered)
        if _is_definite(reading.lowered, own.start())
    ]
    return [
        *_comparisons(reading),
        *_changes(known, reading, explained),
        *_changes_between(known, reading, {own.claim.outer for own in explained}),
        *_steps(known, reading, judged),
        *_delays(known, reading),
        *_differences(known, reading, explained),
        *_superlatives(known, reading, scopes, places),
        *(_extremes(known, reading, explained, places) if places else ()),
    ]


def _comparisons(reading: Reading) -> Iterator[Finding]:
    """Yield two numbers of one sentence that are not in the order that the text puts them."""
    for one, other in pairwise(reading.quantities):
        if one.sentence != other.sentence or _dimension(one) != _dimension(other) or one.unit is None:
            continue
        said = _COMPARED.fullmatch(reading.text, one.outer[1], other.outer[0])
        if said is None or one.value == other.value:
            continue
        name = "down" if said["up"] is None else "up"
        if (name == "up") != (abs(one.value) > abs(other.value)):
            first, second = reading.text[slice(*one.outer)], reading.text[slice(*other.outer)]
            reason = f"{first} is not {said[name]} {second}"
            yield Finding(*said.span(name), "value", "order", "contradicted", reason=reason)


def _dimension(claim: Quantity) -> str | None:
    return None if claim.unit is None else claim.unit.dimension


def _changes(known: Known, reading: Reading, explained: Sequence[Explained]) -> Iterator[Finding]:
    """Yield words for a rise where the input has a fall, and the other way round."""
    for own in explained:
        sign = _sign(known, own)
        if not sign:
            continue
        claim = own.claim
        left, right = claim.clause
        start, end = max(left, claim.outer[0] - _REACH), min(right, claim.outer[1] + _REACH)
        words = [
            word for word in _DIRECTION.finditer(reading.text, start, end) if not _is_bound(reading, word)
        ]
        before = [word for word in words if word.end() <= claim.outer[0]][-1:]
        after = [word for word in words if word.start() >= claim.outer[1]][:1]
        for word in before or after:
            if (word["up"] is not None) != (sign > 0):
                cell = known.record.cells[own.cells[0]]
                yield contradicted_by(cell, *word.span(), "value", "direction")


def _changes_between(known: Known, reading: Reading, right: Set[Span]) -> Iterator[Finding]:
    """Yield words for a rise or fall by a number, or to one, that a value and the one before it do not show.

    Where a text says from what to what, and the input bears out both, they tell by themselves.
    """
    pairs = known.changes
    for word in _DIRECTION.finditer(reading.text):
        sentence = reading.sentence_at(word.start())
        said = list(_said_of(word, reading.of_sentence(sentence), reading))
        if any(claim.ordinal for claim, _ in said):
            continue  # who rises in a ranking has a smaller number
        ends = {role: claim for claim, role in said if claim.outer in right}
        if (
            ends.keys() == {"old"}
            and (beside := _just_before(word, reading)) is not None
            and beside.outer in right
        ):
            ends["new"] = beside  # 44%, up from 41%
        if ends.keys() >= {"old", "new"} and ends["old"].unit is ends["new"].unit:
            apart = ends["new"].value - ends["old"].value
            if apart and (apart > 0) != (word["up"] is not None):
                told = (
                    f"{reading.text[slice(*ends['old'].outer)]} to {reading.text[slice(*ends['new'].outer)]}"
                )
                reason = f"from {told} is not {word[0].lower()}"
                yield Finding(*word.span(), "value", "direction", "contradicted", reason=reason)
                continue
        small = all(claim.unit is None and claim.value <= _SMALL for claim, _ in said)
        bases = reading.sentence_bases[sentence]
        fitting = [
            pair
            for pair in pairs
            if any(_fits(claim, role, pair) for claim, role in said)
            and not (small and pair.words.isdisjoint(bases))
        ]
        if fitting and all((pair.new > pair.old) != (word["up"] is not None) for pair in fitting):
            yield contradicted_by(known.record.cells[fitting[0].cell], *word.span(), "value", "direction")


def _just_before(word: re.Match[str], reading: Reading) -> Quantity | None:
    """Return the number that stands right before a word, but for a comma."""
    before = [
        own for own in reading.of_sentence(reading.sentence_at(word.start())) if own.end <= word.start()
    ]
    if not before or reading.text[before[-1].outer[1] : word.start()].strip() not in ("", ",", "("):
        return None
    return before[-1]


def _steps(known: Known, reading: Reading, judged: Sequence[Explained]) -> Iterator[Finding]:
    """Yield what a value has become where it is another one: the 26 of "from 18% to 26%"."""
    by_cell = {cell: pair for pair in known.changes for cell in (pair.cell, pair.old_cell)}
    for one, other in pairwise(judged if by_cell else ()):
        pair = by_cell.get(one.cells[0]) if one.state == "same" and one.cells else None
        if pair is None or not _TO.fullmatch(reading.lowered, one.claim.outer[1], other.claim.outer[0]):
            continue
        from_ = _FROM.search(reading.lowered, max(0, one.claim.outer[0] - _REACH), one.claim.outer[0])
        if from_ is not None and other.state != "flag" and not _is_said(other.claim, pair.new, pair.unit):
            cell = known.record.cells[pair.cell]
            yield contradicted_by(
                cell, *other.claim.outer, "number", "order", elsewhere=other.state == "same"
            )


def _delays(known: Known, reading: Reading) -> Iterator[Finding]:
    """Yield "early" where something was late, and the other way round."""
    minute = unit_named("minutes")
    for claim in reading.quantities if known.delays else ():
        word = _LATE.match(reading.lowered, claim.outer[1])
        if word is None or _dimension(claim) != "time":
            continue
        fitting = [own for own in known.delays if _is_said(claim, abs(own.minutes), minute)]
        if fitting and all((own.minutes > 0) != (word["late"] is not None) for own in fitting):
            cell = known.record.cells[fitting[0].cell]
            yield contradicted_by(cell, *word.span("late" if word["late"] else "early"), "value", "direction")


def _said_of(
    word: re.Match[str], claims: Sequence[Quantity], reading: Reading
) -> Iterator[tuple[Quantity, str]]:
    """Yield the numbers that a word for a rise or fall is said of: by how much, from what, to what."""
    last = word.end()
    for claim in claims:
        if claim.outer[0] >= word.end():
            if word[0].lower() in _COMPARING:
                return
            link = _BY.fullmatch(reading.lowered, last, claim.outer[0])
            if link is None:
                return
            yield claim, {"from": "old", "to": "new", "at": "new"}.get(link["role"] or "", "by")
            last = claim.outer[1]
        elif claim.outer[1] <= word.start():
            if _MORE.fullmatch(reading.lowered, claim.outer[1], word.start()):
                yield claim, "by"
            elif _THAN_BEFORE.match(reading.lowered, word.end()):
                between = reading.lowered[claim.outer[1] : word.start()]
                if _ADVERBS.fullmatch(between):
                    yield claim, "new"


def _fits(claim: Quantity, role: str, pair: Change) -> bool:
    """Return whether a number is what a pair of values has in a role."""
    apart = abs(pair.new - pair.old)
    if role != "by":
        return _is_said(claim, pair.new if role == "new" else pair.old, pair.unit)
    share = claim.unit is not None and claim.unit.dimension == "ratio"
    if share and pair.old and nearness(claim, apart / abs(pair.old) * 100) is not None:
        return True
    return (not share or (pair.unit is not None and pair.unit.dimension == "ratio")) and _is_said(
        claim, apart, pair.unit
    )


def _is_said(claim: Quantity, value: float, unit: Unit | None) -> bool:
    """Return whether a number is a value of the input, in whatever unit of the same dimension."""
    if claim.unit is not None and unit is not None and claim.unit.dimension == unit.dimension:
        value = converted(value, unit, claim.unit)
    return nearness(claim, value) is not None


def _is_bound(reading: Reading, word: re.Match[str]) -> bool:
    """Return whether a word compares with a number: more than 60."""
    return _THAN.match(reading.lowered, word.end()) is not None


def _sign(known: Known, own: Explained) -> int:
    """Return whether what explains a number is a rise or a fall; 0 if it is neither."""
    cells = [known.record.cells[number] for number in own.cells]
    if own.state == "same" and len(cells) == 1 and cells[0].own & _CHANGE:
        return _compare(_value(known, cells[0]), 0.0)
    if own.state == "derived" and len(cells) == 2 and own.told in ("a difference", "a share"):
        old = [cell for cell in cells if "before" in cell.key.roles]
        new = [cell for cell in cells if "before" not in cell.key.roles]
        if len(old) == len(new) == 1 and (
            old[0].own & new[0].own or (old[0].home and old[0].home == new[0].home)
        ):
            return _compare(_value(known, new[0]), _value(known, old[0]))
    return 0


def _differences(known: Known, reading: Reading, explained: Sequence[Explained]) -> Iterator[Finding]:
    """Yield "above" where a difference is one below what the words after it name, and the other way round."""
    for own in explained:
        word = _BEYOND.match(reading.lowered, own.claim.outer[1])
        if word is None or own.told != "a difference" or len(own.cells) != 2:
            continue
        end = reading.clause_at(word.end(), word.end())[1]
        index = known.index
        hits = index.named(reading.bases(word.end(), end))
        one, other = (known.record.cells[number] for number in own.cells)
        named = index.attribute_of[one.number] in hits
        if named == (index.attribute_of[other.number] in hits):
            continue
        meant, than = (other, one) if named else (one, other)
        sign = _compare(_value(known, meant), _value(known, than))
        if sign and (word["up"] is not None) != (sign > 0):
            yield contradicted_by(than, *word.span("up" if word["up"] else "down"), "value", "direction")


def _extremes(
    known: Known, reading: Reading, explained: Sequence[Explained], places: Sequence[int]
) -> Iterator[Finding]:
    """Yield superlatives beside a number that is not the first of its column."""
    for own in explained:
        claim = own.claim
        if own.state != "same" or len(own.cells) != 1:
            continue
        cell = known.record.cells[own.cells[0]]
        column, place = _place_of(known.columns, cell)
        said_by_key = cell.key.roles & {"low", "high"}
        if len(column) < 2 and not said_by_key:
            continue
        first, last = reading.sentences[claim.sentence]
        start, end = max(first, claim.outer[0] - _BESIDE), min(last, claim.outer[1] + _BESIDE)
        for word in (_WORD.match(reading.lowered, place, end) for place in places if start <= place < end):
            adjective = _adjectives().get(word[0]) if word else None
            if word is None or adjective is None or not _is_said_of(reading.lowered, claim, word):
                continue
            if said_by_key:
                if said_by_key != {"high" if adjective.high else "low"} and not adjective.attributes:
                    yield contradicted_by(cell, *word.span(), "value", "superlative")
                continue
            words = _words(known, column)
            if adjective.attributes and words.isdisjoint(adjective.attributes):
                continue
            if word[0] in _ALSO_ADVERBS and word.end() < claim.start and not _counts(reading, word, words):
                continue
            best = _extreme(column, adjective.high)
            if column[place].value != best.value:
                better = known.record.cells[best.cell]
                reason = f"the input says {better.statement}, for another one"
                yield contradicted_by(better, *word.span(), "value", "superlative", reason)


def _is_said_of(lowered: str, claim: Quantity, word: re.Match[str]) -> bool:
    """Return whether a superlative is said of a number: "41 g, the most", "the highest value is 41"."""
    if claim.outer[1] <= word.start():
        return _AFTER_NUMBER.fullmatch(lowered, claim.outer[1], word.start()) is not None
    return _BEFORE_NUMBER.fullmatch(lowered, word.end(), claim.outer[0]) is not None


def _counts(reading: Reading, word: re.Match[str], words: Set[str]) -> bool:
    """Return whether "most" is said of an attribute: not "the most common"."""
    return not words.isdisjoint(reading.words_after(word.end(), 1, len(reading.text)))


def _is_definite(lowered: str, place: int) -> bool:
    """Return whether a superlative is the first of all: not "the second highest"."""
    before = _DEFINITE.search(lowered, max(0, place - 20), place)
    return before is not None and _RANKED.search(before[0]) is None


def _value(known: Known, cell: Cell) -> float | None:
    return next((own.value for own in known.by_cell.get(cell.number, ()) if own.whole), None)


def _compare(one: float | None, other: float | None) -> int:
    return 0 if one is None or other is None else (one > other) - (one < other)


class _Adjective(NamedTuple):
    high: bool
    attributes: frozenset[str]


@cache
def _adjectives() -> Mapping[str, _Adjective]:
    return {
        word: _Adjective(direction == "high", frozenset(map(word_base, values(attributes))))
        for word, direction, attributes in load("dimensions").rows
    }


def _adjective(lowered: str, word: re.Match[str]) -> _Adjective | None:
    """Return the adjective that a word is, or begins: "most expensive"."""
    own = _adjectives().get(word[0])
    following = _WORD.match(lowered, word.end() + 1) if word[0] in _ALSO_ADVERBS else None
    graded = _adjectives().get(f"most {following[0]}") if following is not None else None
    return own if graded is None else _Adjective(word[0] == "most", graded.attributes)


@cache
def _superlative() -> re.Pattern[str]:
    return re.compile(rf"(?<=\s)(?:{'|'.join(_adjectives())})")


def _superlatives(known: Known, reading: Reading, scopes: Scopes, places: Sequence[int]) -> Iterator[Finding]:
    """Yield superlatives of items that are not the first by any attribute that they may order by."""
    listed = set(map(kind_of, known.record.items))
    for word in (_WORD.match(reading.lowered, place) for place in places):
        adjective = _adjective(reading.lowered, word) if word else None
        if word is None or adjective is None:
            continue
        clause = reading.bases(*reading.clause_at(*word.span()))
        beside = adjective.attributes or {own for base in clause for own in known.index.matches(base)}
        adverb = word[0] in _ALSO_ADVERBS and adjective is _adjectives().get(word[0])
        if adverb and not _counts(reading, word, beside):
            continue
        for kind, columns in known.columns.items():
            if kind not in listed:
                continue
            about = scopes.of(kind, word.start())
            items = about[0] if about is not None and about[1] else scopes.first_after(kind, word.end())
            if len(items) != 1:
                continue
            (item,) = items
            fitting = [
                column
                for column in columns.values()
                if item in column and len(column) > 1 and not _words(known, column).isdisjoint(beside)
            ]
            best = [_extreme(column, adjective.high) for column in fitting]
            if best and not any(
                column[item].value == own.value for column, own in zip(fitting, best, strict=True)
            ):
                cell = known.record.cells[best[0].cell]
                reason = f"the input says {cell.statement}, for another one"
                yield contradicted_by(cell, *word.span(), "value", "superlative", reason)
            break


def _place_of(columns: Columns, cell: Cell) -> tuple[Mapping[str, Amount], str]:
    """Return the column that a cell is in, and its place there."""
    listed = columns.get(kind_of(cell.home.rpartition("/")[0]), {}).get(cell.spot[len(cell.home) :], {})
    if cell.home in listed:
        return listed, cell.home
    parts = columns.get(cell.home, {}).values()
    return next((column for column in parts if cell.spot in column), {}), cell.spot


def _words(known: Known, column: Mapping[str, Amount]) -> frozenset[str]:
    """Return the words of an attribute and its keys, and of what it measures."""
    first = next(iter(column.values()))
    cell = known.record.cells[first.cell]
    measured = () if first.dimension is None else (first.dimension.partition(":")[0],)
    return cell.own.union(map(word_base, (*cell.key.words, *measured)))


def _extreme(column: Mapping[str, Amount], high: bool) -> Amount:
    return (max if high else min)(column.values(), key=lambda own: own.value)
