"""Quantities of an input: which they are, when a number of a text agrees with one, and where texts say them.

Never by resemblance: 1,299 is not 1,298. A number agrees with one of the input if it has the same value, is
that value in another unit, or is that value rounded as people round (see `number_distance`).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from esascore.detectors.base import mention, with_inputs
from esascore.detectors.dates import calls_a_date, entity_date
from esascore.detectors.number_patterns import ROOMY, TERM, has_decimal_comma, readings
from esascore.detectors.numbers import FoundNumber, find_numbers
from esascore.detectors.units import Unit, currency_before, may_mean, unit_named, unit_of_property
from esascore.lexicon.codes import names_of_code
from esascore.lexicon.label import label
from esascore.model import Entity, Mention
from esascore.text.document import Document
from esascore.text.lazy import lazy
from esascore.text.normalize import lowered_in_place
from esascore.text.numerals import has_numerals
from esascore.text.stem import stem
from esascore.text.words import name_words, spaced

METHOD = "number"
EXACT = 0.0
CONVERTED = 0.05
OTHER_READING = 0.05
ROUNDED = 0.1
OTHER_UNIT = 0.1
BY_ORDINAL = 0.15
WRONG_UNIT = 0.2
_UNWORDED = 0.016  # more than makes one mention prove two facts, less than keeps it from being spared
_FAR = 0.2
_FLOATING = 1e-12  # more than the error of a few operations on floats
_UNHEDGED, _ROUGH, _HEDGED, _CLOSE_ENOUGH = 33, 20, 10, 200  # errors of 3 %, 5 %, 10 % and 0.5 %
_LEAST_CUT = 10  # smaller whole numbers are rounded, not cut
_OVER = frozenset({"over", "more than", "above", "at least", "just over"})
_FEW = 6  # so many quantities are sooner compared than looked up
_MOST_DIGITS_READ = 40
_MOST_DIGITS = 300  # beyond the reach of floats
_SPOKEN = 3  # whole numbers of more significant figures are hardly ever written in words
_WHOLE = Decimal(0)
_A_DIGIT = re.compile(r"[0-9]")
_NOTHING_ELSE = re.compile(
    r"(?:[\s,;|×x*/()~≈<>=+.–—-]|(?<![^\W_])(?:to|by|and|or|from|up|approx|about|between|max|min)(?![^\W_]))*"
)
_LEAST_UNIT = 3  # letters of an attribute that is called by its unit
_NONE_OR_ONE = "1"  # figures after it in the order of strings are another number
_COUNTS = {"a": 1, "an": 1, "no": 0, "without": 0}
_DURATION = re.compile(r"(?i)duration|runtime|length|elapsed")
_REACH = 5  # how many words around a number may name its attribute
_RUN_GAP = 24  # how many characters may stand between the numbers of one value


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of the input; ``in_term`` says whether the term itself names the unit.

    A ``typed`` one comes from data, which say what is a number and what is its unit: its sign and its unit
    count, and it may be rounded to whatever digits a text gives.
    """

    value: Decimal
    unit: Unit | None = None
    in_term: bool = False
    typed: bool = False

    def __hash__(self) -> int:
        return hash(self.value)  # which remembers it


def entity_quantity(entity: Entity) -> Quantity | None:
    """Return the quantity that an entity is, or None if it is not one (a name, a date, an identifier).

    Examples
    --------
    >>> quantity = entity_quantity(Entity("185.0 (centimetres)"))
    >>> quantity.value, quantity.unit.name
    (Decimal('185.0'), 'centimetre')
    >>> entity_quantity(Entity("0004319")) is None
    True
    """
    if entity.type is None:
        return _quantity(entity.term, entity.object_of)
    quantities = entity_quantities(entity)
    return quantities[0] if len(quantities) == 1 else None


def entity_quantities(entity: Entity) -> tuple[Quantity, ...]:
    """Return the quantities that a value of data consists of: several for a range or dimensions.

    Examples
    --------
    >>> [str(q.value) for q in entity_quantities(Entity("120 x 60 x 75 cm", type="text"))]
    ['120', '60', '75']
    >>> entity_quantities(Entity("18 rooms in 3 houses", type="text"))
    ()
    """
    if entity.type in (None, "boolean", "date"):
        return ()
    if entity.type == "time" and not any(_DURATION.search(name) for name in entity.object_of):
        return ()
    return quantities_of(str(entity.term), entity.object_of, entity.unit)


