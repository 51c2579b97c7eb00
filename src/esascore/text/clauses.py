"""A text prepared for comparing phrases: word bases, without articles and forms of "be", by clause."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from esascore.text.document import Document, read
from esascore.text.numerals import find_numerals
from esascore.text.stem import base
from esascore.wordlists import load

WORDLISTS = ("truths",)
"""The word lists that are read here."""

NOT = "not"
"""Stands for every negation."""

BREAK = "."
"""Stands for anything that ends a clause: no phrase crosses it."""

Bases = tuple[str, ...]

_DROPPED = frozenset(
    {"a", "an", "the", "of", "is", "are", "was", "were", "be", "been", "it", "its", "s", "isn", "aren"}
)
_ENDS_OF_NEGATION = frozenset({BREAK, "and", "but"})
_LONGEST_ITEM = 5
_PUNCTUATION = re.compile(r"[.,;:!?()\n]")
_INSIDE_NUMBER = re.compile(r"[.,]")
_CONTRACTED = re.compile(r"['’]")


@dataclass(frozen=True, slots=True)
class Clauses:
    """The word bases of a text; ``words[i]`` is the number of the folded word behind the i-th.

    For a break it is that of the word after it. ``commas`` are the breaks that are no more than a comma.
    """

    bases: Bases
    words: tuple[int, ...]
    commas: frozenset[int] = frozenset()

    def negated(self, start: int, reach: int) -> bool:
        """Return whether a negation stands up to this many words before a place, in the same clause.

        It also reaches what is joined by "or": "no rain or snow", "no rain, snow, or hail".
        """
        if self._is_in_negated_list(start):
            return True
        while start > 1 and self.bases[start - 1] == "or" and self.bases[start - 2] != BREAK:
            start -= 2
        for base_ in reversed(self.bases[max(0, start - reach) : start]):
            if base_ == NOT:
                return True
            if base_ in _ENDS_OF_NEGATION:
                break
        return False

    def _is_in_negated_list(self, start: int) -> bool:
        """Return whether a place is in a later item of a list that a negation begins and "or" ends."""
        if not self.commas or not self._ends_with_or(start):
            return False
        item = 0
        for at in range(start - 1, -1, -1):
            base_ = self.bases[at]
            if at in self.commas:
                item = 0
                continue
            item += 1
            if base_ == NOT:
                return any(at < comma < start for comma in self.commas)
            if base_ in _ENDS_OF_NEGATION or item > _LONGEST_ITEM:
                return False
        return False

    def _ends_with_or(self, start: int) -> bool:
        if start and self.bases[start - 1] == "or":
            return True
        item = 0
        for at in range(start, len(self.bases)):
            if at in self.commas:
                item = 0
            elif self.bases[at] == "or":
                return True
            elif self.bases[at] in _ENDS_OF_NEGATION or item > _LONGEST_ITEM:
                return False
            item += 1
        return False


def clauses(document: Document) -> Clauses:
    """Read a document clause by clause.

    Examples
    --------
    >>> clauses(read("It isn't a family-friendly pub, but it has moderately priced food.")).bases
    ('not', 'famil', 'friend', 'pub', '.', 'but', 'has', 'moderat', 'pric', 'food')
    >>> clauses(read("Five stars, £1,250.")).bases
    ('5', 'star', '.', '1', '250')
    """
    return document.once(_clauses)


def _clauses(document: Document) -> Clauses:
    words, text = document.words, document.text
    bases: list[str] = []
    numbers: list[int] = []
    commas: set[int] = set()
    end = 0
    for number, word in enumerate(words.texts):
        between = text[end : words.starts[number]]
        end = words.ends[number]
        if between != " ":
            if bases and bases[-1] != BREAK and _is_break(between, bases[-1], word):
                if between.strip() == ",":
                    commas.add(len(bases))
                bases.append(BREAK)
                numbers.append(number)
            if word == "t" and _CONTRACTED.fullmatch(between):
                bases.append(NOT)
                numbers.append(max(0, number - 1))  # "isn't" is one word to a reader
                continue
        if word not in _DROPPED:
            bases.append(_base(word))
            numbers.append(number)
    return Clauses(tuple(bases), tuple(numbers), frozenset(commas))


@lru_cache(maxsize=1 << 12)
def phrase(text: str) -> Bases:
    """Return the word bases of a phrase, without breaks.

    Examples
    --------
    >>> phrase("not suitable for families"), phrase("£20-25")
    (('not', 'suitabl', 'for', 'famil'), ('20', '25'))
    """
    return tuple(base_ for base_ in clauses(read(text)).bases if base_ != BREAK)


@cache
def truth_words(kind: str) -> frozenset[str]:
    """Return the words of a kind of the word list ``truths``.

    Examples
    --------
    >>> "without" in truth_words("negation"), "allowed" in truth_words("allowing")
    (True, True)
    """
    return frozenset(word for word, own in load("truths").rows if own == kind)


@lru_cache(maxsize=1 << 14)
def _base(word: str) -> str:
    if word in truth_words("negation"):
        return NOT
    numerals = find_numerals(word)
    if numerals and not numerals[0].ordinal and numerals[0].end == len(word):
        return str(numerals[0].value)
    return base(word)


def _is_break(between: str, before: str, after: str) -> bool:
    if not _PUNCTUATION.search(between):
        return False
    return not (before.isdigit() and after.isdigit() and _INSIDE_NUMBER.fullmatch(between))
