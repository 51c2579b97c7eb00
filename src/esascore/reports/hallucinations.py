"""Hallucinations as JSON lines and as figures of systems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from esascore.errors import DataError
from esascore.explain.hallucinations import Hallucination
from esascore.metrics.base import Column
from esascore.metrics.hallucination import Hallucinations, count
from esascore.model import Example, LinkFailure, Links
from esascore.readers.systems import System
from esascore.reports.jsontext import to_json
from esascore.reports.summary import Summary
from esascore.text.blank import is_blank
from esascore.text.normalize import folded

Found = Sequence[Sequence[Hallucination]]

COLUMNS = (
    Column("texts", "Texts", "Texts", "count"),
    Column("blank", "Blank", "Blank", "count"),
    Column("hallucinated_texts", ">=1", r"$\geq 1$", "count"),
    Column("distinct", "Distinct", "Distinct", "count"),
    *Hallucinations.columns,
)
"""What tables show; the first figures are those of Table 4 of the ESA paper."""


def hallucination_lines(
    examples: Sequence[Example],
    systems: Sequence[System],
    found: Sequence[Found],
    links: Sequence[Sequence[Links | None]] | None = None,
) -> Iterator[str]:
    """One line per system and text, systems in their order.

    Where ``links`` says that a linker failed, the line says so too: what it would have found is unknown.
    """
    for number, (system, results) in enumerate(_pairs(systems, found)):
        if not len(examples) == len(system.texts) == len(results):
            raise DataError(f"{len(examples)} inputs, {len(system.texts)} texts and {len(results)} results")
        own = [None] * len(results) if links is None else links[number]
        for example, text, some, answer in zip(examples, system.texts, results, own, strict=True):
            listed = [one.as_dict() for one in some]
            record: dict[str, Any] = {"system": system.name, "id": example.id, "text": text}
            record["hallucinations"] = listed
            if isinstance(answer, LinkFailure):
                record["linker_failure"] = answer.reason
            yield to_json(record) + "\n"


def summarise_hallucinations(
    metric: Hallucinations, systems: Sequence[System], found: Sequence[Found]
) -> Summary:
    """The figures of each system, with the number of distinct things that it adds."""
    rows = []
    for system, results in _pairs(systems, found):
        fields: dict[str, Any] = {
            "system": system.name,
            "texts": len(system.texts),
            "blank": sum(map(is_blank, system.texts)),
            "distinct": len({_identity(one) for some in results for one in some}),
        }
        rows.append({**fields, **metric.score_statistics(count(results)).fields})
    return Summary(str(metric.signature()), COLUMNS, tuple(rows))


def _pairs(systems: Sequence[System], found: Sequence[Found]) -> Iterator[tuple[System, Found]]:
    if len(systems) != len(found):
        raise DataError(f"{len(systems)} systems, but {len(found)} results")
    yield from zip(systems, found, strict=True)


def _identity(one: Hallucination) -> tuple[str, str]:
    """What makes two hallucinations the same thing: the known entity, else the words."""
    return one.type, one.entity or " ".join(folded(word) for word in one.text.split())
