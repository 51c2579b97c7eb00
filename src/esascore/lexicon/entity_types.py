"""What kind of thing an entity is, according to the properties around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache

from esascore.model import Entity, Input
from esascore.text.words import property_key
from esascore.wordlists import load, values

WORDLISTS = ("type_words",)
"""The word lists that are read here."""


@cache
def type_words() -> Mapping[tuple[str, str], tuple[str, tuple[str, ...]]]:
    """Return (nature, nouns) by `property_key` and role: ``subject``, ``object`` or ``class``.

    Examples
    --------
    >>> type_words()["airport", "class"]
    ('place', ('airport',))
    """
    return {
        (property_key(name), role): (nature, values(nouns))
        for name, role, nature, nouns in load("type_words").rows
    }


@cache
def type_nouns() -> frozenset[str]:
    """Return every noun for a kind of thing that is not a person, word by word: airport, university, club.

    Examples
    --------
    >>> "airport" in type_nouns(), "author" in type_nouns()
    (True, False)
    """
    return _nouns_of(lambda nature: nature != "person")


@cache
def organisation_nouns() -> frozenset[str]:
    """Return the nouns for organisations, word by word: words that no person is called by.

    Examples
    --------
    >>> "council" in organisation_nouns(), "hall" in organisation_nouns()
    (True, False)
    """
    return _nouns_of(lambda nature: nature == "organisation")


def nature(entity: Entity, category: str | None = None) -> str | None:
    """Return what kind of thing an entity is, as the properties around it tell; None if they do not.

    The properties that it is the subject of decide before those that it is the object of, since those
    were chosen for it. ``category`` is the class of the entity itself, where known; it decides first.

    Examples
    --------
    >>> nature(Entity("Jane_Doe", ("birthPlace",), ())), nature(Entity("Nowhere", (), ("birthPlace",)))
    ('person', 'place')
    """
    if category and (own := type_words().get((_cached_key(category), "class"))):
        return own[0]
    return next((found for found, _ in _known(entity.subject_of, entity.object_of)), None)


def nature_in(entity: Entity, input_: Input) -> str | None:
    """Return the nature of an entity of an input, whose category is that of its root."""
    return nature(entity, input_.category if entity.term == input_.root else None)


def nouns(entity: Entity, category: str | None = None) -> tuple[str, ...]:
    """Return the nouns that may stand for an entity, the most reliable first.

    ``category`` is the class of the entity itself, where known.

    Examples
    --------
    >>> nouns(Entity("Nowhere", (), ("cityServed",)))
    ('city', 'town')
    >>> nouns(Entity("Nowhere_Airport"), "Airport")
    ('airport',)
    """
    own = type_words().get((_cached_key(category), "class"), ("", ()))[1] if category else ()
    around = _known(entity.subject_of, entity.object_of)
    return tuple(dict.fromkeys((*own, *(noun for _, found in around for noun in found))))


def _nouns_of(is_meant: Callable[[str], bool]) -> frozenset[str]:
    kinds = type_words().values()
    return frozenset(word for kind, own in kinds if is_meant(kind) for noun in own for word in noun.split())


# They are the same around many entities.
@lru_cache(maxsize=1 << 12)
def _known(subject_of: tuple[str, ...], object_of: tuple[str, ...]) -> list[tuple[str, tuple[str, ...]]]:
    """Return the nature and the nouns that properties tell."""
    roles = [("subject", name) for name in subject_of] + [("object", name) for name in object_of]
    found = (type_words().get((_cached_key(name), role)) for role, name in roles)
    return list(filter(None, found))


@lru_cache(maxsize=1 << 12)
def _cached_key(name: str) -> str:
    return property_key(name)
