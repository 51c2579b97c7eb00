"""A corpus cut into blocks: a few examples with the texts of all systems, small enough to be held."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from esascore.errors import DataError
from esascore.model import Example
from esascore.readers.systems import OwnTexts, System

BATCH = 1024
"""Texts of a block: enough to fill the kernels of a pipeline, few enough to bound memory."""

WEIGHT = 1 << 16
"""What a block may weigh, in entities and words: large inputs and long texts make blocks of fewer texts."""

_CHARACTERS_PER_WORD = 6
_LEAST = 8  # the part of a block that the smallest of the last ones has


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive examples, and for each system a text per example."""

    examples: tuple[Example, ...]
    texts: tuple[tuple[str, ...], ...]

    def __len__(self) -> int:
        return len(self.examples) * len(self.texts)

    def rows(self) -> Iterator[tuple[Example, tuple[str, ...]]]:
        """The examples, each with a text of every system."""
        return zip(self.examples, zip(*self.texts, strict=True), strict=True) if self.texts else iter(())


def blocks(
    examples: Iterable[Example],
    systems: Sequence[System],
    *,
    texts: int = BATCH,
    weight: int = WEIGHT,
    sharers: int = 1,
    total: int = 0,
) -> Iterator[Block]:
    """Cut a corpus with its systems into blocks, reading no further than needed; at least one, be it empty.

    Parameters
    ----------
    examples, systems
        The corpus, and systems with a text for each example.
    texts, weight
        What a block may hold. An example alone may be more.
    sharers, total
        How many processes share the work, and the texts of all blocks: of the last texts blocks are smaller,
        so that all processes end at about the same time.

    Raises
    ------
    DataError
        A system has fewer or more texts than the corpus has examples, though they were counted before.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> corpus = [Example(f"Id{n}", Graph(())) for n in range(5)]
    >>> [len(block) for block in blocks(corpus, [System("mine", ("A text.",) * 5)], texts=2)]
    [2, 2, 1]
    """
    readers = [None if isinstance(one.texts, OwnTexts) else iter(one.texts) for one in systems]
    held: list[Example] = []
    columns: list[list[str]] = [[] for _ in systems]
    weighs = done = 0

    def limit() -> int:
        left = (total - done) // (2 * sharers)
        return texts if sharers < 2 else min(texts, max(left, texts // _LEAST))

    def block() -> Block:
        return Block(tuple(held), tuple(map(tuple, columns)))

    for example in examples:
        row = [example.text if reader is None else next(reader, None) for reader in readers]
        said = [text for text in row if text is not None]
        if len(said) != len(systems):
            raise _changed(systems[row.index(None)])
        more = len(example.input.entities) + sum(map(len, said)) // _CHARACTERS_PER_WORD
        if held and ((len(held) + 1) * len(systems) > limit() or weighs + more > weight):
            yield block()
            done += len(held) * len(systems)
            held, columns, weighs = [], [[] for _ in systems], 0
        held.append(example)
        weighs += more
        for column, text in zip(columns, said, strict=True):
            column.append(text)
    for system, reader in zip(systems, readers, strict=True):
        if reader is not None and next(reader, None) is not None:
            raise _changed(system)
    yield block()


def _changed(system: System) -> DataError:
    return DataError(f"corpus or texts of system {system.name!r} changed while they were read: try again")
