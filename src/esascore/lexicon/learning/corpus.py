"""What a corpus of typed data teaches by itself: by its reference texts, else by the texts under check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice

from esascore.lexicon.learning.forms import Progress, learn
from esascore.lexicon.learning.lines import entries
from esascore.lexicon.learning.settings import Settings
from esascore.lexicon.user import UserEntry
from esascore.model import Example, Input, Reference, worded
from esascore.sample import Sample, content_hash

LEAST, MOST = 100, 3000
"""How many texts are needed to learn anything, and how many are read at most."""

_PEEK = 200
_SETTINGS = Settings(folds=3)


def corpus_entries(
    examples: Iterable[Example], texts: Iterable[Iterable[str]] = (), progress: Progress | None = None
) -> tuple[UserEntry, ...]:
    """Learn the wordings of a corpus from itself, from a bounded sample (`esascore.sample`).

    Parameters
    ----------
    examples
        The corpus. Only data have typed values; triples teach nothing here.
    texts
        The texts of each system, which teach if there are no references.
    progress
        Called while it is learned.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> corpus_entries([Example("Id1", Graph.from_data({"open": True}))], [["It is open."]])
    ()
    """
    rows = _rows(examples, texts)
    first = list(islice(rows, _PEEK))
    if not any(_is_typed(example.input) for example, _ in first):
        return ()
    seen = WordingsSeen()
    for example, said in chain(first, rows):
        seen.add(example, said)
    return seen.entries(progress)


class WordingsSeen:
    """The texts from which wordings are learned, gathered one by one, and in parts that can be merged.

    ``limits`` are those of another part, so that nothing is held in vain.
    """

    def __init__(self, limits: Sequence[int | None] = (None, None)):
        self.references: Sample[tuple[Input, str]] = Sample(MOST, limits[0])
        self.others: Sample[tuple[Input, str]] = Sample(MOST, limits[1])

    @property
    def limits(self) -> tuple[int | None, int | None]:
        """Hashes of references and other texts from which on nothing is kept."""
        return self.references.limit, self.others.limit

    def add(self, example: Example, texts: Iterable[str]) -> None:
        """Add the references of an example and the texts of systems, if it has typed values."""
        if _is_typed(example.input):
            for text in (reference.text for reference in example.references):
                _add(self.references, example.input, text)
            for text in texts:
                _add(self.others, example.input, text)

    def merge(self, other: WordingsSeen) -> None:
        """Add the samples of another part of the corpus."""
        self.references.merge(other.references.limit, other.references.weighed())
        self.others.merge(other.others.limit, other.others.weighed())

    def entries(self, progress: Progress | None = None) -> tuple[UserEntry, ...]:
        """Learn from the references, or where there are none from the other texts."""
        chosen = list(self.references) or list(self.others)
        if len(chosen) < LEAST:
            return ()
        by_input: dict[Input, Example] = {}
        for input_, text in chosen:
            known = by_input.setdefault(input_, Example("", input_))
            by_input[input_] = replace(known, references=(*known.references, Reference("", text)))
        return tuple(entries(learn(list(by_input.values()), _SETTINGS, progress)))


def _rows(
    examples: Iterable[Example], texts: Iterable[Iterable[str]]
) -> Iterator[tuple[Example, tuple[str, ...]]]:
    systems = [iter(own) for own in texts]
    for example in examples:
        yield example, tuple(next(own, "") for own in systems)


def _add(sample: Sample[tuple[Input, str]], input_: Input, text: str) -> None:
    if text and sample.lacks(key := content_hash(input_, text)):
        sample.add(key, (input_, text))


def _is_typed(input_: Input) -> bool:
    return any(entity.type in ("text", "boolean") and entity.object_of for entity in worded(input_))
