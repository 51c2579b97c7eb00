"""The surface forms of entities: every way in which a text may write what the input names.

The entry point is `Lexicon.variants`; `SOURCES` lists the kinds of variants and the cost of each.
"""

from esascore.label import label
from esascore.lexicon.entity_types import nature, nouns
from esascore.lexicon.sources import SOURCES, Source
from esascore.lexicon.user import UserEntry, UserLexicon, read_user_lexicon, read_user_lexicons
from esascore.lexicon.variants import Lexicon, Variant
from esascore.wordlists import lexicon_digest

__all__ = [
    "SOURCES",
    "Lexicon",
    "Source",
    "UserEntry",
    "UserLexicon",
    "Variant",
    "label",
    "lexicon_digest",
    "nature",
    "nouns",
    "read_user_lexicon",
    "read_user_lexicons",
]
