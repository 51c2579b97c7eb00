"""Williams' test: hand-worked numbers, and false alarms as often as the level says."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from esascore.errors import DataError
from esascore.stats.correlation import williams


def test_williams_worked_example():
    # |R| = 0.096; 2 * 0.096 * 29 / 27 + 0.75**2 * 0.3**3 = 0.22141; t = 0.3 * sqrt(29 * 1.7 / 0.22141)
    found = williams(0.9, 0.6, 0.7, 30)
    assert found.statistic == pytest.approx(4.4766, abs=1e-3)
    assert found.p == pytest.approx(2 * stats.t.sf(4.4766, 27), rel=1e-2)
    assert williams(0.6, 0.9, 0.7, 30).statistic == pytest.approx(-found.statistic)
    assert williams(0.5, 0.5, 0.3, 30).p == pytest.approx(1)


def test_williams_rejects_a_true_hypothesis_as_often_as_the_level_says():
    rng = np.random.default_rng(3)
    rejected = 0
    for _ in range(1000):
        truth = rng.normal(size=40)
        r = np.corrcoef([truth, truth + rng.normal(size=40), truth + rng.normal(size=40)])
        rejected += williams(r[0, 1], r[0, 2], r[1, 2], 40).p < 0.05
    assert 0.03 < rejected / 1000 < 0.07


def test_williams_says_what_is_undefined():
    assert williams(0.5, 0.4, 0.3, 3).undefined == "3 pairs are too few: at least 4 are needed"
    assert williams(0.5, 0.5, 1.0, 30).undefined == "the two metrics are the same up to scale"
    with pytest.raises(DataError, match="between -1 and 1"):
        williams(1.5, 0.5, 0.5, 10)
