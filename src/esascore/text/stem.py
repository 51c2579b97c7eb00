"""English words without their inflection, roughly."""

from __future__ import annotations

from functools import lru_cache

# Longest first: what is left of a word has at least four letters.
_SUFFIXES = (
    *("ations", "ation", "ingly", "edly", "ings", "ing", "ers", "ors", "er", "or"),
    *("ies", "ied", "es", "ed", "s", "e", "y", "ly"),
)
_LEAST_STEM = 4


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Cut an English inflection off a folded word; words with digits have none.

    Examples
    --------
    >>> [stem(word) for word in ("leaders", "created", "creator", "creation", "bus", "1980s")]
    ['lead', 'creat', 'creat', 'creation', 'bus', '1980s']
    """
    if not word.isalpha():
        return word
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _LEAST_STEM:
            return word[: -len(suffix)]
    return word
