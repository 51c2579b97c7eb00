"""The quantities of an input, and when a number of a text agrees with one.

Resemblance does not count: 1,299 is not 1,298. A number agrees with one of the input if it has the same
value, is that value in another unit, or is that value rounded as people round (see `number_distance`).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from operator import itemgetter

from esascore.label import label
from esascore.lazy import lazy
from esascore.literals.dates import may_be_year
from esascore.literals.keys import read_key, split_key
from esascore.literals.number_patterns import has_decimal_comma, readings
from esascore.literals.numbers import FoundNumber, find_numbers
from esascore.literals.units import Unit, may_mean, unit_named, usual_unit
from esascore.model import Entity
from esascore.text.normalize import lowered_in_place
from esascore.text.words import spaced

EXACT = 0.0
CONVERTED = 0.05
OTHER_READING = 0.05
ROUNDED = 0.1
BY_ORDINAL = 0.15
_FLOATING = 1e-12  # more than the error of a few operations on floats
_UNHEDGED, _ROUGH, _HEDGED, _CLOSE_ENOUGH = 33, 20, 10, 200  # errors of 3 %, 5 %, 10 % and 0.5 %
_LEAST_CUT = 10  # smaller whole numbers are rounded, not cut
_OVER = frozenset({"over", "more than", "above", "at least", "just over"})
_FEW = 6  # so many quantities are sooner compared than looked up
_MOST_DIGITS = 300  # beyond the reach of floats
_WHOLE = Decimal(0)
_SHARE = "ratio"
_NOTHING_ELSE = re.compile(
    r"(?:[\s,;|×x*/()~≈<>=+.–—-]|(?<![^\W_])(?:to|by|and|or|from|up|approx|about|between|max|min)(?![^\W_]))*"
)
_LONG = 7  # figures
_DURATION = re.compile(r"(?i)duration|runtime|length|elapsed")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of the input; ``in_term`` says whether the term itself names the unit.

    Its sign and its unit count, and it may be rounded to whatever digits a text gives. A unit that is not
    ``sure`` is the one in which an ontology has such values: others are not excluded.
    """

    value: Decimal
    unit: Unit | None = None
    in_term: bool = False
    sure: bool = True

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
    quantities = entity_quantities(entity)
    return quantities[0] if len(quantities) == 1 else None


def entity_quantities(entity: Entity) -> tuple[Quantity, ...]:
    """Return the quantities that a value consists of: several for a range or dimensions.

    Examples
    --------
    >>> [str(q.value) for q in entity_quantities(Entity("120 x 60 x 75 cm", type="text"))]
    ['120', '60', '75']
    >>> entity_quantities(Entity("18 rooms in 3 houses", type="text"))
    ()
    """
    if entity.type in ("boolean", "date"):
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
        cents = any(read_key(key).scale < 1 for key in attributes)
        return _whole(text, _unit_of_attributes(attributes, unit), _CENT if cents else Decimal(1))
    return _quantities(text, attributes, unit)


def is_quantity(entity: Entity) -> bool:
    """Return whether a value consists of quantities.

    Examples
    --------
    >>> is_quantity(Entity("12", type="number")), is_quantity(Entity("twelve of them", type="text"))
    (True, False)
    """
    return bool(entity_quantities(entity))


def is_found_as_number(entity: Entity) -> bool:
    """Return whether only numbers of a text can be an entity.

    Years, which also stand in dates, and long numbers without a unit, which a tokeniser may have cut (8800253
    9), are found as strings, too.

    Examples
    --------
    >>> [is_found_as_number(Entity(term, (), ("size",), "number")) for term in ("3000", "88002539", "-8 m")]
    [True, False, True]
    """
    found = entity_quantities(entity)
    if len(found) != 1 or found[0].unit is not None:
        return bool(found)
    text = label(entity.term)
    return not (text.isdecimal() and (len(text) >= _LONG or may_be_year(text, entity.object_of)))


