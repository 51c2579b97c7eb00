"""What readers say about flags and missing entities: the share that is right, and corrected rates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from esascore.gold.ratings.verdicts import Agreement, Key
from esascore.metrics.base import Column
from esascore.metrics.hallucination import Hallucinations
from esascore.reports.summary import Summary
from esascore.run.scored import Scored
from esascore.stats.agreement import wilson

COLUMNS = (
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
        rows.append({"system": name, **_figures(keys, marks, texts)})
    warning = (
        "verdicts that do not count, because these outputs have no such flag or missing entity: "
        f"{len(stale)}, of which {sum(share > _DOUBT for share in stale)} say right and "
        f"{sum(share < _DOUBT for share in stale)} wrong"
    )
    return Summary(str(evaluation.signature), COLUMNS, tuple(rows), warnings=(warning,) if stale else ())


def agreement_lines(agreements: Sequence[Agreement]) -> Iterator[str]:
    """One line per pair of readers."""
    for one in agreements:
        shown = "undefined" if one.kappa is None else f"{one.kappa:.2f}"
        first, second = one.readers
        yield f"{first} and {second}: {one.alike} of {one.judged} verdicts alike, kappa {shown}\n"


def false_alarms(evaluation: Scored, marks: Mapping[Key, Fraction]) -> Iterator[dict[str, Any]]:
    """What is found although most readers who judged it call it wrong, with the whole text."""
    for judged in _found(evaluation):
        if marks.get(judged.key, _DOUBT) < _DOUBT:
            yield {"system": judged.key[0], "id": judged.key[1], **judged.told, "context": judged.text}


_DOUBT = Fraction(1, 2)
"""The share at which readers are divided."""

_Label = tuple[int, str]
"""The place of a row in the table, and its name."""
_OF_SYSTEM = (3, 5)


@dataclass(frozen=True, slots=True)
class _Judged:
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


def _figures(keys: Sequence[Key], marks: Mapping[Key, Fraction], texts: int) -> dict[str, Any]:
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
