"""Numbers and quantities: what the input means by one, how texts write them, and when the two agree.

Never by resemblance: 1,299 is not 1,298. A number agrees with one of the input if it has the same value, is
that value in another unit, or is that value rounded as people round (see `number_distance`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from esascore.detectors.base import mention
from esascore.detectors.date_patterns import (
    Grammar,
    date_around,
    day_of_month,
    grammar,
    names_month,
)
from esascore.detectors.dates import calls_a_date, entity_date
from esascore.detectors.number_patterns import (
    CLOCK,
    CODE_AFTER,
    FEET_AND_INCHES,
    FIGURES,
    LOOSE,
    ORDINAL,
    ROOMY,
    TERM,
    readings,
)
from esascore.detectors.units import (
    Unit,
    currency_before,
    match_unit,
    unit_named,
    unit_of_property,
)
from esascore.lexicon.label import label
from esascore.model import Entity, Mention
from esascore.text.document import Document
from esascore.text.normalize import lowered_in_place
from esascore.text.numerals import find_numerals

EXACT = 0.0
CONVERTED = 0.05
OTHER_READING = 0.05
ROUNDED = 0.1
OTHER_UNIT = 0.1
BY_ORDINAL = 0.15
WRONG_UNIT = 0.2


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of the input; ``in_term`` says whether the term itself names the unit."""

    value: Decimal
    unit: Unit | None = None
    in_term: bool = False


@dataclass(frozen=True, slots=True)
class FoundNumber:
    """A number in a text.

    ``start`` and ``end`` are the number with its sign and "million"; ``outer_start`` and ``outer_end`` are
    the same with the currency sign and the unit. ``values`` are its possible readings, the likeliest
    first ("1.533" may be 1533); as decimals they keep how exactly the text writes them. ``hedge`` is the
    word that makes it inexact ("about", "over", "almost"), if any.
    """

    start: int
    end: int
    values: tuple[Decimal, ...]
    unit: Unit | None
    outer_start: int
    outer_end: int
    hedge: str | None = None
    ordinal: bool = False


def find_numbers(text: str) -> list[FoundNumber]:
    """Find the numbers of a text, in figures and in words, in text order.

    Numbers that are part of a date, a time span written as one code or an identifier (``18L/36R``, ``RS-3``,
    ``0004319``) are left out; a year alone is a number too. Where a tokeniser may have split a number
    ("1 . 524", "10, 264") both the whole and its parts are given.

    Examples
    --------
    >>> text = "It cost about $2.5 million and is 1,299 metres long."
    >>> [(text[n.start:n.end], n.values[0], n.unit.name, n.hedge) for n in find_numbers(text)]
    [('2.5 million', Decimal('2.5E+6'), 'dollar', 'about'), ('1,299', Decimal('1299'), 'metre', None)]
    """
    return _numbers(lowered_in_place(text), True)


def _numbers(lowered: str, words: bool) -> list[FoundNumber]:
    found: list[FoundNumber] = []
    in_order = True
    rules = grammar(("en",))
    has_month: bool | None = None
    end = 0
    for match in FIGURES.finditer(lowered):
        start = match.start()
        if start < end:
            continue
        size = match.end() - start
        if size in _SIZES_IN_DATES:
            if has_month is None:
                has_month = names_month(rules, lowered)
            if (has_month or size == 4) and (date := date_around(rules, lowered, start, has_month)):
                end = date[1]
                continue
        after = match.end("figures")
        if _A_DIGIT.search(lowered, after, after + 4):
            loose = LOOSE.match(lowered, start)
            if loose is not None and loose.end("figures") > after:
                found += _in_figures(lowered, loose)
                in_order = False
        numbers = _in_figures(lowered, match)
        if numbers:
            found += numbers
            end = numbers[-1].outer_end
    if words and (in_words := _in_words(lowered, found, rules)):
        found += in_words
        in_order = False
    if len(found) > 1:
        if not in_order:
            found.sort(key=lambda number: (number.start, number.end))
        found = _with_compounds(lowered, found)
    return found


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
    return _quantity(entity.term, entity.object_of)


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


