"""Intervals of precision, recall and F1: what is drawn, and what is made of the draws."""

from __future__ import annotations

import numpy as np
import pytest

from esascore.gold.intervals import figures, intervals, resampled


def test_inputs_are_drawn_whole():
    # Two texts of one input are always drawn together: sums are 20 a + 1 (3 - a) for a in 0 to 3.
    rows = np.array([[10], [10], [1], [1]])
    sums = resampled(rows, [7, 7, 3, 5], resamples=500, seed=3)
    assert set(sums[:, 0]) == {20 * a + (3 - a) for a in range(4)}
    assert sums.mean() == pytest.approx(22, rel=0.1)


def test_the_width_is_that_of_the_normal_approximation():
    rng = np.random.default_rng(0)
    right = rng.random(2000) < 0.8
    rows = np.stack([np.ones(2000), np.ones(2000), right], axis=1).astype(np.int64)
    low, high = intervals(figures(resampled(rows, range(2000), resamples=2000)))["recall"]
    assert (low + high) / 2 == pytest.approx(right.mean(), abs=0.003)
    assert high - low == pytest.approx(2 * 1.96 * np.sqrt(0.16 / 2000), rel=0.1)


def test_undefined_draws_are_left_out():
    # With no detected mention in a draw there is no precision.
    sums = np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0]])
    found = figures(sums)
    assert np.isnan(found["precision"]).tolist() == [True, False, True]
    assert intervals(found)["precision"] == [1.0, 1.0]
    assert found["f1"].tolist()[:2] == [0.0, 1.0]
