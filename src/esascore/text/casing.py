"""Capitals as a sign of names: where a text uses them, and whether a name is written as expected."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

from esascore.lazy import lazy
from esascore.text.vocabulary import function_words
from esascore.text.words import FoldedWords

_MOSTLY = 0.85
_FEW_WORDS = 6
_STOP = re.compile("[.!?]")


class Casing:
    """The sentences of a text in which capitals are a sign of names.

    Capitals say nothing in a sentence without any, in one with nothing else, in one where nearly every word
    has one, in a heading where all but small words have one, and in a text that has them only where sentences
    begin.

    Parameters
    ----------
    text, words
        The text and its folded words.
    starts
        Where the sentences begin in the text.

    Examples
    --------
    >>> from esascore.text.document import read
    >>> casing = read("St. Ives is old. bath is, too.").casing
    >>> [casing.begins(n) for n in range(6)], casing.tell(1), casing.tell(4)
    ([True, False, False, False, True, False], True, False)
    >>> read("OSLO IS A BIG AND OLD CITY").casing.tell(0)
    False
    """

    def __init__(self, text: str, words: FoldedWords, starts: Sequence[int]):
        self._text = text
        self._words = words
        self.firsts = _first_words(words.starts, starts)
        """The number of the word that each sentence with a word begins with."""

    @lazy
    def _told(self) -> tuple[bool, ...]:
        text, starts, firsts = self._text, self._words.starts, self.firsts
        letters = "".join(map(text.__getitem__, starts))
        capitals = list(map(str.isupper, letters))
        if sum(capitals) == sum(map(capitals.__getitem__, firsts)):  # only where sentences begin
            return (False,) * len(firsts)
        told = []
        lines = "\n" in text
        for first, end in pairwise((*firsts, len(starts))):
            own = sum(capitals[first:end])
            words = sum(map(str.isalpha, letters[first:end]))
            mostly = own > _MOSTLY * words and (
                words >= _FEW_WORDS or text[starts[first] : self._words.ends[end - 1]].isupper()
            )
            told.append(own > 0 and not mostly and not (lines and self._is_heading(first, end)))
        return tuple(told)

    def _is_heading(self, first: int, end: int) -> bool:
        """Return whether a sentence is a line without a full stop, all but small words capitalised."""
        starts, ends, text = self._words.starts, self._words.ends, self._text
        after = text[ends[end - 1] : starts[end] if end < len(starts) else len(text)]
        if _STOP.search(after) or (end < len(starts) and "\n" not in after):
            return False
        main = [n for n in range(first, end) if self._words.texts[n] not in function_words()]
        return end - first > 1 and bool(main) and not any(text[starts[n]].islower() for n in main)

    def begins(self, word: int) -> bool:
        """Return whether a word is the first of a sentence."""
        place = bisect_left(self.firsts, word)
        return place < len(self.firsts) and self.firsts[place] == word

    def crossed(self, start: int, end: int) -> bool:
        """Return whether a sentence begins inside a span of words."""
        place = bisect_right(self.firsts, start)
        return place < len(self.firsts) and self.firsts[place] < end

    def tell(self, word: int) -> bool:
        """Return whether capitals are a sign of names in the sentence of a word."""
        return self._told[0 if len(self.firsts) == 1 else bisect_right(self.firsts, word) - 1]


def _first_words(words: Sequence[int], starts: Sequence[int]) -> tuple[int, ...]:
    if len(starts) < 2:
        return (0,) if words else ()
    firsts = (bisect_left(words, start) for start in starts)
    return tuple(dict.fromkeys(first for first in firsts if first < len(words)))


def is_written_as(words: Sequence[str], name: Sequence[str], *, begins: bool = False) -> bool:
    """Return whether words of a text, which uses capitals for names, are written as those of a name.

    A text may use more capitals than the name, and fewer for small words inside it and for the first word of
    a name that has no other capital (*Rock music*), as titles of pages always begin with one. Of names in
    capitals only (*IT*) all are needed.

    Parameters
    ----------
    words, name
        As many words, which differ in case and accents only.
    begins
        Whether the words are at the beginning of a sentence.

    Examples
    --------
    >>> is_written_as(["apple"], ["Apple"]), is_written_as(["Apple"], ["apple"])
    (False, True)
    >>> is_written_as(["rock", "music"], ["Rock", "music"]), is_written_as(["It"], ["IT"], begins=True)
    (True, False)
    """
    small = function_words("number")
    if len(words) == 1 and words[0] == name[0] and words[0] not in small:
        return not (begins and words[0].lower() in small)
    if words[0] in small and words[0] != "the":
        return False  # the mayor of Montreal, not the band
    if len(words) > 1 and words[-1] in small:
        return False
    if begins and words[0].lower() in small and words[0].lower() != "the":
        return False
    for place, (word, own) in enumerate(zip(words, name, strict=True)):
        if word == own or own.islower():
            continue
        if own.isupper() and len(own) > 1:
            return False
        if not _is_plain(word) or not own[0].isupper():  # iPhone, of a page that is called IPhone
            continue
        if place and own.lower() in small:
            continue
        if place == 0 and (word == "the" or (len(name) > 1 and all(map(_is_plain, name[1:])))):
            continue
        return False
    return True


def _is_plain(word: str) -> bool:
    return word.lower() == word
