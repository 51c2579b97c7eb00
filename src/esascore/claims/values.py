"""Judges words that exclude each other: a text that says right where the input says left is wrong.

Words of one set ("low", "medium", "high") speak against each other only where it is clear of what they are
said: beside the name of the attribute, beside other words of its value, in a list with other values, or of an
item that the clause names. Words that say what a thing is ("indoor", "manual") need no more than a neighbour
that the input has.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from esascore.claims.assertions import NO, state_of
from esascore.claims.cells import Cell, Record
from esascore.claims.finding import Finding, contradicted_by
from esascore.claims.hours import days_of_key
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
_IN_LIST = 6  # words between two values of a list
_OPENING, _CLOSING = frozenset("\n:(–—"), frozenset("\n).,;–—")
_UNSAID = frozenset(
    {"t", "than", "instead", "or", "chance", "risk", "possibility", "probability", "likelihood"}
)
_BEFORE = 3  # words between a negation and what it denies

Member = tuple[int, int]
"""A set of words, and one of its members."""


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of a text, or several, that is a member of a set: its place among the words of the text."""

    first: int
    end: int
    members: frozenset[Member]


@cache
def _sets() -> tuple[
    Mapping[str, tuple[tuple[Phrase, frozenset[Member]], ...]], frozenset[int], tuple[int, ...]
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
    return {word: tuple(own) for word, own in by_first.items()}, frozenset(plain), tuple(sizes)


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


@dataclass(frozen=True, slots=True)
class _Held:
    """A cell whose value has members of sets, and the other words of the value."""

    cell: Cell
    members: frozenset[Member]
    others: frozenset[str]


def _held(cell: Cell, words: Phrase, keys: Sequence[str]) -> _Held | None:
    """Return what a cell holds: the members in its value, or for a truth value that of its key."""
    if len(words) > _LONGEST:
        return None
    if days_of_key(cell.spot.rpartition("/")[2]) is not None:  # open on other days
        return None
    found = _members(keys or words)
    if keys and [(one.first, one.end) for one in found] != [(0, len(keys))]:
        return None  # what is more than a member asserts or denies a thing
    members = frozenset(member for one in found for member in one.members)
    if cell.type == "boolean" and state_of(cell) == NO:
        members = frozenset(other for member in members if (other := _only_other(member)) is not None)
    if not members:
        return None
    used = {n for one in found for n in range(one.first, one.end)}
    others = frozenset(word for n, word in enumerate(keys or words) if n not in used)
    return _Held(cell, members, others)


def _own_key(cell: Cell) -> Phrase:
    return tuple(word for word in name_words(spaced(cell.attribute)) if word not in ("is", "has"))


def _only_other(member: Member) -> Member | None:
    """Return the other member of a set that has two."""
    number, at = member
    return (number, 1 - at) if _sets()[2][number] == 2 else None


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
        said: set[Member] = set()
        content: set[str] = set()
        self._held: dict[int, list[_Held]] = defaultdict(list)
        plain: set[str] = set()
        for cell in record.cells:
            words = _words(cell.value)
            content.update(words)
            truth = cell.type == "boolean"
            if truth or not _sets()[0].keys().isdisjoint(words):
                keys = () if truth else _words_of_path(cell.path)
                said.update(member for one in _members((*words, *keys)) for member in one.members)
            else:
                plain.add(cell.path)
            if (
                cell.type in _WORDED
                and (held := _held(cell, words, _own_key(cell) if truth else ())) is not None
            ):
                for number in {number for number, _ in held.members}:
                    self._held[number].append(held)
        for path in plain:
            said.update(member for one in _members(_words_of_path(path)) for member in one.members)
        content.update(*map(_words_of_path, {cell.path for cell in record.cells}))
        for text in record.prose:
            words = name_words(text)
            content.update(words)
            said.update(member for one in _members(words) for member in one.members)
        self._said = frozenset(said)
        self._content = frozenset(content) - function_words()

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
        if member in self._said:
            if scoped is None or any(member in own.members for own in scoped):
                return None
            held = scoped
        elif scoped:
            held = scoped
        fitting = [own for own in held if member not in own.members]
        own = self._pinned(one, member, fitting, text, sure=bool(scoped))
        if own is None:
            return None
        right = {other for other in own.members if other[0] == member[0]}
        return None if text.says(right, one) else own.cell

    def _pinned(
        self, one: _Word, member: Member, held: Sequence[_Held], text: _Said, *, sure: bool
    ) -> _Held | None:
        """Return what a word is said of, if that is clear."""
        near, far = text.around(one, _NEAR), text.around(one, _FAR)
        bases = frozenset(map(word_base, far))
        for named in (
            [own for own in held if not bases.isdisjoint(own.cell.own)],
            [own for own in held if not bases.isdisjoint(own.cell.wide)],
            [own for own in held if not near.isdisjoint(own.others - function_words())],
        ):
            if named:
                return named[0] if len({own.members for own in named}) == 1 else None
        if sure and len(held) == 1 and text.is_alone(one):
            return held[0]
        if listed := self._listed(one, member, held, text):
            return listed
        if member[0] not in _sets()[1] or len(held) != 1:
            return None
        if sure or near & self._content:
            right = {other for other in held[0].members if other[0] == member[0]}
            return None if text.says_anywhere(right) else held[0]
        return None

    def _listed(self, one: _Word, member: Member, held: Sequence[_Held], text: _Said) -> _Held | None:
        """Return the value of a list in whose place a word stands, beside other values of the list."""
        paths = {own.cell.path for own in held if own.cell.path.endswith(EVERY)}
        for path in paths:
            own = [other for other in held if other.cell.path == path]
            said = [other for other in own if text.says(other.members, one, _IN_LIST)]
            left = [other for other in own if not text.says_anywhere(other.members)]
            if said and left:
                return left[0]
        return None


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
        small = function_words()
        found: list[str] = []
        for places in (range(one.first - 1, -1, -1), range(one.end, len(self.texts))):
            left = reach
            for n in places:
                if not (left and first <= self.starts[n] < last):
                    break
                if self.texts[n] not in small:
                    found.append(self.texts[n])
                    left -= 1
        return frozenset(found)

    def is_alone(self, one: _Word) -> bool:
        """Return whether nothing stands beside a word in its cell, in its brackets or after its label."""
        text = self._reading.text
        before = text[: self.starts[one.first]].rstrip(" *")[-1:]
        after = text[self.ends[one.end - 1] :].lstrip(" *")[:1]
        return before in _OPENING and (not after or after in _CLOSING)

    def is_denied(self, one: _Word) -> bool:
        """Return whether a negation stands before a word."""
        before = self.texts[max(0, one.first - _BEFORE) : one.first]
        return any(
            word in words_of("negation") or word in words_of("lacking") or word in _UNSAID for word in before
        )

    def says(self, members: set[Member] | frozenset[Member], one: _Word, reach: int | None = None) -> bool:
        """Return whether one of some members is said in the sentence of a word, or so near to it."""
        number = self._reading.sentence_at(self.starts[one.first])
        return any(
            not members.isdisjoint(other.members)
            and self._reading.sentence_at(self.starts[other.first]) == number
            and (reach is None or abs(other.first - one.first) <= reach)
            for other in self.found
            if other is not one
        )

    def says_anywhere(self, members: set[Member] | frozenset[Member]) -> bool:
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
