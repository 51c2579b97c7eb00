"""The words with which texts express the properties of an input."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

from esascore.text.stem import stem
from esascore.text.vocabulary import function_words
from esascore.text.words import Phrase, name_words, spaced
from esascore.wordlists import load, values

WORDLISTS = ("wordings", "function_words")
"""The word lists that are read here."""


@lru_cache(maxsize=1 << 12)
def property_wordings(name: str) -> frozenset[str]:
    """Return the words with which a text may express a property: those of its name, and others that mean it.

    Examples
    --------
    >>> sorted(property_wordings("deathPlace"))
    ['dead', 'death', 'died', 'dies', 'passed', 'place']
    """
    known = _wordings("property")
    found: set[str] = set()
    for word in _main_words(name):
        found.add(word)
        found |= known.get(word) or known.get(word.removesuffix("s")) or frozenset()
    return frozenset(found)


def is_worded(name: str, words: frozenset[str], stems: frozenset[str]) -> bool:
    """Return whether a text with these words and stems has a word for a property.

    Examples
    --------
    >>> is_worded("birthPlace", frozenset({"in"}), frozenset({"in"}))
    False
    >>> is_worded("location", frozenset({"in"}), frozenset({"in"}))
    True
    """
    if not stems.isdisjoint(map(stem, property_wordings(name))):
        return True
    # "in Oslo" words a location, but not a birthPlace.
    return is_of_place(name) and not words.isdisjoint(_wordings("place")[_main_words(name)[0]])


def is_of_place(name: str) -> bool:
    """Return whether a property says where something is, and nothing more.

    Examples
    --------
    >>> is_of_place("location"), is_of_place("birthPlace")
    (True, False)
    """
    own = _main_words(name)
    return bool(own) and all(word in _wordings("place") for word in own)


def _main_words(name: str) -> Phrase:
    small = function_words("filler")
    return tuple(word for word in name_words(spaced(name)) if word not in small)


@cache
def _wordings(role: str) -> Mapping[str, frozenset[str]]:
    """Return the words of properties' names, and those with which texts express them."""
    found: dict[str, frozenset[str]] = {}
    for names, own, words in load("wordings").rows:
        for name in values(names) if own == role else ():
            found[name] = found.get(name, frozenset()).union(values(words))
    return found
