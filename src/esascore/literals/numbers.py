"""Numbers in a text, with their units: in figures and in words, as signs, hedges and units make them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple
from unicodedata import numeric

from esascore.literals.clock import find_times
from esascore.literals.date_patterns import Grammar, date_around, day_of_month, grammar, names_month
from esascore.literals.number_patterns import (
    CLOCK,
    CODE_AFTER,
    FEET_AND_INCHES,
    FIGURES,
    FRACTION,
    FRACTION_SIGNS,
    LOOSE,
    ORDINAL,
    ROOMY,
    has_decimal_comma,
    opened,
    readings,
)
from esascore.literals.units import Unit, currency_before, match_unit, unit_named
from esascore.text.normalize import lowered_in_place
from esascore.text.numerals import decimal_of, find_numerals, find_parts, has_number_words


class FoundNumber(NamedTuple):  # made for every number of every text
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


def find_numbers(text: str, *, comma: bool = False, words: bool = True) -> list[FoundNumber]:
    """Find the numbers of a text, in figures and in words, in text order.

    Numbers that are part of a date, a time span written as one code or an identifier (``18L/36R``, ``RS-3``,
    ``0004319``) are left out; a year alone is a number too. Where a tokeniser may have split a number
    ("1 . 524", "10, 264") both the whole and its parts are given.

    Parameters
    ----------
    text
        Any text, also tokenised or lower-cased.
    comma
        The input has a decimal comma, so that the text may write one, too; a text that shows one does so
        anyway. Otherwise an ambiguous number ("3,500") has only its English reading.
    words
        Whether numbers in words are found, which are English.

    Examples
    --------
    >>> text = "It cost about $2.5 million and is 1,299 metres long."
    >>> [(text[n.start:n.end], n.values[0], n.unit.name, n.hedge) for n in find_numbers(text)]
    [('2.5 million', Decimal('2.5E+6'), 'dollar', 'about'), ('1,299', Decimal('1299'), 'metre', None)]
    """
    lowered = lowered_in_place(text)
    if not _A_NUMBER.search(lowered) and not (words and has_number_words(lowered)):  # most names
        return []
    return _meant(opened(lowered), comma or has_decimal_comma(lowered), words)


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


def _meant(lowered: str, comma: bool, words: bool) -> list[FoundNumber]:
    """Find the numbers of a lower-cased text in which ranges and dimensions are opened, as they are meant."""
    parts = _in_parts(lowered) if words else []
    taken = [(part.start, part.end) for part in parts]
    taken += ((time.start, time.end) for time in find_times(lowered) if time.sure)
    found = [
        n for n in _numbers(lowered, words) if not any(n.start < end and at < n.end for at, end in taken)
    ]
    found = sorted((*found, *parts), key=lambda number: (number.start, number.end))
    tokenised = _TOKENISED.search(lowered) is not None
    # "850, 900" are two numbers, unless a tokeniser was at work.
    kept = [n for n in found if tokenised or lowered.count(", ", n.start, n.end) != 1]
    falls = _A_FALL.search(lowered) is not None
    return _with_shared_units(lowered, [_as_meant(lowered, number, comma, falls) for number in kept])


def _as_meant(lowered: str, number: FoundNumber, comma: bool, falls: bool) -> FoundNumber:
    values = number.values
    if len(values) > 1 and values[1] == -values[0]:
        if _BELOW_ZERO.match(lowered, number.outer_end):
            values = values[1:]
    elif len(values) > 1 and not comma and not _may_be_grouped(lowered, number):
        values = values[:1]
    elif falls and values[0] > 0 and _FELL.search(lowered, max(0, (start := number.outer_start) - 24), start):
        values = (*values, -values[0])  # a change of -3 is a fall by 3
    over = number.hedge is None and lowered[number.end : number.end + 1] == "+"  # 50+
    if values is number.values and not over:  # most numbers
        return number
    return number._replace(values=values, hedge="over" if over else number.hedge)


def _may_be_grouped(lowered: str, number: FoundNumber) -> bool:
    """Whether a point may stand between thousands: no price has three decimals, nor has any number 3.800."""
    if number.unit is not None and number.unit.dimension.startswith("money"):
        return True
    return "." in lowered[number.start : number.end] and lowered.endswith("00", number.start, number.end)


def _in_parts(lowered: str) -> list[FoundNumber]:
    """Find fractions in figures and words, and counts such as "a pair"."""
    spans: list[tuple[int, int, Decimal]] = []
    for found in FRACTION.finditer(lowered) if _A_FRACTION.search(lowered) else ():
        share = Fraction(numeric(found["sign"])).limit_denominator(99) if found["sign"] else None
        if share is None:
            share = Fraction(int(found["over"]), int(found["under"]))
        if share < 1:
            spans.append((*found.span(), int(found["whole"] or 0) + decimal_of(share)))
    spans += ((part.start, part.end, Decimal(part.value)) for part in find_parts(lowered))
    numbers = []
    for found in _AND_A_PART.finditer(lowered) if "half" in lowered or "quarter" in lowered else ():
        unit_ = unit_named(found["unit"])
        if unit_ is not None:
            value = Decimal("1.5") if found["part"] == "half" else Decimal("1.25")
            numbers.append(FoundNumber(*found.span(), (value,), unit_, *found.span()))
    for start, end, value in spans:
        number = _completed(lowered, start, end, (value,))
        of = _OF_A.match(lowered, end)
        if number.unit is None and of is not None and (unit := match_unit(lowered, of.end())) is not None:
            number = number._replace(unit=unit[1], outer_end=unit[0])
        numbers.append(number)
        if number.unit is None and value < 1:  # "a quarter of them" are 25 %
            numbers.append(number._replace(values=(value * 100,), unit=unit_named("percent")))
    return numbers


def _with_shared_units(lowered: str, found: list[FoundNumber]) -> list[FoundNumber]:
    """Give the numbers of ranges and dimensions the unit that stands only after the last: "4 to 6 hours"."""
    for at in range(len(found) - 2, -1, -1):
        number, following = found[at], found[at + 1]
        shares = number.unit is None and following.unit is not None and not number.ordinal
        link = _SHARING.fullmatch(lowered, number.end, following.outer_start) if shares else None
        priced = following.outer_start < following.start  # 2 × €9: two of what costs so much
        if link is not None and not (priced and "×" in link[0]):
            found[at] = number._replace(unit=following.unit)
    return found


_SIZES_IN_DATES = frozenset({1, 2, 4})  # how many figures a day, month or year has
_A_DIGIT = re.compile(r"[0-9]")
_A_FRACTION = re.compile(rf"[/{FRACTION_SIGNS}]")
_A_NUMBER = re.compile(rf"[0-9{FRACTION_SIGNS}]")
_SIGN = re.compile(
    r"(?:(?<![^\W_])(?:minus|negative)\s|(?:&\s?)?minus\s?;\s?|(?:(?<=utc)|(?<=gmt)|(?<![^\W_])(?<![0-9]\s))[-–+]|−\s?)$"
)
_PRIMES = frozenset("'’′")
_SIGNS = frozenset("-–+−;")
_SPACED_SIGNS = ("minus ", "negative ", "− ", "; ")
_SPACED_SIGN = re.compile(r"(?<![0-9])(?:^|\s)[-–] $")
_BELOW = re.compile(r"\s?\)?\s(?:below|beneath|under)(?![^\W_])")
_BELOW_ZERO = re.compile(
    r"\s?\)?\s(?:below|beneath|under)(?:\s(?:zero|freezing|0|(?:the\s)?(?:mean\s)?(?:sea|ground|surface))(?![^\W_])|[.,;]|$)"
)
_A_FALL = re.compile("f[ae]ll|drop|declin|decreas|down|los[ets]|shr[aiu]nk|s[aiu]nk")
_FELL = re.compile(
    r"(?<![^\W_])(?:f[ae]ll(?:s|en|ing)?|drop(?:s|ped|ping)?|declin\w+|decreas\w+|down|los[ets]\w*|shr[aiu]nk|s[aiu]nk)"
    r"\s(?:by\s|of\s|about\s|nearly\s|almost\s)*$"
)
_HEDGES = (
    "about", "around", "approximately", "approx", "approx.", "roughly", "circa", "ca.", "c.", "some",
    "nearly", "almost", "close to", "over", "more than", "above", "at least", "just over", "just under",
    "under", "less than", "up to", "estimated", "~", "≈",
)  # fmt: skip
_HEDGE = re.compile(
    rf"(?<![^\W_])({'|'.join(sorted(map(re.escape, _HEDGES), key=lambda hedge: (-len(hedge), hedge)))})$"
)
_HEDGE_ENDS = frozenset(hedge[-1] for hedge in _HEDGES)
_TO_UNIT = re.compile(r"(?:\s?-?\s?|[\"”'’]{1,2}\s?(?=\())(?P<open>\(\s?)?")
_SIGN_AFTER = re.compile(r"\s?[€£¥₹](?!\s?[0-9])")
_INCHES = re.compile(r"(?:\s|\s?-)?in(?=\s?\)|[,;]|\s?$)|[\"″](?![^\W_])")
_CLOSE = re.compile(r"\s?\)")
_SHORT_SCALE = re.compile(r"\s?(?:(?P<million>m|mn|mio)|(?P<billion>bn|b)|k)(?![^\W_])\s?")
_TOKENISED = re.compile(r"\s[,.]\s")
_AND_A_PART = re.compile(
    r"(?<![^\W_])(?:an?|one)\s(?P<unit>[a-z]+)\sand\sa\s(?P<part>half|quarter)(?![^\W_])"
)
_OF_A = re.compile(r"\sof\s(?:an?\s)?")
_SHARING = re.compile(r"\s?(?:[|×x–—-]|(?:to|and|or|by|through)\s)\s?[$£€¥]?")
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
    return [number._replace(start=start - 2, outer_start=start - 2, values=negative), number]


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
        unit = unit or following  # €6,350/m² are euros
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
        if (sign := _SIGN_AFTER.match(lowered, end)) and (money := currency_before(lowered, sign.end())):
            return 0, end, sign.end(), money[1]
        inches = _INCHES.match(lowered, end)
        if inches is None or (inches[0] == '"' and lowered.count('"', 0, end) % 2):
            return 0, end, end, None
        return 0, end, inches.end(), unit_named("inch")
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
