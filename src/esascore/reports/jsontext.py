"""JSON that is safe to print, to split into lines and to encode."""

from __future__ import annotations

import re
from json import JSONEncoder
from typing import Any

# Inside JSON these can only stand in strings, where an escape means the same. Escaped are lone surrogates
# (no encoding takes them), separators at which other programs end lines, and what plays tricks on terminals.
_ESCAPED = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")

_ENCODER = JSONEncoder(ensure_ascii=False, allow_nan=False)  # once for all the lines of a file


def to_json(value: Any, *, indent: int | None = None) -> str:
    r"""Write a value as JSON: full precision, readable Unicode, no NaN.

    Examples
    --------
    >>> print(to_json({"name": "Zürich\u2028", "esa": 0.1}))
    {"name": "Zürich\u2028", "esa": 0.1}
    """
    encoder = _ENCODER if indent is None else JSONEncoder(ensure_ascii=False, allow_nan=False, indent=indent)
    text = encoder.encode(value)
    if text.isascii() and "\x7f" not in text:  # most, which spares them the pattern
        return text
    return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
