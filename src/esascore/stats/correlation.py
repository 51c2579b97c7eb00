"""Correlations with p-values and intervals: of lists of numbers, of two metrics with ratings, over systems.

The agreement between people is the ceiling for any metric that is compared with them.

If there is none, the result says why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import atanh, sqrt, tanh
from statistics import NormalDist
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from esascore.errors import DataError, UsageError, import_extra
from esascore.stats.resampling import bootstrap_sums, interval

CorrelationKind = Literal["pearson", "spearman", "kendall"]
CORRELATIONS: tuple[CorrelationKind, ...] = get_args(CorrelationKind)
_LEAST, _LEAST_DEPENDENT = 3, 4
"""Pairs that a correlation needs, and a comparison of two that share a variable."""
_Z = NormalDist().inv_cdf(0.975)
_CONSTANT = 1e-13  # relative spread below which values differ only by rounding

SAMPLES = 500


@dataclass(frozen=True, slots=True)
class Correlation:
    """A correlation coefficient.

    Attributes
    ----------
    n
        Number of pairs.
    value, p
        The coefficient and its two-sided p-value; None if they are undefined.
    interval
        95% confidence interval; None if it is undefined (too few pairs, perfect correlation).
    undefined
        Why there is no coefficient; None if there is one.
    """

    n: int
    value: float | None = None
    p: float | None = None
    interval: tuple[float, float] | None = None
    undefined: str | None = None


def correlation(x: Sequence[float], y: Sequence[float], kind: CorrelationKind = "pearson") -> Correlation:
    """Correlate two lists of numbers.

    Intervals are by Fisher's z: with variance 1 / (n - 3) for Pearson, (1 + r^2 / 2) / (n - 3) for Spearman
    (Bonett and Wright 2000), 0.437 / (n - 4) for Kendall's tau-b (Fieller et al. 1957). They assume that the
    pairs are independent.

    Raises
    ------
    DataError
        If the lists differ in length or hold numbers that are not finite.

    Examples
    --------
    >>> found = correlation([1, 2, 3, 4, 5], [1, 2, 3, 5, 4], "spearman")
    >>> round(found.value, 2), found.n
    (0.9, 5)
    >>> correlation([1, 1, 1], [1, 2, 3]).undefined
    'all values of the first list are equal'
    """
    first, second = np.asarray(x, np.float64), np.asarray(y, np.float64)
    if kind not in CORRELATIONS:
        raise UsageError(f"there is no correlation {kind!r}; known: {', '.join(CORRELATIONS)}")
    if first.shape != second.shape or first.ndim != 1:
        raise DataError(f"{len(first)} and {len(second)} values cannot be paired: the numbers must be equal")
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise DataError("a correlation needs finite numbers: leave out pairs without a value")
    n = len(first)
    if n < _LEAST:
        return Correlation(n, undefined=f"{n} pairs are too few: at least {_LEAST} are needed")
    for values, name in ((first, "first"), (second, "second")):
        if np.ptp(values) <= _CONSTANT * np.abs(values).max():
            return Correlation(n, undefined=f"all values of the {name} list are equal")
    stats = import_extra("Correlation", "scipy.stats", extra="stats")
    functions = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
    found = functions[kind](first, second)
    value, p = float(found.statistic), float(found.pvalue)
    return Correlation(n, value, p, _interval(value, n, kind))


def pearson_rows(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pearson correlation along the last axis, NaN if it is undefined.

    Examples
    --------
    >>> import numpy as np
    >>> pearson_rows(np.array([[1.0, 2, 3], [1, 1, 1]]), np.array([[2.0, 4, 6], [1, 2, 3]])).round(6).tolist()
    [1.0, nan]
    """

    def centred(values: NDArray[np.float64]) -> NDArray[np.float64]:
        constant = np.ptp(values, axis=-1) <= _CONSTANT * np.abs(values).max(axis=-1)
        moved = values - values.mean(axis=-1, keepdims=True)
        return np.asarray(np.where(constant[..., None], np.nan, moved), np.float64)

    a, b = centred(x), centred(y)
    return np.asarray((a * b).sum(axis=-1) / np.sqrt((a * a).sum(axis=-1) * (b * b).sum(axis=-1)), np.float64)


