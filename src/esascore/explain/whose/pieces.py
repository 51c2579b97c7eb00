"""A text as a sequence of words, numbers and dates: what the context of a number is read from."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from esascore.detectors.dates import DateRange, DateValue, find_dates
from esascore.detectors.numbers import FoundNumber, find_numbers
from esascore.explain.whose.ledger import Ledger
from esascore.text.document import Document
from esascore.text.normalize import folded, lowered_in_place
from esascore.text.stem import stem

DASHES = frozenset("-–—")
_SHARE = re.compile(r"(?<![\w.,-])(\d{1,3})[-–—](?:of|for)[-–—](\d{1,3})(?![\w-]|[.,]\d)")
_INSIDE_NAMES = frozenset("'’.,-")


@dataclass(frozen=True, slots=True)
class Day:
    """A date in a text: the pieces from ``first`` to before ``end``, and what it may mean."""

    first: int
    end: int
    values: tuple[DateValue, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """A name in a text: the pieces from ``first`` to before ``end``, and the owners that are called so."""

    first: int
    end: int
    owners: tuple[str, ...]


@dataclass(frozen=True)
class Pieces:
    """The words, numbers and dates of a text in parallel sequences, and the names of owners among them.

    ``words`` are folded, punctuation stands for itself; the word of a number is as it is written.
    ``numbers`` has the number that a piece is, None for others; a date is one piece, and no number.
    """

    text: str
    words: Sequence[str]
    starts: Sequence[int]
    ends: Sequence[int]
    sentences: Sequence[int]
    numbers: Sequence[FoundNumber | None]
    days: Sequence[Day]
    named: Sequence[Named]

    def __len__(self) -> int:
        return len(self.words)

    def is_capital(self, index: int) -> bool:
        """Tell whether a piece begins with a capital."""
        return self.text[self.starts[index]].isupper()

    def in_sentence(self, index: int, of: int) -> bool:
        """Tell whether there is such a piece and it is in the sentence of another."""
        return 0 <= index < len(self.words) and self.sentences[index] == self.sentences[of]

    def sentence_of(self, index: int) -> tuple[int, int]:
        """Return the first piece of the sentence of a piece, and the one after its last."""
        sentence = self.sentences[index]
        return bisect_left(self.sentences, sentence), bisect_right(self.sentences, sentence)

    def glued(self, index: int) -> bool:
        """Tell whether there is nothing between a piece and the one before it."""
        return index > 0 and self.ends[index - 1] == self.starts[index]


def pieces_of(document: Document, ledger: Ledger) -> Pieces:
    """Cut a text into pieces.

    Examples
    --------
    >>> from esascore.explain.whose.ledger import ledger_of
    >>> from esascore.model import Graph
    >>> graph = Graph.from_data({"players": [{"name": "Ann Berg", "points": 2}]})
    >>> pieces = pieces_of(Document(graph, "On May 4, Berg had 1,200 votes."), ledger_of(graph))
    >>> list(pieces.words), [pieces.words[named.first] for named in pieces.named]
    (['on', 'May 4', ',', 'berg', 'had', '1,200', 'votes', '.'], ['berg'])
    """
    text, tokens = document.text, document.tokens
    whole: list[tuple[int, int, tuple[DateValue, ...] | FoundNumber]] = []
    whole += [*_dates(document, ledger), *_numbers(document)]
    whole.sort(key=lambda one: (one[0], -one[1]))
    words: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    sentences: list[int] = []
    numbers: list[FoundNumber | None] = []
    days: list[Day] = []
    done, at = 0, 0
    for first, end, sentence in zip(tokens.starts, tokens.ends, document.sentence_numbers, strict=True):
        start = max(first, done)
        while start < end:
            while at < len(whole) and whole[at][0] < start:
                at += 1
            coming = whole[at][0] if at < len(whole) else end
            if coming > start:  # what is before the next number or date in this token
                stop = min(coming, end)
                words.append(folded(text[start:stop]) or text[start:stop])
                number = None
            else:
                _, stop, what = whole[at]
                at += 1
                words.append(text[start:stop])
                number = what if isinstance(what, FoundNumber) else None
                if not isinstance(what, FoundNumber):
                    days.append(Day(len(words) - 1, len(words), what))
            starts.append(start)
            ends.append(stop)
            sentences.append(sentence)
            numbers.append(number)
            start = done = stop
    for index, number in enumerate(numbers):
        if number is not None and _is_a_word(index, words, starts, ends, ledger):
            numbers[index] = None
    return Pieces(text, words, starts, ends, sentences, numbers, days, _named(text, words, starts, ledger))


def _is_a_word(
    index: int, words: Sequence[str], starts: Sequence[int], ends: Sequence[int], ledger: Ledger
) -> bool:
    """Tell whether a number is part of what the input calls an attribute ("three point"), or of a code."""
    if index and ends[index - 1] == starts[index] and words[index - 1][-1].isalpha():
        return True
    following = next((word for word in words[index + 1 : index + 4] if word not in DASHES), "")
    return (stem(words[index].lower()), stem(following)) in ledger.phrases


def _dates(document: Document, ledger: Ledger) -> list[tuple[int, int, tuple[DateValue, ...]]]:
    """Find dates with a day or month, and years that the series has."""
    years = {own.day.year for own in ledger.dated if own.day is not None}
    found = []
    for date in document.found(find_dates, languages=("en",), days=False):
        first = date.values[0]
        ends = (first.first, first.last) if isinstance(first, DateRange) else (first,)
        if any(end.month is not None or end.year in years for end in ends):
            found.append((date.start, date.end, date.values))
    return found


def _numbers(document: Document) -> list[tuple[int, int, FoundNumber]]:
    """Find numbers; of several readings the shortest without a sign that stands apart, and no clock times."""
    text = document.text
    read = [*document.found(find_numbers, words=True, data=True, comma=False)]
    for share in _SHARE.finditer(text):  # read as a code elsewhere
        read += [_figures(text, *share.span(group)) for group in (1, 2)]
    found: list[tuple[int, int, FoundNumber]] = []
    for number in sorted(read, key=lambda one: (one.start, -one.end)):
        piece = text[number.start : number.end]
        if ":" in piece or "pair" in piece or (not piece[0].isalnum() and " " in piece):
            continue
        while found and found[-1][0] <= number.start and number.end <= found[-1][1]:
            found.pop()  # it holds this one
        if not found or found[-1][1] <= number.start:
            found.append((number.start, number.end, number))
    return found


def _figures(text: str, start: int, end: int) -> FoundNumber:
    return FoundNumber(start, end, (Decimal(text[start:end]),), None, start, end)


def _named(text: str, words: Sequence[str], starts: Sequence[int], ledger: Ledger) -> list[Named]:
    cased = text != lowered_in_place(text)
    found: list[Named] = []
    done = 0
    for index, word in enumerate(words):
        if index < done or word not in ledger.lengths or (cased and not text[starts[index]].isupper()):
            continue
        for length in ledger.lengths[word]:
            end, phrase = _phrase(words, index, length)
            if owners := ledger.names.get(phrase):
                found.append(Named(index, end, owners))
                done = end
                break
    return found


def _phrase(words: Sequence[str], start: int, length: int) -> tuple[int, tuple[str, ...]]:
    """Return the next so many words, leaving out the punctuation between them (D'Angelo, T.J.)."""
    own: list[str] = []
    end = start
    while end < len(words) and len(own) < length and end < start + 2 * length:
        if words[end] not in _INSIDE_NAMES:
            own.append(words[end])
        end += 1
    return end, tuple(own)
