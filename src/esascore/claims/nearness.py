"""How near the cells of an input are to the words around a claim: the bits needed to name one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from esascore.claims.cells import Record, homes_of
from esascore.claims.reading import Reading, Span
from esascore.lazy import lazy

NAMED, TOUCHED, BEFORE, REST = 1, 2, 3, 4
"""How near a cell is to a clause.

All words of its attribute are in the clause; some are, or its object is named; the sentence before names it;
none of these.
"""

_PREFIX = 4
_FEW = 4  # objects that one attribute is named of: what else they have is near, too

Numbers = NDArray[np.intp]
Levels = NDArray[np.int8]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class WordIndex:
    """Which cells, and which objects, a word of a text may be about.

    A word is one of an attribute if both are equal, or if one begins with the other and has four letters.
    Attributes are numbered: cells whose keys have the same words share one.
    """

    record: Record
    _matches: dict[str, Sequence[str]] = field(default_factory=dict, repr=False)

    @lazy
    def _by_prefix(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for word in self.record.by_word:
            found[word[:_PREFIX]].append(word)
        return found

    @lazy
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

    def named(self, words: Iterable[str]) -> Mapping[int, int]:
        """Return how many of its words are among some words, for each attribute that has any."""
        owned = {own for word in words for own in self.matches(word)}
        found: dict[int, int] = defaultdict(int)
        for own in owned:
            for attribute in self._with_word[own]:
                found[attribute] += 1
        return found

    @lazy
    def _attributes(self) -> Mapping[frozenset[str], int]:
        words = dict.fromkeys(cell.own for cell in self.record.cells)
        return {own: n for n, own in enumerate(words)}

    @lazy
    def attribute_of(self) -> Sequence[int]:
        """The number of the attribute of each cell."""
        return [self._attributes[cell.own] for cell in self.record.cells]

    @lazy
    def _attribute_of(self) -> Numbers:
        return np.array(self.attribute_of, np.intp)

    @lazy
    def _with_word(self) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for words, n in self._attributes.items():
            for word in words:
                found[word].append(n)
        return found

    @lazy
    def words(self) -> Sequence[frozenset[str]]:
        """The words of each attribute."""
        return list(self._attributes)

    @lazy
    def sizes(self) -> Sequence[int]:
        """How many these are."""
        return list(map(len, self.words))

    @lazy
    def cells_of(self) -> Sequence[Sequence[int]]:
        """The cells of each attribute."""
        found: list[list[int]] = [[] for _ in self.words]
        for cell, attribute in enumerate(self.attribute_of):
            found[attribute].append(cell)
        return found

    def levels_of(self, words: Iterable[str], whole: int, part: int) -> Levels:
        """Return a level for each cell: whether all words of its attribute are among some words, or part."""
        found = np.full(len(self._attributes), REST, np.int8)
        for attribute, hits in self.named(words).items():
            found[attribute] = whole if hits == self.sizes[attribute] else part
        own: Levels = found[self._attribute_of]
        return own

    @lazy
    def children(self) -> Mapping[str, list[int]]:
        """The cells of each object, those of objects inside it included."""
        found: dict[str, list[int]] = defaultdict(list)
        for home, cells in self.record.by_home.items():
            numbers = [cell.number for cell in cells]
            for above in (home, *homes_of(home)):
                found[above] += numbers
        return found

    @lazy
    def _homes(self) -> Mapping[str, int]:
        return {home: n for n, home in enumerate(dict.fromkeys(("", *self.record.by_home)))}

    @lazy
    def home_of(self) -> Numbers:
        """The number of the object of each cell; 0 is the whole input."""
        return np.array([self._homes[cell.home] for cell in self.record.cells], np.intp)

    @lazy
    def beside(self) -> Sequence[Numbers]:
        """The cells of each object itself, by its number."""
        by_home = self.record.by_home
        return [np.array([cell.number for cell in by_home.get(home, ())], np.intp) for home in self._homes]

    @lazy
    def whole(self) -> Sequence[int]:
        """The numbers that are whole values."""
        return [n for n, own in enumerate(self.record.amounts) if own.whole]

    @lazy
    def _dimensions(self) -> Mapping[str | None, int]:
        return {own: n for n, own in enumerate(dict.fromkeys(own.dimension for own in self.record.numbers))}

    @lazy
    def of_numbers(self) -> tuple[Numbers, Numbers]:
        """The dimension and the cell of each number."""
        numbers = self.record.numbers
        dimensions = [self._dimensions[own.dimension] for own in numbers]
        return np.array(dimensions, np.intp), np.array([own.cell for own in numbers], np.intp)

    @lazy
    def _values(self) -> tuple[Numbers, Numbers, Numbers]:
        """The cells that have each value of a dimension, where those of the next begin, and its dimension."""
        amounts, dimensions = self.record.amounts, self._dimensions
        by_value: dict[tuple[int, float], list[int]] = defaultdict(list)
        for n in self.whole:
            own = amounts[n]
            by_value[dimensions[own.dimension], own.value].append(own.cell)
        cells = [cell for some in by_value.values() for cell in some]
        starts = np.cumsum([0, *(len(some) for some in by_value.values())])[:-1]
        return np.array(cells, np.intp), starts, np.array([of for of, _ in by_value], np.intp)

    def bits(self, levels: Levels) -> Floats:
        """Return the logarithm of how many values of each dimension are as near as each level, or nearer."""
        cells, starts, dimensions = self._values
        size = len(self._dimensions), REST + 1
        if not len(cells):
            return np.zeros(size)
        nearest = np.minimum.reduceat(levels[cells], starts)
        counts = np.bincount(dimensions * (REST + 1) + nearest, minlength=size[0] * size[1]).reshape(size)
        bits: Floats = np.log2(np.maximum(counts.cumsum(axis=1), 1))
        return bits


class Around:
    """How near a sentence and the one before it bring cells, for all clauses of the sentence."""

    def __init__(self, index: WordIndex, reading: Reading, sentence: int):
        words = reading.sentence_bases[sentence]
        homes = {home for word in words for home in index.homes(word) if home}
        self.inside = np.array([cell for home in homes for cell in index.children[home]], np.intp)
        """The cells of the objects that the sentence names."""
        self.levels = index.levels_of(words, TOUCHED, BEFORE)
        """The level of each cell."""
        self.levels[self.inside] = TOUCHED
        if sentence:
            before = index.levels_of(reading.sentence_bases[sentence - 1], BEFORE, REST)
            np.minimum(self.levels, before, out=self.levels)


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
        own = index.levels_of(reading.bases(*clause) | reading.head_at(clause[0]), NAMED, TOUCHED)
        if len(sentence.inside):
            inside = own[sentence.inside]
            inside[inside == TOUCHED] = NAMED
            own[sentence.inside] = inside
        self.levels = np.minimum(sentence.levels, own)
        """The level of each cell."""
        near = set(index.home_of[own == NAMED].tolist())
        for home in near if len(near - {0}) <= _FEW else ():
            if home:
                beside = index.beside[home]
                self.levels[beside] = np.minimum(self.levels[beside], TOUCHED)

    @lazy
    def _bits(self) -> Floats:
        return self._index.bits(self.levels)

    def costs(self, numbers: Sequence[int]) -> Floats:
        """Return the bits that it takes to name numbers among those of their dimension that are as near."""
        dimensions, cells = self._index.of_numbers
        found: Floats = self._bits[dimensions[numbers], self.levels[cells[numbers]]]
        return found
