"""Who holds which numbers in an input, and what can be derived from them.

Owners are the named or dated items of lists; what no item owns belongs to the document. A label says what a
number is: the path of its attribute, or a word for how it was derived and that path (``sum teams.*.points``).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from math import floor

from esascore.data import EVERY, Data, FactType, Subject, truth_of
from esascore.detectors.dates import PartialDate
from esascore.detectors.units import Unit, may_mean, unit_named
from esascore.explain.whose.sides import sides_of
from esascore.model import Graph, once_per_input
from esascore.text.stem import stem
from esascore.text.words import Phrase, name_words, spaced

DOCUMENT = ""
"""The owner of what no item of a list owns."""

DIFFERENCE, SUM, EXTREME, COUNT = "difference", "sum", "extreme", "count"
DERIVED = (DIFFERENCE, SUM, EXTREME, COUNT)
_DERIVED = tuple(f"{word} " for word in DERIVED)

Holdings = Mapping[str, tuple[float, ...]]
"""The numbers of an owner by their labels."""

_FIGURES = re.compile(r"\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_STAMP = re.compile(r"[+-]?(\d{4})(?:-(\d\d))?(?:-(\d\d))?(?!\d)")
_HOUR = re.compile(r"[T ](\d\d):(\d\d)")
_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)")
_NEIGHBOUR = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_PROSE = ("name", "text", "list", "number")
_LEAST_NAME = 3
_SIBLINGS_TO_RANK = 3
_SIDES = 2
_EXACT_BELOW = 1000


@dataclass(frozen=True, slots=True)
class Owner:
    """An item of a list: what it is called, its kind, and the item that it is part of."""

    id: str
    kind: str
    name: str
    parent: str
    day: PartialDate | None = None
    hour: int | None = None


@dataclass(frozen=True)
class Ledger:
    """Who holds which numbers in an input.

    Attributes
    ----------
    owners
        The items of lists that have a name or a date, by their id.
    held
        What each owner holds, the document included, with what is derived from it.
    names
        Folded names and last parts of names, with the owners that are called so.
    dated
        The owners that are called by a date, in input order.
    ranks
        For owners with siblings the places of their numbers among those of the siblings, the highest first.
    truths
        What is true or false of each owner, by its label.
    attributes, partial
        The attributes that each owner has, and of each kind those that some have and others lack.
    phrases
        Pairs of neighbouring stems in the attributes ("three point"): a number in one is a word.
    verbatim
        Neighbouring words of keys and values of which one is a number: a text may say them so.
    years
        The years of all dates.
    units
        The units of labels, where the data give them.
    lengths
        How many words the names have that begin with a word, longest first.
    """

    owners: Mapping[str, Owner]
    held: Mapping[str, Holdings]
    names: Mapping[Phrase, tuple[str, ...]]
    dated: tuple[Owner, ...]
    ranks: Mapping[str, Mapping[str, int]]
    truths: Mapping[str, Mapping[str, bool]]
    attributes: Mapping[str, frozenset[str]]
    partial: Mapping[str, tuple[str, ...]]
    phrases: frozenset[tuple[str, str]]
    verbatim: frozenset[tuple[str, str]]
    years: frozenset[float]
    units: Mapping[str, Unit]
    lengths: Mapping[str, tuple[int, ...]]
    _index: dict[str, dict[float, frozenset[str]]] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def only_two(self) -> tuple[tuple[str, str], ...]:
        """The owners of each kind of which there are just two."""
        by_kind: dict[str, list[str]] = defaultdict(list)
        for own in self.owners.values():
            by_kind[own.kind].append(own.id)
        return tuple((some[0], some[1]) for some in by_kind.values() if len(some) == 2)

    def labels(self, owner: str, number: float, unit: Unit | None = None) -> frozenset[str]:
        """Return the labels under which an owner holds a number, or one that is written so.

        Of those that have another unit than the number, only where the number is converted.

        Examples
        --------
        >>> ledger = ledger_of(Graph.from_data({"team": {"points": 96, "crowd": 18997}}))
        >>> sorted(ledger.labels(DOCUMENT, 96)), sorted(ledger.labels(DOCUMENT, 19000))
        (['team.points'], ['team.crowd'])
        """
        if owner not in self._index:
            by_form: dict[float, set[str]] = defaultdict(set)
            for label, numbers in self.held.get(owner, {}).items():
                for own in numbers:
                    for form in written_forms(own):
                        by_form[form].add(label)
            self._index[owner] = {form: frozenset(labels) for form, labels in by_form.items()}
        found = self._index[owner].get(number, frozenset())
        if unit is None or not self.units:
            return found
        return frozenset(label for label in found if self._is_in(label, unit)) | self._converted(
            owner, number, unit
        )

    def _is_in(self, label: str, unit: Unit) -> bool:
        own = self.units.get(plain_label(label))
        return own is None or own.same_size(unit) or may_mean(unit, own)

    def _converted(self, owner: str, number: float, unit: Unit) -> frozenset[str]:
        return frozenset(
            label
            for label, numbers in self.held[owner].items()
            if (own := self.units.get(plain_label(label))) is not None
            and own.dimension == unit.dimension
            and not own.same_size(unit)
            for value in numbers
            if number in written_forms(float(own.converted(Fraction(value), unit)))
        )

    def holders(self, number: float) -> list[str]:
        """Return the owners that hold a number, derived ones aside."""
        return [own for own in self.held if any(not is_derived(label) for label in self.labels(own, number))]

    @property
    def lists_names(self) -> bool:
        """Whether the input is a list of named things, more than the two sides of something."""
        return sum(own.day is None for own in self.owners.values()) > _SIDES


def is_derived(label: str) -> bool:
    """Tell whether a label is of a derived number.

    Examples
    --------
    >>> is_derived("sum teams.*.points"), is_derived("teams.*.points")
    (True, False)
    """
    return label.startswith(_DERIVED)


def plain_label(label: str) -> str:
    """Return what a label was derived from, or itself.

    Examples
    --------
    >>> plain_label("extreme list.*.temp"), plain_label("list.*.temp")
    ('list.*.temp', 'list.*.temp')
    """
    return label.partition(" ")[2] if is_derived(label) else label


def in_words(label: str) -> str:
    """Return what people call a label: its attribute, without the lists that it is in.

    Examples
    --------
    >>> in_words("teams.*.players.*.fieldGoals"), in_words("sum teams.*.points"), in_words("wind.speed")
    ('field goals', 'sum points', 'wind speed')
    """
    derived, _, path = label.partition(" ") if is_derived(label) else ("", "", label)
    own = " ".join(part for part in path.rpartition(f"{EVERY}.")[2].split(".") if part != EVERY)
    return f"{derived} {spaced(own).lower()}".strip()


@lru_cache(maxsize=1 << 16)
def stems_of(label: str) -> frozenset[str]:
    """Return the stems of the words of a label's attribute."""
    return frozenset(stem(word) for word in name_words(in_words(label)) if not word.isdigit())


