"""Was an example's category in the training data?

The categories are those that the WebNLG challenges published for their training sets.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from esascore.model import Example
from esascore.readers.reread import Reread

TRAINING_2017 = frozenset({
    "Airport", "Astronaut", "Building", "City", "ComicsCharacter", "Food", "Monument", "SportsTeam",
    "University", "WrittenWork",
})  # fmt: skip
TRAINING_2020 = TRAINING_2017.union(
    ("Artist", "Athlete", "CelestialBody", "Company", "MeanOfTransportation", "Politician")
)
TEST_ONLY_2020 = frozenset({"Film", "MusicalWork", "Scientist"})
_ONLY_2020 = TEST_ONLY_2020 | {"Company"}


def categories_of(examples: Iterable[Example]) -> frozenset[str]:
    """Return the categories that occur, for instance in a training set."""
    return frozenset(example.category for example in examples if example.category is not None)


def seen_categories(examples: Iterable[Example]) -> frozenset[str] | None:
    """Return the training categories of the WebNLG challenge that a corpus belongs to.

    A category that only the 2020 challenge has means its list, otherwise it is that of 2017. None
    where a category is of neither challenge, or no example has one: then nothing is known.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> "Artist" in seen_categories([Example("Id1", Graph(category="Film"))])
    True
    >>> "Artist" in seen_categories([Example("Id1", Graph(category="Food"))])
    False
    """
    categories = categories_of(examples)
    if not categories or not categories <= TRAINING_2020 | TEST_ONLY_2020:
        return None
    return TRAINING_2020 if categories & _ONLY_2020 else TRAINING_2017


def with_seen(examples: Collection[Example], categories: frozenset[str] | None = None) -> Reread[Example]:
    """Return a corpus with ``seen`` filled in where it does not say that itself, whenever it is read.

    Parameters
    ----------
    examples
        The corpus.
    categories
        Those of the training data (`categories_of` a training corpus); by default the published ones.
        Examples without a category stay unknown, and all do where nothing is known of the categories.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> corpus = [Example("Id1", Graph(category="Food")), Example("Id2", Graph(category="Artist"))]
    >>> [example.seen for example in with_seen(corpus)]
    [True, False]
    """
    known = seen_categories(examples) if categories is None else categories

    def read(example: Example) -> Example:
        if known is None or example.category is None or example.seen is not None:
            return example
        return replace(example, seen=example.category in known)

    return Reread(lambda: map(read, examples), len(examples))
