"""Names and the entities that bear them, as tries in one memory-mapped file or in memory.

Folded names are the keys; each leads to its entries, best first: an entity, the name as it was written, how
the entity comes to the name, and a count. Names are spread over shards by their first word, titles of
entities by their hash, so that every trie can be made in bounded memory. Hashes of words and of pairs of
words tell cheaply that no name begins somewhere.

The file has named sections behind a checked header:

::

    magic (8 bytes), format version (u4), byte order mark (u4), length of the header (u8), its digest (16)
    header: JSON with whatever the writer says, and "sections": [name, offset, length, digest] each
    sections, each at a multiple of 8 bytes

Nothing in it depends on when or where it was written.
"""

from __future__ import annotations

import hashlib
import io
import json
import mmap
import os
import struct
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, groupby
from operator import itemgetter
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from esascore.errors import DataError
from esascore.link.equality import canonical
from esascore.readers.lines import opened
from esascore.text.words import folded_key, words_as_written

if TYPE_CHECKING:
    import marisa_trie

MAGIC = b"ESANAMES"
FORMAT = 1
_START = struct.Struct("=8sIIQ16s")
_ORDER = 0x01020304
_ALIGNED = 8

Sections = Mapping[str, bytes | memoryview]
"""Name of a section -> its content."""

PAIR_FACTOR = 0x9E3779B1
"""What the hash of the first of two words is multiplied with, modulo 2**32."""

LABEL, REDIRECT, ALIAS, BARE, PAGE = range(5)
"""How an entity comes to a name, best first: its own label, a redirect, an alias, its label without brackets;
and a page that leads to it but whose title does not name it."""

MOST_TYPES = 1 << 16
_BITS_A_BEGINNING = 24
_CANDIDATES_KEPT = 1 << 16


def write_sections(out: BinaryIO, facts: Mapping[str, Any], sections: Sections) -> None:
    """Write a file of sections."""
    digests = {name: _digest(content).hex() for name, content in sections.items()}
    # The table of sections is in the header, whose length moves them: find a length that holds the table.
    length = 0
    while True:
        table: list[list[Any]] = []
        offset = _aligned(_START.size + length)
        for name, content in sections.items():
            table.append([name, offset, len(content), digests[name]])
            offset = _aligned(offset + len(content))
        header = json.dumps({**facts, "sections": table}, ensure_ascii=True, sort_keys=True).encode()
        if len(header) <= length:
            header = header.ljust(length)
            break
        length = len(header) + 64
    out.write(_START.pack(MAGIC, FORMAT, _ORDER, len(header), _digest(header)))
    out.write(header)
    at = _START.size + len(header)
    for content, (_, start, size, _) in zip(sections.values(), table, strict=True):
        out.write(bytes(start - at))
        out.write(content)
        at = start + size
    out.write(bytes(_aligned(at) - at))


class SectionFile:
    """A file of sections, checked when it is opened.

    Attributes
    ----------
    facts
        What the header says.
    digest
        Of the header, and so of all content, since the header holds the digests of the sections.
    """

    def __init__(self, buffer: memoryview, path: str | PathLike[str] | None = None, *, verify: bool = True):
        if len(buffer) < _START.size or bytes(buffer[:8]) != MAGIC:
            raise DataError("this is not an index of names: make one with esascore linker build", file=path)
        _, version, order, length, digest = _START.unpack_from(buffer)
        if order != _ORDER:
            raise DataError(
                f"made on a machine with another byte order ({sys.byteorder}): build it here", file=path
            )
        if version != FORMAT:
            raise DataError(
                f"an index of format {version}, this version reads format {FORMAT}: build it again", file=path
            )
        header = bytes(buffer[_START.size : _START.size + length])
        if len(header) != length or _digest(header) != digest:
            raise _damaged(path)
        self.facts: dict[str, Any] = json.loads(header)
        self.digest: str = digest.hex()
        self._buffer, self._path = buffer, path
        self._table: dict[str, tuple[int, int]] = {}
        for name, offset, size, expected in self.facts["sections"]:
            content = buffer[offset : offset + size]
            if len(content) != size or (verify and _digest(content).hex() != expected):
                raise _damaged(path)
            self._table[name] = offset, size

    @classmethod
    def open(cls, path: str | PathLike[str], *, verify: bool = True) -> SectionFile:
        """Map a file; without ``verify`` only the header is checked, and that the file is not truncated.

        Raises
        ------
        DataError
            It cannot be read, is truncated or damaged, or is of another kind or version.
        """
        with opened(Path(path)) as file:
            if os.fstat(file.fileno()).st_size == 0:  # an empty file cannot be mapped
                return cls(memoryview(b""), path, verify=verify)
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return cls(memoryview(mapped), path, verify=verify)

    def check(self) -> None:
        """Reject a file that was cut off after it was mapped: reading on would end the process (SIGBUS)."""
        mapped = self._buffer.obj
        if isinstance(mapped, mmap.mmap) and mapped.size() < len(mapped):
            raise _damaged(self._path)

    def content(self) -> bytes:
        """Return the whole file."""
        return bytes(self._buffer)

    def __getitem__(self, name: str) -> memoryview:
        offset, size = self._table[name]
        return self._buffer[offset : offset + size]


