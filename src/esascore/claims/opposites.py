"""Judges words that exclude each other: a text that says right where the input says left is wrong."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache

from esascore.claims.cells import Cell, Record
from esascore.claims.finding import Finding, contradicted_by
from esascore.claims.hours import days_of_key
from esascore.claims.reading import Reading
from esascore.text.words import Phrase, name_words, spaced
from esascore.wordlists import load, values

WORDLISTS = ("opposites",)
"""The word lists that are read here."""

_LONGEST = 4
"""Words of a value that is judged by one of them."""


@cache
def _opposites() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for one, others in load("opposites").rows:
        for other in values(others):
            found[one].add(other)
            found[other].add(one)
    return {word: frozenset(own) for word, own in found.items()}


class Opposites:
    """The words that a text must not say, with the cells whose values exclude them."""

    def __init__(self, record: Record):
        said: set[str] = set()
        by_word: dict[str, list[Cell]] = defaultdict(list)
        for cell in record.cells:
            words = _words(cell)
            said.update(words)
            said.update(word for part in cell.path.split(".") for word in name_words(spaced(part)))
            is_weekly = days_of_key(cell.spot.rpartition("/")[2]) is not None  # open on other days
            if cell.type in ("name", "text") and len(words) <= _LONGEST and not is_weekly:
                for word in words:
                    for other in _opposites().get(word, ()):
                        by_word[other].append(cell)
        for text in record.prose:
            said.update(name_words(text))
        self._said = frozenset(said)
        self.excluded = {
            word: cells[0] for word, cells in by_word.items() if word not in said and len(cells) == 1
        }

    def judge(self, reading: Reading) -> Iterator[Finding]:
        """Yield the excluded words that a text says of what the input names, without saying the right one."""
        if not self.excluded:
            return
        words = reading.document.words
        for n, word in enumerate(words.texts):
            cell = self.excluded.get(word)
            if cell is None:
                continue
            if not set(words.texts).isdisjoint(_words(cell)):
                continue
            near = {*words.texts[max(0, n - 2) : n], *words.texts[n + 1 : n + 3]}
            if near & self._said or near.intersection(cell.key.words):
                yield contradicted_by(cell, words.starts[n], words.ends[n], "value", "opposite")


def _words(cell: Cell) -> Phrase:
    return name_words(spaced(cell.value.replace("_", " ").lower()))
