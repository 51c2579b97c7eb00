"""Hallucinations as JSON lines and as figures of systems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from esascore.engine import Scored, SystemScores
from esascore.explain.hallucinations import Hallucination
from esascore.metrics.base import Column
from esascore.metrics.hallucination import Hallucinations
from esascore.model import LinkFailure
from esascore.reports.jsontext import to_json
from esascore.reports.summary import Summary, summarise
from esascore.text.normalize import folded

COLUMNS = (
    Column("texts", "Texts", "Texts", "count"),
    Column("blank", "Blank", "Blank", "count"),
    Column("hallucinated_texts", ">=1", r"$\geq 1$", "count"),
    Column("distinct", "Distinct", "Distinct", "count"),
    *Hallucinations.columns,
)
"""What tables show; the first figures are those of Table 4 of the ESA paper."""


def hallucination_lines(scored: Scored) -> Iterator[str]:
    """One line per system and text, systems in their order.

    Where a linker failed, the line says so too: what it would have found is unknown.
    """
    for system in scored.systems:
        columns = (scored.examples, system.texts, _found(system), system.detections or ())
        for example, text, some, detection in zip(*columns, strict=True):
            record: dict[str, Any] = {"system": system.name, "id": example.id, "text": text}
            record["hallucinations"] = [one.as_dict() for one in some]
            if isinstance(detection.links, LinkFailure):
                record["linker_failure"] = detection.links.reason
            yield to_json(record) + "\n"


def summarise_hallucinations(scored: Scored) -> Summary:
    """The figures of each system, with the number of distinct things that it adds."""
    summary = summarise(scored)
    rows = []
    for system, fields in zip(scored.systems, summary.systems, strict=True):
        counts = {name: fields[name] for name in ("system", "texts", "blank")}
        distinct = len({_identity(one) for some in _found(system) for one in some})
        rows.append({**counts, "distinct": distinct, **fields})
    return replace(summary, columns=COLUMNS, systems=tuple(rows))


def _found(system: SystemScores) -> Sequence[Sequence[Hallucination]]:
    """The hallucinations of each text of a system; they were kept if its detections were."""
    return system.details[Hallucinations.name]


def _identity(one: Hallucination) -> tuple[str, str]:
    """What makes two hallucinations the same thing: the known entity, otherwise the words."""
    return one.type, one.entity or " ".join(folded(word) for word in one.text.split())
