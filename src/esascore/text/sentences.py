"""Where the sentences of a text begin."""

from __future__ import annotations

import re
from string import ascii_letters, digits

from esascore.text.normalize import folded
from esascore.text.tokenize import WORD
from esascore.text.vocabulary import stopped_words

WORDLISTS = ("abbreviations", "function_words", "titles")
"""The word lists that are read here."""

_ENDS = re.compile(r"[.!?][\"'”’)\]]*\s+|\n")
_VISIBLE = re.compile(r"\S")
_ASCII_WORD = ascii_letters + digits
_LAST_WORD = re.compile(rf"{WORD}\Z")
_LONGEST = 24  # characters; no word that is written with a full stop is longer


def sentence_places(text: str) -> list[int]:
    """Return where each sentence begins.

    A sentence ends at a full stop, question or exclamation mark before white space, and with a line. The full
    stop of an initial or an abbreviation ends none: a cut inside a name does more harm than a missing one.

    Examples
    --------
    >>> sentence_places("St. Ann is by A. Berg. It's old.")
    [0, 23]
    """
    first = _VISIBLE.search(text)
    places = [] if first is None else [first.start()]
    for end in _ENDS.finditer(text):
        visible = _VISIBLE.search(text, end.end())
        if visible is None:
            break
        stopped = end[0][0] == "." and "\n" not in end[0] and _is_stopped(text, end.start())
        if visible.start() > places[-1] and not stopped:
            places.append(visible.start())
    return places


def _is_stopped(text: str, stop: int) -> bool:
    """Return whether a full stop belongs to the word before it: an initial or an abbreviation."""
    last = text[max(0, stop - _LONGEST) : stop]
    if last.isascii():  # what the pattern finds, several times as fast
        said = last[len(last.rstrip(_ASCII_WORD)) :]
    else:
        found = _LAST_WORD.search(last)
        said = "" if found is None else found[0]
    if not said:
        return False
    word, start = folded(said), stop - len(said)
    if len(word) == 1 and word.isalpha():  # "by A. Berg", but "it is 30 m. The" and "30 °C. The"
        before = text[max(0, start - _LONGEST) : start].rstrip()[-1:]
        return not (before.isdigit() or before == "°")
    return word in stopped_words()
