"""Benchmarks as tables: of detectors, of resolvers on pronouns, of models that verify facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from esascore.gold.counterfactual.sensitivity import FIGURES
from esascore.gold.mentions.benchmark import LEVELS
from esascore.gold.pronouns import Placed, figures_of, groups_of
from esascore.metrics.base import Column
from esascore.reports.summary import Summary, count_columns

if TYPE_CHECKING:
    from esascore.facts.evaluation import Evaluation

Fields = Mapping[str, Any]
Paths = Mapping[str, tuple[str, ...]]
"""Field of a table -> where the summary of a benchmark holds it."""

_SHORT = {"exact": "exact", "approximate": "approx", "entity": "entity"}
_LETTERS = {"precision": "P", "recall": "R", "f1": "F1"}
_SIZES = ("texts", "gold", "found")
_OF_LEVELS: Paths = {f"{level}_{figure}": (level, figure) for level in LEVELS for figure in _LETTERS}
_OF_ANNOTATIONS: Paths = {**{name: (name,) for name in _SIZES}, **_OF_LEVELS}
_OF_COUNTERFACTUALS: Paths = {name: (name,) for name in ("texts", *FIGURES)}

BENCHMARK_COLUMNS = (
    *count_columns(*_SIZES),
    *(Column(field, f"{_SHORT[level]} {_LETTERS[name]}") for field, (level, name) in _OF_LEVELS.items()),
)
COUNTERFACTUAL_COLUMNS = (*count_columns("texts"), *(Column(name, name.capitalize()) for name in FIGURES))


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
    moved = None
    if difference is not None:
        moved = {field: _at(difference, (*path, "value")) for field, path in _OF_LEVELS.items()}
    return _of_parts(signature, BENCHMARK_COLUMNS, _OF_ANNOTATIONS, results, moved)


def counterfactual_summary(
    signature: str, results: Sequence[tuple[str, Fields]], difference: Fields | None = None
) -> Summary:
    """The table of what `summarise_verdicts` returned, like `benchmark_summary`."""
    return _of_parts(signature, COUNTERFACTUAL_COLUMNS, _OF_COUNTERFACTUALS, results, difference)


def _of_parts(
    signature: str,
    columns: tuple[Column, ...],
    paths: Paths,
    results: Sequence[tuple[str, Fields]],
    difference: Fields | None,
) -> Summary:
    rows = [_row(name, fields, paths) for name, fields in results]
    if difference is not None:
        rows.append({"system": "difference", **difference, "by": {"part": {}}})
    return Summary(signature, columns, tuple(rows), ("part",))


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


PRONOUN_COLUMNS = (
    *count_columns("pronouns", "answered"),
    *(
        Column(name + end, header)
        for name, letter in (("precision", "P"), ("recall", "R"))
        for end, header in (("", letter), ("_low", "low"), ("_high", "high"))
    ),
)


def pronoun_summary(
    signature: str, results: Sequence[tuple[str, Sequence[Placed]]], *, by: Sequence[str] = ()
) -> Summary:
    """The table of some resolvers: a row for each, and one for each part of the breakdowns ``by``."""
    rows = []
    for name, placed in results:
        groups = groups_of(placed)
        parts = {f"{kind}: {label}": figures_of(some) for kind in by for label, some in groups[kind].items()}
        rows.append({"system": name, **figures_of(placed), **({"by": {"part": parts}} if by else {})})
    return Summary(signature, PRONOUN_COLUMNS, tuple(rows), ("part",) if by else ())


FACTS_COLUMNS = (
    *count_columns("stated", "others"),
    Column("accepted", "Accepted"),
    Column("rejected", "Rejected"),
    Column("mentioned", "Both mentioned", kind="count"),
    Column("rejected_mentioned", "Rejected"),
    Column("auc", "AUC"),
    Column("auc_mentioned", "AUC of mentions"),
)


def facts_summary(signature: str, found: Evaluation) -> Summary:
    """The table of an evaluation: a row for all facts, and one for each kind of text."""
    whole = {
        "system": "all",
        **{name: sum(getattr(kind, name) for kind in found.kinds) for name in ("stated", "others")},
        **{name: getattr(found, name) for name in ("auc", "auc_mentioned", "threshold")},
    }
    kinds = [{"system": fields.pop("name"), **fields} for fields in map(asdict, found.kinds)]
    return Summary(signature, FACTS_COLUMNS, (whole, *kinds))
