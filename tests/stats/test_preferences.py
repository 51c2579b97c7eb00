from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest

from esascore.errors import DataError
from esascore.stats.preferences import thurstone


def test_scores_give_back_the_preferences_that_made_them():
    truth = np.array([-0.6, 0.1, 0.5])
    wins = [[1e6 * NormalDist().cdf(a - b) for b in truth] for a in truth]
    assert thurstone(wins) == pytest.approx(truth, abs=1e-4)


def test_a_system_that_always_wins_has_a_finite_score():
    first, second = thurstone([[0, 10], [0, 0]])
    assert first == pytest.approx(NormalDist().inv_cdf(10.5 / 11) / 2)
    assert second == pytest.approx(-first)
    assert thurstone([]) == []


@pytest.mark.parametrize(
    ("wins", "message"),
    [
        ([[0, 1]], "need 1 numbers"),
        ([[0, -1], [1, 0]], "not negative"),
        ([[0, float("nan")], [1, 0]], "finite"),
        ([[0, 0], [0, 0]], "systems 0 and 1 were never compared"),
    ],
)
def test_what_cannot_be_scaled_is_refused(wins, message):
    with pytest.raises(DataError, match=message):
        thurstone(wins)
