"""Scores of systems from pairwise preferences (Thurstone 1927, case V)."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist

from esascore.errors import DataError


def thurstone(wins: Sequence[Sequence[float]]) -> list[float]:
    """Place systems on a scale so that differences explain how often one is preferred to another.

    Parameters
    ----------
    wins
        ``wins[i][j]`` is how often i was preferred to j; a tie may count one half for each.

    Returns
    -------
    list
        A score for each system, with mean 0; the unit is the standard deviation of the difference of two
        systems' perceived quality.

    Raises
    ------
    DataError
        If the numbers are not a non-negative square matrix, or some pair of systems was never compared.

    Notes
    -----
    Half a win is added to either side of each pair, so that a system that always wins has a finite score.

    Examples
    --------
    >>> [round(score, 3) for score in thurstone([[0, 30], [10, 0]])]
    [0.328, -0.328]
    """
    size = len(wins)
    if any(len(row) != size for row in wins):
        raise DataError(f"preferences of {size} systems need {size} numbers for each")
    if any(not 0 <= count < float("inf") for row in wins for count in row):
        raise DataError("numbers of preferences must be finite and not negative")
    scores = []
    for i in range(size):
        total = 0.0
        for j in range(size):
            if i == j:
                continue
            judged = wins[i][j] + wins[j][i]
            if not judged:
                raise DataError(f"systems {i} and {j} were never compared: leave one out")
            total += NormalDist().inv_cdf((wins[i][j] + 0.5) / (judged + 1))
        scores.append(total / size)
    return scores
