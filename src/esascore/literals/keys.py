"""What the key of an attribute says besides its words: the unit of its numbers, their scale, their role."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from esascore.literals.units import Unit, unit_named
from esascore.text.stem import base

_WORDS = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]+[23²³]?(?![^\W\d_])|[^\W\d_]+")
_CAMEL = re.compile(
    r"(?<=[a-zà-ÿ0-9])(?=[A-Z])|(?<=EUR|GBP|USD|CHF)(?=(?:k|m|bn?)$)|(?<=[A-Z])(?=[A-Z](?!(?:k|m|bn?)$)[a-z])|_"
)

# How keys abbreviate units, beside the forms that texts use.
_SHORT_UNITS = {
    "pct": "percent", "perc": "percent", "pp": "percent", "percentage": "percent", "percent": "percent",
    "horsepower": "hp", "metre": "metres", "sqm": "m²", "sqft": "sq ft",
    "mins": "minutes", "hrs": "hours", "hr": "hours", "yrs": "years", "secs": "seconds", "sec": "seconds",
    "nights": "days",
    "kph": "km/h", "kmh": "km/h", "celsius": "°C", "fahrenheit": "°F", "c": "°C", "f": "°F", "h": "hours",
    "bhp": "hp", "nm": "nautical miles", "nmi": "nautical miles", "age": "years", "aged": "years",
    "s": "seconds", "m2": "m²", "km2": "km²", "m3": "m³",
}  # fmt: skip
# Words that are units only after another word: distance_m, but not m.
_ONLY_LAST = frozenset(
    {"m", "g", "l", "t", "c", "f", "h", "s", "w", "v", "a", "k", "min", "bar", "p", "mi", "ft", "lb", "oz"}
)
# Forms of units that keys use as words of their own.
_NO_UNITS = frozenset({
    "in", "day", "hour", "minute", "second", "month", "week", "wk", "year", "night", "point", "points",
    "pound", "stone", "foot", "yard", "mark", "marks", "grade", "grades", "person", "people", "count",
    "b", "d", "n", "x", "page", "knot", "degree", "cup", "carat", "set", "real", "man", "players", "player",
})  # fmt: skip
_SCALES = {
    **dict.fromkeys(("thousand", "thousands", "k"), 10**3),
    **dict.fromkeys(("million", "millions", "mio", "mn"), 10**6),
    **dict.fromkeys(("billion", "billions", "bn"), 10**9),
    **dict.fromkeys(("cents", "cent", "ct", "pence", "minor"), 0.01),
}
_COUNTED = {"k": 10**3, "m": 10**6, "mn": 10**6, "b": 10**9, "bn": 10**9}
"""How many a letter after a currency counts in."""

_NO_MEASURES = frozenset({"year", "date"})
"""Last words of keys whose numbers say when, not how much."""

_DENOMINATORS = frozenset({"l", "dl", "ml", "km", "h", "s", "kg", "ha", "m2", "acre"})
_ROLES_LAST = frozenset({"min", "max", "avg", "mean", "total"})
_LENGTHS = ("distance", "length", "height", "width", "depth", "altitude", "ascent", "descent")
_TIMES = ("duration", "time", "delay", "wait", "runtime", "lag")
_MEASURED = {
    **dict.fromkeys(_LENGTHS, frozenset({"m", "mi", "ft"})),
    **dict.fromkeys(_TIMES, frozenset({"min", "s", "h"})),
    **dict.fromkeys(("temp", "temperature", "max", "min"), frozenset({"c", "f"})),
    **dict.fromkeys(("weight", "mass"), frozenset({"g", "t", "lb", "oz"})),
    "power": frozenset({"w"}), "volume": frozenset({"l"}),
}  # fmt: skip
"""The units that may stand as one more word of a key after what they measure: durationMin."""

_LASTING = frozenset({"time", "runtime", "duration"})
_SPEED = frozenset({"wind", "gust", "gusts", "speed", "velocity"})
_ASIDE = re.compile(r"\((?:in\s)?([^()]+)\)\s*$")
_MONEY_IN_MILLIONS = re.compile(r"m(usd|eur|gbp|chf|nok|sek|dkk)")
GENERIC = frozenset({
    "value", "values", "amount", "name", "id", "ids", "number", "no", "key", "type", "kind", "data", "info",
    "information", "field", "list", "item", "items", "details", "detail", "count", "num", "nr", "qty",
    "quantity", "text", "string", "label", "code", "main", "all", "is", "has", "have", "are", "can", "of",
    "the", "a", "an", "and", "or", "to", "by", "in", "on", "at", "for", "with", "per", "from", "until",
    "stats", "statistics", "attributes", "features", "general", "summary", "overview", "result", "results",
    "min", "max", "minimum", "maximum", "avg", "average", "mean", "start", "end", "current",
})  # fmt: skip
"""Words of keys that any attribute may have, or that say what sort of value it is, not of what."""

_SYMBOL = 4  # letters at most: kwh, mbps
ROLES = {
    "low": frozenset(["min", "minimum", "lowest", "low", "least", "smallest"]),
    "high": frozenset(["max", "maximum", "highest", "high", "most", "largest", "peak", "top"]),
    "first": frozenset(["from", "start", "begin", "begins", "opens", "opening", "first", "since", "initial"]),
    "last": frozenset(["to", "end", "until", "till", "closes", "closing", "last", "final"]),
    "before": frozenset(
        ["previous", "prev", "old", "prior", "was", "before", "former", "earlier", "past", "original"]
    ),
    "after": frozenset(["current", "new", "now", "after", "latest", "next"]),
}
"""What the words of a key say about the place of its values among others."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key as it is read.

    Attributes
    ----------
    words
        Its words, in small letters.
    stems
        The bases of the words that tell what it is about.
    unit, scale
        The unit of its numbers and the power of ten that they are counted in; below 1 for cents.
    roles
        Names of `ROLES`.
    """

    words: tuple[str, ...]
    stems: tuple[str, ...]
    unit: Unit | None = None
    scale: float = 1
    roles: frozenset[str] = frozenset()

    @property
    def is_unit(self) -> bool:
        """Whether it says nothing but a unit, which does not tell its values from others in that unit."""
        return self.unit is not None and len(self.words) == 1


@lru_cache(maxsize=1 << 13)
def split_key(key: str) -> tuple[str, ...]:
    """Return the words of a key in small letters.

    Examples
    --------
    >>> split_key("BikeParking"), split_key("price_per_m2_eur"), split_key("WOMEN_100M")
    (('bike', 'parking'), ('price', 'per', 'm2', 'eur'), ('women', '100', 'm'))
    """
    return tuple(word.lower() for word in _WORDS.findall(_CAMEL.sub(" ", key)))


@lru_cache(maxsize=1 << 14)
def word_base(word: str) -> str:
    """Return a word without its inflection, also where two endings follow each other.

    Examples
    --------
    >>> word_base("speeds") == word_base("speed"), word_base("ratings") == word_base("rated")
    (True, True)
    """
    return base(base(word))


@lru_cache(maxsize=1 << 13)
def read_key(key: str, beside: frozenset[str] = frozenset()) -> Key:
    """Read a key; ``beside`` are the other keys of its object.

    Examples
    --------
    >>> keys = ("height_cm", "price_eur", "usage_pct", "duration_min", "hours_per_week")
    >>> [read_key(key).unit.name for key in keys]
    ['centimetre', 'EUR', 'percent', 'minute', 'hour']
    >>> read_key("min", frozenset({"min", "max"})).unit, read_key("per_hour").unit
    (None, None)
    """
    words = split_key(key)
    unit, scale, used = _unit(words, beside, key)
    rest = [word for n, word in enumerate(words) if n not in used]
    roles = frozenset(role for role, own in ROLES.items() if not own.isdisjoint(rest))
    telling = [word for word in rest if word not in GENERIC and not word.isdigit()]
    stems = tuple(dict.fromkeys(map(word_base, telling)))
    return Key(words, stems, unit, scale, roles)


_FLOWS = frozenset({"information", "volume", "mass"})
"""Dimensions whose rates by time need the time; for money and lengths texts often leave it out."""


def _unit(words: tuple[str, ...], beside: frozenset[str], key: str) -> tuple[Unit | None, float, set[int]]:
    """Return unit and scale of a key, and the places of the words that say so."""
    used: set[int] = set()
    scale: float = 1
    if (aside := _ASIDE.search(key)) and (unit := unit_named(aside[1])) is not None:
        timed = aside[1] == "m" and not _LASTING.isdisjoint(words)
        return (unit_named("minutes") if timed else unit), scale, used
    if words[-1:] and words[-1] in _NO_MEASURES:
        return None, scale, used
    for n, word in enumerate(words):
        if word in _SCALES and len(words) > 1:
            scale = _SCALES[word]
            used.add(n)
    last, end = None, words.index("per") if "per" in words[1:] else len(words)
    if end < len(words):
        used |= set(range(end, len(words)))
        last = unit_named(words[-1])
        if last is not None and last.dimension.startswith("money"):  # price_per_m2_eur
            return last, scale, used
    while end > 1 and words[end - 1] in _ROLES_LAST:
        if words[end - 1] == "min" and not _is_minimum(key, beside, words[: end - 1]):
            break
        end -= 1
    for n in range(end - 1, -1, -1):
        word = words[n]
        if word in _NO_UNITS or n in used or (n and words[n - 1].isdigit()):  # 3h is when, not how much
            continue
        if words[n + 1 : n + 2] and words[n + 1].isdigit() and word + words[n + 1] in key.lower():
            continue  # ps5 is a name
        if money := _MONEY_IN_MILLIONS.fullmatch(word):
            return unit_named(money[1]), 10**6, {*used, n}
        before = unit_named(words[n - 1]) if n else None
        if before is not None and before.dimension.startswith("money"):
            if word in _COUNTED:  # newCapitalGBPm
                return before, _COUNTED[word], {*used, n - 1, n}
            if _is_time(word):  # off_peak_gbp_hr
                return before, scale, {*used, n - 1, n}
        if word in _ONLY_LAST and (n != end - 1 or not _ends_in_unit(key, words[: n + 1])):
            continue
        if word == "ms" and not _SPEED.isdisjoint(words):
            word = "m/s"
        known = _SHORT_UNITS.get(word)
        unit = unit_named(known or word)
        if unit is not None and known is None and len(word) > _SYMBOL and not word.endswith("s"):
            unit = None  # keys abbreviate units or have them in the plural: a meter measures
        if unit is None and n and n == end - 1:
            unit = unit_named(f"{words[n - 1]} {word}")  # square metres
        if unit is not None and n > 1 and (over := _over(words[n - 1], word)) is not None:
            return over, scale, {*used, n - 1, n}
        if unit is not None and (known or len(word) > 1 or n == end - 1):
            if last is not None and last.dimension == "time" and unit.dimension in _FLOWS:
                unit = unit_named(f"{unit.name}/{last.name}") or unit  # growth_gb_per_hour
            return unit, scale, {*used, n} if len(words) > 1 else used
    return None, scale, used


def _is_time(word: str) -> bool:
    unit = unit_named(_SHORT_UNITS.get(word, word))
    return unit is not None and unit.dimension == "time"


def _over(above: str, below: str) -> Unit | None:
    """Return the quotient that two units at the end of a key are: the g/km of co2_g_km."""
    over = unit_named(above) if above not in _NO_UNITS and len(above) < _SYMBOL else None
    if over is None or over.dimension not in ("mass", "length") or below not in _DENOMINATORS:
        return None
    return unit_named(f"{above}/{below}")


def _ends_in_unit(key: str, words: Sequence[str]) -> bool:
    """Return whether a short word at the end of a key is set off as a unit: distance_m, "height in m"."""
    if len(words) < 2:
        return False
    if " " in key:
        return words[-2] == "in"
    set_off = words[-1] in _MEASURED.get(words[-2], ()) and key.endswith(words[-1].capitalize())
    return set_off or re.search(rf"[^_]_{words[-1]}", key.lower()) is not None


def _is_minimum(key: str, beside: Collection[str], before: Sequence[str]) -> bool:
    """Return whether "min" is not minutes: the maximum stands beside it, or a unit before it."""
    if re.sub("(?i)min$", "max", key) in beside or re.sub("(?i)min$", "Max", key) in beside:
        return True
    return any(word not in _NO_UNITS and unit_named(_SHORT_UNITS.get(word, word)) for word in before[1:])
