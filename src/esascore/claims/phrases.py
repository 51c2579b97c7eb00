"""Phrases that say a value other than that of the input, or one that the input does not have at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from esascore.claims.finding import Finding
from esascore.claims.view import View
from esascore.detectors.values import span
from esascore.lexicon import label
from esascore.lexicon.closed import Closed
from esascore.lexicon.phrasings import (
    ABSENT,
    NO,
    YES,
    Hit,
    Phrasing,
    Phrasings,
    attribute_key,
    chosen,
    value_key,
)
from esascore.model import Input, once_per_input
from esascore.text.clauses import BREAK, Clauses, clauses
from esascore.text.document import Document
from esascore.text.vocabulary import function_words
from esascore.text.words import name_words


class Said(NamedTuple):  # made for every text
    """What is known about the values that phrases of a text state.

    Attributes
    ----------
    lexicon
        Phrases of the user's lexicons.
    closed
        The values of other inputs, which speak against those of this one in their own words.
    missing
        The values of the input that the text does not mention.
    """

    lexicon: Phrasings
    closed: Closed
    missing: Sequence[str]

    def contradicted(self, document: Document, view: View) -> list[Finding]:
        """Find the phrases that say what the input contradicts or lacks, in text order.

        A phrase that names something in the input says nothing else.
        """
        if not (document.language.english and (self.lexicon.phrasings or self.closed.own.phrasings)):
            return []
        own, text = _own(document.input), clauses(document)
        hits = [*self.lexicon.all_hits(text), *self.closed.own.without(self.lexicon.refused).all_hits(text)]
        words = _value_words(document.input)
        hits = [hit for hit in hits if _is_own(hit, own) or not _is_named(hit, text, view, words)]
        found = chosen(text, hits)
        stated = {(hit.start, hit.end) for hit in found if _is_own(hit, own)}
        flags = []
        for hit in found:
            values = own.get(hit.phrasing.attribute, {})
            if (hit.start, hit.end) not in stated and self._denies(hit.phrasing, values):
                flags.append(_flag(*span(document, text, hit), hit, list(values.values())))
        return flags

    def _denies(self, one: Phrasing, values: Mapping[str, str]) -> bool:
        """Return whether a phrase contradicts the values of an attribute, or the absence of any."""
        if not values:
            return one.denies(ABSENT)
        if one.is_truth and not values.keys() <= {YES, NO}:  # a radio with a name is a radio
            return False
        known = self.lexicon.values.get(one.attribute, frozenset())
        if not all(one.denies(value, known) for value in values):
            return False
        return not _is_loose(one) or all(term in self.missing for term in values.values())


def _flag(start: int, end: int, hit: Hit, values: Sequence[str]) -> Finding:
    said = f"it says {hit.phrasing.attribute}: {' or '.join(sorted(hit.phrasing.values))}"
    if not values:
        reason = f"{said}, which the input does not have"
        return Finding(start, end, "value", "value", "baseless", reason=reason)
    expected = ", ".join(map(label, values))
    reason = f"{said}; the input has {expected}"
    return Finding(start, end, "value", "value", "contradicted", None, expected, reason)


@once_per_input
def _own(input_: Input) -> Mapping[str, Mapping[str, str]]:
    """Return the values of the input by attribute: their keys, and their terms."""
    own: dict[str, dict[str, str]] = {}
    for entity in input_.entities:
        for attribute in entity.object_of:
            own.setdefault(attribute_key(attribute), {})[value_key(entity.term)] = entity.term
    return own


def _is_loose(one: Phrasing) -> bool:
    """Return whether a phrase is so common that it only counts in place of the value of the input."""
    return one.against is not None and ABSENT not in one.against


def _is_named(hit: Hit, text: Clauses, view: View, words: frozenset[str]) -> bool:
    """Return whether a phrase is in something that the input names: "SIM card slot" is not the card slot."""
    follows = hit.settled and hit.start > 0 and text.bases[hit.start - 1] != BREAK
    if follows and view.words[text.words[hit.start - 1]] in words:
        return True
    return view.taken[text.words[hit.start]]


@once_per_input
def _value_words(input_: Input) -> frozenset[str]:
    values = (entity.term for entity in input_.entities if entity.object_of)
    return frozenset(word for value in values for word in name_words(label(value))) - function_words()


def _is_own(hit: Hit, own: Mapping[str, Mapping[str, str]]) -> bool:
    """Return whether a phrase says what the input has."""
    return any(value in own.get(hit.phrasing.attribute, ()) for value in hit.phrasing.values)
