"""How dates are written: one compiled scan per set of languages, and what each written form means.

The scan runs over the lower-cased text and gives the form of each date by the name of its group; reading
the parts out of a matched string is separate, so that it can be cached by string.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from esascore.literals.number_patterns import ORDINAL_ENDING
from esascore.text.normalize import folded
from esascore.text.numerals import find_numerals
from esascore.text.vocabulary import WEEKDAYS, month_numbers

WORDLISTS = ("months",)
"""The word lists that are read here."""

DAY = "(?:0?[1-9]|[12][0-9]|3[01])"
"""The number of a day."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """What a set of languages calls the months, compiled.

    ``anchor`` finds the places in lower-cased text where a date may begin, and ``form`` matches the longest
    date there. ``month_start`` finds what looks like the name of a month, ``month_name`` the month inside a
    date, ``before_number`` the month before a number. ``loose`` finds runs of numbers and month names that
    may be a date in a form which ``form`` does not know; it is None if English is the only language,
    whose forms are all in ``form``.
    """

    months: Mapping[str, int]
    anchor: re.Pattern[str]
    month_start: re.Pattern[str]
    form: re.Pattern[str]
    month_name: re.Pattern[str]
    before_number: re.Pattern[str]
    loose: re.Pattern[str] | None


@lru_cache(maxsize=64)
def grammar(languages: tuple[str, ...]) -> Grammar:
    """Compile the grammar of some languages, given by ISO code; English costs no import of dateparser."""
    months: dict[str, int] = {}
    connectors = {"of"}
    for language in languages:
        if language == "en":
            months.update(month_numbers())
        else:
            names, words = _language_words(language)
            months.update(names)
            connectors |= words
    name = "|".join(sorted(map(re.escape, months), key=lambda word: (-len(word), word))) or r"(?!)"
    foreign = languages != ("en",)
    connector = "|".join(sorted(map(re.escape, connectors)))
    loose = None
    if foreign:
        part = rf"(?:\d{{1,4}}[^\W\d_]?|(?:{name}))"
        loose = re.compile(rf"(?<!\d){part}(?:[\s.,،/-]{{0,3}}(?:(?:{connector})\s)?{part}){{1,6}}")
    return Grammar(
        MappingProxyType(months),
        _anchor(months, "0-9"),
        _anchor(months, ""),
        _form(name, connector, ORDINAL_ENDING + (r"|\.|er|re|ère|º|ª|°|e|o" if foreign else "")),
        re.compile(rf"(?:{name})(?![^\W\d_])"),
        re.compile(rf"(?<![^\W_])(?:{name})(?:\s?\.)?[\s/-]{{0,2}}(?:the\s)?$"),
        loose,
    )


def _anchor(months: Mapping[str, int], digits: str) -> re.Pattern[str]:
    # It begins with a set of characters because that is what the engine can skip to without trying.
    initials = "".join(sorted({name[0] for name in months}))
    tails = "|".join(sorted({re.escape(name[1:3]) for name in months})) or "(?!)"
    return re.compile(rf"[{digits}{re.escape(initials) or '0'}](?<![^\W_].)(?:(?<=[0-9])|{tails})")


def _form(month: str, connector: str, ordinal: str) -> re.Pattern[str]:
    day = rf"{DAY}(?:\s?(?:{ordinal})(?![^\W\d_]))?(?![0-9])"
    month = rf"(?:{month})(?![^\W\d_])(?:\s?\.)?"
    year = r"(?:[012][0-9]{3}|['’][0-9]{2})(?![0-9])"
    # What may stand before a year: "April 27 , 1937", "27 April in 1937", "27 April of the year 1937".
    to = rf"(?:\s?[,.]?\s?(?:(?:in|{connector})\s(?:the\syear\s)?)?|\s?[-/]\s?)"
    of = rf"(?:\s?(?:(?:day\s)?(?:{connector})\s(?:the\s(?:month\sof\s)?)?)?|\s?[-/]\s?)"
    its_year = rf"(?:{to}{year}|\s?\(\s?{year}(?:\s?\))?)"
    # A year alone is only a number of four digits, so it must not be a part of a longer number or code.
    alone = r"(?<![0-9][-–/.,:])(?:(?<![^\W\d_][-–/])|(?<=mid-)|(?<=pre-)|(?<=post-))(?<![$£€#])"
    dash = r"\s?[-/]\s?"
    dot = r"(?:\.|\s\.\s)"  # but not the ". " that ends a sentence: "is 11.5. 1147 others"
    plain = r"(?:1[0-9]{3}|20[0-9]{2})"
    end = r"(?![0-9]|[-/.,:][0-9])"
    forms = (
        rf"(?P<dmy>{day}{of}{month}{its_year}?)",
        rf"(?P<mdy>{month}(?:\s?[-/]\s?|\s?)(?:the\s)?{day}{its_year}?)",
        rf"(?P<my>{month}{its_year})",
        rf"(?P<ydm>[12][0-9]{{3}}(?:\s?,?\s?(?:on\s)?(?:the\s)?){day}{of}{month})",
        rf"(?P<ymd>[12][0-9]{{3}}(?:\s?,?\s?(?:on\s)?|\s?[-/]\s?){month}(?:\s?[-/]\s?|\s?)(?:the\s)?{day})",
        rf"(?P<iso>[0-9]{{4}}(?:{dash}[0-9]{{1,2}}{dash}[0-9]{{1,2}}|{dot}[0-9]{{1,2}}{dot}[0-9]{{1,2}}"
        rf"|\s[0-9]{{2}}\s[0-9]{{2}})(?:t[0-9:.]+(?:z|[+-][0-9:]+)?)?{end})",
        rf"(?P<numeric>[0-9]{{1,2}}(?:{dash}[0-9]{{1,2}}{dash}|{dot}[0-9]{{1,2}}{dot})"
        rf"(?:[12][0-9]{{3}}|[0-9]{{2}}){end}|[0-9]{{2}}\s[0-9]{{2}}\s?,\s?[12][0-9]{{3}}{end})",
        rf"(?P<years>{alone}{plain}\s?[-–—/]\s?(?:{plain}|[0-9]{{2}}){end}(?!\w))",
        rf"(?P<decade>{alone}(?:[12][0-9]{{2}}0\s?['’]?|[0-9]0['’]?)s(?!\w))",
        rf"(?P<era>{alone}[0-9]{{1,4}}\s?(?:bce?|b\.c\.(?:e\.)?|a\.d\.|ad|ce)(?!\w))",
        rf"(?P<early>(?:(?<=(?<!\w)in )|(?<=since )|(?<=year ))0?[0-9]{{3}}{end}"
        r"(?=\s?(?:[.,;)]|$|(?:and|by|as|with|under|when)(?!\w))))",
        rf"(?P<year>{alone}{plain}{end}(?![\w%]|[–—][0-9]))",
    )
    return re.compile("|".join(forms))


def ordinal_day_before(lowered: str, start: int) -> tuple[int, int] | None:
    """Return where a day in words begins ("twentieth of |January 1930") and its number, or None."""
    of = _DAY_OF.search(lowered, max(0, start - 8), start)
    first = max(0, start - _LONGEST_DAY)
    numerals = find_numerals(lowered[first : of.start()]) if of is not None else []
    if of is None or not numerals or not numerals[-1].ordinal or first + numerals[-1].end < of.start():
        return None
    day = int(numerals[-1].value)
    return (first + numerals[-1].start, day) if 1 <= day <= 31 else None


def numbers_of(string: str) -> list[int]:
    """Return the whole numbers in a string.

    >>> numbers_of("27th of April, 1937")
    [27, 1937]
    """
    return [int(digits) for digits in _DIGITS.findall(string)]


_OF = re.compile(r"\s(?:day\s)?(?:of\s)?")
_DIGITS = re.compile(r"[0-9]+")
_DAY_OF = re.compile(r"\s(?:day\s)?of\s$")
_LONGEST_DAY = 40  # characters of a day in words and what follows it


def _language_words(language: str) -> tuple[dict[str, int], set[str]]:
    """Return the month names and connecting words of a language from dateparser's data."""
    months = {name: number for key, number in month_numbers().items() for name in _names_of(language, key)}
    words = {*_names_of(language, "skip"), *_names_of(language, "pertain")}
    return months, set(filter(str.isalpha, words))


