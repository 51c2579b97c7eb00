"""The result of a unit: a Parquet file with a row for each text, and a footer with exact totals."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from esascore.explain.hallucinations import Hallucination
from esascore.metrics.base import Statistics
from esascore.shards.storage import Folder, arrow, located
from esascore.shards.units import Unit

UNITS = "units"
"""The folder of results, in that of a run."""

FOOTER = b"esascore"
"""The key of the footer among the metadata of a file."""

_FLAGGED = ("start", "end", "text", "type", "class", "entity", "nearest", "confidence", "expected", "reason")


@dataclass(frozen=True, slots=True)
class Summary:
    """What the footer of a result says.

    Attributes
    ----------
    unit
        Which part of which file it is of.
    key, fingerprint
        What scores depend on (`esascore.shards.settings.Settings.key`), and the hash of the rows.
    signatures
        Of each metric.
    rows, malformed
        How many rows there are, and how many of them could not be scored.
    lines
        How many rows the file has here, empty lines too: the numbers of the next unit go on from there.
    problems
        The first malformed rows: number and reason.
    totals
        The exact sums of each system (`esascore.reports.summary.Sums.as_dict`).
    keys
        Hashes of systems with ids, those that are smallest: a hash in two units is a row that is there twice.
    unfit
        The patterns of attributes that fit none here.
    learned
        What the corpus taught (`esascore.shards.first_pass.Learned.digest`).
    seconds
        How long it took.
    """

    unit: Mapping[str, Any]
    key: str
    fingerprint: str
    signatures: Mapping[str, str]
    rows: int
    malformed: int
    lines: int
    problems: Sequence[Sequence[Any]] = ()
    totals: Mapping[str, Any] = field(default_factory=dict)
    keys: Sequence[int] = ()
    unfit: Sequence[str] = ()
    learned: str = ""
    seconds: float = 0.0

    def to_json(self) -> str:
        """The summary as JSON."""
        return json.dumps({name: getattr(self, name) for name in self.__slots__}, ensure_ascii=True)

    @classmethod
    def from_json(cls, text: str | bytes) -> Summary:
        """Read what `to_json` gave."""
        return cls(**json.loads(text))


@dataclass(frozen=True, slots=True)
class Columns:
    """What is written of the rows of a unit, column by column; all have the same length.

    A malformed row has an error, and no scores.
    """

    ids: Sequence[str | None]
    systems: Sequence[str | None]
    numbers: Sequence[int]
    scores: Mapping[str, Sequence[float | None]]
    statistics: Mapping[str, Statistics | None]
    missing: Sequence[Sequence[str] | None] | None
    flagged: Sequence[Sequence[Hallucination] | None] | None
    errors: Sequence[str | None]


def name_of(unit: Unit) -> str:
    """Return the name of the result of a unit, in the folder of its run."""
    return f"{UNITS}/{unit.name}.parquet"


def write_result(
    folder: Folder, unit: Unit, columns: Columns, scored: Sequence[int], summary: Summary
) -> None:
    """Write the result of a unit; ``scored`` are the places of rows with statistics."""
    parquet = arrow("pyarrow.parquet")
    table = table_of(columns, scored).replace_schema_metadata({FOOTER: summary.to_json()})
    sink = arrow().BufferOutputStream()
    parquet.write_table(table, sink, compression="zstd")
    folder.write(name_of(unit), sink.getvalue())


def table_of(columns: Columns, scored: Sequence[int]) -> Any:
    """Return the rows of a unit as a table of Arrow."""
    pa = arrow()
    text, number = pa.string(), pa.float64()
    made: dict[str, Any] = {
        "id": pa.array(columns.ids, text),
        "system": pa.array(columns.systems, text),
        "row": pa.array(columns.numbers, pa.int64()),
    }
    made |= {name: pa.array(values, number) for name, values in columns.scores.items()}
    kept = {name: rows for name, rows in columns.statistics.items() if rows is not None}
    if kept:
        parts = [_lists(rows, scored, len(columns.ids)) for rows in kept.values()]
        made["statistics"] = pa.StructArray.from_arrays(parts, list(kept))
    if columns.missing is not None:
        made["missing"] = pa.array(columns.missing, pa.list_(text))
    if columns.flagged is not None:
        spans = [None if some is None else [one.as_dict() for one in some] for some in columns.flagged]
        made["flagged"] = pa.array(spans, flagged_type())
    made["error"] = pa.array(columns.errors, text)
    return pa.table(made)


def flagged_type() -> Any:
    """Return Arrow's type for the spans that `esascore.metrics.hallucination` flags in a text."""
    pa = arrow()
    kinds = {"start": pa.int64(), "end": pa.int64(), "confidence": pa.float64()}
    return pa.list_(pa.struct([(name, kinds.get(name, pa.string())) for name in _FLAGGED]))


def _lists(rows: Statistics, scored: Sequence[int], length: int) -> Any:
    """Return statistics as lists of fixed length, with nothing where a row has none."""
    pa = arrow()
    width = rows.shape[1]
    whole = np.zeros((length, width), rows.dtype)
    whole[list(scored)] = rows
    absent = np.ones(length, bool)
    absent[list(scored)] = False
    return pa.FixedSizeListArray.from_arrays(pa.array(whole.ravel()), width, mask=pa.array(absent))


def summary_at(folder: Folder, name: str) -> Summary | None:
    """Read the footer of a result; None if there is no such file, or not a whole one."""
    pa = arrow()
    system, path = located(folder.at(name))
    try:
        with system.open_input_file(path) as file:
            metadata = arrow("pyarrow.parquet").read_metadata(file).metadata or {}
        return Summary.from_json(metadata[FOOTER])
    except FileNotFoundError:
        return None
    except (pa.ArrowException, OSError, KeyError, ValueError, TypeError):
        return None
