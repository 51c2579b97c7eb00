"""Parts of a benchmark, by hand."""

from __future__ import annotations

import pytest

from esascore.gold.mentions.benchmark import match_all
from esascore.gold.mentions.summary import Training, break_down

ONE = "The Bionico is Mexican. It is sweet."
TWO = "Tolma is from Kelland."


@pytest.fixture
def matched(make):
    gold = [("Bionico", "The Bionico", "description"), ("Mexico", "Mexican"), ("Bionico", "It", "pronoun")]
    food = make.example("A", [("Bionico", "country", "Mexico")], make.reference(ONE, *gold))
    river = make.example(
        "B",
        [("Tolma", "country", "Kelland"), ("Tolma", "length", "12")],
        make.reference(TWO, ("Tolma", "Tolma"), ("Kelland", "Kelland")),
        category="River",
    )
    one = [("Bionico", 0, 11), ("Mexico", 15, 22), ("Mexico", 24, 26, "pronoun")]
    two = [("Tolma", 0, 5), ("Kelland", 6, 13, "guess")]
    return match_all(make.texts(food, river), make.detector({ONE: one, TWO: two}))


def exact(parts):
    """Annotated, detected, and share of the detected that is exactly right, of each part."""
    return {
        name: (part.get("gold"), part["found"], part["exact"]["precision"]) for name, part in parts.items()
    }


def test_types_of_annotations_and_of_what_matches_none(matched):
    assert exact(break_down(matched)["type"]) == {
        "name": (3, 3, 2 / 3),  # Mexican, Tolma; "is from" looks like a name
        "description": (1, 1, 1 / 1),
        "pronoun": (1, 1, 0 / 1),  # It was found, but for Mexico
    }


def test_methods_have_a_precision_only(matched):
    methods = break_down(matched)["method"]
    assert exact(methods) == {
        "guess": (None, 1, 0 / 1),
        "pronoun": (None, 1, 0 / 1),
        "string": (None, 3, 3 / 3),
    }
    assert methods["string"]["exact"] == {"precision": 1.0, "recall": None, "f1": None}
    assert "gold" not in methods["string"]


def test_categories_and_sizes_divide_the_texts(matched):
    parts = break_down(matched)
    assert exact(parts["category"]) == {"Food": (3, 3, 2 / 3), "River": (2, 2, 1 / 2)}
    assert exact(parts["size"]) == {"1": (3, 3, 2 / 3), "2": (2, 2, 1 / 2)}
    assert parts["size"]["2"]["texts"] == 1
    assert parts["size"]["2"]["entity"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}


def test_entities_and_categories_are_seen_or_unseen(matched, make):
    training = Training.of([make.example("T", [("Bionico", "country", "Kelland")], category="Food")])
    parts = break_down(matched, training)
    assert exact(parts["seen_entity"]) == {"seen": (3, 2, 1 / 2), "unseen": (2, 3, 2 / 3)}
    assert exact(parts["seen_category"]) == {"seen": (3, 3, 2 / 3), "unseen": (2, 2, 1 / 2)}
    assert "seen_entity" not in break_down(matched)


def test_sizes_are_in_order_of_number(make):
    examples = [make.example(str(n), [("a", "p", "b")] * n, make.reference("b", ("b", "b"))) for n in (10, 2)]
    matched = match_all(make.texts(*examples), make.finds_labels)
    assert list(break_down(matched)["size"]) == ["2", "10"]
