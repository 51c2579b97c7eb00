"""What the corpus under check teaches: gathered in a first pass, before any text is judged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from esascore.lexicon.known_names import corpus_names
from esascore.model import Example
from esascore.text.phrases import Phrases


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is known of a corpus as a whole.

    Attributes
    ----------
    names
        Names of places and of the entities of all inputs, which may consist of common words.
    """

    names: Phrases


def gather(examples: Iterable[Example]) -> Knowledge:
    """Gather what a corpus teaches, in one pass over it, holding no more than a bounded part of it.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> known = gather([Example("Id1", Graph.from_triples([("Bionico", "course", "Dessert")]))])
    >>> ("dessert",) in known.names
    True
    """
    return Knowledge(corpus_names(examples))
