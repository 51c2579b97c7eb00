"""Mentions of entities that could replace others where they are wrong.

A donor for an object of a graph fills the same property elsewhere in the corpus, a donor for a subject that
is not an object has the same category. It is unrelated to the graph: no triple of the corpus joins it with an
entity of the graph, no string was ever annotated for it and for one of those, and its mention shares no
content word with graph or text.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet

from esascore.gold.mentions.benchmark import AnnotatedText
from esascore.gold.mentions.forms import content_words, kind_of, label_of, literal_kind, word_string
from esascore.gold.mentions.locate import located
from esascore.model import Entity, Example, Input
from esascore.text.vocabulary import function_words

_LONGEST = 80
"""Characters of the longest mention that is used: annotations that swallowed a clause are longer."""


class Donors:
    """All donors of a corpus of annotated texts."""

    def __init__(self, texts: Sequence[AnnotatedText]):
        self._names: dict[str, dict[str, None]] = {}
        self._strings: dict[str, set[str]] = {}
        self._neighbours: dict[str, set[str]] = {}
        self._of_property: dict[str, dict[str, None]] = {}
        self._of_category: dict[str | None, dict[str, None]] = {}
        last = None
        for text in texts:
            self._add_mentions(text)
            if text.example is not last:
                self._add_graph(text.example)
                last = text.example

    def choose(
        self,
        graph: Input,
        entity: Entity,
        category: str | None,
        avoid: AbstractSet[str],
        rng: random.Random,
        *,
        accept: Callable[[str], bool] | None = None,
    ) -> tuple[str, str] | None:
        """Choose a donor for an entity of a graph: another entity and a mention of it; None if there is none.

        ``avoid`` are the content words of graph and text; ``accept`` may restrict the mentions further.
        """
        terms = {other.term for other in graph.entities}
        related = set().union(*(self._neighbours.get(term, ()) for term in terms)) | terms
        taken = set().union(*(self._strings.get(term, ()) for term in terms))
        for term in self._candidates(entity, category, rng):
            if term in related or content_words(label_of(term)) & avoid:
                continue
            if not taken.isdisjoint(self._strings.get(term, ())):
                continue
            unrelated = [name for name in self._names.get(term, ()) if not content_words(name) & avoid]
            if names := [name for name in unrelated if accept is None or accept(name)]:
                return term, rng.choice(names)
        return None

    def _candidates(self, entity: Entity, category: str | None, rng: random.Random) -> Sequence[str]:
        listed = list(self._of_category.get(category, ()))
        if entity.object_of:
            every = (term for name in entity.object_of for term in self._of_property.get(name, ()))
            listed = list(dict.fromkeys(every))
        rng.shuffle(listed)
        return listed

    def _add_graph(self, example: Example) -> None:
        triples = example.input.triples
        objects = {triple.object for triple in triples}
        for triple in triples:
            self._neighbours.setdefault(triple.subject, set()).add(triple.object)
            self._neighbours.setdefault(triple.object, set()).add(triple.subject)
            self._of_property.setdefault(triple.predicate, {})[triple.object] = None
            if triple.subject not in objects:
                self._of_category.setdefault(example.category, {})[triple.subject] = None

    def _add_mentions(self, text: AnnotatedText) -> None:
        for mention, span in located(text.reference):
            string = without_possessive(text.reference.text[slice(*span)])
            words = content_words(string)
            if not words or kind_of(mention.text) in ("pronoun", "demonstrative"):
                continue
            self._strings.setdefault(mention.entity, set()).add(" ".join(sorted(words)))
            first = word_string(string).split()[0]
            if kind_of(string) != "name" or first in function_words("particle") or len(string) > _LONGEST:
                continue
            is_literal = literal_kind(mention.entity) in ("date", "number")
            if is_literal or words & content_words(label_of(mention.entity)):
                self._names.setdefault(mention.entity, {})[string] = None


def without_possessive(mention: str) -> str:
    """A mention without its ``'s``.

    Examples
    --------
    >>> without_possessive("Rome's"), without_possessive("The Beatles'")
    ('Rome', 'The Beatles')
    """
    for ending in ("'s", "’s", "`s"):
        if mention.endswith(ending):
            return mention.removesuffix(ending).rstrip()
    return mention.removesuffix("'").removesuffix("’") if mention.endswith(("s'", "s’")) else mention
