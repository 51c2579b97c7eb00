"""English words: which are common, and which are names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from esascore.lexicon.files import load, values
from esascore.text.normalize import folded

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_LEAST_MISSPELT = 7


@dataclass(frozen=True, slots=True)
class Words:
    """Folded words: those that a dictionary has in lower case, and those that it has capitalised."""

    common: frozenset[str]
    proper: frozenset[str]


@cache
def english_words() -> Words:
    """Return the words of the lexicon ``english_words``.

    Examples
    --------
    >>> words = english_words()
    >>> "parking" in words.common, "london" in words.common, "london" in words.proper
    (True, False, True)
    """
    common: set[str] = set()
    proper: set[str] = set()
    for word, forms in load("english_words").rows:
        for form in (word, *values(forms)):
            (common if form[0].islower() else proper).add(folded(form))
    return Words(frozenset(common), frozenset(proper))


@lru_cache(maxsize=1 << 16)
def is_misspelt(word: str) -> bool:
    """Tell whether one letter changed, left out, put in or swapped makes a folded word a common one.

    Examples
    --------
    >>> is_misspelt("goverment"), is_misspelt("selandra")
    (True, False)
    """
    if len(word) < _LEAST_MISSPELT:
        return False
    common = english_words().common
    cuts = [(word[:n], word[n:]) for n in range(1, len(word) + 1)]
    return any(
        left + right[1:] in common
        or (len(right) > 1 and left + right[1] + right[0] + right[2:] in common)
        or any(left + letter + right in common or left + letter + right[1:] in common for letter in _LETTERS)
        for left, right in cuts
    )
