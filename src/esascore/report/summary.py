"""The figures of systems as plain data: what JSON output holds and every table shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from esascore.engine import Evaluation, SystemScores
from esascore.metrics.base import Column
from esascore.report.groups import group
from esascore.text.blank import is_blank

Fields = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Summary:
    """Systems with their figures.

    Attributes
    ----------
    signature
        The settings that gave the numbers.
    columns
        What tables show of the figures.
    systems
        Per system its figures, with those of its groups under ``by`` -> breakdown -> group.
    by
        The breakdown, if one was asked for.
    """

    signature: str
    columns: tuple[Column, ...]
    systems: tuple[Fields, ...]
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table: a system, or one of its groups (``group`` is None for the whole)."""

    system: str
    group: str | None
    fields: Mapping[str, Any]


def summarise(evaluation: Evaluation, by: str | None = None) -> Summary:
    """Score each system of an evaluation, and each of its groups."""
    groups = {} if by is None else group(evaluation.examples, by)
    everything = list(range(len(evaluation.examples)))
    systems = []
    for system in evaluation.systems:
        fields = {"system": system.name, **_figures(evaluation, system, everything)}
        if by is not None:
            parts = {label: _figures(evaluation, system, positions) for label, positions in groups.items()}
            fields["by"] = {by: parts}
        systems.append(fields)
    columns = [
        Column("texts", "Texts", "Texts", "count"),
        Column("blank", "Blank", "Blank", "count"),
    ]
    if any(fields.get("undefined") for fields in systems):
        columns.append(Column("undefined", "Undefined", "Undefined", "count"))
    columns += [column for metric in evaluation.metrics for column in metric.columns]
    return Summary(str(evaluation.signature), tuple(columns), tuple(systems), by)


def rows(summary: Summary) -> list[Row]:
    """The lines of a table: each system, followed by its groups."""
    listed = []
    for fields in summary.systems:
        listed.append(Row(fields["system"], None, fields))
        if summary.by is not None:
            parts = fields["by"][summary.by]
            listed += [Row(fields["system"], label, part) for label, part in parts.items()]
    return listed


def _figures(evaluation: Evaluation, system: SystemScores, positions: Sequence[int]) -> Fields:
    blank = sum(is_blank(system.texts[position]) for position in positions)
    figures: Fields = {"texts": len(positions), "blank": blank}
    for metric in evaluation.metrics:
        statistics = system.statistics[metric.name][positions]
        figures.update(metric.score_statistics(statistics).fields)
    return figures
