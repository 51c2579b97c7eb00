"""Confidence intervals by bootstrap, where texts come in clusters.

The texts of one input share its entities, so inputs are drawn with replacement, each with all of its texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CONFIDENCE = 0.95
_TAILS = (0.025, 0.975)
_BLOCK = 2**22  # weights that are held at once


def resampled(
    rows: NDArray[np.int64], clusters: Sequence[int], *, resamples: int = 1000, seed: int = 0
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
    import numpy as np

    names, places = np.unique(np.asarray(clusters), return_inverse=True)
    sums = np.zeros((len(names), *rows.shape[1:]), dtype=np.float64)
    np.add.at(sums, places, rows)
    flat = sums.reshape(len(names), -1)
    rng = np.random.default_rng(seed)
    parts = []
    step = max(1, _BLOCK // max(1, len(names)))
    for start in range(0, resamples, step):
        number = min(step, resamples - start)
        weights = rng.multinomial(len(names), np.full(len(names), 1 / len(names)), size=number)
        parts.append(weights.astype(np.float64) @ flat)
    return np.concatenate(parts).reshape(resamples, *rows.shape[1:])


def interval(values: NDArray[np.float64]) -> tuple[float, float] | None:
    """The middle 95 percent of values; None where no value is defined.

    Examples
    --------
    >>> import numpy as np
    >>> interval(np.arange(101) / 100)
    (0.025, 0.975)
    >>> interval(np.array([np.nan])) is None
    True
    """
    import numpy as np

    defined = values[~np.isnan(values)]
    if not defined.size:
        return None
    low, high = np.quantile(defined, _TAILS).tolist()
    return low, high


def figures(sums: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    """Precision, recall and F1 of many sums of (annotated, detected, right) at once, NaN where undefined.

    Examples
    --------
    >>> import numpy as np
    >>> {name: float(value) for name, value in figures(np.array([4.0, 2.0, 2.0])).items()}
    {'precision': 1.0, 'recall': 0.5, 'f1': 0.6666666666666666}
    """
    import numpy as np

    gold, found, right = np.moveaxis(sums, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = {"precision": right / found, "recall": right / gold, "f1": 2 * right / (gold + found)}
    return {name: np.asarray(ratio, np.float64) for name, ratio in ratios.items()}
