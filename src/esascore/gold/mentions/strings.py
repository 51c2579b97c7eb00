"""Strings without the marks of a tokeniser: the annotations are tokenised, the texts are not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from esascore.text.vocabulary import function_words
from esascore.text.words import folded_key, name_words

_SINGLE = "'"
_DOUBLE = '"'
_UNIFIED = {
    "``": _DOUBLE,
    "''": _DOUBLE,
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
    **dict.fromkeys("“”„‟«»″〝〞＂", _DOUBLE),
    **dict.fromkeys("‘’‚‛`´′ʹʼ＇‹›", _SINGLE),
    **dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"),
}
# Longer forms first, so that `` is one double quote and not two single ones.
_FORMS = re.compile("|".join(map(re.escape, sorted(_UNIFIED, key=len, reverse=True))) + r"|\s+")
_EVERYTHING = re.compile(f"{_FORMS.pattern}|.", re.DOTALL)


def untokenised(string: str) -> str:
    """Remove white space and unify quotes, dashes and the tokeniser's brackets; keep case.

    Examples
    --------
    >>> untokenised("The `` Big Apple '' -LRB- 1990 – 95 -RRB-")
    'The"BigApple"(1990-95)'
    """
    return _FORMS.sub(_unified, string)


def untokenised_with_spans(string: str) -> tuple[str, list[int], list[int]]:
    """Undo tokenisation, and say where each of its characters starts and ends in the original.

    Examples
    --------
    >>> untokenised_with_spans("a ''b")
    ('a"b', [0, 2, 4], [1, 4, 5])
    """
    found = [(kept, *match.span()) for match in _EVERYTHING.finditer(string) if (kept := _unified(match))]
    return "".join(kept for kept, _, _ in found), [start for _, start, _ in found], [end for *_, end in found]


def _unified(match: re.Match[str]) -> str:
    return _UNIFIED.get(match[0], "" if match[0].isspace() else match[0])


@lru_cache(maxsize=2**16)
def content_words(text: str) -> frozenset[str]:
    """The folded words of a text but for function words and the small words of names."""
    return frozenset(name_words(text)) - function_words("particle")


def all_content_words(texts: Iterable[str]) -> frozenset[str]:
    """The content words of several texts."""
    return frozenset().union(*map(content_words, texts))


def word_string(text: str) -> str:
    """All words of a text, folded, each between single spaces: for finding strings at word boundaries."""
    return f" {folded_key(text)} "
