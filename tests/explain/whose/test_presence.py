"""Words for having or lacking an attribute."""

from __future__ import annotations

from collections import Counter

import pytest

from esascore.explain.whose.judge import judge
from esascore.explain.whose.model import Model, learn
from esascore.explain.whose.presence import learned
from esascore.model import Graph
from esascore.text.document import Document

NAMES = ("Ann", "Bo", "Cat", "Dag", "Eli")


def game(number):
    players = [
        {"name": name, "points": 20 + number + place, **({"position": "F"} if place < 3 else {})}
        for place, name in enumerate(NAMES)
    ]
    return Graph.from_data({"players": players})


def report(number):
    starters = [f"{name} led with {20 + number + place} points." for place, name in enumerate(NAMES[:3])]
    return " ".join((*starters, f"Eli led the subs with {24 + number} points. Dag was one of the subs."))


@pytest.fixture(scope="module")
def model():
    return learn([(game(number), report(number)) for number in range(20)])


def flags(text, model):
    found = judge(Document(game(2), text), model).flags
    return [(text[flag.start : flag.end], flag.evidence) for flag in found]


def test_words_are_learned(model):
    assert model.presence["subs"] == ("players.*.position", False)
    assert "point" not in model.presence
    assert Model.from_dict(model.as_dict()) == model


def test_a_word_for_others_is_flagged(model):
    assert flags("Ann was one of the subs.", model) == [("subs", "presence")]
    assert flags("Dag was one of the subs.", model) == []


def test_who_led_some(model):
    assert flags("Dag led the subs with 25 points.", model) == [("led", "claim")]
    assert flags("Eli led the subs with 26 points.", model) == []


def test_accidents_teach_nothing():
    few = {("cool", "position", False): 9, ("won", "position", True): 300, ("won", "position", False): 100}
    assert learned(Counter(few)) == {}
    weak = few | {("cool", "position", False): 12, ("cool", "position", True): 9}
    assert learned(Counter(weak)) == {}
