"""Correlation over systems: of their mean scores with their mean ratings, over draws of the inputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from esascore.errors import DataError
from esascore.stats.correlation import pearson_rows
from esascore.stats.resampling import bootstrap_sums, interval

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SAMPLES = 500
_LEAST = 3


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
    import numpy as np

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
