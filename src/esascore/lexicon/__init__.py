"""Entity to surface forms: every way in which a text may write what the input names.

`Lexicon.variants` is the door; `SOURCES` tells which kinds of variants there are and what each costs.
"""

from esascore.lexicon.label import label
from esascore.lexicon.sources import SOURCES, Source
from esascore.lexicon.variants import Lexicon, Variant

__all__ = ["SOURCES", "Lexicon", "Source", "Variant", "label"]
