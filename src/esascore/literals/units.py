"""Units and currencies as texts and inputs write them, from the lexicons ``units`` and ``currencies``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from string import ascii_uppercase
from types import MappingProxyType

from esascore.errors import DataError
from esascore.text.words import property_key, spaced
from esascore.wordlists import folder, load, values

WORDLISTS = ("units", "currencies")
"""The word lists that are read here."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of measurement: a value in the base unit of its dimension is ``value * factor + offset``.

    All currencies of one name (US and Australian dollars) share a dimension and a factor: a text that says
    "dollars" may mean either, and no exchange rate is known.
    """

    name: str
    dimension: str
    factor: Fraction
    offset: Fraction = Fraction(0)

    def __hash__(self) -> int:
        return hash((self.name, self.dimension))  # fractions take long

    def same_size(self, unit: Unit) -> bool:
        """Return whether a value in this unit is the same in another."""
        if self is unit or self.dimension != unit.dimension:
            return self is unit
        return self.factor == unit.factor and self.offset == unit.offset

    def roughly(self, value: float, unit: Unit) -> float:
        """Convert a value as `converted` does, within the limits of floats."""
        return (value * float(self.factor) + float(self.offset) - float(unit.offset)) / float(unit.factor)

    def converted(self, value: Fraction, unit: Unit) -> Fraction:
        """Convert a value in this unit to another unit of the same dimension.

        >>> metre, foot = unit_named("m"), unit_named("feet")
        >>> foot.converted(Fraction(100), metre)
        Fraction(762, 25)
        """
        return (value * self.factor + self.offset - unit.offset) / unit.factor


@lru_cache(maxsize=1 << 12)
def unit_named(text: str) -> Unit | None:
    """Return the unit that a string as a whole names.

    Examples
    --------
    >>> unit_named("squareKilometres").name, unit_named("kilometrePerSeconds").dimension
    ('square kilometre', 'length/time')
    >>> unit_named("/sqkm").name, unit_named("parrots")
    ('person/square kilometre', None)
    """
    for lowered in dict.fromkeys((text.lower().strip(), spaced(text).lower().strip())):  # mAh is no m Ah
        found = match_unit(lowered, 0)
        if found is not None and found[0] == len(lowered):
            return found[1]
    return None


def may_mean(said: Unit, meant: Unit) -> bool:
    """Return whether what a text calls a unit may be another one, of another dimension.

    Examples
    --------
    >>> may_mean(unit_named("degrees"), unit_named("°C")), may_mean(unit_named("degrees"), unit_named("lm"))
    (True, False)
    """
    if meant.dimension in _ALSO.get(said.name, ()) or meant.name in _ALSO.get(said.name, ()):
        return True
    # "3 mm per hour" for the 3 mm of some hours
    return said.name.startswith(f"{meant.name}/") or meant.name.startswith(f"{said.name}/")


def match_unit(lowered: str, start: int) -> tuple[int, Unit] | None:
    """Return the end of the unit that stands at ``start`` in lower-cased text, and the unit."""
    first = _form_at(lowered, start)
    per = _PER.match(lowered, start if first is None else first[0])
    if per is not None and (second := _form_at(lowered, per.end())) is not None:
        over = _forms()["person"] if first is None else first[1]  # "/km2" and "per km2" alone count persons
        return second[0], _quotient(over, second[1])
    return first


def usual_unit(name: str) -> Unit | None:
    """Return the unit that the values of a property of the DBpedia ontology are in.

    Examples
    --------
    >>> usual_unit("runtime").name, usual_unit("numberOfMembers")
    ('minute', None)
    """
    return _properties().get(property_key(name))


def currency_before(lowered: str, end: int) -> tuple[int, Unit] | None:
    """Return where a currency sign or code that ends at ``end`` begins, and the currency."""
    last = end - (lowered[end - 1 : end] == " ")
    unit = _signs().get(lowered[last - 1 : last])
    if unit is not None:
        country = _COUNTRY.search(lowered, max(0, last - 4), last - 1)
        return last - 1 if country is None else country.start(), unit
    code = lowered[max(0, last - 3) : last]
    unit = _signs().get(code)
    glued = last > 3 and lowered[last - 4].isalnum()
    return None if unit is None or len(code) < 3 or glued else (last - 3, unit)


# What units of other dimensions, and which dimensions, people call by the name of a unit.
_ALSO = MappingProxyType({
    "degree": ("temperature",), "pound": ("money: pound",), "ounce": ("US fluid ounce",),
    "metre": ("minute",), "minute": ("metre",), "nanometre": ("nautical mile",),
})  # fmt: skip
_PER = re.compile(r"\s?/\s?|\sper\s")
_COUNTRY = re.compile(r"(?<![^\W_])[a-z]{1,3}$")  # the US of US$
# Codes and names that texts use far more often as plain words.
_WORDS = frozenset({
    "all", "try", "top", "mad", "cup", "gel", "pen", "sos", "mop", "ang", "cop", "bob", "bam", "won", "real",
    "reals", "mark", "marks", "sum", "som", "pound", "pounds", "right", "rights", "colon", "rand", "lei",
})  # fmt: skip


@lru_cache(maxsize=1 << 12)
def _quotient(over: Unit, under: Unit) -> Unit:
    dimension = f"{over.dimension}/{under.dimension}"
    return Unit(f"{over.name}/{under.name}", dimension, over.factor / under.factor)


@cache
def _units() -> tuple[tuple[Unit, tuple[str, ...], tuple[str, ...]], ...]:
    rows = load("units")
    units = []
    for line, (name, dimension, factor, offset, forms, properties) in zip(rows.lines, rows.rows, strict=True):
        try:
            unit = Unit(name, dimension, Fraction(factor), Fraction(offset or 0))
        except (ValueError, ZeroDivisionError):
            raise DataError(
                f"the factor and offset of {name!r} must be numbers or fractions",
                file=folder() / "units.tsv",
                line=line,
            ) from None
        units.append((unit, (name, *values(forms)), values(properties)))
    return tuple(units)


@cache
def _currencies() -> tuple[tuple[Unit, tuple[str, ...], tuple[str, ...]], ...]:
    """Return (unit, names, signs) of each currency, and of each noun that several of them share."""
    found: list[tuple[Unit, tuple[str, ...], tuple[str, ...]]] = []
    for code, name, plural, signs in load("currencies").rows:
        noun, nouns = name.lower().split()[-1], plural.lower().split()[-1]
        dimension = f"money: {noun}"
        found.append((Unit(code, dimension, Fraction(1)), (name.lower(), plural.lower(), code.lower()), ()))
        found.append((Unit(noun, dimension, Fraction(1)), (noun, nouns), values(signs)))
    return tuple(found)


@cache
def _forms() -> Mapping[str, Unit]:
    forms: dict[str, Unit] = {}
    for unit, names, _ in _units():
        for name in names:
            forms.setdefault(name.lower(), unit)
    for unit, names, _ in _currencies():
        for name in names:
            if name not in _WORDS:
                forms.setdefault(name, unit)
    return forms


def _form_at(lowered: str, start: int) -> tuple[int, Unit] | None:
    pattern = _patterns().get(lowered[start : start + 1])
    found = None if pattern is None else pattern.match(lowered, start)
    return None if found is None else (found.end(), _forms()[found[0]])


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    """Return one pattern of the forms for each first character, which is faster than one for all."""
    by_initial: dict[str, list[str]] = {}
    for form in sorted(_forms(), key=lambda form: (-len(form), form)):
        by_initial.setdefault(form[0], []).append(re.escape(form))
    return {c: re.compile(rf"(?:{'|'.join(forms)})(?![^\W_]|[²³^])") for c, forms in by_initial.items()}


@cache
def _properties() -> Mapping[str, Unit]:
    return {property_key(name): unit for unit, _, properties in _units() for name in properties}


@cache
def _signs() -> Mapping[str, Unit]:
    """Return the currencies by what stands before an amount: $, €, usd; the $ of US$ stands for it."""
    signs: dict[str, Unit] = {}
    for unit, names, written in _currencies():
        for sign in written:
            bare = sign.strip(ascii_uppercase)
            if bare and not bare[0].isalpha() and len(bare) == 1:
                signs.setdefault(bare, unit)
        if len(names[-1]) == 3 and names[-1] not in _WORDS:
            signs.setdefault(names[-1], unit)
    return signs
