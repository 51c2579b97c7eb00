"""Drops values that the words around them deny, or whose phrases a lexicon excludes."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass

from esascore.data import term_key
from esascore.detectors.values import METHOD
from esascore.lexicon import Lexicon, label
from esascore.lexicon.phrasings import attribute_key, value_key
from esascore.literals.truths import is_truth
from esascore.model import Entity, Input, Mention, once_per_input
from esascore.text.clauses import NOT, Bases, clauses, phrase
from esascore.text.document import Document


@dataclass(frozen=True, slots=True)
class _Value:
    """A value that is no name: whether it says "not" itself, and the phrases that do not mean it."""

    negative: bool
    is_truth: bool
    refused: frozenset[Bases]


class Denied:
    """Drops proposals for values that the text negates, and for phrases that a user's lexicon refuses.

    A truth value is found by `esascore.detectors.values` alone: the word "yes" or "no" proves nothing.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> document = Document(Graph.from_data({"price": "cheap"}), "It is not cheap.")
    >>> cheap = document.input.entities[0].term
    >>> Denied(Lexicon()).kept(document, [Mention(cheap, 10, 15, "cheap", "string")])
    []
    """

    def __init__(self, lexicon: Lexicon):
        self.lexicon = lexicon
        self._values = once_per_input(self._values_of)

    def kept(self, document: Document, proposals: list[Mention]) -> list[Mention]:
        """Return the proposals that stand, in order; all of a text that is not English."""
        values = self._values(document.input) if document.language.english else {}
        own_values = [None if m.method == METHOD else values.get(term_key(m.entity)) for m in proposals]
        if not any(own_values):
            return proposals
        text = clauses(document)
        # The first base of each word: several may come from one.
        places = {word: at for at, word in reversed(list(enumerate(text.words)))}
        at_start = {document.words.starts[word]: at for word, at in places.items()}

        def stands(one: Mention, value: _Value | None) -> bool:
            if value is None:
                return True
            own = phrase(one.text)
            place = at_start.get(one.start)
            negated = NOT in own or (place is not None and text.negated(place, 1))
            return not value.is_truth and negated == value.negative and own not in value.refused

        return [one for one, value in zip(proposals, own_values, strict=True) if stands(one, value)]

    def _values_of(self, input_: Input) -> dict[Hashable, _Value]:
        refused = self.lexicon.phrasings(input_).refused
        return {
            term_key(entity.term): _Value(
                NOT in phrase(label(entity.term)), is_truth(entity), frozenset(_refused(entity, refused))
            )
            for entity in (input_.entities if refused else input_.worded)
            if entity.object_of and (entity.type in ("text", "boolean") or is_truth(entity) or refused)
        }


def _refused(entity: Entity, refused: Iterable[tuple[str, str, Bases]]) -> Iterator[Bases]:
    attributes = set(map(attribute_key, entity.object_of))
    for attribute, value, own in refused:
        if attribute in attributes and value == value_key(entity.term):
            yield own
