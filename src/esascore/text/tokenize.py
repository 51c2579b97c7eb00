"""Splits a text into tokens that know where they are in it."""

from __future__ import annotations

import re
from dataclasses import dataclass

_RUNS = re.compile(r"\S+")
WORD = r"[^\W_]+(?:[\u0300-\u036f\u20d0-\u20ff][^\W_]*)*"
"""Letters and digits with the marks that combine with them."""

_WORDS = re.compile(rf"{WORD}|\S")  # any other visible character stands alone

# Called by `map`, these take half as long as the methods of each match.
TEXT_OF, START_OF, END_OF = re.Match.group, re.Match.start, re.Match.end


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of a text as three parallel tuples: ``source[starts[i]:ends[i]] == texts[i]``."""

    texts: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.texts)


def split_white_space(text: str) -> Tokens:
    """Split at white space; punctuation stays attached.

    Examples
    --------
    >>> split_white_space("Cyril Bruce. It")
    Tokens(texts=('Cyril', 'Bruce.', 'It'), starts=(0, 6, 13), ends=(5, 12, 15))
    """
    return _tokens(text, _RUNS)


def split_words(text: str) -> Tokens:
    """Split into words (letters and digits) and single other characters.

    Examples
    --------
    >>> split_words("O'Neil's 1,299 cafés.").texts
    ('O', "'", 'Neil', "'", 's', '1', ',', '299', 'cafés', '.')
    """
    return _tokens(text, _WORDS)


def _tokens(text: str, pattern: re.Pattern[str]) -> Tokens:
    found = list(pattern.finditer(text))
    return Tokens(tuple(map(TEXT_OF, found)), tuple(map(START_OF, found)), tuple(map(END_OF, found)))
