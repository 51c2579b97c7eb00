"""Every metric: totals do not depend on how texts are split and ordered, and every way to a figure agrees."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from functools import reduce
from operator import add
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.claims.classes import CLASSES
from esascore.claims.evidence import TYPES
from esascore.metrics import METRICS, create_metrics
from esascore.metrics.parent_options import ParentOptions
from esascore.metrics.totals import FixedSums, Tally
from fakes import FakeDetector

pytest.importorskip("sacrebleu")

KINDS = len(TYPES) + len(CLASSES)


def means_of(columns: int):
    defined = st.lists(st.floats(0, 1), min_size=columns, max_size=columns)
    return st.one_of(defined, st.just([math.nan] * columns))


@st.composite
def bleu_counts(draw):
    """Length, length of the reference, matches and n-grams of orders 1 to 4."""
    length, reference = draw(st.integers(0, 9)), draw(st.integers(0, 9))
    ngrams = [max(length - order, 0) for order in range(4)]
    return [length, reference, *(draw(st.integers(0, number)) for number in ngrams), *ngrams]


ROWS = {
    "esa": st.integers(0, 9).flatmap(
        lambda entities: st.tuples(st.just(entities), st.integers(0, entities), st.integers(0, 1))
    ),
    "hallucination": st.lists(st.integers(0, 3), min_size=KINDS, max_size=KINDS),
    "facts": st.lists(st.integers(0, 3), min_size=3, max_size=3),
    "faithfulness": means_of(4),
    "faithfulness-ref": means_of(5),
    **dict.fromkeys(["bleu", "bleu-t"], st.one_of(bleu_counts(), st.just([math.nan] * 10))),
    **dict.fromkeys(["parent", "parent-c", "parent-e", "parent-t", "pseudo-parent", "rg", "cs"], means_of(3)),
    "questeval": means_of(4),
    "co": means_of(1),
}
WIDTHS = {
    "esa": 3,
    "hallucination": KINDS,
    "faithfulness": 4,
    "faithfulness-ref": 5,
    "bleu": 10,
    "bleu-t": 10,
    "questeval": 4,
    "co": 1,
}


class WithVerifier(FakeDetector):
    verifier = SimpleNamespace(version=lambda: "none")


@pytest.fixture(scope="module")
def metrics(tmp_path_factory):
    counts = tmp_path_factory.mktemp("counts") / "counts.json"
    counts.write_text('{"a": 1, "a|||b": 1}')
    options = ParentOptions(cooccurrence=str(counts))
    made = create_metrics(list(METRICS), WithVerifier(), options=options)
    return {metric.name: metric for metric in made}


def statistics_of(name: str, rows: list) -> np.ndarray:
    whole = name in ("esa", "hallucination", "facts")
    return np.array(rows, np.int64 if whole else np.float64).reshape(len(rows), WIDTHS.get(name, 3))


@pytest.mark.parametrize("name", METRICS)
@given(data=st.data())
def test_any_split_and_order_gives_the_same_total_also_as_json(metrics, name, data):
    metric = metrics[name]
    rows = data.draw(st.lists(ROWS[name], max_size=30))
    whole = metric.total(statistics_of(name, rows))
    shuffled = data.draw(st.permutations(rows))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(rows)), max_size=3)))
    ends = zip([0, *cuts], [*cuts, len(rows)], strict=True)
    parts = [metric.total(statistics_of(name, shuffled[start:end])) for start, end in ends]
    written = [json.dumps(part.as_dict(), allow_nan=False) for part in parts]
    together = reduce(add, [metric.total_type.from_dict(json.loads(part)) for part in written])
    assert together == reduce(add, parts) == whole
    assert metric.score_total(together) == metric.score_total(whole)
    assert together.texts == len(rows)


@pytest.mark.parametrize("name", METRICS)
@given(data=st.data())
def test_resampling_agrees_with_scoring_the_sample(metrics, name, data):
    metric = metrics[name]
    rows = data.draw(st.lists(ROWS[name], min_size=1, max_size=12))
    weights = data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    statistics = statistics_of(name, rows)
    sums = np.array(weights, np.float64) @ metric.summands(statistics)
    drawn = metric.figures(np.stack([sums, sums]))
    fields = metric.score_statistics(np.repeat(statistics, weights, axis=0)).fields
    for field, values in drawn.items():
        expected = math.nan if fields[field] is None else fields[field]
        assert values.tolist() == pytest.approx([expected] * 2, rel=1e-9, abs=1e-12, nan_ok=True)
    assert {column.field for column in metric.columns} <= set(drawn)


@pytest.mark.parametrize("name", METRICS)
def test_no_texts_have_no_figures(metrics, name):
    score = metrics[name].score_statistics(statistics_of(name, []))
    assert score.value is None
    assert all(value in (None, 0, {}) for value in score.fields.values())


def test_sums_are_exact():
    many = FixedSums.of(np.ones((1_000_000, 3)))
    assert many.sums().tolist() == [1_000_000] * 3
    large = FixedSums.of(np.array([[2.0**52 + 1], [2.0**-51], [0.1]]))
    assert float(large.sums()[0] - 2**52 - 1) == 0.1 + 2.0**-51
    tally = Tally.of(np.array([[3, 1]] * 3 + [[7, 2]]))
    assert tally.sums(lambda rows: rows[:, 1:] / rows[:, :1])[0] == Fraction(9, 7)
