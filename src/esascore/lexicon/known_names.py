"""Names that are known without a knowledge base: of places, and of the entities of a corpus.

A corpus names many things in common words (*Dessert*, *Rock*, *Low*), which texts also use as such. What it
writes in small letters is no name, nor is a single common word that is a value of data. One of common words
that references use where no input explains it is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, compress

from esascore.lexicon import label
from esascore.lexicon.places import by_derived_word, by_name
from esascore.model import Entity, Example
from esascore.sample import Sample, content_hash
from esascore.text.phrases import Phrases
from esascore.text.vocabulary import english_words, function_words
from esascore.text.words import Phrase, name_words, words_as_written

_INPUTS_TO_BE_COMMON = 2

MOST_NAMES = 100_000
"""Names of a corpus that are kept."""

MOST_CHARACTERS = 1 << 24
"""Characters of references, and of the words of their inputs, in which names are looked for."""


def corpus_names(examples: Iterable[Example]) -> Phrases:
    """Return the names of places, and those of the entities of a corpus, as `Phrases`.

    Of more than `MOST_NAMES` entities a sample counts, and of long references as well (`esascore.sample`).

    Examples
    --------
    >>> from esascore.model import Graph
    >>> names = corpus_names([Example("Id1", Graph.from_triples([("Bionico", "course", "Dessert")]))])
    >>> ("dessert",) in names, ("new", "zealand") in names, ("1999",) in names
    (True, True, False)
    >>> ("low",) in corpus_names([Example("Id1", Graph.from_data({"name": "Zizzi", "rating": "low"}))])
    False
    """
    seen = NamesSeen()
    for example in examples:
        seen.add(example)
    return seen.found().phrases()


@dataclass(frozen=True, slots=True)
class CorpusNames:
    """The names of the entities of a corpus: folded words with a term."""

    own: tuple[tuple[str, str], ...] = ()

    def phrases(self) -> Phrases:
        """Return them together with the names of places."""
        return Phrases.of(chain(self.own, _place_names()))

    def words(self) -> frozenset[str]:
        """Return the words of the names."""
        return frozenset(word for name, _ in self.own for word in name.split())

    def capitals(self) -> frozenset[str]:
        """Return the words, folded, that names have with a capital although no name begins with them.

        What is in no dictionary of common words may begin the name.
        """
        common = english_words().common
        return frozenset(
            written.lower()
            for _, term in self.own
            for n, written in enumerate(words_as_written(label(term)))
            if written[0].isupper() and (n or written.lower() not in common)
        )


class NamesSeen:
    """Observations that decide which names a corpus has, gathered by example and by part."""

    def __init__(self) -> None:
        self.terms: Sample[set[Entity]] = Sample(MOST_NAMES)
        self.uses: Sample[Use] = Sample(MOST_CHARACTERS)

    def add(self, example: Example) -> None:
        """Note the names of an example."""
        for entity in example.input.entities:
            if self.terms.lacks(key := _hash_of(str(entity.term))):
                self.terms.add(key, set())
            if entity.term.isdecimal():  # figures are no name
                continue
            if (known := self.terms.get(key)) is not None:
                known.add(_essence(entity))
        texts = tuple(reference.text for reference in example.references)
        content = repr(example.input) if texts else ""
        if texts and self.uses.lacks(key := content_hash(content, texts)):
            said = " ".join({word for one in example.input.entities for word in name_words(label(one.term))})
            self.uses.add(key, (content_hash(content), said, texts), len(said) + sum(map(len, texts)))

    def merge(self, other: NamesSeen) -> None:
        """Add the observations of another part of the corpus."""
        self.terms.merge(other.terms, set.union)
        self.uses.merge(other.uses)

    def found(self) -> CorpusNames:
        """Return the names of all examples so far."""
        return _names(self.terms, self.uses)


def _names(terms: Iterable[set[Entity]], uses: Iterable[Use]) -> CorpusNames:
    entities = [entity for some in terms for entity in some]
    # Of terms that fold alike the same one counts in whatever order the corpus has them: the shortest.
    own: dict[Phrase, str] = {}
    for entity in sorted(entities, key=lambda entity: (len(entity.term), entity.term), reverse=True):
        words = name_words(label(entity.term))
        if any(map(_has_letters, words)) and _has_case(entity.term) and _is_name(entity, words):
            own[words] = entity.term
    ordinary = _ordinary(own, uses)
    return CorpusNames(
        tuple(sorted((" ".join(words), term) for words, term in own.items() if words not in ordinary)),
    )


def _is_name(entity: Entity, words: Phrase) -> bool:
    """Return whether an entity has a name: a common word that is a value of data is not one."""
    if entity.type == "name" or (entity.type == "text" and not entity.object_of):
        return True
    return not set(words) <= english_words().common or len(set(words) - function_words()) > 1


def _essence(entity: Entity) -> Entity:
    """Return what decides whether an entity's words are a name; the same for most of its occurrences."""
    return Entity(
        str(entity.term), entity.subject_of[:1] and ("",), entity.object_of[:1] and ("",), entity.type
    )


# Numbers stand in many inputs of a corpus.
_hash_of: Callable[[str], int] = lru_cache(maxsize=1 << 12)(content_hash)


Use = tuple[int, str, tuple[str, ...]]
"""An input, the words of its entities, and its references."""


def _has_case(term: str) -> bool:
    """Return whether a term is written like a name: what is all in small letters is a word."""
    return any(map(str.isupper, term)) or not any(map(str.islower, term))


def _has_letters(word: str) -> bool:
    return any(map(str.isalpha, word))


@cache
def _place_names() -> tuple[tuple[str, str], ...]:
    names = [(name, place.names[0]) for place in by_name().values() for name in place.names]
    names += [(word, places[0].names[0]) for word, places in by_derived_word().items()]
    return tuple(dict.fromkeys(names))


def _ordinary(own: Iterable[Phrase], uses: Iterable[Use]) -> set[Phrase]:
    """Return the names of common words that references use although their inputs do not explain them."""
    common = english_words().common
    candidates = Phrases.of((" ".join(words), "") for words in own if all(word in common for word in words))
    seen: dict[Phrase, set[int]] = {}
    for input_, known, texts in uses:
        explained = set(known.split())
        for text in texts:
            for words in _found(candidates, name_words(text)):
                if not explained.issuperset(words):
                    seen.setdefault(words, set()).add(input_)
    return {words for words, inputs in seen.items() if len(inputs) >= _INPUTS_TO_BE_COMMON}


def _found(names: Phrases, words: Phrase) -> Iterator[Phrase]:
    for start in compress(range(len(words)), map(names.lengths.__contains__, words)):
        if (found := names.longest(words, start)) is not None:
            yield words[start : found[0]]
