"""The figures of systems as plain data: what JSON output holds and every table shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from esascore.errors import UsageError, did_you_mean
from esascore.metrics.base import Column, Metric, Signature, Statistics
from esascore.reports.data_warnings import DataWarnings
from esascore.reports.groups import Key, check_known, keyed
from esascore.run.scored import Scored
from esascore.run.totals import Sums
from esascore.stats.comparison import LEVEL, Test, compare, compare_pairs, enough_resamples, ranks

EVERY = "all"
"""The baseline that stands for all pairs of systems."""

Fields = dict[str, Any]
_Group = tuple[str | None, Key | None]
_ALL: _Group = (None, None)
COUNTED = {
    "texts": "texts, blank ones included",
    "blank": "texts that are blank or null-like; they score 0",
    "undefined": "texts whose input has no entity; ESA leaves them out",
}
"""What tables count of every system, and what it means."""


@dataclass(frozen=True, slots=True)
class Significance:
    """How systems are compared: with which baseline (or `EVERY` with every other), by which test.

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
    def pairs(self) -> bool:
        """Whether every system is compared with every other one."""
        return self.baseline == EVERY

    @property
    def note(self) -> str:
        """What the marks in a table mean."""
        means = f"* differs from {self.baseline}"
        if self.pairs:
            means = "(1-2) range of ranks, a line between clusters: all above differ from all below"
        how = f"p < {LEVEL} ({self.test}, {self.resamples} resamples, Holm)"
        return f"± half of the 95% interval; {means}, {how}"

    def checked(self, names: Sequence[str]) -> Significance:
        """Return the comparison of these systems, with enough resamples for that.

        Raises
        ------
        UsageError
            If the baseline is not among them, or alone; if a system has the name that means all.
        """
        if self.pairs and EVERY in names:
            raise UsageError(f"{EVERY!r} compares all pairs: give the system of that name another one")
        if not self.pairs and self.baseline not in names:
            known = did_you_mean(self.baseline, [*names, EVERY])
            raise UsageError(f"there is no system {self.baseline!r} to compare with{known}")
        if len(names) < 2:
            raise UsageError(f"nothing can be compared: {names[0]!r} is the only system; give two or more")
        return replace(self, resamples=enough_resamples(len(names), self.resamples)) if self.pairs else self

    @property
    def drawing(self) -> dict[str, Any]:
        """The test, and its random numbers."""
        return {"test": self.test, "resamples": self.resamples, "seed": self.seed}

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
        were compared, ``ci``, ``p`` and ``p_holm`` hold the interval and p-values of each figure; where all
        pairs were, ``ci``, ``rank`` (best and worst) and ``cluster``.
    by
        The breakdowns that were asked for.
    significance
        How the systems were compared, if they were.
    pairs
        Where all pairs were compared: their p-values on the whole corpus.
    mains
        The figures that stand for the metrics, one each.
    warnings
        What makes the figures doubtful (`esascore.reports.data_warnings`).
    optional
        Attributes of the data that never counted as missing.
    """

    signature: str
    columns: tuple[Column, ...]
    systems: tuple[Fields, ...]
    by: tuple[str, ...] = ()
    significance: Significance | None = None
    pairs: tuple[Fields, ...] = ()
    mains: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()

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
    return summarise_parts([evaluation], *by, significance=significance)


def summarise_parts(parts: Iterable[Scored], *by: str, significance: Significance | None = None) -> Summary:
    """Do the same for a corpus that comes in one or more parts, none of which is kept.

    Only comparisons need the rows of all texts.
    """
    how = significance
    sums: dict[_Group, list[Sums]] = {}
    drawn: dict[_Group, list[_Rows]] = {}
    data_warnings = DataWarnings()
    for part in data_warnings.watched(parts):
        groups: list[tuple[_Group, Sequence[int]]] = [(_ALL, range(len(part.examples)))]
        for name in by:
            groups += [((name, key), positions) for key, positions in keyed(part.examples, name).items()]
        for group, positions in groups:
            added = [Sums.of(system, part.metrics, positions) for system in part.systems]
            if group in sums:
                added = [one + more for one, more in zip(sums[group], added, strict=True)]
            sums[group] = added
            if how is not None:
                how = how.checked([system.name for system in part.systems])
                drawn.setdefault(group, []).append(_rows_of(part, positions))
    keys = {name: sorted(key for one, key in sums if one == name and key is not None) for name in by}
    for name, some in keys.items():
        check_known(some, name)
    names = [system.name for system in part.systems]
    figures = {group: [one.fields(part.metrics) for one in added] for group, added in sums.items()}
    pairs: tuple[Fields, ...] = ()
    if how is not None:
        for group, rows in drawn.items():
            joined = _Rows.joined(rows)
            if how.pairs:
                found = _compare_pairs(part.metrics, joined, how, names, figures[group])
                pairs = found if group == _ALL else pairs
            else:
                _compare(part.metrics, joined, how, names.index(how.baseline), figures[group])
    systems: list[Fields] = []
    for n, name in enumerate(names):
        of_groups = {one: {key[2]: figures[one, key][n] for key in some} for one, some in keys.items()}
        systems.append({"system": name, **figures[_ALL][n], **({"by": of_groups} if by else {})})
    summary = _summary(part.metrics, str(part.signature), systems)
    return replace(
        summary,
        by=tuple(keys),
        significance=how,
        pairs=pairs,
        warnings=tuple(data_warnings.messages()),
        optional=data_warnings.optional,
    )


def summary_of(sums: Mapping[str, Sums], metrics: Sequence[Metric[Any]]) -> Summary:
    """Compute the figures of systems from their sums, by name."""
    joined = Signature.joined((metric.name, metric.signature()) for metric in metrics)
    systems = [{"system": name, **own.fields(metrics)} for name, own in sums.items()]
    return _summary(metrics, str(joined), systems)


def _summary(metrics: Sequence[Metric[Any]], signature: str, systems: Sequence[Fields]) -> Summary:
    counts = ["texts", "blank", *(["undefined"] if any(one.get("undefined") for one in systems) else [])]
    columns = [
        Column(name, name.capitalize(), name.capitalize(), "count", meaning=COUNTED[name]) for name in counts
    ]
    columns += [column for metric in metrics for column in metric.columns]
    mains = tuple(metric.columns[0].field for metric in metrics)
    return Summary(signature, tuple(columns), tuple(systems), mains=mains)


def rows(summary: Summary, *, ranked: bool = False) -> list[Row]:
    """The lines of a table: each system, followed by its groups.

    Where all pairs were compared, ``ranked`` puts the best system first.
    """
    listed = []
    for fields in _ranked(summary) if ranked else summary.systems:
        listed.append(Row(fields["system"], None, None, fields))
        for by in summary.by:
            parts = fields["by"][by]
            listed += [Row(fields["system"], by, label, part) for label, part in parts.items()]
    return listed


def clusters_begin(summary: Summary, listed: Sequence[Row]) -> set[int]:
    """The positions of ranked rows before which a cluster ends."""
    begin: set[int] = set()
    before = None
    for place, row in enumerate(listed):
        if summary.pairs and row.by is None:
            cluster = row.fields["cluster"].get(summary.mains[0])
            if place and cluster != before:
                begin.add(place)
            before = cluster
    return begin


def _ranked(summary: Summary) -> list[Fields]:
    """The systems by the figure of the first metric, undefined ones last."""
    if not summary.pairs:
        return list(summary.systems)
    [better] = [column.better for column in summary.columns if column.field == summary.mains[0]]
    sign = -1 if better == "higher" else 1

    def merit(fields: Fields) -> tuple[bool, float]:
        value = fields[summary.mains[0]]
        return value is None, 0.0 if value is None else sign * value

    return sorted(summary.systems, key=merit)


@dataclass(frozen=True, slots=True)
class _Rows:
    """What resampling draws from: the rows of each metric and system, and the input of each text."""

    statistics: tuple[tuple[Statistics, ...], ...]
    inputs: tuple[int, ...]

    @staticmethod
    def joined(parts: Sequence[_Rows]) -> _Rows:
        metrics = zip(*(part.statistics for part in parts), strict=True)
        joined = (tuple(map(np.concatenate, zip(*systems, strict=True))) for systems in metrics)
        return _Rows(tuple(joined), tuple(one for part in parts for one in part.inputs))


def _rows_of(part: Scored, positions: Sequence[int]) -> _Rows:
    return _Rows(
        tuple(
            tuple(system.statistics[metric.name][positions] for system in part.systems)
            for metric in part.metrics
        ),
        tuple(hash(part.examples[position].input) for position in positions),
    )


def _compare(
    metrics: Sequence[Metric[Any]],
    rows: _Rows,
    significance: Significance,
    baseline: int,
    listed: Sequence[Fields],
) -> None:
    """Add intervals and p-values to the figures of each system."""
    for fields in listed:
        fields.update({"ci": {}, "p": {}, "p_holm": {}})
    for metric, statistics in zip(metrics, rows.statistics, strict=True):
        found = compare(
            metric,
            statistics,
            baseline=baseline,
            clusters=rows.inputs,
            **significance.drawing,
        )
        for fields, figures in zip(listed, found, strict=True):
            for name, result in figures.items():
                fields["ci"][name] = None if result.interval is None else list(result.interval)
                fields["p"][name] = result.p
                fields["p_holm"][name] = result.p_holm


def _compare_pairs(
    metrics: Sequence[Metric[Any]],
    rows: _Rows,
    significance: Significance,
    names: Sequence[str],
    listed: Sequence[Fields],
) -> tuple[Fields, ...]:
    """Add intervals, ranks and clusters to the figures of each system; return the p-values of all pairs."""
    every: dict[tuple[int, int], Fields] = {}
    for fields in listed:
        fields.update({"ci": {}, "rank": {}, "cluster": {}})
    for metric, statistics in zip(metrics, rows.statistics, strict=True):
        alone, pairs = compare_pairs(
            metric,
            statistics,
            clusters=rows.inputs,
            **significance.drawing,
        )
        better = {column.field: column.better for column in metric.columns}
        for name, found in pairs.items():
            for (one, other), p in found.p.items():
                pair = every.setdefault(
                    (one, other), {"systems": [names[one], names[other]], "p": {}, "p_holm": {}}
                )
                pair["p"][name], pair["p_holm"][name] = p, found.p_holm[one, other]
            values = [figures[name].value for figures in alone]
            for fields, rank in zip(
                listed, ranks(values, found.p_holm, better.get(name, "higher")), strict=True
            ):
                fields["rank"][name] = None if rank is None else [rank.best, rank.worst]
                fields["cluster"][name] = None if rank is None else rank.cluster
        for fields, figures in zip(listed, alone, strict=True):
            intervals = {name: result.interval for name, result in figures.items()}
            fields["ci"].update(
                {name: None if ends is None else list(ends) for name, ends in intervals.items()}
            )
    return tuple(every.values())
