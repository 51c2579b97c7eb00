"""English words: common ones, names, those without content, months and weekdays, and abbreviations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain

from esascore.text.normalize import folded
from esascore.wordlists import SEVERAL, load, values

WORDLISTS = ("english_words", "function_words", "titles", "abbreviations", "months")
"""The word lists that are read here."""

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

PLAIN = ("word", "contraction")
"""The kinds of function words that are nothing else in any reading."""

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_LEAST_MISSPELT = 7


@dataclass(frozen=True, slots=True)
class Dictionary:
    """Folded words: those that a dictionary has in lower case, and those that it has capitalised."""

    common: frozenset[str]
    proper: frozenset[str]


@cache
def english_words() -> Dictionary:
    """Return the words of the lexicon ``english_words``.

    Examples
    --------
    >>> words = english_words()
    >>> "parking" in words.common, "london" in words.common, "london" in words.proper
    (True, False, True)
    """
    cells = filter(None, chain.from_iterable(load("english_words").rows))
    common: set[str] = set()
    proper: set[str] = set()
    # Not `folded`, which would forget the words of texts over so many others.
    fold = folded.__wrapped__
    for form in SEVERAL.join(cells).split(SEVERAL):
        plain = form.isascii() and form.isalpha()  # nearly all, which spares them the call
        (common if form[0].islower() else proper).add(form.lower() if plain else fold(form))
    return Dictionary(frozenset(common), frozenset(proper))


@cache
def function_words(*more: str) -> frozenset[str]:
    """Return the folded words without content, and those of further kinds of ``function_words``.

    Examples
    --------
    >>> "which" in function_words(), "three" in function_words(), "three" in function_words("number")
    (True, False, True)
    """
    kinds = (*PLAIN, *more)
    return frozenset(word for word, kind in load("function_words").rows if kind in kinds)


@cache
def month_numbers() -> Mapping[str, int]:
    """Return the English months by their lower-cased names and abbreviations.

    Examples
    --------
    >>> month_numbers()["april"], month_numbers()["sept"]
    (4, 9)
    """
    named = {name.lower(): int(row[0]) for row in load("months").rows for name in row[1:]}
    return {**named, "sept": 9}


@cache
def title_words() -> frozenset[str]:
    """Return the folded titles before names: mr, dr, sir.

    Examples
    --------
    >>> "mr" in title_words()
    True
    """
    return frozenset(
        word
        for position, words in load("titles").rows
        if position == "before"
        for form in values(words)
        for word in map(folded, form.rstrip(".").split())
        if word
    )


@cache
def stopped_words() -> frozenset[str]:
    """Return the folded abbreviations after which a full stop ends no sentence.

    Examples
    --------
    >>> "st" in stopped_words(), "bridge" in stopped_words()
    (True, False)
    """
    rows = (*load("abbreviations").rows, *load("titles").rows)
    forms = (form for _, cell in rows for form in values(cell))
    stopped = (word for word, kind in load("function_words").rows if kind == "stopped")
    return frozenset(stopped).union(folded(form[:-1]) for form in forms if form.endswith(".")) - {""}


@lru_cache(maxsize=1 << 16)
def is_misspelt(word: str) -> bool:
    """Return whether one letter changed, left out, put in or swapped makes a folded word a common one.

    Examples
    --------
    >>> is_misspelt("goverment"), is_misspelt("selandra")
    (True, False)
    """
    if not _LEAST_MISSPELT <= len(word) <= longest_common() + 1:
        return False
    common = english_words().common
    cuts = [(word[:n], word[n:]) for n in range(1, len(word) + 1)]
    return any(
        left + right[1:] in common
        or (len(right) > 1 and left + right[1] + right[0] + right[2:] in common)
        or any(left + letter + right in common or left + letter + right[1:] in common for letter in _LETTERS)
        for left, right in cuts
    )


@cache
def longest_common() -> int:
    """Return the number of letters of the longest common word.

    Examples
    --------
    >>> longest_common() > 15
    True
    """
    return max(map(len, english_words().common))
