"""Evaluations that are saved in files and read back exactly.

The file is JSON lines: a header, one line per example, then one line per system and text, as
`esascore.run.plain` writes objects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from esascore._version import __version__
from esascore.errors import DataError
from esascore.metrics import restored_metric
from esascore.metrics.base import Statistics
from esascore.model import Example
from esascore.readers.jsonl import iter_objects
from esascore.readers.located import Place
from esascore.reports.jsontext import to_json
from esascore.run.plain import decoded, encoded
from esascore.run.scored import Scored, SystemScores

FORMAT = "esascore-evaluation-2"
"""What the first line says; another number is another layout."""

_NEEDED = ("signatures", "columns", "systems", "examples")


def saved_lines(scored: Scored) -> Iterator[str]:
    """The lines of the file.

    Raises
    ------
    UsageError
        If a metric of another package found what no file can hold.
    """
    return (to_json(value) + "\n" for value in _values(scored))


def _values(scored: Scored) -> Iterator[dict[str, Any]]:
    yield {
        "format": FORMAT,
        "esascore": __version__,
        "signatures": {metric.name: str(metric.signature()) for metric in scored.metrics},
        "columns": {
            name: [str(rows.dtype), *rows.shape[1:]]
            for system in scored.systems[:1]
            for name, rows in system.statistics.items()
        },
        "systems": [
            {"name": one.name, "detections": one.detections is not None, "details": [*one.details]}
            for one in scored.systems
        ],
        "examples": len(scored.examples),
    }
    for example in scored.examples:
        yield encoded(example)
    for system in scored.systems:
        for place, text in enumerate(system.texts):
            statistics = {name: _row(rows[place]) for name, rows in system.statistics.items()}
            line: dict[str, Any] = {"text": text, "statistics": statistics}
            if system.detections is not None:
                line["detection"] = encoded(system.detections[place])
            if system.details:
                line["details"] = {name: encoded(found[place]) for name, found in system.details.items()}
            if place in system.unlinked:
                line["unlinked"] = system.unlinked[place]
            yield line


def load_scored(path: str | PathLike[str]) -> Scored:
    """Read a file that `saved_lines` made.

    Raises
    ------
    DataError
        The file is something else, is cut off, or was written by a version whose files this one cannot read.
    UsageError
        It holds a metric that is not installed here.
    """
    file = Path(path)
    objects = iter_objects(file, "esascore writes with --save")
    place, header = next(objects, (Place(file, 1), {}))
    if header.get("format") != FORMAT or not all(name in header for name in _NEEDED):
        place.fail(f"this is not a saved evaluation ({FORMAT}): write one with --save, or Evaluation.save")
    try:
        return _scored(header, [fields for _, fields in objects])
    except (LookupError, TypeError, ValueError, ArithmeticError) as error:
        version = header.get("esascore", "?")
        raise DataError(
            f"the evaluation cannot be read ({type(error).__name__}): it was cut off, or saved by a version "
            f"({version}) that writes other files than this one ({__version__}): score the texts again",
            file=file,
        ) from None


def _scored(header: Mapping[str, Any], lines: Sequence[dict[str, Any]]) -> Scored:
    number, columns = header["examples"], header["columns"].items()
    if len(lines) != number * (1 + len(header["systems"])):
        raise ValueError("lines are missing")
    examples = [decoded(line) for line in lines[:number]]
    if not all(isinstance(example, Example) for example in examples):
        raise TypeError("this is not an example")
    systems = []
    for at, system in enumerate(header["systems"], 1):
        own = lines[number * at : number * (at + 1)]
        systems.append(
            SystemScores(
                system["name"],
                tuple(line["text"] for line in own),
                {name: _rows([line["statistics"][name] for line in own], *kind) for name, kind in columns},
                [decoded(line["detection"]) for line in own] if system["detections"] else None,
                {place: line["unlinked"] for place, line in enumerate(own) if "unlinked" in line},
                {name: [decoded(line["details"][name]) for line in own] for name in system["details"]},
            )
        )
    metrics = tuple(restored_metric(*pair) for pair in header["signatures"].items())
    return Scored(examples, metrics, tuple(systems))


def _row(row: Statistics) -> list[Any]:
    return [None if isinstance(value, float) and value != value else value for value in row.tolist()]  # noqa: PLR0124


def _rows(rows: Sequence[Sequence[Any]], dtype: str, *shape: int) -> Statistics:
    filled = [[float("nan") if value is None else value for value in row] for row in rows]
    return np.array(filled, dtype=np.dtype(dtype)).reshape(len(rows), *shape)
