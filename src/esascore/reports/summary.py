"""The figures of systems as plain data: what JSON output holds and every table shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from esascore.engine import Scored, SystemScores
from esascore.errors import UsageError
from esascore.metrics.base import Column
from esascore.reports.groups import group
from esascore.stats.comparison import LEVEL, Test, compare
from esascore.text.blank import is_blank

Fields = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Significance:
    """How systems are compared: with which baseline, by which test.

    Examples
    --------
    >>> Significance("bt5").note
    '± half of the 95% interval; * differs from bt5, p < 0.05 (randomisation, 1000 resamples, Holm)'
    """

    baseline: str
    test: Test = "randomisation"
    resamples: int = 1000
    seed: int = 0

    @property
    def note(self) -> str:
        """What the marks in a table mean."""
        return (
            f"± half of the 95% interval; * differs from {self.baseline}, p < {LEVEL} "
            f"({self.test}, {self.resamples} resamples, Holm)"
        )

    def place(self, names: Sequence[str]) -> int:
        """Position of the baseline among systems.

        Raises
        ------
        UsageError
            If it is not among them, or alone.
        """
        if self.baseline not in names:
            given = ", ".join(names)
            raise UsageError(f"there is no system {self.baseline!r} to compare with; given: {given}")
        if len(names) < 2:
            raise UsageError(f"nothing can be compared with {self.baseline!r}: it is the only system")
        return names.index(self.baseline)

    def as_dict(self) -> dict[str, Any]:
        """The settings as plain data."""
        return {**asdict(self), "level": LEVEL, "correction": "holm"}


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
        Per system its figures, with those of its groups under ``by`` -> breakdown -> group. Where systems
        were compared, ``ci``, ``p`` and ``p_holm`` hold the interval and p-values of each figure.
    by
        The breakdowns that were asked for.
    significance
        How the systems were compared, if they were.
    """

    signature: str
    columns: tuple[Column, ...]
    systems: tuple[Fields, ...]
    by: tuple[str, ...] = ()
    significance: Significance | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """What the marks in a table mean."""
        return () if self.significance is None else (self.significance.note,)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table: a system, or its ``group`` in the breakdown ``by`` (both None for the whole)."""

    system: str
    by: str | None
    group: str | None
    fields: Mapping[str, Any]


def summarise(evaluation: Scored, *by: str, significance: Significance | None = None) -> Summary:
    """Score each system of an evaluation, and its groups in each breakdown; compare them if asked to.

    Raises
    ------
    UsageError
        If the baseline is not among the systems, or the only one.
    """
    groups = {name: group(evaluation.examples, name) for name in by}
    whole = _compared(evaluation, range(len(evaluation.examples)), significance)
    parts = {
        name: {label: _compared(evaluation, positions, significance) for label, positions in some.items()}
        for name, some in groups.items()
    }
    systems: list[Fields] = []
    for n, system in enumerate(evaluation.systems):
        of_groups = {
            name: {label: figures[n] for label, figures in some.items()} for name, some in parts.items()
        }
        systems.append({"system": system.name, **whole[n], **({"by": of_groups} if by else {})})
    counts = ["texts", "blank", *(["undefined"] if any(one.get("undefined") for one in systems) else [])]
    columns = [Column(name, name.capitalize(), name.capitalize(), "count") for name in counts]
    columns += [column for metric in evaluation.metrics for column in metric.columns]
    return Summary(str(evaluation.signature), tuple(columns), tuple(systems), tuple(groups), significance)


def rows(summary: Summary) -> list[Row]:
    """The lines of a table: each system, followed by its groups."""
    listed = []
    for fields in summary.systems:
        listed.append(Row(fields["system"], None, None, fields))
        for by in summary.by:
            parts = fields["by"][by]
            listed += [Row(fields["system"], by, label, part) for label, part in parts.items()]
    return listed


def _compared(
    evaluation: Scored, positions: Sequence[int], significance: Significance | None
) -> list[Fields]:
    """The figures of each system on some of the examples, with intervals and p-values if asked for."""
    listed = [_figures(evaluation, system, positions) for system in evaluation.systems]
    if significance is None:
        return listed
    baseline = significance.place([system.name for system in evaluation.systems])
    inputs = [evaluation.examples[position].input for position in positions]
    for fields in listed:
        fields.update({"ci": {}, "p": {}, "p_holm": {}})
    for metric in evaluation.metrics:
        found = compare(
            metric,
            [system.statistics[metric.name][positions] for system in evaluation.systems],
            baseline=baseline,
            test=significance.test,
            resamples=significance.resamples,
            seed=significance.seed,
            clusters=inputs,
        )
        for fields, figures in zip(listed, found, strict=True):
            for name, result in figures.items():
                fields["ci"][name] = None if result.interval is None else list(result.interval)
                fields["p"][name] = result.p
                fields["p_holm"][name] = result.p_holm
    return listed


def _figures(evaluation: Scored, system: SystemScores, positions: Sequence[int]) -> Fields:
    blank = sum(is_blank(system.texts[position]) for position in positions)
    figures: Fields = {"texts": len(positions), "blank": blank}
    for metric in evaluation.metrics:
        statistics = system.statistics[metric.name][positions]
        figures.update(metric.score_statistics(statistics).fields)
    return figures
