"""Words of texts and names as they are looked up: without case, accents and punctuation."""

from __future__ import annotations

import re
from itertools import accumulate
from operator import add
from zlib import crc32

from esascore.text.normalize import folded
from esascore.text.tokenize import split_words

_ASCII_WORDS = re.compile("[a-z0-9]+")
_ASCII_LETTERS = re.compile("[A-Za-z0-9]+")


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


def words_as_written(name: str) -> tuple[str, ...]:
    """Return the words of a name in its own letters.

    Examples
    --------
    >>> words_as_written("O'Neil (actor)")
    ('O', 'Neil', 'actor')
    """
    if name.isascii():
        return tuple(_ASCII_LETTERS.findall(name))
    return tuple(token for token in split_words(name).texts if folded(token))


def word_hash(word: str) -> int:
    """Return a hash of a folded word that is the same everywhere.

    Examples
    --------
    >>> word_hash("oslo") == FoldedText("Oslo").hashes[0]
    True
    """
    return crc32(word.encode())


def pair_hash(first: str, second: str) -> int:
    """Return a hash of two folded words that is the same everywhere.

    Examples
    --------
    >>> pair_hash("new", "york") == FoldedText("New York").pairs[0]
    True
    """
    return crc32(f"{first} {second}".encode())


class FoldedText:
    """The folded words of a text and where they stand in it.

    Attributes
    ----------
    words, starts, ends
        The folded words; the i-th was made of ``text[starts[i]:ends[i]]``.
    joined, lengths
        The words with a space after each; how many characters stand before each, without the spaces.
    hashes, pairs
        The `word_hash` of each word, and the `pair_hash` of it and the next (0 for the last).

    Examples
    --------
    >>> view = FoldedText("In Łódź, 1999")
    >>> view.words, view.starts, view.joined
    (['in', 'lodz', '1999'], [0, 3, 9], 'in lodz 1999 ')
    """

    __slots__ = ("ends", "hashes", "joined", "lengths", "pairs", "starts", "text", "words")

    def __init__(self, text: str):
        self.text = text
        if text.isascii():
            lowered = text.lower()
            self.words = _ASCII_WORDS.findall(lowered)
            self.starts = [match.start() for match in _ASCII_WORDS.finditer(lowered)]
            self.ends = list(map(add, self.starts, map(len, self.words)))
        else:
            tokens = split_words(text)
            kept = [(word, n) for n, token in enumerate(tokens.texts) if (word := folded(token))]
            self.words = [word for word, _ in kept]
            self.starts = [tokens.starts[n] for _, n in kept]
            self.ends = [tokens.ends[n] for _, n in kept]
        self.lengths = [0, *accumulate(map(len, self.words))]
        self.joined = " ".join(self.words) + " " if self.words else ""
        encoded = self.joined.encode().split(b" ")[:-1]
        self.hashes = list(map(crc32, encoded))
        self.pairs = [*map(crc32, [b" " + word for word in encoded[1:]], self.hashes), 0][: len(encoded)]
