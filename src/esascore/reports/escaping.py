"""Escapes control characters in strings from files and users, so that they are safe to display."""

from __future__ import annotations

import re
import unicodedata

from esascore.text.escapes import escaped

# Control characters, line and paragraph separators, bidirectional controls, tags, lone surrogates: what moves
# the cursor, reorders its surroundings or hides. Joiners and soft hyphens belong to ordinary words and stay.
UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f]"
)


_COMMAND = re.compile(r"(^\s*|#(?=#))(::|#\[|#vso\[)", re.MULTILINE)


def visible(text: str, keep: str = "") -> str:
    r"""Write control, separator and bidirectional characters as escapes, but for those to ``keep``.

    Examples
    --------
    >>> print(visible("red \x1b[31m and \u202eback"))
    red \x1b[31m and \u202eback
    """
    return UNSAFE.sub(lambda match: match[0] if match[0] in keep else escaped(match[0]), text)


def without_commands(text: str) -> str:
    r"""Escape what the log of a CI service would take for a command.

    GitHub reads `::` where a line begins, after white space too, and `##[` anywhere; Azure `##vso[`.

    Examples
    --------
    >>> print(without_commands("  ::error::no\n##vso[task.setvariable]"))
      \::error::no
    #\#vso[task.setvariable]
    """
    return _COMMAND.sub(lambda match: f"{match[1]}\\{match[2]}", text)


def width(text: str) -> int:
    """Columns that a text takes on a terminal.

    Examples
    --------
    >>> width("abc"), width("東京"), width("e\u0301")
    (3, 4, 1)
    """
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
