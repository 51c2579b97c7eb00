"""Numbers and quantities of a text that agree with one of the input."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from esascore.detectors.base import mention
from esascore.lexicon.codes import names_of_code
from esascore.literals.number_patterns import has_decimal_comma
from esascore.literals.numbers import FoundNumber, find_numbers
from esascore.literals.quantities import (
    CONVERTED,
    ROUNDED,
    Quantities,
    Quantity,
    entity_quantities,
    number_distance,
)
from esascore.literals.units import Unit, unit_named
from esascore.model import Entity, Input, Mention, once_per_input
from esascore.text.document import Document
from esascore.text.stem import stem
from esascore.text.words import name_words, spaced

METHOD = "number"
_UNWORDED = 0.016  # more than makes one mention prove two facts, less than keeps it from being spared
_COUNTS = {"a": 1, "an": 1, "no": 0, "without": 0}
_REACH = 5  # how many words around a number may name its attribute
_RUN_GAP = 24  # how many characters may stand between the numbers of one value


def number_mentions(document: Document) -> list[Mention]:
    """Return a mention for every number of a text that agrees with one of the input, in text order.

    The span is the number with its sign and "million"; the unit belongs to it where the term of the input
    names one, where it is glued to the number, and where the number is in another unit than the input's. A
    range or dimensions are one mention if all their numbers stand close together.

    Where an input has a value under several attributes, a number that stands beside the words of one of them
    is rather a mention of that one; it proves both only if both are named.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> graph = Graph.from_triples([("Alex", "height", "185.0 (centimetres)"), ("Alex", "goals", "1299")])
    >>> text = "Alex is 1.85 m tall and scored 1,299 goals."
    >>> [(m.text, m.distance) for m in number_mentions(Document(graph, text))]
    [('1.85 m', 0.05), ('1,299', 0.0)]
    """
    wanted = _wanted(document.input)
    if not wanted.terms and not wanted.compounds:
        return []
    text = document.text
    numbers = document.found(find_numbers, comma=wanted.comma, words=document.language.english)
    mentions = []
    for found in numbers:
        around: frozenset[str] | None = None
        for number, distance in wanted.quantities.agreeing(found):
            cost = 0.0
            if (own := wanted.twins.get(number)) is not None:
                around = _stems_around(document, found) if around is None else around
                cost = _UNWORDED if own.isdisjoint(around) else 0.0
            start, end = _span(text, found, wanted.quantities.all[number])
            mentions.append(mention(text, start, end, wanted.terms[number], METHOD, distance, cost=cost))
        for term, currency in wanted.currencies:
            if found.unit is not None and found.unit.dimension == currency.dimension:
                before = found.outer_start < found.start
                start, end = (found.outer_start, found.start) if before else (found.end, found.outer_end)
                sign = text[start:end]
                end -= len(sign) - len(sign.rstrip())
                start += len(sign) - len(sign.lstrip(" -"))
                mentions.append(mention(text, start, end, term, METHOD, CONVERTED))
    for term, quantities in wanted.compounds:
        mentions += _runs(text, numbers, term, quantities)
    if wanted.few:
        mentions += _one_or_none(document, wanted.few)
    return mentions


class _Wanted(NamedTuple):  # made for every input
    """The quantities of an input with their terms.

    ``compounds`` are values of several numbers, ``currencies`` those that are a currency; ``twins`` are the
    stems of the attributes of values that stand under several, ``few`` counts of one and none by the stems of
    what is counted. ``comma`` tells whether the input has a decimal comma.
    """

    terms: tuple[str, ...]
    quantities: Quantities
    compounds: tuple[tuple[str, tuple[Quantity, ...]], ...]
    currencies: tuple[tuple[str, Unit], ...]
    twins: Mapping[int, frozenset[str]]
    few: Mapping[tuple[str, int], str]
    comma: bool


@once_per_input
def _wanted(input_: Input) -> _Wanted:
    terms: list[str] = []
    quantities: list[Quantity] = []
    compounds: list[tuple[str, tuple[Quantity, ...]]] = []
    currencies: list[tuple[str, Unit]] = []
    holders: list[Entity] = []
    few: dict[tuple[str, int], str] = {}
    for entity in input_.entities:
        own = entity_quantities(entity)
        if len(own) > 1:
            compounds.append((entity.term, own))
        elif own:
            holders.append(entity)
            value = own[0].value
            for word in _stems_of(entity.object_of) if not own[0].unit and value in (0, 1) else ():
                few.setdefault((word, int(value)), entity.term)
            terms.append(entity.term)
            quantities.append(own[0])
        elif names_of_code(entity):
            currency = unit_named(entity.term)
            if currency is not None and currency.dimension.startswith("money"):
                currencies.append((entity.term, currency))
    index = Quantities(tuple(quantities))
    twins = {at: _stems_of(holders[at].object_of) for some in index.equal() for at in some}
    comma = any(has_decimal_comma(entity.term) for entity in input_.entities)
    return _Wanted(tuple(terms), index, tuple(compounds), tuple(currencies), twins, few, comma)


@lru_cache(maxsize=1 << 12)
def _stems_of(properties: tuple[str, ...]) -> frozenset[str]:
    return frozenset(stem(word) for name in properties for word in name_words(spaced(name)))


def _one_or_none(document: Document, few: Mapping[tuple[str, int], str]) -> Iterator[Mention]:
    """Yield "an" of "an assist" and "no" of "no steals" where the data count one and none of them."""
    words = document.words
    for at, (word, following) in enumerate(pairwise(words.texts)):
        if word in _COUNTS and (term := few.get((stem(following), _COUNTS[word]))) is not None:
            yield mention(document.text, words.starts[at], words.ends[at], term, METHOD, ROUNDED)


def _stems_around(document: Document, found: FoundNumber) -> frozenset[str]:
    words = document.words
    first = bisect_left(words.starts, found.start)
    last = bisect_left(words.starts, found.end)
    return frozenset(map(stem, words.texts[max(0, first - _REACH) : last + _REACH]))


def _runs(
    text: str, numbers: Sequence[FoundNumber], term: str, quantities: Sequence[Quantity]
) -> Iterator[Mention]:
    """Yield the runs of numbers that say all numbers of a value."""
    open_ = dict(enumerate(quantities))
    start = end = 0
    worst = 0.0
    for found in numbers:
        if open_ and len(open_) < len(quantities) and found.start - end > _RUN_GAP:
            open_ = dict(enumerate(quantities))
            worst = 0.0
        if found.start < end:
            continue
        near = [(d, n) for n, q in open_.items() if (d := number_distance(found, q)) is not None]
        if not near:
            continue
        best = min(near)
        start = found.outer_start if len(open_) == len(quantities) else start
        end, worst = found.outer_end, max(worst, best[0])
        del open_[best[1]]
        if not open_:
            yield mention(text, start, end, term, METHOD, worst)
            open_ = dict(enumerate(quantities))
            worst = 0.0


def _span(text: str, found: FoundNumber, quantity: Quantity) -> tuple[int, int]:
    """Return what people mark as the mention.

    Counted in annotated texts: a unit is inside where the term names it (449 to 2) or it is glued to the
    number (47 to 0), otherwise outside (633 to 165); a value in another unit is nothing without that unit.
    """
    if found.outer_end == found.end and found.outer_start == found.start:
        return found.start, found.end
    glued = found.outer_end > found.end and text[found.end].isalnum()
    converted = found.unit is not None and quantity.unit is not None and quantity.value not in found.values
    if quantity.in_term or glued or converted:
        return found.outer_start, found.outer_end
    return found.start, found.end
