"""How numbers are written in figures: the scan, and the values that a written form can have."""

from __future__ import annotations

import re
from decimal import Context, Decimal
from functools import lru_cache

from esascore.text.numerals import SCALES

ROOMY = Context(prec=200)
"""Arithmetic that no number of `_LONGEST` figures overflows, whatever the caller's own context is."""

_EXPONENT = (
    r"(?:\s?e[+-]?[0-9]{1,3}(?![0-9])"
    r"|\s?[x×*·]\s?10\s?(?:(?:\^|\*\*)\s?[-−–+]?\s?[0-9]{1,3}(?![0-9])|[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))"
)
_SCALE = rf"(?:[\s-]?(?:hundred|{'|'.join(SCALES)})s?(?![^\W_]))"
_TAIL = rf"(?:(?P<exponent>{_EXPONENT})|(?P<scale>{_SCALE}))?"

# It begins with a set of characters because that is what the engine can skip to without trying. A number
# starts where no letter, digit or code stands before it: not in RS-3, 18L/36R, 3:30.
FIGURES = re.compile(
    rf"[0-9](?<![^\W_].)(?:(?<![^\W_][-/:].)|(?<=(?:utc|gmt)-.))(?<![0-9][.,].)(?P<figures>[0-9]*(?:[.,][0-9]+)*){_TAIL}"
)
"""Figures with what multiplies them."""
LOOSE = re.compile(
    r"(?P<figures>[0-9]{1,3}(?:\s?,\s?[0-9]{3})+(?:\s?\.\s?[0-9]+)?|[0-9]{1,3}(?:[\s'’][0-9]{3})+(?:[.,][0-9]+)?"
    rf"|[0-9]+\s?[.,]\s?[0-9]+)(?![0-9]|[.,][0-9]){_TAIL}"
)
"""The same, pulled apart by a tokeniser: "1 . 524", "$10, 264, 000", "135000000. 0", "12 500"."""
CLOCK = re.compile(r":(?P<first>[0-5][0-9])(?::(?P<second>[0-5][0-9]))?(?![0-9:])")
"""What follows the hours or minutes of "1:30" and "1:30:05"."""
FEET_AND_INCHES = re.compile(r"\s?['’′]\s?(?P<inches>[0-9]{1,2}(?:\.[0-9]+)?)\s?(?:\"|″|”|''|’’|′′)")
"""What follows the feet of 6'3\"."""
ORDINAL_ENDING = "(?:st|nd|rd|th)"
ORDINAL = re.compile(rf"{ORDINAL_ENDING}(?![^\W_])")
CODE_AFTER = re.compile(r"[-–/:.,]?[0-9]|[-–][^\W\d_]{1,2}(?![^\W_])|/[^\W\d_]|[^\W_]")
"""What shows, after a number, that it is a part of a code."""

FRACTION_SIGNS = "¼½¾⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
FRACTION = re.compile(
    r"(?<![^\W_])(?<![0-9][./,:-])(?<![/.])(?:(?P<whole>[0-9]{1,4})(?:[\s-](?=[0-9])|\s?(?=[^0-9\s])))?"
    r"(?:(?P<over>[0-9]{1,2})/(?P<under>2|3|4|6|8|16|32)(?![^\W_]|[/:]|[.,][0-9])"
    rf"|(?P<sign>[{FRACTION_SIGNS}]))"
)
"""A fraction or mixed number: 1/2, 2 1/2, ½, 2½."""
_TIMES = re.compile(r"(?<=[0-9])x(?=[0-9])")
_RANGE = re.compile(
    r"(?<![^\W_])(?<![0-9][-–/:.,])([$£€]?[0-9]+(?:[.,][0-9]+)*)[-–—](?=[$£€]?[0-9]+(?:[.,][0-9]+)*(?!\w*[-–—/:][0-9]))"
)
_DASH = re.compile("[0-9][-–—]")
_CHOICE = re.compile(  # 128/256 GB, and 4/5 as people rate
    r"(?<![^\W_])(?<![./])([0-9]+(?:\.[0-9]+)?)/(?=[0-9]+\s?[a-z]{1,3}(?![^\W_])|(?:5|10|100)(?![^\W_]|[/.,][0-9]))"
)
_COMMA = re.compile(r"(?<![0-9.,/])[0-9]+(?:[.\s][0-9]{3})*,(?:[0-9]{1,2}|[0-9]{4,})(?![0-9,]|\.[0-9])")
_GAPS = re.compile(r"[\s'’]+")
_SUPERSCRIPTS = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹−–", "+-0123456789--")
_LONGEST = 40
_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}")
_POINTED = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+")


