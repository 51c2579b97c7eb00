"""Correlations of two lists of numbers, with p-values and intervals; if there is none, the reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import atanh, sqrt, tanh
from statistics import NormalDist
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, get_args

from esascore.errors import DataError, UsageError
from esascore.stats._scipy import scipy_stats

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CorrelationKind = Literal["pearson", "spearman", "kendall"]
CORRELATIONS: tuple[CorrelationKind, ...] = get_args(CorrelationKind)
_LEAST = 3
_Z = NormalDist().inv_cdf(0.975)
_CONSTANT = 1e-13  # relative spread below which values differ by rounding only


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
    (Bonett and Wright 2000), 0.437 / (n - 4) for Kendall's tau-b (Fieller et al. 1957). They take the pairs
    for independent.

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
    import numpy as np

    first, second = np.asarray(x, np.float64), np.asarray(y, np.float64)
    if kind not in _VARIANCES:
        raise UsageError(f"there is no correlation {kind!r}; known: {', '.join(_VARIANCES)}")
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
    stats = scipy_stats("Correlation")
    functions = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}
    found = functions[kind](first, second)
    value, p = float(found.statistic), float(found.pvalue)
    return Correlation(n, value, p, _interval(value, n, _VARIANCES[kind]))


def pearson_rows(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pearson correlation along the last axis, NaN if it is undefined.

    Examples
    --------
    >>> import numpy as np
    >>> pearson_rows(np.array([[1.0, 2, 3], [1, 1, 1]]), np.array([[2.0, 4, 6], [1, 2, 3]])).round(6).tolist()
    [1.0, nan]
    """
    import numpy as np

    def centred(values: NDArray[np.float64]) -> NDArray[np.float64]:
        constant = np.ptp(values, axis=-1) <= _CONSTANT * np.abs(values).max(axis=-1)
        moved = values - values.mean(axis=-1, keepdims=True)
        return np.asarray(np.where(constant[..., None], np.nan, moved), np.float64)

    a, b = centred(x), centred(y)
    return np.asarray((a * b).sum(axis=-1) / np.sqrt((a * a).sum(axis=-1) * (b * b).sum(axis=-1)), np.float64)


def _interval(
    value: float, n: int, variance: Callable[[float, int], float | None]
) -> tuple[float, float] | None:
    spread = variance(value, n)
    if spread is None or abs(value) >= 1 - _CONSTANT:
        return None
    margin = _Z * sqrt(spread)
    return tanh(atanh(value) - margin), tanh(atanh(value) + margin)


_VARIANCES: Mapping[str, Callable[[float, int], float | None]] = MappingProxyType(
    {
        "pearson": lambda _, n: 1 / (n - 3) if n > 3 else None,
        "spearman": lambda r, n: (1 + r * r / 2) / (n - 3) if n > 3 else None,
        "kendall": lambda _, n: 0.437 / (n - 4) if n > 4 else None,
    }
)
