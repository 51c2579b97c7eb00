"""JSON lines as Parquet: the same objects in typed columns, written row group by row group."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from esascore.errors import import_extra
from esascore.readers.fields import load_json

Types = Mapping[str, Any]
"""Name of a field -> its type: that of Arrow by name, a tuple with the type of items, or fields of an object.

An object with the field `EVERY` has the fields of the first line, all of the same type.
"""

EVERY = "*"

_SPAN: Types = {"start": "int64", "end": "int64", "text": "string"}
_TRIPLE = ("string",)
_LINK: Types = {**_SPAN, "entity": "string", "confidence": "double", "type": "string"}

SEGMENTS: Types = {"system": "string", "id": "string", "scores": {EVERY: "double"}, "linker_failure": "bool"}
"""The lines of `esascore.reports.lines.segment_lines`."""

DETECTIONS: Types = {
    "id": "string",
    "text": "string",
    "entities": ("string",),
    "esa": "double",
    "undetected": ("string",),
    "missing": ({"attribute": "string", "subject": "string", "value": "string"},),
    "mentions": (
        {"entity": "string", **_SPAN, "method": "string", "distance": "double", "attribute": "string"},
    ),
    "language": "string",
    "checks_off": (("string",),),
    "links": (_LINK,),
    "linker_failure": "string",
    "facts": (
        {"fact": _TRIPLE, "verdict": "string", "probability": "double", "known": "bool", "instead": _TRIPLE},
    ),
}
"""The lines of `esascore.reports.lines.detection_lines`."""

_OF_FLAGS = ("type", "class", "entity", "nearest", "attribute", "expected", "reason")
HALLUCINATIONS: Types = {
    "system": "string",
    "id": "string",
    "text": "string",
    "hallucinations": (
        {**_SPAN, **dict.fromkeys(_OF_FLAGS, "string"), "confidence": "double", "fact": _TRIPLE},
    ),
    "language": "string",
    "linker_failure": "string",
}
"""The lines of `esascore.reports.lines.hallucination_lines`."""

_ROWS = 20_000
_CHARACTERS = 1 << 24


def require_arrow() -> None:
    """Say what is missing if Parquet cannot be written here."""
    import_extra("Writing Parquet files", "pyarrow.parquet", extra="arrow")


def parquet_pieces(lines: Iterable[str], types: Types) -> Iterator[bytes]:
    r"""Turn JSON lines into the pieces of a Parquet file.

    Examples
    --------
    >>> from pyarrow.parquet import read_table
    >>> lines = ['{"system": "a", "id": "Id1", "scores": {"esa": 0.5}}\n']
    >>> read_table(io.BytesIO(b"".join(parquet_pieces(lines, SEGMENTS)))).to_pylist()
    [{'system': 'a', 'id': 'Id1', 'scores': {'esa': 0.5}, 'linker_failure': None}]
    """
    require_arrow()
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    groups = _groups(lines)
    rows = next(groups, [])
    own = {name: _filled(type_, rows[0].get(name) if rows else None) for name, type_ in types.items()}
    schema = pyarrow.schema([(name, _arrow(type_)) for name, type_ in own.items() if type_ != {}])
    sink = _Sink()
    with ParquetWriter(sink, schema, compression="zstd") as writer:
        while rows:
            for row in rows:
                _fit(row, own)
            table = pyarrow.Table.from_pylist(rows, schema=schema)
            writer.write_table(table, row_group_size=len(rows))
            yield sink.taken()
            rows = next(groups, [])
    yield sink.taken()


class _Sink(io.BytesIO):
    """A file in memory whose content can be taken out piece by piece."""

    _before = 0

    def tell(self) -> int:
        return self._before + super().tell()

    def taken(self) -> bytes:
        taken = self.getvalue()
        self._before += len(taken)
        self.seek(0)
        self.truncate()
        return taken


def _groups(lines: Iterable[str]) -> Iterator[list[dict[str, Any]]]:
    """Rows that make a row group together."""
    rows: list[dict[str, Any]] = []
    size = 0
    for line in lines:
        # Names of files can hold what is half a character; Arrow takes none.
        rows.append(load_json(line) if "\\ud" in line else json.loads(line))
        size += len(line)
        if len(rows) >= _ROWS or size >= _CHARACTERS:
            yield rows
            rows, size = [], 0
    if rows:
        yield rows


def _filled(type_: Any, value: Any) -> Any:
    """Return a type without `EVERY`, as a first value shows what there is."""
    if isinstance(type_, Mapping) and EVERY in type_:
        return dict.fromkeys(value or (), type_[EVERY])
    return type_


def _arrow(type_: Any) -> Any:
    import pyarrow

    if isinstance(type_, Mapping):
        return pyarrow.struct([(name, _arrow(own)) for name, own in type_.items()])
    if isinstance(type_, tuple):
        return pyarrow.list_(_arrow(type_[0]))
    return pyarrow.type_for_alias(type_)


def _fit(value: Any, type_: Any) -> None:
    """Make a truth value in a column of strings one; check that every field has a column.

    Arrow would drop a field without one, and nobody would know.
    """
    if isinstance(value, dict):
        if unknown := value.keys() - type_.keys():
            raise TypeError(f"there is no column for {', '.join(sorted(unknown))}")
        for name, own in value.items():
            if isinstance(own, bool) and type_[name] == "string":
                value[name] = str(own).lower()
            _fit(own, type_[name])
    elif isinstance(value, list) and isinstance(type_[0], Mapping):
        for own in value:
            _fit(own, type_[0])
