"""Which words of a text are explained: by a mention, the input, or the references."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from esascore.metrics._wordings import (
    FUNCTION_WORDS,
    PLACE_PREPOSITIONS,
    PLACE_PROPERTIES,
    WORDINGS,
)
from esascore.model import Graph, Input, Triple
from esascore.text.normalize import folded
from esascore.text.tokenize import split_words

TYPO = 0.25
"""Normalised edit distance up to which a word is a misspelling of another."""

_SHORTEST = 4  # letters of a word whose misspellings are recognised
_CAMEL = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])")
# Longest first: what is left of a word has at least three letters.
_SUFFIXES = (
    *("ations", "ation", "ingly", "edly", "ings", "ing", "ers", "ors", "er", "or"),
    *("ies", "ied", "es", "ed", "s", "e", "y", "ly"),
)
_LEAST_STEM = 3


class Word(NamedTuple):
    """A folded word and where it stands in the text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Known:
    """Words that are explained, their stems, and those whose misspellings are explained too."""

    words: frozenset[str]
    stems: frozenset[str]
    spelled: tuple[str, ...]

    @classmethod
    def of(cls, words: Iterable[str]) -> Known:
        """Prepare words."""
        known = frozenset(words)
        spelled = sorted(word for word in known if len(word) >= _SHORTEST and not _has_digit(word))
        return cls(known, frozenset(map(stem, known)), tuple(spelled))

    def explains(self, word: str) -> bool:
        """Whether a word is one of these, an inflection or a misspelling; numbers must be equal.

        Examples
        --------
        >>> known = Known.of(["established", "2001"])
        >>> [known.explains(word) for word in ("establishes", "estabished", "founded", "2002")]
        [True, True, False, False]
        """
        if word in self.words:
            return True
        if _has_digit(word):
            return False
        if stem(word) in self.stems:
            return True
        from rapidfuzz.distance import Levenshtein
        from rapidfuzz.process import extractOne

        scorer = Levenshtein.normalized_distance
        return extractOne(word, self.spelled, scorer=scorer, score_cutoff=TYPO) is not None


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Cut an English inflection off a word, roughly.

    Examples
    --------
    >>> [stem(word) for word in ("leaders", "created", "creator", "creation", "bus", "1980s")]
    ['lead', 'creat', 'creat', 'cre', 'bus', '1980s']
    """
    if _has_digit(word):
        return word
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _LEAST_STEM:
            return word[: -len(suffix)]
    return word


def words_of(text: str) -> list[Word]:
    """The words of a text, folded; punctuation is none.

    Examples
    --------
    >>> words_of("Café, 1923")
    [Word(text='cafe', start=0, end=4), Word(text='1923', start=6, end=10)]
    """
    tokens = split_words(text)
    found = zip(map(folded, tokens.texts), tokens.starts, tokens.ends, strict=True)
    return [Word(word, start, end) for word, start, end in found if word]


def content_words(words: Iterable[Word]) -> list[Word]:
    """The words that say something.

    Examples
    --------
    >>> [word.text for word in content_words(words_of("Bionico is a dish that is called food."))]
    ['bionico', 'dish', 'food']
    """
    return [word for word in words if word.text not in FUNCTION_WORDS]


def name_words(name: str) -> list[str]:
    """The words of a term, property or category, camel case split.

    Examples
    --------
    >>> name_words("birthPlace"), name_words("Abilene,_Texas"), name_words("officeHeld/workedAt")
    (['birth', 'place'], ['abilene', 'texas'], ['office', 'held', 'worked', 'at'])
    """
    return [word.text for word in words_of(_CAMEL.sub(" ", name).replace("_", " "))]


@lru_cache(maxsize=1 << 12)
def wordings(property_: str) -> frozenset[str]:
    """Words in which a text may put a property: those of its name, and others that mean it.

    Examples
    --------
    >>> sorted(wordings("deathPlace"))
    ['dead', 'death', 'died', 'dies', 'passed', 'place']
    """
    found: set[str] = set()
    for word in name_words(property_):
        if word not in FUNCTION_WORDS:
            found.add(word)
            found |= WORDINGS.get(word) or WORDINGS.get(word.removesuffix("s")) or frozenset()
    return frozenset(found)


@lru_cache(maxsize=1 << 12)
def known_words(input_: Input, original: Graph | None) -> Known:
    """What an input explains: its terms, properties with their wordings, titles, category."""
    names: list[str] = [input_.category or ""]
    properties: list[str] = []
    for graph in (input_, original):
        if isinstance(graph, Graph):
            names += [term for triple in graph.triples for term in (triple.subject, triple.object)]
            properties += [triple.predicate for triple in graph.triples]
    if not isinstance(input_, Graph):
        names += [input_.title, input_.section_title, *(cell.value for cell in input_.cells)]
        properties += [cell.attribute for cell in input_.cells]
    words = {word for name in dict.fromkeys(names) for word in name_words(name)}
    return Known.of(words.union(*map(wordings, dict.fromkeys(properties))))


def is_worded(triple: Triple, words: frozenset[str], stems: frozenset[str]) -> bool:
    """Whether a text with these words and stems has a word for the property of a triple."""
    if not stems.isdisjoint(map(stem, wordings(triple.predicate))):
        return True
    # "in Oslo" words a location, but not a birthPlace.
    name = [word for word in name_words(triple.predicate) if word not in FUNCTION_WORDS]
    placed = bool(name) and PLACE_PROPERTIES.issuperset(name)
    return placed and not words.isdisjoint(PLACE_PREPOSITIONS)


def _has_digit(word: str) -> bool:
    return any(character.isdigit() for character in word)
