"""A text on its way to being explained: its words, and which of them are spoken for."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

from esascore.claims.reading import ADDRESS
from esascore.claims.vocabulary import Explained
from esascore.text.casing import Casing
from esascore.text.document import Document
from esascore.text.symbols import tail
from esascore.text.words import Phrase

# What is left of a system's inner workings, and character references.
_PLACEHOLDER = re.compile(
    r"\b(?:agent|patient|bridge|entity|ent)\s?[-_]\s?\d+\b|__\w+__|&\s?(?:amp\s?;\s?)?#?\w+\s?;",
    re.IGNORECASE,
)
_LEAKS = frozenset({"agent", "patient", "bridge", "entity", "ent"})


@dataclass(slots=True)  # made for every text, in a third of the time that a frozen one takes
class View:
    """The folded words of a text with their places, and which are spoken for."""

    document: Document
    text: str
    explained: Explained
    words: Phrase
    starts: Sequence[int]
    ends: Sequence[int]
    taken: list[bool]

    @classmethod
    def of(cls, document: Document, explained: Explained) -> View:
        """Read a text; the names of the input and what a system left in it by mistake are spoken for."""
        words = document.words
        texts = words.texts
        view = cls(document, document.text, explained, texts, words.starts, words.ends, [False] * len(texts))
        view._take_phrases()
        return view

    @property
    def lowered(self) -> str:
        """The text in small letters, each character in its place."""
        return self.document.lowered

    @property
    def casing(self) -> Casing:
        """In which sentences capitals tell names."""
        return self.document.casing

    def _take_phrases(self) -> None:
        phrases, tails = self.explained.phrases, self.explained.tails
        text, words, taken = self.text, self.words, self.taken
        done = 0
        for position in compress(range(len(words)), map(phrases.lengths.__contains__, words)):
            if position >= done:
                found = phrases.longest(words, position)
                if found is not None and (not tails or self.has_own_tail(found[0] - 1)):
                    done = found[0]
                    taken[position:done] = [True] * (done - position)
                    if words[done - 1] in tails:  # the Plus of S24 Plus
                        self.take(self.starts[position], tail(text, self.ends[done - 1])[1])
        if not _LEAKS.isdisjoint(words) or "&" in text or "__" in text:
            for leak in _PLACEHOLDER.finditer(text):
                self.take(leak.start(), leak.end())
        if "://" in text or "www." in text:
            for address in ADDRESS.finditer(text):
                self.take(address.start(), address.end())

    def has_own_tail(self, index: int) -> bool:
        """Tell whether the symbols after a word are those that it has in the input: S24+ is not S24."""
        tails = self.explained.tails.get(self.words[index])
        return tails is None or tail(self.text, self.ends[index])[0] in tails

    def inside(self, start: int, end: int) -> range:
        """The words that a span touches."""
        return range(bisect_right(self.ends, start), bisect_left(self.starts, end))

    def take(self, start: int, end: int) -> None:
        """Note that the words of a span are spoken for."""
        for index in self.inside(start, end):
            self.taken[index] = True

    def has_space(self, index: int) -> bool:
        """Tell whether there is white space before a word."""
        return any(c.isspace() for c in self.text[self.ends[index - 1] : self.starts[index]])
