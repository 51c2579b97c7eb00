"""Precision, recall and F1 with their confidence intervals, by bootstrap.

The texts of one input share its entities, so inputs are drawn with replacement, each with all of its texts.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from esascore.metrics.base import ratio
from esascore.stats.resampling import CONFIDENCE, RESAMPLES, bootstrap_sums, cluster_sums, interval

L = TypeVar("L", bound=Hashable)


def resampled(
    rows: NDArray[np.int64], clusters: Sequence[Hashable], *, resamples: int = RESAMPLES, seed: int = 0
) -> NDArray[np.float64]:
    """Sums of rows over draws of clusters, (resamples, ...).

    Equal clusters, number and seed give the same draws, so results of two detectors can be paired.

    Examples
    --------
    >>> import numpy as np
    >>> sums = resampled(np.array([[1, 2], [1, 2], [3, 6]]), [0, 0, 1], resamples=4, seed=1)
    >>> sums.shape, bool(np.all(sums[:, 1] == 2 * sums[:, 0]))
    ((4, 2), True)
    """
    return bootstrap_sums(cluster_sums(rows.astype(np.float64), clusters), resamples=resamples, seed=seed)


def intervals(drawn: Mapping[str, NDArray[np.float64]]) -> dict[str, list[float] | None]:
    """Return the middle 95 percent of the defined values of each figure; None if no value is defined.

    Examples
    --------
    >>> import numpy as np
    >>> intervals({"recall": np.arange(101) / 100, "precision": np.array([np.nan])})
    {'recall': [0.025, 0.975], 'precision': None}
    """
    found = {name: interval(values, least_defined=0) for name, values in drawn.items()}
    return {name: None if ends is None else list(ends) for name, ends in found.items()}


def positions_by(labels: Iterable[L]) -> dict[L, list[int]]:
    """Return where each of some labels stands.

    Examples
    --------
    >>> positions_by(["a", "b", "a"])
    {'a': [0, 2], 'b': [1]}
    """
    found: dict[L, list[int]] = {}
    for position, label in enumerate(labels):
        found.setdefault(label, []).append(position)
    return found


def with_settings(found: Mapping[str, Any], resamples: int, seed: int) -> dict[str, Any]:
    """Return what ``ci`` holds: how intervals were found, and the intervals."""
    return {"confidence": CONFIDENCE, "resamples": resamples, "seed": seed, **found}


def difference(old: float | None, new: float | None) -> float | None:
    """Return how much larger the new value is; None if one is undefined."""
    return None if old is None or new is None else new - old


def figures(sums: NDArray[Any]) -> dict[str, NDArray[np.float64]]:
    """Precision, recall and F1 of many sums of (annotated, detected, right) at once, NaN where undefined.

    A number that has no meaning is NaN: no annotated mention belongs to a method of detection.

    Examples
    --------
    >>> import numpy as np
    >>> {name: float(value) for name, value in figures(np.array([4.0, 2.0, 2.0])).items()}
    {'precision': 1.0, 'recall': 0.5, 'f1': 0.6666666666666666}
    """
    gold, found, right = np.moveaxis(sums, -1, 0)
    return {
        "precision": ratio(right, found),
        "recall": ratio(right, gold),
        "f1": ratio(2 * right, gold + found),
    }
