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
    Column("found", "Found", "Found", "count", meaning="flags or missing entities"),
    Column("judged", "Judged", "Judged", "count", meaning="those that a reader has judged"),
    Column("right", "Right", "Right", meaning="share of the judged ones that is right"),
    Column("right_low", "Low", "Low", meaning="lower end of its 95% interval (Wilson)"),
    Column("right_high", "High", "High", meaning="upper end of the interval"),
    Column("per_text", "Per text", "Per text", better="lower", meaning="found per text"),
    Column("corrected", "Corrected", "Corrected", better="lower", meaning="per text, times the share right"),
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
    groups: dict[str, list[Key]] = {"flags": []}
    texts: dict[str, int] = {}
    number = len(evaluation.examples)
    for judged in _found(evaluation):
        for label in judged.labels:
            groups.setdefault(label, []).append(judged.key)
    for label in groups:
        texts[label] = number if label.startswith(_OF_SYSTEM) else number * len(evaluation.systems)
    known = {key for keys in groups.values() for key in keys}
    stale = [share for key, share in marks.items() if key not in known]
    rows = tuple(
        {"system": label, **_figures(keys, marks, texts[label])}
        for label, keys in sorted(groups.items(), key=lambda item: _order(item[0]))
    )
    warning = (
        "verdicts that do not count, because these outputs have no such flag or missing entity: "
        f"{len(stale)}, of which {sum(share > _DOUBT for share in stale)} say right and "
        f"{sum(share < _DOUBT for share in stale)} wrong"
    )
    return Summary(str(evaluation.signature), COLUMNS, rows, warnings=(warning,) if stale else ())


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

_OF_SYSTEM = ("flags of ", "missing of ")
_ORDER = ("flags", "class ", "type ", "flags of ", "missing", "missing of ")


def _order(label: str) -> tuple[int, str]:
    places = [
        n
        for n, start in enumerate(_ORDER)
        if label == start or (start[-1] == " " and label.startswith(start))
    ]
    return max(places), label


@dataclass(frozen=True, slots=True)
class _Judged:
    """Something that can be judged: the rows in which it counts, what it is, and the text."""

    key: Key
    labels: tuple[str, ...]
    told: Mapping[str, Any]
    text: str


def _found(evaluation: Scored) -> Iterator[_Judged]:
    for system in evaluation.systems:
        columns = zip(
            evaluation.examples,
            system.texts,
            system.details[Hallucinations.name],
            system.detections or (),
            strict=True,
        )
        for example, text, flags, detection in columns:
            for flag in flags:
                key = (system.name, example.id, flag.start, flag.end, flag.kind)
                labels = ("flags", f"class {flag.kind}", f"type {flag.type}", f"flags of {system.name}")
                yield _Judged(key, labels, {"error": "flag", **flag.as_dict()}, text)
            for term in detection.undetected:
                told = {"error": "missing", "entity": term}
                yield _Judged(
                    (system.name, example.id, term), ("missing", f"missing of {system.name}"), told, text
                )


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
