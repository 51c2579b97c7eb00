"""Names that are known without a knowledge base: of places, and of the entities of a corpus.

A corpus names many things in common words (*dessert*, *rock*), which its own reference texts also use as
such. A name of common words that references use where no input explains it is therefore left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain

from esascore.lexicon import label
from esascore.lexicon.places import by_derived_word, by_name
from esascore.model import Example
from esascore.text.phrases import Phrases
from esascore.text.vocabulary import english_words
from esascore.text.words import Phrase, name_words

_INPUTS_TO_BE_COMMON = 2


def corpus_names(examples: Sequence[Example]) -> Phrases:
    """Return the names of places, and those of the entities of a corpus, as `Phrases`.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> names = corpus_names([Example("Id1", Graph.from_triples([("Bionico", "course", "Dessert")]))])
    >>> ("dessert",) in names, ("new", "zealand") in names, ("1999",) in names
    (True, True, False)
    """
    terms = {entity.term for example in examples for entity in example.input.entities}
    # Of terms that fold alike the same one counts in whatever order the corpus has them: the shortest.
    ordered = sorted(terms, key=lambda term: (len(term), term), reverse=True)
    own = {words: term for term in ordered if any(map(_has_letters, words := name_words(label(term))))}
    ordinary = _ordinary(own, examples)
    kept = ((" ".join(words), term) for words, term in own.items() if words not in ordinary)
    return Phrases.of(chain(kept, _place_names()))


def _has_letters(word: str) -> bool:
    return any(map(str.isalpha, word))


@cache
def _place_names() -> tuple[tuple[str, str], ...]:
    names = [(name, place.names[0]) for place in by_name().values() for name in place.names]
    names += [(word, places[0].names[0]) for word, places in by_derived_word().items()]
    return tuple(dict.fromkeys(names))


def _ordinary(own: Iterable[Phrase], examples: Sequence[Example]) -> set[Phrase]:
    """Return the names of common words that references use although their inputs do not explain them."""
    common = english_words().common
    candidates = Phrases.of((" ".join(words), "") for words in own if all(word in common for word in words))
    seen: dict[Phrase, set[int]] = {}
    for number, example in enumerate(examples):
        known = {word for entity in example.input.entities for word in name_words(label(entity.term))}
        for reference in example.references:
            for words in _found(candidates, name_words(reference.text)):
                if not known.issuperset(words):
                    seen.setdefault(words, set()).add(number)
    return {words for words, numbers in seen.items() if len(numbers) >= _INPUTS_TO_BE_COMMON}


def _found(names: Phrases, words: Phrase) -> Iterator[Phrase]:
    for start in range(len(words)):
        if (found := names.longest(words, start)) is not None:
            yield words[start : found[0]]
