"""Parquet files: one example per row, with the columns that JSON lines have as fields.

Columns can be nested (lists, structs, maps). Columns of strings can hold what the cells of a CSV file do:
triples between line breaks, or ``data`` as JSON. Without ``triples``, ``records`` or ``data`` every column
that is not reserved is an attribute. A row group need not fit into memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any

from esascore.errors import DataError, import_extra
from esascore.readers.csv import column_name, is_reserved
from esascore.readers.fields import INPUT_FIELDS
from esascore.readers.lines import opened
from esascore.readers.located import Located, Place, shown
from esascore.readers.rows import example_of_plain_row, plain_value

SUFFIXES = (".parquet", ".pq")
_MARK, _ENCRYPTED = b"PAR1", b"PARE"
_PRINTED = frozenset(b"\t\n\r") | frozenset(range(0x20, 0x100))
_STRINGS = frozenset(("string", "large_string", "string_view"))
_ROWS_AT_ONCE = 512
_BUFFER = 1 << 20


def is_parquet_file(path: Path) -> bool:
    """Return whether a file is in Parquet, as `is_parquet` does."""
    with opened(path) as file:
        return is_parquet(file.read(8), path.suffix.lower())


def is_named_parquet(path: str | PathLike[str]) -> bool:
    """Return whether the name of a file says that it is in Parquet.

    Examples
    --------
    >>> is_named_parquet("runs/a.Parquet"), is_named_parquet("a.jsonl")
    (True, False)
    """
    return Path(path).suffix.lower() in SUFFIXES


def is_parquet(head: bytes, suffix: str) -> bool:
    r"""Return whether a file is in Parquet, judged by its first bytes.

    A text can begin with the same letters, but not with what follows them, unless the file is cut there.

    Examples
    --------
    >>> is_parquet(b"PAR1\x15\x04", ".bin"), is_parquet(b"PAR1", ".parquet"), is_parquet(b"PAR1 is", ".txt")
    (True, True, False)
    """
    if head[:4] not in (_MARK, _ENCRYPTED):
        return False
    return suffix in SUFFIXES or (len(head) > 4 and head[4] not in _PRINTED)


def read(path: Path) -> Iterator[Located]:
    """Read one example per row."""
    for number, (place, fields) in enumerate(iter_rows(path, columns_of_examples), start=1):
        yield Located(example_of_plain_row(fields, number, place), place)


def iter_rows(
    path: Path, columns: Callable[[list[str]], list[str]] = list
) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Yield each row as a JSON line would have it, with its place; rows count from 1.

    Parameters
    ----------
    path
        The file.
    columns
        Chooses among the names of its columns; it can raise a `ValueError` that says what is missing.

    Raises
    ------
    DataError
        The file is not whole or is encrypted, or a row holds what JSON cannot.
    MissingExtraError
        pyarrow is not installed.
    """
    number = 0
    with _parquet(path) as file:
        names = file.schema_arrow.names
        try:
            twice = next((name for name, times in Counter(names).items() if times > 1), None)
            if twice is not None:
                raise ValueError(f"two columns are called {shown(twice)}: rename one")
            chosen = columns(names)
        except ValueError as error:
            raise DataError(str(error), file=path) from None
        # Arrow takes a dot in the name of a chosen column for the way to a field of a struct.
        some = None if chosen == names else chosen
        for batch in file.iter_batches(_ROWS_AT_ONCE, columns=some):
            for row in plain_rows(batch):
                number += 1
                place = Place(path, number)
                if isinstance(row, ValueError):
                    place.fail(str(row))
                yield place, row


def columns_of_examples(names: list[str]) -> list[str]:
    """Choose what belongs to examples; in a wide table that is everything."""
    known = {name: column_name(name) for name in names}
    fields = [name for name in names if known[name] in INPUT_FIELDS or is_reserved(known[name])]
    if any(known[name] in INPUT_FIELDS for name in names):
        return fields
    if len(fields) == len(names):
        raise ValueError(
            f"no column {', '.join(INPUT_FIELDS)} or of an attribute: "
            f"the columns are {shown(', '.join(names) or 'none')}"
        )
    return names


def plain_rows(batch: Any) -> Iterator[dict[str, Any] | ValueError]:
    """Yield the rows of an Arrow record batch as JSON has them, or what is wrong with a row.

    Maps and structs are objects, dates and decimals are strings. What is null in a struct is left out,
    since a struct has all the fields that any row has; a column that is null stays.

    Examples
    --------
    >>> import pyarrow
    >>> rows = [{"id": "a", "data": {"stars": 3}}, {"id": "b", "data": {"area": "riverside"}}]
    >>> list(plain_rows(pyarrow.RecordBatch.from_pylist(rows)))
    [{'id': 'a', 'data': {'stars': 3}}, {'id': 'b', 'data': {'area': 'riverside'}}]
    """
    names = batch.schema.names
    for cells in zip(*map(_values, names, batch.columns), strict=True):
        wrong = next((cell for cell in cells if isinstance(cell, ValueError)), None)
        yield dict(zip(names, cells, strict=True)) if wrong is None else wrong


def held_size(path: Path) -> int:
    """Bytes of the rows of a file before they were compressed."""
    with _parquet(path) as file:
        metadata = file.metadata
        return sum(metadata.row_group(group).total_byte_size for group in range(metadata.num_row_groups))


@contextmanager
def _parquet(path: Path) -> Iterator[Any]:
    pyarrow = import_extra("Reading Parquet files", "pyarrow", extra="arrow")
    from pyarrow.parquet import ParquetFile

    with opened(path) as stream:
        if stream.read(4) == _ENCRYPTED:
            raise DataError("the Parquet file is encrypted: write it without encryption", file=path)
        stream.seek(0)
        try:
            with ParquetFile(stream, buffer_size=_BUFFER) as file:
                yield file
        except (pyarrow.ArrowException, OSError, MemoryError, RecursionError, UnicodeDecodeError) as error:
            told = f"the Parquet file cannot be read ({_reason(error)}): is it whole? Write or copy it again"
            raise DataError(told, file=path) from None


def _values(name: str, column: Any) -> list[Any]:
    try:
        values: list[Any] = column.to_pylist()
        return values if _is_plain(column.type) else list(map(_plain, values))
    except Exception:  # Arrow, its time zones and UTF-8 raise many kinds; which row is it?
        return [_value(name, item) for item in column]


def _value(name: str, item: Any) -> Any:
    try:
        return _plain(item.as_py())
    except Exception as error:
        return ValueError(f"the column {name} cannot be read: {_reason(error)}")


def _reason(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0]


def _is_plain(type_: Any) -> bool:
    """Return whether values of a type are what JSON has already."""
    from pyarrow import types

    if hasattr(type_, "value_type") and not types.is_map(type_):  # the kinds of lists, and dictionaries
        return _is_plain(type_.value_type)
    return types.is_integer(type_) or types.is_boolean(type_) or str(type_) in _STRINGS


def _plain(value: Any) -> Any:
    """Return a value of Arrow as JSON has it; the pairs of a map are the only tuples."""
    if isinstance(value, bytes):  # some programs do not mark their strings as such
        return value.decode("utf-8")
    if isinstance(value, dict):
        return {name: _plain(own) for name, own in value.items() if own is not None}
    if isinstance(value, list) and value and isinstance(value[0], tuple):
        if len(fields := dict(value)) != len(value):
            raise ValueError("a map has a key twice")
        return {str(name): _plain(own) for name, own in fields.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else plain_value(value)
