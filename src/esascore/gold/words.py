"""The words that make a string recognisable, for telling related strings from unrelated ones."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_FUNCTION_WORDS = """
    a an the of in on at by for from to with and or as is are was were it its he his she her they their
    this that these those which who whose where s de la le el di da do del der den von van y e
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())


def fold(text: str) -> str:
    """Lower-case a text and drop its diacritics.

    Examples
    --------
    >>> fold("Sérgio Ødegård")
    'sergio ødegard'
    """
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFD", text.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))


@lru_cache(maxsize=2**16)
def content_words(text: str) -> frozenset[str]:
    """The folded words of a text but for function words; numbers are words, however they are written.

    Examples
    --------
    >>> sorted(content_words("The University_of_Texas at Austin, 1,883.0 m"))
    ['1883', 'austin', 'm', 'texas', 'university']
    """
    return frozenset(_words(text)) - FUNCTION_WORDS


def all_content_words(texts: Iterable[str]) -> frozenset[str]:
    """The content words of several texts.

    Examples
    --------
    >>> sorted(all_content_words(["the Roman", "Empire"]))
    ['empire', 'roman']
    """
    return frozenset().union(*map(content_words, texts))


@lru_cache(maxsize=2**16)
def word_string(text: str) -> str:
    """All words of a text, folded, each between single spaces: for finding strings at word boundaries.

    Examples
    --------
    >>> word_string("Washington, D.C.")
    ' washington d c '
    """
    return f" {' '.join(_words(text))} "


def _words(text: str) -> list[str]:
    return [
        word.replace(",", "").removesuffix(".0") if word[0].isdigit() else word
        for word in _WORD.findall(fold(text))
    ]
