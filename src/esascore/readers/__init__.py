"""Readers of corpora and of systems' outputs: one format a file, detected by content."""

from esascore.readers.corpus import FORMATS, iter_corpus, read_corpus
from esascore.readers.plain import read_outputs
from esascore.readers.systems import System, own_outputs, read_systems

__all__ = ["FORMATS", "System", "iter_corpus", "own_outputs", "read_corpus", "read_outputs", "read_systems"]