@dataclass(frozen=True, slots=True)
class NumberDetector:
    """Proposes a mention for every number of a text that agrees with one of the input.

    The span is the number with its sign and "million"; the unit belongs to it where the term of the input
    names one, where it is glued to the number, and where the number is in another unit than the input's.

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
        of_input: dict[int, _Wanted] = {}  # several systems' texts share one input
        proposals = []
        for document in documents:
            wanted = of_input.get(id(document.input))
            if wanted is None:
                wanted = of_input[id(document.input)] = _wanted(document.input.entities)
            proposals.append(_mentions(document.text, wanted) if wanted.quantities else [])
        return proposals


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The quantities of an input by term, and whether a text may write one of them in words."""

    quantities: tuple[tuple[str, Quantity], ...]
    spoken: bool


@lru_cache(maxsize=1 << 16)
def _quantity(term: str, properties: tuple[str, ...]) -> Quantity | None:
    if not _A_DIGIT.search(term):
        return None
    written = label(term)
    lowered = lowered_in_place(written)
    match = TERM.fullmatch(lowered)
    if match is None or calls_a_date(properties):
        return None
    # Figures alone may be a year to the one and a number to the other; what else is a date is not a number.
    if not lowered.isdigit() and entity_date(Entity(term, (), properties)) is not None:
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
    units = (unit_of_property(name) for name in properties)
    return Quantity(value, next((unit for unit in units if unit is not None), None))


def _wanted(entities: Sequence[Entity]) -> _Wanted:
    quantities = tuple(
        (entity.term, quantity)
        for entity in entities
        if _A_DIGIT.search(entity.term) and (quantity := _quantity(entity.term, entity.object_of)) is not None
    )
    return _Wanted(quantities, any(_is_spoken(quantity.value) for _, quantity in quantities))


@lru_cache(maxsize=1 << 12)
def _is_spoken(value: Decimal) -> bool:
    _, digits, exponent = value.normalize(ROOMY).as_tuple()
    return isinstance(exponent, int) and exponent >= 0 and len(digits) <= _SPOKEN


def _mentions(text: str, wanted: _Wanted) -> list[Mention]:
    mentions = []
    for found in _numbers(lowered_in_place(text), wanted.spoken):
        for term, quantity in wanted.quantities:
            distance = number_distance(found, quantity)
            if distance is not None:
                start, end = _span(text, found, quantity)
                mentions.append(mention(text, start, end, term, "number", distance))
    return mentions


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


_SPOKEN = 3  # whole numbers of more significant figures are hardly ever written in words
_SIZES_IN_DATES = frozenset({1, 2, 4})  # how many figures a day, month or year has
_A_DIGIT = re.compile(r"[0-9]")
_SIGN = re.compile(
    r"(?:(?<![^\W_])(?:minus|negative)\s|(?:&\s?)?minus\s?;\s?|(?:(?<=utc)|(?<=gmt)|(?<![^\W_])(?<![0-9]\s))[-–+]|−\s?)$"
)
_PRIMES = frozenset("'’′")
_SIGNS = frozenset("-–+−;")
_SPACED_SIGNS = ("minus ", "negative ", "− ", "; ")
_SPACED_SIGN = re.compile(r"(?<![0-9])(?:^|\s)[-–] $")
_BELOW = re.compile(r"\s?\)?\s(?:below|beneath|under)(?![^\W_])")
_HEDGES = (
    "about", "around", "approximately", "approx", "approx.", "roughly", "circa", "ca.", "c.", "some",
    "nearly", "almost", "close to", "over", "more than", "above", "at least", "just over", "just under",
    "under", "less than", "up to", "estimated", "~", "≈",
)  # fmt: skip
_HEDGE = re.compile(
    rf"(?<![^\W_])({'|'.join(sorted(map(re.escape, _HEDGES), key=lambda hedge: (-len(hedge), hedge)))})$"
)
_HEDGE_ENDS = frozenset(hedge[-1] for hedge in _HEDGES)
_OVER = frozenset({"over", "more than", "above", "at least", "just over"})
_TO_UNIT = re.compile(r"(?:\s?-?\s?|[\"”'’]{1,2}\s?(?=\())(?P<open>\(\s?)?")
_CLOSE = re.compile(r"\s?\)")
_SHORT_SCALE = re.compile(r"\s?(?:(?P<million>m|mn|mio)|(?P<billion>bn|b)|k)(?![^\W_])\s?")
_JOIN = re.compile(r"\.?\s?(?:,\s?)?(?:and\s)?")


