"""All systems compared with each other: p-values of every pair, ranges of ranks, and clusters."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

from esascore.stats.comparison import LEVEL, Compared, Pair, Test, differences, holm
from esascore.stats.resampling import RESAMPLES

if TYPE_CHECKING:
    from esascore.metrics.base import Metric, Statistics

RESAMPLES_PER_PAIR = 100
"""The smallest p-value is about 1 / resamples, and the correction multiplies it with the number of pairs."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """The p-values of one figure by pair of systems, as tested and corrected; None where undefined."""

    p: Mapping[Pair, float | None]
    p_holm: Mapping[Pair, float | None]


@dataclass(frozen=True, slots=True)
class Rank:
    """The best and the worst rank that a system can have, and the cluster it is in, all counted from 1."""

    best: int
    worst: int
    cluster: int


def enough_resamples(systems: int, resamples: int = RESAMPLES) -> int:
    """Number of resamples with which pairs can differ significantly after correction.

    Examples
    --------
    >>> enough_resamples(3), enough_resamples(20), enough_resamples(20, 50_000)
    (1000, 19000, 50000)
    """
    return max(resamples, RESAMPLES_PER_PAIR * systems * (systems - 1) // 2)


def compare_pairs(
    metric: Metric[Any],
    statistics: Sequence[Statistics],
    *,
    test: Test = "randomisation",
    resamples: int = RESAMPLES,
    seed: int = 0,
    clusters: Sequence[Hashable] | None = None,
) -> tuple[list[dict[str, Compared]], dict[str, Pairs]]:
    """Compare every system with every other one.

    Parameters are those of `esascore.stats.comparison.compare`. All pairs see the same draws, which are
    those of a comparison with a baseline: its p-values are the same.

    Returns
    -------
    tuple
        Per system, figure -> value and interval; and figure -> p-values of the pairs, corrected over all.

    Examples
    --------
    >>> import numpy as np
    >>> from esascore.metrics.esa import ESA
    >>> full, half = np.tile([2, 0, 0], (50, 1)), np.tile([2, 1, 0], (50, 1))
    >>> _, pairs = compare_pairs(ESA(), [full, half, half])
    >>> {pair: p < LEVEL for pair, p in pairs["esa_c"].p_holm.items()}
    {(0, 1): True, (0, 2): True, (1, 2): False}
    """
    alone, p_values = differences(
        metric, statistics, list(combinations(range(len(statistics)), 2)),
        test=test, resamples=resamples, seed=seed, clusters=clusters,
    )  # fmt: skip
    return alone, {
        name: Pairs(found, dict(zip(found, holm(list(found.values())), strict=True)))
        for name, found in p_values.items()
    }


def ranks(
    values: Sequence[float | None],
    p_values: Mapping[Pair, float | None],
    better: Literal["higher", "lower"] = "higher",
) -> list[Rank | None]:
    """Rank systems by one figure, as the shared tasks of WMT do.

    A system's best rank is one more than the number of systems that are significantly better, its worst rank
    the number of systems that are not significantly worse. A cluster ends where all systems above are
    significantly better than all below.

    Parameters
    ----------
    values
        The figure of each system; None has no rank.
    p_values
        Corrected p-values by pair of positions, the smaller position first.
    better
        Which way the figure improves.

    Examples
    --------
    >>> ranks([0.7, 0.9, 0.8], {(0, 1): 0.01, (0, 2): 0.02, (1, 2): 0.4})
    [Rank(best=3, worst=3, cluster=2), Rank(best=1, worst=2, cluster=1), Rank(best=1, worst=2, cluster=1)]
    """
    sign = 1 if better == "higher" else -1
    merits = {place: sign * value for place, value in enumerate(values) if value is not None}

    def beats(one: int, other: int) -> bool:
        p = p_values.get((min(one, other), max(one, other)))
        return p is not None and p < LEVEL and merits[one] > merits[other]

    order = sorted(merits, key=lambda place: -merits[place])
    found: list[Rank | None] = [None] * len(values)
    cluster = 1
    for at, place in enumerate(order):
        if at and all(beats(above, below) for above in order[:at] for below in order[at:]):
            cluster += 1
        best = 1 + sum(beats(other, place) for other in order)
        worst = len(order) - sum(beats(place, other) for other in order)
        found[place] = Rank(best, worst, cluster)
    return found
