"""Numbers, dates and times of a text as English writes them, which is how the checks read them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from esascore.languages.language import Language
from esascore.languages.locales import POWERS, LocaleWords, locale_of
from esascore.languages.scripts import with_plain_digits

_SPACES = " \u00a0\u202f\u2009"
_THOUSANDS = "'’٬"
_JOINT = rf"(?:[{_SPACES}]*(?:de|del|di|d['’]|do|da|,)?[{_SPACES}]*)"
_DAY = r"(?<![\d.,/])(?P<day>\d{1,2})(?:\.|er|º|°|ª|-?го|-?е)?"
_MONTH = r"(?P<month>[^\W\d_]{3,}\.?)"
_YEAR = r"(?P<year>\d{4})(?!\d)"
_DATE = re.compile(
    rf"{_DAY}{_JOINT}{_MONTH}(?:{_JOINT}{_YEAR})?|(?<![^\W_]){_MONTH.replace('month', 'alone')}"
    rf"{_JOINT}{_YEAR.replace('year', 'of')}"
)
_NUMERIC = re.compile(
    rf"(?<![\d./-])(\d{{1,2}})([./-])[{_SPACES}]?(\d{{1,2}})\2[{_SPACES}]?(\d{{4}})(?![\d/-])"
)
_CJK = re.compile(r"(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]")
_TIME = re.compile(
    rf"(?<![\d.,:])([01]?\d|2[0-3])(?:[{_SPACES}]?h[{_SPACES}]?([0-5]\d)(?!\d)"
    rf"|\.([0-5]\d)(?=[{_SPACES}](?:uur|uhr|u\.|hod|kl\.|ч\.)))",
    re.IGNORECASE,
)  # fmt: skip
_PERCENT = re.compile(rf"(?<=\d)[{_SPACES}]?[%٪﹪％]")
_LONGEST_UNIT = 40
_TO_UNIT = re.compile(rf"[{_SPACES}](?:d[ei] |d['’])?")
_UNIT_WORD = re.compile(r"[\w°²³/%]+")
_YEAR_BEFORE = re.compile(r"(?<!\d)[12]\d{3}$")


class Piece(NamedTuple):
    """A span of a text and what stands for it."""

    start: int
    end: int
    text: str


def english_figures(text: str, language: Language) -> list[Piece]:
    """Return the English forms of the numbers, dates and times of a text, in text order.

    Examples
    --------
    >>> english_figures("٢٠١٤", Language("ar"))
    [Piece(start=0, end=4, text='2014')]
    """
    words = locale_of(language.code)
    digits = with_plain_digits(text)
    found: list[Piece] = []
    for piece in (*_dates(digits, words), *_times(digits), *_numbers(digits, words)):
        if all(piece.end <= other.start or other.end <= piece.start for other in found):
            found.append(piece)
    return sorted(piece for piece in found if piece.text != text[piece.start : piece.end])


def _dates(text: str, words: LocaleWords) -> Iterator[Piece]:
    for own in _CJK.finditer(text):
        yield Piece(*own.span(), f"{own[1]}-{int(own[2]):02}-{int(own[3]):02}")
    for own in _NUMERIC.finditer(text):
        day, month = (own[1], own[3]) if words.day_first else (own[3], own[1])
        if 1 <= int(month) <= 12 and 1 <= int(day) <= 31:
            yield Piece(*own.span(), f"{own[4]}-{int(month):02}-{int(day):02}")
    for own in _DATE.finditer(text):
        name, year = (own["month"] or own["alone"]).strip("."), own["year"] or own["of"]
        if (year or len(name) > 3) and (month := words.month(name)) is not None:
            parts = [own["day"], month, year]
            end = own.end() if year else own.end("month") - own["month"].endswith(".")
            yield Piece(own.start(), end, " ".join(filter(None, parts)))


def _times(text: str) -> Iterator[Piece]:
    for own in _TIME.finditer(text):
        yield Piece(*own.span(), f"{own[1]}:{own[2] or own[3]}")


def _numbers(text: str, words: LocaleWords) -> Iterator[Piece]:
    for own in _number(words.decimal, words.group).finditer(text):
        whole = "".join(filter(str.isdigit, own["whole"]))
        made = f"{whole}.{own['part']}" if own["part"] else whole
        end = own.end()
        if percent := _PERCENT.match(text, end):
            yield Piece(own.start(), percent.end(), f"{made}%")
            continue
        unit = _unit_after(text, end, words)
        yield Piece(own.start(), *((end, made) if unit is None else (unit[0], f"{made} {unit[1]}")))


@lru_cache(maxsize=64)
def _number(decimal: str, group: str) -> re.Pattern[str]:
    """Return how numbers are written; a space is between thousands where the locale puts one."""
    marks = re.escape(group) + _THOUSANDS + _SPACES[1:] + (" " if group in _SPACES else "")
    points = re.escape(decimal) + "٫" + ("." if group != "." else "")
    whole = rf"\d{{1,3}}(?:[{marks}]\d{{3}})+(?![\d])|\d+"
    return re.compile(rf"(?<![\w.,])(?P<whole>{whole})(?:[{points}](?P<part>\d+))?(?![\d])")


def _unit_after(text: str, end: int, words: LocaleWords) -> tuple[int, str] | None:
    """Return where the longest unit after a number ends, and what English calls it; millions go before."""
    if not words.units or (joint := _TO_UNIT.match(text, end)) is None:
        return None
    start = joint.end()
    rest = text[start : start + _LONGEST_UNIT].lower()
    edges = [own.end() for own in _UNIT_WORD.finditer(rest)][:4]
    for edge in reversed(edges):
        unit = words.units.get(rest[:edge])
        # After a year a letter abbreviates something else, and a word only says that it is a year.
        if unit is not None and not ((edge == 1 or unit == "years") and _YEAR_BEFORE.search(text, 0, end)):
            more = _unit_after(text, start + edge, words) if unit in POWERS else None
            return (start + edge, unit) if more is None else (more[0], f"{unit} {more[1]}")
    return None
