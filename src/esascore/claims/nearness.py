"""How near the cells of an input are to the words around a claim: the bits that it takes to name one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from math import log2

from esascore.claims.cells import Amount, Record
from esascore.claims.reading import Reading, Span

NAMED, TOUCHED, BEFORE, REST = 1, 2, 3, 4
"""How near a cell is to a clause.

All words of its attribute are in the clause; some are, or its object is named; the sentence before names it;
none of these.
"""

_PREFIX = 4


@dataclass(frozen=True)
class WordIndex:
    """Which cells, and which objects, a word of a text may be about.

    A word is one of an attribute if both are equal, or if one begins with the other and has four letters.
    """

    record: Record
    _cells: dict[str, tuple[int, ...]] = field(default_factory=dict, repr=False)
    _homes: dict[str, tuple[str, ...]] = field(default_factory=dict, repr=False)

    @cached_property
    def _by_prefix(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for word in self.record.by_word:
            found[word[:_PREFIX]].append(word)
        return found

    @cached_property
    def _objects(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for home, words in self.record.subjects.items():
            for word in words:
                found[word].append(home)
        return found

    def matches(self, word: str) -> list[str]:
        """Return the words of attributes that a word of a text stands for."""
        if len(word) < _PREFIX:
            return [word] if word in self.record.by_word else []
        return [
            own
            for own in self._by_prefix.get(word[:_PREFIX], ())
            if own.startswith(word) or word.startswith(own)
        ]

    def homes(self, word: str) -> Sequence[str]:
        """Return the objects that a word calls."""
        return self._objects.get(word, ())

    def named(self, words: Iterable[str]) -> dict[int, int]:
        """Return how many of the words of its attribute are among some words, for each cell that has any."""
        owned = {own for word in words for own in self.matches(word)}
        found: dict[int, int] = defaultdict(int)
        for own in owned:
            for cell in self.record.by_word[own]:
                found[cell] += 1
        return found

    @cached_property
    def children(self) -> Mapping[str, list[int]]:
        """The cells of each object, those of objects inside it included."""
        found: dict[str, list[int]] = defaultdict(list)
        for cell in self.record.cells:
            for home in cell.homes():
                found[home].append(cell.number)
        return found

    @cached_property
    def whole(self) -> tuple[Amount, ...]:
        """The numbers that are whole values."""
        return tuple(own for own in self.record.amounts if own.whole)


class Nearness:
    """The level of each cell for a claim in a clause, and what it costs to name a cell.

    Parameters
    ----------
    index
        The words of the input.
    reading, sentence, clause
        Where the claim stands.
    """

    def __init__(self, index: WordIndex, reading: Reading, sentence: int, clause: Span):
        self._index = index
        record = index.record
        levels: dict[int, int] = {}
        words = reading.sentence_bases[sentence]
        homes = {home for word in words for home in index.homes(word) if home}
        inside = {cell for home in homes for cell in index.children.get(home, ())}
        for cell, hits in index.named(reading.bases(*clause)).items():
            whole = hits == len(record.cells[cell].own)
            levels[cell] = NAMED if whole or cell in inside else TOUCHED
        for cell, hits in index.named(words).items():
            whole = hits == len(record.cells[cell].own)
            levels[cell] = min(levels.get(cell, REST), TOUCHED if whole or cell in inside else BEFORE)
        for cell in inside:
            levels[cell] = min(levels.get(cell, REST), TOUCHED)
        if sentence:
            for cell, hits in index.named(reading.sentence_bases[sentence - 1]).items():
                if hits == len(record.cells[cell].own):
                    levels[cell] = min(levels.get(cell, REST), BEFORE)
        near = {record.cells[cell].home for cell, level in levels.items() if level == NAMED}
        for home in near:
            for cell in index.children.get(home, ()) if home else ():
                if record.cells[cell].home == home:
                    levels[cell] = min(levels.get(cell, REST), TOUCHED)
        self.levels = levels

    def level(self, cell: int) -> int:
        """Return how near a cell is."""
        return self.levels.get(cell, REST)

    @cached_property
    def _sizes(self) -> Mapping[str | None, Sequence[float]]:
        """For each dimension and level the logarithm of how many values are as near or nearer."""
        values: dict[str | None, list[set[float]]] = defaultdict(lambda: [set() for _ in range(REST + 1)])
        for own in self._index.whole:
            values[own.dimension][self.level(own.cell)].add(own.value)
        return {
            dimension: [log2(max(1, len(seen))) for seen in accumulate(levels, set[float].union)]
            for dimension, levels in values.items()
        }

    def cost(self, own: Amount) -> float:
        """Return the bits that it takes to name a number among those of its dimension that are as near."""
        sizes = self._sizes.get(own.dimension)
        return 0.0 if sizes is None else sizes[self.level(own.cell)]
