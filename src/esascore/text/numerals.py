"""Numbers in words: "three", "twenty-one", "a hundred and five", "eleventh", "two and a half", "a pair"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

SMALL_NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
"""The names of the numbers below twenty, from zero on."""
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
SMALL_ORDINALS = (
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth",
    "nineteenth",
)  # fmt: skip
_TENS_ORDINALS = tuple(word.replace("y", "ieth") for word in _TENS)
SCALES: Mapping[str, int] = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
"""The words that multiply all that stands before them."""
_BELOW_100 = {
    **{word: number for words in (SMALL_NUMBERS, SMALL_ORDINALS) for number, word in enumerate(words)},
    **{word: 10 * number for words in (_TENS, _TENS_ORDINALS) for number, word in enumerate(words, start=2)},
}
_FACTORS = {"hundred": 100, "hundredth": 100, "dozen": 12, **SCALES}
_FACTORS |= {f"{word}th": factor for word, factor in SCALES.items()}
_INNER = frozenset({"hundred", "hundredth", "dozen"})  # multiply only the group before them
_ARTICLES = frozenset({"a", "half a", "half"})
_ORDINALS = frozenset((*SMALL_ORDINALS, *_TENS_ORDINALS, "hundredth", *(word + "th" for word in SCALES)))


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in words: its span, its value, and whether it is an ordinal ("third")."""

    start: int
    end: int
    value: int | Decimal
    ordinal: bool


def has_number_words(lowered: str) -> bool:
    """Return whether a lower-cased text has a word that may be a number or a part of one.

    Examples
    --------
    >>> has_number_words("two of them"), has_number_words("half of them"), has_number_words("all of them")
    (True, True, False)
    """
    words = _letters(lowered)
    return not (NUMBER_WORDS.isdisjoint(words) and _PART_WORDS.isdisjoint(words))


def find_numerals(lowered: str) -> list[Numeral]:
    """Find the numbers in words of a lower-cased text, in text order.

    Examples
    --------
    >>> [n.value for n in find_numerals("a hundred and five tails, twenty-one legs and its eleventh eye")]
    [105, 21, 11]
    """
    if NUMBER_WORDS.isdisjoint(_letters(lowered)):
        return []
    return [number for run in _RUN.finditer(lowered) for number in _numerals(run)]


def find_parts(lowered: str) -> list[Numeral]:
    """Find fractions, decimals and pairs in words, in text order: what a number word is only a part of.

    "Half" and "a third" are numbers only before "of", an article or a hyphen: not in "the first half".

    Examples
    --------
    >>> [str(n.value) for n in find_parts("half a cup, two and a half cups, three quarters of it, a pair")]
    ['0.5', '2.5', '0.75', '2']
    >>> find_parts("in the second half and the third quarter")
    []
    """
    if _PART_WORDS.isdisjoint(_letters(lowered)):
        return []
    return [Numeral(*found.span(), _part(found), False) for found in _PART.finditer(lowered)]


@lru_cache(maxsize=16)
def _letters(lowered: str) -> list[str]:
    """Return the runs of small ASCII letters."""
    return lowered.encode("ascii", "replace").translate(_LETTERS).decode().split()


def _part(found: re.Match[str]) -> Decimal:
    if found["few"]:
        return Decimal(3 if found["few"] == "thrice" else 2)
    if found["point"]:
        first = found["before"]
        whole = first if first.isdecimal() else str(find_numerals(first)[0].value)
        return Decimal(whole + "." + "".join(str(_BELOW_100[word]) for word in _SPLIT.split(found["point"])))
    if found["half"]:
        return Decimal("0.5")
    under = _PARTS[(found["mixed"] or found["parts"]).removesuffix("s")]
    if found["mixed"]:
        first = found["whole"]
        return Decimal(first if first.isdecimal() else _BELOW_100[first]) + decimal_of(Fraction(1, under))
    return decimal_of(Fraction(_BELOW_100.get(found["over"], 1), under))


def decimal_of(share: Fraction) -> Decimal:
    """Return a fraction as a decimal, thirds and the like to as many digits as people would give them.

    Examples
    --------
    >>> decimal_of(Fraction(1, 8)), decimal_of(Fraction(2, 3))
    (Decimal('0.125'), Decimal('0.67'))
    """
    value = Decimal(share.numerator) / share.denominator
    return value if 1000 % share.denominator == 0 else round(value, 2)


