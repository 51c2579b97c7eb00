"""One digit of a number or a date changed, so that another number or a possible date results."""

from __future__ import annotations

import re

DIGITS = "0123456789"

Option = tuple[int, str]
"""A position in a string, and the digit to be put there."""

_LETTERS = re.compile(r"[^\W\d_]{3}")
_NUMBER = re.compile(r"[0-9]+")
_ORDINAL = re.compile(r"([0-9]+)(?:st|nd|rd|th)\b")
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
_LAST_DAY = 28
_LAST_MONTH = 12


def positions(mention: str) -> list[int]:
    """Where the digits of a mention are.

    Examples
    --------
    >>> positions("1,299 m")
    [0, 2, 3, 4]
    """
    return [n for n, character in enumerate(mention) if character in DIGITS]


def options_of_number(mention: str) -> list[Option]:
    """All digits that can replace another; the first one is never 0.

    Examples
    --------
    >>> len(options_of_number("17")), (0, "0") in options_of_number("17"), (1, "0") in options_of_number("17")
    (17, False, True)
    """
    places = positions(mention)
    return [
        (n, digit)
        for n in places
        for digit in DIGITS
        if digit != mention[n] and not (n == places[0] and digit == "0")
    ]


def options_of_date(mention: str) -> list[Option]:
    """Digits that leave a possible date: one of the year's last two, or the last one of a day or month.

    Examples
    --------
    >>> options_of_date("May 1")[:3], len(options_of_date("1937"))
    ([(4, '2'), (4, '3'), (4, '4')], 18)
    """
    # Without the name of a month any of the small numbers may be one.
    latest = _LAST_DAY if _LETTERS.search(mention) else _LAST_MONTH
    found = []
    for match in _NUMBER.finditer(mention):
        number, start, end = match[0], match.start(), match.end()
        is_year = len(number) == 4
        changeable = 2 if is_year else 1 if len(number) <= 2 else 0
        for n in range(end - changeable, end):
            for digit in DIGITS:
                value = int(number[: n - start] + digit + number[n - start + 1 :])
                if digit != mention[n] and (is_year or 1 <= value <= latest):
                    found.append((n, digit))
    return found


def with_digit(mention: str, position: int, digit: str) -> str:
    """Replace a digit by another; ordinals get the ending that fits.

    Examples
    --------
    >>> with_digit("the 21st of May", 5, "8"), with_digit("1,299", 4, "8")
    ('the 28th of May', '1,298')
    """
    return _ORDINAL.sub(_ordinal, mention[:position] + digit + mention[position + 1 :])


def _ordinal(match: re.Match[str]) -> str:
    number = int(match[1])
    is_teen = number % 100 in (11, 12, 13)
    return match[1] + ("th" if is_teen else _ENDINGS.get(number % 10, "th"))
