"""A text while it is being explained: its words, and which of them are already explained."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import compress

from esascore.claims.reading import ADDRESS
from esascore.claims.vocabulary import Explained
from esascore.text.document import Document

# What is left of a system's inner workings, and character references.
_PLACEHOLDER = re.compile(
    r"\b(?:agent|patient|bridge|entity|ent)\s?[-_]\s?\d+\b|__\w+__|&\s?(?:amp\s?;\s?)?#?\w+\s?;",
    re.IGNORECASE,
)
_LEAKS = frozenset({"agent", "patient", "bridge", "entity", "ent"})


class View:
    """The folded words of a text with their places, and which are already explained.

    At first these are the names of the input, addresses, and what a system left in the text by mistake.
    """

    def __init__(self, document: Document, explained: Explained):
        words = document.words
        self.document, self.text, self.explained = document, document.text, explained
        self.words, self.starts, self.ends = words.texts, words.starts, words.ends
        self.casing = document.casing
        self.taken = [False] * len(self.words)
        self._take_phrases()
        if not _LEAKS.isdisjoint(self.words) or "&" in self.text or "__" in self.text:
            self._take_all(_PLACEHOLDER)
        if "://" in self.text or "www." in self.text:
            self._take_all(ADDRESS)

    def _take_all(self, pattern: re.Pattern[str]) -> None:
        for found in pattern.finditer(self.text):
            self.take(*found.span())

    def _take_phrases(self) -> None:
        phrases, words = self.explained.phrases, self.words
        done = 0
        for position in compress(range(len(words)), map(phrases.lengths.__contains__, words)):
            found = phrases.longest(words, position) if position >= done else None
            if found is None:
                continue
            done = found[0]
            self.take(self.starts[position], self.ends[done - 1])

    def is_capital(self, index: int) -> bool:
        """Return whether a word begins with a capital."""
        return self.text[self.starts[index]].isupper()

    def between(self, index: int) -> str:
        """Return what stands before a word, and after the one before it."""
        return self.text[self.ends[index - 1] if index else 0 : self.starts[index]]

    def inside(self, start: int, end: int) -> range:
        """Return the numbers of the words that a span touches."""
        return range(bisect_right(self.ends, start), bisect_left(self.starts, end))

    def take(self, start: int, end: int) -> None:
        """Note that the words of a span are explained."""
        for index in self.inside(start, end):
            self.taken[index] = True
