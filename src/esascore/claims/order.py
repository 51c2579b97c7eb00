"""Judges order and direction: superlatives, comparisons of two numbers, whether something rose or fell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from esascore.claims.cells import Amount, Cell, converted
from esascore.claims.explanations import Explained
from esascore.claims.finding import Finding, contradicted_by
from esascore.claims.known import Change, Known
from esascore.claims.reading import Quantity, Reading
from esascore.claims.rounding import nearness
from esascore.claims.scope import Scopes, kind_of
from esascore.literals.keys import word_base
from esascore.literals.units import Unit
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
_LATE, _EARLY = "later?|behind|overdue", "early|earlier|ahead"  # only of times
_DIRECTION = re.compile(
    rf"(?<![\w-])(?=(?P<time>{_LATE}|{_EARLY})?)(?:(?P<up>{_UP}|{_LATE})|(?P<down>{_DOWN}|{_EARLY}))(?![\w-])",
    re.IGNORECASE,
)
_COMPARING = frozenset({"more", "less", "fewer", "higher", "lower"})
_BEYOND = (
    r"(?:(?P<up>above|over|ahead of|(?:high|wid|larg|bigg|great|long|more)(?:er)? than)"
    r"|(?P<down>below|under|short of|(?:low|narrow|small|short|less)(?:er)? than))\s"
)
_NUMBER_BEYOND = re.compile(rf"\s{_BEYOND}", re.IGNORECASE)
_COMPARED = re.compile(
    r"[\s,–—-]*(?:(?:is|was|are|were|but|still|just|slightly|well|far|and|only|a\slittle)\s){0,3}"
    rf"{_BEYOND}(?:the|its|a|an|your|last|this|their)\s(?:[^\W\d]+\s){{0,3}}[$€£]?$",
    re.IGNORECASE,
)
_CHANGE = frozenset(map(word_base, ("change", "diff", "difference", "delta", "growth", "gain", "trend")))
_SMALL = 12
# What may stand between a word for a rise or fall and the number that it is said of.
_HEDGES = (
    r"(?:(?:by|of|just|only|about|around|roughly|nearly|almost|some|slightly|over|sharply|steadily|an?|now)"
    r"\s){0,3}"
)
_BY = re.compile(rf"\s{_HEDGES}(?:(?P<role>from|to|at)\s)?{_HEDGES}[$€£]?")
_FROM = re.compile(rf"(?<!\w)from {_HEDGES}[$€£]?$")
_TO = re.compile(rf"\s?(?:[^\W\d]+\s){{0,2}}to {_HEDGES}[$€£]?")
_MORE = re.compile(r"\s(?:[^\W\d]+\s)?")
_BESIDE = 40  # characters
# What may stand between a number and a superlative that is said of it, in both orders.
_AFTER_NUMBER = re.compile(
    r"\)?(?:\sof(?:\s[^\W\d]+){1,2})?\s?(?:,|[–—-]|\(|is|was|are|be|were)?\s(?:also\s)?(?:the|its|their)?\s?"
)
_BEFORE_NUMBER = re.compile(
    r"(?:\s(?!and\b|but\b|in\b|for\b)[^\W\d]+){0,4}(?:,|,?\swith(?:\s[^\W\d]+){0,3}|\s(?:of|at|is|was|are|be|were)|:|\s\()"
    r"\s?[$€£]?\s?"
)


def judge_order(known: Known, reading: Reading, scopes: Scopes, judged: Sequence[Explained]) -> list[Finding]:
    """Return comparisons, changes and superlatives that the input contradicts."""
    explained = [own for own in judged if own.state in ("same", "derived")]
    return [
        *_comparisons(reading),
        *_differences(known, reading, explained),
        *_directions(known, reading, explained),
        *_steps(known, reading, judged),
        *_superlatives(known, reading, scopes, explained),
    ]


def _comparisons(reading: Reading) -> Iterator[Finding]:
    """Yield two numbers of one sentence that are not in the order that the text puts them."""
    for one, other in pairwise(reading.quantities):
        if one.unit is None or other.unit is None or _dimension(one) != _dimension(other):
            continue
        said = _COMPARED.fullmatch(reading.text, one.outer[1], other.outer[0])
        first, second = abs(converted(one.value, one.unit, other.unit)), abs(other.value)
        if said is not None and first != second and (first > second) != _is_up(said):
            told = [reading.text[slice(*own.outer)] for own in (one, other)]
            reason = f"{told[0]} is not {said[_side(said)]} {told[1]}"
            yield Finding(*said.span(_side(said)), "value", "order", "contradicted", reason=reason)


def _differences(known: Known, reading: Reading, explained: Sequence[Explained]) -> Iterator[Finding]:
    """Yield "above" where a difference is one below what the words after it name, and the other way round."""
    index = known.index
    for own in explained:
        word = _NUMBER_BEYOND.match(reading.lowered, own.claim.outer[1])
        if word is None or own.told != "a difference" or len(own.cells) != 2:
            continue
        hits = index.named(reading.bases(word.end(), reading.clause_at(word.end(), word.end())[1]))
        cells = [known.record.cells[number] for number in own.cells]
        named = [cell for cell in cells if index.attribute_of[cell.number] in hits]
        if len(named) != 1:
            continue
        [than], [meant] = named, [cell for cell in cells if cell is not named[0]]
        of_both = [known.by_cell[cell.number][0].value for cell in (meant, than)]
        if of_both[0] != of_both[1] and (of_both[0] > of_both[1]) != _is_up(word):
            yield contradicted_by(than, *word.span(_side(word)), "value", "direction")


def _dimension(claim: Quantity) -> str | None:
    return None if claim.unit is None else claim.unit.dimension


def _side(word: re.Match[str]) -> str:
    return "down" if word["up"] is None else "up"


def _is_up(word: re.Match[str]) -> bool:
    return word["up"] is not None


def _directions(known: Known, reading: Reading, explained: Sequence[Explained]) -> Iterator[Finding]:
    """Yield words for a rise or fall by a number, or to one, that neither the input nor the text shows."""
    moves = list(_moves(known))
    right = {own.claim.outer: set(own.cells) for own in explained}
    for word in _DIRECTION.finditer(reading.text):
        sentence = reading.sentence_at(word.start())
        said = list(_said_of(word, reading.of_sentence(sentence), reading))
        if any(claim.ordinal for claim, _ in said):
            continue  # who rises in a ranking has a smaller number
        bases = reading.sentence_bases[sentence]
        fitting = [
            own
            for own in moves
            for claim, role in said
            if _fits(claim, role, own)
            and (word["time"] is None or _dimension(claim) == "time")
            and (
                claim.unit is not None
                or claim.value > _SMALL
                or not own.words.isdisjoint(bases)
                or {own.cell, own.old_cell} == right.get(claim.outer)
            )
        ]
        if fitting and all((own.new > own.old) != _is_up(word) for own in fitting):
            yield contradicted_by(known.record.cells[fitting[0].cell], *word.span(), "value", "direction")


def _moves(known: Known) -> Iterator[Change]:
    """Yield what values have become, and what they changed by: also values that are a change."""
    yield from known.changes
    cells = known.record.cells
    for own in known.record.amounts:
        if own.whole and own.value and cells[own.cell].own & _CHANGE:
            yield Change(own.value, 0.0, own.unit, own.cell, own.cell, cells[own.cell].wide)


def _said_of(
    word: re.Match[str], claims: Sequence[Quantity], reading: Reading
) -> Iterator[tuple[Quantity, str]]:
    """Yield the numbers that a word for a rise or fall is said of: by how much, from what, to what."""
    last = word.end()
    before = [claim for claim in claims if claim.outer[1] <= word.start()][-1:]
    for claim in before:
        between = reading.lowered[claim.outer[1] : word.start()]
        if _MORE.fullmatch(between):
            yield claim, "by"
        if between in (", ", " ("):
            yield claim, "new"  # 44%, up from 41%
    for claim in claims:
        if claim.outer[0] < last or word[0].lower() in _COMPARING:
            continue
        link = _BY.fullmatch(reading.lowered, last, claim.outer[0])
        if link is None:
            return
        yield claim, {"from": "old", "to": "new", "at": "new"}.get(link["role"] or "", "by")
        last = claim.outer[1]


def _fits(claim: Quantity, role: str, own: Change) -> bool:
    """Return whether a number is what a change has in a role."""
    apart = abs(own.new - own.old)
    if role != "by":
        return own.cell != own.old_cell and _is_said(claim, own.new if role == "new" else own.old, own.unit)
    share = _dimension(claim) == "ratio"
    if share and own.old and nearness(claim, apart / abs(own.old) * 100) is not None:
        return True
    return (not share or (own.unit is not None and own.unit.dimension == "ratio")) and _is_said(
        claim, apart, own.unit
    )


def _is_said(claim: Quantity, value: float, unit: Unit | None) -> bool:
    """Return whether a number is a value of the input, in whatever unit of the same dimension."""
    if claim.unit is not None and unit is not None and claim.unit.dimension == unit.dimension:
        value = converted(value, unit, claim.unit)
    return nearness(claim, value) is not None


def _steps(known: Known, reading: Reading, judged: Sequence[Explained]) -> Iterator[Finding]:
    """Yield what a value has become where it is another one: the 26 of "from 18% to 26%"."""
    by_cell = {cell: own for own in known.changes for cell in (own.cell, own.old_cell)}
    for one, other in pairwise(judged if by_cell else ()):
        own = by_cell.get(one.cells[0]) if one.state == "same" and one.cells else None
        if own is None or other.state == "flag" or _is_said(other.claim, own.new, own.unit):
            continue
        start = one.claim.outer[0]
        if _TO.fullmatch(reading.lowered, one.claim.outer[1], other.claim.outer[0]) and _FROM.search(
            reading.lowered, max(0, start - _BESIDE), start
        ):
            cell, elsewhere = known.record.cells[own.cell], other.state == "same"
            yield contradicted_by(cell, *other.claim.outer, "number", "order", elsewhere=elsewhere)


class _Adjective(NamedTuple):
    """Whether a superlative means the largest, and of which attributes; of none: those named beside it."""

    high: bool
    attributes: frozenset[str]


@cache
def _adjectives() -> Mapping[str, _Adjective]:
    found: dict[str, _Adjective] = {}
    for word, direction, attributes in load("dimensions").rows:
        own = _Adjective(direction == "high", frozenset(map(word_base, values(attributes))))
        found[word] = own
        if word.startswith("most "):
            found[word.replace("most", "least", 1)] = own._replace(high=not own.high)
    return found


@cache
def _superlative() -> re.Pattern[str]:
    """Return superlatives that mean the first of all: not "the second highest"."""
    words = "|".join(sorted(_adjectives(), key=len, reverse=True))
    return re.compile(
        r"(?<!\w)(?:the|its|their|our|your|his|her)\s"
        rf"(?:(?!second|third|fourth|fifth|next|joint)[^\W\d]+\s)?(?P<word>{words})(?!\w)"
    )


def _superlatives(
    known: Known, reading: Reading, scopes: Scopes, explained: Sequence[Explained]
) -> Iterator[Finding]:
    """Yield superlatives of numbers and items that are not the first of their column."""
    numbers = [own for own in explained if own.state == "same" and len(own.cells) == 1]
    for found in _superlative().finditer(reading.lowered):
        word = _Superlative(found["word"], *found.span("word"), _adjectives()[found["word"]])
        cell = _of_number(known, reading, numbers, word) or _of_item(known, reading, scopes, word)
        if cell is not None:
            reason = f"the input says {cell.statement}, for another one"
            yield contradicted_by(cell, word.start, word.end, "value", "superlative", reason)


class _Superlative(NamedTuple):
    text: str
    start: int
    end: int
    adjective: _Adjective

    def may_be_of(self, words: Iterable[str], reading: Reading) -> bool:
        """Return whether it can be said of an attribute: "most" only right before it, not "most common"."""
        if self.text in ("most", "least"):
            return not set(words).isdisjoint(reading.words_after(self.end, 1, len(reading.text)))
        return not self.adjective.attributes or not self.adjective.attributes.isdisjoint(words)


def _of_number(
    known: Known, reading: Reading, numbers: Sequence[Explained], word: _Superlative
) -> Cell | None:
    """Return what is beyond the number that a superlative is said of; None if that is the first."""
    for own in numbers:
        if not _is_said_of(reading.lowered, own.claim, word):
            continue
        cell = known.record.cells[own.cells[0]]
        said_by_key = cell.key.roles & {"low", "high"}
        if said_by_key:
            right = said_by_key == {"high" if word.adjective.high else "low"} or word.adjective.attributes
            return None if right else cell
        column, place = _place_of(known, cell)
        after = own.claim.outer[1] <= word.start and word.text in ("most", "least")
        if len(column) > 1 and (after or word.may_be_of(_words(known, column), reading)):
            best = _extreme(column, word.adjective.high)
            return None if column[place].value == best.value else known.record.cells[best.cell]
    return None


def _is_said_of(lowered: str, claim: Quantity, word: _Superlative) -> bool:
    """Return whether a superlative is said of a number: "41 g, the most", "the highest value is 41"."""
    if claim.outer[1] <= word.start:
        return _AFTER_NUMBER.fullmatch(lowered, claim.outer[1], word.start) is not None
    return _BEFORE_NUMBER.fullmatch(lowered, word.end, claim.outer[0]) is not None


def _of_item(known: Known, reading: Reading, scopes: Scopes, word: _Superlative) -> Cell | None:
    """Return what is beyond the item that a superlative is said of; None if that is the first by anything."""
    clause = reading.bases(*reading.clause_at(word.start, word.end))
    beside = word.adjective.attributes or {own for base in clause for own in known.index.matches(base)}
    if not word.may_be_of(beside, reading):
        return None
    for kind in dict.fromkeys(map(kind_of, known.record.items)):
        about = scopes.of(kind, word.start)
        items = about[0] if about is not None and about[1] else scopes.first_after(kind, word.end)
        if len(items) != 1:
            continue
        (item,) = items
        fitting = [
            column
            for column in known.columns.get(kind, {}).values()
            if item in column and len(column) > 1 and not _words(known, column).isdisjoint(beside)
        ]
        best = [_extreme(column, word.adjective.high) for column in fitting]
        if best and all(column[item].value != own.value for column, own in zip(fitting, best, strict=True)):
            return known.record.cells[best[0].cell]
    return None


def _place_of(known: Known, cell: Cell) -> tuple[Mapping[str, Amount], str]:
    """Return the column of a cell, and its position there."""
    listed = known.columns.get(kind_of(cell.home.rpartition("/")[0]), {})
    column = listed.get(cell.spot[len(cell.home) :], {})
    if cell.home in column:
        return column, cell.home
    parts = known.columns.get(cell.home, {}).values()
    return next((column for column in parts if cell.spot in column), {}), cell.spot


def _words(known: Known, column: Mapping[str, Amount]) -> frozenset[str]:
    """Return the words of an attribute and its keys, and of what it measures."""
    first = next(iter(column.values()))
    cell = known.record.cells[first.cell]
    measured = () if first.dimension is None else (first.dimension.partition(":")[0],)
    return cell.own.union(map(word_base, (*cell.key.words, *measured)))


def _extreme(column: Mapping[str, Amount], high: bool) -> Amount:
    return (max if high else min)(column.values(), key=lambda own: own.value)
