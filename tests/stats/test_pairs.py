from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esascore.errors import DataError, UsageError
from esascore.metrics.esa import ESA
from esascore.stats.comparison import LEVEL, Rank, compare, compare_pairs, enough_resamples, holm, ranks

METRIC = ESA()


def systems(number: int = 4, texts: int = 60, seed: int = 5) -> list[np.ndarray]:
    """Systems that miss more and more entities."""
    chance = np.random.default_rng(seed)
    missed = [chance.random(texts) < share for share in np.linspace(0.1, 0.6, number)]
    return [
        np.column_stack((np.full(texts, 2), some, np.zeros(texts, int))).astype(np.int64) for some in missed
    ]


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
def test_p_values_are_those_of_a_comparison_with_a_baseline(test):
    rows = systems()
    clusters = [n // 2 for n in range(60)]
    _, pairs = compare_pairs(METRIC, rows, test=test, resamples=300, seed=3, clusters=clusters)
    assert list(pairs["esa_c"].p) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    for (one, other), p in pairs["esa_c"].p.items():
        alone = compare(METRIC, rows, baseline=one, test=test, resamples=300, seed=3, clusters=clusters)
        assert p == alone[other]["esa_c"].p
    assert list(pairs["esa_c"].p_holm.values()) == holm(list(pairs["esa_c"].p.values()))


def test_values_and_intervals_are_those_of_each_system_alone():
    rows = systems()
    found, _ = compare_pairs(METRIC, rows, resamples=200)
    assert found == compare(METRIC, rows, resamples=200)


def test_one_system_and_no_text():
    found, pairs = compare_pairs(METRIC, systems(1), resamples=100)
    assert (len(found), pairs["esa_c"].p) == (1, {})
    assert compare_pairs(METRIC, [], resamples=100) == ([], {})
    empty = np.zeros((0, 3), np.int64)
    assert compare_pairs(METRIC, [empty, empty], resamples=100) == ([{}, {}], {})


def test_what_cannot_be_compared():
    with pytest.raises(DataError, match="cannot be paired"):
        compare_pairs(METRIC, [systems()[0], systems()[0][:5]])
    with pytest.raises(UsageError, match="the test must be"):
        compare_pairs(METRIC, systems(), test="t")


YES, NO = 0.01, 0.5


@pytest.mark.parametrize(
    ("values", "different", "better", "expected"),
    [
        # All alike: one cluster.
        ([0.9, 0.8, 0.7], [], "higher", [(1, 3, 1), (1, 3, 1), (1, 3, 1)]),
        # All different: each its own.
        ([0.7, 0.9, 0.8], [(0, 1), (0, 2), (1, 2)], "higher", [(3, 3, 3), (1, 1, 1), (2, 2, 2)]),
        # The ends differ, but each is like the middle one: no line can be drawn.
        ([0.9, 0.8, 0.7], [(0, 2)], "higher", [(1, 2, 1), (1, 3, 1), (2, 3, 1)]),
        # Lower is better.
        ([0.1, 0.5], [(0, 1)], "lower", [(1, 1, 1), (2, 2, 2)]),
        # What is undefined has no rank and counts for nobody.
        ([0.9, None, 0.7], [(0, 2)], "higher", [(1, 1, 1), None, (2, 2, 2)]),
        # Equal values are never better, whatever the p-value.
        ([0.5, 0.5], [(0, 1)], "higher", [(1, 2, 1), (1, 2, 1)]),
        ([], [], "higher", []),
    ],
)
def test_ranks_by_hand(values, different, better, expected):
    places = range(len(values))
    p_values = {(a, b): YES if (a, b) in different else NO for a in places for b in places if a < b}
    found = ranks(values, p_values, better)
    assert found == [None if one is None else Rank(*one) for one in expected]


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=6), st.data())
def test_ranks_and_clusters_agree_with_their_definition(values, data):
    places = range(len(values))
    p_values = {(a, b): data.draw(st.sampled_from([YES, NO, None])) for a in places for b in places if a < b}

    def beats(a, b):
        p = p_values.get((min(a, b), max(a, b)))
        return values[a] > values[b] and p is not None and p < LEVEL

    found = ranks(values, p_values)
    for place, rank in enumerate(found):
        assert rank.best == 1 + len([other for other in places if beats(other, place)])
        assert rank.worst == len(values) - len([other for other in places if beats(place, other)])
    for one in places:
        for other in places:
            if found[one].cluster < found[other].cluster:
                assert beats(one, other)
    # Clusters are as many as they can be.
    order = sorted(places, key=lambda place: -values[place])
    cuts = [n for n in range(1, len(order)) if all(beats(a, b) for a in order[:n] for b in order[n:])]
    assert max(rank.cluster for rank in found) == len(cuts) + 1


def test_the_correction_leaves_room():
    for number in (2, 5, 20, 60):
        pairs = number * (number - 1) // 2
        assert pairs / (enough_resamples(number) + 1) < LEVEL
