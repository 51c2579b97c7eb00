"""What capitals tell about names: where a text uses them, and whether a name is written as it should be."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache

from esascore.lexicon.files import load, values
from esascore.link.folding import FoldedText
from esascore.text.normalize import folded

# What may stand inside a name but makes none begin or end in lower-cased text.
FUNCTION_WORDS = frozenset({
    "a", "an", "the", "this", "that", "these", "those", "and", "or", "but", "nor", "so", "yet", "if", "as",
    "at", "by", "for", "from", "in", "into", "of", "off", "on", "onto", "out", "over", "per", "than", "to",
    "up", "upon", "via", "with", "within", "without", "it", "its", "he", "him", "his", "she", "her", "hers",
    "they", "them", "their", "we", "us", "our", "you", "your", "i", "me", "my", "who", "whom", "whose",
    "which", "what", "when", "where", "why", "how", "there", "here", "is", "are", "was", "were", "be",
    "been", "being", "am", "has", "have", "had", "do", "does", "did", "will", "would", "shall", "should",
    "can", "could", "may", "might", "must", "not", "no", "also", "both", "some", "any", "all", "many",
    "most", "more", "much", "few", "such", "same", "own", "only", "very", "just", "about", "after",
    "before", "since", "until", "while", "during", "between", "among", "through", "under", "above", "below",
    "near", "because", "then", "now", "each", "other", "another", "one", "two", "three", "four", "five",
    "six", "seven", "eight", "nine", "ten", "first", "second", "third", "s", "t",
})  # fmt: skip
_ENDS = re.compile(r"[.!?][\"'”’)\]]*\s+|\n")
_MAYBE_CAPITAL = re.compile(r"[A-Z]|[^\x00-\x7f\W\d_]")


class Capitals:
    """Where the sentences of a text begin, and in which of them capitals tell names.

    Capitals tell nothing in a sentence without any, in one of nothing else, and in a text that has them only
    where sentences begin.

    Examples
    --------
    >>> view = FoldedText("St. Ives is old. bath is, too.")
    >>> capitals = Capitals(view)
    >>> [capitals.begins(n) for n in range(6)], capitals.tell(1), capitals.tell(4)
    ([True, False, False, False, True, False], True, False)
    """

    __slots__ = ("_firsts", "_told", "_view")

    def __init__(self, view: FoldedText):
        self._view = view
        self._firsts = _first_words(view)
        self._told: list[bool] | None = None

    def _sentences(self) -> list[bool]:
        view, firsts = self._view, self._firsts
        if not view.words or view.text.islower() or not self._any_inside():
            return [False] * len(firsts)
        if len(firsts) == 1:
            return [not view.text.isupper()]
        edges = [*(view.starts[first] for first in firsts), len(view.text)]
        pieces = (view.text[edges[n] : edges[n + 1]] for n in range(len(firsts)))
        return [not (piece.islower() or piece.isupper()) for piece in pieces]

    def _any_inside(self) -> bool:
        view = self._view
        begins = {view.starts[first] for first in self._firsts}
        return any(
            match[0].isupper() and match.start() not in begins for match in _MAYBE_CAPITAL.finditer(view.text)
        )

    def begins(self, word: int) -> bool:
        """Tell whether a word is the first of a sentence."""
        return word in self._firsts

    def crossed(self, start: int, end: int) -> bool:
        """Tell whether a sentence begins inside a span of words."""
        return len(self._firsts) > 1 and any(start < first < end for first in self._firsts)

    def tell(self, word: int) -> bool:
        """Tell whether capitals tell names in the sentence of a word."""
        if self._told is None:  # many texts hold no name for which that matters
            self._told = self._sentences()
        if len(self._firsts) == 1:
            return self._told[0]
        return self._told[bisect_left(self._firsts, word + 1) - 1]


def is_written_as(words: Sequence[str], name: Sequence[str], *, begins: bool = False) -> bool:
    """Tell whether words of a text, which uses capitals for names, are written as those of a name.

    A text may use more capitals than the name, and fewer for small words inside it and for the first word of
    a name that has no other capital (*Rock music*), as titles of pages always begin with one. Of names in
    capitals only (*IT*) all are needed.

    Parameters
    ----------
    words, name
        As many words, which differ in case and accents only.
    begins
        Whether the words stand at the beginning of a sentence.

    Examples
    --------
    >>> is_written_as(["apple"], ["Apple"]), is_written_as(["Apple"], ["apple"])
    (False, True)
    >>> is_written_as(["rock", "music"], ["Rock", "music"]), is_written_as(["It"], ["IT"], begins=True)
    (True, False)
    """
    if len(words) == 1 and words[0] == name[0] and words[0] not in FUNCTION_WORDS:
        return not (begins and words[0].lower() in FUNCTION_WORDS)
    if words[0] in FUNCTION_WORDS and words[0] != "the":
        return False  # the mayor of Montreal, not the band
    if len(words) > 1 and words[-1] in FUNCTION_WORDS:
        return False
    if begins and words[0].lower() in FUNCTION_WORDS and words[0].lower() != "the":
        return False
    for place, (word, own) in enumerate(zip(words, name, strict=True)):
        if word == own or own.islower():
            continue
        if own.isupper() and len(own) > 1:
            return False
        if not _is_plain(word) or not own[0].isupper():  # iPhone, of a page that is called IPhone
            continue
        if place and own.lower() in FUNCTION_WORDS:
            continue
        if place == 0 and (word == "the" or (len(name) > 1 and all(map(_is_plain, name[1:])))):
            continue
        return False
    return True


def _is_plain(word: str) -> bool:
    return word.lower() == word


def _first_words(view: FoldedText) -> list[int]:
    firsts = [0] if view.words else []
    for end in _ENDS.finditer(view.text):
        word = bisect_left(view.starts, end.end())
        if word >= len(view.words) or word == firsts[-1] or word == 0:
            continue
        if end[0][0] == "." and view.ends[word - 1] == end.start() and _is_short(view, word - 1):
            continue
        firsts.append(word)
    return firsts


def _is_short(view: FoldedText, word: int) -> bool:
    """Tell whether a full stop belongs to the word before it: an initial or an abbreviation."""
    written = view.words[word]
    return (len(written) == 1 and written.isalpha()) or written in _abbreviations()


@cache
def _abbreviations() -> frozenset[str]:
    forms = [form for _, cell in load("abbreviations").rows for form in values(cell)]
    forms += [form for _, cell in load("titles").rows for form in values(cell)]
    return frozenset(folded(form[:-1]) for form in forms if form.endswith("."))
