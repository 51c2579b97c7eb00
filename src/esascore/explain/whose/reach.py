"""Which owners a place in a text speaks of: those named in its sentence, and the days that it is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from esascore.detectors.dates import DateRange, DateValue, PartialDate
from esascore.explain.whose.ledger import DOCUMENT, Ledger, Owner, weekday
from esascore.explain.whose.pieces import Named, Pieces
from esascore.text.vocabulary import WEEKDAYS

_BACK = (1, 2)
"""How many sentences back an owner may have been named."""

_NEAR = 8
_JOINTS = frozenset({"to", "through", "until", "-", "–", "and", ",", "or", "the", "on"})
_FROM_TO = frozenset({"to", "through", "until", "-", "–"})


@dataclass(frozen=True, slots=True)
class Scope:
    """Dates that stand together, and the ids of the owners that they call; none where the series lacks it."""

    first: int
    end: int
    owners: tuple[str, ...]


@dataclass(frozen=True)
class Reach:
    """Says which owners a place in a text speaks of."""

    pieces: Pieces
    ledger: Ledger
    _scopes: dict[int, list[Scope]] = field(default_factory=dict, repr=False)
    _named: dict[int, list[Named]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, pieces: Pieces, ledger: Ledger) -> Reach:
        """Note the names and dates of each sentence."""
        reach = cls(pieces, ledger)
        for named in pieces.named:
            reach._named.setdefault(pieces.sentences[named.first], []).append(named)
        if ledger.dated:
            for scope in _scopes(pieces, ledger):
                reach._scopes.setdefault(pieces.sentences[scope.first], []).append(scope)
        return reach

    def named(self, sentence: int) -> Sequence[Named]:
        """Return the names of a sentence, in text order."""
        return self._named.get(sentence, ())

    def owners(self, index: int) -> tuple[str, ...]:
        """Return the owners that a piece may speak of, the document last.

        Of each kind the one named last before it; else the first named after it in the sentence; else the
        first of a sentence before. Items of a series are chosen by the date.

        Examples
        --------
        >>> from esascore.explain.whose.ledger import ledger_of
        >>> from esascore.explain.whose.pieces import pieces_of
        >>> from esascore.model import Graph
        >>> from esascore.text.document import Document
        >>> graph = Graph.from_data({"players": [{"name": "Ann", "points": 2}, {"name": "Bo", "points": 3}]})
        >>> pieces = pieces_of(Document(graph, "Ann met Bo, who had 3. He won 2 games."), ledger_of(graph))
        >>> reach = Reach.of(pieces, ledger_of(graph))
        >>> reach.owners(6), reach.owners(10)
        (('/players/1', ''), ('/players/0', ''))
        """
        sentence = self.pieces.sentences[index]
        found: dict[str, tuple[str, ...]] = {}
        here = self.named(sentence)
        for named in reversed(here):
            if named.first <= index:
                for kind, owners in self._by_kind(named):
                    found.setdefault(kind, owners)
        if not found:
            near = [named for named in here if named.first > index][:1] or self._before(sentence)
            for named in near:
                found.update(self._by_kind(named))
        days = self.days(index) if self.ledger.dated else ()
        return (*dict.fromkeys(owner for owners in found.values() for owner in owners), *days, DOCUMENT)

    def days(self, index: int) -> tuple[str, ...]:
        """Return the items of a series that a piece may speak of; all where the text does not say which."""
        scope = self.scope(index)
        return tuple(own.id for own in self.ledger.dated) if scope is None else scope

    def scope(self, index: int) -> tuple[str, ...] | None:
        """Return the items of the day that a piece is about; None where the text does not say.

        A day right after it ("on ..."), else the nearest before in the sentence, else the first after, else
        that of a sentence before.
        """
        words, sentence = self.pieces.words, self.pieces.sentences[index]
        here = self._scopes.get(sentence, ())
        before = [scope for scope in here if scope.end <= index]
        after = next((scope for scope in here if scope.first > index), None)
        if after is not None:
            between = range(index + 1, after.first)
            plain = not any(words[i] == "," or self.pieces.numbers[i] is not None for i in between)
            if plain and (len(between) < _NEAR or not before):
                return after.owners
        if before:
            return before[-1].owners
        if after is not None:
            return None
        for back in _BACK:
            if last := self._scopes.get(sentence - back):
                return tuple(dict.fromkeys(owner for scope in last for owner in scope.owners))
        return None

    def _by_kind(self, named: Named) -> Iterator[tuple[str, tuple[str, ...]]]:
        owners = self.ledger.owners
        kinds = dict.fromkeys(owners[owner].kind for owner in named.owners)
        for kind in kinds:
            yield kind, tuple(owner for owner in named.owners if owners[owner].kind == kind)

    def _before(self, sentence: int) -> list[Named]:
        for back in _BACK:
            if last := self.named(sentence - back):
                return [last[0]]
        return []


def _scopes(pieces: Pieces, ledger: Ledger) -> Iterator[Scope]:
    """Yield the dates of a text, those that a word joins together as one."""
    open_: Scope | None = None
    for first, end, own in sorted(_called(pieces, ledger), key=lambda one: one[0]):
        if open_ is not None:
            link = set(pieces.words[open_.end : first])
            if first - open_.end <= 4 and link <= _JOINTS and pieces.in_sentence(first, open_.first):
                owners = (*open_.owners, *own)
                if link & _FROM_TO:
                    owners = _between(ledger.dated, owners)
                open_ = Scope(open_.first, end, tuple(dict.fromkeys(owners)))
                continue
            yield open_
        open_ = Scope(first, end, own)
    if open_ is not None:
        yield open_


def _called(pieces: Pieces, ledger: Ledger) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    for day in pieces.days:
        yield day.first, day.end, tuple(own.id for own in ledger.dated if _means(day.values, own))
    for index, word in enumerate(pieces.words):
        if word in WEEKDAYS:
            number = WEEKDAYS.index(word)
            owners = [own for own in ledger.dated if own.day is not None and weekday(own.day) == number]
            yield index, index + 1, tuple(own.id for own in owners)
        elif word in ("day", "today"):
            yield from _nth_day(pieces, ledger, index)


def _nth_day(pieces: Pieces, ledger: Ledger, index: int) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield the day that a text counts: today, the second day, day 3."""
    days = list(dict.fromkeys(own.day for own in ledger.dated))
    around = [(index, index + 1, 1)] if pieces.words[index] == "today" else []
    for near, first, end in ((index - 1, index - 1, index + 1), (index + 1, index, index + 2)):
        number = pieces.numbers[near] if pieces.in_sentence(near, index) else None
        if number is not None and number.ordinal == (near < index):
            around.append((first, end, int(number.values[0])))
    for first, end, nth in around[:1]:
        if 0 < nth <= len(days):
            yield first, end, tuple(own.id for own in ledger.dated if own.day == days[nth - 1])


def _means(values: Iterable[DateValue], owner: Owner) -> bool:
    own = owner.day
    if own is None:
        return False
    for value in values:
        if isinstance(value, DateRange):
            if _order(value.first, own) <= _order(own, value.first) and _order(own, value.last) <= _order(
                value.last, own
            ):
                return True
        elif all(
            said is None or meant is None or said == meant
            for said, meant in zip(_parts(value), _parts(own), strict=True)
        ):
            return True
    return False


def _parts(day: PartialDate) -> tuple[int | None, ...]:
    return day.year, day.month, day.day


def _order(day: PartialDate, like: PartialDate) -> tuple[int, ...]:
    """Return the parts of a date that another one also has."""
    return tuple(
        own
        for own, other in zip(_parts(day), _parts(like), strict=True)
        if own is not None and other is not None
    )


def _between(dated: Sequence[Owner], owners: Sequence[str]) -> tuple[str, ...]:
    places = [place for place, own in enumerate(dated) if own.id in owners]
    return tuple(own.id for own in dated[min(places) : max(places) + 1]) if places else ()
