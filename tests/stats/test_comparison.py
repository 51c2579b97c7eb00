"""Systems compared in pairs: exact tests by enumeration, sacrebleu, what is undefined, and ranks."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esascore.errors import DataError, UsageError
from esascore.metrics.base import Batch
from esascore.metrics.bleu import Bleu
from esascore.metrics.esa import ESA
from esascore.model import Example, Graph, Reference
from esascore.stats.comparison import LEVEL, Compared, Rank, compare, enough_resamples, holm, ranks
from esascore.stats.resampling import interval

METRIC = ESA()


def rows(*missed: int, entities: int = 4) -> np.ndarray:
    return np.array([(entities, number, 0) for number in missed]).reshape(len(missed), 3)


def test_randomisation_agrees_with_every_possible_swap():
    a, b = rows(0, 1, 0, 0, 2, 0, 1, 0), rows(1, 2, 1, 0, 1, 2, 1, 1)
    difference = (b[:, 1] - a[:, 1]) / 4
    swapped = [abs(np.mean(difference * signs)) for signs in product((1, -1), repeat=8)]
    exact = np.mean(np.array(swapped) >= abs(difference.mean()) - 1e-12)
    _, pairs = compare(METRIC, [a, b], [(1, 0)], resamples=20_000)
    assert pairs["esa_c"].p[1, 0] == pytest.approx(exact, abs=0.01)


def test_interval_covers_the_true_mean_as_often_as_it_says():
    rng = np.random.default_rng(11)
    covered = 0
    for _ in range(200):
        missed = rng.binomial(4, 0.25, size=60)
        low, high = compare(METRIC, [rows(*missed)], resamples=400)[0][0]["esa_c"].interval
        covered += low <= 0.75 <= high
    assert 0.89 <= covered / 200 <= 0.99


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
def test_a_system_against_itself_never_differs(test):
    same = rows(*[0, 1, 2, 0, 1] * 8)
    _, pairs = compare(METRIC, [same, same], [(1, 0)], test=test)
    assert {p for found in pairs.values() for p in found.p.values()} == {1.0}
    assert not any(p is not None and p < LEVEL for found in pairs.values() for p in found.p_holm.values())


def test_p_values_are_corrected_for_the_number_of_pairs():
    base, other = rows(*[0] * 40), rows(*[1] * 6, *[0] * 34)
    alone = compare(METRIC, [base, other], [(1, 0)], seed=1)[1]["esa_c"]
    crowd = compare(METRIC, [base, other, other, other], [(n, 0) for n in (1, 2, 3)], seed=1)[1]["esa_c"]
    p = alone.p[1, 0]
    assert alone.p_holm[1, 0] == p == crowd.p[1, 0]
    assert crowd.p_holm[1, 0] == pytest.approx(3 * p)
    assert p < LEVEL <= crowd.p_holm[1, 0]


def test_texts_of_one_input_are_no_independent_evidence():
    systems = [rows(*[0, 0, 1] * 20), rows(*[1, 1, 0] * 20)]
    (_, free), free_p = compare(METRIC, systems, [(1, 0)])
    (_, tied), tied_p = compare(METRIC, systems, [(1, 0)], clusters=[n % 3 for n in range(60)])
    assert free_p["esa_c"].p[1, 0] < 0.05 < tied_p["esa_c"].p[1, 0]
    widths = [high - low for low, high in (one["esa_c"].interval for one in (free, tied))]
    assert widths[0] < widths[1]


def test_undefined_figures_have_neither_interval_nor_p():
    (base, other), pairs = compare(METRIC, [rows(0, 0, 0, 0), rows(1, 0, 0, 0)], [(1, 0)])
    assert base["esa_c_1"] == Compared(None, None)
    # Every third draw or so misses the one text with an undetected entity.
    assert other["esa_c_1"] == Compared(0.75, None)
    assert pairs["esa_c_1"].p == {(1, 0): None}
    assert pairs["esic_1"].p[1, 0] is not None
    assert interval(np.array([])) is None


def test_nothing_to_compare_has_intervals_only_and_no_segments_have_no_figures():
    (found,), pairs = compare(METRIC, [rows(0, 1, 2)])
    assert found["esa_c"].interval is not None
    assert pairs["esa_c"].p == {}
    assert compare(METRIC, [rows(), rows()], [(1, 0)]) == ([{}, {}], {})
    assert compare(METRIC, []) == ([], {})


def test_wrong_arguments_are_named():
    with pytest.raises(DataError, match="2 and 3 segments"):
        compare(METRIC, [rows(0, 0), rows(0, 0, 0)])
    with pytest.raises(UsageError, match="bootstrap or randomisation, not 'magic'"):
        compare(METRIC, [rows(0)], test="magic")


@pytest.fixture(scope="module")
def translated():
    """References and two systems that damage them, the second one a little more."""
    rng = np.random.default_rng(5)
    words = [f"w{n}" for n in range(30)]
    references = [" ".join(rng.choice(words, rng.integers(8, 20))) for _ in range(120)]

    def damaged(share):
        return [
            " ".join(rng.choice(words) if rng.random() < share else word for word in text.split())
            for text in references
        ]

    return references, damaged(0.30), damaged(0.33)


@pytest.mark.parametrize(("ours", "theirs"), [("randomisation", "ar"), ("bootstrap", "bs")])
def test_p_values_of_bleu_are_those_of_sacrebleu(translated, ours, theirs):
    from sacrebleu.metrics import BLEU
    from sacrebleu.significance import PairedTest

    references, first, second = translated
    examples = [Example(f"Id{n}", Graph(), (Reference("1", text),)) for n, text in enumerate(references)]
    metric = Bleu()
    statistics = [metric.statistics(Batch(examples, texts, detect=list)) for texts in (first, second)]
    found, pairs = compare(metric, statistics, [(1, 0)], test=ours, resamples=2000, seed=1)
    _, scores = PairedTest(
        [("first", first), ("second", second)], {"BLEU": BLEU(references=[references])}, None, theirs, 2000
    )()
    expected = scores["BLEU"]
    assert found[1]["bleu"].value == pytest.approx(expected[1].score)
    assert 0.005 < expected[1].p_value < 0.5  # else the comparison would say little
    # Three standard deviations of the difference of two Monte-Carlo estimates.
    p = expected[1].p_value
    assert pairs["bleu"].p[1, 0] == pytest.approx(p, abs=3 * (2 * p * (1 - p) / 2000) ** 0.5)
    if theirs == "bs":
        low, high = found[1]["bleu"].interval
        assert (high - low) / 2 == pytest.approx(expected[1].ci, rel=0.1)


def test_worked_example():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []
    assert holm([None, 0.2]) == [None, 0.2]


@given(st.lists(st.floats(0, 1), max_size=20), st.floats(0.001, 0.999))
def test_rejections_are_those_of_the_step_down_procedure(p_values, level):
    rejected = set()
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    for rank, place in enumerate(order):
        if min(1.0, p_values[place] * (len(p_values) - rank)) > level:
            break
        rejected.add(place)
    assert {place for place, p in enumerate(holm(p_values)) if p <= level} == rejected


def systems(number: int = 4, texts: int = 60, seed: int = 5) -> list[np.ndarray]:
    """Systems that miss more and more entities."""
    chance = np.random.default_rng(seed)
    missed = [chance.random(texts) < share for share in np.linspace(0.1, 0.6, number)]
    return [
        np.column_stack((np.full(texts, 2), some, np.zeros(texts, int))).astype(np.int64) for some in missed
    ]


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
def test_other_pairs_change_nothing_but_the_correction(test):
    statistics = systems()
    more = {"test": test, "resamples": 300, "seed": 3, "clusters": [n // 2 for n in range(60)]}
    every = list(combinations(range(4), 2))
    alone, pairs = compare(METRIC, statistics, every, **more)
    assert alone == compare(METRIC, statistics, **more)[0]
    assert list(pairs["esa_c"].p) == every
    for pair, p in pairs["esa_c"].p.items():
        assert p == compare(METRIC, statistics, [pair], **more)[1]["esa_c"].p[pair]
    assert list(pairs["esa_c"].p_holm.values()) == holm(list(pairs["esa_c"].p.values()))


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
