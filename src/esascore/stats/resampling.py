"""Resampling of segments: weighted sums of their summands over many draws at once.

Corpus figures are functions of sums over segments, so a draw need not be scored text by text: one product of
a matrix of weights with the matrix of summands gives the sums of many draws. Segments of one cluster (texts
of the same input) are drawn, or swapped, together.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from esascore.errors import DataError, UsageError

CONFIDENCE = 0.95
RESAMPLES = 1000
LEAST_DEFINED = 0.95
"""Share of the resamples in which a figure must be defined to have an interval and a p-value."""

_TAILS = (0.025, 0.975)
_BLOCK = 2**22  # weights held in memory at once


def cluster_sums(
    summands: NDArray[np.float64], clusters: Sequence[Hashable] | None = None
) -> NDArray[np.float64]:
    """Add up the rows of each cluster, clusters in order of first appearance; without any, the rows.

    Examples
    --------
    >>> import numpy as np
    >>> cluster_sums(np.array([[1.0], [2.0], [4.0]]), ["a", "b", "a"]).tolist()
    [[5.0], [2.0]]
    """
    rows = np.asarray(summands, np.float64)
    if clusters is None:
        return rows
    if len(clusters) != len(rows):
        raise DataError(f"{len(rows)} segments, but {len(clusters)} clusters: each segment needs one")
    numbers: dict[Hashable, int] = {}
    places = [numbers.setdefault(cluster, len(numbers)) for cluster in clusters]
    sums = np.zeros((len(numbers), *rows.shape[1:]), np.float64)
    np.add.at(sums, np.array(places, np.intp), rows)
    return sums


def bootstrap_sums(
    rows: NDArray[np.float64], *, resamples: int = RESAMPLES, seed: int = 0
) -> NDArray[np.float64]:
    """Return sums of n rows drawn with replacement: (n, ...) becomes (resamples, ...).

    Equal numbers of rows and resamples and an equal seed give the same draws, so results of several systems
    are paired. A single row says nothing about other draws: its sums are NaN.

    Examples
    --------
    >>> import numpy as np
    >>> sums = bootstrap_sums(np.array([[1.0, 2.0], [3.0, 6.0]]), resamples=4, seed=1)
    >>> sums.shape, bool(np.all(sums[:, 1] == 2 * sums[:, 0]))
    ((4, 2), True)
    """
    if len(rows) == 1:
        return np.full((resamples, *rows.shape[1:]), np.nan)
    shares = np.full(len(rows), 1 / max(len(rows), 1))
    return _sums(rows, resamples, seed, lambda rng, size: rng.multinomial(len(rows), shares, size=size[0]))


def coin_sums(rows: NDArray[np.float64], *, resamples: int = RESAMPLES, seed: int = 0) -> NDArray[np.float64]:
    """Return sums of the rows that a fair coin chooses: (n, ...) becomes (resamples, ...).

    Equal numbers of rows and resamples and an equal seed give the same choices.

    Examples
    --------
    >>> import numpy as np
    >>> sums = coin_sums(np.array([[1.0, 2.0], [4.0, 8.0]]), resamples=50, seed=1)
    >>> sorted(set(sums[:, 0].tolist())), bool(np.all(sums[:, 1] == 2 * sums[:, 0]))
    ([0.0, 1.0, 4.0, 5.0], True)
    """
    return _sums(rows, resamples, seed, lambda rng, size: rng.integers(0, 2, size=size, dtype=np.int8))


def interval(
    values: NDArray[np.float64], *, least_defined: float = LEAST_DEFINED
) -> tuple[float, float] | None:
    """The middle 95 percent of resampled values; None if too small a share of them is defined.

    Examples
    --------
    >>> import numpy as np
    >>> interval(np.arange(101) / 100)
    (0.025, 0.975)
    >>> interval(np.array([np.nan, 1.0])) is None
    True
    """
    defined = values[~np.isnan(values)]
    if not defined.size or defined.size < least_defined * values.size:
        return None
    low, high = np.quantile(defined, _TAILS).tolist()
    return low, high


def _sums(
    rows: NDArray[np.float64],
    resamples: int,
    seed: int,
    weights: Callable[[np.random.Generator, tuple[int, int]], NDArray[Any]],
) -> NDArray[np.float64]:
    """Weight the rows anew for each resample, as many at once as fit into memory, and add them up."""
    if resamples < 1:
        raise UsageError(f"at least one resample is needed, not {resamples}")
    flat = rows.reshape(len(rows), -1)
    rng = np.random.default_rng(seed)
    step = max(1, _BLOCK // max(1, len(rows)))
    sizes = [(min(step, resamples - start), len(rows)) for start in range(0, resamples, step)]
    parts = [weights(rng, size).astype(np.float64) @ flat for size in sizes]
    return np.concatenate(parts).reshape(resamples, *rows.shape[1:])
