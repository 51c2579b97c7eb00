"""Systems scored on a corpus or a part of it, and their exact totals: what every view of a run reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from esascore.metrics.base import Metric, Signature, Statistics
from esascore.model import Detection, Example
from esascore.text.blank import is_blank

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SystemScores:
    """The statistics of one system under each metric, one row per text; its detections where kept.

    ``unlinked`` are the positions of texts that the entity linker did not answer for, and why. ``details``
    are what metrics found in each text beyond their statistics, by metric, where kept; ``missing`` the
    entities that each text lacks and ``languages`` the codes of their languages, where detection was needed.
    """

    name: str
    texts: Sequence[str]
    statistics: dict[str, Statistics]
    detections: Sequence[Detection] | None = None
    unlinked: Mapping[int, str] = field(default_factory=dict)
    details: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    missing: Sequence[tuple[str, ...]] = ()
    languages: Sequence[str] = ()

    def at(self, places: NDArray[np.intp], name: str) -> SystemScores:
        """Return those at some places, in their order, as the scores of a system."""
        numbers = places.tolist()

        def taken(some: Sequence[T]) -> list[T]:
            return [some[number] for number in numbers] if some else []

        return SystemScores(
            name,
            taken(self.texts),
            {metric: rows[places] for metric, rows in self.statistics.items()},
            None if self.detections is None else taken(self.detections),
            {n: self.unlinked[number] for n, number in enumerate(numbers) if number in self.unlinked},
            {metric: taken(found) for metric, found in self.details.items()},
            taken(self.missing),
            taken(self.languages),
        )


@dataclass(frozen=True, slots=True)
class Scored:
    """Systems scored on a corpus or a part of it: all that tables, segments and tests read."""

    examples: Sequence[Example]
    metrics: tuple[Metric[Any], ...]
    systems: tuple[SystemScores, ...]

    @property
    def signature(self) -> Signature:
        """The settings of all metrics."""
        return Signature.joined((metric.name, metric.signature()) for metric in self.metrics)


def joined(parts: Sequence[Scored]) -> Scored:
    """Join the parts of a corpus, at least one."""
    first = parts[0]
    starts = np.cumsum([0, *(len(part.examples) for part in parts[:-1])]).tolist()

    def of_system(own: Sequence[SystemScores]) -> SystemScores:
        kept = [one.detections for one in own if one.detections is not None]
        return SystemScores(
            own[0].name,
            tuple(text for one in own for text in one.texts),
            {name: np.concatenate([one.statistics[name] for one in own]) for name in own[0].statistics},
            [found for some in kept for found in some] if kept else None,
            {
                start + n: why
                for start, one in zip(starts, own, strict=True)
                for n, why in one.unlinked.items()
            },
            {name: [found for one in own for found in one.details[name]] for name in own[0].details},
            [lacking for one in own for lacking in one.missing],
            [language for one in own for language in one.languages],
        )

    systems = zip(*(part.systems for part in parts), strict=True)
    examples = [example for part in parts for example in part.examples]
    return Scored(examples, first.metrics, tuple(map(of_system, systems)))


@dataclass(frozen=True, slots=True)
class Sums:
    """Exact totals of some texts of a system, one per metric.

    Figures are computed from them alone, however the texts were cut.
    """

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
