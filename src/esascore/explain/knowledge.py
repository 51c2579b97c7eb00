"""What the corpus under check teaches: gathered in a first pass, before any text is judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from esascore.explain.whose.ledger import ledger_of
from esascore.explain.whose.model import Learner, Model
from esascore.lexicon.closed import NOTHING_CLOSED, Closed, ClosedAttributes
from esascore.lexicon.known_names import corpus_names
from esascore.model import Example, Graph
from esascore.text.phrases import Phrases


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
    listed: set[str] = set()
    data: set[bool] = set()
    closed = ClosedAttributes()
    names = corpus_names(closed.passing(_noting(examples, listed, data)))
    return Knowledge(names, frozenset(listed), True in data, closed=closed.found())


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


def _noting(examples: Iterable[Example], listed: set[str], data: set[bool]) -> Iterator[Example]:
    """Yield the examples, and note on the way what the data among them list."""
    for example in examples:
        if isinstance(example.input, Graph) and example.input.data is not None:
            data.add(True)
            listed.update(word for name in ledger_of(example.input).names for word in name)
        yield example
