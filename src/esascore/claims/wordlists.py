"""Which word lists explanations read."""

from __future__ import annotations

from esascore.claims import confidence, order, polarity, values
from esascore.lexicon import entity_types, places, wordings
from esascore.literals import units
from esascore.text import clauses, vocabulary

WORDLISTS = (
    *vocabulary.WORDLISTS,
    *confidence.WORDLISTS,
    *places.WORDLISTS,
    *entity_types.WORDLISTS,
    *wordings.WORDLISTS,
    *units.WORDLISTS,
    *polarity.WORDLISTS,
    *order.WORDLISTS,
    *values.WORDLISTS,
    *clauses.WORDLISTS,
)
"""The word lists that explanations read, besides those of the lexicon of a pipeline."""
