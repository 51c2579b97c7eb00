"""Cuts a text into the words and sentences that a coreference model reads, each with its place."""

from __future__ import annotations

import re
from dataclasses import dataclass

from esascore.text.tokenize import split_words

_ENDS = frozenset(".!?")
_CLOSING = frozenset("\"'”’)]")
# "Mr. Hall", "St. Louis": what precedes these full stops is hardly ever the last word of a sentence.
_ABBREVIATIONS = re.compile(
    "mrs?|ms|dr|st|prof|rev|gen|col|capt|sgt|lt|gov|sen|rep|hon|jr|sr|vs|no|vol|ft|mt|approx|dept|inc|ltd",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Words:
    """Words of a text as parallel tuples; ``sentences[i]`` numbers the sentence that word ``i`` stands in."""

    texts: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    sentences: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.texts)


def segment(text: str) -> Words:
    """Cut a text into words and number their sentences.

    A sentence that is not cut where it ends does less harm than one that is cut in a name, so the cut needs
    white space, and what follows must not begin with a small letter unless the text knows no capitals.

    Examples
    --------
    >>> words = segment("St. Ann is by A. Berg. It's old.")
    >>> words.texts
    ('St', '.', 'Ann', 'is', 'by', 'A', '.', 'Berg', '.', 'It', "'", 's', 'old', '.')
    >>> words.sentences
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1)
    """
    tokens = split_words(text)
    cased = any(character.isupper() for character in text)
    sentences = []
    sentence = 0
    ended = False
    for index, word in enumerate(tokens.texts):
        if ended and word not in _CLOSING:
            spaced = tokens.starts[index] > tokens.ends[index - 1]
            if spaced and not (cased and word[:1].islower()):
                sentence += 1
            ended = spaced and word in _ENDS
        sentences.append(sentence)
        if word in _ENDS and not _is_abbreviated(tokens.texts, index, word):
            ended = True
    return Words(tokens.texts, tokens.starts, tokens.ends, tuple(sentences))


def _is_abbreviated(words: tuple[str, ...], index: int, end: str) -> bool:
    if end != "." or not index:
        return False
    before = words[index - 1]
    return (len(before) == 1 and before.isupper()) or _ABBREVIATIONS.fullmatch(before) is not None
