"""Whatever the cut and the order, a corpus teaches the same, and totals are the same, bit for bit."""

from __future__ import annotations

import json
import pickle
import random
from functools import partial, reduce
from itertools import pairwise
from operator import add

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from esascore.learned import taught
from esascore.learned.gathering import Gathered
from esascore.lexicon import known_names
from esascore.metrics import create_metrics
from esascore.model import Graph
from esascore.pipeline import Ruler
from esascore.readers.choice import Choice
from esascore.run.rows import Chosen, text_rows
from esascore.run.scoring import scorer_of
from esascore.sample import Sample, content_hash
from run.invented import METRICS, rows

ROWS = list(text_rows(enumerate(rows(18), 1), "rows", Chosen(Choice()), cells=False))

cuts = st.tuples(st.randoms(use_true_random=False), st.lists(st.integers(0, len(ROWS)), max_size=5))


def parts_of(cut) -> list[list]:
    rng, places = cut
    shuffled = rng.sample(ROWS, len(ROWS))
    ends = sorted({0, *places, len(ROWS)})
    return [shuffled[start:end] for start, end in pairwise(ends)]


def gathered(some) -> Gathered:
    one = Gathered()
    for row in some:
        one.add(row.example, [row.text])
    return one


@pytest.mark.parametrize("bounds", [None, (5, 300)])
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=cuts, through_processes=st.booleans())
def test_any_cut_teaches_the_same(monkeypatch, bounds, cut, through_processes):
    if bounds:
        monkeypatch.setattr(known_names, "MOST_NAMES", bounds[0])
        monkeypatch.setattr(known_names, "MOST_CHARACTERS", bounds[1])
    whole = gathered(ROWS)
    merged = gathered([])
    for part in parts_of(cut):
        own = gathered(part)
        if through_processes:
            own = pickle.loads(pickle.dumps(own))
        merged.merge(own)
    assert taught(merged).version == taught(whole).version


def test_an_input_that_systems_share_counts_once():
    halves = [Gathered(), Gathered()]
    for gathered_, some in zip(halves, (ROWS[: len(ROWS) // 2], ROWS), strict=True):
        for row in some:
            gathered_.add(row.example)
    assert taught(halves[0]).version == taught(halves[1]).version


@pytest.fixture(scope="module")
def statistics():
    names = METRICS.replace("hallucination,", "").split(",")
    scorer = scorer_of(Ruler(), partial(create_metrics, names))
    scored = scorer.scored([(row.example, (row.text,)) for row in ROWS], [""])
    return scored.metrics, scored.systems[0].statistics


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=st.randoms(use_true_random=False), places=st.lists(st.integers(0, len(ROWS)), max_size=6))
def test_any_partition_gives_the_same_totals_for_every_metric(statistics, order, places):
    metrics, kept = statistics
    shuffled = order.sample(range(len(ROWS)), len(ROWS))
    ends = sorted({0, *places, len(ROWS)})
    for metric in metrics:
        own = kept[metric.name]
        parts = [
            metric.total_type.from_dict(json.loads(json.dumps(metric.total(own[shuffled[a:b]]).as_dict())))
            for a, b in pairwise(ends)
        ]
        assert reduce(add, parts) == metric.total(own)
        assert metric.score_total(reduce(add, parts)) == metric.score_statistics(own)


@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(1, 9)), max_size=60, unique_by=lambda pair: pair[0]),
    st.integers(1, 30),
    st.randoms(use_true_random=False),
)
def test_the_sample_of_samples_is_that_of_the_whole(entries, bound, rng):
    def sampled(some):
        sample = Sample(bound)
        for key, weight in some:
            if sample.lacks(key):
                sample.add(key, key, weight)
        return sample

    whole, merged = sampled(entries), Sample(bound)
    for n in range(3):
        part = sampled(rng.sample(entries[n::3], len(entries[n::3])))
        merged.merge(part)
    assert list(merged.items()) == list(whole.items())


def test_hashes_of_inputs_do_not_depend_on_the_process():
    names = [f"p{n}" for n in range(20)]
    graphs = [Graph.from_triples([("a", "p1", "b")]) for _ in range(2)]
    for graph, some in zip(graphs, (names, reversed(names)), strict=True):
        object.__setattr__(graph, "optional", frozenset(some))
    object.__setattr__(graphs[1], "optional", Reversed(graphs[1].optional))
    assert content_hash(graphs[0]) == content_hash(graphs[1])


class Reversed(frozenset):
    """A set that lists its items in another order, as it would in another process."""

    def __iter__(self):
        return iter(random.Random(1).sample(sorted(frozenset.__iter__(self)), len(self)))

    def __repr__(self):
        return repr(list(self))
