"""Files cut into units of work: some 50,000 rows of one file each, in the same way whenever that is done.

A unit of JSON lines is a range of bytes: the lines that begin there. A unit of Parquet is a row group, or a
range of the rows of a large one. What a unit holds is identified by the hash of its content.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import Any

from esascore.errors import DataError
from esascore.readers.csv import column_name
from esascore.readers.fields import INPUT_FIELDS, RESERVED_FIELDS
from esascore.readers.limits import MAX_LINE_BYTES
from esascore.readers.lines import without_mark
from esascore.readers.parquet import columns_of_examples, plain_rows
from esascore.shards.inputs import InputFile, Kind
from esascore.shards.storage import arrow, opened

TEXTS = 50_000
"""Rows of a unit, about."""

MOST_BYTES = 1 << 26
"""Bytes of a unit, about: large inputs make units of fewer rows."""

_HEAD = 1 << 22
_ROWS_AT_ONCE = 1024
_READ_AHEAD = 1 << 16


@dataclass(frozen=True, slots=True)
class Unit:
    """A part of a file: bytes of JSON lines, or rows of a row group, from ``start`` to ``end``."""

    file: str
    kind: Kind
    group: int
    start: int
    end: int

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

    def as_dict(self) -> dict[str, Any]:
        """The unit as plain data."""
        return asdict(self)


def cut(file: InputFile, texts: int = TEXTS) -> list[Unit]:
    """Cut a file into units of about so many rows.

    Raises
    ------
    DataError
        A file with the marks of Parquet cannot be read as such.
    """
    if file.kind == "parquet":
        return list(_cut_parquet(file.path, texts))
    with opened(file.path) as opened_:
        head = bytes(opened_.read(_HEAD))
    lines = head.count(b"\n") or 1
    step = max(1, min(MOST_BYTES, texts * (len(head) // lines)))
    return [
        Unit(file.path, "jsonl", 0, start, min(start + step, file.size))
        for start in range(0, file.size, step)
    ]


def _cut_parquet(path: str, texts: int) -> Iterator[Unit]:
    with opened(path) as file:
        metadata = _parquet(file, path).metadata
        for group in range(metadata.num_row_groups):
            own = metadata.row_group(group)
            if own.num_rows:
                step = max(1, min(texts, MOST_BYTES * own.num_rows // max(own.total_byte_size, 1)))
                if own.num_rows <= step + step // 2:  # a small rest is no unit of its own
                    step = own.num_rows
                for start in range(0, own.num_rows, step):
                    yield Unit(path, "parquet", group, start, min(start + step, own.num_rows))


def _parquet(file: Any, path: str) -> Any:
    pyarrow = arrow()
    try:
        return arrow("pyarrow.parquet").ParquetFile(file)
    except (pyarrow.ArrowException, OSError) as error:
        raise DataError(f"this is no whole Parquet file: {_line(error)}", file=path) from None


@dataclass(frozen=True, slots=True)
class Content:
    """What a unit holds: its ``fingerprint``, and lines or record batches."""

    fingerprint: str
    parts: Any

    def lines(self) -> Iterator[bytes]:
        """The lines of a unit of JSON lines."""
        return iter(io.BytesIO(self.parts))

    def rows(self) -> Iterator[dict[str, Any] | ValueError]:
        """The rows of a unit of Parquet, or what is wrong with one."""
        for batch in self.parts:
            yield from plain_rows(batch)

    @property
    def length(self) -> int:
        """How many rows there are, empty lines included."""
        if isinstance(self.parts, bytes):
            return self.parts.count(b"\n") + (not self.parts.endswith(b"\n") and bool(self.parts))
        return sum(batch.num_rows for batch in self.parts)

    def may_be_data(self) -> bool:
        """Whether any row may have typed data, not triples or records; cheap, and never wrong about no."""
        if isinstance(self.parts, bytes):
            # A key could be written with escapes.
            return b'"data"' in self.parts or b"\\u00" in self.parts
        for batch in self.parts:
            given = [name for name in INPUT_FIELDS if name in batch.schema.names]
            if not given or ("data" in given and batch.column("data").null_count < batch.num_rows):
                return True
        return False


def content_of(unit: Unit) -> Content:
    """Read what a unit holds.

    Raises
    ------
    DataError
        It cannot be read.
    """
    with opened(unit.file) as file:
        if unit.kind == "jsonl":
            raw = _lines_between(file, unit)
            return Content(blake2b(raw, digest_size=16).hexdigest(), raw)
        batches = list(_batches(_parquet(file, unit.file), unit))
    digest = blake2b(digest_size=16)
    for batch in batches:
        digest.update(batch.schema.serialize())
        digest.update(batch.serialize())
    return Content(digest.hexdigest(), batches)


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
    if not raw or raw.endswith(b"\n"):
        return raw
    rest = [raw]
    read = len(raw)
    while more := bytes(file.read(_READ_AHEAD)):
        line, end, _ = more.partition(b"\n")
        rest += [line, end]
        read += len(line)
        if end:
            break
        if read > MAX_LINE_BYTES + len(raw):
            raise DataError(
                f"a line has more than {MAX_LINE_BYTES // 2**20} MiB: one row per line is needed",
                file=unit.file,
            )
    return b"".join(rest)


def _batches(parquet: Any, unit: Unit) -> Iterator[Any]:
    """Yield the record batches of a unit, with the columns that mean something."""
    pyarrow = arrow()
    try:
        wanted = columns_of_examples(parquet.schema_arrow.names)
    except ValueError as error:
        raise DataError(str(error), file=unit.file) from None
    known = {*RESERVED_FIELDS, *INPUT_FIELDS}
    renamed = [column_name(name) if column_name(name) in known else name for name in wanted]
    place = 0
    try:
        for batch in parquet.iter_batches(_ROWS_AT_ONCE, row_groups=[unit.group], columns=wanted):
            first, last = max(unit.start - place, 0), min(unit.end - place, batch.num_rows)
            place += batch.num_rows
            if first < last:
                yield batch.slice(first, last - first).rename_columns(renamed)
            if place >= unit.end:
                return
    except (pyarrow.ArrowException, OSError) as error:
        raise DataError(f"the Parquet file is damaged: {_line(error)}", file=unit.file) from None


def _line(error: Exception) -> str:
    return str(error).partition("\n")[0]
