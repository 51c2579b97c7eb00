"""Hashes of words and pairs of words, by which an index tells cheaply that no name begins somewhere."""

from __future__ import annotations

from itertools import accumulate
from zlib import crc32

from esascore.text.words import FoldedWords

PAIR_FACTOR = 0x9E3779B1
"""What the hash of the first of two words is multiplied with, modulo 2**32."""


def word_hash(word: str) -> int:
    """Return a hash of a folded word that is the same everywhere.

    Examples
    --------
    >>> word_hash("oslo") == word_hash("Oslo")
    False
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


class HashedWords:
    """The words of a text as an index looks them up.

    Attributes
    ----------
    hashes
        The `word_hash` of each word.
    joined, lengths
        The words with a space after each; how many characters stand before each, without the spaces.

    Examples
    --------
    >>> from esascore.text.document import read
    >>> HashedWords(read("In Łódź, 1999").words).joined
    'in lodz 1999 '
    """

    __slots__ = ("hashes", "joined", "lengths")

    def __init__(self, words: FoldedWords):
        self.hashes = list(map(crc32, map(str.encode, words.texts)))
        self.lengths = [0, *accumulate(map(len, words.texts))]
        self.joined = words.joined + " " if words.texts else ""
