"""Tests of whether one metric agrees better with people than another, on the same texts."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, sqrt

from esascore.errors import DataError
from esascore.stats._scipy import scipy_stats

_LEAST = 4


@dataclass(frozen=True, slots=True)
class TestResult:
    """A test statistic with its two-sided p-value; ``undefined`` says why there is none."""

    __test__ = False  # no test of pytest's

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
    if n < _LEAST:
        return TestResult(undefined=f"{n} pairs are too few: at least {_LEAST} are needed")
    determinant = 1 - r_12**2 - r_13**2 - r_23**2 + 2 * r_12 * r_13 * r_23
    mean = (r_12 + r_13) / 2
    scale = 2 * determinant * (n - 1) / (n - 3) + mean**2 * (1 - r_23) ** 3
    if scale <= 0 or r_23 >= 1:
        return TestResult(undefined="the two metrics are the same up to scale")
    statistic = (r_12 - r_13) * sqrt((n - 1) * (1 + r_23) / scale)
    p = float(2 * scipy_stats("Williams' test").t.sf(abs(statistic), n - 3))
    return TestResult(statistic, p)


def mcnemar(only_first: int, only_second: int) -> TestResult:
    """Test whether two metrics differ in pairwise accuracy: McNemar's exact test.

    Parameters
    ----------
    only_first, only_second
        Number of pairs of texts that only the first, only the second metric orders as people do.

    Returns
    -------
    TestResult
        Its statistic is the smaller of the two numbers.

    Examples
    --------
    >>> mcnemar(1, 9).p
    0.021484375
    """
    if only_first < 0 or only_second < 0:
        raise DataError("numbers of pairs cannot be negative")
    n, less = only_first + only_second, min(only_first, only_second)
    if not n:
        return TestResult(undefined="the two metrics decide every pair in the same way")
    tail = sum(comb(n, k) for k in range(less + 1))
    return TestResult(float(less), min(1.0, 2 * tail / 2**n))
