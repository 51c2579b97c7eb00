"""Collects what inputs explain, with the lexicon and the languages of a pipeline."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from typing import NamedTuple

from esascore.claims.vocabulary import Explained
from esascore.data import EVERY, is_prose, last_key
from esascore.lazy import lazy
from esascore.lexicon import Lexicon, label, nature, nouns
from esascore.lexicon.codes import all_names_of_code, names_of_code
from esascore.lexicon.places import by_derived_word, by_name
from esascore.lexicon.user import is_user_source
from esascore.lexicon.wordings import property_wordings
from esascore.literals.keys import read_key
from esascore.literals.quantities import is_quantity
from esascore.model import Entity, Input, once_per_input
from esascore.text.normalize import folded
from esascore.text.phrases import Phrases, lengths_of
from esascore.text.stem import stem
from esascore.text.vocabulary import function_words
from esascore.text.words import Phrase, folded_key, name_words, spaced

_NO_NUMBERS = ("date", "time", "boolean")
_CLIPPED = re.compile(r"([^\W\d_]{2,})\.")
_ABBREVIATION = re.compile("[A-Z]{3}")
_LONGEST_PLACE = 4
_LONGEST_INITIALS = 9
_PLUS = ("plus",)
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
        Least confidence of a flag (`esascore.claims.confidence`).
    """

    lexicon: Lexicon
    languages: tuple[str, ...] = ("en",)
    off: frozenset[str] = frozenset()
    min_confidence: float = 0.0

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.lexicon, self.languages, self.off, self.min_confidence)

    # The texts of all systems share the inputs of a corpus, and its inputs many entities.

    @lazy
    def explain(self) -> Callable[..., Explained]:
        """Returns what an input explains, and the unmodified graph that it was made from, where there is one.

        Systems may have seen either.
        """
        return once_per_input(self._collect)

    @lazy
    def forms(self) -> Callable[[Entity], tuple[str, ...]]:
        """Returns the surface forms of an entity, folded."""
        return lru_cache(maxsize=_REMEMBERED)(self._folded_forms)

    @lazy
    def _called(self) -> Callable[[Entity], _Called]:
        return lru_cache(maxsize=_REMEMBERED)(self._words_for)

    def _folded_forms(self, entity: Entity) -> tuple[str, ...]:
        return tuple(dict.fromkeys(folded_key(variant.text) for variant in self.lexicon.variants(entity)))

    def _words_for(self, entity: Entity) -> _Called:
        forms = [one.text for one in self.lexicon.variants(entity) if not is_user_source(one.source)]
        phrases = dict.fromkeys(filter(None, map(name_words, forms)), entity.term)
        return _Called(phrases, frozenset(chain.from_iterable(phrases)))

    def _collect(self, input_: Input, original: Input | None = None) -> Explained:
        entities, not_numbers = input_.entities, input_.worded
        if original is not None:
            entities = not_numbers = tuple(dict.fromkeys((*entities, *original.entities)))
        # Values that need not be said, such as cells that are not highlighted, explain what is said.
        everything = [*entities, *_unasked(input_, {entity.term for entity in entities})]
        properties = {name for own in everything for name in (*own.subject_of, *own.object_of)}
        paths = {*(fact.path for fact in input_.facts), *(path for path, _ in input_.unknown)}
        properties |= {part for path in paths for part in path.split(".") if part != EVERY}
        read = [_read_label(text) for text in dict.fromkeys(label(own.term) for own in everything)]
        around = list(map(name_words, _around(input_)))
        # A part of a number or date does not explain another one.
        named = [entity for entity in not_numbers if not (entity.type in _NO_NUMBERS or is_quantity(entity))]
        called = list(map(self._called, named))
        words = set[str]().union(
            *around,
            *(own.words for own in called),
            *(own.words for own in read),
            *map(_words_for_property, properties),
        )
        derived = map(_places_behind, words & by_derived_word().keys())
        words = words.union(*derived, *map(_places_in, around), *(own.places for own in read))
        phrases: dict[Phrase, str] = {}
        for one in reversed(called):  # of two entities with one name the first counts
            phrases.update(one.phrases)
        return Explained(
            words=frozenset(words),
            kinds=_joined(_split_nouns(nouns(entity, input_.category)) for entity in named),
            initials=_joined(own.initials for own in read),
            clipped=_joined(own.clipped for own in read),
            persons=_joined(name_words(label(own.term)) for own in everything if nature(own) == "person"),
            phrases=Phrases(phrases, lengths_of(phrases)),
            properties=frozenset(properties),
            wordings=_joined(map(_stemmed_wordings, properties)),
            languages=self.languages,
            abbreviations=frozenset(
                entity.term.lower()
                for entity in everything
                if _ABBREVIATION.fullmatch(entity.term) and not names_of_code(entity)
            ),
        )


def _joined(some: Iterable[Iterable[str]]) -> frozenset[str]:
    return frozenset(chain.from_iterable(some))


def _unasked(input_: Input, known: Set[str]) -> Iterator[Entity]:
    """Yield what an input says besides its entities: other values, names and units."""
    for subject in input_.subjects:
        if subject.name not in known:
            yield Entity(subject.name, (), (last_key(subject.path),) if subject.path else (), subject.type)
    for fact in input_.facts:
        if fact.value not in known:
            yield Entity(fact.value, (), (fact.attribute,) if fact.attribute else (), fact.type)
        if fact.unit and fact.unit not in known:
            yield Entity(fact.unit, (), (), "text")


def _around(input_: Input) -> Iterator[str]:
    """Yield the category and titles of the input."""
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
    clipped: frozenset[str]
    places: frozenset[str]


@_cached
def _read_label(text: str) -> _Label:
    own = name_words(text)
    meant = list(map(name_words, all_names_of_code(text)))
    also = (*map("".join, pairwise(own)), *_PLUS * ("+" in text))  # Airforce, S24 Plus
    return _Label(
        frozenset((*own, *also, *name_words(spaced(text)), *chain.from_iterable(meant))),
        _initials(own),
        frozenset(filter(None, map(folded, _CLIPPED.findall(text)))),
        _places_in(own).union(*map(_places_in, meant)),
    )


@_cached
def _initials(words: Phrase) -> frozenset[str]:
    """Return the first letters of runs of two words or more, with and without those that join names."""
    small = function_words("particle")
    every = "".join(word[0] for word in words)
    main = "".join(word[0] for word in words if word not in small)
    return frozenset(
        letters[start:end]
        for letters in {every, main}
        for start in range(len(letters))
        for end in range(start + 2, min(len(letters), start + _LONGEST_INITIALS) + 1)
    )


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
def _words_for_property(name: str) -> frozenset[str]:
    own = name_words(spaced(name))
    unit = read_key(name).unit
    priced = unit is not None and unit.dimension.startswith("money")
    money = names_of_code(Entity(unit.name, (), ("currency",), "name")) if unit is not None and priced else ()
    return frozenset((*own, "".join(own), *chain.from_iterable(map(name_words, money))))


@_cached
def _stemmed_wordings(name: str) -> frozenset[str]:
    return frozenset(map(stem, property_wordings(name)))


@_cached
def _split_nouns(own: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word for noun in own for word in noun.split())


def _words_of(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        own = name_words(text)
        yield from (*own, "".join(own)) if "." in text else own