def written_forms(number: float) -> Iterator[float]:
    """Yield a number, and what it is when it is rounded or cut as people do.

    Examples
    --------
    >>> sorted(set(written_forms(-23.95))), sorted(set(written_forms(18.0)))
    ([23.0, 23.9, 23.95, 24.0], [18.0])
    >>> sorted(set(written_forms(1234)))
    [1200.0, 1234.0]
    """
    own = abs(number)
    yield float(own)
    if own != int(own):
        for places in (0, 1, 2):
            scaled = own * 10**places + 1e-9
            yield floor(scaled + 0.5) / 10**places
            yield floor(scaled) / 10**places
    if own >= _EXACT_BELOW:
        for zeros in range(2, len(str(int(own))) - 1):
            scaled = own / 10**zeros
            yield float(floor(scaled + 0.5) * 10**zeros)
            yield float(floor(scaled) * 10**zeros)


def ledger_of(graph: Graph) -> Ledger:
    """Return who holds which numbers in the data of a graph.

    Examples
    --------
    >>> teams = [{"name": "Oslo Owls", "points": 96}, {"name": "Bergen Bears", "points": 80}]
    >>> ledger = ledger_of(Graph.from_data({"teams": teams}))
    >>> [(own.name, dict(ledger.held[own.id])) for own in ledger.owners.values()]
    [('Oslo Owls', {'teams.*.points': (96.0,)}), ('Bergen Bears', {'teams.*.points': (80.0,)})]
    >>> ledger.held[DOCUMENT]["difference teams.*.points"], ledger.names[("bears",)]
    ((16.0,), ('/teams/1',))
    """
    return _ledger(graph)


def listed_names(graph: Graph) -> Iterable[Phrase]:
    """Return the `Ledger.names` of the data of a graph alone.

    Examples
    --------
    >>> list(listed_names(Graph.from_data({"teams": [{"name": "Oslo Owls", "city": "Oslo", "points": 96}]})))
    [('oslo', 'owls'), ('owls',), ('oslo',)]
    """
    data = sides_of(graph.data or Data()).data
    return filter(None, _names(_Items.of(data), data))


