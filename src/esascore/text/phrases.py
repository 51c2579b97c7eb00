"""Names as sequences of folded words, found in texts by longest match."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from esascore.text.words import Phrase, name_words


@dataclass(frozen=True, slots=True)
class Phrases:
    """Names and what each stands for, ready to be found in sequences of folded words.

    Examples
    --------
    >>> names = Phrases.of([("New York", "New_York_City"), ("York", "York")])
    >>> names.longest(["in", "new", "york"], 1), names.longest(["in", "new", "york"], 0)
    ((3, 'New_York_City'), None)
    """

    entities: dict[Phrase, str]
    lengths: dict[str, tuple[int, ...]]

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]]) -> Phrases:
        """Index (name, entity) pairs; of two entities with one name the first counts."""
        entities: dict[Phrase, str] = {}
        for text, entity in pairs:
            if words := name_words(text):
                entities.setdefault(words, entity)
        return cls(entities, lengths_of(entities))

    def __contains__(self, words: object) -> bool:
        return words in self.entities

    def longest(self, words: Sequence[str], start: int) -> tuple[int, str] | None:
        """Return the end of the longest name that begins at a word, and its entity."""
        left = len(words) - start
        for length in self.lengths.get(words[start], ()):
            if length <= left:
                end = start + length
                if (entity := self.entities.get(tuple(words[start:end]))) is not None:
                    return end, entity
        return None


def lengths_of(phrases: Iterable[Phrase]) -> dict[str, tuple[int, ...]]:
    """Return how many words the phrases have that begin with a word, the longest first.

    Examples
    --------
    >>> lengths_of([("new", "york"), ("new", "york", "city"), ("york",)])
    {'new': (3, 2), 'york': (1,)}
    """
    lengths: dict[str, tuple[int, ...]] = {}
    alone: dict[int, tuple[int, ...]] = {}  # one for all words: many are held
    for words in phrases:
        known, size = lengths.get(words[0]), len(words)
        if known is None:
            lengths[words[0]] = alone.setdefault(size, (size,))
        elif size not in known:
            lengths[words[0]] = tuple(sorted((*known, size), reverse=True))
    return lengths
