"""The result of a unit: a Parquet file with a row for each text, and a footer with exact totals."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from esascore.data import named
from esascore.metrics.base import Statistics
from esascore.metrics.hallucination import Hallucinations
from esascore.run.rows import AnyRow, Malformed, TextRow
from esascore.run.scored import Scored
from esascore.run.scoring import Keep
from esascore.run.storage import Folder, arrow, checksum_of, located
from esascore.run.units import Unit

UNITS = "units"
"""The folder of results, in that of a run."""

FOOTER = b"esascore"
"""The key of the footer among the metadata of a file."""

_FLAGGED = (
    *("start", "end", "text", "type", "class", "entity", "nearest", "attribute", "expected", "reason"),
    "confidence",
)

Columns = dict[str, list[Any]]


@dataclass(frozen=True, slots=True)
class Footer:
    """What the footer of a file says.

    Attributes
    ----------
    unit
        Which part of which file it is of.
    key, fingerprint
        What scores depend on beside the rows, and the hash of the rows of the unit.
    signatures
        Of each metric.
    rows, malformed
        How many rows there are, and how many of them could not be scored.
    lines
        How many lines the unit has, empty ones too: the numbers of the next unit go on from there.
    problems
        The first malformed rows: number and reason.
    totals
        The exact sums of each system (`esascore.run.scored.Sums.as_dict`).
    keys
        Hashes of systems with ids (`packed`): one that is in two files is of a row that counts twice.
    unfit
        The patterns of attributes that fit none here.
    """

    unit: Mapping[str, Any]
    key: str
    fingerprint: str
    signatures: Mapping[str, str]
    rows: int
    malformed: int
    lines: int
    problems: Sequence[Sequence[Any]]
    totals: Mapping[str, Any]
    keys: str
    unfit: Sequence[str]


def name_of(unit: Unit) -> str:
    """Return the name of the file with the rows of a unit, in the folder of its run."""
    return f"{UNITS}/{unit.name}.parquet"


def footer_of(unit: Unit, folder: Folder, key: str, fingerprint: str | None = None) -> Footer | None:
    """Read the footer of a unit's file, if it has this key (and fingerprint, and no damaged row)."""
    try:
        values = json.loads(written_at(folder, name_of(unit), whole=fingerprint is not None) or b"{}")
        if values.pop("checksum") != checksum_of(values):
            return None
    except (AttributeError, KeyError, TypeError, ValueError):  # of another version, or damaged
        return None
    is_same = values["key"] == key and fingerprint in (None, values["fingerprint"])
    return Footer(**values) if is_same else None


def written_at(folder: Folder, name: str, *, whole: bool = False) -> bytes | None:
    """Read the footer of a file; None if there is none, or the file is damaged.

    Unless the ``whole`` file is to be read, damaged rows are not noticed.
    """
    system, path = located(folder.at(name))
    try:
        with system.open_input_file(path) as file:
            parquet = arrow("pyarrow.parquet").ParquetFile(file, page_checksum_verification=whole)
            if whole:
                parquet.read()
            return (parquet.metadata.metadata or {}).get(FOOTER)
    except (arrow().ArrowException, OSError, ValueError):
        return None


def packed(keys: Iterable[int]) -> str:
    """Write hashes of 64 bits as a short text.

    Examples
    --------
    >>> unpacked(packed([7, 2**63])).tolist()
    [7, 9223372036854775808]
    """
    return b64encode(np.array(list(keys), "<u8").tobytes()).decode()


def unpacked(text: str) -> NDArray[np.uint64]:
    """Read what `packed` wrote."""
    return np.frombuffer(b64decode(text), "<u8")


def write_result(folder: Folder, unit: Unit, rows: Sequence[AnyRow], scored: Scored, footer: Footer) -> None:
    """Write the rows of a unit; all but the malformed ones were scored."""
    pa = arrow()
    known = [(row.example.id, row.system) if isinstance(row, TextRow) else (None, None) for row in rows]
    made = {
        "id": pa.array([id_ for id_, _ in known], pa.string()),
        "system": pa.array([system for _, system in known], pa.string()),
        "row": pa.array([row.number for row in rows], pa.int64()),
    }
    made |= arrow_columns(columns_of(rows, scored))
    absent = np.array([isinstance(row, Malformed) for row in rows], bool)
    kept = scored.systems[0].statistics
    lists = [_lists(own, absent) for own in kept.values()]
    made["statistics"] = pa.StructArray.from_arrays(lists, list(kept))
    sink = pa.BufferOutputStream()
    values = asdict(footer)
    written = json.dumps({**values, "checksum": checksum_of(values)})
    table = pa.table(made).replace_schema_metadata({FOOTER: written})
    arrow("pyarrow.parquet").write_table(table, sink, compression="zstd", write_page_checksum=True)
    folder.write(name_of(unit), sink.getvalue())


def kept_for(metrics: Container[str]) -> Keep:
    """Return what must be kept of texts for `columns_of`."""
    return "details" if Hallucinations.name in metrics else "statistics"


def columns_of(rows: Sequence[AnyRow], scored: Scored) -> Columns:
    """Return the columns of rows: scores, errors and, where metrics find them, omissions and flags.

    Those that are not malformed are the examples of the only system of ``scored``.
    """
    [own] = scored.systems
    metrics = scored.metrics
    found: Columns = {metric.name: metric.segment_scores(own.statistics[metric.name]) for metric in metrics}
    if any(metric.needs != "nothing" for metric in metrics):
        found["missing"] = [list(map(named, some)) for some in own.missing]
    if Hallucinations.name in own.details:
        found["flagged"] = [[one.as_dict() for one in some] for some in own.details[Hallucinations.name]]
    found["error"] = [None] * len(own.texts)
    for place, why in own.unlinked.items():
        found["error"][place] = f"the linker gave no answer: {why}"
    for place, row in enumerate(rows):
        if isinstance(row, Malformed):
            for name, values in found.items():
                values.insert(place, row.reason if name == "error" else None)
    return found


def arrow_columns(columns: Columns) -> dict[str, Any]:
    """Return columns of `columns_of` as arrays of Arrow, of the same types whatever they hold."""
    pa = arrow()
    kinds = {"start": pa.int64(), "end": pa.int64(), "confidence": pa.float64()}
    spans = pa.list_(pa.struct([(name, kinds.get(name, pa.string())) for name in _FLAGGED]))
    types = {"error": pa.string(), "missing": pa.list_(pa.string()), "flagged": spans}
    return {name: pa.array(values, types.get(name, pa.float64())) for name, values in columns.items()}


def _lists(rows: Statistics, absent: Any) -> Any:
    """Return statistics as lists of fixed length, with nothing where a row has none."""
    pa = arrow()
    whole = np.zeros((len(absent), rows.shape[1]), rows.dtype)
    whole[~absent] = rows
    return pa.FixedSizeListArray.from_arrays(pa.array(whole.ravel()), rows.shape[1], mask=pa.array(absent))