def _in_figures(lowered: str, match: re.Match[str]) -> list[FoundNumber]:
    """Read the number that is written in figures at a match; none where it is part of a code."""
    start, end = match.start(), match.end()
    figures = lowered[start : match.end("figures")]
    if start and lowered[start - 1] == "." and (start == 1 or lowered[start - 2].isspace()):
        start, figures = start - 1, "." + figures  # .88
    values = readings(figures, match["exponent"], match["scale"])
    if not values:
        return []
    following = lowered[end : end + 1]
    if following == ":":
        clock = CLOCK.match(lowered, end)
        return [] if clock is None or not figures.isdigit() else _on_clock(lowered, start, values[0], clock)
    if following in _PRIMES and (inches := FEET_AND_INCHES.match(lowered, end)):
        total = ROOMY.add(ROOMY.multiply(values[0], Decimal(12)), Decimal(inches["inches"]))
        return [_completed(lowered, start, inches.end(), (total,), unit_named("inch"))]
    if following.isalpha() and (ordinal := ORDINAL.match(lowered, end)):
        return [FoundNumber(start, ordinal.end(), values[:1], None, start, ordinal.end(), None, True)]
    number = _completed(lowered, start, end, values)
    if number.outer_end == end and CODE_AFTER.match(lowered, end):
        return []
    spaced = start > 1 and lowered[start - 2] in "-–" and lowered[start - 1] == " "
    if not spaced or not _SPACED_SIGN.search(lowered, max(0, start - 4), start):
        return [number]
    # "- 7" is minus seven in tokenised text and a seven after a dash elsewhere.
    negative = tuple(value.copy_negate() for value in number.values)
    return [replace(number, start=start - 2, outer_start=start - 2, values=negative), number]


def _on_clock(lowered: str, start: int, first: Decimal, clock: re.Match[str]) -> list[FoundNumber]:
    """Read "1:30" as hours and minutes and as minutes and seconds, "1:30:05" as all three."""
    total = int(first) * 60 + int(clock["first"])
    names = ("minute", "second")
    if clock["second"]:
        total = total * 60 + int(clock["second"])
        names = ("second", "second")
    units = dict.fromkeys(unit_named(name) for name in names)
    return [_completed(lowered, start, clock.end(), (Decimal(total),), unit) for unit in units]


def _in_words(lowered: str, found: Sequence[FoundNumber], rules: Grammar) -> list[FoundNumber]:
    taken = [(number.start, number.outer_end) for number in found]
    numbers = []
    for numeral in find_numerals(lowered):
        start, end, values = numeral.start, numeral.end, (Decimal(numeral.value),)
        if any(start < last and first < end for first, last in taken):
            continue
        if numeral.ordinal and day_of_month(rules, lowered, end):
            continue
        if numeral.ordinal:
            numbers.append(FoundNumber(start, end, values, None, start, end, None, True))
        else:
            numbers.append(_completed(lowered, start, end, values))
    return numbers


def _completed(
    lowered: str, start: int, end: int, values: tuple[Decimal, ...], unit: Unit | None = None
) -> FoundNumber:
    """Add to a number what stands around it: unit, currency, sign, hedge."""
    outer_start, outer_end = start, end
    if unit is None:
        currency = currency_before(lowered, start)
        if currency is not None:
            outer_start, unit = currency
        power, end, outer_end, following = _unit_after(lowered, end, unit is not None)
        if power:
            values = tuple(value.scaleb(power, ROOMY) for value in values)
        unit = following or unit
    before = lowered[start - 1 : start]
    if outer_start == start:
        signed = before in _SIGNS or (before == " " and lowered.endswith(_SPACED_SIGNS, 0, start))
        if signed and (sign := _SIGN.search(lowered, max(0, start - 9), start)):
            start = outer_start = sign.start()
            if "+" not in sign[0]:
                values = tuple(value.copy_negate() for value in values)
        elif before in ("~", "≈"):
            start = outer_start = start - 1
        elif _BELOW.match(lowered, outer_end):
            values = (*values, *(value.copy_negate() for value in values))
    return FoundNumber(start, end, values, unit, outer_start, outer_end, _hedge(lowered, outer_start))


