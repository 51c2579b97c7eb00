"""Which items of a list a place of a text is about: those that its sentence names, by name or by date."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter

from esascore.claims.cells import Cell, Record, homes_of
from esascore.claims.reading import Reading, Span, parts
from esascore.data import EVERY
from esascore.lazy import lazy
from esascore.literals.clock import find_weekdays, weekday
from esascore.text.vocabulary import english_words, function_words
from esascore.text.words import Phrase, name_words, spaced

_IDENTIFYING = 0.6
"""The share of distinct values from which a column tells the items of a list apart."""

_LONGEST = 8
_AROUND = 24
_ASIDE = re.compile(r"\s*\([^()]*\)")
_SOON = 2  # words at the beginning of a sentence
_COMPARED = re.compile(
    r"(?<![\w-])(?:than|as (?!well)\w+(?: \w+)? as|versus|vs\.?|unlike|behind|ahead of|above|below|beneath"
    r"|against|compared (?:to|with)|next to)\s(?:(?:the|that of|those of|in|on|for|at|an?)\s){0,2}$"
)
_BEFORE_NAME = 40  # characters
_PRONOUNS = frozenset({"he", "she", "it", "his", "her", "its"})
_start = attrgetter("start")

About = tuple[frozenset[str], bool] | None
"""Items that a place is about, and whether that is sure; None if any may be."""


@dataclass(frozen=True, slots=True)
class Handle:
    """A place of a text that names items of an array, by a column if it is a name.

    What something is only compared with ("two points ahead of Malmö") names what its clause is about no
    further than from the word that compares to the clause's end: ``reach``.
    """

    start: int
    end: int
    array: str
    items: frozenset[str]
    column: str = ""
    reach: Span | None = None

    def reaches(self, place: int) -> bool:
        """Return whether it may say what a place is about."""
        return self.reach is None or self.reach[0] <= place < self.reach[1]


@dataclass(frozen=True)
class Handles:
    """How texts call the items of the arrays of an input.

    Attributes
    ----------
    kinds
        The kinds of arrays whose items have names or dates.
    names
        Folded words that name items, with the kinds of their arrays and the columns that they are in.
    days, weekdays
        Items of arrays by their day (month and day of the month) and by their weekday.
    """

    kinds: frozenset[str]
    names: Mapping[Phrase, tuple[tuple[str, str, frozenset[str]], ...]]
    days: Mapping[str, Mapping[tuple[int, int], frozenset[str]]]
    weekdays: Mapping[str, Mapping[int, frozenset[str]]]

    @lazy
    def lengths(self) -> Mapping[str, tuple[int, ...]]:
        """How many words the names have that begin with a word, longest first."""
        found: dict[str, set[int]] = defaultdict(set)
        for words in self.names:
            found[words[0]].add(len(words))
        return {word: tuple(sorted(own, reverse=True)) for word, own in found.items()}


def handles_of(record: Record) -> Handles:
    """Return how texts call the items of the arrays of an input, also objects side by side (home, away).

    Examples
    --------
    >>> from esascore.claims.cells import record_of
    >>> from esascore.model import Graph
    >>> data = {"players": [{"name": "Ada Lund", "points": 9}, {"name": "Ida Moe", "points": 4}]}
    >>> handles = handles_of(record_of(Graph.from_data(data)))
    >>> [(" ".join(words), *own[0][2]) for words, own in handles.names.items() if "lund" in words]
    [('ada lund', '/players/0'), ('lund', '/players/0')]
    """
    names: dict[Phrase, dict[tuple[str, str], set[str]]] = defaultdict(lambda: defaultdict(set))
    kinds: dict[str, list[str]] = defaultdict(list)
    days: dict[str, dict[tuple[int, int], set[str]]] = defaultdict(lambda: defaultdict(set))
    weekdays: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for array, some in groups_of(record).items():
        kinds[kind_of(array)] += some
    dates = _dates_of(record)
    for array, items in kinds.items():
        for key, column in _columns(record, frozenset(items)).items():
            if any(cell.type == "date" for _, cell in column):
                for item, cell in column:
                    for year, month, day in dates.get(cell.number, ()):
                        if month and day:
                            days[array][month, day].add(item)
                            if (number := weekday(year, month, day)) is not None:
                                weekdays[array][number].add(item)
                continue
            distinct = {cell.value for _, cell in column}
            if len(column) < 2 or len(distinct) < _IDENTIFYING * len(column):
                continue
            for item, cell in column:
                for words in calls(cell.value, cell.type == "name"):
                    names[words][array, key].add(item)
    for array, listed in record.items.items():
        for words, item in _numbered(record, array, frozenset(listed)):
            names[words][kind_of(array), ""].add(item)
    told = {array for by in names.values() for array, _ in by} | set(days)
    return Handles(
        frozenset(told),
        {
            words: tuple(
                (array, key, frozenset(items))
                for (array, key), items in by.items()
                if len(items) < 3 or len(words) > 1
            )
            for words, by in names.items()
        },
        {array: {day: frozenset(own) for day, own in by.items()} for array, by in days.items()},
        {array: {day: frozenset(own) for day, own in by.items()} for array, by in weekdays.items()},
    )


def _numbered(record: Record, array: str, items: frozenset[str]) -> Iterator[tuple[Phrase, str]]:
    """Yield how texts call items by their numbers: the second of the seasons is season 2."""
    words = name_words(spaced(array.rpartition("/")[2]))
    if not words or not words[-1].endswith("s"):
        return
    for cell in record.cells:
        if cell.home in items and not cell.key.stems and cell.value.isdecimal() and cell.key.words:
            yield (words[-1].removesuffix("s"), cell.value), cell.home


def _columns(record: Record, items: frozenset[str]) -> Mapping[str, list[tuple[str, Cell]]]:
    """Return the strings and dates of items: those with the same path inside their items are a column."""
    found: dict[str, list[tuple[str, Cell]]] = defaultdict(list)
    for cell in record.cells:
        if cell.type in ("name", "text", "date") and (item := _item_of(cell.spot, items)) is not None:
            found[cell.spot[len(item) :]].append((item, cell))
    return found


def groups_of(record: Record) -> dict[str, tuple[str, ...]]:
    """Return arrays of objects, and objects whose values are objects with the same keys."""
    inner: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for home in record.by_home:
        for child in reversed([own for own in (home, *homes_of(home)) if own]):
            inner[child.rpartition("/")[0]][child].append(home)
    found = {array: items for array, items in record.items.items() if len(items) > 1}
    for home, objects in inner.items():
        if home not in found and len(objects) > 1:
            ends = (
                {cell.spot[len(child) :] for own in homes for cell in record.by_home[own]}
                for child, homes in objects.items()
            )
            if len(set.intersection(*ends)) > 1:
                found[home] = tuple(objects)
    return found


@lru_cache(maxsize=1 << 14)
def kind_of(array: str) -> str:
    """Return the path of an array without positions: arrays of one kind hold things of one kind.

    Examples
    --------
    >>> kind_of("/teams/0/players")
    '/teams/*/players'
    """
    return "/".join(EVERY if part.isdigit() else part for part in array.split("/"))


def _item_of(spot: str, items: frozenset[str]) -> str | None:
    """Return the item that a cell names: one that holds it, and no list in between."""
    home = spot
    for _ in range(2):
        home = home.rpartition("/")[0]
        if home in items:
            return home
        if home.rpartition("/")[2].isdigit():
            return None
    return None


def _dates_of(record: Record) -> Mapping[int, list[tuple[int | None, int | None, int | None]]]:
    found: dict[int, list[tuple[int | None, int | None, int | None]]] = defaultdict(list)
    for own, cell in record.dates:
        found[cell].append((own.year, own.month, own.day))
    return found


def calls(name: str, is_name: bool) -> Iterator[Phrase]:
    """Yield how texts may call something: its whole name, and the last word of a name."""
    if (bare := _ASIDE.sub("", name)) != name and bare:
        yield from calls(bare, is_name)
    words = name_words(name)
    if not words or len(words) > _LONGEST or all(word in function_words() for word in words):
        return
    if len(words) > 1 or (not words[0].isdigit() and (is_name or len(words[0]) > 2)):
        yield words
    if len(words) > 1 and is_name:
        for last in (words[-1], words[0]):
            if len(last) > 2 and not last.isdigit() and last not in english_words().common:
                yield (last,)


def around(found: Sequence[Handle], place: int) -> Sequence[Handle]:
    """Return the handles that stand around a place, of those in text order."""
    at = bisect_right(found, place, key=_start)
    return found[max(0, at - _AROUND) : at + _AROUND]


class Scopes:
    """Which items each place of a text is about."""

    def __init__(self, handles: Handles, reading: Reading):
        self._reading = reading
        found = [*self._by_name(handles), *self._by_day(handles)]
        found.sort(key=lambda own: (own.start, own.array))
        self.by_kind: dict[str, list[Handle]] = defaultdict(list)
        for own in found:
            self.by_kind[own.array].append(own)
        self._about: dict[tuple[str, int], About] = {}

    def _by_name(self, handles: Handles) -> Iterator[Handle]:
        words = self._reading.document.words
        done = 0
        for at, word in enumerate(words.texts):
            if at < done:
                continue
            for size in handles.lengths.get(word, ()):
                if at + size > len(words.texts):
                    continue
                called = handles.names.get(words.texts[at : at + size], ())
                start, end = words.starts[at], words.ends[at + size - 1]
                reach = self._reach(start, end) if called else None
                for array, column, items in called:
                    yield Handle(start, end, array, items, column, reach)
                    done = at + size
                if done > at:
                    break

    def _reach(self, start: int, end: int) -> Span | None:
        """Return from where to where a name that something is compared with may say what is meant."""
        compared = _COMPARED.search(self._reading.lowered, max(0, start - _BEFORE_NAME), start)
        if compared is None:
            return None
        text, last = self._reading.text, self._reading.clause_at(start, end)[1]
        return compared.start(), max(last, text.find(")", last)) if text[last : last + 1] == "(" else last

    def _by_day(self, handles: Handles) -> Iterator[Handle]:
        if not handles.days:
            return
        for found in self._reading.dates:
            for own in parts(found):
                if own.month and own.day:
                    for array, days in handles.days.items():
                        yield Handle(
                            found.start, found.end, array, days.get((own.month, own.day), frozenset())
                        )
        dated = [(found.start, found.end) for found in self._reading.dates]
        for start, end, day in find_weekdays(self._reading.lowered):
            if any(first - 3 <= end and start <= last + 3 for first, last in dated):
                continue  # the weekday of a date that is given
            for array, weekdays in handles.weekdays.items():
                yield Handle(start, end, array, weekdays.get(day, frozenset()))

    def of(self, array: str, place: int, *, itself: bool = True) -> About:
        """Return the items of an array that a place is about, and whether that is sure; None if any may be.

        They are those that its clause names, else those that the sentence names last before the place, else
        first after it, else those that a sentence before named last. What stands at the place names none
        unless ``itself`` says so.
        """
        kind = kind_of(array)
        found = self.by_kind.get(kind, [])
        if not found:
            return None
        if not itself:
            return self._items(found, place, itself=False)
        if (kind, place) not in self._about:
            self._about[kind, place] = self._items(found, place)
        return self._about[kind, place]

    def first_after(self, kind: str, place: int) -> frozenset[str]:
        """Return the items that the rest of a sentence names first, if it has named none before."""
        found = self.by_kind.get(kind, [])
        first, last = self._reading.sentences[self._reading.sentence_at(place)]
        inside = [own for own in around(found, place) if first <= own.start < last]
        if (
            not inside
            or inside[0].start < place
            or any(map(str.isdigit, self._reading.text[place : inside[0].start]))
        ):
            return frozenset()
        return inside[0].items

    def _items(self, found: Sequence[Handle], place: int, *, itself: bool = True) -> About:
        number = self._reading.sentence_at(place)
        first, last = self._reading.sentences[number]
        # Of a very long sentence only what stands around the place counts.
        inside = [
            own
            for own in around(found, place)
            if first <= own.start < last
            and own.reaches(place)
            and (itself or not own.start <= place < own.end)
        ]
        left, right = self._reading.clause_at(place, place)
        clause = [own for own in inside if left <= own.start < right]
        if len({own.items for own in clause}) == 1:
            return clause[0].items, True
        if inside:
            before = [own for own in inside if own.start <= place]
            chosen = before[-1] if before else inside[0]
            same = [own for own in (before or inside) if self._is_joined(own, chosen)]
            items = frozenset().union(*(own.items for own in same))
            return items, bool(before)
        earlier = bisect_left(found, first, key=_start)
        if not earlier:
            return None
        before = [own for own in found[max(0, earlier - _AROUND) : earlier] if own.reaches(place)]
        if not before:
            return None
        return before[-1].items, self._is_carried_on(before, number, place)

    def _is_carried_on(self, before: Sequence[Handle], sentence: int, place: int) -> bool:
        """Return whether a pronoun stands for the only item that the sentence before names: "Her fee is"."""
        first, _ = self._reading.sentences[sentence]
        words = self._reading.document.words
        start, end = (bisect_left(words.starts, at) for at in (first, place))
        if not sentence or _PRONOUNS.isdisjoint(words.texts[start:end][:_SOON]):
            return False
        previous, _ = self._reading.sentences[sentence - 1]
        items = {own.items for own in before if own.start >= previous}
        return len(items) == 1

    def _is_joined(self, one: Handle, other: Handle) -> bool:
        """Return whether two handles are one list: "Smith and Jones"."""
        if one is other:
            return True
        between = self._reading.lowered[min(one.end, other.end) : max(one.start, other.start)].strip()
        return between in ("and", "&", ",", "or", ", and", "to", "-", "–", "through")
