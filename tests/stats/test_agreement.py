"""Reliability: the textbook example of Shrout and Fleiss, unequal numbers of raters, what is undefined."""

from __future__ import annotations

import numpy as np
import pytest

from esascore.stats.correlation import reliability

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


def test_undefined_is_said():
    assert reliability([[1], [2]]).undefined == "0 texts with two ratings are too few"
    assert reliability([[2, 2], [2, 2]]).undefined == "all ratings are equal"
    assert reliability([]).one_against_rest.value is None