def _numerals(run: re.Match[str]) -> list[Numeral]:
    """Cut a run of number words into numbers; "nineteen ninety" is two."""
    readings: list[_Reading] = []
    for word in _WORD.finditer(run.string, *run.span()):
        if not readings or not readings[-1].takes(word[0]):
            readings.append(_Reading(word.start()))
        readings[-1].add(word)
    return [reading.numeral() for reading in readings]


class _Reading:
    """One number as far as it has been read."""

    def __init__(self, start: int) -> None:
        self.start = self.end = start
        self.total = 0  # whole thousands, millions, ...
        self.group = 0  # below a thousand
        self.scale = 10**15  # the last of thousand, million, ...; the next must be smaller
        self.open = 0  # the next word below a hundred must be smaller than this; 0 after an ordinal
        self.ordinal = self.half = False

    def takes(self, word: str) -> bool:
        if self.ordinal:
            return False
        if word in _INNER:
            return 0 < self.group < 100
        if word in _FACTORS:
            return self.group > 0 and _FACTORS[word] < self.scale
        return word not in _ARTICLES and 0 < _BELOW_100.get(word, 0) < self.open

    def add(self, word: re.Match[str]) -> None:
        text = word[0]
        self.end = word.end()
        self.ordinal = text in _ORDINALS
        if text in _ARTICLES:
            self.group, self.open = 1, 0
            self.half = text.startswith("half")
        elif text in _INNER:
            self.group = max(self.group, 1) * _FACTORS[text]
            self.open = _FACTORS[text] if text != "dozen" else 0
        elif text in _FACTORS:
            self.scale = _FACTORS[text]
            self.total += max(self.group, 1) * self.scale
            self.group, self.open = 0, 1000
        else:
            number = _BELOW_100[text]
            self.group += number
            self.open = 10 if number >= 20 and number % 10 == 0 else 0

    def numeral(self) -> Numeral:
        value = (self.total + self.group) // (2 if self.half else 1)
        return Numeral(self.start, self.end, value, self.ordinal)


_ANY_WORD = "|".join(sorted((*_BELOW_100, *_FACTORS), key=lambda word: (-len(word), word)))
_WORD = re.compile(
    r"(?:(?:half(?:\sa)?(?=\s(?:thousand|million|billion|trillion)\b)|a(?=\s(?:hundred|thousand|[mbtr]+illion|dozen)\b))"
    rf"|{_ANY_WORD})(?![^\W_])"
)
_RUN = re.compile(rf"\b{_WORD.pattern}(?:(?:\s?-\s?|\s(?:and\s)?){_WORD.pattern})*")
# Spaces for all but small letters.
_LETTERS = bytes(code if chr(code).islower() and code < 128 else ord(" ") for code in range(256))
NUMBER_WORDS = frozenset((*_BELOW_100, *_FACTORS))
_PARTS = {
    "half": 2, "halve": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10,
}  # fmt: skip
_DIGIT = "|".join(SMALL_NUMBERS[:10])
_SPLIT = re.compile(r"[\s-]")
_PART = re.compile(
    rf"\b(?:(?P<before>(?:{_ANY_WORD})(?:[\s-](?:and\s)?(?:{_ANY_WORD}))*|[0-9]+)\spoint\s(?P<point>(?:{_DIGIT})(?:[\s-](?:{_DIGIT}))*)"
    rf"|(?P<whole>{'|'.join(SMALL_NUMBERS)}|[0-9]+)\sand\s(?:a|an|one)[\s-](?P<mixed>half|quarter|third|eighth)"
    r"|(?:an?\s)?(?<!first\s)(?<!second\s)(?<!other\s)(?<!last\s)(?P<half>half)(?=\san?\s|\sof\b|-)(?:\san?(?=\s))?"
    rf"|(?:an?|(?P<over>{'|'.join(SMALL_NUMBERS[1:10])}))[\s-](?P<parts>half|halves|(?:third|quarter|fifth|sixth|eighth|tenth)s?)(?=\sof\b)"
    r"|(?P<few>an?\s(?:pair|couple)|twice|thrice))(?![^\W_])"
)
_PART_WORDS = frozenset(
    (*_PARTS, *(word + "s" for word in _PARTS), "point", "pair", "couple", "twice", "thrice")
)
