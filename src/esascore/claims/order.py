"""Judges order and direction: superlatives, comparisons of two numbers, whether something rose or fell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from esascore.claims.cells import Amount, Cell
from esascore.claims.explanations import Explained
from esascore.claims.finding import Finding, contradicted_by
from esascore.claims.known import Known
from esascore.claims.reading import Quantity, Reading
from esascore.claims.scope import Scopes, kind_of
from esascore.literals.keys import word_base
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
    r"(?:\s(?!and\b|but\b|in\b|for\b)[^\W\d]+){0,4}(?:,?\swith(?:\s[^\W\d]+){0,3}|\s(?:of|at|is|was|are|be|were)|:|\s\()"
    r"\s?[$€£]?\s?"
)
_ALSO_ADVERBS = frozenset({"most", "least"})
_REACH = 60
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
        words = list(_DIRECTION.finditer(reading.text, start, end))
        before = [word for word in words if word.end() <= claim.outer[0]][-1:]
        after = [word for word in words if word.start() >= claim.outer[1]][:1]
        for word in before or after:
            if (word["up"] is not None) != (sign > 0):
                cell = known.record.cells[own.cells[0]]
                yield contradicted_by(cell, *word.span(), "value", "direction")


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
        column = known.columns.get(kind_of(cell.home.rpartition("/")[0]), {}).get(
            cell.spot[len(cell.home) :], {}
        )
        if len(column) < 2 or cell.home not in column:
            continue
        first, last = reading.sentences[claim.sentence]
        start, end = max(first, claim.outer[0] - _BESIDE), min(last, claim.outer[1] + _BESIDE)
        for word in (_WORD.match(reading.lowered, place, end) for place in places if start <= place < end):
            adjective = _adjectives().get(word[0]) if word else None
            if word is None or adjective is None or not _is_said_of(reading.lowered, claim, word):
                continue
            words = _words(known, column)
            if adjective.attributes and words.isdisjoint(adjective.attributes):
                continue
            if word[0] in _ALSO_ADVERBS and word.end() < claim.start and not _counts(reading, word, words):
                continue
            best = _extreme(column, adjective.high)
            if column[cell.home].value != best.value:
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


@cache
def _superlative() -> re.Pattern[str]:
    return re.compile(rf"(?<=\s)(?:{'|'.join(_adjectives())})")


def _superlatives(known: Known, reading: Reading, scopes: Scopes, places: Sequence[int]) -> Iterator[Finding]:
    """Yield superlatives of items that are not the first by any attribute that they may order by."""
    for word in (_WORD.match(reading.lowered, place) for place in places):
        adjective = _adjectives().get(word[0]) if word else None
        if word is None or adjective is None:
            continue
        clause = reading.bases(*reading.clause_at(*word.span()))
        beside = adjective.attributes or {own for base in clause for own in known.index.matches(base)}
        if word[0] in _ALSO_ADVERBS and not _counts(reading, word, beside):
            continue
        for kind, columns in known.columns.items():
            about = scopes.of(kind, word.start())
            if about is None or not about[1] or len(about[0]) != 1:
                continue
            (item,) = about[0]
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


def _words(known: Known, column: Mapping[str, Amount]) -> frozenset[str]:
    cell = known.record.cells[next(iter(column.values())).cell]
    return cell.own.union(map(word_base, cell.key.words))


def _extreme(column: Mapping[str, Amount], high: bool) -> Amount:
    return (max if high else min)(column.values(), key=lambda own: own.value)
