from __future__ import annotations

import pytest

from esascore.metrics.hallucination import Hallucinations
from esascore.model import Example, Graph
from esascore.pipeline import build_pipeline

LIFE = Graph.from_triples([("Ada_Byron", "deathPlace", "London"), ("Ada_Byron", "spouse", "Paul_Riss")])


def classes(graph, text):
    [flags] = Hallucinations(build_pipeline()).find([Example("Id1", graph)], [text])
    return [(flag.text, flag.kind, flag.nearest) for flag in flags]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada Byron died in Paris.", ("Paris", "replacement", "London")),  # Paul Riss is spelt more like it
        ("Ada Byron wed Dr. Holt in London.", ("Holt", "replacement", "Paul_Riss")),
        ("Ada Byron and Paul Riss died near Green Castle.", ("Green Castle", "replacement", "London")),
    ],
)
def test_a_name_replaces_what_may_be_of_its_kind(text, expected):
    assert classes(LIFE, text) == [expected]


def test_no_name_replaces_a_truth_value():
    graph = Graph.from_data({"name": "Ada Byron", "married": True})
    assert classes(graph, "Ada Byron met Karl Brandt.") == [("Karl Brandt", "addition", "Ada Byron")]
