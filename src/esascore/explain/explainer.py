"""Collects what inputs explain, with the lexicon and the languages of a pipeline."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from itertools import chain, pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from esascore.data import EVERY, Data, last_key
from esascore.detectors.clock import Clock, entity_clock, find_times
from esascore.detectors.dates import DateRange, DateValue, PartialDate, entity_date, find_dates
from esascore.detectors.number_patterns import has_decimal_comma, readings
from esascore.detectors.numbers import find_numbers
from esascore.detectors.quantities import (
    Quantities,
    Quantity,
    entity_quantities,
    entity_quantity,
    is_quantity,
    quantities_of,
)
from esascore.detectors.units import unit_named
from esascore.explain.explanation import Explained, figures_in
from esascore.explain.wordings import property_wordings
from esascore.lexicon import Lexicon, label, nature, nouns
from esascore.lexicon.codes import names_of_code
from esascore.lexicon.places import by_derived_word, by_name, state_abbreviations
from esascore.lexicon.user import is_user_source
from esascore.model import Entity, Graph, Input, Table, once_per_input, worded
from esascore.text.normalize import folded, lowered_in_place
from esascore.text.phrases import Phrases, lengths_of
from esascore.text.stem import stem
from esascore.text.symbols import tail
from esascore.text.vocabulary import function_words
from esascore.text.words import Phrase, folded_key, name_words, spaced

if TYPE_CHECKING:
    from esascore.explain.whose.model import Model

_DIGITS = re.compile(r"\d+")
_FIGURES = re.compile(r"\d+(?:[.,]\d+)*")
_LISTED = re.compile(r",\s|;\s?|\s/\s")
_NO_NUMBERS = ("date", "time", "boolean")
_WORD = re.compile(r"[^\W_]+")
_SEASON = re.compile(r"(?<![\d-])(\d\d)\d\d\s?[-–/]\s?(\d\d)(?![\d-])")
_CLIPPED = re.compile(r"([^\W\d_]{2,})\.")
_LONGEST_PLACE = 4
_LONGEST_INITIALS = 9
_ABOUT_OFFICES = re.compile("leader|president|mayor|governor|head|monarch|successor|predecessor|office|chief")
_OFFICES = (
    "president", "minister", "prime", "mayor", "king", "queen", "chancellor", "governor", "lord", "emperor",
    "premier", "monarch", "chief", "prince", "princess", "deputy", "head", "vice",
)  # fmt: skip
_REMEMBERED = 1 << 14


@dataclass(frozen=True)
class Explainer:
    """Collects what inputs explain.

    Parameters
    ----------
    lexicon
        Knows the surface forms of entities. Forms that a user added explain nothing by their words: a form
        such as "Kestrel House in London" would hide that a text adds London.
    languages
        ISO codes of the languages that the texts are written in.
    off
        Rules (`esascore.explain.spans.EVIDENCE`), types and classes of flags that are switched off.
    whose
        Which words go with which attribute of data, learned before; else the texts under check teach it.
    """

    lexicon: Lexicon
    languages: tuple[str, ...] = ("en",)
    off: frozenset[str] = frozenset()
    whose: Model | None = None
    _explained: Callable[[Input, Graph | None], Explained] = field(init=False, repr=False, compare=False)
    _forms: Callable[[Entity], tuple[str, ...]] = field(init=False, repr=False, compare=False)
    _called: Callable[[Entity], _Called] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # The texts of all systems share the inputs of a corpus, and its inputs many entities.
        object.__setattr__(self, "_explained", once_per_input(self._collect))
        object.__setattr__(self, "_forms", lru_cache(maxsize=_REMEMBERED)(self._folded_forms))
        object.__setattr__(self, "_called", lru_cache(maxsize=_REMEMBERED)(self._words_for))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.lexicon, self.languages, self.off, self.whose)

    def explain(self, input_: Input, original: Graph | None = None) -> Explained:
        """Return what an input explains, and the unmodified graph that it was made from, where there is one.

        Systems may have seen either.
        """
        return self._explained(input_, original)

    def forms(self, entity: Entity) -> tuple[str, ...]:
        """Return the surface forms of an entity, folded."""
        return self._forms(entity)

    def _folded_forms(self, entity: Entity) -> tuple[str, ...]:
        return tuple(dict.fromkeys(folded_key(variant.text) for variant in self.lexicon.variants(entity)))

    def _words_for(self, entity: Entity) -> _Called:
        forms = [one.text for one in self.lexicon.variants(entity) if not is_user_source(one.source)]
        phrases = dict.fromkeys(filter(None, map(name_words, forms)), entity.term)
        return _Called(phrases, frozenset(chain.from_iterable(phrases)))

    def _collect(self, input_: Input, original: Graph | None) -> Explained:
        entities, not_numbers = list(input_.entities), list(worded(input_))
        if original is not None:
            entities = list(dict.fromkeys((*entities, *original.entities)))
            not_numbers = entities
        properties: set[str] = set()
        for entity in entities:
            properties.update(entity.subject_of)
            properties.update(entity.object_of)
        terms = [entity.term for entity in entities]
        if isinstance(input_, Table):  # what is not highlighted is not asked for, but explains what is said
            terms += [cell.value for cell in input_.cells]
            properties.update(cell.attribute for cell in input_.cells if cell.attribute)
        labels = list(dict.fromkeys(map(label, terms)))
        # Figures are words of their own, and nothing else.
        figures = [text for text in labels if text.isdecimal() and text.isascii()]
        others = [text for text in labels if not (text.isdecimal() and text.isascii())] if figures else labels
        read = list(map(_read_label, others))
        around = list(map(name_words, _around(input_)))
        typed = isinstance(input_, Graph) and input_.data is not None
        # A part of a number or date does not explain another one.
        named = [
            entity
            for entity in not_numbers
            if entity.type is None or not (entity.type in _NO_NUMBERS or is_quantity(entity))
        ]
        called = list(map(self._called, named))
        words = set(figures).union(
            *around,
            *(own.words for own in called),
            *(own.words for own in read),
            *map(_words_for_property, properties),
        )
        words.update(*_places(words), *map(_places_in, around), *(own.places for own in read))
        phrases: dict[Phrase, str] = {}
        for own in reversed(called):  # of two entities with one name the first counts
            phrases.update(own.phrases)
        dates, years = _dates(entities, labels, self.languages)
        data = any(entity.type is not None for entity in entities)
        if data:
            quantities, numbers = _of_data(entities)
            numbers.update(number for name in properties for number in _values(name))
        else:
            quantities = [q for entity in entities if (q := entity_quantity(entity)) is not None]
            numbers = set().union(*map(_values, labels), *map(_values, properties))
        long = [word for word in words if len(word) > 3]
        persons = [name_words(label(entity.term)) for entity in entities if nature(entity) == "person"]
        return Explained(
            frozenset(words),
            frozenset().union(*(_split_nouns(nouns(entity, input_.category)) for entity in named)),
            frozenset(map(stem, long)),
            frozenset().union(
                *(own.initials for own in read),
                *(_initials(_words_of_property(name), 2 if typed else 3) for name in properties),
            ),
            tuple(dict.fromkeys((*figures, *(own.code for own in read)))),
            tuple(frozenset().union(*(own.clipped for own in read))),
            frozenset(chain.from_iterable(persons)),
            Phrases(phrases, lengths_of(phrases)),
            dates,
            years,
            Quantities.of(quantities),
            frozenset(numbers),
            _spans(years),
            _counts_of_data(input_.data) if isinstance(input_, Graph) and input_.data else _counts(input_),
            frozenset().union(*map(_stemmed_wordings, properties)),
            self.languages,
            frozenset(properties),
            tuple([word for word in long if not word.isdigit()]),
            data,
            data and any(has_decimal_comma(term) for term in terms),
            _tails(entities),
            _clocks(entities) if data else frozenset(),
            _series(input_.data) if isinstance(input_, Graph) and input_.data else (),
            frozenset(piece for text in (*terms, *properties) for piece in figures_in(text))
            if data
            else frozenset(),
            _currencies(entities),
        )


def _around(input_: Input) -> Iterator[str]:
    """Yield what else the input says: its category, for tables the titles."""
    if input_.category:
        yield spaced(input_.category)
    if isinstance(input_, Table):
        yield from (input_.title, input_.section_title, input_.section_text)


# Labels and properties stand in many inputs of a corpus.
_cached = lru_cache(maxsize=_REMEMBERED)


class _Called(NamedTuple):
    """What an entity may be called: phrases with its term, and all their words."""

    phrases: Mapping[Phrase, str]
    words: frozenset[str]


class _Label(NamedTuple):
    """What a label explains; the attributes are those of `Explained`, ``places`` the words for its places."""

    words: frozenset[str]
    initials: frozenset[str]
    code: str
    clipped: frozenset[str]
    places: frozenset[str]


@_cached
def _read_label(text: str) -> _Label:
    own = name_words(text)
    return _Label(
        frozenset((*own, *_words_for_label(text, own))),
        _initials(own, 2),
        "".join(own),
        frozenset(filter(None, map(folded, _CLIPPED.findall(text)))),
        _places_in(own),
    )


def _words_for_label(text: str, own: Phrase) -> Iterator[str]:
    """Yield the words that a text may have for a label besides its own."""
    yield from name_words(spaced(text))
    for first, second in pairwise(own):
        yield first + second
    if not text.isascii():  # characters that a system could not write
        yield from name_words("".join(c if c.isascii() else "" for c in text))
        yield from name_words("".join(c if c.isascii() else " " for c in text))
    for part in text.split(","):
        for abbreviation in state_abbreviations().get(part.strip().casefold(), ()):
            yield from name_words(abbreviation)


@_cached
def _initials(words: Phrase, least: int) -> frozenset[str]:
    return frozenset(_first_letters(words, least))


def _first_letters(words: Phrase, least: int) -> Iterator[str]:
    small = function_words("particle")
    for start in range(len(words)):
        all_, main = "", ""
        for word in words[start : start + _LONGEST_INITIALS]:
            all_ += word[0]
            main += "" if word in small else word[0]
            yield from (letters for letters in (all_, main) if len(letters) >= least)


def _places(words: Set[str]) -> Iterator[frozenset[str]]:
    """Yield the words for the places that words are derived from."""
    return map(_places_behind, words & by_derived_word().keys())


@_cached
def _places_behind(word: str) -> frozenset[str]:
    places = by_derived_word()[word]
    return frozenset(own for place in places for own in _words_of((*place.names, *place.derived)))


@_cached
def _places_in(own: Phrase) -> frozenset[str]:
    """Return the words for the places that a label names, and for what is derived from them."""
    names = by_name()
    runs = (
        " ".join(own[start:end])
        for start in range(len(own))
        for end in range(start + 1, min(len(own), start + _LONGEST_PLACE) + 1)
    )
    places = (names[run] for run in runs if run in names)
    return frozenset(word for place in places for word in _words_of((*place.names, *place.derived)))


@_cached
def _words_of_property(name: str) -> Phrase:
    return name_words(spaced(name))


@_cached
def _words_for_property(name: str) -> frozenset[str]:
    own = _words_of_property(name)
    offices = _OFFICES if _ABOUT_OFFICES.search(name.lower()) else ()
    return frozenset((*own, "".join(own), *offices))


@_cached
def _stemmed_wordings(name: str) -> frozenset[str]:
    return frozenset(map(stem, property_wordings(name)))


@_cached
def _split_nouns(own: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word for noun in own for word in noun.split())


def _words_of(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from _cached_words(text)


@lru_cache(maxsize=1 << 12)
def _cached_words(text: str) -> Phrase:
    own = name_words(text)
    return (*own, "".join(own)) if "." in text else own


def _dates(
    entities: Iterable[Entity], labels: Iterable[str], languages: tuple[str, ...]
) -> tuple[tuple[DateValue, ...], frozenset[int]]:
    dates: dict[DateValue, None] = {}
    whole = set()
    for entity in entities:
        if (date := entity_date(entity, languages)) is not None:
            dates[date] = None
            whole.add(label(entity.term))
    for text in labels:
        if text in whole:
            continue
        dates.update(_dates_in(text, languages))
    years: set[int] = set()
    for date in dates:
        ends = (date.first, date.last) if isinstance(date, DateRange) else (date,)
        years.update(end.year for end in ends if end.year is not None)
    return tuple(dates), frozenset(years)


@_cached
def _dates_in(text: str, languages: tuple[str, ...]) -> Mapping[DateValue, None]:
    dates = dict.fromkeys(value for found in find_dates(text, languages) for value in found.values)
    for season in _SEASON.finditer(text):
        dates[PartialDate(int(season[1] + season[2]))] = None
    return MappingProxyType(dates)


def _spans(years: frozenset[int]) -> frozenset[int]:
    """Return how many years may have passed between two of them, before the last of them is over, too.

    Years are the bits of an integer, so that those of one distance from all others are found at once.
    """
    if not years:
        return frozenset()
    first = min(years)
    all_ = sum(1 << (year - first) for year in years)
    apart = 0
    for year in years:
        apart |= all_ >> (year - first)
    passed = [distance for distance, bit in enumerate(reversed(f"{apart:b}")) if bit == "1" and distance]
    return frozenset(distance - early for distance in passed for early in (0, 1))


@_cached
def _values(text: str) -> tuple[Decimal, ...]:
    values = [abs(value) for number in find_numbers(text) for value in number.values]
    return (*values, *(Decimal(digits) for digits in _DIGITS.findall(text) if len(digits) < 20))


def _of_data(entities: Iterable[Entity]) -> tuple[list[Quantity], set[Decimal]]:
    """Return the quantities of data, and the figures in their texts that are none: parts of codes."""
    quantities: dict[Quantity, None] = {}
    codes: set[Decimal] = set()
    for entity in entities:
        own = entity_quantities(entity)
        for quantity in own:
            quantities[quantity] = None
        if not own and entity.type not in _NO_NUMBERS and _DIGITS.search(entity.term):
            numbers = find_numbers(entity.term, data=True)
            for number in numbers:
                quantities.update((Quantity(value, number.unit, typed=True), None) for value in number.values)
            for figures in _FIGURES.finditer(entity.term):
                if not any(n.start < figures.end() and figures.start() < n.end for n in numbers):
                    codes.update(readings(figures[0])[:1])
    return list(quantities), codes


def _clocks(entities: Iterable[Entity]) -> frozenset[Clock]:
    """Return the times of day of data, also those in texts."""
    clocks = set()
    for entity in entities:
        if (clock := entity_clock(entity)) is not None:
            clocks.add(clock)
        elif entity.type in ("name", "text", "list"):
            times = find_times(lowered_in_place(entity.term))
            clocks.update(Clock(minutes) for time in times for minutes in time.minutes)
    return frozenset(clocks)


def _tails(entities: Iterable[Entity]) -> dict[str, frozenset[str]]:
    """Return the symbols after the words of data, by folded word; words with digits may have none (S24)."""
    tails: dict[str, set[str]] = {}
    for entity in entities:
        if entity.type in ("name", "text", "list"):
            for word in _WORD.finditer(entity.term):
                symbols = tail(entity.term, word.end())[0]
                if symbols or _DIGITS.search(word[0]):
                    tails.setdefault(folded(word[0]), set()).add(symbols)
    return {word: frozenset(own) for word, own in tails.items()}


def _currencies(entities: Iterable[Entity]) -> frozenset[str]:
    units = (unit_named(entity.term) for entity in entities if names_of_code(entity))
    return frozenset(unit.dimension for unit in units if unit is not None)


def _series(data: Data) -> tuple[tuple[Decimal, ...], ...]:
    """Return the numbers that can be added and compared: of one attribute, or of one subject and unit."""
    alike: dict[tuple[str, ...], list[Decimal]] = {}
    for _, owner, path, value, type_, given, _, key in data.rows:
        if type_ == "number":
            own = quantities_of(value, (key or last_key(path),), given)
            if len(own) == 1:
                alike.setdefault((path,), []).append(own[0].value)
                if own[0].unit is not None and own[0].unit.dimension != "ratio":
                    alike.setdefault((owner, own[0].unit.name, ""), []).append(own[0].value)
    return tuple(tuple(values) for values in alike.values() if len(values) > 1)


def _counts_of_data(data: Data) -> frozenset[int]:
    """Return how many things data list together: items of an array, parts of a value that enumerates."""
    sizes: dict[tuple[str, str], int] = {}
    for subject in data.subjects:
        sizes[subject.kind, subject.parent] = sizes.get((subject.kind, subject.parent), 0) + 1
    days: set[str] = set()
    for _, owner, path, value, type_, *_ in data.rows:
        if path.endswith(EVERY):
            sizes[path, owner] = sizes.get((path, owner), 0) + 1
        if type_ == "list":
            sizes[path, f"{owner} {value}"] = len(_LISTED.split(value))
    days.update(subject.name[:10] for subject in data.subjects if subject.type == "date")
    return frozenset(size for size in (*sizes.values(), len(days)) if size > 1)


def _counts(input_: Input) -> frozenset[int]:
    """Return how many subjects or objects share what they are said of."""
    groups: dict[tuple[str, str, str], set[str]] = {}
    if isinstance(input_, Graph):
        for triple in input_.triples:
            groups.setdefault(("", triple.subject, triple.predicate), set()).add(triple.object)
            groups.setdefault(("object", triple.predicate, triple.object), set()).add(triple.subject)
            groups.setdefault(("property", triple.predicate, ""), set()).add(triple.object)
    else:
        for cell in input_.cells:
            groups.setdefault(("", cell.attribute, ""), set()).add(f"{cell.row} {cell.value}")
    return frozenset(len(group) for group in groups.values() if len(group) > 1)