def quantities_of(text: str, attributes: tuple[str, ...], unit: str) -> tuple[Quantity, ...]:
    """Return the quantities that the text of a value consists of, under attributes and with a unit.

    Examples
    --------
    >>> [(str(q.value), q.unit.name) for q in quantities_of("12", ("runtime",), "min")]
    [('12', 'minute')]
    """
    if text.isdigit() and text.isascii():  # most numbers
        return _whole(text, _unit_of_attributes(attributes, unit))
    return _quantities(text, attributes, unit)


def is_quantity(entity: Entity) -> bool:
    """Tell whether a value of data consists of quantities.

    Examples
    --------
    >>> is_quantity(Entity("12", type="number")), is_quantity(Entity("twelve of them", type="text"))
    (True, False)
    """
    term = entity.term
    if entity.type == "number" and term.isdigit() and term.isascii() and len(term) < _MOST_DIGITS_READ:
        return term[0] != "0" or len(term) == 1
    return bool(entity_quantities(entity))


def number_distance(found: FoundNumber, quantity: Quantity) -> float | None:
    """Return how far a number in a text is from one of the input, or None if they do not agree.

    0.0
        the same value
    0.05
        the same value in another unit, to the digits that the text gives; the second reading of an
        ambiguous number ("64,008" for 64.008)
    0.1
        rounded: decimals dropped (185.42 as 185), a word for the magnitude (20769100000 as 20.8 billion), or
        a hedge (1,299 as "about 1,300"); the text must write fewer significant digits, and be within 3 %
        (10 % with a hedge). Two different whole numbers without any of these never agree. Also the same
        value with a unit of another kind
    0.15
        an ordinal for a number ("the second round" for 2)
    0.2
        the same value in a unit that makes it another quantity (185 metres for 185 centimetres)

    Quantities of data are rounded to any digits that a text gives (0.74 as 0.7, 1135835 as 1.1 million), and
    may be cut (76.936 as 76.93); with another unit they are another quantity.

    Examples
    --------
    >>> about, plain = find_numbers("about 1,300 of them, or 1,300")
    >>> number_distance(about, Quantity(Decimal(1299))), number_distance(plain, Quantity(Decimal(1299)))
    (0.1, None)
    """
    best: float | None = None
    for n, value in enumerate(found.values):
        distance = _distance(found, value, quantity)
        if distance is not None:
            distance += OTHER_READING if n else 0
            if best is None or distance < best:
                best = distance
    return best


Ranked = tuple[tuple[float, ...], tuple[int, ...]]


