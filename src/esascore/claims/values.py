"""Judges words that exclude each other: a text that says right where the input says left is wrong.

Words of one set ("low", "medium", "high") speak against each other only where it is clear of what they are
said: beside the name of the attribute, or of an item that the clause names. Words that say what a thing is
("indoor", "manual") need no more than a neighbour that the input has.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache, lru_cache
from itertools import islice, takewhile
from typing import NamedTuple

from esascore.claims.assertions import NO, state_of
from esascore.claims.cells import Cell, Record
from esascore.claims.finding import Finding, contradicted_by
from esascore.claims.polarity import words_of
from esascore.claims.reading import Reading
from esascore.claims.scope import Scopes
from esascore.data import EVERY
from esascore.literals.keys import word_base
from esascore.text.vocabulary import function_words
from esascore.text.words import Phrase, name_words, spaced
from esascore.wordlists import load, values

WORDLISTS = ("opposites",)
"""The word lists that are read here."""

_SYNONYMS = "/"
_WORDED = ("name", "text", "boolean")
_LONGEST = 4  # words of a value that is judged by one of them
_NEAR, _FAR = 2, 4  # words between a word and its neighbours, and the name of its attribute
_UNSAID = frozenset(
    {"t", "than", "instead", "or", "chance", "risk", "possibility", "probability", "likelihood"}
)
_BEFORE = 3  # words between a negation and what it denies

Member = tuple[int, int]
"""A set of words, and one of its members."""


class _Word(NamedTuple):
    """A word of a text, or several, that is a member of a set: its place among the words of the text."""

    first: int
    end: int
    members: frozenset[Member]


@cache
def _sets() -> tuple[
    Mapping[str, Sequence[tuple[Phrase, frozenset[Member]]]], frozenset[int], tuple[int, ...]
]:
    """Return the phrases by first word, longest first; the sets that say what a thing is; all sizes."""
    found: dict[Phrase, set[Member]] = defaultdict(set)
    plain: set[int] = set()
    sizes: list[int] = []
    for number, (kind, members) in enumerate(load("opposites").rows):
        if kind == "what":
            plain.add(number)
        sizes.append(len(values(members)))
        for at, member in enumerate(values(members)):
            for form in member.split(_SYNONYMS):
                found[tuple(form.split())].add((number, at))
    by_first: dict[str, list[tuple[Phrase, frozenset[Member]]]] = defaultdict(list)
    for phrase, own in sorted(found.items(), key=lambda item: -len(item[0])):
        by_first[phrase[0]].append((phrase, frozenset(own)))
    return by_first, frozenset(plain), tuple(sizes)


def _members(words: Sequence[str]) -> list[_Word]:
    """Return the members of sets among some words, the longest at each place."""
    by_first = _sets()[0]
    found: list[_Word] = []
    done = 0
    for n, word in enumerate(words):
        if n < done or word not in by_first:
            continue
        for phrase, members in by_first[word]:
            if tuple(words[n : n + len(phrase)]) == phrase:
                done = n + len(phrase)
                found.append(_Word(n, done, members))
                break
    return found


class _Held(NamedTuple):
    """A cell whose value has members of sets."""

    cell: Cell
    members: frozenset[Member]


def _held(cell: Cell, words: Phrase) -> _Held | None:
    """Return what a cell holds: the members in its value, or for a truth value that of its key."""
    if len(words) > _LONGEST:
        return None
    found = _members(words)
    members = frozenset(member for one in found for member in one.members)
    if cell.type == "boolean":
        if not found or (found[0].first, found[0].end) != (0, len(words)):
            return None  # what is more than a member asserts or denies a thing
        if state_of(cell) == NO:  # of two members the other one
            sizes = _sets()[2]
            members = frozenset((number, 1 - at) for number, at in members if sizes[number] == 2)
    return _Held(cell, members) if members else None


class Values:
    """The words of the values of an input that exclude others.

    Examples
    --------
    >>> from esascore.claims.cells import record_of
    >>> from esascore.claims.scope import handles_of
    >>> from esascore.model import Graph
    >>> from esascore.text.document import read
    >>> record = record_of(Graph.from_data({"procedure": "Knee arthroscopy", "side": "left"}))
    >>> reading = Reading(read("Your right knee will be operated on."))
    >>> [one.reason for one in Values(record).judge(reading, Scopes(handles_of(record), reading))]
    ['the input says side = left']
    """

    def __init__(self, record: Record):
        self._held: dict[int, list[_Held]] = defaultdict(list)
        worded = [_words(text) for text in record.prose]
        for cell in record.cells:
            truth = cell.type == "boolean"
            words = _words(cell.value)
            worded.append(words)
            if truth:
                words = tuple(
                    word for word in name_words(spaced(cell.attribute)) if word not in ("is", "has")
                )
            if cell.type in _WORDED and (held := _held(cell, words)) is not None:
                for number in {number for number, _ in held.members}:
                    self._held[number].append(held)
        keys = {cell.path: cell.type == "boolean" for cell in record.cells}
        worded += (_words_of_path(path) for path, truth in keys.items() if not truth)
        self._said = frozenset(
            member for words in worded for one in _members(words) for member in one.members
        )
        named = (word for path in keys for word in _words_of_path(path))
        self._content = frozenset((*named, *(word for words in worded for word in words))) - function_words()

    def judge(self, reading: Reading, scopes: Scopes) -> Iterator[Finding]:
        """Yield the words of a text that those of the input exclude."""
        if not self._held:
            return
        text = _Said(reading, _members(reading.document.words.texts))
        for one in text.found:
            wrong = (self._wrong(one, member, text, scopes) for member in sorted(one.members))
            if (cell := next(filter(None, wrong), None)) is not None:
                start, end = text.starts[one.first], text.ends[one.end - 1]
                yield contradicted_by(cell, start, end, "value", "opposite")

    def _wrong(self, one: _Word, member: Member, text: _Said, scopes: Scopes) -> Cell | None:
        """Return the cell that a word contradicts as a member of a set."""
        held = self._held.get(member[0], [])
        if not held or text.is_denied(one):
            return None
        place = text.starts[one.first]
        scoped = _scoped(held, scopes, place)
        if member in self._said and (scoped is None or any(member in own.members for own in scoped)):
            return None
        held = scoped or ([] if member in self._said else held)
        fitting = [own for own in held if member not in own.members]
        own = self._pinned(one, member, fitting, text)
        if own is None:
            return None
        right = {other for other in own.members if other[0] == member[0]}
        return None if text.says(right) else own.cell

    def _pinned(self, one: _Word, member: Member, held: Sequence[_Held], text: _Said) -> _Held | None:
        """Return what a word is said of, if that is clear."""
        bases = frozenset(map(word_base, text.around(one, _FAR)))
        if named := [own for own in held if not bases.isdisjoint(own.cell.wide)]:
            return named[0] if len({own.members for own in named}) == 1 else None
        if member[0] not in _sets()[1] or len(held) != 1:
            return None
        return None if text.around(one, _NEAR).isdisjoint(self._content) else held[0]


class _Said:
    """The words of a text that are members of sets, and what stands around them."""

    def __init__(self, reading: Reading, found: list[_Word]):
        own = reading.document.words
        self.texts, self.starts, self.ends = own.texts, own.starts, own.ends
        self.found = found
        self._reading = reading

    def around(self, one: _Word, reach: int) -> frozenset[str]:
        """Return the words with content before and after one, in its sentence."""
        first, last = self._reading.sentences[self._reading.sentence_at(self.starts[one.first])]
        found: list[str] = []
        for places in (range(one.first - 1, -1, -1), range(one.end, len(self.texts))):
            inside = takewhile(lambda n: first <= self.starts[n] < last, places)
            told = (self.texts[n] for n in inside if self.texts[n] not in function_words())
            found += islice(told, reach)
        return frozenset(found)

    def is_denied(self, one: _Word) -> bool:
        """Return whether a negation stands before a word."""
        before = self.texts[max(0, one.first - _BEFORE) : one.first]
        return any(
            word in words_of("negation") or word in words_of("lacking") or word in _UNSAID for word in before
        )

    def says(self, members: Set[Member]) -> bool:
        """Return whether one of some members is said in the text."""
        return any(not members.isdisjoint(other.members) for other in self.found)


def _scoped(held: Sequence[_Held], scopes: Scopes, place: int) -> list[_Held] | None:
    """Return those of the items that a place is about; None if that is not sure or they are in no list."""
    for array in dict.fromkeys(
        "/".join(parts[:n])
        for own in held
        if EVERY in own.cell.path
        for parts in [own.cell.spot.split("/")]
        for n in range(1, len(parts))
    ):
        about = scopes.of(array, place, itself=False)
        if about is not None and about[1]:
            return [own for own in held if own.cell.is_in(about[0])]
    return None


@cache
def _splitter() -> dict[int, str]:
    return str.maketrans({"_": " ", "-": " "})


@lru_cache(maxsize=1 << 14)
def _words(value: str) -> Phrase:
    return name_words(spaced(value.translate(_splitter()).lower()))


@lru_cache(maxsize=1 << 12)
def _words_of_path(path: str) -> Phrase:
    return tuple(word for part in path.split(".") for word in name_words(spaced(part)))