def _interval(value: float, n: int, kind: CorrelationKind) -> tuple[float, float] | None:
    lost, variance = {"pearson": (3, 1.0), "spearman": (3, 1 + value * value / 2), "kendall": (4, 0.437)}[
        kind
    ]
    if n <= lost or abs(value) >= 1 - _CONSTANT:
        return None
    margin = _Z * sqrt(variance / (n - lost))
    return tanh(atanh(value) - margin), tanh(atanh(value) + margin)


@dataclass(frozen=True, slots=True)
class TestResult:
    """A test statistic with its two-sided p-value; ``undefined`` says why there is none."""

    __test__ = False  # not a test for pytest

    statistic: float | None = None
    p: float | None = None
    undefined: str | None = None


def williams(r_12: float, r_13: float, r_23: float, n: int) -> TestResult:
    """Test whether r_12 and r_13, two correlations that share a variable, differ (Williams 1959).

    Parameters
    ----------
    r_12, r_13
        Correlation of the ratings with the one and the other metric.
    r_23
        Correlation of the two metrics.
    n
        Number of texts (or systems).

    Examples
    --------
    >>> found = williams(0.9, 0.6, 0.7, 30)
    >>> round(found.statistic, 3), found.p < 0.001
    (4.477, True)
    """
    if not all(-1 <= r <= 1 for r in (r_12, r_13, r_23)):
        raise DataError("a correlation lies between -1 and 1")
    if n < _LEAST_DEPENDENT:
        return TestResult(undefined=f"{n} pairs are too few: at least {_LEAST_DEPENDENT} are needed")
    determinant = 1 - r_12**2 - r_13**2 - r_23**2 + 2 * r_12 * r_13 * r_23
    mean = (r_12 + r_13) / 2
    scale = 2 * determinant * (n - 1) / (n - 3) + mean**2 * (1 - r_23) ** 3
    if scale <= 0 or r_23 >= 1:
        return TestResult(undefined="the two metrics are the same up to scale")
    statistic = (r_12 - r_13) * sqrt((n - 1) * (1 + r_23) / scale)
    stats = import_extra("Williams' test", "scipy.stats", extra="stats")
    return TestResult(statistic, float(2 * stats.t.sf(abs(statistic), n - 3)))


@dataclass(frozen=True, slots=True)
class SystemCorrelation:
    """Pearson correlation over systems: on all inputs, and mean, deviation and interval over samples.

    ``undefined`` says why there is none.
    """

    systems: int
    value: float | None = None
    mean: float | None = None
    deviation: float | None = None
    interval: tuple[float, float] | None = None
    undefined: str | None = None