@dataclass(frozen=True)
class Quantities:
    """Quantities by value and, in the base unit of their dimension, by size: numbers are looked up.

    Each index is made when the first number needs it; most texts have neither hedges nor units.

    Examples
    --------
    >>> own = Quantities.of(Quantity(Decimal(n), typed=True) for n in range(0, 1000, 10))
    >>> [found] = find_numbers("500")
    >>> [(str(own.all[number].value), distance) for number, distance in own.agreeing(found)]
    [('500', 0.0)]
    """

    all: tuple[Quantity, ...]

    @classmethod
    def of(cls, quantities: Iterable[Quantity]) -> Quantities:
        """Index quantities."""
        return cls(tuple(quantities))

    @lazy
    def _by_value(self) -> dict[Decimal, list[int]]:
        found: dict[Decimal, list[int]] = {}
        for number, quantity in enumerate(self.all):
            if (same := found.get(quantity.value)) is None:
                found[quantity.value] = [number]
            else:
                same.append(number)
        return found

    @lazy
    def _sizes(self) -> Ranked:
        return _ranked([(float(value), number) for number, value in self._moderate()])

    @lazy
    def _fractional(self) -> Ranked:
        """Those of the sizes that are not whole."""
        parted = [
            (number, quantity.value)
            for number, quantity in enumerate(self.all)
            if not quantity.value.same_quantum(_WHOLE)
        ]
        return _ranked(
            [
                (float(value), number)
                for number, value in parted
                if abs(value.adjusted()) < _MOST_DIGITS and value != value.to_integral_value()
            ]
        )

    @lazy
    def _in_base(self) -> dict[str, Ranked]:
        found: dict[str, list[tuple[float, int]]] = {}
        for number, value in self._moderate():
            if (unit := self.all[number].unit) is not None:
                base = float(value) * float(unit.factor) + float(unit.offset)
                found.setdefault(unit.dimension, []).append((base, number))
        return {name: _ranked(some) for name, some in found.items()}

    def _moderate(self) -> Iterator[tuple[int, Decimal]]:
        """Yield the positions and values of the quantities within the reach of floats."""
        for number, quantity in enumerate(self.all):
            if abs(quantity.value.adjusted()) < _MOST_DIGITS:
                yield number, quantity.value

    def equal(self) -> Iterator[list[int]]:
        """Yield the positions of the quantities that have the same value as others."""
        yield from (some for some in self._by_value.values() if len(some) > 1)

    def agreeing(self, found: FoundNumber) -> list[tuple[int, float]]:
        """Return the positions of the quantities that a number agrees with, and its distances from them."""
        own = self.all
        near = range(len(own)) if len(own) <= _FEW else self._near(found)
        return [(at, distance) for at in near if (distance := number_distance(found, own[at])) is not None]

    def _near(self, number: FoundNumber) -> Iterable[int]:
        """Return the positions of the quantities that a number can agree with, as `_rounding` decides."""
        unit = number.unit
        found: set[int] = set()
        for value in number.values:
            found.update(self._by_value.get(value, ()))
            if unit is None and not number.hedge and value.same_quantum(_WHOLE) and not self._fractional[0]:
                continue  # most numbers
            exponent = value.as_tuple().exponent
            if not isinstance(exponent, int) or max(abs(exponent), abs(value.adjusted())) > _MOST_DIGITS:
                continue
            # Without a hedge or zeros that were rounded, two different whole numbers never agree, nor does a
            # whole number round one with decimals.
            like = self._sizes if number.hedge or exponent > 0 else self._fractional
            if unit is None and not like[0]:
                continue
            own = float(value)
            # The error is at most a share of what is meant, which is at most the number and the error; a
            # little more, since these are floats. Too many are no harm.
            room = max(abs(own) / ((_HEDGED if number.hedge else _UNHEDGED) - 2), 10.0**exponent)
            room += _FLOATING * abs(own)
            _between(like, own - room, own + room, found)
            if unit is None:
                continue
            factor, offset = float(unit.factor), float(unit.offset)
            middle, room = own * factor + offset, room * abs(factor)
            room += _FLOATING * (abs(middle) + abs(offset))
            if unit.dimension in self._in_base:
                _between(self._in_base[unit.dimension], middle - room, middle + room, found)
            if unit.dimension == _SHARE:
                _between(self._sizes, middle - room, middle + room, found)
        return sorted(found)


