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
_ASCII_FOLDED = bytes(ord(chr(n).lower()) if chr(n).isalnum() else 32 for n in range(128)).ljust(256)
PAIR_FACTOR = 0x9E3779B1
"""What the hash of the first of two words is multiplied with, modulo 2**32."""


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


def pair_hash(first: int, second: int) -> int:
    """Return a hash of two words, by their own, that is the same everywhere.

    Examples
    --------
    >>> pair_hash(word_hash("new"), word_hash("york")) == pair_hash(word_hash("york"), word_hash("new"))
    False
    """
    return (first * PAIR_FACTOR + second) & 0xFFFFFFFF


class FoldedText:
    """The folded words of a text and where they stand in it.

    Attributes
    ----------
    words, starts, ends
        The folded words; the i-th was made of ``text[starts[i]:ends[i]]``.
    joined, lengths
        The words with a space after each; how many characters stand before each, without the spaces.
    hashes
        The `word_hash` of each word.

    Examples
    --------
    >>> view = FoldedText("In Łódź, 1999")
    >>> view.words, view.starts, view.joined
    (['in', 'lodz', '1999'], [0, 3, 9], 'in lodz 1999 ')
    """

    __slots__ = ("ends", "hashes", "joined", "lengths", "starts", "text", "words")

    def __init__(self, text: str):
        self.text = text
        if text.isascii():
            encoded = text.encode().translate(_ASCII_FOLDED).split()
            self.words = b" ".join(encoded).decode().split(" ") if encoded else []
            self.starts = [match.start() for match in _ASCII_LETTERS.finditer(text)]
            self.ends = list(map(add, self.starts, map(len, self.words)))
        else:
            tokens = split_words(text)
            kept = [(word, n) for n, token in enumerate(tokens.texts) if (word := folded(token))]
            self.words = [word for word, _ in kept]
            self.starts = [tokens.starts[n] for _, n in kept]
            self.ends = [tokens.ends[n] for _, n in kept]
            encoded = [word.encode() for word in self.words]
        self.lengths = [0, *accumulate(map(len, self.words))]
        self.joined = " ".join(self.words) + " " if self.words else ""
        self.hashes = list(map(crc32, encoded))
