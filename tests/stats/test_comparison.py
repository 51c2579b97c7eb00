"""Systems against a baseline: exact tests by enumeration, sacrebleu, and what is undefined."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.errors import DataError, UsageError
from esascore.metrics.base import Batch
from esascore.metrics.bleu import Bleu
from esascore.metrics.esa import ESA
from esascore.model import Example, Graph, Reference
from esascore.stats.comparison import LEVEL, Compared, compare, holm
from esascore.stats.resampling import interval

METRIC = ESA()


def rows(*missed: int, entities: int = 4) -> np.ndarray:
    return np.array([(entities, number, 0) for number in missed]).reshape(len(missed), 3)


def test_randomisation_agrees_with_every_possible_swap():
    a, b = rows(0, 1, 0, 0, 2, 0, 1, 0), rows(1, 2, 1, 0, 1, 2, 1, 1)
    difference = (b[:, 1] - a[:, 1]) / 4
    swapped = [abs(np.mean(difference * signs)) for signs in product((1, -1), repeat=8)]
    exact = np.mean(np.array(swapped) >= abs(difference.mean()) - 1e-12)
    found = compare(METRIC, [a, b], baseline=0, resamples=20_000)[1]["esa_c"]
    assert found.p == pytest.approx(exact, abs=0.01)


def test_interval_covers_the_true_mean_as_often_as_it_says():
    rng = np.random.default_rng(11)
    covered = 0
    for _ in range(200):
        missed = rng.binomial(4, 0.25, size=60)
        low, high = compare(METRIC, [rows(*missed)], resamples=400)[0]["esa_c"].interval
        covered += low <= 0.75 <= high
    assert 0.89 <= covered / 200 <= 0.99


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
def test_a_system_against_itself_never_differs(test):
    same = rows(*[0, 1, 2, 0, 1] * 8)
    found = compare(METRIC, [same, same], baseline=0, test=test)[1]
    assert {result.p for result in found.values()} == {1.0}
    assert not any(result.p_holm is not None and result.p_holm < LEVEL for result in found.values())


def test_the_baseline_and_comparisons_without_one_have_intervals_only():
    found = compare(METRIC, [rows(0, 1, 2), rows(1, 1, 1)], baseline=0)
    assert found[0]["esa_c"].p is None
    assert found[0]["esa_c"].interval is not None
    assert all(result.p is None for system in compare(METRIC, [rows(0, 1)]) for result in system.values())


def test_p_values_are_corrected_for_the_number_of_systems():
    base, other = rows(*[0] * 40), rows(*[1] * 6, *[0] * 34)
    alone = compare(METRIC, [base, other], baseline=0, seed=1)[1]["esa_c"]
    crowd = compare(METRIC, [base, other, other, other], baseline=0, seed=1)
    assert alone.p_holm == alone.p == crowd[1]["esa_c"].p
    assert crowd[1]["esa_c"].p_holm == pytest.approx(3 * alone.p)
    assert alone.p_holm < LEVEL <= crowd[1]["esa_c"].p_holm


def test_texts_of_one_input_are_no_independent_evidence():
    base, other = rows(*[0, 0, 1] * 20), rows(*[1, 1, 0] * 20)
    clusters = [n % 3 for n in range(60)]
    free = compare(METRIC, [base, other], baseline=0)[1]["esa_c"]
    tied = compare(METRIC, [base, other], baseline=0, clusters=clusters)[1]["esa_c"]
    assert free.p < 0.05 < tied.p
    assert tied.interval[1] - tied.interval[0] > free.interval[1] - free.interval[0]


def test_undefined_figures_have_neither_interval_nor_p():
    found = compare(METRIC, [rows(0, 0, 0, 0), rows(1, 0, 0, 0)], baseline=0)
    assert found[0]["esa_c_1"] == Compared(None, None)
    # Every third draw or so misses the one text with an undetected entity.
    assert found[1]["esa_c_1"] == Compared(0.75, None)
    assert found[1]["esic_1"].p is not None
    assert interval(np.array([])) is None


def test_no_segments_have_no_figures():
    assert compare(METRIC, [rows(), rows()], baseline=0) == [{}, {}]
    assert compare(METRIC, []) == []


def test_wrong_arguments_are_named():
    with pytest.raises(DataError, match="2 and 3 segments"):
        compare(METRIC, [rows(0, 0), rows(0, 0, 0)], baseline=0)
    with pytest.raises(UsageError, match="no system 2"):
        compare(METRIC, [rows(0), rows(0)], baseline=2)
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
    found = compare(metric, statistics, baseline=0, test=ours, resamples=2000, seed=1)
    _, scores = PairedTest(
        [("first", first), ("second", second)], {"BLEU": BLEU(references=[references])}, None, theirs, 2000
    )()
    expected = scores["BLEU"]
    assert found[1]["bleu"].value == pytest.approx(expected[1].score)
    assert 0.005 < expected[1].p_value < 0.5  # else the comparison would say little
    # Three standard deviations of the difference of two Monte-Carlo estimates.
    p = expected[1].p_value
    assert found[1]["bleu"].p == pytest.approx(p, abs=3 * (2 * p * (1 - p) / 2000) ** 0.5)
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
