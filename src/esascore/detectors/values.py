"""Values by what people say for them: truth values through their attribute, phrases of a user's lexicon.

Values that are no names are also found in other forms of their own words: "moderately" for ``moderate``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from esascore.detectors.base import mention
from esascore.lazy import lazy
from esascore.lexicon import Lexicon
from esascore.lexicon.phrasings import (
    Hit,
    Phrasing,
    Phrasings,
    attribute_key,
    chosen,
    distance,
    own_words,
    value_key,
)
from esascore.lexicon.truths import Truth, truth
from esascore.literals.truths import is_truth
from esascore.model import Entity, Input, Mention, once_per_input
from esascore.text.clauses import Clauses, clauses
from esascore.text.document import Document

METHOD = "value"
_BESIDE = 1


@dataclass(frozen=True)
class Wanted:
    """The values of an input that phrases can realise.

    Attributes
    ----------
    entities
        The entities of the input.
    truths
        How texts say whether the truth values hold.
    own
        The words of the values that are no names.
    """

    entities: tuple[Entity, ...]
    truths: tuple[Truth, ...]
    own: Phrasings

    @lazy
    def terms(self) -> dict[tuple[str, str], list[str]]:
        """The terms of the input by the keys of attribute and value."""
        found: dict[tuple[str, str], list[str]] = {}
        for entity in self.entities:
            for attribute in entity.object_of:
                key = attribute_key(attribute), value_key(str(entity.term))
                found.setdefault(key, []).append(entity.term)
        return found

    def hits(self, text: Clauses, lexicon: Phrasings) -> list[Hit]:
        """Find what a text says of them, with the phrases of a lexicon first."""
        found = [*lexicon.all_hits(text)]
        for hit in self.own.all_hits(text):
            one = hit.phrasing
            refused = any((one.attribute, value, one.bases) in lexicon.refused for value in one.values)
            # Words that do not mean a value by themselves do beside the name of its attribute.
            if not refused or distance(text, hit, one.attribute) <= _BESIDE:
                found.append(hit)
        found += (hit for own in self.truths for hit in own.found(text))
        return chosen(text, found)


@once_per_input
def wanted(input_: Input) -> Wanted:
    """Return the values of an input that phrases can realise.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> graph = Graph.from_data({"name": "Blue Spice", "familyFriendly": True, "price": "moderate"})
    >>> sorted(wanted(graph).terms)
    [('family friendly', 'yes'), ('price', 'moderate')]
    """
    truths: dict[str, Truth] = {}
    own: list[Phrasing] = []
    for entity in input_.worded:
        if is_truth(entity):
            for attribute in entity.object_of:
                if (said := truth(attribute)) is not None:
                    truths[said.attribute] = said
        elif entity.type == "text":
            own += (own_words(attribute, entity.term) for attribute in entity.object_of)
    return Wanted(input_.entities, tuple(truths.values()), Phrasings(own))


class Values:
    """Finds values by phrases.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> graph = Graph.from_data({"name": "Blue Spice", "familyFriendly": False, "price": "moderate"})
    >>> Values(Lexicon()).mentions(Document(graph, "It isn't good for families, nor friendly."))
    []
    >>> found = Values(Lexicon()).mentions(Document(graph, "Moderately priced, not family-friendly."))
    >>> [(str(m.entity), m.text) for m in found]
    [('moderate', 'Moderately'), ('no', 'not family-friendly')]
    """

    def __init__(self, lexicon: Lexicon):
        self.lexicon = lexicon

    def mentions(self, document: Document) -> list[Mention]:
        """Return the phrases of an English document that realise a value of its input."""
        if not document.language.english:
            return []
        own, known = wanted(document.input), self.lexicon.phrasings(document.input)
        said = known.values
        if not (own.truths or own.own.phrasings or (said and any(key[0] in said for key in own.terms))):
            return []
        text = clauses(document)
        make = partial(mention, document.text, method=METHOD, distance=0.0)
        return [
            make(*span(document, text, hit), entity=term, variant=hit.phrasing.text, cost=hit.phrasing.cost)
            for hit in own.hits(text, known)
            for value in sorted(hit.phrasing.values)
            for term in own.terms.get((hit.phrasing.attribute, value), ())
        ]


def span(document: Document, text: Clauses, hit: Hit) -> tuple[int, int]:
    """Return where a phrase is in the text of a document."""
    words = document.words
    return words.starts[text.words[hit.start]], words.ends[text.words[hit.end - 1]]
