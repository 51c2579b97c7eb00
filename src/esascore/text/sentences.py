"""Where the sentences of a text begin."""

from __future__ import annotations

import re
from bisect import bisect_left

from esascore.text.normalize import folded
from esascore.text.tokenize import Tokens
from esascore.text.vocabulary import stopped_words

WORDLISTS = ("abbreviations", "function_words", "titles")
"""The word lists that are read here."""

_ENDS = re.compile(r"[.!?][\"'”’)\]]*\s+|\n")


def sentence_starts(text: str, tokens: Tokens) -> tuple[int, ...]:
    """Return the number of the token that each sentence begins with.

    A sentence ends at a full stop, question or exclamation mark before white space, and with a line. The full
    stop of an initial or an abbreviation ends none: a cut inside a name does more harm than a missing one.

    Examples
    --------
    >>> from esascore.text.tokenize import split_words
    >>> tokens = split_words("St. Ann is by A. Berg. It's old.")
    >>> [tokens.texts[start] for start in sentence_starts("St. Ann is by A. Berg. It's old.", tokens)]
    ['St', 'It']
    """
    starts = [0] if tokens.texts else []
    for end in _ENDS.finditer(text):
        first = bisect_left(tokens.starts, end.end())
        if first == len(tokens):
            break
        if first > starts[-1] and not (end[0][0] == "." and _is_stopped(tokens, end.start())):
            starts.append(first)
    return tuple(starts)


def _is_stopped(tokens: Tokens, stop: int) -> bool:
    """Tell whether a full stop belongs to the word before it: an initial or an abbreviation."""
    before = bisect_left(tokens.starts, stop) - 1
    if before < 0 or tokens.ends[before] != stop:
        return False
    word = folded(tokens.texts[before])
    if len(word) == 1 and word.isalpha():  # "by A. Berg", but "it is 30 m. The" and "30 °C. The"
        return before == 0 or not (tokens.texts[before - 1][-1].isdigit() or tokens.texts[before - 1] == "°")
    return word in stopped_words()
