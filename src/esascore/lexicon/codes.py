"""Codes in data that stand for a name: of countries, languages, states and currencies.

Only the attribute shows that a value is such a code: ``DE`` is Germany as a ``country``, Delaware as a
``state``, and neither as a ``grade``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from esascore.lexicon.places import by_name, key
from esascore.model import Entity
from esascore.text.words import name_words, spaced
from esascore.wordlists import load, values

WORDLISTS = ("territories", "languages", "states", "currencies")
"""The word lists that are read here."""

_LOCALE = re.compile(r"[a-z]{2}-[A-Z]{2}")
_CODE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z]{2,4})?")
_KINDS: Mapping[str, str] = {
    **dict.fromkeys(("country", "countries", "nation", "nationality", "citizenship", "territory"), "country"),
    **dict.fromkeys(("language", "languages", "lang", "locale"), "language"),
    **dict.fromkeys(("state", "states", "province"), "state"),
    **dict.fromkeys(("currency", "currencies"), "currency"),
}


def names_of_code(entity: Entity) -> tuple[str, ...]:
    """Return the names that a value of data stands for, the usual one first; none for what is no code.

    Examples
    --------
    >>> [names_of_code(Entity("DE", (), (name,), "name")) for name in ("country", "grade")]
    [('Germany',), ()]
    >>> names_of_code(Entity("pt-BR", (), ("lang",), "text"))
    ('Portuguese', 'Brazilian Portuguese')
    """
    if entity.type not in ("name", "text") or _CODE.fullmatch(entity.term) is None:
        return ()
    kinds = (_KINDS[word] for name in entity.object_of for word in name_words(spaced(name)) if word in _KINDS)
    kind = next(kinds, "language" if _LOCALE.fullmatch(entity.term) else None)
    return () if kind is None else _names(str(entity.term), kind)


def country_names(code: str) -> tuple[str, ...]:
    """Return the names and adjectives of the country that a code in capitals stands for, if any.

    Examples
    --------
    >>> country_names("VN"), country_names("XL")
    (('Vietnam', 'Vietnamese'), ())
    """
    names = _by_code("country").get(code, ()) if _CODE.fullmatch(code) else ()
    place = by_name().get(key(names[0])) if names else None
    return names if place is None else (*names, *place.derived)


@lru_cache(maxsize=1 << 12)
def all_names_of_code(text: str) -> tuple[str, ...]:
    """Return every country, state and language that a code stands for, whatever its attribute.

    Examples
    --------
    >>> all_names_of_code("SUI"), all_names_of_code("nld"), all_names_of_code("no way")
    (('Switzerland',), ('Dutch',), ())
    """
    if _CODE.fullmatch(text) is None or not (text.isupper() or text.islower()):
        return ()
    kinds = ("country", "state", "language") if text.isupper() else ("language",)
    return tuple(name for kind in kinds for name in _by_code(kind).get(text.upper(), ()))


@lru_cache(maxsize=1 << 12)
def _names(code: str, kind: str) -> tuple[str, ...]:
    if kind == "language":
        return tuple(_languages(code))
    return _by_code(kind).get(code.upper(), ()) if code.isupper() or kind == "country" else ()


def _languages(code: str) -> Iterator[str]:
    own, _, region = code.replace("_", "-").partition("-")
    name = _by_code("language").get(own.upper(), ())
    yield from name
    country = _by_code("country").get(region.upper(), ())
    place = by_name().get(key(country[0])) if country and name else None
    if place is not None and place.adjectives:
        yield f"{place.adjectives[0]} {name[0]}"


@cache
def _by_code(kind: str) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    if kind == "country":
        for codes, what, names in load("territories").rows:
            if what == "country":
                found |= dict.fromkeys(values(codes), values(names))
    elif kind == "language":
        for codes, name in load("languages").rows:
            found |= dict.fromkeys(map(str.upper, values(codes)), (name,))
    elif kind == "state":
        for _, name, abbreviations in load("states").rows:
            for one in values(abbreviations):
                found.setdefault(one.upper(), (name,))
    else:
        for code, name, plural, _ in load("currencies").rows:
            nouns = (name.split()[-1].lower(), plural.split()[-1].lower())
            found[code] = (plural, name, *nouns)
    return found