def _hedge(lowered: str, start: int) -> str | None:
    """Return the word before a number that makes it inexact."""
    if lowered[start] in "~≈":
        return lowered[start]
    last = lowered[max(0, start - 15) : start].rstrip()
    if last[-1:] not in _HEDGE_ENDS:
        return None
    hedge = _HEDGE.search(last)
    return None if hedge is None else hedge[1]


def _unit_after(lowered: str, end: int, is_money: bool) -> tuple[int, int, int, Unit | None]:
    """Return a power of ten after a number ("120m dollars"), its ends without and with unit, and the unit."""
    if end == len(lowered):
        return 0, end, end, None
    short = _SHORT_SCALE.match(lowered, end)
    if short is not None:
        currency = match_unit(lowered, short.end())
        named = currency is not None and currency[1].dimension.startswith("money")
        if is_money or named:
            power = 6 if short["million"] else 9 if short["billion"] else 3
            scaled = end + len(short[0].rstrip())
            return (power, scaled, *currency) if named and currency else (power, scaled, scaled, None)
    gap = _TO_UNIT.match(lowered, end)
    found = match_unit(lowered, end if gap is None else gap.end())
    if found is None:
        return 0, end, end, None
    unit_end, unit = found
    unit_end -= lowered[unit_end - 1] == "."  # "4000 ft." may end a sentence
    if gap is not None and gap["open"]:
        close = _CLOSE.match(lowered, unit_end)
        return (0, end, end, None) if close is None else (0, end, close.end(), unit)
    glued = gap is None or not gap[0]
    decade = lowered[end:unit_end] == "s" and lowered[end - 1] == "0"
    if glued and (decade or CODE_AFTER.match(lowered, unit_end)):
        return 0, end, end, None
    return 0, end, unit_end, unit


def _with_compounds(lowered: str, found: list[FoundNumber]) -> list[FoundNumber]:
    """Add the quantities that are given in two units: "6 feet 3 inches", "1 hour and 30 minutes"."""
    compounds = []
    for large, small in pairwise(found):
        if large.unit is None or small.unit is None or small.start - large.outer_end > 6:
            continue
        joined = _JOIN.fullmatch(lowered, large.outer_end, small.start)
        if joined is None or large.unit.dimension != small.unit.dimension:
            continue
        ratio = large.unit.factor / small.unit.factor
        if ratio <= 1 or ratio.denominator != 1:
            continue
        value = ROOMY.add(ROOMY.multiply(large.values[0], Decimal(ratio.numerator)), small.values[0])
        span = (large.start, small.outer_end)
        compounds.append(FoundNumber(*span, (value,), small.unit, *span, large.hedge))
    return sorted(found + compounds, key=lambda n: (n.start, n.end)) if compounds else found


def _distance(found: FoundNumber, value: Decimal, quantity: Quantity) -> float | None:
    if found.ordinal:
        return BY_ORDINAL if value == quantity.value else None
    said, meant = found.unit, quantity.unit
    if said is None or meant is None or said.same_size(meant):
        if value == quantity.value:
            return EXACT
        size = float(quantity.value)
        if abs(float(value) - size) > _FAR * abs(size):  # most pairs; spares them the fractions
            return None
        return _rounding(found, value, Fraction(quantity.value), False)
    if said.dimension != meant.dimension:
        return OTHER_UNIT if value == quantity.value else None
    converted = _rounding(found, value, meant.converted(Fraction(quantity.value), said), True)
    return WRONG_UNIT if converted is None and value == quantity.value else converted


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


_FAR = 0.2
_UNHEDGED, _HEDGED, _CLOSE_ENOUGH = 33, 10, 200  # errors of 3 %, 10 % and 0.5 %
