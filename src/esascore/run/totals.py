"""Exact totals of systems: figures are computed from them alone, however the texts were cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from esascore.metrics.base import Metric
from esascore.run.scored import SystemScores
from esascore.text.blank import is_blank


@dataclass(frozen=True, slots=True)
class Sums:
    """Exact totals of some texts of a system, one per metric; figures are computed from them."""

    texts: int
    blank: int
    totals: tuple[Any, ...]

    @classmethod
    def of(cls, system: SystemScores, metrics: Sequence[Metric[Any]], places: Sequence[int]) -> Sums:
        """Add up the texts of a system at some places."""
        blank = sum(map(is_blank, map(system.texts.__getitem__, places)))
        totals = (metric.total(system.statistics[metric.name][places]) for metric in metrics)
        return cls(len(places), blank, tuple(totals))

    def __add__(self, other: Sums) -> Sums:
        totals = (one + more for one, more in zip(self.totals, other.totals, strict=True))
        return Sums(self.texts + other.texts, self.blank + other.blank, tuple(totals))

    def as_dict(self) -> dict[str, Any]:
        """The sums as plain JSON values."""
        totals = [total.as_dict() for total in self.totals]
        return {"texts": self.texts, "blank": self.blank, "totals": totals}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], metrics: Sequence[Metric[Any]]) -> Sums:
        """Read what `as_dict` gave, of these metrics."""
        pairs = zip(metrics, values["totals"], strict=True)
        totals = (metric.total_type.from_dict(total) for metric, total in pairs)
        return cls(values["texts"], values["blank"], tuple(totals))

    def fields(self, metrics: Sequence[Metric[Any]]) -> dict[str, Any]:
        """The figures under their names in JSON."""
        figures: dict[str, Any] = {"texts": self.texts, "blank": self.blank}
        for metric, total in zip(metrics, self.totals, strict=True):
            figures.update(metric.score_total(total).fields)
        return figures
