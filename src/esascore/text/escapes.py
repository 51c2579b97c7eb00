"""Escapes for characters that should not be shown as they are."""

from __future__ import annotations


def escaped(character: str) -> str:
    r"""Write one character as ``\xhh``, ``\uhhhh`` or ``\Uhhhhhhhh``.

    Examples
    --------
    >>> print(escaped("\n"), escaped("\u202e"), escaped("\U000e0001"))
    \x0a \u202e \U000e0001
    """
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