def _names_of(language: str, key: str) -> list[str]:
    """Return the lower-cased words that dateparser has under a key, such as the English name of a month."""
    from importlib import import_module

    from esascore.errors import UsageError

    try:
        data = import_module(f"dateparser.data.date_translation_data.{language}").info
    except ImportError as error:
        raise UsageError(
            f"dateparser does not know the language {language!r}; use an ISO code such as 'de'"
        ) from error
    return [name.lower() for name in data.get(key, ()) if not any(map(str.isdigit, name))]


@lru_cache(maxsize=64)
def time_words(languages: tuple[str, ...]) -> frozenset[str]:
    """Return the folded names of months and weekdays, abbreviated and in full."""
    words = set(month_numbers()).union(WEEKDAYS)
    for language in languages:
        if language != "en":
            words.update(*(_names_of(language, key) for key in (*month_numbers(), *WEEKDAYS)))
    return frozenset(map(folded, words))


def names_month(rules: Grammar, lowered: str) -> bool:
    """Return whether a lower-cased text has the name of a month."""
    for found in rules.month_start.finditer(lowered):
        if rules.month_name.match(lowered, found.start()):
            return True
    return False


def date_around(rules: Grammar, lowered: str, start: int, has_month: bool) -> tuple[int, int] | None:
    """Return the span of the date that a number in lower-cased text is a part of, or None.

    A year alone is a date only to who knows that it is one, so it does not count here. ``has_month`` is
    what `names_month` says about the text.
    """
    found = rules.form.match(lowered, start)
    if found is None or found.lastgroup in ("year", "years", "early"):
        if not has_month:
            return None
        before = rules.before_number.search(lowered, max(0, start - 20), start)
        found = None if before is None else rules.form.match(lowered, before.start())
    return found.span() if found is not None and found.end() > start else None


def day_of_month(rules: Grammar, lowered: str, end: int) -> bool:
    """Return whether the ordinal in words that ends at ``end`` is a day: "twentieth| of January"."""
    of = _OF.match(lowered, end)
    return of is not None and rules.month_name.match(lowered, of.end()) is not None
