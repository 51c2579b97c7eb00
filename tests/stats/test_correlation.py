"""Coefficients and reliability against their definitions; what is undefined is said."""

from __future__ import annotations

from itertools import combinations
from math import sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from esascore.errors import DataError, MissingExtraError, UsageError
from esascore.stats.correlation import correlation, pearson_rows, reliability, system_correlation, williams

PAIRS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=3, max_size=30)


def ranks(values):
    return [
        sum(other < value for other in values) + (sum(other == value for other in values) + 1) / 2
        for value in values
    ]


def tau_b(x, y):
    pairs = [(np.sign(x[i] - x[j]), np.sign(y[i] - y[j])) for i, j in combinations(range(len(x)), 2)]
    agree = sum(a * b for a, b in pairs)
    return agree / sqrt(sum(a != 0 for a, _ in pairs) * sum(b != 0 for _, b in pairs))


@given(PAIRS)
def test_coefficients_are_what_their_definitions_give(pairs):
    x, y = map(list, zip(*pairs, strict=True))
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    assert correlation(x, y).value == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-9)
    assert correlation(x, y, "spearman").value == pytest.approx(
        np.corrcoef(ranks(x), ranks(y))[0, 1], abs=1e-9
    )
    assert correlation(x, y, "kendall").value == pytest.approx(tau_b(x, y), abs=1e-9)


def test_pearson_interval_and_p_of_a_worked_example():
    # r = 0.5 of 28 pairs: z = 0.5493, margin 1.96 / 5, so tanh(0.1573) to tanh(0.9413).
    rng = np.random.default_rng(0)
    x, noise = np.linalg.qr(np.column_stack((np.ones(28), rng.normal(size=(28, 2)))))[0][:, 1:].T
    found = correlation(x, 0.5 * x + sqrt(0.75) * noise)
    assert found.value == pytest.approx(0.5)
    assert found.interval == pytest.approx((0.1560, 0.7357), abs=2e-4)
    assert found.p == pytest.approx(0.00674, abs=2e-4)  # t = 2.944 with 26 degrees of freedom


@pytest.mark.parametrize("kind", ["pearson", "spearman", "kendall"])
def test_undefined_is_said(kind):
    few = correlation([1, 2], [1, 2], kind)
    assert (few.value, few.p, few.interval) == (None, None, None)
    assert few.undefined == "2 pairs are too few: at least 3 are needed"
    assert (
        correlation([1, 2, 3], [0.1, 0.1, 0.1], kind).undefined == "all values of the second list are equal"
    )
    assert correlation([], [], kind).value is None
    perfect = correlation([1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6], kind)
    assert perfect.value == pytest.approx(1)
    assert perfect.interval is None


def test_numbers_that_differ_by_rounding_only_are_constant():
    assert correlation([0.1 + 0.2, 0.3, 0.3], [1, 2, 3]).value is None


def test_wrong_arguments_are_named():
    with pytest.raises(DataError, match="2 and 3 values"):
        correlation([1, 2], [1, 2, 3])
    with pytest.raises(DataError, match="finite"):
        correlation([1, 2, float("nan")], [1, 2, 3])
    with pytest.raises(UsageError, match="no correlation 'tau'; known: pearson, spearman, kendall"):
        correlation([1, 2, 3], [1, 2, 3], "tau")


def test_without_scipy_the_message_names_the_extra(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    with pytest.raises(MissingExtraError, match=r"esascore\[stats\]"):
        correlation([1, 2, 3], [1, 3, 2])


@given(PAIRS)
def test_rows_are_correlated_like_single_lists(pairs):
    x, y = map(np.array, zip(*pairs, strict=True))
    assume(len(set(x.tolist())) > 1 and len(set(y.tolist())) > 1)
    assert pearson_rows(np.stack((x, y)), np.stack((y, x))) == pytest.approx(correlation(x, y).value)


def test_systems_are_correlated_by_their_means():
    scores = np.array([[0.1, 0.3], [0.4, 0.6], [0.9, 0.7], [0.2, 0.2]])
    ratings = np.array([[1.0, 2], [2, 2], [3, 1], [1, 1]])
    found = system_correlation(scores, ratings, samples=400, seed=1)
    assert found.value == pytest.approx(np.corrcoef([0.2, 0.5, 0.8, 0.2], [1.5, 2, 2, 1])[0, 1])
    # Two inputs: both, the first twice, the second twice.
    cases = [np.corrcoef(scores[:, n], ratings[:, n])[0, 1] for n in (0, 1)]
    assert found.mean == pytest.approx(found.value / 2 + sum(cases) / 4, abs=0.05)
    assert found.interval == pytest.approx((min(cases), max(cases)))


def test_pairs_without_a_rating_do_not_count():
    nan = float("nan")
    scores = np.array([[0.2, 9.0], [0.5, 0.5], [0.9, 0.7]])
    ratings = np.array([[1.0, nan], [2, 2], [3, 3]])
    expected = np.corrcoef([0.2, 0.5, 0.8], [1, 2, 3])[0, 1]
    assert system_correlation(scores, ratings).value == pytest.approx(expected)
    silent = system_correlation(scores, np.where(scores > 0.8, nan, nan))
    assert silent.undefined == "0 systems are too few: at least 3 are needed"
    assert system_correlation(scores, np.ones((3, 2))).undefined == "all systems have the same mean"


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


# Six targets, four judges (Shrout and Fleiss 1979, Table 2): ICC(1,1) = .17, ICC(1,4) = .44
JUDGES = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]


def test_textbook_example():
    found = reliability(JUDGES)
    assert found.single == pytest.approx(0.17, abs=0.005)
    assert found.average == pytest.approx(0.44, abs=0.005)
    assert (found.texts, found.ratings) == (6, 24)


def test_variance_components_come_back_from_unequal_numbers_of_raters():
    rng = np.random.default_rng(2)
    quality = rng.normal(size=4000)
    ratings = [q + rng.normal(size=rng.integers(1, 5)) for q in quality]
    found = reliability(ratings)
    assert found.single == pytest.approx(0.5, abs=0.03)
    assert found.texts == sum(len(group) > 1 for group in ratings)


def test_one_against_the_rest():
    found = reliability([[1, 2, 3], [3, 4, 5]])
    assert found.one_against_rest.n == 6
    ones, rests = [1, 2, 3, 3, 4, 5], [2.5, 2, 1.5, 4.5, 4, 3.5]
    assert found.one_against_rest.value == pytest.approx(np.corrcoef(ones, rests)[0, 1])


def test_undefined_reliability_is_said():
    assert reliability([[1], [2]]).undefined == "0 texts with two ratings are too few"
    assert reliability([[2, 2], [2, 2]]).undefined == "all ratings are equal"
    assert reliability([]).one_against_rest.value is None
