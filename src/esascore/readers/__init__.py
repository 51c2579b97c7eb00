"""Readers of corpora and of systems' outputs: one format per file, detected from the content.

What each format looks like is in ``docs/formats.md``.
"""

from esascore.readers.corpus import FORMATS, iter_corpus, read_corpus
from esascore.readers.outputs import read_outputs
from esascore.readers.seen import WithSeen, categories_of, seen_categories
from esascore.readers.systems import System, own_outputs, read_systems

__all__ = [
    "FORMATS",
    "System",
    "WithSeen",
    "categories_of",
    "iter_corpus",
    "own_outputs",
    "read_corpus",
    "read_outputs",
    "read_systems",
    "seen_categories",
]
