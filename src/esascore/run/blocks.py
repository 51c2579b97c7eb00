"""Rows in blocks that fit into memory: everything that is scored is cut here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from esascore.errors import DataError
from esascore.model import Example
from esascore.readers.systems import OwnTexts, System

Row = tuple[Example, Sequence[str]]
"""An example, and the text of each system."""

BATCH = 1024
"""Texts of a block: enough to fill the kernels of a pipeline, few enough to bound memory."""

BATCH_WITH_MODELS = 64
"""The same if models read each text, which takes long: progress is then shown sooner."""

WEIGHT = 1 << 16
"""What a block may weigh, in entities and words: large inputs and long texts make blocks of fewer texts."""

_CHARACTERS_PER_WORD = 6
_LEAST = 8  # the smallest share of a block that the last blocks may have

T = TypeVar("T")


def blocks(
    rows: Iterable[T],
    size_of: Callable[[T], tuple[int, int]],
    *,
    texts: int,
    weight: int = WEIGHT,
    sharers: int = 1,
    total: int = 0,
) -> Iterator[list[T]]:
    """Cut rows into blocks, reading one row ahead; yields at least one block, which may be empty.

    Parameters
    ----------
    rows, size_of
        The rows, and how many texts each has and what it weighs (`size_of_row`).
    texts, weight
        What a block may hold. A row alone may be more.
    sharers, total
        How many processes share the work, and the texts of all blocks: of the last texts blocks are smaller,
        so that all processes end at about the same time.

    Examples
    --------
    >>> [len(block) for block in blocks(range(5), lambda _: (1, 1), texts=2)]
    [2, 2, 1]
    """
    held: list[T] = []
    count = weighs = done = 0
    most = texts
    for row in rows:
        more, weighs_more = size_of(row)
        if held and (count + more > most or weighs + weighs_more > weight):
            yield held
            done += count
            if sharers > 1:
                most = min(texts, max((total - done) // (2 * sharers), texts // _LEAST))
            held, count, weighs = [], 0, 0
        held.append(row)
        count += more
        weighs += weighs_more
    yield held


def size_of_row(row: Row) -> tuple[int, int]:
    """Return how many texts a row has, and what it weighs."""
    example, texts = row
    return len(texts), len(example.input.entities) + sum(map(len, texts)) // _CHARACTERS_PER_WORD


def rows_of(examples: Iterable[Example], systems: Sequence[System]) -> Iterator[Row]:
    """Yield the examples of a corpus, each with the text of every system.

    Raises
    ------
    DataError
        A system has fewer or more texts than the corpus has examples, though they were counted before.
    """
    readers = [None if isinstance(one.texts, OwnTexts) else iter(one.texts) for one in systems]
    for example in examples:
        texts = [example.text if reader is None else next(reader, None) for reader in readers]
        said = tuple(text for text in texts if text is not None)
        if len(said) != len(systems):
            raise _changed(systems[texts.index(None)])
        yield example, said
    for system, reader in zip(systems, readers, strict=True):
        if reader is not None and next(reader, None) is not None:
            raise _changed(system)


def _changed(system: System) -> DataError:
    return DataError(f"corpus or texts of system {system.name!r} changed while they were read: try again")
