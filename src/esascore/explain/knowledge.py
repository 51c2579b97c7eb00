"""What the corpus under check teaches: gathered in a first pass, before any text is judged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from esascore.explain.whose.ledger import listed_names
from esascore.explain.whose.model import Learner, Model
from esascore.lexicon.closed import NOTHING_CLOSED, Closed, ClosedAttributes
from esascore.lexicon.known_names import NamesSeen
from esascore.model import Example, Graph
from esascore.sample import Sample, content_hash
from esascore.text.phrases import Phrases

MOST_LISTED = 1_000_000
"""Words of the names of things that inputs list which are kept."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is known of a corpus as a whole.

    Attributes
    ----------
    names
        Names of places and of the entities of all inputs, which may consist of common words.
    listed
        The words of the names of things that inputs list.
    of_data
        Whether any input is data, so that texts can teach whose numbers are whose.
    whose
        Which words go with which attribute of the data, in the texts of one system; None where unknown.
    closed
        The values of attributes that have few, in their own words.
    """

    names: Phrases
    listed: frozenset[str] = frozenset()
    of_data: bool = False
    whose: Model | None = None
    closed: Closed = NOTHING_CLOSED


def gather(examples: Iterable[Example]) -> Knowledge:
    """Gather what a corpus teaches, in one pass over it, holding no more than a bounded part of it.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> known = gather([Example("Id1", Graph.from_triples([("Bionico", "course", "Dessert")]))])
    >>> ("dessert",) in known.names
    True
    """
    seen = Seen()
    for example in examples:
        seen.add(example)
    return seen.knowledge()


class Seen:
    """What was seen of a corpus, gathered example by example, and in parts that can be merged.

    ``limits`` are those of another part, so that nothing is held in vain.
    """

    def __init__(self, limits: Sequence[int | None] = (None, None, None)):
        self.names = NamesSeen(limits[:2])
        self.closed = ClosedAttributes()
        self.listed: Sample[str] = Sample(MOST_LISTED, limits[2])
        self.of_data = False

    @property
    def limits(self) -> tuple[int | None, ...]:
        """Hashes from which on nothing is kept."""
        return *self.names.limits, self.listed.limit

    def add(self, example: Example) -> None:
        """Note what an example teaches."""
        self.names.add(example)
        self.closed.add(example)
        if isinstance(example.input, Graph) and example.input.data is not None:
            self.of_data = True
            for word in {word for name in listed_names(example.input) for word in name}:
                if self.listed.lacks(key := content_hash(word)):
                    self.listed.add(key, word)

    def merge(self, other: Seen) -> None:
        """Add what was seen in another part of the corpus."""
        self.names.merge(other.names)
        self.closed.merge(other.closed)
        self.listed.merge(other.listed.limit, other.listed.weighed())
        self.of_data = self.of_data or other.of_data

    def knowledge(self) -> Knowledge:
        """Return what all that teaches."""
        return Knowledge(self.names.names(), frozenset(self.listed), self.of_data, closed=self.closed.found())


def learn_whose(systems: int, rows: Iterable[tuple[Example, Sequence[str]]]) -> tuple[Model | None, ...]:
    """Learn for each of several systems which words go with which attribute of the data.

    Each learns from its own texts and the references, so that no other system has an influence on its flags.

    Parameters
    ----------
    systems
        How many there are.
    rows
        The examples, each with a text of every system.
    """
    learners = [Learner() for _ in range(systems)]
    for example, texts in rows:
        if isinstance(example.input, Graph) and example.input.data is not None:
            for learner, text in zip(learners, texts, strict=True):
                for own in (text, *(reference.text for reference in example.references)):
                    learner.add(example.input, own)
    return tuple(learner.model() for learner in learners)
