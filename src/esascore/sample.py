"""Bounded samples of a corpus that depend neither on its order nor on how it is divided.

Each entry has a content hash, and the entries with the smallest hashes are kept: any order gives the same
sample, and the samples of parts, sampled together, give that of the whole. If all entries fit, all are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import blake2b
from heapq import heappop, heappush
from typing import Generic, TypeVar

T = TypeVar("T")


class Sample(Generic[T]):
    """The entries with the smallest content hashes whose weights sum up to no more than a bound.

    Parameters
    ----------
    bound
        The greatest sum of weights.
    limit
        Entries with at least this hash do not belong to the sample, because of another part of the corpus.

    Examples
    --------
    >>> sample = Sample(bound=2)
    >>> for word in ("one", "two", "three", "two", "one"):
    ...     if sample.lacks(key := content_hash(word)):
    ...         sample.add(key, word)
    >>> len(list(sample))
    2
    """

    def __init__(self, bound: int, limit: int | None = None):
        self.bound = bound
        self.limit = limit  # entries from this hash on are left out; None while none are
        self._weight = 0
        self._entries: dict[int, tuple[int, T]] = {}
        self._greatest: list[int] = []  # a heap of negative hashes

    def lacks(self, key: int) -> bool:
        """Return whether the entry with this hash belongs to the sample and is not in it yet."""
        return key not in self._entries and (self.limit is None or key < self.limit)

    def add(self, key: int, entry: T, weight: int = 1) -> None:
        """Add an entry that the sample lacks; others may be dropped."""
        self._entries[key] = weight, entry
        self._weight += weight
        heappush(self._greatest, -key)
        while self._weight > self.bound:
            # Whatever is greater stays out, even if it weighs less: otherwise order would matter.
            self.limit = -heappop(self._greatest)
            self._weight -= self._entries.pop(self.limit)[0]

    def merge(self, other: Sample[T], join: Callable[[T, T], T] | None = None) -> None:
        """Add the sample of another part of the corpus.

        ``join`` combines two entries with the same hash; without it the present one is kept.

        Examples
        --------
        >>> whole, parts = Sample(bound=2), [Sample(bound=2), Sample(bound=2)]
        >>> for n, word in enumerate(("one", "two", "three", "four", "five")):
        ...     for sample in (whole, parts[n % 2]):
        ...         if sample.lacks(key := content_hash(word)):
        ...             sample.add(key, word)
        >>> parts[0].merge(parts[1])
        >>> list(parts[0]) == list(whole), parts[0].limit == whole.limit
        (True, True)
        """
        if other.limit is not None and (self.limit is None or other.limit < self.limit):
            self.limit = other.limit
            while self._greatest and -self._greatest[0] >= other.limit:
                self._weight -= self._entries.pop(-heappop(self._greatest))[0]
        for key, (weight, entry) in other._entries.items():
            if self.lacks(key):
                self.add(key, entry, weight)
            elif join is not None and key in self._entries:
                self._entries[key] = weight, join(self._entries[key][1], entry)

    def get(self, key: int) -> T | None:
        """The entry with this hash, if it is in the sample."""
        return self._entries[key][1] if key in self._entries else None

    def items(self) -> Iterator[tuple[int, T]]:
        """Entries with their hashes, smallest first."""
        return ((key, self._entries[key][1]) for key in sorted(self._entries))

    def __iter__(self) -> Iterator[T]:
        return (entry for _, entry in self.items())


def content_hash(*parts: object) -> int:
    """Return 64 bits that depend only on the content of strings and of our dataclasses.

    Examples
    --------
    >>> content_hash("Bionico", ("a", "text")) == content_hash("Bionico", ("a", "text"))
    True
    """
    content = "\0".join(part if isinstance(part, str) else repr(part) for part in parts)
    return int.from_bytes(blake2b(content.encode("utf-8", "surrogatepass"), digest_size=8).digest())
