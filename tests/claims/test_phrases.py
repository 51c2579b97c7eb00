"""Phrases that contradict a value are flagged, with what is expected."""

from __future__ import annotations

from esascore.learned import learn
from esascore.lexicon import UserEntry
from esascore.metrics.hallucination import Hallucinations
from esascore.model import Example, Graph
from esascore.pipeline import build_pipeline


def flags(data, text, *entries, others=()):
    """The flags of a text, by a ruler that learned from other inputs."""
    learned = learn(Example(str(n), Graph.from_data(own)) for n, own in enumerate(others))
    metric = Hallucinations(build_pipeline(lexicon=entries, learned=learned))
    [found] = metric.find([Example("1", Graph.from_data(data))], [text])
    return [(f.text, f.type, f.kind, f.expected) for f in found]


AREAS = [
    {"name": f"Inn {n}", "bar": "yes", "area": area}
    for n, area in enumerate(["riverside", "city centre", "east end"] * 8)
]


def test_the_opposite_of_a_truth_value():
    assert flags({"name": "Grey Heron", "petsAllowed": True}, "Grey Heron allows no pets.") == [
        ("pets", "value", "contradicted", "yes")
    ]
    assert flags({"name": "Grey Heron", "petsAllowed": False}, "Grey Heron allows no pets.") == []


def test_a_phrase_of_a_lexicon():
    line = UserEntry("price=low|under 10", "bargain")
    text = "Grey Heron is a bargain."
    assert flags({"name": "Grey Heron", "price": "high"}, text, line) == [
        ("bargain", "value", "replacement", "high")
    ]
    assert flags({"name": "Grey Heron", "bar": "yes"}, text, line) == [("bargain", "value", "addition", None)]
    assert flags({"name": "Grey Heron", "price": "low"}, text, line) == []
    assert flags({"name": "Grey Heron", "price": "high"}, "Grey Heron is not a bargain.", line) == []


def test_the_value_of_another_input():
    text = "Grey Heron is in the city centre."
    here = {"name": "Grey Heron", "area": "riverside"}
    assert flags(here, text, others=AREAS) == [("city centre", "value", "replacement", "riverside")]
    assert flags({"name": "Grey Heron", "bar": "yes"}, text, others=AREAS) == [
        ("city centre", "value", "addition", None)
    ]
    assert flags({"name": "Grey Heron", "area": "city centre"}, text, others=AREAS) == []


def test_a_common_word_counts_only_instead_of_the_value():
    assert flags({"name": "Grey Heron", "bar": "yes"}, "Grey Heron is by the riverside.", others=AREAS) == []
    text = "Grey Heron is in the east end, at the riverside."
    assert flags({"name": "Grey Heron", "area": "east end"}, text, others=AREAS) == []
    assert flags({"name": "Grey Heron", "area": "east end"}, "Grey Heron, riverside.", others=AREAS) == [
        ("riverside", "value", "replacement", "east end")
    ]


def test_a_reason_says_what_the_phrase_means():
    example = Example("1", Graph.from_data({"name": "Grey Heron", "petsAllowed": True}))
    [[one]] = Hallucinations(build_pipeline()).find([example], ["Grey Heron: no pets."])
    assert one.reason == "the text denies petsAllowed; the input says petsAllowed = yes"


def test_a_named_thing_is_there():
    others = [{"name": "Zed 1", "radio": "No"}, {"name": "Zed 2", "radio": "no"}] * 3
    named = {"name": "Zed 3", "radio": "Stereo FM radio"}
    assert flags(named, "Zed 3 has a non-removable battery and a radio.", others=others) == []
    assert flags({"name": "Zed 3", "radio": "No"}, "Zed 3 has a radio.", others=[*others, named]) == [
        ("radio", "value", "contradicted", "No")
    ]