def _digest(data: bytes | memoryview) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()


def _aligned(offset: int) -> int:
    return -(-offset // _ALIGNED) * _ALIGNED


def _damaged(path: str | PathLike[str] | None) -> DataError:
    return DataError("the index is truncated or damaged: build or copy it again", file=path)


Row = tuple[str, int, int, int, int, str]
"""Folded key, kind, -count, what decides between equals (least first), number of the entity, the name."""


def word_hash(word: str) -> int:
    """Return a hash of a folded word that is the same everywhere.

    Examples
    --------
    >>> word_hash("oslo") == word_hash("Oslo")
    False
    """
    return crc32(word.encode())


def pair_hash(first: int, second: int) -> int:
    """Return a hash of two words, by their own, that is the same everywhere.

    Examples
    --------
    >>> pair_hash(word_hash("new"), word_hash("york")) == pair_hash(word_hash("york"), word_hash("new"))
    False
    """
    return (first * PAIR_FACTOR + second) & 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class NameRecord:
    """One name of one entity, as an index takes it in.

    ``kind`` is one of `LABEL`, `REDIRECT`, `ALIAS`, `BARE`, `PAGE`; ``count`` is 0 where none is given.
    """

    name: str
    entity: str
    kind: int = LABEL
    count: int = 0
    type: str | None = None


@dataclass(frozen=True, slots=True)
class Candidate(NameRecord):
    """What a name may mean: the entity (with underscores), and the name as the index has it.

    ``words`` are those of the name, in its own letters.
    """

    words: tuple[str, ...] = ()


class NameIndex:
    """An index of names, opened from a file or made in memory.

    Attributes
    ----------
    digest
        A hash of everything in it.
    beginnings
        Bits for how names begin: none does where the bit of `word_hash` or `pair_hash` is not set.
    check
        Rejects a file that was cut off after it was opened.

    Examples
    --------
    >>> index = NameIndex.of([NameRecord("New York", "New_York_City", ALIAS), NameRecord("York", "York")])
    >>> index.prefixes(("new", "york", "is"), 0)
    ['new york ']
    >>> index.candidates("new york ")
    (Candidate(name='New York', entity='New_York_City', kind=2, count=0, type=None, words=('New', 'York')),)
    """

    def __init__(self, file: SectionFile, path: str | PathLike[str] | None = None):
        facts = file.facts
        self._file = file
        self._path = path
        self._most_words = facts["longest"] // 2 + 1
        self._shards = [_Shard(file, number) for number in range(facts["shards"])]
        self._titles = _Titles(file, facts["title_shards"])
        self._types: list[str] = facts["types"]
        self.beginnings = file["beginnings"]
        self._mask = 8 * len(self.beginnings) - 1
        self.digest, self.check = file.digest, file.check
        self.candidates = lru_cache(maxsize=_CANDIDATES_KEPT)(self._candidates)

    @classmethod
    def open(cls, path: str | PathLike[str]) -> NameIndex:
        """Map the file that ``esascore linker build`` wrote.

        Raises
        ------
        DataError
            It cannot be read, is truncated or damaged, or is of another kind or version.
        """
        return cls(SectionFile.open(path), path)

    @classmethod
    def of(cls, records: Iterable[NameRecord]) -> NameIndex:
        """Make an index in memory; names without a letter or digit are left out."""
        named = (record for record in records if folded_key(record.name))
        known = [(record, _encodable(record.entity).replace("_", " ")) for record in named]
        titles = sorted({title for _, title in known})
        packed, numbers = pack_titles(titles)
        types = sorted({record.type for record, _ in known if record.type})
        typed = [0] * len(titles)
        rows: list[Row] = []
        for record, title in known:
            at = numbers[title]
            if record.type:  # of several types the first by name, whatever the order of the records
                number = types.index(record.type) + 1
                typed[at] = min(typed[at] or number, number)
            name = _encodable(record.name)
            rows.append((folded_key(record.name), record.kind, -record.count, tie(title), at, name))
        sections = {
            "titles/0/titles": packed,
            "titles/0/types": np.array(typed, np.uint16).tobytes(),
            **{f"names/0/{name}": data for name, data in pack_names(rows).items()},
            "beginnings": pack_beginnings([hashes_of_beginnings(rows)]),
        }
        longest = max((len(row[0]) for row in rows), default=0)
        facts = {"shards": 1, "title_shards": 1, "types": types, "longest": longest}
        out = io.BytesIO()
        write_sections(out, facts, sections)
        return cls.from_bytes(out.getvalue())

    @classmethod
    def from_bytes(cls, content: bytes) -> NameIndex:
        """Open the content of a file of names."""
        return cls(SectionFile(memoryview(content)))

    def __reduce__(self) -> tuple[Any, ...]:
        if self._path is not None:
            return NameIndex.open, (self._path,)
        return NameIndex.from_bytes, (self._file.content(),)

    def __len__(self) -> int:
        """Return how many folded names there are."""
        return sum(len(shard.keys) for shard in self._shards)

    def prefixes(self, words: Sequence[str], at: int) -> list[str]:
        """Find the names that begin at one of the folded words of a text, the shortest first.

        They are folded, with a space after each word, to be looked up by `candidates`.
        """
        bits, mask = self.beginnings, self._mask
        first = word_hash(words[at])
        pair = pair_hash(first, word_hash(words[at + 1])) if at + 1 < len(words) else first
        if not (bits[(first & mask) >> 3] >> (first & 7) & 1 or bits[(pair & mask) >> 3] >> (pair & 7) & 1):
            return []  # a look at two bits spares most words the trie
        keys = self._shards[first % len(self._shards)].keys
        # Keys end in a space, so that a match ends where a word does.
        found: list[str] = keys.prefixes(" ".join(words[at : at + self._most_words]) + " ")
        return found

    def find(self, name: str) -> tuple[Candidate, ...]:
        """Return what a whole name may mean, the best first.

        Examples
        --------
        >>> index = NameIndex.of([NameRecord("Łódź", "Łódź")])
        >>> [c.entity for c in index.find("LODZ")], index.find("Lod")
        (['Łódź'], ())
        """
        return self.candidates(folded_key(name) + " ")

    def redirect(self, title: str) -> str | None:
        """Return the entity that a canonical title leads to by a redirect; None if it does not."""
        self.check()
        for candidate in self.find(title):
            if candidate.kind in (REDIRECT, PAGE) and canonical(candidate.name) == title:
                return candidate.entity
        return None

    def records(self) -> Iterator[Candidate]:
        """Yield every name of every entity, pages that are not names included."""
        for shard in self._shards:
            for number in range(len(shard.keys)):
                yield from self._entries(shard, number)

    def _candidates(self, key: str) -> tuple[Candidate, ...]:
        shard = self._shards[word_hash(key.partition(" ")[0]) % len(self._shards)]
        number = shard.keys.get(key)
        return () if number is None else tuple(self._entries(shard, number))

    def _entries(self, shard: _Shard, number: int) -> Iterator[Candidate]:
        for entry in range(shard.starts[number], shard.starts[number + 1]):
            title, type_number = self._titles[shard.entities[entry]]
            name = shard.forms.restore_key(shard.form_numbers[entry])
            count = shard.counts[entry] if len(shard.counts) else 0
            type_ = self._types[type_number - 1] if type_number else None
            entity = title.replace(" ", "_")
            yield Candidate(name, entity, shard.kinds[entry], count, type_, words_as_written(name))


class _Shard:
    """Folded names with the numbers of their entries: entity, name as written, kind and count."""

    def __init__(self, file: SectionFile, number: int):
        part = f"names/{number}/"
        self.keys, self.forms = (_trie(file[part + name]) for name in ("keys", "forms"))
        self.starts, self.entities, self.form_numbers, self.counts = (
            file[part + name].cast("I") for name in ("starts", "entities", "form_numbers", "counts")
        )
        self.kinds = file[part + "kinds"]


class _Titles:
    """Titles (with spaces) and numbers of types, by the number of the entity."""

    def __init__(self, file: SectionFile, shards: int):
        self._tries = [_trie(file[f"titles/{number}/titles"]) for number in range(shards)]
        self._types = [file[f"titles/{number}/types"].cast("H") for number in range(shards)]
        self._bases = list(accumulate(map(len, self._tries), initial=0))

    def __getitem__(self, entity: int) -> tuple[str, int]:
        at = bisect_right(self._bases, entity) - 1
        local = entity - self._bases[at]
        return self._tries[at].restore_key(local), self._types[at][local]


def tie(title: str) -> int:
    """Return what decides between entities of equal rank: a low number of Wikidata, otherwise a short title.

    Examples
    --------
    >>> tie("Q90"), tie("Paris") < tie("Paris (mythology)")
    (90, True)
    """
    number = title[1:]
    return int(number) if title[:1] == "Q" and number.isdecimal() and len(number) < 10 else len(title)


def pack_titles(titles: Sequence[str]) -> tuple[bytes, dict[str, int]]:
    """Make the trie of different titles; returns it with the number of each title in it."""
    from marisa_trie import Trie

    trie = Trie(titles)
    return trie.tobytes(), {title: trie.key_id(title) for title in titles}


def pack_names(rows: list[Row]) -> dict[str, bytes]:
    """Make the sections of one shard of names.

    Of several rows with one name as written and one entity the best stands.
    """
    from marisa_trie import Trie

    rows.sort()
    groups: list[tuple[str, list[Row]]] = []
    for key, group in groupby(rows, key=itemgetter(0)):
        best: dict[tuple[int, str], Row] = {}
        for row in group:
            best.setdefault(row[4:], row)
        groups.append((key + " ", list(best.values())))
    keys = Trie([key for key, _ in groups])
    forms = Trie(sorted({row[5] for _, group in groups for row in group}))
    form_number = forms.key_id
    groups.sort(key=lambda pair: keys.key_id(pair[0]))
    ordered = [row for _, group in groups for row in group]
    starts = np.zeros(len(groups) + 1, np.uint32)
    np.cumsum([len(group) for _, group in groups], out=starts[1:])
    counts = np.minimum([-row[2] for row in ordered], np.iinfo(np.uint32).max).astype(np.uint32)
    return {
        "keys": keys.tobytes(),
        "forms": forms.tobytes(),
        "starts": starts.tobytes(),
        "entities": np.array([row[4] for row in ordered], np.uint32).tobytes(),
        "form_numbers": np.array([form_number(row[5]) for row in ordered], np.uint32).tobytes(),
        "kinds": np.array([row[1] for row in ordered], np.uint8).tobytes(),
        "counts": counts.tobytes() if counts.any() else b"",
    }


def hashes_of_beginnings(rows: Iterable[Row]) -> NDArray[np.uint32]:
    """Return the hashes of the first two words, or of the only one, of each name."""
    beginnings = {tuple(row[0].split(" ", 2)[:2]) for row in rows}
    hashes = (
        word_hash(words[0]) if len(words) == 1 else pair_hash(word_hash(words[0]), word_hash(words[1]))
        for words in beginnings
    )
    return np.fromiter(hashes, np.uint32, len(beginnings))


def pack_beginnings(hashes: Sequence[NDArray[np.uint32]]) -> bytes:
    """Make the bits that show whether a name may begin in some way."""
    size = 1 << max(sum(map(len, hashes)) * _BITS_A_BEGINNING - 1, 63).bit_length()
    marks = np.zeros(size, bool)
    for some in hashes:
        marks[some.astype(np.int64) & (size - 1)] = True
    return np.packbits(marks, bitorder="little").tobytes()


def _trie(data: memoryview) -> marisa_trie.Trie:
    from marisa_trie import Trie

    trie = Trie()
    trie.map(data)
    return trie


def _encodable(text: str) -> str:
    """Replace what a trie cannot hold: lone surrogates and NUL."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")
