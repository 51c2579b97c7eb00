"""The figures of systems as plain data: what JSON output holds and every table shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from esascore.errors import DataError, UsageError, did_you_mean
from esascore.metrics.base import Column, Metric, Signature, Statistics
from esascore.metrics.hallucination import Hallucinations
from esascore.model import Example
from esascore.reports.data_warnings import DataWarnings
from esascore.run.scored import Scored, Sums
from esascore.sample import content_hash
from esascore.stats.comparison import LEVEL, Test, compare, enough_resamples, ranks
from esascore.stats.resampling import RESAMPLES
from esascore.text.normalize import folded

if TYPE_CHECKING:
    from esascore.claims.hallucinations import Hallucination

EVERY = "all"
"""The baseline that stands for all pairs of systems."""

_Key = tuple[bool, int, str]
"""Whether a group is unknown, its order, and its label, which is empty for the unknown; groups sort by it."""


def _by_seen(example: Example, seen: str = "seen", unseen: str = "unseen") -> _Key:
    if example.seen is None:
        return (True, 0, "")
    return (False, 0, seen) if example.seen else (False, 1, unseen)


BREAKDOWNS: Mapping[str, Callable[[Example], _Key]] = {
    "category": lambda example: (not example.category, 0, example.category or ""),
    "size": lambda example: (False, example.size, str(example.size)),
    "seen": _by_seen,
    "overlap": lambda example: _by_seen(example, "overlap", "non-overlap"),
}
"""What ``--by`` takes (``overlap``, ToTTo's word for seen, only there) -> the group of an example."""

Fields = dict[str, Any]
_Group = tuple[str | None, _Key | None]
_ALL: _Group = (None, None)
COUNTED = {
    "texts": "texts, blank ones included",
    "blank": "texts that are blank or null-like; they score 0",
    "undefined": "texts whose input has no entity; ESA leaves them out",
}
"""What tables count of every system, and what it means."""


HALLUCINATION_COLUMNS = (
    Column("texts", "Texts", kind="count"),
    Column("blank", "Blank", kind="count"),
    Column("hallucinated_texts", ">=1", r"$\geq 1$", "count"),
    Column("distinct", "Distinct", kind="count"),
    *Hallucinations.columns,
)
"""What tables show; the first figures are those of Table 4 of the ESA paper."""


@dataclass(frozen=True, slots=True)
class Significance:
    """How systems are compared: with which baseline (or `EVERY` with every other), by which test.

    Without a baseline there are intervals only.

    Examples
    --------
    >>> Significance("bt5").note
    '± half of the 95% interval; * differs from bt5, p < 0.05 (randomisation, 1000 resamples, Holm)'
    """

    baseline: str | None = None
    test: Test = "randomisation"
    resamples: int = RESAMPLES
    seed: int = 0

    @property
    def pairs(self) -> bool:
        """Whether every system is compared with every other one."""
        return self.baseline == EVERY

    @property
    def note(self) -> str:
        """The legend of the marks in a table."""
        if self.baseline is None:
            return "± half of the 95% interval"
        means = f"* differs from {self.baseline}"
        if self.pairs:
            means = "(1-2) range of ranks, a line between clusters: all above differ from all below"
        return f"± half of the 95% interval; {means}, {self.how}"

    @property
    def how(self) -> str:
        """Which differences are significant."""
        return f"p < {LEVEL} ({self.test}, {self.resamples} resamples, Holm)"

    def checked(self, names: Sequence[str]) -> Significance:
        """Return the comparison of these systems, with enough resamples for that.

        Raises
        ------
        UsageError
            If the baseline is not among them, or alone; if a system has the name that means all.
        """
        if self.baseline is None:
            return self
        if self.pairs and EVERY in names:
            raise UsageError(f"{EVERY!r} compares all pairs: give the system of that name another one")
        if not self.pairs and self.baseline not in names:
            known = did_you_mean(self.baseline, [*names, EVERY])
            raise UsageError(f"there is no system {self.baseline!r} to compare with{known}")
        if len(names) < 2:
            raise UsageError(f"nothing can be compared: {names[0]!r} is the only system; give two or more")
        return replace(self, resamples=enough_resamples(len(names), self.resamples)) if self.pairs else self

    def pairs_of(self, names: Sequence[str]) -> list[tuple[int, int]]:
        """The positions of the systems that are compared with each other."""
        if self.pairs:
            return list(combinations(range(len(names)), 2))
        if self.baseline is None:
            return []
        baseline = names.index(self.baseline)
        return [(place, baseline) for place in range(len(names)) if place != baseline]

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
        Warnings about the figures (`esascore.reports.data_warnings`).
    optional
        Attributes of the data that never counted as missing.
    digits
        How many decimals tables show.
    chosen
        Whether the columns were chosen; otherwise LaTeX shows those that fit on a page.
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
    digits: int = 4
    chosen: bool = False

    def showing(self, columns: Sequence[str] = (), digits: int = 4) -> Summary:
        """Return the same figures for tables with these columns, by field or header; without any all.

        Raises
        ------
        UsageError
            There is no such column.
        """
        known = {name.casefold(): one for one in self.columns for name in (one.header, one.field)}
        for name in columns:
            if name.casefold() not in known:
                told = did_you_mean(name, (one.field for one in self.columns))
                raise UsageError(f"there is no column {name!r}{told}")
        kept = tuple(known[name.casefold()] for name in columns)
        return replace(self, columns=kept or self.columns, digits=digits, chosen=bool(kept))

    @property
    def notes(self) -> tuple[str, ...]:
        """The legend of the marks in a table."""
        return () if self.significance is None else (self.significance.note,)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table: a system, or its ``group`` in the breakdown ``by`` (both None for the whole).

    ``cut`` says that a cluster of systems ends before it.
    """

    system: str
    by: str | None
    group: str | None
    fields: Mapping[str, Any]
    cut: bool = False


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
    drawn = _Drawn()
    data_warnings = DataWarnings()
    for part in data_warnings.watched(parts):
        groups: dict[_Group, Sequence[int]] = {_ALL: range(len(part.examples))}
        for name in by:
            groups |= {(name, key): positions for key, positions in _keyed(part.examples, name).items()}
        for group, positions in groups.items():
            added = [Sums.of(system, part.metrics, positions) for system in part.systems]
            if group in sums:
                added = [one + more for one, more in zip(sums[group], added, strict=True)]
            sums[group] = added
        if how is not None:
            how = how.checked([system.name for system in part.systems])
            drawn.add(part, groups)
    keys = {name: sorted(key for one, key in sums if one == name and key is not None) for name in by}
    for name, some in keys.items():
        _check_known(some, name)
    names = [system.name for system in part.systems]
    figures = {group: [one.fields(part.metrics) for one in added] for group, added in sums.items()}
    pairs: dict[_Group, tuple[Fields, ...]] = {}
    if how is not None:
        pairs = {group: drawn.compare(group, part.metrics, how, figures[group], names) for group in figures}
    systems: list[Fields] = []
    for n, name in enumerate(names):
        of_groups = {one: {key[2]: figures[one, key][n] for key in some} for one, some in keys.items()}
        systems.append({"system": name, **figures[_ALL][n], **({"by": of_groups} if by else {})})
    return replace(
        _summary(part.metrics, str(part.signature), systems),
        by=tuple(keys),
        significance=how,
        pairs=pairs.get(_ALL, ()),
        warnings=tuple(data_warnings.messages()),
        optional=data_warnings.optional,
    )


def summarise_hallucinations(parts: Iterable[Scored]) -> Summary:
    """The figures of each system, with the number of distinct things that it adds."""
    distinct: dict[str, set[int]] = {}

    def counted() -> Iterator[Scored]:
        for part in parts:
            for system in part.systems:
                own = {_identity(one) for some in system.details[Hallucinations.name] for one in some}
                distinct.setdefault(system.name, set()).update(content_hash(*one) for one in own)
            yield part

    summary = summarise_parts(counted())
    rows = []
    for fields in summary.systems:
        counts = {name: fields[name] for name in ("system", "texts", "blank")}
        rows.append({**counts, "distinct": len(distinct[fields["system"]]), **fields})
    return replace(summary, columns=HALLUCINATION_COLUMNS, systems=tuple(rows))


def _identity(one: Hallucination) -> tuple[str, str]:
    """Return what makes two hallucinations equal: the known entity, otherwise the words."""
    return one.type, one.entity or " ".join(folded(word) for word in one.text.split())


def summary_of(sums: Mapping[str, Sums], metrics: Sequence[Metric[Any]]) -> Summary:
    """Compute the figures of systems from their sums, by name."""
    joined = Signature.joined((metric.name, metric.signature()) for metric in metrics)
    systems = [{"system": name, **own.fields(metrics)} for name, own in sums.items()]
    return _summary(metrics, str(joined), systems)


def _summary(metrics: Sequence[Metric[Any]], signature: str, systems: Sequence[Fields]) -> Summary:
    counts = ["texts", "blank", *(["undefined"] if any(one.get("undefined") for one in systems) else [])]
    columns = [replace(column, meaning=COUNTED[column.field]) for column in count_columns(*counts)]
    columns += [column for metric in metrics for column in metric.columns]
    mains = tuple(metric.columns[0].field for metric in metrics)
    return Summary(signature, tuple(columns), tuple(systems), mains=mains)


def count_columns(*names: str) -> list[Column]:
    """Columns of counts, with headers like their fields."""
    return [Column(name, name.capitalize(), kind="count") for name in names]


def rows(summary: Summary, *, ranked: bool = False) -> list[Row]:
    """The lines of a table: each system, followed by its groups.

    Where all pairs were compared, ``ranked`` puts the best system first.
    """
    listed: list[Row] = []
    before = None
    for fields in _ranked(summary) if ranked else summary.systems:
        cluster = fields["cluster"].get(summary.mains[0]) if summary.pairs else None
        listed.append(Row(fields["system"], None, None, fields, bool(listed) and cluster != before))
        before = cluster
        for by in summary.by:
            parts = fields["by"][by]
            listed += [Row(fields["system"], by, label, part) for label, part in parts.items()]
    return listed


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


def _keyed(examples: Sequence[Example], by: str) -> dict[_Key, list[int]]:
    """Positions of the examples of each group, of a part of a corpus."""
    if by not in BREAKDOWNS:
        raise UsageError(f"there is no breakdown by {by!r}{did_you_mean(by, BREAKDOWNS)}")
    positions: dict[_Key, list[int]] = {}
    for position, example in enumerate(examples):
        positions.setdefault(BREAKDOWNS[by](example), []).append(position)
    return positions


def _check_known(groups: Iterable[_Key], by: str) -> None:
    """Reject a breakdown if the group of no example is known."""
    if all(unknown for unknown, _, _ in groups):
        advice = {"seen": " (give --train CORPUS, or categories of WebNLG)"}.get(by, "")
        raise DataError(f"no breakdown by {by}: the corpus does not give the {by} of any example{advice}")


class _Drawn:
    """What resampling draws from: the rows of each metric and system, the input of each text, and groups."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, str], list[Statistics]] = {}
        self._inputs: list[int] = []
        self._places: dict[_Group, list[int]] = {}

    def add(self, part: Scored, groups: Mapping[_Group, Sequence[int]]) -> None:
        """Add a part of the corpus; ``groups`` are the positions of its examples."""
        for group, positions in groups.items():
            self._places.setdefault(group, []).extend(len(self._inputs) + place for place in positions)
        self._inputs += [hash(example.input) for example in part.examples]
        for system in part.systems:
            for name, rows in system.statistics.items():
                self._rows.setdefault((system.name, name), []).append(rows)

    def compare(
        self,
        group: _Group,
        metrics: Sequence[Metric[Any]],
        how: Significance,
        listed: Sequence[Fields],
        names: Sequence[str],
    ) -> tuple[Fields, ...]:
        """Add intervals, and p-values or ranks, to the figures; return those of all pairs, if asked for."""
        places = self._places[group]
        clusters = [self._inputs[place] for place in places]
        pairs: dict[tuple[int, int], Fields] = {}
        kinds = ("ci", "rank", "cluster") if how.pairs else ("ci", "p", "p_holm")
        for fields in listed:
            fields.update({kind: {} for kind in kinds})
        for metric in metrics:
            statistics = [np.concatenate(self._rows[name, metric.name])[places] for name in names]
            alone, p_values = compare(
                metric, statistics, how.pairs_of(names),
                test=how.test, resamples=how.resamples, seed=how.seed, clusters=clusters,
            )  # fmt: skip
            for fields, figures in zip(listed, alone, strict=True):
                for name, result in figures.items():
                    fields["ci"][name] = None if result.interval is None else list(result.interval)
            better = {column.field: column.better for column in metric.columns}
            for name, found in p_values.items():
                for fields in () if how.pairs else listed:
                    fields["p"][name] = fields["p_holm"][name] = None
                for pair, p in found.p.items():
                    own = listed[pair[0]]
                    if how.pairs:
                        systems = [names[place] for place in pair]
                        own = pairs.setdefault(pair, {"systems": systems, "p": {}, "p_holm": {}})
                    own["p"][name], own["p_holm"][name] = p, found.p_holm[pair]
                if not how.pairs:
                    continue
                values = [figures[name].value for figures in alone]
                ranked = ranks(values, found.p_holm, better.get(name, "higher"))
                for fields, rank in zip(listed, ranked, strict=True):
                    fields["rank"][name] = None if rank is None else [rank.best, rank.worst]
                    fields["cluster"][name] = None if rank is None else rank.cluster
        return tuple(pairs.values())
