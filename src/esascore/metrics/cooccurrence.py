"""How often words of texts occur with lexical items of tables: counting, files, and the probabilities.

A lexical item is a word of a value, or an attribute or relation name with its words joined by ``_``. In n(v)
training pairs of a table and a text the table has item v; in n(v, g) of these the text has the word g. The
probability that v entails g is n(v, g) / n(v).

Files are either our own (a line with the name of the format, then a line per item: the item, a tab, n(v), a
tab, and words with their counts, separated by spaces) or JSON objects with keys ``v`` and ``v|||g``, as the
public original of PARENT reads them.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from esascore.align.matches import offsets_of
from esascore.align.sequences import Sequences, largest_shares
from esascore.errors import DataError, UsageError
from esascore.readers.fields import load_json
from esascore.readers.lines import iter_lines, opened
from esascore.readers.located import shown
from esascore.temporary_database import temporary_database

Pair = tuple[Sequence[Sequence[str]], str]
"""A table, as (attribute, value) or (head, relation, tail) strings, and a text about it."""

HEADER = "esascore co-occurrence counts 1"
SEPARATOR = "|||"
BUFFER = 2**23
"""Pairs of words that are held in memory before they are counted and put aside."""

_WORD_BITS = 32
_MOST = 2**53  # up to which floats hold every count


@dataclass(frozen=True, slots=True)
class Row:
    """One lexical item with its count, and the words that its texts have, with counts, in order of words."""

    item: str
    total: int
    words: Sequence[str]
    counts: Sequence[int]


@dataclass(frozen=True, eq=False)
class Cooccurrence:
    """Counts of a training corpus as arrays; made of rows (`count_rows`) or by `read_counts`.

    Word ``w`` of the vocabulary is a lexical item where ``totals[w] > 0``; the words of its texts are
    ``columns[rows[w]:rows[w + 1]]``, sorted, with ``counts`` beside them.
    """

    vocabulary: dict[str, int]
    totals: NDArray[np.int64]
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    counts: NDArray[np.float64]

    @classmethod
    def of(cls, listed: Iterable[Row]) -> Cooccurrence:
        """Build the arrays of rows; an item may come once."""
        vocabulary: dict[str, int] = {}
        found: dict[int, tuple[int, NDArray[np.int64], NDArray[np.float64]]] = {}
        for row in listed:
            item = vocabulary.setdefault(row.item, len(vocabulary))
            words = [vocabulary.setdefault(word, len(vocabulary)) for word in row.words]
            columns, counts = np.array(words, np.int64), np.array(row.counts, np.float64)
            order = np.argsort(columns, kind="stable")
            found[item] = row.total, columns[order], counts[order]
        none = 0, np.empty(0, np.int64), np.empty(0, np.float64)
        ordered = [found.get(item, none) for item in range(len(vocabulary))]
        return cls(
            vocabulary,
            np.array([total for total, *_ in ordered], np.int64),
            offsets_of([len(columns) for _, columns, _ in ordered]),
            np.concatenate([none[1], *(columns for _, columns, _ in ordered)]),
            np.concatenate([none[2], *(counts for *_, counts in ordered)]),
        )

    @cached_property
    def digest(self) -> str:
        """Ten hexadecimal digits that tell these counts from others, whatever file they came from."""
        names = (hashlib.blake2b(w.encode(errors="surrogatepass"), digest_size=8) for w in self.vocabulary)
        words = np.frombuffer(b"".join(name.digest() for name in names), np.dtype("<u8")).astype(np.uint64)
        # Sums of hashes do not depend on the order in which words were numbered.
        with np.errstate(over="ignore"):
            items = _mixed(words, self.totals.astype(np.float64).view(np.uint64))
            owners = np.repeat(words, np.diff(self.rows))
            pairs = _mixed(_mixed(owners, words[self.columns]), self.counts.view(np.uint64))
            sums = int(items[self.totals > 0].sum()), int(pairs.sum())
        return hashlib.sha256(repr(sums).encode()).hexdigest()[:10]

    def weights(
        self, sequences: Sequences, source: NDArray[np.bool_], strings: Sequence[str], *, threads: int = 1
    ) -> NDArray[np.float64]:
        """Probability of each token, given the source sequences of its group; 1 for a token of theirs.

        ``strings`` are the texts of the sequences.
        """
        get = self.vocabulary.get
        words = np.array([get(token, -1) for string in strings for token in string.split()], np.int64)
        table = self.totals, self.rows, self.columns, self.counts
        return largest_shares(sequences, source, words, table, threads=threads)


def count_rows(
    pairs: Iterable[Pair],
    *,
    min_count: int = 1,
    buffer: int = BUFFER,
    tokenize: Callable[[str], str] | None = None,
) -> Iterator[Row]:
    """Count a training corpus of any size.

    Memory holds the vocabulary and ``buffer`` pairs of words; what is more is counted and put aside in a
    temporary file.

    Parameters
    ----------
    pairs
        Tables, each with one text; texts are lower-cased and split at white space.
    min_count
        Leave out words that an item has less often: most pairs occur once, and say little.
    buffer
        How many pairs of words are held in memory.
    tokenize
        Puts spaces between tokens of lower-cased strings, if white space alone does not separate them.

    Yields
    ------
    Items in order of first occurrence.

    Examples
    --------
    >>> [row] = count_rows([([("job", "")], "she plays"), ([("job", "")], "he plays , plays")], min_count=2)
    >>> row
    Row(item='job', total=2, words=['plays'], counts=[2])
    """
    if min_count < 1 or buffer < 1:
        raise UsageError("the smallest count and the buffer must be at least 1")
    vocabulary: dict[str, int] = {}
    totals: Counter[int] = Counter()
    with temporary_database() as database:
        pair_counts = _PairCounts(database, buffer)
        for table, text in pairs:
            items = [vocabulary.setdefault(item, len(vocabulary)) for item in lexical_items(table, tokenize)]
            words = dict.fromkeys(_split(text, tokenize))
            totals.update(items)
            pair_counts.add(items, [vocabulary.setdefault(word, len(vocabulary)) for word in words])
        names = list(vocabulary)
        for item, columns, counts in pair_counts.merged(sorted(totals)):
            kept = counts >= min_count
            frequent = [names[column] for column in columns[kept].tolist()]
            yield Row(names[item], totals[item], frequent, counts[kept].tolist())


def lexical_items(table: Sequence[Sequence[str]], tokenize: Callable[[str], str] | None = None) -> list[str]:
    """Return the distinct lexical items of a table, lower-cased.

    Examples
    --------
    >>> lexical_items([("Birth Place", "New York"), ("Ann Lee", "isFrom", "York")])
    ['birth_place', 'new', 'york', 'isfrom', 'ann', 'lee']
    """
    found: dict[str, None] = {}
    for entry in table:
        if len(entry) not in (2, 3):
            raise DataError(f"an entry of a table has two or three parts, found {entry!r}")
        name = "_".join(_split(entry[0] if len(entry) == 2 else entry[1], tokenize))
        values = entry[1] if len(entry) == 2 else f"{entry[0]} {entry[2]}"
        found.update(dict.fromkeys([name] if name else []))
        found.update(dict.fromkeys(_split(values, tokenize)))
    return list(found)


def read_counts(path: str | PathLike[str]) -> Cooccurrence:
    """Read counts from a file, ours or the JSON of the public original.

    Raises
    ------
    DataError
        The file holds something else; the message names the line.
    """
    file = Path(path)
    with opened(file) as handle:
        head = handle.read(256).lstrip(b"\xef\xbb\xbf \t\r\n")
    return Cooccurrence.of(_json_rows(file) if head.startswith(b"{") else _rows(file))


def count_lines(rows: Iterable[Row]) -> Iterator[str]:
    """The lines of our own file."""
    yield HEADER + "\n"
    for row in rows:
        words = " ".join(f"{word} {count}" for word, count in zip(row.words, row.counts, strict=True))
        yield f"{row.item}\t{row.total}\t{words}\n"


def json_pieces(rows: Iterable[Row]) -> Iterator[str]:
    """The pieces of a JSON object with keys ``v`` and ``v|||g``, as the public original reads it."""
    before = "{\n"
    for row in rows:
        pairs = [f"{json.dumps(row.item)}: {row.total}"]
        pairs += [
            f"{json.dumps(row.item + SEPARATOR + word)}: {count}"
            for word, count in zip(row.words, row.counts, strict=True)
        ]
        yield before + ",\n".join(pairs)
        before = ",\n"
    yield "\n}\n" if before != "{\n" else "{}\n"


class _PairCounts:
    """Counts of pairs of words: new pairs in memory, counted ones in a temporary file of SQLite's.

    A row of the file has an item and each of its words with a count, in one portion of the corpus.
    """

    def __init__(self, database: sqlite3.Connection, buffer: int):
        database.execute("CREATE TABLE portions (item INTEGER, counts BLOB)")
        self._database = database
        self._buffer = buffer
        self._pieces: list[NDArray[np.int64]] = []
        self._size = 0

    def add(self, items: list[int], words: list[int]) -> None:
        """Count every pair of an item and a word once."""
        keys = (np.array(items, np.int64)[:, None] << _WORD_BITS) + np.array(words, np.int64)[None, :]
        self._pieces.append(keys.ravel())
        self._size += keys.size
        if self._size >= self._buffer:
            self._put_aside()

    def merged(self, items: Iterable[int]) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.int64]]]:
        """Yield each item with its words, in order, and their counts."""
        if self._size:
            self._put_aside()
        self._database.execute("CREATE INDEX by_item ON portions (item)")
        for item in items:
            rows = self._database.execute("SELECT counts FROM portions WHERE item = ?", (item,)).fetchall()
            words, counts = np.frombuffer(b"".join(row[0] for row in rows), np.int64).reshape(-1, 2).T
            if len(rows) > 1:
                words, places = np.unique(words, return_inverse=True)
                counts = np.bincount(places, counts).astype(np.int64)
            yield item, words, counts

    def _put_aside(self) -> None:
        keys, counts = np.unique(np.concatenate(self._pieces), return_counts=True)
        self._pieces, self._size = [], 0
        items = keys >> _WORD_BITS
        counted = np.stack((keys & (2**_WORD_BITS - 1), counts), axis=1)
        starts = np.flatnonzero(np.diff(items, prepend=-1))
        self._database.executemany(
            "INSERT INTO portions VALUES (?, ?)",
            zip(items[starts].tolist(), np.split(counted, starts[1:]), strict=True),
        )


def _mixed(a: NDArray[np.uint64], b: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return a hash of two numbers that tells their order."""
    mixed: NDArray[np.uint64] = (a ^ (b >> np.uint64(31))) * np.uint64(0x9E3779B97F4A7C15) + b * np.uint64(
        0xBF58476D1CE4E5B9
    )
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(32)
    return mixed