def number_distance(found: FoundNumber, quantity: Quantity) -> float | None:
    """Return how far a number in a text is from one of the input, or None if they do not agree.

    0.0
        the same value
    0.05
        the same value in another unit, to the digits that the text gives; the second reading of an
        ambiguous number ("64,008" for 64.008)
    0.1
        rounded to any digits that the text gives (0.74 as 0.7, 20769100000 as 20.8 billion) or cut (76.936 as
        76.93); with a hedge ("about 1,300" for 1,299) the text must write fewer significant digits, and be
        within 10 %. Two different whole numbers without any of these never agree
    0.15
        an ordinal for a number ("the second round" for 2)

    With another unit it is another quantity: 185 metres are not 185 centimetres.

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


_CENT = Decimal("0.01")
Ranked = list[tuple[float, int]]


@dataclass(frozen=True)
class Quantities:
    """Quantities by value and, in the base unit of their dimension, by size: numbers are looked up.

    Each index is made when the first number needs it; most texts have neither hedges nor units.

    Examples
    --------
    >>> own = Quantities(tuple(Quantity(Decimal(n)) for n in range(0, 1000, 10)))
    >>> [found] = find_numbers("500")
    >>> [(str(own.all[number].value), distance) for number, distance in own.agreeing(found)]
    [('500', 0.0)]
    """

    all: tuple[Quantity, ...]

    @lazy
    def _by_value(self) -> dict[Decimal, list[int]]:
        found: dict[Decimal, list[int]] = {}
        for number, quantity in enumerate(self.all):
            found.setdefault(quantity.value, []).append(number)
        return found

    @lazy
    def _sizes(self) -> Ranked:
        return sorted((float(value), number) for number, value in self._moderate())

    @lazy
    def _fractional(self) -> Ranked:
        """Those of the sizes that are not whole."""
        moderate = self._moderate()
        return sorted((float(value), n) for n, value in moderate if value.to_integral_value() != value)

    @lazy
    def _in_base(self) -> dict[str, Ranked]:
        found: dict[str, Ranked] = {}
        for number, value in self._moderate():
            if (unit := self.all[number].unit) is not None:
                base = float(value) * float(unit.factor) + float(unit.offset)
                found.setdefault(unit.dimension, []).append((base, number))
        return {name: sorted(some) for name, some in found.items()}

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
        """Return the positions of the quantities that a number can agree with, as `_rounded` decides."""
        unit = number.unit
        found: set[int] = set()
        for value in number.values:
            found.update(self._by_value.get(value, ()))
            if unit is None and not number.hedge and value.same_quantum(_WHOLE) and not self._fractional:
                continue  # most numbers
            exponent = value.as_tuple().exponent
            if not isinstance(exponent, int) or max(abs(exponent), abs(value.adjusted())) > _MOST_DIGITS:
                continue
            # Without a hedge or zeros that were rounded, two different whole numbers never agree, nor does a
            # whole number round one with decimals.
            like = self._sizes if number.hedge or exponent > 0 else self._fractional
            own = float(value)
            # The error is at most one of the last digit; with a hedge a share of what is meant, which is at
            # most the number and the error. A little more, since these are floats: too many are no harm.
            room = max(10.0**exponent, abs(own) / (_HEDGED - 2) if number.hedge else 0.0)
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


def _between(ranked: Ranked, low: float, high: float, found: set[int]) -> None:
    first, last = bisect_left(ranked, low, key=_size), bisect_right(ranked, high, key=_size)
    found.update(number for _, number in ranked[first:last])


_size = itemgetter(0)


@lru_cache(maxsize=1 << 14)
def _whole(figures: str, unit: tuple[Unit | None, bool, bool], scale: Decimal) -> tuple[Quantity, ...]:
    values = readings(figures)
    return (Quantity(values[0] * scale, *unit),) if values else ()


@lru_cache(maxsize=1 << 14)
def _quantities(term: str, properties: tuple[str, ...], unit: str) -> tuple[Quantity, ...]:
    written = label(term)
    numbers = _numbers_of(written)
    if not numbers:  # most names
        return ()
    found = _all_of(written, numbers, properties, unit)
    if found or "(" not in written:
        return found
    apart = spaced(written)  # 0.02 (kilometrePerSeconds)
    return _all_of(apart, _numbers_of(apart), properties, unit)


def _all_of(
    written: str, numbers: Sequence[FoundNumber], properties: tuple[str, ...], unit: str
) -> tuple[Quantity, ...]:
    """Return numbers as quantities, if what is written has nothing else."""
    lowered = lowered_in_place(written)
    quantities: list[Quantity] = []
    left = 0
    for number in numbers:
        if number.start < left or (number.ordinal and number.end - number.start < len(written)):
            continue
        between = lowered[left : number.outer_start]
        if between.strip() == "(" and quantities and number_distance(number, quantities[-1]) is not None:
            left = number.outer_end  # a conversion in brackets
            continue
        if _NOTHING_ELSE.fullmatch(between) is None:
            return ()
        left = number.outer_end
        in_term = (number.outer_start, number.outer_end) != (number.start, number.end)
        own = _unit_of_attributes(properties, unit) if number.unit is None else (number.unit, in_term, True)
        quantities.append(Quantity(number.values[0], *own))
    return tuple(quantities) if _NOTHING_ELSE.fullmatch(lowered, left) else ()


@lru_cache(maxsize=1 << 14)
def _numbers_of(term: str) -> tuple[FoundNumber, ...]:
    numbers = find_numbers(term, comma=has_decimal_comma(term))
    return tuple(sorted(numbers, key=lambda number: (number.start, -number.end)))


@lru_cache(maxsize=1 << 12)
def _unit_of_attributes(properties: tuple[str, ...], given: str) -> tuple[Unit | None, bool, bool]:
    """Return the unit that attributes name, that the input gives, or else that an ontology has for them.

    With it come ``in_term`` and ``sure`` of the `Quantity`.
    """
    for name in properties:
        if (unit := read_key(name).unit) is not None:
            return unit, False, split_key(name)[-1] != "min"  # which may be a minimum
    if given and (own := unit_named(given)) is not None:
        return own, False, True
    return next(filter(None, map(usual_unit, properties)), None), False, False


def _distance(found: FoundNumber, value: Decimal, quantity: Quantity) -> float | None:
    if found.ordinal:
        return BY_ORDINAL if value == quantity.value else None
    said, meant = found.unit, quantity.unit
    if not quantity.sure and value == quantity.value:
        return EXACT
    if said is not None and meant is not None and said.dimension != meant.dimension:
        if not (may_mean(said, meant) or said.dimension.startswith(f"{meant.dimension}/")):
            return None  # another quantity
        said = None
    if said is not None and meant is not None and not said.same_size(meant):
        if _are_far(value, meant.roughly(float(quantity.value), said)):
            return None
        return _rounded(found, value, meant.converted(Fraction(quantity.value), said), True)
    if value == quantity.value:
        return EXACT
    share = meant is None and said is not None and said.dimension == _SHARE
    if not (share or found.hedge or value.as_tuple().exponent or quantity.value.as_tuple().exponent):
        return None  # two different whole numbers, as most pairs are
    if not share and _are_far(value, float(quantity.value)):
        return None
    whole = Fraction(quantity.value)
    if share and said is not None and abs(whole) <= 1:
        return _rounded(found, value, whole / said.factor, True)
    return _rounded(found, value, whole, False)


def _are_far(said: Decimal, meant: float) -> bool:
    """Return whether a number cannot round another one, which floats tell faster than fractions do."""
    exponent = said.as_tuple().exponent
    if not isinstance(exponent, int) or abs(exponent) > _MOST_DIGITS:
        return False
    return abs(float(said) - meant) > 2 * (abs(meant) / _HEDGED + 10.0**exponent)


def _rounded(found: FoundNumber, value: Decimal, meant: Fraction, converted: bool) -> float | None:
    """Return the distance of a written value from a quantity: rounded to any digits, or cut."""
    exponent = value.as_tuple().exponent
    if not isinstance(exponent, int) or abs(exponent) > _MOST_DIGITS:
        return None
    said = Fraction(value)
    if said == meant:
        return CONVERTED
    if not value or said * meant < 0:
        return None
    near = not found.hedge and _is_near(value, said, meant, exponent, converted)
    if not near and not _is_roughly(found.hedge, said, meant, exponent, converted):
        return None
    return CONVERTED if converted and abs(said - meant) * _CLOSE_ENOUGH <= abs(meant) else ROUNDED


def _is_near(value: Decimal, said: Fraction, meant: Fraction, exponent: int, converted: bool) -> bool:
    """Return whether a written value is another one rounded to its last digit, or cut."""
    if not exponent and meant.denominator == 1 and not converted:
        return False  # two different whole numbers
    error, step = abs(said - meant), Fraction(10) ** exponent
    several = exponent <= 0 or len(value.as_tuple().digits) > 1 or error * _ROUGH <= abs(meant)
    may_be_cut = exponent < 0 or (not exponent and abs(said) >= _LEAST_CUT)
    return (2 * error <= step and several) or (may_be_cut and 0 <= abs(meant) - abs(said) < step)


def _is_roughly(hedge: str | None, said: Fraction, meant: Fraction, exponent: int, converted: bool) -> bool:
    """Return whether a number with a hedge, or in another unit, is near enough to the exact one."""
    error = abs(said - meant)
    if not (hedge or converted) or error * (_HEDGED if hedge else _UNHEDGED) > abs(meant):
        return False
    if hedge and not exponent:  # the zeros at the end of a whole number may stand for what was rounded
        while said.numerator % 10 ** (exponent + 1) == 0:
            exponent += 1
    step = Fraction(10) ** exponent
    # "Over 1,200" for 1,299; and 69.7 days are "69 days" to most writers.
    cut = (converted or hedge in _OVER) and said <= meant < said + step
    return cut or 2 * error <= step
