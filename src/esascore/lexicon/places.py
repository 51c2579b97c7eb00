"""Places, their names, and the words for what belongs to or comes from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from esascore.wordlists import load, values

WORDLISTS = ("territories", "place_names", "demonyms", "states")
"""The word lists that are read here."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place: ``names`` (the usual one first), and the words derived from it."""

    names: tuple[str, ...]
    adjectives: tuple[str, ...] = ()
    person: tuple[str, ...] = ()
    people: tuple[str, ...] = ()

    @property
    def derived(self) -> tuple[str, ...]:
        """Adjectives and words for people, without repetition."""
        return tuple(dict.fromkeys((*self.adjectives, *self.people, *self.person)))


def key(name: str) -> str:
    """Return the key under which names are looked up: without case and article.

    Examples
    --------
    >>> key("The Bahamas")
    'bahamas'
    """
    return name.casefold().removeprefix("the ")


@cache
def by_name() -> Mapping[str, Place]:
    """Return the places by the `key` of each of their names.

    A name that is the usual one of a place means that place, whatever else it is a byname of.

    Examples
    --------
    >>> by_name()["usa"].adjectives, by_name()["new york city"].names
    (('American',), ('New York City', 'NYC', 'New York'))
    """
    derived = {key(row[0]): tuple(values(cell) for cell in row[1:]) for row in load("demonyms").rows}
    usual: dict[str, Place] = {}
    bynames: dict[str, Place] = {}
    for names in _names():
        found = next((derived[key(name)] for name in names if key(name) in derived), ((), (), ()))
        place = Place(names, *found)
        usual.setdefault(key(names[0]), place)
        for name in names[1:]:
            bynames.setdefault(key(name), place)
    return bynames | usual


@cache
def edge_words() -> tuple[frozenset[str], frozenset[str]]:
    """Return the first and the last words of all names of places: whatever begins otherwise begins with none.

    Examples
    --------
    >>> "united" in edge_words()[0], "states" in edge_words()[1]
    (True, True)
    """
    names = by_name()
    return frozenset(name.split()[0] for name in names), frozenset(name.split()[-1] for name in names)


@cache
def by_derived_word() -> Mapping[str, tuple[Place, ...]]:
    """Return the places by the case-folded words derived from them.

    Examples
    --------
    >>> [place.names[0] for place in by_derived_word()["turks"]]
    ['Turkey']
    """
    found: dict[str, dict[Place, None]] = {}
    for place in dict.fromkeys(by_name().values()):
        for word in place.derived:
            if key(word) != key(place.names[0]):
                found.setdefault(word.casefold(), {})[place] = None
    return {word: tuple(places) for word, places in found.items()}


@cache
def state_abbreviations() -> Mapping[str, tuple[str, ...]]:
    """Return the abbreviations of states and provinces by the `key` of their names.

    Examples
    --------
    >>> state_abbreviations()["texas"]
    ('TX', 'Tex.')
    """
    found: dict[str, tuple[str, ...]] = {}
    for _, name, cell in load("states").rows:
        found[key(name)] = found.get(key(name), ()) + values(cell)
    return found


def _names() -> Iterator[tuple[str, ...]]:
    """Yield the names of each place: those of one row here and those of a row that shares the usual one."""
    rows = [(row[0], *values(row[1])) for row in load("place_names").rows]
    known = {key(name) for names in rows for name in names}
    territories = [values(row[2]) for row in load("territories").rows if row[0] != "001"]
    yield from rows
    for names in territories:
        if not any(key(name) in known for name in names):
            yield names
    # New York is a state by its usual name, although the city is called so too.
    usual = {key(names[0]) for names in (*rows, *territories)}
    yield from _alone((row[0] for row in load("demonyms").rows), usual)
    yield from _alone((row[1] for row in load("states").rows), usual)


def _alone(names: Iterable[str], known: set[str]) -> Iterator[tuple[str, ...]]:
    for name in names:
        if key(name) not in known:
            known.add(key(name))
            yield (name,)
