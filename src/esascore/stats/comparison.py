"""Systems compared with a baseline or with each other: intervals, p-values of differences, ranks."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from esascore.errors import DataError, UsageError
from esascore.metrics.base import Metric, Statistics, plain
from esascore.stats.resampling import (
    LEAST_DEFINED,
    RESAMPLES,
    bootstrap_sums,
    cluster_sums,
    coin_sums,
    interval,
)

Test = Literal["bootstrap", "randomisation"]
"""How p-values are found: paired bootstrap or paired approximate randomisation."""

Pair = tuple[int, int]
"""Positions of two systems."""

LEVEL = 0.05
# Sums of the same numbers in another order differ in the last bits; that must not make a difference larger.
_ROUNDING = 1e-9

RESAMPLES_PER_PAIR = 100
"""Resamples for each pair: the smallest p-value is about 1 / resamples, and the correction multiplies it."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One figure of one system, and its 95% confidence interval by bootstrap; None where undefined."""

    value: float | None
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Pairs:
    """The p-values of one figure by pair of systems, as tested and corrected; None where undefined."""

    p: Mapping[Pair, float | None]
    p_holm: Mapping[Pair, float | None]


def compare(
    metric: Metric[Any],
    statistics: Sequence[Statistics],
    pairs: Sequence[Pair] = (),
    *,
    test: Test = "randomisation",
    resamples: int = RESAMPLES,
    seed: int = 0,
    clusters: Sequence[Hashable] | None = None,
) -> tuple[list[dict[str, Compared]], dict[str, Pairs]]:
    """Compare the figures of systems that were scored on the same segments.

    All pairs use the same draws, so the p-values of a pair do not depend on other pairs; only the correction
    does.

    Parameters
    ----------
    metric
        The metric that made the statistics.
    statistics
        Per system one row for each segment, segments in the same order.
    pairs
        Positions of the systems to be compared with each other; without any there are intervals only.
    test
        ``"randomisation"``: how often is the difference as large, in either direction, when texts are
        swapped between the two systems at random? ``"bootstrap"``: how often do the absolute differences of
        resampled corpora exceed their mean by as much? The latter is the paired bootstrap as sacrebleu
        computes it; it looks at one tail, so its p-values are about half as large.
    resamples, seed
        Number of resamples and the seed of the random numbers: equal ones give equal results.
    clusters
        Per segment a value that is equal for segments that belong together (the input).

    Returns
    -------
    tuple
        Per system, figure -> value and interval; and figure -> p-values of the pairs, corrected over all. A
        figure whose value is undefined in more than 5% of the resamples has neither an interval nor a
        p-value.

    Examples
    --------
    >>> import numpy as np
    >>> from esascore.metrics.esa import ESA
    >>> full, half = np.tile([2, 0, 0], (50, 1)), np.tile([2, 1, 0], (50, 1))
    >>> alone, pairs = compare(ESA(), [full, half, half], [(0, 1), (0, 2), (1, 2)])
    >>> alone[1]["esa_c"]
    Compared(value=0.5, interval=(0.5, 0.5))
    >>> {pair: p < LEVEL for pair, p in pairs["esa_c"].p_holm.items()}
    {(0, 1): True, (0, 2): True, (1, 2): False}
    """
    if test not in get_args(Test):
        raise UsageError(f"the test must be {' or '.join(get_args(Test))}, not {test!r}")
    for segments in statistics:
        if len(segments) != len(statistics[0]):
            raise DataError(
                f"{len(statistics[0])} and {len(segments)} segments cannot be paired: "
                "the numbers must be equal"
            )
    summed = [cluster_sums(metric.summands(rows), clusters) for rows in statistics]
    if not summed or not len(summed[0]):
        return [{} for _ in summed], {}
    # All systems in one array: every draw is made once and is the same for all.
    rows = np.stack(summed, axis=1)
    real = [metric.figures(one.sum(axis=0)) for one in summed]
    sums = bootstrap_sums(rows, resamples=resamples, seed=seed)
    drawn = [metric.figures(sums[:, place]) for place in range(len(summed))]
    results = [
        {
            name: Compared(value, None if value is None else interval(own[name]))
            for name, value in plain(figures).items()
        }
        for figures, own in zip(real, drawn, strict=True)
    ]
    totals = rows.sum(axis=0)
    by_coin = test == "randomisation" and bool(pairs)
    chosen = coin_sums(rows, resamples=resamples, seed=seed) if by_coin else sums
    p_values: dict[str, dict[Pair, float | None]] = {name: {} for name in real[0]}
    for one, other in pairs:
        ours, theirs = drawn[one], drawn[other]
        if by_coin:  # texts that the coin chose are swapped
            moved = chosen[:, other] - chosen[:, one]
            ours, theirs = metric.figures(totals[one] + moved), metric.figures(totals[other] - moved)
        for name, found in p_values.items():
            difference = real[one][name] - real[other][name]
            found[one, other] = p_value(ours[name] - theirs[name], difference, centred=not by_coin)
    corrected = {name: holm(list(found.values())) for name, found in p_values.items()}
    return results, {
        name: Pairs(found, dict(zip(found, corrected[name], strict=True))) for name, found in p_values.items()
    }


def p_value(differences: NDArray[np.float64], real: NDArray[np.float64], *, centred: bool) -> float | None:
    """Return the share of resampled differences at least as large as the real one, which is counted, too."""
    defined = differences[~np.isnan(differences)]
    if np.isnan(real) or defined.size < LEAST_DEFINED * differences.size:
        return None
    strayed = np.abs(defined)
    if centred:
        strayed -= strayed.mean()
    size = float(abs(real))
    return float((np.sum(strayed >= size - _ROUNDING * max(size, 1e-3)) + 1) / (defined.size + 1))


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Adjust p-values by the step-down procedure of Holm (1979); undefined ones stay and do not count.

    An adjusted value below a level may be rejected at that level; the chance of any false rejection among
    all of them is then at most the level.

    Examples
    --------
    >>> holm([0.01, 0.04, None, 0.03])
    [0.03, 0.06, None, 0.06]
    """
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    largest = 0.0
    for rank, (p, place) in enumerate(known):
        largest = max(largest, min(1.0, p * (len(known) - rank)))
        adjusted[place] = largest
    return adjusted


@dataclass(frozen=True, slots=True)
class Rank:
    """The best and worst possible rank of a system, and its cluster, all counted from 1."""

    best: int
    worst: int
    cluster: int


def enough_resamples(systems: int, resamples: int = RESAMPLES) -> int:
    """Return the number of resamples needed for pairs to differ significantly after correction.

    Examples
    --------
    >>> enough_resamples(3), enough_resamples(20), enough_resamples(20, 50_000)
    (1000, 19000, 50000)
    """
    return max(resamples, RESAMPLES_PER_PAIR * systems * (systems - 1) // 2)


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
