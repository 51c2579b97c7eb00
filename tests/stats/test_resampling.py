"""Sums over draws and swaps, against one draw at a time in plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.errors import DataError, UsageError
from esascore.gold.intervals import figures, intervals, resampled
from esascore.stats.resampling import bootstrap_sums, cluster_sums, coin_sums, interval


def test_every_draw_has_as_many_rows_as_there_are():
    rows = np.column_stack((np.ones(63), np.arange(63.0)))
    sums = bootstrap_sums(rows, resamples=200, seed=3)
    assert (sums[:, 0] == 63).all()
    assert len(set(sums[:, 1])) > 100


def test_moments_of_the_bootstrap_are_those_of_theory():
    rows = np.array([[0.0], [1.0], [2.0], [5.0]])
    sums = bootstrap_sums(rows, resamples=20_000, seed=1)[:, 0]
    assert sums.mean() == pytest.approx(8, abs=0.1)
    assert sums.var() == pytest.approx(4 * rows.var(), rel=0.05)


def test_draws_depend_on_the_seed_only_and_not_on_the_blocks_they_come_in():
    rows = np.arange(3000.0).reshape(3000, 1)
    whole = np.random.default_rng(7).multinomial(3000, np.full(3000, 1 / 3000), size=1500) @ rows
    assert (bootstrap_sums(rows, resamples=1500, seed=7) == whole).all()  # 4.5 million weights: two blocks
    assert not (bootstrap_sums(rows, resamples=5, seed=8) == whole[:5]).all()


def test_a_figure_that_is_often_undefined_has_no_interval():
    values = np.array([np.nan] * 5 + [0.5] * 95)
    assert interval(values) == (0.5, 0.5)
    assert interval(values[:-1]) is None
    assert interval(values[:6], least_defined=0) == (0.5, 0.5)
    assert interval(values[:5], least_defined=0) is None


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50))
def test_an_interval_lies_within_the_values(values):
    low, high = interval(np.array(values))
    assert min(values) <= low <= high <= max(values)


def test_systems_stacked_have_the_draws_of_each_alone():
    a, b = np.arange(12.0).reshape(6, 2), np.arange(12.0, 24).reshape(6, 2)
    both = bootstrap_sums(np.stack((a, b), axis=1), resamples=9, seed=5)
    assert both[:, 1] == pytest.approx(bootstrap_sums(b, resamples=9, seed=5))


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(-9, 9)), min_size=1, max_size=40))
def test_cluster_sums_are_those_of_a_dictionary(pairs):
    sums: dict[int, int] = {}
    for cluster, value in pairs:
        sums[cluster] = sums.get(cluster, 0) + value
    found = cluster_sums(np.array([[value] for _, value in pairs], float), [cluster for cluster, _ in pairs])
    assert found[:, 0].tolist() == list(sums.values())


def test_a_coin_chooses_each_row_half_of_the_time():
    chosen = coin_sums(np.eye(5), resamples=4000, seed=2)
    assert set(np.unique(chosen)) == {0.0, 1.0}
    assert chosen.mean(axis=0) == pytest.approx(np.full(5, 0.5), abs=0.05)


def test_what_cannot_be_paired_is_refused():
    with pytest.raises(DataError, match="3 segments, but 2 clusters"):
        cluster_sums(np.zeros((3, 1)), [1, 2])
    with pytest.raises(UsageError, match="at least one resample"):
        bootstrap_sums(np.zeros((3, 1)), resamples=0)


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
