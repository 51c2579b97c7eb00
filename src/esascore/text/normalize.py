"""Normalises strings for comparison. Offsets survive, since each token is normalised separately."""

from __future__ import annotations

import html
import re
import string
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from esascore.text.tokenize import Tokens

_SCIENTIFIC = re.compile(r"[+-]?\d+(?:\.\d+)?[eE][+-]?\d{1,2}")
_WORD_SEPARATOR = "_"
# Symbols that Unicode does not count as punctuation but that stand for it in names and numbers.
_ALSO_PUNCTUATION = frozenset(string.punctuation + "\N{MINUS SIGN}") - {_WORD_SEPARATOR}

# Letters that people write without their stroke or as two, and that Unicode does not decompose.
_UNDECOMPOSED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)


@dataclass(frozen=True, slots=True)
class Comparable:
    """A text as it is compared: its normalised tokens joined by one space.

    ``tokens[i]`` is the index, in the tokens it was made of, of the i-th token of ``text``; tokens of which
    nothing is left have none.
    """

    text: str
    tokens: tuple[int, ...]


@lru_cache(maxsize=1 << 16)
def without_punctuation(token: str) -> str:
    """Lower-case a token and remove its punctuation; underscores stay.

    Character references are resolved and scientific notation is written out, so that the digits of
    ``2.79e+11`` and ``279000000000.0`` can be compared.

    Examples
    --------
    >>> [without_punctuation(token) for token in ("Bruce.", "16,800", "Adams_County,", "&minus;7", "2.79e+3")]
    ['bruce', '16800', 'adams_county', '7', '2790']
    """
    if "&" in token:
        token = html.unescape(token)
    if _SCIENTIFIC.fullmatch(inner := token.strip(string.punctuation)):
        token = format(Decimal(inner), "f")
    # A space can only come from a character reference; it must not make two tokens of one.
    return "".join(c for c in token.lower() if c != " " and not _is_punctuation(c))


@lru_cache(maxsize=1 << 16)
def folded(word: str) -> str:
    """Fold case and diacritics of a word; characters that are neither letters nor digits are removed.

    Examples
    --------
    >>> [folded(word) for word in ("Straße", "İzmir", "Łódź", "Ñandú", "ﬁn", ".")]
    ['strasse', 'izmir', 'lodz', 'nandu', 'fin', '']
    """
    if word.isascii():
        return word.lower() if word.isalnum() else ""
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in decomposed if c.isalnum()).translate(_UNDECOMPOSED)


def lowered_in_place(text: str) -> str:
    """Lower the case of a text without moving any character, which "İ".lower() would."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(small if len(small := character.lower()) == 1 else character for character in text)


def comparable(tokens: Tokens, rule: Callable[[str], str] = without_punctuation) -> Comparable:
    """Normalise tokens and drop those of which nothing is left.

    Examples
    --------
    >>> from esascore.text.tokenize import split_white_space
    >>> comparable(split_white_space("St. Louis , Missouri."))
    Comparable(text='st louis missouri', tokens=(0, 1, 3))
    """
    normal = [rule(token) for token in tokens.texts]
    if all(normal):
        return Comparable(" ".join(normal), tuple(range(len(normal))))
    kept = [(index, token) for index, token in enumerate(normal) if token]
    return Comparable(" ".join(token for _, token in kept), tuple(index for index, _ in kept))


def _is_punctuation(character: str) -> bool:
    if character.isalnum():
        return False
    return character in _ALSO_PUNCTUATION or (
        character != _WORD_SEPARATOR and unicodedata.category(character)[0] == "P"
    )
