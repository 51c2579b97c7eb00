"""Symbols that belong to the word before them: C++ is not C, and an S24+ is not an S24."""

from __future__ import annotations

import re

_TAIL = re.compile(r"(?:\++|#)(?![^\W_]|\+)|\+\+|#")
_PLUS = re.compile(r"(?: Plus| PLUS)(?![^\W_])")


def may_have_tails(text: str) -> bool:
    """Return whether a text may have such symbols at all.

    Examples
    --------
    >>> may_have_tails("It runs C++."), may_have_tails("It runs C.")
    (True, False)
    """
    return "+" in text or "#" in text or " Plus" in text or " PLUS" in text


def tail(text: str, end: int) -> tuple[str, int]:
    """Return the symbols that belong to the word which ends at ``end``, and where they end.

    Examples
    --------
    >>> tail("C++11", 1), tail("the S24 Plus", 7), tail("GPS+GLONASS", 3)
    (('++', 3), ('+', 12), ('', 3))
    """
    symbols = _TAIL.match(text, end)
    if symbols is not None:
        return symbols[0], symbols.end()
    plus = _PLUS.match(text, end) if text[end - 1 : end].isalnum() else None
    return ("", end) if plus is None else ("+", plus.end())
