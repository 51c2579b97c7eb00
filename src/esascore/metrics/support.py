"""How much of what a text says its input, or a reference, explains."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from esascore.claims.vocabulary import Explained
from esascore.lexicon.wordings import is_worded
from esascore.model import Input, Mention, Triple
from esascore.text.document import Document
from esascore.text.stem import stem
from esascore.text.vocabulary import function_words


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of a text: ``text == whole_text[start:end]``."""

    start: int
    end: int
    text: str


def content_words(document: Document) -> list[int]:
    """Return the numbers of the words that say something.

    Examples
    --------
    >>> from esascore.text.document import read
    >>> document = read("Bionico is a dish that is called food.")
    >>> [document.words.texts[number] for number in content_words(document)]
    ['bionico', 'dish', 'food']
    """
    words = document.words
    if not document.language.english:  # what needs no list of words: figures, and names where capitals tell
        told = document.language.capitals_tell_names
        return [
            number
            for number, word in enumerate(words.texts)
            if word[0].isdigit()
            or (told and document.text[words.starts[number]].isupper() and not document.casing.begins(number))
        ]
    small = function_words("filler")
    return [number for number, word in enumerate(words.texts) if word not in small]


def unsupported_words(
    document: Document,
    content: Sequence[int],
    mentions: Sequence[Mention],
    explained: Explained,
    said: frozenset[str] = frozenset(),
) -> list[int]:
    """Return those content words that no mention covers and neither the input nor a reference explains.

    ``said`` are the stems of what the references say.
    """
    texts, starts, ends = document.words.texts, document.words.starts, document.words.ends
    begins = [mention.start for mention in mentions]  # in text order
    reached = [0, *accumulate((mention.end for mention in mentions), max)]
    return [
        number
        for number in content
        if reached[bisect_right(begins, starts[number])] < ends[number]
        and not explained.says(texts[number])
        and not (said and stem(texts[number]) in said)
    ]


def unworded_triples(document: Document, input_: Input) -> tuple[Triple, ...]:
    """Return the triples whose property the text has no word for; in other languages this is unknown."""
    if not document.language.english:
        return ()
    words = frozenset(document.words.texts)
    stems = frozenset(map(stem, words))
    return tuple(triple for triple in input_.triples if not is_worded(triple.predicate, words, stems))


def stretches(document: Document, numbers: Iterable[int]) -> list[Stretch]:
    """Return words as stretches of the text; neighbours with nothing but white space between are one."""
    words, text = document.words, document.text
    found: list[Stretch] = []
    for number in numbers:
        start, end = words.starts[number], words.ends[number]
        if found and not text[found[-1].end : start].strip():
            start = found.pop().start
        found.append(Stretch(start, end, text[start:end]))
    return found
