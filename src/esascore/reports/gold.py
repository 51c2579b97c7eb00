"""Benchmarks of detectors as tables: a row for each detector and each part, and one for the difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from esascore.gold.counterfactual.sensitivity import FIGURES
from esascore.gold.mentions.benchmark import LEVELS
from esascore.metrics.base import Column
from esascore.reports.summary import Summary

Fields = Mapping[str, Any]
Paths = Mapping[str, tuple[str, ...]]
"""Field of a table -> where the summary of a benchmark holds it."""

_SHORT = MappingProxyType({"exact": "exact", "approximate": "approx", "entity": "entity"})
_LETTERS = MappingProxyType({"precision": "P", "recall": "R", "f1": "F1"})
_SIZES = ("texts", "gold", "found")
_OF_LEVELS: Paths = {f"{level}_{figure}": (level, figure) for level in LEVELS for figure in _LETTERS}
_OF_ANNOTATIONS: Paths = {**{name: (name,) for name in _SIZES}, **_OF_LEVELS}
_OF_COUNTERFACTUALS: Paths = {name: (name,) for name in ("texts", *FIGURES)}

BENCHMARK_COLUMNS = (
    *(Column(name, name.capitalize(), name.capitalize(), "count") for name in _SIZES),
    *(
        Column(field, f"{_SHORT[level]} {_LETTERS[figure]}", f"{_SHORT[level]} {_LETTERS[figure]}")
        for field, (level, figure) in _OF_LEVELS.items()
    ),
)
COUNTERFACTUAL_COLUMNS = (
    Column("texts", "Texts", "Texts", "count"),
    *(Column(name, name.capitalize(), name.capitalize()) for name in FIGURES),
)


def benchmark_summary(
    signature: str, results: Sequence[tuple[str, Fields]], difference: Fields | None = None
) -> Summary:
    """The table of benchmarks.

    Parameters
    ----------
    signature
        The settings that gave the numbers.
    results
        Names of detectors with what `esascore.gold.mentions.summary.summarise` returned for them.
    difference
        What `esascore.gold.mentions.summary.differences` returned for two of them.
    """
    rows = [_row(name, fields, _OF_ANNOTATIONS) for name, fields in results]
    if difference is not None:
        moved = {field: _at(difference, (*path, "value")) for field, path in _OF_LEVELS.items()}
        rows.append({"system": "difference", **moved, "by": {"part": {}}})
    return Summary(signature, BENCHMARK_COLUMNS, tuple(rows), ("part",))


def counterfactual_summary(
    signature: str, results: Sequence[tuple[str, Fields]], difference: Fields | None = None
) -> Summary:
    """The table of what `summarise_verdicts` returned, like `benchmark_summary`."""
    rows = [_row(name, fields, _OF_COUNTERFACTUALS) for name, fields in results]
    if difference is not None:
        rows.append({"system": "difference", **difference, "by": {"part": {}}})
    return Summary(signature, COUNTERFACTUAL_COLUMNS, tuple(rows), ("part",))


def _row(name: str, fields: Fields, paths: Paths) -> dict[str, Any]:
    def figures(part: Fields) -> dict[str, Any]:
        return {field: _at(part, path) for field, path in paths.items()}

    ends: dict[str, float] = {}
    for field, path in paths.items():
        if (pair := _at(fields, ("ci", *path))) is not None:
            ends |= {f"{field}_low": pair[0], f"{field}_high": pair[1]}
    parts = {
        f"{breakdown.removeprefix('by_').replace('_', ' ')}: {label or 'unknown'}": figures(part)
        for breakdown, labelled in fields.items()
        if breakdown.startswith("by_")
        for label, part in labelled.items()
    }
    return {"system": name, **figures(fields), **ends, "by": {"part": parts}}


def _at(fields: Fields, path: Sequence[str]) -> Any:
    found: Any = fields
    for name in path:
        found = None if found is None else found.get(name)
    return found
