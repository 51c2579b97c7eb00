"""Phrases that realise values of an attribute: "inexpensive" for ``priceRange=cheap``.

A phrase may realise several values of one attribute; it contradicts others, and inputs that do not have the
attribute. A negation before it reverses a truth value and invalidates other phrases.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from esascore.data import truth_of
from esascore.label import label
from esascore.lexicon.user import UserEntry
from esascore.model import Input
from esascore.text.clauses import BREAK, NOT, Bases, Clauses, phrase
from esascore.text.words import folded_key, spaced
from esascore.wordlists import values as several

ABSENT = ""
"""Stands for an input without the attribute, among the values that a phrase contradicts."""

YES, NO = "yes", "no"
NEGATION_REACH = 3
_LEAST_NAME = 3
_FARTHEST = 8
_OTHERS, _NOTHING, _NO_VALUE = "*", "nothing", "-"


@dataclass(frozen=True, slots=True)
class Phrasing:
    """A phrase and the values that it realises; attribute and values are keys.

    ``against`` None is everything else: all other values, and inputs without the attribute.
    """

    attribute: str
    values: frozenset[str]
    bases: Bases
    text: str
    against: frozenset[str] | None = None
    cost: float = 0.0

    @property
    def is_truth(self) -> bool:
        """Return whether its values are yes or no."""
        return self.values <= {YES, NO}

    def denies(self, value: str, known: frozenset[str] = frozenset()) -> bool:
        """Return whether it contradicts a value, or `ABSENT`.

        A phrase that contradicts anything also contradicts a value that is not among the ``known`` ones.
        """
        if value in self.values:
            return False
        if self.against is None or value in self.against:
            return True
        return bool(self.against) and value != ABSENT and bool(known) and value not in known


@dataclass(frozen=True, slots=True)
class Hit:
    """A phrase in a text: ``clauses.bases[start:end]``; if it is ``settled``, negations have been applied."""

    start: int
    end: int
    phrasing: Phrasing
    settled: bool = False


@lru_cache(maxsize=1 << 14)
def attribute_key(name: str) -> str:
    """Return the key under which the name of an attribute is compared.

    Examples
    --------
    >>> attribute_key("priceRange") == attribute_key("price_range") == attribute_key("Price range")
    True
    """
    return folded_key(spaced(name))


@lru_cache(maxsize=1 << 14)
def value_key(term: str) -> str:
    """Return the key under which a value is compared.

    Examples
    --------
    >>> value_key("Less than £20"), value_key("True"), value_key("no")
    ('less than £20', 'yes', 'no')
    """
    text = label(term)
    truth = truth_of(text)
    return text.casefold() if truth is None else YES if truth else NO


@lru_cache(maxsize=1 << 12)
def attribute_words(attribute: str) -> frozenset[str]:
    """Return the word bases that name an attribute.

    Examples
    --------
    >>> sorted(attribute_words("price range"))
    ['pric', 'rang']
    """
    return frozenset(own for own in phrase(attribute) if len(own) >= _LEAST_NAME)


def distance(clauses: Clauses, hit: Hit, attribute: str) -> int:
    """Return how many words are between a phrase and the nearest word for an attribute, in its clause."""
    names, bases = attribute_words(attribute), clauses.bases
    for gap in range(_FARTHEST):
        before, after = hit.start - gap - 1, hit.end + gap
        if before >= 0 and bases[before] in names and BREAK not in bases[before : hit.start]:
            return gap
        if after < len(bases) and bases[after] in names and BREAK not in bases[hit.end : after]:
            return gap
    return _FARTHEST


class Phrasings:
    """Phrases ready to be found in texts.

    ``refused`` has those that do not mean a value of an attribute, ``values`` by attribute those that any
    phrase realises.

    Examples
    --------
    >>> from esascore.text.clauses import clauses
    >>> from esascore.text.document import read
    >>> lines = [("familyFriendly=yes", "kid friendly"), ("price=cheap|less than £20", "inexpensive")]
    >>> text = clauses(read("It is not kid-friendly, but inexpensive."))
    >>> known = Phrasings.of_user(UserEntry(entity, form) for entity, form in lines)
    >>> [(hit.phrasing.attribute, sorted(hit.phrasing.values))
    ...  for hit in chosen(text, known.all_hits(text))]
    [('family friendly', ['no']), ('price', ['cheap', 'less than £20'])]
    """

    def __init__(
        self, phrasings: Iterable[Phrasing] = (), refused: frozenset[tuple[str, str, Bases]] = frozenset()
    ):
        self.phrasings, self.refused = tuple(phrasings), refused
        self.values: dict[str, frozenset[str]] = {}
        self._by_first: dict[str, list[Phrasing]] = {}
        for own in self.phrasings:
            self.values[own.attribute] = self.values.get(own.attribute, frozenset()) | own.values
            if own.bases:
                self._by_first.setdefault(own.bases[0], []).append(own)

    @classmethod
    def of_user(cls, entries: Iterable[UserEntry]) -> Phrasings:
        """Take the lines of a user's lexicon that are keyed by attribute and value."""
        keyed = [(entry, key) for entry in entries if (key := split_key(entry.entity)) is not None]
        refused = (
            (attribute_key(attribute), value_key(value), phrase(entry.form))
            for entry, (attribute, values) in keyed
            if entry.kind == "drop"
            for value in values
        )
        aliases = (_alias(entry, *key) for entry, key in keyed if entry.kind == "alias")
        return cls(aliases, frozenset(refused))

    def without(self, refused: frozenset[tuple[str, str, Bases]]) -> Phrasings:
        """Return the phrases without those that are refused for one of their values."""
        kept = (
            own
            for own in self.phrasings
            if all((own.attribute, value, own.bases) not in refused for value in own.values)
        )
        return Phrasings(kept) if refused else self

    def joined(self, other: Phrasings) -> Phrasings:
        """Return these phrases and, after them, others."""
        return Phrasings(self.phrasings + other.phrasings, self.refused | other.refused)

    def all_hits(self, clauses: Clauses) -> Iterator[Hit]:
        """Find all phrases in a text, those that come first in the lexicon first at each place."""
        bases = clauses.bases
        for start, first in enumerate(bases):
            for own in self._by_first.get(first, ()):
                end = start + len(own.bases)
                if bases[start:end] == own.bases:
                    yield Hit(start, end, own)


