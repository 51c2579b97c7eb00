"""English words without their inflection, roughly."""

from __future__ import annotations

from functools import lru_cache

# Longest first: what is left of a word has at least four letters.
_SUFFIXES = (
    *("ations", "ation", "ingly", "edly", "ings", "ing", "ers", "ors", "er", "or"),
    *("ies", "ied", "es", "ed", "s", "e", "y", "ly"),
)
_LEAST_STEM = 4
_ENDINGS = ("ly", "ing", "ed", "ies", "es", "s")
_WHOLE = ("ss", "ily")  # class, family
_LEAST_BASE = 3


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


@lru_cache(maxsize=1 << 16)
def base(word: str) -> str:
    """Cut an English ending off a folded word, also off short ones.

    What is left may be another word as well ("rat" of "rated"): for phrases, where its neighbours tell.

    Examples
    --------
    >>> [base(word) for word in ("families", "family", "pets", "moderately", "rated", "rating", "class")]
    ['famil', 'famil', 'pet', 'moderat', 'rat', 'rat', 'class']
    """
    if not word.isalpha() or len(word) <= _LEAST_BASE:
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_BASE and not word.endswith(_WHOLE):
            word = word[: -len(ending)]
            break
    return word[:-1] if word[-1] in "ey" and len(word) > _LEAST_BASE else word
