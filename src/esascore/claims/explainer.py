"""Collects what inputs explain, with the lexicon and the languages of a pipeline."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, pairwise
from typing import NamedTuple

from esascore.claims.vocabulary import Explained
from esascore.data import EVERY, FactType, is_prose, last_key
from esascore.lexicon import Lexicon, label, nature, nouns
from esascore.lexicon.codes import all_names_of_code, names_of_code
from esascore.lexicon.places import by_derived_word, by_name, state_abbreviations
from esascore.lexicon.user import is_user_source
from esascore.lexicon.wordings import property_wordings
from esascore.literals.keys import read_key
from esascore.literals.quantities import is_quantity
from esascore.model import Entity, Input, once_per_input
from esascore.text.normalize import folded
from esascore.text.phrases import Phrases, lengths_of
from esascore.text.stem import stem
from esascore.text.symbols import tail
from esascore.text.vocabulary import function_words
from esascore.text.words import Phrase, folded_key, name_words, spaced

_DIGITS = re.compile(r"\d+")
_NO_NUMBERS = ("date", "time", "boolean")
_WORD = re.compile(r"[^\W_]+")
_CLIPPED = re.compile(r"([^\W\d_]{2,})\.")
_ABBREVIATION = re.compile("[A-Z]{3}")
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
        Rules (`esascore.claims.evidence.EVIDENCE`), types and classes of flags that are switched off.
    min_confidence
        How sure a flag must be (`esascore.claims.confidence`).
    """

    lexicon: Lexicon
    languages: tuple[str, ...] = ("en",)
    off: frozenset[str] = frozenset()
    min_confidence: float = 0.0
    _explained: Callable[[Input, Input | None], Explained] = field(init=False, repr=False, compare=False)
    _forms: Callable[[Entity], tuple[str, ...]] = field(init=False, repr=False, compare=False)
    _called: Callable[[Entity], _Called] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # The texts of all systems share the inputs of a corpus, and its inputs many entities.
        object.__setattr__(self, "_explained", once_per_input(self._collect))
        object.__setattr__(self, "_forms", lru_cache(maxsize=_REMEMBERED)(self._folded_forms))
        object.__setattr__(self, "_called", lru_cache(maxsize=_REMEMBERED)(self._words_for))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.lexicon, self.languages, self.off, self.min_confidence)

    def explain(self, input_: Input, original: Input | None = None) -> Explained:
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

    def _collect(self, input_: Input, original: Input | None) -> Explained:
        entities, not_numbers = list(input_.entities), list(input_.worded)
        if original is not None:
            entities = list(dict.fromkeys((*entities, *original.entities)))
            not_numbers = entities
        properties: set[str] = set()
        for entity in entities:
            properties.update(entity.subject_of)
            properties.update(entity.object_of)
        properties.update(last_key(path) for path, _ in input_.unknown)
        paths = {fact.path for fact in input_.facts}
        properties.update(part for path in paths for part in path.split(".") if part != EVERY)
        terms = [entity.term for entity in entities]
        # What is not asked for, as cells that are not highlighted, explains what is said.
        known = set(terms)
        unasked = [
            Entity(value, (), (attribute,) if attribute else (), type_)
            for value, attribute, type_ in _all_of(input_)
            if value not in known
        ]
        terms += [entity.term for entity in unasked]
        properties.update(attribute for entity in unasked for attribute in entity.object_of)
        entities += unasked
        labels = list(dict.fromkeys(map(label, terms)))
        # Figures are words of their own, and nothing else.
        figures = [text for text in labels if text.isdecimal() and text.isascii()]
        others = [text for text in labels if not (text.isdecimal() and text.isascii())] if figures else labels
        read = list(map(_read_label, others))
        around = list(map(name_words, _around(input_)))
        # A part of a number or date does not explain another one.
        named = [entity for entity in not_numbers if not (entity.type in _NO_NUMBERS or is_quantity(entity))]
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
        long = [word for word in words if len(word) > 3]
        persons = [name_words(label(entity.term)) for entity in entities if nature(entity) == "person"]
        return Explained(
            frozenset(words),
            frozenset().union(*(_split_nouns(nouns(entity, input_.category)) for entity in named)),
            frozenset(map(stem, long)),
            frozenset().union(
                *(own.initials for own in read),
                *(_initials(_words_of_property(name), 2) for name in properties),
            ),
            tuple(dict.fromkeys((*figures, *(own.code for own in read)))),
            tuple(frozenset().union(*(own.clipped for own in read))),
            frozenset(chain.from_iterable(persons)),
            Phrases(phrases, lengths_of(phrases)),
            frozenset().union(*map(_stemmed_wordings, properties)),
            self.languages,
            frozenset(properties),
            tuple([word for word in long if not word.isdigit()]),
            _tails(entities),
            frozenset(
                entity.term.lower()
                for entity in entities
                if _ABBREVIATION.fullmatch(entity.term) and not names_of_code(entity)
            ),
        )


def _all_of(input_: Input) -> Iterator[tuple[str, str, FactType]]:
    """Yield all values and names of an input, each with its attribute and type."""
    yield from ((subject.name, last_key(subject.path), subject.type) for subject in input_.subjects)
    for fact in input_.facts:
        yield fact.value, fact.attribute, fact.type
        if fact.unit:
            yield fact.unit, "", "text"


def _around(input_: Input) -> Iterator[str]:
    """Yield what else the input says: its category and titles."""
    if input_.category:
        yield spaced(input_.category)
    yield from input_.titles
    yield from (fact.value for fact in input_.facts if is_prose(fact.value))


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
    meant = list(map(name_words, all_names_of_code(text)))
    return _Label(
        frozenset((*own, *_words_for_label(text, own), *chain.from_iterable(meant))),
        _initials(own, 2),
        "".join(own),
        frozenset(filter(None, map(folded, _CLIPPED.findall(text)))),
        _places_in(own).union(*map(_places_in, meant)),
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
    small = function_words("particle")
    main = [place for place, word in enumerate(words) if word not in small]
    return frozenset((*_runs(words, range(len(words)), least), *_runs(words, main, least)))


def _runs(words: Phrase, places: Sequence[int], least: int) -> Iterator[str]:
    """Yield the first letters of runs of the words at some places, no longer than initials are."""
    letters = "".join([words[place][0] for place in places])
    for first, place in enumerate(places):
        last = bisect_left(places, place + _LONGEST_INITIALS, first)
        for end in range(first + least, last + 1):
            yield letters[first:end]


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
    unit = read_key(name).unit
    priced = unit is not None and unit.dimension.startswith("money")
    money = names_of_code(Entity(unit.name, (), ("currency",), "name")) if unit is not None and priced else ()
    return frozenset((*own, "".join(own), *offices, *chain.from_iterable(map(name_words, money))))


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


def _tails(entities: Iterable[Entity]) -> dict[str, frozenset[str]]:
    """Return the symbols after words, by folded word; words with digits may have none (S24)."""
    tails: dict[str, set[str]] = {}
    for entity in entities:
        if entity.type in ("name", "text", "list"):
            text = label(entity.term)
            for word in _WORD.finditer(text):
                symbols = tail(text, word.end())[0]
                if symbols or _DIGITS.search(word[0]):
                    tails.setdefault(folded(word[0]), set()).add(symbols)
    return {word: frozenset(own) for word, own in tails.items()}