@dataclass(frozen=True, slots=True)
class _Items:
    """The items of lists in data, and the object that each object is part of."""

    owners: dict[str, Owner]
    parents: dict[str, str]
    _resolved: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, data: Data) -> _Items:
        return cls(
            {subject.owner: _owner(subject) for subject in data.subjects if _is_listed(subject)},
            {subject.owner: subject.parent for subject in data.subjects},
        )

    def with_(self, owner: str) -> str:
        """Return the item that an object belongs to."""
        if (known := self._resolved.get(owner)) is not None:
            return known
        above = self.parents.get(owner, "")
        found = owner if owner in self.owners else self.with_(above) if above else DOCUMENT
        self._resolved[owner] = found
        return found


def _names(items: _Items, data: Data) -> dict[Phrase, dict[str, None]]:
    """Return what the items are called, in whole and by the last parts, and what else is a name of theirs."""
    names: dict[Phrase, dict[str, None]] = defaultdict(dict)
    for own in items.owners.values():
        if own.day is None:
            words = name_words(own.name)
            for start in range(len(words)):
                if not start or len(words[start]) >= _LEAST_NAME:
                    names[words[start:]][own.id] = None
    for _, about, path, value, type_, *_ in data.rows:
        if type_ == "name" and (owner := items.with_(about)) and _is_a_name(path, value, items.owners[owner]):
            names[name_words(value)][owner] = None
    return names


@once_per_input
def _ledger(graph: Graph) -> Ledger:
    sides = sides_of(graph.data or Data())
    data = sides.data
    items = _Items.of(data)
    owners = items.owners
    held: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    names = _names(items, data)
    truths: dict[str, dict[str, bool]] = defaultdict(dict)
    for owner, word in sides.words.items():
        truths[owner] = {other: other == word for other in sides.words.values()}
    has: dict[str, set[str]] = {owner: set() for owner in owners}
    for _, about, path, value, type_, _, optional, _ in data.rows:
        owner = items.with_(about)
        if owner:
            has[owner].add(path)
        if not value.isdecimal() and (truth := truth_of(value)) is not None:
            truths[owner][path] = truth
        elif owner and type_ == "name" and _is_a_name(path, value, owners[owner]):
            continue
        elif not optional and (numbers := _numbers(value, type_)):
            held[owner][path] += numbers
    whole = {
        owner: {label: tuple(some) for label, some in own.items()}
        for owner, own in ((owner, held[owner]) for owner in (DOCUMENT, *owners))
    }
    dated = tuple(own for own in owners.values() if own.day is not None)
    by_kind: dict[str, list[str]] = defaultdict(list)
    for own in owners.values():
        by_kind[own.kind].append(own.id)
    for some in by_kind.values():
        whole[DOCUMENT] |= _of_two(*(whole[owner] for owner in some)) if len(some) == 2 else {}
    whole[DOCUMENT] |= _of_series([whole[own.id] for own in dated])
    if days := len({own.day for own in dated}):
        whole[DOCUMENT][f"{COUNT} days"] = (float(days), float(days - 1))  # the first may be today
    for own_numbers in whole.values():
        own_numbers.update(_of_neighbours(own_numbers))
    lengths: dict[str, set[int]] = defaultdict(set)
    for words in filter(None, names):
        lengths[words[0]].add(len(words))
    paths: set[str] = set()
    named: dict[str, str] = {}
    told: list[str] = []
    said: list[str] = []
    for _, _, path, value, type_, given, _, _ in data.rows:
        paths.add(path)
        if given:
            named[path] = given
        if type_ != "number":
            told.append(value)
        if type_ in _PROSE and not value.isdecimal():
            said.append(value)
    told += [subject.name for subject in data.subjects]
    return Ledger(
        owners,
        whole,
        {words: tuple(some) for words, some in names.items() if words},
        dated,
        _ranks(owners.values(), whole),
        truths,
        attributes := {owner: frozenset(some) for owner, some in has.items()},
        _partial(owners.values(), attributes),
        frozenset(pair for path in paths for pair in _pairs(path)),
        frozenset(pair for text in (*paths, *said) for pair in _neighbours(text)),
        frozenset(float(year) for text in told for year in _YEAR.findall(text)),
        {path: unit for path, name in named.items() if (unit := unit_named(name)) is not None},
        {first: tuple(sorted(some, reverse=True)) for first, some in lengths.items()},
    )


def _is_listed(subject: Subject) -> bool:
    return subject.kind.endswith(EVERY)


def _owner(subject: Subject) -> Owner:
    day = hour = None
    stamp = _STAMP.match(subject.name) if subject.type in ("date", "number") else None
    if stamp is not None:
        day = PartialDate(*(int(part) if part else None for part in stamp.groups()))
        clock = _HOUR.search(subject.name)
        hour = int(clock[1]) if clock else None
    return Owner(subject.owner, subject.kind, subject.name, subject.parent, day, hour)