def _split(text: str, tokenize: Callable[[str], str] | None) -> list[str]:
    lowered = text.lower()
    return (lowered if tokenize is None else tokenize(lowered)).split()


def _rows(path: Path) -> Iterator[Row]:
    seen: set[str] = set()
    for line, text in iter_lines(path):
        if line == 1:
            if text != HEADER:
                problem = "these are not co-occurrence counts: make them with esascore parent cooccurrence"
                raise DataError(problem, file=path, line=1)
            continue
        parts = text.split("\t")
        words = parts[2].split(" ") if len(parts) == 3 and parts[2] else []
        numbers = [*parts[1:2], *words[1::2]]
        if len(parts) != 3 or len(words) % 2 or not all(map(_is_count, numbers)) or parts[0] in seen:
            problem = (
                "a line is an item that comes once, a tab, its count, a tab, and words with their counts"
            )
            raise DataError(problem, file=path, line=line)
        seen.add(parts[0])
        yield Row(parts[0], int(parts[1]), words[::2], [int(count) for count in words[1::2]])


def _json_rows(path: Path) -> Iterator[Row]:
    with opened(path) as handle:
        raw = handle.read()
    try:
        found: dict[str, Any] = load_json(raw.decode("utf-8-sig"))
    except ValueError as error:
        raise DataError(f"not JSON ({error}): one object of counts is needed", file=path) from None
    totals: dict[str, Any] = {}
    words: dict[str, dict[str, Any]] = {}
    for key, count in found.items():
        if isinstance(count, bool) or not isinstance(count, int | float) or not 0 <= count <= _MOST:
            raise DataError(f"the count of {shown(key)} is not a number from 0 to 2**53", file=path)
        if SEPARATOR not in key:
            totals[key] = count
    for key, count in found.items():
        # A bar at the end of an item or the start of a word leaves several places to split: all are taken,
        # as looking up the joined key would.
        at = key.find(SEPARATOR)
        while at >= 0:
            if key[:at] in totals:
                words.setdefault(key[:at], {})[key[at + len(SEPARATOR) :]] = count
            at = key.find(SEPARATOR, at + 1)
    for item, total in totals.items():
        if total:
            listed = words.get(item, {})
            yield Row(item, total, list(listed), list(listed.values()))


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < len(str(_MOST))
