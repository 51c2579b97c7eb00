"""How near the cells of an input are to the words around a claim: the bits that it takes to name one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from math import log2

from esascore.claims.cells import Amount, Record
from esascore.claims.reading import Reading, Span

NAMED, TOUCHED, BEFORE, REST = 1, 2, 3, 4
"""How near a cell is to a clause.

All words of its attribute are in the clause; some are, or its object is named; the sentence before names it;
none of these.
"""

_PREFIX = 4
_FEW = 4  # objects that one attribute is named of: what else they have is near, too
_NOTHING: Sequence[Set[float]] = (frozenset(),) * REST


@dataclass(frozen=True)
class WordIndex:
    """Which cells, and which objects, a word of a text may be about.

    A word is one of an attribute if both are equal, or if one begins with the other and has four letters.
    """

    record: Record
    _matches: dict[str, Sequence[str]] = field(default_factory=dict, repr=False)

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

    def matches(self, word: str) -> Sequence[str]:
        """Return the words of attributes that a word of a text stands for."""
        found = self._matches.get(word)
        if found is None:
            some = self._by_prefix.get(word[:_PREFIX], ()) if len(word) >= _PREFIX else (word,)
            found = self._matches[word] = [
                own
                for own in some
                if own in self.record.by_word and (own.startswith(word) or word.startswith(own))
            ]
        return found

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
    def inside(self) -> Mapping[str, list[int]]:
        """The cells of each object itself."""
        found: dict[str, list[int]] = defaultdict(list)
        for cell in self.record.cells:
            found[cell.home].append(cell.number)
        return found

    @cached_property
    def whole_by_cell(self) -> Mapping[int, list[Amount]]:
        """The numbers that are whole values, by their cells."""
        found: dict[int, list[Amount]] = defaultdict(list)
        for own in self.whole:
            found[own.cell].append(own)
        return found

    @cached_property
    def bits(self) -> Mapping[str | None, float]:
        """The logarithm of how many values each dimension has."""
        values: dict[str | None, set[float]] = defaultdict(set)
        for own in self.whole:
            values[own.dimension].add(own.value)
        return {dimension: log2(len(some)) for dimension, some in values.items()}

    @cached_property
    def whole(self) -> tuple[Amount, ...]:
        """The numbers that are whole values."""
        return tuple(own for own in self.record.amounts if own.whole)


class Around:
    """How near a sentence and the one before it bring cells, for all clauses of the sentence."""

    def __init__(self, index: WordIndex, reading: Reading, sentence: int):
        cells = index.record.cells
        words = reading.sentence_bases[sentence]
        homes = {home for word in words for home in index.homes(word) if home}
        self.inside = frozenset(cell for home in homes for cell in index.children.get(home, ()))
        """The cells of the objects that the sentence names."""
        self.levels = dict.fromkeys(self.inside, TOUCHED)
        """The level of each cell that is nearer than the rest."""
        if sentence:
            for cell, hits in index.named(reading.sentence_bases[sentence - 1]).items():
                if hits == len(cells[cell].own):
                    self.levels.setdefault(cell, BEFORE)
        for cell, hits in index.named(words).items():
            whole = hits == len(cells[cell].own) or cell in self.inside
            self.levels[cell] = TOUCHED if whole else min(self.levels.get(cell, REST), BEFORE)
        self._index = index

    @cached_property
    def values(self) -> Mapping[str | None, Sequence[Set[float]]]:
        """For each dimension and level the values that are as near or nearer."""
        found: dict[str | None, tuple[set[float], ...]] = {}
        by_cell = self._index.whole_by_cell
        for cell, level in self.levels.items():
            for own in by_cell.get(cell, ()):
                known = found.setdefault(own.dimension, (set(), set(), set(), set()))
                for farther in range(level, REST):
                    known[farther].add(own.value)
        return found


class Nearness:
    """The level of each cell for a claim in a clause, and what it costs to name a cell.

    Parameters
    ----------
    index
        The words of the input.
    reading, sentence, clause
        The text, what its sentence brings near, and where the clause is.
    """

    def __init__(self, index: WordIndex, reading: Reading, sentence: Around, clause: Span):
        self._index = index
        cells = index.record.cells
        self._around, around, inside = sentence, sentence.levels, sentence.inside
        self._near: dict[int, int] = {}
        near = set[str]()
        for cell, hits in index.named(reading.bases(*clause) | reading.head_at(clause[0])).items():
            whole = hits == len(cells[cell].own)
            self._near[cell] = NAMED if whole or cell in inside else min(TOUCHED, around.get(cell, REST))
            if self._near[cell] == NAMED and cells[cell].home:
                near.add(cells[cell].home)
        for home in near if len(near) <= _FEW else ():
            for cell in index.inside.get(home, ()):
                if self._near.get(cell) != NAMED:
                    self._near[cell] = TOUCHED

    def level(self, cell: int) -> int:
        """Return how near a cell is."""
        return self._near.get(cell) or self._around.levels.get(cell, REST)

    @cached_property
    def levels(self) -> Mapping[int, int]:
        """The level of each cell that is nearer than the rest."""
        return {**self._around.levels, **self._near}

    @cached_property
    def _sizes(self) -> Mapping[tuple[str | None, int], float]:
        """For each dimension and level the logarithm of how many values are as near or nearer."""
        values: dict[str | None, list[set[float]]] = {}
        by_cell = self._index.whole_by_cell
        for cell, level in self._near.items():
            for own in by_cell.get(cell, ()):
                known = values.setdefault(own.dimension, [set(), set(), set(), set()])
                for farther in range(level, REST):
                    known[farther].add(own.value)
        sizes: dict[tuple[str | None, int], float] = {}
        for dimension in values.keys() | self._around.values.keys():
            around = self._around.values.get(dimension, _NOTHING)
            for level, some in enumerate(values.get(dimension, _NOTHING)):
                more = sum(value not in around[level] for value in some)
                sizes[dimension, level] = log2(max(1, len(around[level]) + more))
        return sizes

    def cost(self, own: Amount) -> float:
        """Return the bits that it takes to name a number among those of its dimension that are as near."""
        level = self.level(own.cell)
        if level == REST:
            return self._index.bits.get(own.dimension, 0.0)
        return self._sizes.get((own.dimension, level), 0.0)
