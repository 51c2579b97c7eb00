"""Words of texts and names as they are looked up: without case, accents and punctuation."""

from __future__ import annotations

import re
from itertools import accumulate

from esascore.text.normalize import folded
from esascore.text.tokenize import split_words

_ASCII_WORDS = re.compile("[a-z0-9]+")


def folded_key(name: str) -> str:
    """Return the folded words of a name, joined by spaces.

    Examples
    --------
    >>> folded_key("Saint-Étienne (Loire)"), folded_key("?!")
    ('saint etienne loire', '')
    """
    if name.isascii():  # what the general rule does, several times as fast
        return " ".join(_ASCII_WORDS.findall(name.lower()))
    return " ".join(word for token in split_words(name).texts if (word := folded(token)))


class FoldedText:
    """The folded words of a text and where they stand in it.

    Attributes
    ----------
    words, starts, ends
        The folded words; the i-th was made of ``text[starts[i]:ends[i]]``.
    joined, places
        The words with a space after each; where in it each word begins.

    Examples
    --------
    >>> view = FoldedText("In Łódź, 1999")
    >>> view.words, view.starts, view.joined
    (['in', 'lodz', '1999'], [0, 3, 9], 'in lodz 1999 ')
    """

    __slots__ = ("ends", "joined", "places", "starts", "text", "words")

    def __init__(self, text: str):
        self.text = text
        if text.isascii():
            lowered = text.lower()
            self.words = _ASCII_WORDS.findall(lowered)
            self.starts = [match.start() for match in _ASCII_WORDS.finditer(lowered)]
            self.ends = [start + len(word) for start, word in zip(self.starts, self.words, strict=True)]
        else:
            tokens = split_words(text)
            kept = [(word, n) for n, token in enumerate(tokens.texts) if (word := folded(token))]
            self.words = [word for word, _ in kept]
            self.starts = [tokens.starts[n] for _, n in kept]
            self.ends = [tokens.ends[n] for _, n in kept]
        self.joined = " ".join(self.words) + " "
        self.places = list(accumulate((len(word) + 1 for word in self.words), initial=0))