def _is_a_name(path: str, value: str, owner: Owner) -> bool:
    """Tell whether a name is another one of its owner: a nickname, its city; NO, which is Norway, is not."""
    direct = path.removeprefix(f"{owner.kind}.").count(".") == 0
    return direct and owner.day is None and len(value) >= _LEAST_NAME and truth_of(value) is None


def _numbers(value: str, type_: FactType) -> list[float]:
    if type_ in ("date", "time", "boolean"):
        return []
    if type_ == "number":
        try:
            return [float(value)]
        except ValueError:
            pass
    return [float(figures.replace(",", "")) for figures in _FIGURES.findall(value)]


def _of_two(one: Holdings, other: Holdings) -> dict[str, tuple[float, ...]]:
    """Return the differences and sums of the only two owners of a kind."""
    found: dict[str, tuple[float, ...]] = {}
    for label, numbers in one.items():
        if len(numbers) == 1 and len(other.get(label, ())) == 1:
            found[f"{DIFFERENCE} {label}"] = (abs(numbers[0] - other[label][0]),)
            found[f"{SUM} {label}"] = (numbers[0] + other[label][0],)
    return found


def _of_series(items: Sequence[Holdings]) -> dict[str, tuple[float, ...]]:
    """Return the extremes and sums of a series."""
    found: dict[str, tuple[float, ...]] = {}
    for label in dict.fromkeys(label for item in items for label in item):
        numbers = [number for item in items for number in item.get(label, ())]
        found[f"{EXTREME} {label}"] = (min(numbers), max(numbers))
        found[f"{SUM} {label}"] = (sum(numbers),)
    return found


def _of_neighbours(own: Holdings) -> dict[str, tuple[float, ...]]:
    """Return sums of two like-named neighbours: points of the first and the second quarter."""
    alike: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for label, numbers in own.items():
        if label.count(" ") > 1 and len(numbers) == 1 and not is_derived(label):
            alike[tuple(label.split(" ")[1:])].append(label)
    return {
        f"{SUM} {first} {second}": (own[first][0] + own[second][0],)
        for labels in alike.values()
        for first, second in pairwise(labels)
    }


def _ranks(owners: Iterable[Owner], held: Mapping[str, Holdings]) -> dict[str, dict[str, int]]:
    siblings: dict[tuple[str, str], list[str]] = defaultdict(list)
    for own in owners:
        if own.day is None:
            siblings[own.parent, own.kind].append(own.id)
    ranks: dict[str, dict[str, int]] = defaultdict(dict)
    for some in siblings.values():
        if len(some) < _SIBLINGS_TO_RANK:
            continue
        by_label: dict[str, list[tuple[float, str]]] = defaultdict(list)
        for owner in some:
            for label, numbers in held[owner].items():
                if len(numbers) == 1:
                    by_label[label].append((numbers[0], owner))
        for label, pairs in by_label.items():
            above = Counter(number for number, _ in pairs)
            places = dict(zip(sorted(above, reverse=True), accumulate(_runs(above), initial=1), strict=False))
            for number, owner in pairs:
                ranks[owner][label] = places[number]
    return ranks


def _runs(counts: Mapping[float, int]) -> Iterator[int]:
    """Yield how often each number occurs, the highest first."""
    return (counts[number] for number in sorted(counts, reverse=True))


def _partial(owners: Iterable[Owner], attributes: Mapping[str, frozenset[str]]) -> dict[str, tuple[str, ...]]:
    """Return the attributes that some owners of a kind have and others lack."""
    by_kind: dict[str, list[frozenset[str]]] = defaultdict(list)
    for own in owners:
        if own.day is None:
            by_kind[own.kind].append(attributes[own.id])
    some = {
        kind: frozenset().union(*own) - own[0].intersection(*own)
        for kind, own in by_kind.items()
        if len(own) >= _SIBLINGS_TO_RANK
    }
    return {kind: tuple(sorted(labels)) for kind, labels in some.items() if labels}


def _neighbours(text: str) -> Iterator[tuple[str, str]]:
    words = _NEIGHBOUR.findall(text.lower())
    yield from (pair for pair in pairwise(words) if pair[0][0].isdigit() != pair[1][0].isdigit())


def _pairs(path: str) -> Iterator[tuple[str, str]]:
    for part in path.split("."):
        yield from pairwise(map(stem, name_words(spaced(part))))


def weekday(day: PartialDate) -> int | None:
    """Return the weekday of a whole date, Monday being 0; None for others.

    Examples
    --------
    >>> weekday(PartialDate(2024, 1, 4)), weekday(PartialDate(2024, 1))
    (3, None)
    """
    if day.year is None or day.month is None or day.day is None:
        return None
    try:
        return date(day.year, day.month, day.day).weekday()
    except ValueError:
        return None
