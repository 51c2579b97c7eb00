"""Systems compared with a baseline: intervals of every figure, and how likely chance made a difference."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from esascore.errors import DataError, UsageError
from esascore.metrics.base import plain
from esascore.stats.resampling import (
    LEAST_DEFINED,
    RESAMPLES,
    bootstrap_sums,
    cluster_sums,
    interval,
    swap_sums,
)

if TYPE_CHECKING:
    from esascore.metrics.base import Metric, Statistics

Test = Literal["bootstrap", "randomisation"]
"""How p-values are found: paired bootstrap or paired approximate randomisation."""

LEVEL = 0.05
# Sums of the same numbers in another order differ in the last bits; that makes no difference larger.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Compared:
    """One figure of one system.

    Attributes
    ----------
    value
        The figure; None if it is undefined.
    interval
        Its 95% confidence interval by bootstrap; None if it has none.
    p
        P-value of its difference from the baseline; None for the baseline itself, without one,
        and where either figure is undefined.
    p_holm
        The same, corrected for the number of systems compared.
    """

    value: float | None
    interval: tuple[float, float] | None
    p: float | None = None
    p_holm: float | None = None


def compare(
    metric: Metric[Any],
    statistics: Sequence[Statistics],
    *,
    baseline: int | None = None,
    test: Test = "randomisation",
    resamples: int = RESAMPLES,
    seed: int = 0,
    clusters: Sequence[Hashable] | None = None,
) -> list[dict[str, Compared]]:
    """Compare the figures of systems that were scored on the same segments.

    Parameters
    ----------
    metric
        The metric that made the statistics.
    statistics
        Per system one row for each segment, segments in the same order.
    baseline
        Position of the system with which the others are compared; None gives intervals only.
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
    list
        Per system, figure -> result. A figure whose value is undefined in more than 5% of the resamples has
        neither an interval nor a p-value.

    Examples
    --------
    >>> import numpy as np
    >>> from esascore.metrics.esa import ESA
    >>> full, half = np.tile([2, 0, 0], (50, 1)), np.tile([2, 1, 0], (50, 1))
    >>> found = compare(ESA(), [full, half], baseline=0)[1]["esa_c"]
    >>> found.value, found.interval, found.p_holm < LEVEL
    (0.5, (0.5, 0.5), True)
    """
    check_comparable(statistics, test)
    if baseline is not None and not 0 <= baseline < len(statistics):
        raise UsageError(f"there is no system {baseline}: {len(statistics)} systems are compared")
    summed = [cluster_sums(metric.summands(rows), clusters) for rows in statistics]
    if not summed or not len(summed[0]):
        return [{} for _ in summed]
    real = [metric.figures(rows.sum(axis=0)) for rows in summed]
    # All systems in one array: every draw is made once and is the same for all.
    sums = bootstrap_sums(np.stack(summed, axis=1), resamples=resamples, seed=seed)
    drawn = [metric.figures(sums[:, place]) for place in range(len(summed))]
    p_values: list[dict[str, float | None]] = [{} for _ in summed]
    for place, rows in enumerate(summed):
        if baseline is None or place == baseline:
            continue
        ours, theirs = drawn[place], drawn[baseline]
        if test == "randomisation":
            swapped = swap_sums(rows, summed[baseline], resamples=resamples, seed=seed)
            ours, theirs = metric.figures(swapped[0]), metric.figures(swapped[1])
        for name, value in real[place].items():
            p_values[place][name] = p_value(
                ours[name] - theirs[name], value - real[baseline][name], centred=test == "bootstrap"
            )
    corrected = {name: holm([found.get(name) for found in p_values]) for name in real[0]}
    results: list[dict[str, Compared]] = [{} for _ in summed]
    for place, figures in enumerate(real):
        for name, figure in plain(figures).items():
            ends = None if figure is None else interval(drawn[place][name])
            results[place][name] = Compared(figure, ends, p_values[place].get(name), corrected[name][place])
    return results


def check_comparable(statistics: Sequence[Statistics], test: str) -> None:
    """Reject a test that does not exist, and systems with different numbers of segments."""
    if test not in get_args(Test):
        raise UsageError(f"the test must be {' or '.join(get_args(Test))}, not {test!r}")
    for rows in statistics:
        if len(rows) != len(statistics[0]):
            raise DataError(
                f"{len(statistics[0])} and {len(rows)} segments cannot be paired: the numbers must be equal"
            )


def p_value(differences: NDArray[np.float64], real: NDArray[np.float64], *, centred: bool) -> float | None:
    """Share of resampled differences at least as large as the real one, which counts as one of them."""
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
