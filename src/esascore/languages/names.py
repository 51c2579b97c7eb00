"""Whether a word of a text is a word of the input: inflected, or in another script.

The limits were measured (``docs/languages.md``): on the inflected names of four languages, and on the names
of the world's cities in other scripts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Any

from esascore.languages.scripts import plain

INFLECTED, SOUNDS_ALIKE = 0.03, 0.08
"""The costs, as evidence, of an inflected word and of a word in another script."""

_LEAST, _LEAST_SHARE = 3, 0.6  # of a word that another form of it must share
_LONGEST_ENDING, _LONGEST_LOST = 3, 2
_ENDINGS = (0, 1, 2)
_LEAST_TO_CUT = 5
_LEAST_ROOT = 5
_LAST_LATIN = "\u024f"
_LONG = 6
_VOWELS = frozenset("aeiouy'")
_NEAR, _FAR, _FARTHEST = 0.3, 0.5, 0.6
_LEAST_SKELETON, _LEAST_TO_DIFFER = 2, 4
# Letters that scripts write for each other, by a sound that they have in common.
_SOUNDS = tuple(
    (re.compile(letters), sound)
    for letters, sound in (
        ("'", ""), ("sch|tch|dzh|zh|sh|ch|dj|j|x|ks|ts|tz|cz|z|c(?=[eiy])|s", "s"), ("kh|gh|h", ""),
        ("ph", "f"), ("th", "t"), ("ck|qu|q|k|g|c", "k"), ("wh|w|v|f|b|p|u(?=[aeio])", "v"), ("d", "t"),
        ("m", "n"), ("^[aeiouy]", "A"), ("[aeiouy]+", ""), (r"(.)\1+", r"\1"),
    )
)  # fmt: skip


class Names:
    """The words of an input, and which of them a word of a text is.

    Examples
    --------
    >>> names = Names(["Berlin", "Austria", "Marlowe"], "de")
    >>> names.of("Berlins"), names.of("Australien"), names.of("Oslo")
    (('Berlin', 0.03), None, None)
    """

    def __init__(self, words: Iterable[str], code: str):
        every = dict.fromkeys(words)
        self._latin = _Index((word for word in every if is_latin(word)), str)
        self._other = _Index((word for word in every if not is_latin(word)), _stemmer(code))
        self._stemmed = _Index(self._latin.exact.values(), _stemmer(code))
        self.of = lru_cache(maxsize=1 << 10)(self._of)

    def _of(self, word: str) -> tuple[str, float] | None:
        if is_latin(word):
            return self._stemmed.of(word)
        own = plain(word)
        if (found := self._other.of(word) or self._latin.of(word)) is not None:
            return found
        near = [
            (distance, name)
            for other, name in self._latin.exact.items()
            if (distance := _sound_distance(own, other)) is not None
        ]
        return (min(near)[1], SOUNDS_ALIKE) if near else None


class _Index:
    """Words of one script, by their plain letters, stems and beginnings."""

    def __init__(self, words: Iterable[str], stem: Callable[[str], str]):
        self.exact: dict[str, str] = {}
        self._stems: dict[str, str] = {}
        self._by_start: dict[str, list[tuple[str, str]]] = {}
        self._stem = stem
        for word in words:
            own = plain(word)
            if own not in self.exact:
                self.exact[own] = word
                self._stems.setdefault(stem(word.lower()), word)
                self._by_start.setdefault(own[:_LEAST], []).append((own, word))

    def of(self, word: str) -> tuple[str, float] | None:
        own = plain(word)
        if own in self.exact:
            return self.exact[own], 0.0
        if len(own) <= _LEAST:
            return None
        adjective = word[0].islower()
        found = [
            (_shared(own, other), name)
            for other, name in self._by_start.get(own[:_LEAST], ())
            if is_inflected(own, other) or (adjective and name[0].isupper() and is_derived(own, other))
        ]
        if found:
            return max(found)[1], INFLECTED
        name = self._stems.get(self._stem(word.lower()))
        return None if name is None else (name, INFLECTED)


def is_inflected(word: str, name: str) -> bool:
    """Return whether a plain word may be another form of a plain name: most of both is the same start.

    Examples
    --------
    >>> is_inflected("moskve", "moskva"), is_inflected("austria", "australia"), is_inflected("iran", "irak")
    (True, False, False)
    """
    shared = _shared(word, name)
    lost = name[shared:]
    if len(name) < _LONG and not _VOWELS.issuperset(lost):
        return False  # short names lose only vowels
    return (
        shared >= max(_LEAST, _LEAST_SHARE * max(len(word), len(name)))
        and len(word) - shared <= _LONGEST_ENDING
        and len(lost) <= _LONGEST_LOST
    )


def is_derived(word: str, name: str) -> bool:
    """Return whether a plain word may be an adjective of a plain name.

    Examples
    --------
    >>> is_derived("autrichienne", "autriche"), is_derived("portugues", "portland")
    (True, False)
    """
    shared = _shared(word, name)
    return shared >= _LEAST_ROOT and len(name) - shared <= _LONGEST_LOST


def _sound_distance(word: str, name: str) -> float | None:
    if name[0] == "j" and word[0] == "y":  # the j of most languages
        name = f"y{name[1:]}"
    levenshtein = _levenshtein()
    best = None
    for cut in _ENDINGS if len(word) >= _LEAST_TO_CUT else _ENDINGS[:1]:
        own = word[: len(word) - cut]
        distance = levenshtein.normalized_distance(own, name)
        if distance > _NEAR:
            mine, other = _skeleton(own), _skeleton(name)
            differ = levenshtein.distance(mine, other)
            far = _FAR if differ else _FARTHEST
            if distance > far or len(other) < _LEAST_SKELETON or differ > (len(other) >= _LEAST_TO_DIFFER):
                continue
        best = distance if best is None else min(best, distance)
    return best


@lru_cache(maxsize=1 << 14)
def _skeleton(word: str) -> str:
    for letters, sound in _SOUNDS:
        word = letters.sub(sound, word)
    return word


def _shared(word: str, name: str) -> int:
    """Return how many letters two words have in common at the start."""
    shared = 0
    for one, other in zip(word, name, strict=False):
        if one != other:
            break
        shared += 1
    return shared


def is_latin(word: str) -> bool:
    """Return whether a word is in Latin letters, by its first one."""
    return word.isascii() or word[0] <= _LAST_LATIN or "\u1e00" <= word[0] <= "\u1eff"


@cache
def _levenshtein() -> Any:
    from rapidfuzz.distance import Levenshtein

    return Levenshtein


@cache
def _stemmer(code: str) -> Any:
    """Return a function that stems words of a language; without a stemmer, it returns the word."""
    try:
        from babel import Locale, UnknownLocaleError
        from snowballstemmer import algorithms, stemmer
    except ModuleNotFoundError:
        return str
    try:
        name = Locale.parse(code).get_display_name("en").lower()
    except (UnknownLocaleError, ValueError):
        return str
    return stemmer(name).stemWord if name in algorithms() else str
