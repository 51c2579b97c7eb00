"""Letters and digits of other scripts, converted to Latin ones."""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import decimal, normalize

_MARKS = re.compile(r"[\u0300-\u036f]")


@lru_cache(maxsize=1 << 14)
def plain(text: str) -> str:
    """Return a text in lower-case Latin letters without marks, as far as its letters are known.

    Examples
    --------
    >>> plain("Österreich"), plain("Straße")
    ('osterreich', 'strasse')
    """
    lowered = _MARKS.sub("", normalize("NFKD", text.casefold()))
    if lowered.isascii():
        return lowered
    try:
        from anyascii import anyascii
    except ModuleNotFoundError:
        return lowered
    return str(anyascii(lowered)).lower()


def with_plain_digits(text: str) -> str:
    """Return a text with digits of other scripts replaced by ASCII digits, each in its place.

    Examples
    --------
    >>> with_plain_digits("٢٠١٤, ७६")
    '2014, 76'
    """
    if text.isascii():
        return text
    return "".join(str(decimal(c)) if not c.isascii() and c.isdecimal() else c for c in text)
