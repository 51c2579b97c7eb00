"""Metrics against human ratings: correlations over texts and systems, reliability, and disagreements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from esascore.errors import DataError
from esascore.stats.correlation import (
    SAMPLES,
    Correlation,
    CorrelationKind,
    Reliability,
    SystemCorrelation,
    TestResult,
    correlation,
    reliability,
    system_correlation,
    williams,
)

Role = Literal["score", "rating", "metric"]
"""Where a variable comes from: a file of scores, people, or our metrics."""

SUBSETS = ("all", "non-blank", "undetected-1", "undetected-2")
"""All texts, those that are not blank, and those with at least one and two undetected entities."""

LOW_SCORE, HIGH_SCORE = 0.4, 0.9
_HIGH_RATING, _LOW_RATING = 0.5, 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """One number per text, (systems, inputs), NaN if there is none."""

    name: str
    role: Role
    values: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Study:
    """Rated texts with everything that is known of them.

    Attributes
    ----------
    systems, ids
        Names of the systems, ids of the inputs.
    variables
        Scores, then ratings, then metrics: the order of the matrices.
    rated
        Which texts have a rating, (systems, inputs).
    blank
        Which of them are blank.
    undetected
        Number of undetected entities.
    """

    systems: tuple[str, ...]
    ids: tuple[str, ...]
    variables: tuple[Variable, ...]
    rated: NDArray[np.bool_]
    blank: NDArray[np.bool_]
    undetected: NDArray[np.int64]

    def of(self, role: Role) -> list[Variable]:
        """Return the variables of a role."""
        return [variable for variable in self.variables if variable.role == role]

    def subset(self, name: str) -> NDArray[np.bool_]:
        """Return which texts belong to a subset."""
        masks = {
            "all": self.rated,
            "non-blank": self.rated & ~self.blank,
            "undetected-1": self.rated & (self.undetected >= 1),
            "undetected-2": self.rated & (self.undetected >= 2),
        }
        return masks[name]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A text that people rate well and a metric badly (``underrated``), or the reverse (``overrated``)."""

    kind: Literal["underrated", "overrated"]
    aspect: str
    metric: str
    system: int
    input: int
    rating: float
    score: float


def correlate_texts(study: Study, subset: str, kind: CorrelationKind) -> dict[tuple[str, str], Correlation]:
    """Correlate every pair of variables over the texts of a subset that have both."""
    mask = study.subset(subset)
    found = {}
    for first, second in combinations(study.variables, 2):
        known = mask & ~np.isnan(first.values) & ~np.isnan(second.values)
        x, y = (variable.values[known].tolist() for variable in (first, second))
        found[first.name, second.name] = correlation(x, y, kind)
    return found


def correlate_systems(
    study: Study, *, samples: int = SAMPLES, seed: int = 0
) -> dict[tuple[str, str], SystemCorrelation]:
    """Correlate systems' means of every metric and score with those of every aspect."""
    unrated = np.where(study.rated, 0.0, np.nan)
    return {
        (ours.name, aspect.name): system_correlation(
            ours.values + unrated, aspect.values, samples=samples, seed=seed
        )
        for ours in (*study.of("score"), *study.of("metric"))
        for aspect in study.of("rating")
    }


def compare_metrics(study: Study, subset: str = "all") -> dict[tuple[str, str, str], TestResult]:
    """Williams' test for every two metrics and aspect: (metric, other metric, aspect) -> result."""
    mask = study.subset(subset)
    found = {}
    for aspect in study.of("rating"):
        for one, other in combinations(study.of("metric"), 2):
            three = [variable.values for variable in (aspect, one, other)]
            known = mask & ~np.isnan(three).any(axis=0)
            a, b, c = (values[known].tolist() for values in three)
            pairs = [correlation(a, b), correlation(a, c), correlation(b, c)]
            missing = next((pair.undefined for pair in pairs if pair.undefined is not None), None)
            r_12, r_13, r_23 = (0.0 if pair.value is None else pair.value for pair in pairs)
            found[one.name, other.name, aspect.name] = (
                williams(r_12, r_13, r_23, len(a)) if missing is None else TestResult(undefined=missing)
            )
    return found


def disagreements(study: Study, metric: str) -> list[Disagreement]:
    """Return texts that a metric and people judge in opposite ways, for each aspect.

    Underrated: a score below 0.4 where the rating is in the upper half of the scale. Overrated: a score
    above 0.9 where the rating is in the lowest tenth of the scale. The scale of an aspect reaches from its
    lowest to its highest rating.
    """
    ours = next((variable for variable in study.of("metric") if variable.name == metric), None)
    if ours is None:
        raise DataError(f"there is no metric {metric!r} to compare with ratings")
    found = []
    for aspect in study.of("rating"):
        known = study.rated & ~np.isnan(ours.values) & ~np.isnan(aspect.values)
        rated = aspect.values[known]
        if not rated.size or not np.ptp(rated):
            continue  # all ratings are equal, so no score can disagree with them
        low, scale = float(rated.min()), float(np.ptp(rated))
        cases: Mapping[Literal["underrated", "overrated"], NDArray[np.bool_]] = {
            "underrated": (aspect.values >= low + _HIGH_RATING * scale) & (ours.values < LOW_SCORE),
            "overrated": (aspect.values <= low + _LOW_RATING * scale) & (ours.values > HIGH_SCORE),
        }
        for kind, mask in cases.items():
            for system, input_ in np.argwhere(known & mask).tolist():
                rating, score = float(aspect.values[system, input_]), float(ours.values[system, input_])
                case = Disagreement(
                    kind, aspect.name, metric, system, input=input_, rating=rating, score=score
                )
                found.append(case)
    return found


def rating_reliability(aspects: Mapping[str, Sequence[Sequence[float]]]) -> dict[str, Reliability]:
    """Reliability of each aspect that has texts with several ratings.

    Examples
    --------
    >>> sorted(rating_reliability({"fluency": [[1, 2], [3, 3]], "averaged": [[1.5], [3.0]]}))
    ['fluency']
    """
    return {
        name: reliability(ratings)
        for name, ratings in aspects.items()
        if any(len(group) > 1 for group in ratings)
    }
