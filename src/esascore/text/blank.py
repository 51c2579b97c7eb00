"""Texts that count as blank."""

from __future__ import annotations

import unicodedata

# What programs write where a system gave nothing: SQL and JSON, Python, NumPy and pandas.
NULL_WORDS = frozenset({"null", "none", "nan"})
_LONGEST = max(map(len, NULL_WORDS))
_QUOTES = ('"', "'")


def is_blank(text: str) -> bool:
    r"""Return whether a system gave no text: nothing visible, or only a word that stands for nothing.

    Blank is a text without any visible character (white space, control and invisible format
    characters do not count), and one that consists of ``null``, ``none`` or ``nan`` in any letter case,
    bare or in one pair of straight quotes; an empty pair of quotes too.

    Examples
    --------
    >>> [is_blank(text) for text in ("", " \u200b\t", "null", "None", '"NULL"', '""')]
    [True, True, True, True, True, True]
    >>> [is_blank(text) for text in (".", "null and void", "Nan is a province.")]
    [False, False, False]
    """
    stripped = text.strip()
    if stripped[:1].isalnum() and len(stripped) > _LONGEST:  # nearly every text; spares it the rest
        return False
    if len(stripped) >= 2 and stripped[0] == stripped[-1] and stripped[0] in _QUOTES:
        stripped = stripped[1:-1].strip()
    if stripped.casefold() in NULL_WORDS:
        return True
    return all(c.isspace() or unicodedata.category(c) in ("Cc", "Cf") for c in stripped)