@dataclass(frozen=True, slots=True)
class NumberDetector:
    """Proposes a mention for every number of a text that agrees with one of the input.

    The span is the number with its sign and "million"; the unit belongs to it where the term of the input
    names one, where it is glued to the number, and where the number is in another unit than the input's. A
    range or dimensions are one mention if all their numbers stand close together.

    Where data have a value under several attributes, a number that stands beside the words of one of them is
    rather a mention of that one; it proves both only if both are named.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> graph = Graph.from_triples([("Alex", "height", "185.0 (centimetres)"), ("Alex", "goals", "1299")])
    >>> text = "Alex is 1.85 m tall and scored 1,299 goals."
    >>> [(m.text, m.distance) for m in NumberDetector().propose([Document(graph, text)])[0]]
    [('1.85 m', 0.05), ('1,299', 0.0)]
    """

    def propose(self, documents: Sequence[Document]) -> list[list[Mention]]:
        """Return the proposals for each document, in text order."""
        return [
            _mentions(document, wanted) if wanted.terms or wanted.compounds else []
            for document, wanted in with_inputs(documents, _wanted)
        ]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The quantities of an input with their terms.

    ``compounds`` are values of several numbers, ``currencies`` those that are a currency; ``twins`` are the
    stems of the attributes of values that stand under several, ``few`` counts of one and none by the stems of
    what is counted. ``spoken`` tells whether a text may write one in words, ``data`` whether the input is
    data, and ``comma`` whether these have a decimal comma.
    """

    terms: tuple[str, ...]
    quantities: Quantities
    spoken: bool
    compounds: tuple[tuple[str, tuple[Quantity, ...]], ...] = ()
    currencies: tuple[tuple[str, Unit], ...] = ()
    twins: Mapping[int, frozenset[str]] = field(default_factory=dict)
    few: Mapping[tuple[str, int], str] = field(default_factory=dict)
    data: bool = False
    comma: bool = False


_SHARE = "ratio"
_NOTHING = _Wanted((), Quantities.of(()), False)


def _ranked(some: list[tuple[float, int]]) -> Ranked:
    some.sort()
    return tuple(size for size, _ in some), tuple(number for _, number in some)


def _between(ranked: Ranked, low: float, high: float, found: set[int]) -> None:
    sizes, numbers = ranked
    found.update(numbers[bisect_left(sizes, low) : bisect_right(sizes, high)])


def _quantity(term: str, properties: tuple[str, ...]) -> Quantity | None:
    read = _quantity_alone(term) if _A_DIGIT.search(term) else None
    if read is None:
        return None
    dated, unit = _meant_by(properties)
    if dated:
        return None
    # Figures alone may be a year to the one and a number to the other; what else is a date is not a number.
    figures = term.isdigit() or label(term).isdigit()
    if not figures and entity_date(Entity(term, (), properties)) is not None:
        return None
    return read if unit is None or read.in_term else Quantity(read.value, unit)


@lru_cache(maxsize=1 << 12)
def _meant_by(properties: tuple[str, ...]) -> tuple[bool, Unit | None]:
    """Tell whether properties speak of a date, and which unit they name."""
    units = (unit for name in properties if (unit := unit_of_property(name)) is not None)
    return calls_a_date(properties), next(units, None)


@lru_cache(maxsize=1 << 16)
def _quantity_alone(term: str) -> Quantity | None:
    """Return the quantity that a term is, whatever the properties around it say."""
    written = label(term)
    lowered = lowered_in_place(written)
    match = TERM.fullmatch(lowered)
    if match is None:
        return None
    values = readings(match["figures"], match["exponent"], match["scale"])
    if not values:
        return None
    value = values[0].copy_negate() if match["sign"] and match["sign"] != "+" else values[0]
    group = "aside" if match["aside"] else "unit"
    if match[group]:
        # The unit as the term writes it, since camel case tells its words apart.
        unit = unit_named(written[match.start(group) : match.end(group)])
        return None if unit is None else Quantity(value, unit, in_term=True)
    if match["money"]:
        currency = currency_before(lowered, match.end("money"))
        return Quantity(value, None if currency is None else currency[1], in_term=True)
    return Quantity(value)


@lru_cache(maxsize=1 << 16)
def _whole(figures: str, unit: Unit | None) -> tuple[Quantity, ...]:
    values = readings(figures)
    return (Quantity(values[0], unit, typed=True),) if values else ()


@lru_cache(maxsize=1 << 16)
def _quantities(term: str, properties: tuple[str, ...], unit: str) -> tuple[Quantity, ...]:
    numbers = _numbers_of(term)
    if not numbers:  # most names
        return ()
    lowered = lowered_in_place(term)
    quantities: list[Quantity] = []
    left = 0
    for number in numbers:
        if number.start < left or (number.ordinal and number.end - number.start < len(term)):
            continue
        between = lowered[left : number.outer_start]
        if between.strip() == "(" and quantities and number_distance(number, quantities[-1]) is not None:
            left = number.outer_end  # a conversion in brackets
            continue
        if _NOTHING_ELSE.fullmatch(between) is None:
            return ()
        left = number.outer_end
        own = number.unit or _unit_of_attributes(properties, unit)
        quantities.append(Quantity(number.values[0], own, number.outer_end > number.end, typed=True))
    return tuple(quantities) if _NOTHING_ELSE.fullmatch(lowered, left) else ()


@lru_cache(maxsize=1 << 16)
def _numbers_of(term: str) -> tuple[FoundNumber, ...]:
    numbers = find_numbers(term, data=True, comma=has_decimal_comma(term))
    return tuple(sorted(numbers, key=lambda number: (number.start, -number.end)))


@lru_cache(maxsize=1 << 12)
def _unit_of_attributes(properties: tuple[str, ...], given: str) -> Unit | None:
    """Return the unit that attributes of data name, else the one that the data give."""
    named = (unit_of_property(name, ontology=False) or _unit_called(name) for name in properties)
    own = next((one for one in named if one is not None), None)
    return unit_named(given) if own is None and given else own


def _unit_called(name: str) -> Unit | None:
    """Return the unit that an attribute is called by: the ``deg`` of a wind whose speed is in m/s."""
    return unit_named(name) if len(name) >= _LEAST_UNIT and not calls_a_date((name,)) else None


def _wanted(entities: Sequence[Entity]) -> _Wanted:
    if any(entity.type is not None for entity in entities):
        return _wanted_of_data(entities)
    found = [
        (entity.term, quantity)
        for entity in entities
        if (quantity := _quantity(entity.term, entity.object_of)) is not None
    ]
    if not found:
        return _NOTHING
    spoken = any(_is_spoken(quantity.value) for _, quantity in found)
    return _Wanted(tuple([term for term, _ in found]), Quantities.of([q for _, q in found]), spoken)


def _wanted_of_data(entities: Sequence[Entity]) -> _Wanted:
    terms: list[str] = []
    quantities: list[Quantity] = []
    compounds: list[tuple[str, tuple[Quantity, ...]]] = []
    currencies: list[tuple[str, Unit]] = []
    holders: list[Entity] = []
    few: dict[tuple[str, int], str] = {}
    comma = False
    for entity in entities:
        term = entity.term
        if entity.type == "number" and term.isdigit() and term.isascii() and term > _NONE_OR_ONE:  # most
            if own := _whole(str(term), _unit_of_attributes(entity.object_of, entity.unit)):
                holders.append(entity)
                terms.append(term)
                quantities.append(own[0])
            continue
        comma = comma or has_decimal_comma(term)
        own = entity_quantities(entity)
        if entity.type is None and (untyped := entity_quantity(entity)) is not None:
            own = (untyped,)
        if len(own) > 1:
            compounds.append((entity.term, own))
        elif own:
            holders.append(entity)
            counted = own[0].value if own[0].unit is None else None
            for word in _stems_of(entity.object_of) if counted in (0, 1) else ():
                few.setdefault((word, int(counted or 0)), entity.term)
            terms.append(entity.term)
            quantities.append(own[0])
        elif names_of_code(entity):
            currency = unit_named(entity.term)
            if currency is not None and currency.dimension.startswith("money"):
                currencies.append((entity.term, currency))
    index = Quantities.of(quantities)
    twins = {at: _stems_of(holders[at].object_of) for some in index.equal() for at in some}
    return _Wanted(tuple(terms), index, True, tuple(compounds), tuple(currencies), twins, few, True, comma)


@lru_cache(maxsize=1 << 12)
def _stems_of(properties: tuple[str, ...]) -> frozenset[str]:
    return frozenset(stem(word) for name in properties for word in name_words(spaced(name)))


@lru_cache(maxsize=1 << 12)
def _is_spoken(value: Decimal) -> bool:
    _, digits, exponent = value.normalize(ROOMY).as_tuple()
    return isinstance(exponent, int) and exponent >= 0 and len(digits) <= _SPOKEN


def _mentions(document: Document, wanted: _Wanted) -> list[Mention]:
    text = document.text
    # Without number words it makes no difference to look for them, and others who look share the answer.
    words = wanted.spoken or wanted.data or not has_numerals(document.lowered)
    numbers = document.found(find_numbers, words=words, data=wanted.data, comma=wanted.comma)
    mentions = []
    for found in numbers:
        around: frozenset[str] | None = None
        for number, distance in wanted.quantities.agreeing(found):
            cost = 0.0
            if wanted.twins and number in wanted.twins:
                around = _stems_around(document, found) if around is None else around
                cost = 0.0 if not wanted.twins[number].isdisjoint(around) else _UNWORDED
            start, end = _span(text, found, wanted.quantities.all[number])
            term = wanted.terms[number]
            mentions.append(mention(text, start, end, term, METHOD, distance, cost=cost))
        for term, currency in wanted.currencies:
            if found.unit is not None and found.unit.dimension == currency.dimension:
                before = found.outer_start < found.start
                span = (found.outer_start, found.start) if before else (found.end, found.outer_end)
                sign = text[slice(*span)]
                end = span[1] - len(sign) + len(sign.rstrip())
                start = span[0] + len(sign) - len(sign.lstrip(" -"))
                mentions.append(mention(text, start, end, term, METHOD, CONVERTED))
    for term, quantities in wanted.compounds:
        mentions += _runs(text, numbers, term, quantities)
    return [*mentions, *_one_or_none(document, wanted.few)] if wanted.few else mentions


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


def _distance(found: FoundNumber, value: Decimal, quantity: Quantity) -> float | None:
    if found.ordinal:
        return BY_ORDINAL if value == quantity.value else None
    said, meant = found.unit, quantity.unit
    if quantity.typed and said is not None and meant is not None and said.dimension != meant.dimension:
        if not may_mean(said, meant):
            return None  # another quantity
        said = None
    if said is None or meant is None or said.same_size(meant):
        if value == quantity.value:
            return EXACT
        if quantity.typed:
            share = meant is None and said is not None and said.dimension == _SHARE
            if not (share or found.hedge or value.as_tuple().exponent or quantity.value.as_tuple().exponent):
                return None  # two different whole numbers, as most pairs are
            whole = Fraction(quantity.value)
            if share and said is not None and abs(whole) <= 1:
                return _distance_of_data(found, value, whole / said.factor, True)
            return _distance_of_data(found, value, whole, False)
        size = float(quantity.value)
        if abs(float(value) - size) > _FAR * abs(size):  # most pairs; spares them the fractions
            return None
        return _rounding(found, value, Fraction(quantity.value), False)
    if said.dimension != meant.dimension:
        return OTHER_UNIT if value == quantity.value else None
    exact = meant.converted(Fraction(quantity.value), said)
    if quantity.typed:
        return _distance_of_data(found, value, exact, True)
    converted = _rounding(found, value, exact, True)
    return WRONG_UNIT if converted is None and value == quantity.value else converted


def _distance_of_data(found: FoundNumber, value: Decimal, meant: Fraction, converted: bool) -> float | None:
    """Return the distance of a written value from a quantity of data: rounded to any digits, or cut."""
    exponent = value.as_tuple().exponent
    if not isinstance(exponent, int) or abs(exponent) > _MOST_DIGITS:
        return None
    said = Fraction(value)
    if said == meant:
        return CONVERTED
    if not value or said * meant < 0:
        return None
    if found.hedge:
        return _rounding(found, value, meant, converted)
    step = Fraction(10) ** exponent
    error = abs(said - meant)
    if exponent >= 0 and meant.denominator == 1 and not (converted or exponent):
        return None  # two different whole numbers
    digits = len(value.as_tuple().digits)
    rounded = 2 * error <= step and (exponent <= 0 or digits > 1 or error * _ROUGH <= abs(meant))
    cut = 0 <= abs(meant) - abs(said) < step and (exponent < 0 or (not exponent and abs(said) >= _LEAST_CUT))
    if not (rounded or cut):
        return _rounding(found, value, meant, converted) if converted else None
    return CONVERTED if converted and error * _CLOSE_ENOUGH <= abs(meant) else ROUNDED


def _rounding(found: FoundNumber, value: Decimal, meant: Fraction, converted: bool) -> float | None:
    """Return the distance of a written value from the exact one that it may round, or None."""
    exponent = value.as_tuple().exponent
    if not isinstance(exponent, int) or abs(exponent) > 400 or not value or not meant:
        return None
    if not (converted or found.hedge or exponent > 0 or meant.denominator > 1):
        return None  # two different whole numbers
    said = Fraction(value)
    error = abs(said - meant)
    if error * (_HEDGED if found.hedge else _UNHEDGED) > abs(meant):
        return None
    if found.hedge and not exponent:  # the zeros at the end of a whole number may stand for what was rounded
        while said.numerator % 10 ** (exponent + 1) == 0:
            exponent += 1
    step = Fraction(10) ** exponent
    # "Over 1,200" for 1,299; and 69.7 days are "69 days" to most writers.
    cut = (converted or found.hedge in _OVER) and said <= meant < said + step
    if 2 * error > step and not cut:
        return None
    return CONVERTED if converted and error * _CLOSE_ENOUGH <= abs(meant) else ROUNDED
