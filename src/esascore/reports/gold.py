"""Benchmarks as tables: of detectors, of resolvers on pronouns, of models that verify facts, of flags.

What readers say about flags and missing entities gives the share that is right, and corrected rates.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from esascore.gold.counterfactual.sensitivity import FIGURES
from esascore.gold.mentions.benchmark import LEVELS
from esascore.gold.pronouns import Placed, figures_of, groups_of
from esascore.gold.ratings.verdicts import Agreement, Key
from esascore.metrics.base import Column
from esascore.metrics.hallucination import Hallucinations
from esascore.reports.summary import Summary, count_columns
from esascore.run.scored import Scored
from esascore.stats.correlation import wilson

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


VERDICT_COLUMNS = (
    Column("found", "Found", kind="count", meaning="flags or missing entities"),
    Column("judged", "Judged", kind="count", meaning="those that a reader has judged"),
    Column("right", "Right", meaning="share of the judged ones that is right"),
    Column("right_low", "Low", meaning="lower end of its 95% interval (Wilson)"),
    Column("right_high", "High", meaning="upper end of the interval"),
    Column("per_text", "Per text", better="lower", meaning="found per text"),
    Column("corrected", "Corrected", better="lower", meaning="per text, times the share right"),
)


def verdict_summary(evaluation: Scored, marks: Mapping[Key, Fraction]) -> Summary:
    """The table of all flags, of each class, type and system, and of the missing entities.

    Parameters
    ----------
    evaluation
        Systems with their detections and what the metric ``hallucination`` found.
    marks
        What `esascore.gold.ratings.verdicts.marks` gives. What is no longer found counts for nothing; a
        warning gives the number.
    """
    groups: dict[_Label, list[Key]] = {(0, "flags"): []}
    for judged in _found(evaluation):
        for label in judged.labels:
            groups.setdefault(label, []).append(judged.key)
    known = {key for keys in groups.values() for key in keys}
    stale = [share for key, share in marks.items() if key not in known]
    rows = []
    for (order, name), keys in sorted(groups.items()):
        texts = len(evaluation.examples) * (1 if order in _OF_SYSTEM else len(evaluation.systems))
        rows.append({"system": name, **_figures_of(keys, marks, texts)})
    warning = (
        "verdicts that do not count, because these outputs have no such flag or missing entity: "
        f"{len(stale)}, of which {sum(share > _DOUBT for share in stale)} say right and "
        f"{sum(share < _DOUBT for share in stale)} wrong"
    )
    return Summary(
        str(evaluation.signature), VERDICT_COLUMNS, tuple(rows), warnings=(warning,) if stale else ()
    )


def agreement_lines(agreements: Sequence[Agreement]) -> Iterator[str]:
    """One line per pair of readers."""
    for one in agreements:
        shown = "undefined" if one.kappa is None else f"{one.kappa:.2f}"
        first, second = one.readers
        yield f"{first} and {second}: {one.alike} of {one.judged} verdicts alike, kappa {shown}\n"


def false_alarms(evaluation: Scored, marks: Mapping[Key, Fraction]) -> Iterator[dict[str, Any]]:
    """Findings that most of their readers call wrong, with the whole text."""
    for judged in _found(evaluation):
        if marks.get(judged.key, _DOUBT) < _DOUBT:
            yield {"system": judged.key[0], "id": judged.key[1], **judged.told, "context": judged.text}


_DOUBT = Fraction(1, 2)
"""The share at which readers are divided."""

_Label = tuple[int, str]
"""The place of a row in the table, and its name."""
_OF_SYSTEM = (3, 5)


class _Judged(NamedTuple):
    """Something that can be judged: the rows in which it counts, what it is, and the text."""

    key: Key
    labels: tuple[_Label, ...]
    told: Mapping[str, Any]
    text: str


def _found(evaluation: Scored) -> Iterator[_Judged]:
    for system in evaluation.systems:
        name, flagged = system.name, system.details[Hallucinations.name]
        columns = zip(evaluation.examples, system.texts, flagged, system.detections or (), strict=True)
        for example, text, flags, detection in columns:
            for flag in flags:
                key = (name, example.id, flag.start, flag.end, flag.kind)
                of_flag = (1, f"class {flag.kind}"), (2, f"type {flag.type}"), (3, f"flags of {name}")
                yield _Judged(key, ((0, "flags"), *of_flag), {"error": "flag", **flag.as_dict()}, text)
            for term in detection.undetected:
                labels = (4, "missing"), (5, f"missing of {name}")
                told = {"error": "missing", "entity": term}
                yield _Judged((name, example.id, term), labels, told, text)


def _figures_of(keys: Sequence[Key], marks: Mapping[Key, Fraction], texts: int) -> dict[str, Any]:
    judged = [marks[key] for key in keys if key in marks]
    rate = len(keys) / texts if texts else None
    figures: dict[str, Any] = {"found": len(keys), "judged": len(judged), "per_text": rate}
    if not judged:
        return figures | dict.fromkeys(("right", "right_low", "right_high", "corrected"))
    right = sum(judged, Fraction(0))
    low, high = wilson(right, len(judged))
    share = float(right / len(judged))
    corrected = None if rate is None else rate * share
    return figures | {"right": share, "right_low": low, "right_high": high, "corrected": corrected}
