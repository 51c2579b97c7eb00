"""Which attribute a context speaks of, learned from texts."""

from __future__ import annotations

import json
import random

import pytest

from esascore.explain.whose import model as own
from esascore.explain.whose.model import Model, learn
from esascore.model import Graph, Triple
from explain.whose.games import corpus


def test_words_that_no_key_has_are_learned():
    shares = learn(corpus()).contexts["r board"].shares
    assert max(shares, key=shares.get) == "teams.*.players.*.rebounds"


def test_pairs_are_learned():
    contexts = learn(corpus()).contexts
    assert contexts["pair ("].shares["teams.*.wins & teams.*.losses"] > 0.9
    assert contexts["pair -"].shares["teams.*.points & teams.*.points"] > 0.9


def test_order_does_not_matter():
    pairs = corpus()
    shuffled = random.Random(1).sample(pairs, len(pairs))
    assert learn(shuffled) == learn(pairs)


def test_a_bounded_sample_is_taken_by_content(monkeypatch):
    pairs = corpus()
    monkeypatch.setattr(own, "MOST_TEXTS", 15)
    assert learn(pairs) == learn(pairs[::-1])
    assert learn(pairs).contexts["pair -"].seen == 15


def test_few_texts_teach_nothing():
    assert learn(corpus()[: own.LEAST_TEXTS - 1]) is None
    assert learn([(Graph((Triple("A", "b", str(n)),)), "It is 1.") for n in range(30)]) is None


def test_a_model_survives_json():
    learned = learn(corpus())
    again = Model.from_dict(json.loads(json.dumps(learned.as_dict())))
    assert again == learned
    assert again.digest == learned.digest


@pytest.mark.parametrize("data", [{}, {"format": 99}, {"format": 1, "contexts": {"r x": 3}, "common": []}])
def test_what_is_no_model_is_refused(data):
    with pytest.raises(ValueError, match=r"model|format"):
        Model.from_dict(data)
