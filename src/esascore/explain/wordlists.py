"""Which word lists explanations read."""

from __future__ import annotations

from esascore.detectors import units
from esascore.explain import wordings
from esascore.explain.whose import claims
from esascore.lexicon import natures, places
from esascore.text import clauses, vocabulary

WORDLISTS = (
    *vocabulary.WORDLISTS,
    *places.WORDLISTS,
    *natures.WORDLISTS,
    *wordings.WORDLISTS,
    *units.WORDLISTS,
    *claims.WORDLISTS,
    *clauses.WORDLISTS,
)
"""The word lists that explanations read, besides those of the lexicon of a pipeline."""
