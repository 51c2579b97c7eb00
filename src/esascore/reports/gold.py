"""Benchmarks of detectors as tables: a row for each detector and each part, and one for the difference."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from esascore.gold.counterfactual.sensitivity import FIGURES
from esascore.gold.mentions.benchmark import LEVELS
from esascore.metrics.base import Column
from esascore.reports.summary import Summary

Fields = Mapping[str, Any]

_SHORT = MappingProxyType({"exact": "exact", "approximate": "approx", "entity": "entity"})
_LETTERS = MappingProxyType({"precision": "P", "recall": "R", "f1": "F1"})
_SIZES = ("texts", "gold", "found")

BENCHMARK_COLUMNS = (
    *(Column(name, name.capitalize(), name.capitalize(), "count") for name in _SIZES),
    *(
        Column(f"{level}_{figure}", f"{_SHORT[level]} {letter}", f"{_SHORT[level]} {letter}")
        for level in LEVELS
        for figure, letter in _LETTERS.items()
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
    rows = [_row(name, fields, _benchmark_part, _benchmark_interval(fields)) for name, fields in results]
    if difference is not None:
        flat = {
            f"{level}_{figure}": cell["value"]
            for level, figures in difference.items()
            for figure, cell in figures.items()
        }
        rows.append({"system": "difference", **flat, "by": {"part": {}}})
    return Summary(signature, BENCHMARK_COLUMNS, tuple(rows), "part")


def counterfactual_summary(
    signature: str, results: Sequence[tuple[str, Fields]], difference: Fields | None = None
) -> Summary:
    """The table of what `summarise_verdicts` returned, like `benchmark_summary`."""
    rows = [_row(name, fields, _counterfactual_part, _figure_intervals(fields)) for name, fields in results]
    if difference is not None:
        rows.append({"system": "difference", **difference, "by": {"part": {}}})
    return Summary(signature, COUNTERFACTUAL_COLUMNS, tuple(rows), "part")


def _row(
    name: str, fields: Fields, part: Callable[[Fields], dict[str, Any]], intervals: Fields
) -> dict[str, Any]:
    parts = {
        f"{breakdown.removeprefix('by_').replace('_', ' ')}: {label or 'unknown'}": part(figures)
        for breakdown, labelled in fields.items()
        if breakdown.startswith("by_")
        for label, figures in labelled.items()
    }
    return {"system": name, **part(fields), **intervals, "by": {"part": parts}}


def _benchmark_part(fields: Fields) -> dict[str, Any]:
    flat = {name: fields.get(name) for name in _SIZES}
    for level in LEVELS:
        flat.update({f"{level}_{figure}": fields.get(level, {}).get(figure) for figure in _LETTERS})
    return flat


def _benchmark_interval(fields: Fields) -> dict[str, Any]:
    flat = {}
    for level in LEVELS:
        for figure in _LETTERS:
            flat.update(_ends(f"{level}_{figure}", fields.get("ci", {}).get(level, {}).get(figure)))
    return flat


def _counterfactual_part(fields: Fields) -> dict[str, Any]:
    return {name: fields.get(name) for name in ("texts", *FIGURES)}


def _figure_intervals(fields: Fields) -> dict[str, Any]:
    flat = {}
    for name in FIGURES:
        flat.update(_ends(name, fields.get("ci", {}).get(name)))
    return flat


def _ends(name: str, pair: Sequence[float] | None) -> dict[str, float]:
    return {} if pair is None else {f"{name}_low": pair[0], f"{name}_high": pair[1]}
