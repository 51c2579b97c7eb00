"""Studies of ratings: subsets, matrices, systems, disagreements, on numbers small enough to check."""

from __future__ import annotations

import numpy as np
import pytest

from esascore.errors import DataError
from esascore.gold.ratings.study import (
    Study,
    Variable,
    compare_metrics,
    correlate_systems,
    correlate_texts,
    disagreements,
    rating_reliability,
)

NAN = float("nan")
RATING = np.array([[1.0, 2, 3, 1], [3, 2, 1, NAN], [2, 3, 3, 1]])
ESA = np.array([[0.0, 0.5, 1, 0.95], [0.2, 0.5, 1, 0.5], [0.5, 1, 1, 0.0]])
OTHER = np.array([[0.1, 0.4, 1, 0.2], [NAN, 0.5, 0.3, 0.5], [0.5, 1, 0.9, 0.1]])


@pytest.fixture
def study():
    return Study(
        ("a", "b", "c"),
        ("Id1", "Id2", "Id3", "Id4"),
        (
            Variable("other score", "score", OTHER),
            Variable("semantics", "rating", RATING),
            Variable("esa", "metric", ESA),
            Variable("other", "metric", OTHER),
        ),
        ~np.isnan(RATING),
        np.array([[True, False, False, False], [False] * 4, [False, False, False, True]]),
        np.array([[2, 1, 0, 0], [2, 1, 0, 1], [1, 0, 0, 3]]),
    )


def test_subsets_hold_rated_texts_only(study):
    sizes = {
        name: int(study.subset(name).sum()) for name in ("all", "non-blank", "undetected-1", "undetected-2")
    }
    assert sizes == {"all": 11, "non-blank": 9, "undetected-1": 6, "undetected-2": 3}


def test_texts_are_correlated_where_they_have_both_values(study):
    found = correlate_texts(study, "all", "pearson")
    assert next(iter(found)) == ("other score", "semantics")
    known = ~np.isnan(RATING)
    assert found["semantics", "esa"].n == 11
    assert found["semantics", "esa"].value == pytest.approx(np.corrcoef(RATING[known], ESA[known])[0, 1])
    known &= ~np.isnan(OTHER)
    assert found["semantics", "other"].n == 10
    assert found["semantics", "other"].value == pytest.approx(np.corrcoef(RATING[known], OTHER[known])[0, 1])
    assert correlate_texts(study, "undetected-2", "kendall")["esa", "other"].undefined.startswith("2 pairs")


def test_systems_are_correlated_over_rated_texts(study):
    found = correlate_systems(study, samples=50)
    assert set(found) == {(name, "semantics") for name in ("other score", "esa", "other")}
    means = [np.mean(RATING[0]), 2, np.mean(RATING[2])], [np.mean(ESA[0]), 1.7 / 3, np.mean(ESA[2])]
    assert found["esa", "semantics"].value == pytest.approx(np.corrcoef(*means)[0, 1])


def test_metrics_are_compared_by_williams(study):
    found = compare_metrics(study)
    assert list(found) == [("esa", "other", "semantics")]
    assert found["esa", "other", "semantics"].statistic < 0  # the other one agrees better here
    assert compare_metrics(study, "undetected-2")["esa", "other", "semantics"].undefined is not None


def test_disagreements_are_found_on_both_sides(study):
    found = {
        (case.kind, case.system, case.input): (case.rating, case.score)
        for case in disagreements(study, "esa")
    }
    assert found == {
        ("underrated", 1, 0): (3.0, 0.2),
        ("overrated", 0, 3): (1.0, 0.95),
        ("overrated", 1, 2): (1.0, 1.0),
    }
    with pytest.raises(DataError, match="no metric 'bleu'"):
        disagreements(study, "bleu")


def test_equal_ratings_cannot_be_disagreed_with(study):
    flat = Study(
        study.systems,
        study.ids,
        (Variable("semantics", "rating", np.ones((3, 4))), *study.of("metric")),
        study.rated,
        study.blank,
        study.undetected,
    )
    assert disagreements(flat, "esa") == []


def test_reliability_is_there_where_texts_have_several_ratings():
    found = rating_reliability({"raw": [[1, 1], [3, 2], [2]], "mean": [[1], [2], [3]]})
    assert list(found) == ["raw"]
    assert found["raw"].texts == 2