NO_PHRASINGS = Phrasings()
"""No phrase is known."""


def no_phrasings(_input: Input) -> Phrasings:
    """Know no phrase, whatever the input is."""
    return NO_PHRASINGS


def chosen(clauses: Clauses, hits: Iterable[Hit]) -> list[Hit]:
    """Choose among phrases in a text, and apply the negations before them; in text order.

    The longest comes first, of equals the first given: phrases inside a longer one no longer count, and
    phrases of one attribute do not overlap. If the same words are values of two attributes, the one whose
    name is nearer counts. A negation reverses a truth value; other negated phrases say nothing.
    """
    kept: list[Hit] = []
    for hit in sorted(hits, key=lambda hit: hit.start - hit.end):
        if not any(_excludes(other, hit) for other in kept):
            kept.append(hit)
    if len({(hit.start, hit.end) for hit in kept}) < len(kept):
        kept = [hit for hit in kept if not any(_is_nearer(clauses, other, hit) for other in kept)]
    return sorted(_turned(clauses, kept), key=lambda hit: (hit.start, hit.end))


def _is_nearer(clauses: Clauses, other: Hit, hit: Hit) -> bool:
    """Return whether the same words belong to another attribute, whose name is nearer ("high price")."""
    if (other.start, other.end) != (hit.start, hit.end):
        return False
    gaps = [distance(clauses, one, one.phrasing.attribute) for one in (other, hit)]
    return gaps[0] < gaps[1]


def _turned(clauses: Clauses, hits: Iterable[Hit]) -> list[Hit]:
    found: list[Hit] = []
    for hit in hits:
        own = hit.phrasing
        reach = NEGATION_REACH if own.is_truth else 1
        if hit.settled or NOT in own.bases or not clauses.negated(hit.start, reach):
            found.append(hit)
        elif own.is_truth and len(own.values) == 1:
            other = frozenset({YES, NO}) - own.values
            against = own.against if own.against is None else own.against - other | own.values
            found.append(replace(hit, phrasing=replace(own, values=other, against=against)))
    return found


def own_words(attribute: str, value: str, against: frozenset[str] | None = None) -> Phrasing:
    """Return the phrasing that consists of a value's own words."""
    bases = phrase(label(value))
    return Phrasing(attribute_key(attribute), frozenset({value_key(value)}), bases, label(value), against)


def split_key(entity: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the attribute and the values of a key ``attribute=value|value``; None for the name of an entity.

    Examples
    --------
    >>> split_key("price=cheap|less than £20"), split_key("Abilene, Texas")
    (('price', ('cheap', 'less than £20')), None)
    """
    attribute, equals, cell = entity.partition("=")
    attribute, found = attribute.strip(), [value.strip() for value in several(cell)]
    return (attribute, tuple(found)) if equals and attribute and found and all(found) else None


def _alias(entry: UserEntry, attribute: str, values: tuple[str, ...]) -> Phrasing:
    return Phrasing(
        attribute_key(attribute),
        frozenset(map(value_key, values)),
        phrase(entry.form),
        entry.form,
        _against(entry.against),
        entry.cost,
    )


def _against(cell: str) -> frozenset[str] | None:
    if cell in ("", _OTHERS):
        return None
    if cell == _NOTHING:
        return frozenset()
    return frozenset(ABSENT if value == _NO_VALUE else value_key(value) for value in several(cell))


def _excludes(kept: Hit, hit: Hit) -> bool:
    if kept.phrasing.attribute == hit.phrasing.attribute:
        return kept.start < hit.end and hit.start < kept.end
    inside = kept.start <= hit.start and hit.end <= kept.end
    return inside and kept.end - kept.start > hit.end - hit.start


def against_cell(values: Sequence[str | None]) -> str:
    """Write the values that a phrase contradicts as a cell of a lexicon; None is an absent attribute.

    Examples
    --------
    >>> against_cell(["low", None]), against_cell([])
    ('low|-', 'nothing')
    """
    return "|".join(_NO_VALUE if value is None else value for value in values) or _NOTHING
