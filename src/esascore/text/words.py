"""The folded words of texts and names, for comparisons that ignore case, accents and punctuation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress, pairwise

from esascore.text.normalize import folded
from esascore.text.tokenize import END_OF, START_OF, TEXT_OF, Tokens, split_words

Phrase = tuple[str, ...]
"""The folded words of a name."""

_ASCII_WORDS = re.compile("[a-z0-9]+")
# Small letters for capitals, spaces for what is neither letter nor digit.
_ASCII_FOLDED = "".join(chr(code).lower() if chr(code).isalnum() else " " for code in range(128))
_ASCII_LETTERS = re.compile("[A-Za-z0-9]+")
# birthPlace, runway2Name (but km2), ICAOLocation, alma_mater
_CAMEL = re.compile(
    r"(?<=[^\W\d_A-Z])(?=[A-Z])|(?<=[^\W\d_A-Z]{3})(?=\d)|(?<=\d)(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_"
)


@dataclass(frozen=True, slots=True)
class FoldedWords:
    """The folded words of a text and where they are in it; tokens of which nothing is left have none.

    The i-th word stands from ``starts[i]`` to ``ends[i]``.

    Examples
    --------
    >>> words = FoldedWords.of("In Łódź, 1999")
    >>> words.texts, words.starts, words.joined
    (('in', 'lodz', '1999'), (0, 3, 9), 'in lodz 1999')
    """

    texts: Phrase
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> FoldedWords:
        """Fold the words of a text."""
        if text.isascii():  # what the general rule does, three times as fast
            found = list(_ASCII_WORDS.finditer(text.lower()))
            return cls(tuple(map(TEXT_OF, found)), tuple(map(START_OF, found)), tuple(map(END_OF, found)))
        return cls.of_tokens(split_words(text))

    @classmethod
    def of_all(cls, texts: Sequence[str]) -> Iterator[FoldedWords]:
        """Fold the words of many texts of ASCII letters, which is twice as fast for all at once.

        Examples
        --------
        >>> [words.starts for words in FoldedWords.of_all(["In Oslo.", "", "It is."])]
        [(0, 3), (), (0, 3)]
        """
        import numpy as np

        joined = "\n".join([*texts, ""]).translate(_ASCII_FOLDED)
        visible = np.frombuffer(f" {joined}".encode("ascii"), np.uint8) != ord(" ")
        edges = np.flatnonzero(visible[1:] != visible[:-1])
        begins = np.cumsum([0, *(len(text) + 1 for text in texts)])
        bounds = np.searchsorted(edges[::2], begins)
        offsets = np.repeat(begins[:-1], np.diff(bounds))
        columns = joined.split(), (edges[::2] - offsets).tolist(), (edges[1::2] - offsets).tolist()
        for first, last in pairwise(bounds.tolist()):
            yield cls(*(tuple(column[first:last]) for column in columns))

    @classmethod
    def of_tokens(cls, tokens: Tokens) -> FoldedWords:
        """Fold the words among the tokens of a text."""
        words = tuple(map(folded, tokens.texts))
        texts = tuple(filter(None, words))
        return cls(texts, tuple(compress(tokens.starts, words)), tuple(compress(tokens.ends, words)))

    @property
    def joined(self) -> str:
        """All words with one space between them."""
        return " ".join(self.texts)

    def __len__(self) -> int:
        return len(self.texts)


def plain_words(text: str) -> list[str]:
    """Return the folded words of an ASCII text.

    Examples
    --------
    >>> plain_words("It's O'Neil.")
    ['it', 's', 'o', 'neil']
    """
    return text.translate(_ASCII_FOLDED).split()


@lru_cache(maxsize=1 << 16)
def name_words(name: str) -> Phrase:
    """Return the folded words of a name.

    Examples
    --------
    >>> name_words("Saint-Étienne (Loire)"), name_words("?!")
    (('saint', 'etienne', 'loire'), ())
    """
    if name.isascii():  # what the general rule does, several times as fast
        return tuple(plain_words(name))
    return tuple([word for token in split_words(name).texts if (word := folded(token))])


def folded_key(name: str) -> str:
    """Return the folded words of a name, joined by spaces.

    Examples
    --------
    >>> folded_key("Saint-Étienne (Loire)"), folded_key("?!")
    ('saint etienne loire', '')
    """
    return " ".join(name_words(name))


def words_as_written(name: str) -> Phrase:
    """Return the words of a name in its own letters.

    Examples
    --------
    >>> words_as_written("O'Neil (actor)")
    ('O', 'Neil', 'actor')
    """
    if name.isascii():
        return tuple(_ASCII_LETTERS.findall(name))
    return tuple([token for token in split_words(name).texts if folded(token)])


def spaced(name: str) -> str:
    """Put a space where camel case or an underscore separates words.

    Examples
    --------
    >>> spaced("birthPlace"), spaced("ICAOLocation"), spaced("runway2Name"), spaced("alma_mater")
    ('birth Place', 'ICAO Location', 'runway 2 Name', 'alma mater')
    """
    return _CAMEL.sub(" ", name)


def property_key(name: str) -> str:
    """Return the key under which names of properties are looked up: letters and digits, without case.

    Examples
    --------
    >>> property_key("birthPlace") == property_key("Birth place") == property_key("birth_place")
    True
    """
    return "".join(character for character in name.casefold() if character.isalnum())
