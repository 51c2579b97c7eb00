"""Files, folders, patterns and URLs, and their files cut into units: some 5,000 rows of one file each.

A unit of JSON lines is a range of bytes: the lines that begin there. A unit of Parquet is a row group, or a
range of the rows of a large one. Files are always cut in the same way, and what a unit holds is identified by
the hash of its content.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from hashlib import blake2b
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from esascore.errors import DataError, UsageError
from esascore.readers.csv import column_name
from esascore.readers.fields import INPUT_FIELDS, RESERVED_FIELDS
from esascore.readers.jsonl import WANTED, object_of
from esascore.readers.lines import decoded, without_mark
from esascore.readers.located import MAX_LINE_BYTES, Place
from esascore.readers.parquet import columns_of_examples, plain_rows
from esascore.readers.tree import natural_key
from esascore.run.storage import absolute, arrow, is_url, located, opened

ROWS = 5_000
"""Rows of a unit, about."""

MOST_BYTES = 1 << 26
"""Bytes of a unit, about: large inputs make units of fewer rows."""

_PARQUET = b"PAR1"
_HEAD = 1 << 22
_UNITS_OF_GROUP = 16
_ROWS_AT_ONCE = 1024
_READ_AHEAD = 1 << 16


@dataclass(frozen=True, slots=True)
class Unit:
    """A part of a file: bytes of JSON lines, or rows of a row group, from ``start`` to ``end``.

    It has about so many ``rows``.
    """

    file: str
    kind: Literal["jsonl", "parquet"]
    group: int
    start: int
    end: int
    rows: int = 0

    @property
    def name(self) -> str:
        """What its result is called; the same in every run.

        Examples
        --------
        >>> Unit("/data/part one.jsonl", "jsonl", 0, 0, 1000).name
        'part_one-c10df8dcdf-0-0'
        """
        stem = re.sub(r"[^A-Za-z0-9._-]", "_", PurePosixPath(self.file).stem)[:40]
        digest = blake2b(self.file.encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()
        return f"{stem}-{digest}-{self.group}-{self.start}"


def cut(path: str, size: int, rows: int = ROWS) -> list[Unit]:
    """Cut a file of so many bytes into units of about so many rows.

    Raises
    ------
    DataError
        It holds neither JSON lines nor Parquet, or cannot be read.
    """
    with opened(path) as file:
        head = bytes(file.read(_READ_AHEAD))
        if head.startswith(_PARQUET):
            return list(_cut_parquet(path, rows))
        if head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"{", b"") and not path.lower().endswith(".jsonl"):
            raise DataError(
                "with --out every argument holds rows, the text with its input: JSON lines (one object per "
                "line) or Parquet, and this is neither; without --out it may be another format, or texts",
                file=path,
            )
        head += bytes(file.read(_HEAD))
    lines = head.count(b"\n") or 1
    step = max(1, min(MOST_BYTES, rows * (len(head) // lines)))
    ends = ((start, min(start + step, size)) for start in range(0, size, step))
    return [Unit(path, "jsonl", 0, start, end, (end - start) * lines // len(head)) for start, end in ends]


def _cut_parquet(path: str, rows: int) -> Iterator[Unit]:
    with _parquet(path) as file:
        metadata = file.metadata
        for group in range(metadata.num_row_groups):
            own = metadata.row_group(group)
            if own.num_rows:
                most = MOST_BYTES * own.num_rows // max(own.total_byte_size, 1)
                # Each unit reads its row group from the beginning.
                step = max(1, min(most, max(rows, own.num_rows // _UNITS_OF_GROUP)))
                if own.num_rows <= step + step // 2:  # a small rest is no unit of its own
                    step = own.num_rows
                for start in range(0, own.num_rows, step):
                    end = min(start + step, own.num_rows)
                    yield Unit(path, "parquet", group, start, end, end - start)


@contextmanager
def _parquet(path: str) -> Iterator[Any]:
    with opened(path) as file:
        try:
            yield arrow("pyarrow.parquet").ParquetFile(file)
        except (arrow().ArrowException, OSError) as error:
            reason = str(error).partition("\n")[0]
            raise DataError(f"this is no whole Parquet file: {reason}", file=path) from None


_HAS_INPUT = re.compile(rb'"(?:triples|records|table)"').search


@dataclass(frozen=True, slots=True)
class Content:
    """What a unit holds: its ``fingerprint``, and lines or record batches."""

    file: str
    fingerprint: str
    parts: Any

    @property
    def has_cells(self) -> bool:
        """Whether rows are those of a table."""
        return not isinstance(self.parts, bytes)

    def fields(self) -> Iterator[tuple[int, dict[str, Any] | Exception]]:
        """The fields of each row with its number, or what is wrong with it; empty lines are none."""
        if self.has_cells:
            yield from enumerate(chain.from_iterable(map(plain_rows, self.parts)), 1)
            return
        for number, raw in enumerate(io.BytesIO(self.parts), 1):
            if raw.strip():
                yield number, _fields_of_line(raw, Place(self.file, number))

    @property
    def lines(self) -> int:
        """How many rows there are, empty lines included."""
        if self.has_cells:
            return sum(batch.num_rows for batch in self.parts)
        whole: int = self.parts.count(b"\n")
        return whole + (not self.parts.endswith(b"\n") and bool(self.parts))

    def may_be_data(self) -> bool:
        """Whether any row may have typed data, not triples or records; cheap, and never wrong about no."""
        if not self.has_cells:
            # A key could be written with escapes; a row without any other input is data itself.
            if b'"data"' in self.parts or b"\\u00" in self.parts:
                return True
            return any(line.strip() and not _HAS_INPUT(line) for line in self.parts.split(b"\n"))
        names = {name for batch in self.parts[:1] for name in batch.schema.names}
        return "data" in names or not names.intersection(INPUT_FIELDS)


def content_of(unit: Unit) -> Content:
    """Read what a unit holds.

    Raises
    ------
    DataError
        It cannot be read.
    """
    if unit.kind == "jsonl":
        with opened(unit.file) as file:
            raw = _lines_between(file, unit)
        return Content(unit.file, blake2b(raw, digest_size=16).hexdigest(), raw)
    with _parquet(unit.file) as file:
        batches = list(_batches(file, unit))
    digest = blake2b(digest_size=16)
    for batch in batches:
        digest.update(batch.schema.serialize())
        digest.update(batch.serialize())
    return Content(unit.file, digest.hexdigest(), batches)


def _fields_of_line(raw: bytes, place: Place) -> dict[str, Any] | DataError:
    try:
        return object_of(decoded(raw, Path(place.file), place.line), place, WANTED)
    except DataError as error:
        return error


def _lines_between(file: Any, unit: Unit) -> bytes:
    """Return the lines that begin between two places."""
    # A line begins there if the byte before ends one.
    before = max(unit.start - 1, 0)
    file.seek(before)
    raw = bytes(file.read(unit.end - before))
    if unit.start:
        first = raw.find(b"\n") + 1
        if not first:
            return b""
        raw = raw[first:]
    elif raw:
        raw = without_mark(raw, Path(unit.file))
    lines, most = bytearray(raw), len(raw) + MAX_LINE_BYTES
    while lines and not lines.endswith(b"\n") and (more := bytes(file.read(_READ_AHEAD))):
        lines += b"".join(more.partition(b"\n")[:2])
        if len(lines) > most:
            told = f"a line has more than {MAX_LINE_BYTES // 2**20} MiB: one row per line is needed"
            raise DataError(told, file=unit.file)
    return bytes(lines)


def _batches(parquet: Any, unit: Unit) -> Iterator[Any]:
    """Yield the record batches of a unit, with the columns that mean something."""
    try:
        wanted = columns_of_examples(parquet.schema_arrow.names)
    except ValueError as error:
        raise DataError(str(error), file=unit.file) from None
    known = {*RESERVED_FIELDS, *INPUT_FIELDS}
    renamed = [column_name(name) if column_name(name) in known else name for name in wanted]
    place = 0
    for batch in parquet.iter_batches(_ROWS_AT_ONCE, row_groups=[unit.group], columns=wanted):
        first, last = max(unit.start - place, 0), min(unit.end - place, batch.num_rows)
        place += batch.num_rows
        if first < last:
            yield batch.slice(first, last - first).rename_columns(renamed)
        if place >= unit.end:
            return


SUFFIXES = (".jsonl", ".ndjson", ".parquet", ".pq")
"""Suffixes of files that are read from a folder."""

_WILD = re.compile(r"[*?\[]")


def find_files(arguments: Iterable[str], *, leave_out: str = "") -> dict[str, int]:
    """Return the files that arguments name, in order, each with its size.

    Parameters
    ----------
    arguments
        Files, folders (all files below that are named like JSON lines or Parquet), patterns with ``*``, or
        URLs of any of them.
    leave_out
        A folder of results, which may be below one of inputs.

    Raises
    ------
    DataError
        There is no such file, or nothing in a folder.
    UsageError
        A file is named twice.
    """
    found: dict[str, int] = {}
    beside = f"{absolute(leave_out).rstrip('/')}/" if leave_out else "\0"
    for argument in arguments:
        all_ = _listed(argument)
        # A file that is named is an input, wherever it is.
        listed = [one for one in all_ if not one[0].startswith(beside) or one[0] == absolute(argument)]
        if not listed:
            where = "here except in the folder of --out, which is left out" if all_ else "here"
            told = f"there is no file of rows {where}: {', '.join(SUFFIXES)} are read"
            raise DataError(told, file=argument)
        for path, info in listed:
            if path in found:
                raise UsageError(f"{path} is given twice: its rows would count twice")
            found[path] = info.size
    return found


def _listed(argument: str) -> list[tuple[str, Any]]:
    """Return the files of an argument, and what is known of each."""
    if argument == "-":
        raise UsageError("with --out nothing is read from standard input: give files, folders or URLs")
    fs = arrow("pyarrow.fs")
    system, own = located(argument)
    try:
        info = system.get_file_info(own)
    except OSError as error:
        raise DataError(f"this cannot be read: {error}", file=argument) from None
    if info.is_file:
        return [(absolute(argument), info)]
    base, pattern = own, ""
    if info.type == fs.FileType.NotFound:
        if (wild := _WILD.search(own)) is None:
            named = "with --out systems are named by the field system of their rows, not by NAME="
            remedy = named if "=" in argument else "check the path"
            raise DataError(f"there is no such file or folder: {remedy}", file=argument)
        base, pattern = own[: wild.start()].rpartition("/")[0] or "/", own
    try:
        infos = system.get_file_info(fs.FileSelector(base, recursive=True, allow_not_found=True))
    except OSError as error:
        raise DataError(f"the folder cannot be read: {error}", file=argument) from None
    files = [(one.path, one) for one in infos if one.is_file and _fits(one.path, base, pattern)]
    files.sort(key=lambda pair: natural_key(Path(pair[0])))
    # What a file system calls a file has no scheme, and may have no leading slash.
    scheme = argument[: len(argument) - len(own)] if is_url(argument) and argument.endswith(own) else ""
    if is_url(argument) and not scheme:
        scheme = f"{argument.partition('://')[0]}://"
    return [(f"{scheme}{path}", one) for path, one in files]


def _fits(path: str, base: str, pattern: str) -> bool:
    if pattern:
        return fnmatchcase(path, pattern) and path.count("/") >= pattern.count("/")
    below = PurePosixPath(path[len(base) :].lstrip("/"))
    hidden = any(part.startswith((".", "_")) for part in below.parts)
    return not hidden and path.lower().endswith(SUFFIXES)