def system_correlation(
    scores: NDArray[np.float64], ratings: NDArray[np.float64], *, samples: int = SAMPLES, seed: int = 0
) -> SystemCorrelation:
    """Correlate the means of systems, (systems, inputs) each, NaN if a pair is missing.

    As in section 5.6 of the PARENT paper, inputs are drawn with replacement; a pair counts where it has both
    a score and a rating.

    Examples
    --------
    >>> import numpy as np
    >>> scores = np.array([[0.1, 0.2], [0.5, 0.4], [0.9, 0.7]])
    >>> system_correlation(scores, 2 * scores).mean.__round__(6)
    1.0
    """
    if scores.shape != ratings.shape:
        raise DataError(f"scores {scores.shape} and ratings {ratings.shape} cannot be paired")
    known = ~(np.isnan(scores) | np.isnan(ratings))
    heard = known.any(axis=1)
    number = int(heard.sum())
    if number < _LEAST:
        return SystemCorrelation(
            number, undefined=f"{number} systems are too few: at least {_LEAST} are needed"
        )
    known, scores, ratings = known[heard], scores[heard], ratings[heard]
    rows = np.stack([known, np.where(known, scores, 0.0), np.where(known, ratings, 0.0)], axis=-1)
    per_input = np.moveaxis(rows.astype(np.float64), 1, 0)

    def over_systems(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        with np.errstate(divide="ignore", invalid="ignore"):
            return pearson_rows(sums[..., 1] / sums[..., 0], sums[..., 2] / sums[..., 0])

    value = float(over_systems(per_input.sum(axis=0)))
    if np.isnan(value):
        return SystemCorrelation(number, undefined="all systems have the same mean")
    drawn = over_systems(bootstrap_sums(per_input, resamples=samples, seed=seed))
    defined = drawn[~np.isnan(drawn)]
    if not defined.size:
        return SystemCorrelation(number, value)
    return SystemCorrelation(number, value, float(defined.mean()), float(defined.std()), interval(drawn))


@dataclass(frozen=True, slots=True)
class Reliability:
    """Agreement of the people who rated the same texts.

    Attributes
    ----------
    texts, ratings
        Texts with at least two ratings, and their ratings.
    single
        ICC(1): reliability of one rating; None if it is undefined.
    average
        ICC(k): reliability of the mean rating of a text.
    one_against_rest
        Correlation of each rating with the mean of the others of its text.
    undefined
        Why there is no ICC; None if there is one.
    """

    texts: int
    ratings: int
    single: float | None
    average: float | None
    one_against_rest: Correlation
    undefined: str | None = None


def reliability(ratings: Sequence[Sequence[float]]) -> Reliability:
    """Intraclass correlation by one-way analysis of variance, and one rater against the rest.

    Parameters
    ----------
    ratings
        Per text the ratings it got. Raters and their number may differ from text to text; texts with fewer
        than two ratings do not count.

    Examples
    --------
    >>> found = reliability([[1, 1], [2, 3], [5, 5], [4, 5]])
    >>> round(found.single, 3), round(found.average, 3), found.texts
    (0.929, 0.963, 4)
    """
    groups = [list(map(float, group)) for group in ratings if len(group) > 1]
    n, total = len(groups), sum(map(len, groups))
    ones = [value for group in groups for value in group]
    rests = [(sum(group) - value) / (len(group) - 1) for group in groups for value in group]
    against = correlation(ones, rests)
    if n < 2:
        return Reliability(n, total, None, None, against, f"{n} texts with two ratings are too few")
    grand = sum(ones) / total
    means = [sum(group) / len(group) for group in groups]
    pairs = list(zip(groups, means, strict=True))
    between = sum(len(group) * (mean - grand) ** 2 for group, mean in pairs) / (n - 1)
    within = sum((value - mean) ** 2 for group, mean in pairs for value in group) / (total - n)
    if between == 0 and within == 0:
        return Reliability(n, total, None, None, against, "all ratings are equal")
    # With unequal numbers of ratings, this number makes the expectations of the mean squares correct.
    raters = (total - sum(len(group) ** 2 for group in groups) / total) / (n - 1)
    single = (between - within) / (between + (raters - 1) * within)
    average = (between - within) / between if between else None
    return Reliability(n, total, single, average, against)


def kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Cohen's kappa of pairs of verdicts; None if it is undefined.

    Examples
    --------
    >>> kappa([("a", "a"), ("a", "b"), ("b", "b"), ("b", "b")])
    0.5
    """
    if not pairs:
        return None
    number = len(pairs)
    observed = Fraction(sum(a == b for a, b in pairs), number)
    one, other = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    expected = Fraction(sum(one[verdict] * other[verdict] for verdict in one), number * number)
    return None if expected == 1 else float((observed - expected) / (1 - expected))


def wilson(score: Fraction, number: int) -> tuple[float, float]:
    """The 95% interval of the share ``score / number``, after Wilson.

    Examples
    --------
    >>> [round(bound, 3) for bound in wilson(Fraction(8), 10)]
    [0.49, 0.943]
    """
    z = 1.959963984540054
    share = float(score) / number
    middle = share + z * z / (2 * number)
    width = z * sqrt(share * (1 - share) / number + z * z / (4 * number * number))
    scale = 1 + z * z / number
    return max(0.0, (middle - width) / scale), min(1.0, (middle + width) / scale)
