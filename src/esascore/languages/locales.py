"""The conventions of a language's locale: separators, months, units and names, from CLDR through Babel."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from esascore.languages.scripts import plain

_UNITS = (
    "area-square-kilometer", "area-hectare", "area-square-meter", "area-square-mile", "area-acre",
    "concentr-percent", "digital-terabyte", "digital-gigabyte", "digital-megabyte", "duration-year",
    "duration-month", "duration-week", "duration-day", "duration-hour", "duration-minute", "duration-second",
    "energy-kilocalorie", "energy-kilojoule", "energy-kilowatt-hour", "frequency-gigahertz",
    "frequency-megahertz", "frequency-kilohertz", "frequency-hertz", "length-kilometer", "length-meter",
    "length-centimeter", "length-millimeter", "length-mile", "length-yard", "length-foot", "length-inch",
    "length-light-year", "mass-tonne", "mass-kilogram", "mass-gram", "mass-milligram", "mass-pound",
    "mass-ounce", "power-megawatt", "power-kilowatt", "power-watt", "power-horsepower",
    "pressure-hectopascal", "pressure-millibar", "speed-kilometer-per-hour", "speed-meter-per-second",
    "speed-mile-per-hour", "speed-knot", "temperature-celsius", "temperature-fahrenheit",
    "volume-cubic-kilometer", "volume-cubic-meter", "volume-liter", "volume-milliliter",
)  # fmt: skip
POWERS = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
"""What English calls powers of ten."""

_SPELT_OUT = ("length-inch", "length-foot", "duration-year", "duration-month", "duration-day", "mass-ounce")
_COUNTS = (1, 2, 5, 1.5, 20)  # one of each kind of plural
_NUMBER = re.compile(r"[\d.,٫٬\s]*\d[\d.,٫٬]*")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LEAST_MONTH = 3
# Babel leaves out the short names of CLDR, and this one is the usual one.
_UNITED_STATES = {
    "bg": ("САЩ",), "es": ("EE. UU.", "EE.UU."), "pt": ("EUA",), "ru": ("США",), "sr": ("САД",),
    "uk": ("США",),
}  # fmt: skip


@dataclass(frozen=True)
class LocaleWords:
    """The conventions of a locale, and their English equivalents.

    Attributes
    ----------
    decimal, group
        The decimal and the thousands separator.
    day_first
        Whether 4/5 is the fourth of May.
    months, weekdays
        Plain names of months and days.
    units
        Units, currencies and powers of ten as they stand after a number.
    names
        Names of places, languages and currencies, by the plain English one.
    places
        Plain names of countries and cities.
    """

    decimal: str = "."
    group: str = ","
    day_first: bool = True
    months: Mapping[str, str] = field(default_factory=dict)
    weekdays: Mapping[str, str] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    places: frozenset[str] = frozenset()

    def month(self, word: str) -> str | None:
        """Return the English name of a month, which may be inflected: мае, květnu."""
        own = plain(word)
        if own in self.months or len(own) < _LEAST_MONTH:
            return self.months.get(own)
        near = set()
        for name, month in self.months.items():
            shared = max(_LEAST_MONTH, min(len(own), len(name)) - 2)
            if own[:shared] == name[:shared] and abs(len(own) - len(name)) <= 3:
                near.add(month)
        return near.pop() if len(near) == 1 else None


@lru_cache(maxsize=64)
def locale_of(code: str) -> LocaleWords:
    """Return the conventions of a language; without a locale, there are no words.

    Examples
    --------
    >>> locale_of("tlh").group, locale_of("tlh").months
    (',', {})
    """
    try:
        from babel import Locale, UnknownLocaleError
    except ModuleNotFoundError:
        return LocaleWords()
    try:
        locale = Locale.parse(code)
    except (UnknownLocaleError, ValueError):
        return LocaleWords()
    english = Locale("en")
    symbols = locale.number_symbols.get("latn", {})
    pattern = locale.date_formats["short"].pattern
    return LocaleWords(
        symbols.get("decimal", "."),
        symbols.get("group", ","),
        pattern.find("d") < pattern.find("M"),
        MappingProxyType(_calendar(locale.months, _MONTHS, 1)),
        MappingProxyType(_calendar(locale.days, _WEEKDAYS, 0)),
        MappingProxyType(dict(_units(locale, english))),
        MappingProxyType(_names(locale, english)),
        frozenset(map(plain, (*locale.territories.values(), *_cities(locale).values()))),
    )


def _calendar(named: Any, english: tuple[str, ...], first: int) -> dict[str, str]:
    """Return the English names of months or days by their plain names, the long ones first."""
    found: dict[str, str] = {}
    for width in ("wide", "abbreviated"):
        for context in ("format", "stand-alone"):
            for number, name in named[context][width].items():
                own = plain(name).strip(".")
                if len(own) >= _LEAST_MONTH or not own.isascii():
                    found.setdefault(own, english[number - first])
    return found


def _units(locale: Any, english: Any) -> Iterator[tuple[str, str]]:
    from babel.numbers import format_compact_decimal, get_currency_name
    from babel.units import format_unit

    for code, name in english.currencies.items():
        for count in _COUNTS:
            yield get_currency_name(code, count, locale=locale).lower(), name.lower()
    for unit in _UNITS:
        meant = _NUMBER.sub("", format_unit(5, unit, "long", locale=english)).strip()
        for length in ("long", "short"):
            for count in _COUNTS:
                written = format_unit(count, unit, length, locale=locale)
                if unit in written or (length == "short" and unit in _SPELT_OUT):
                    continue  # the locale has no word for it, or an ambiguous one
                yield _NUMBER.sub("", written).strip(" \u00a0\u202f").lower(), meant
    for meant, power in POWERS.items() if "long" in locale.compact_decimal_formats else ():
        for count in _COUNTS[:3]:
            written = format_compact_decimal(count * power, format_type="long", locale=locale)
            if written[0].isdigit():  # not the words that some languages put first
                yield _NUMBER.sub("", written).strip(" \u00a0\u202f").lower(), meant


def _names(locale: Any, english: Any) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for kind in ("territories", "languages", "currencies"):
        own, meant = getattr(locale, kind), getattr(english, kind)
        for code in own.keys() & meant.keys():
            found.setdefault(plain(meant[code]), {})[own[code]] = None
    for name, city in _cities(locale).items():
        found.setdefault(plain(name), {})[city] = None
    found.setdefault("united states", {}).update(dict.fromkeys(_UNITED_STATES.get(locale.language, ())))
    return {name: tuple(own) for name, own in found.items()}


def _cities(locale: Any) -> dict[str, str]:
    """Return the names of the cities after which time zones are called, by the English one."""
    return {
        zone.rpartition("/")[2].replace("_", " "): city
        for zone, known in locale.time_zones.items()
        if (city := known.get("city"))
    }
