"""ESA and ESIC: numbers worked out by hand, and exact means."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.errors import DataError, UsageError
from esascore.metrics.base import Batch
from esascore.metrics.esa import ESA
from esascore.model import Cell, Example, Input
from fakes import FakeDetector


def esa() -> ESA:
    return ESA.from_detector(FakeDetector())


def table(*terms: str) -> Input:
    return Input.from_table(tuple(Cell(term) for term in terms))


# Entities, text; ESA_I by hand: 1, 3/4, 0 (blank), 1/3, undefined
CORPUS = [
    (table("a", "b", "c", "d"), "a b c d"),
    (table("a", "b", "c", "d"), "d b a"),
    (table("a", "b"), "null"),
    (table("a", "b", "c"), "c"),
    (table(), "a b"),
]
EXPECTED = {
    "texts": 5,
    "blank": 1,
    "undefined": 1,
    "esa_c": float(Fraction(25, 48)),  # (1 + 3/4 + 0 + 1/3) / 4
    "esa_c_1": float(Fraction(13, 36)),  # (3/4 + 0 + 1/3) / 3
    "esa_c_2": float(Fraction(1, 6)),  # (0 + 1/3) / 2
    "esic_1": 0.75,
    "esic_2": 0.5,
    "esic": {"1": 0.75, "2": 0.5},
    "undetected": {"1": 1, "2": 2},
}


def test_hand_worked_corpus():
    score = esa().corpus([i for i, _ in CORPUS], [t for _, t in CORPUS])
    assert dict(score.fields) == EXPECTED
    assert score.value == EXPECTED["esa_c"]
    assert json.loads(score.to_json()) == {"metric": "esa", "signature": str(score.signature), **EXPECTED}
    assert str(score).startswith("esa = 0.5208 (texts 5, blank 1, undefined 1, esa_c 0.5208, ")


def test_segment_scores():
    metric = esa()
    inputs, texts = zip(*CORPUS, strict=True)
    examples = [Example("x", input_) for input_ in inputs]
    batch = Batch(examples, texts, detect=lambda: metric._detector.detect(CORPUS))
    assert metric.segment_scores(metric.statistics(batch)) == [1.0, 0.75, 0.0, 1 / 3, None]


def test_every_n_of_esic():
    score = esa().corpus([table(*"abcd"), table(*"abcd"), table("a")], ["", "a", "a"])
    assert score.fields["esic"] == {"1": 2 / 3, "2": 2 / 3, "3": 2 / 3, "4": 1 / 3}
    assert score.fields["undetected"] == {"3": 1, "4": 1}


@pytest.mark.parametrize(
    ("corpus", "expected"),
    [
        ([], {"texts": 0, "undefined": 0, "esa_c": None, "esic_1": None, "esic": {}, "undetected": {}}),
        ([(table("a"), "a")], {"esic": {"1": 0.0, "2": 0.0}, "undetected": {}}),
        ([(table(), "a")], {"texts": 1, "undefined": 1, "esa_c": None, "esa_c_1": None, "esic_2": None}),
        ([(table("a"), "a")], {"esa_c": 1.0, "esa_c_1": None, "esa_c_2": None, "esic_1": 0.0, "esic_2": 0.0}),
    ],
)
def test_undefined_figures_are_none(corpus, expected):
    fields = esa().corpus([i for i, _ in corpus], [t for _, t in corpus]).fields
    assert {key: fields[key] for key in expected} == expected


def test_signature_names_settings_and_policies():
    parts = dict(esa().signature().parts)
    assert list(parts) == ["esascore", "profile", "blank", "undefined"]
    assert parts["blank"] == "zero"


@pytest.mark.parametrize(
    ("inputs", "texts", "error", "message"),
    [
        ([table("a")], [], DataError, "1 inputs, but 0 texts"),
        ([3], ["a"], UsageError, "data must be triples, a dict, a Graph or a Table, not int"),
        ([table("a")], [None], UsageError, "a text must be a str, not NoneType"),
    ],
)
def test_wrong_arguments_are_refused(inputs, texts, error, message):
    with pytest.raises(error, match=message):
        esa().corpus(inputs, texts)


rows = st.integers(0, 9).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(0, 1)))
statistics = st.lists(rows, max_size=60).map(lambda r: np.array(r, np.int64).reshape(len(r), 3))


@given(statistics)
def test_corpus_score_is_the_exact_mean_of_segments(stats):
    metric = esa()
    fields = metric.score_statistics(stats).fields
    for key, least in (("esa_c", 0), ("esa_c_1", 1), ("esa_c_2", 2)):
        exact = [Fraction(int(e - m), int(e)) for e, m, _ in stats if e and m >= least]
        assert fields[key] == (float(sum(exact) / len(exact)) if exact else None)
    missed = [int(m) for e, m, _ in stats if e]
    for n in range(1, max(missed, default=0) + 1):
        assert fields["esic"][str(n)] == sum(m >= n for m in missed) / len(missed)
    assert sum(fields["undetected"].values()) == sum(m > 0 for m in missed)
