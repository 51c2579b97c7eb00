"""What is known about inputs of one kind besides the input itself."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from esascore.lexicon.closed import NOTHING_CLOSED, Closed
from esascore.lexicon.known_names import CorpusNames
from esascore.text.phrases import Phrases


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What claims are judged by.

    Attributes
    ----------
    names
        Names of places and of the entities of all inputs, which may consist of common words.
    capitals
        Words that such names have with a capital for a reason.
    words
        All words of the names of entities.
    closed
        The values of attributes that have few, in their own words.
    """

    names: Phrases
    capitals: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    closed: Closed = NOTHING_CLOSED


@cache
def untaught() -> Knowledge:
    """Return what is known without learning from a corpus: the names of places."""
    return Knowledge(CorpusNames().phrases())