def opened(lowered: str) -> str:
    """Put a bar between the numbers of ranges and a times sign into dimensions, so that they are no codes.

    Examples
    --------
    >>> opened("4-6 hours, 120x60x75 cm, 2017-02-03, rs-3")
    '4|6 hours, 120×60×75 cm, 2017-02-03, rs-3'
    """
    crossed = _TIMES.sub("×", lowered)
    chosen = _CHOICE.sub(r"\1|", crossed) if "/" in crossed else crossed
    return _RANGE.sub(r"\1|", chosen) if _DASH.search(chosen) else chosen


def has_decimal_comma(text: str) -> bool:
    """Return whether a text writes a decimal comma, so that its points and commas may be read both ways.

    Examples
    --------
    >>> [has_decimal_comma(text) for text in ("1.234,56", "9,50 euros", "3,500", "1,2,3", "1,234.5")]
    [True, True, False, False, False]
    """
    return "," in text and _COMMA.search(text) is not None


@lru_cache(maxsize=1 << 14)
def readings(figures: str, exponent: str | None = None, scale: str | None = None) -> tuple[Decimal, ...]:
    """Return the values that written figures can have, the likeliest first; none for what is not a number.

    Examples
    --------
    >>> readings("1,299"), readings("2.5", scale=" million"), readings("0004319")
    ((Decimal('1299'), Decimal('1.299')), (Decimal('2.5E+6'),), ())
    """
    power = _power(exponent) if exponent else _power_of_scale(scale) if scale else 0
    values = _values(_GAPS.sub("", figures))
    return tuple(value.scaleb(power, ROOMY) for value in values) if power else values


def _values(figures: str) -> tuple[Decimal, ...]:
    if len(figures) > _LONGEST or (figures[0] == "0" and figures[1:2].isdigit()):
        return ()
    whole, point, decimals = figures.rpartition(".")
    if not point:
        if "," not in figures:
            return (Decimal(figures),)
        commas = figures.count(",")
        if not _GROUPED.fullmatch(figures):
            return (Decimal(figures.replace(",", ".")),) if commas == 1 else ()
        grouped = Decimal(figures.replace(",", ""))
        return (grouped,) if commas > 1 else (grouped, Decimal(figures.replace(",", ".")))
    if "," in decimals:  # 1.234,5
        whole, _, decimals = figures.partition(",")
        if "," in decimals or not _POINTED.fullmatch(whole):
            return ()
        return (Decimal(whole.replace(".", "") + "." + decimals),)
    if "." in whole:
        return (Decimal(figures.replace(".", "")),) if _POINTED.fullmatch(figures) else ()
    if "," in whole:
        return (Decimal(whole.replace(",", "") + "." + decimals),) if _GROUPED.fullmatch(whole) else ()
    value = Decimal(figures if whole else "0" + figures)
    return (value, Decimal(whole + decimals)) if whole != "0" and _POINTED.fullmatch(figures) else (value,)


def _power(exponent: str) -> int:
    plain = "".join(exponent.translate(_SUPERSCRIPTS).split())
    return int(plain.partition("e" if "e" in plain else "10")[2].lstrip("^*"))


def _power_of_scale(scale: str) -> int:
    word = scale.strip().strip("-").removesuffix("s")
    return 2 if word == "hundred" else len(str(SCALES[word])) - 1
