"""Values by phrases, and what denies them, through the pipeline."""

from __future__ import annotations

import pytest

from esascore.lexicon import UserEntry
from esascore.model import Cell, Graph, Input
from esascore.pipeline import build_pipeline

INN = {"name": "Grey Heron", "familyFriendly": "no", "price": "moderate"}


def found(data, text, *entries):
    """The values that are detected in a text, with their words."""
    graph = data if isinstance(data, Input) else Graph.from_data(data)
    [detection] = build_pipeline(lexicon=entries).detect([(graph, text)])
    return {str(m.entity): m.text for m in detection.mentions if m.entity not in ("Grey Heron",)}


def test_a_truth_value_and_another_form_of_a_word():
    text = "Grey Heron isn't family-friendly, and moderately priced."
    assert found(INN, text) == {"no": "isn't family-friendly", "moderate": "moderately"}


@pytest.mark.parametrize(
    "text", ["Grey Heron is family-friendly.", "No, Grey Heron.", "Grey Heron has no bar."]
)
def test_the_opposite_and_the_bare_word_prove_nothing(text):
    assert "no" not in found(INN, text)


@pytest.mark.parametrize(
    ("value", "text", "proven"),
    [
        ("family friendly", "It is family friendly.", True),
        ("family friendly", "It is not family friendly.", False),
        ("not family friendly", "It is family friendly.", False),
        ("not family friendly", "It is not family friendly.", True),
    ],
)
def test_negation_counts_in_values_that_are_texts(value, text, proven):
    assert (value in found({"name": "Grey Heron", "for": value}, text)) is proven


def test_truth_values_of_triples_and_tables():
    triples = Graph.from_triples([("Grey Heron", "hasParking", "true")])
    assert found(triples, "Grey Heron has parking.") == {"true": "parking"}
    table = Input.from_table((Cell("Grey Heron", "inn"), Cell("no", "hasParking")))
    assert found(table, "Grey Heron has no parking.") == {"no": "no parking"}


def test_lines_of_a_lexicon_prove_each_of_their_values():
    cheap = UserEntry("price=low|under 10", "a bargain")
    for value in ("low", "under 10"):
        assert found({"name": "Grey Heron", "price": value}, "A real bargain.", cheap) == {value: "bargain"}
    assert found({"name": "Grey Heron", "price": "high"}, "A real bargain.", cheap) == {}
    assert found({"name": "Grey Heron", "rating": "low"}, "A real bargain.", cheap) == {}


def test_refused_words_of_a_value_prove_nothing():
    drop = UserEntry("price=high", "high", "drop")
    data = {"name": "Grey Heron", "price": "high"}
    assert found(data, "High hopes.") == {"high": "High"}
    assert found(data, "High hopes.", drop) == {}
    # Beside its attribute a value needs no other words.
    assert found(data, "The price is high, and high are the hopes.", drop).keys() == {"high"}


@pytest.mark.parametrize(
    ("data", "text", "undetected"),
    [
        ({"name": "Oslo Owls", "city": "Oslo"}, "Oslo Owls won.", ()),
        (
            {"name": "Grey Heron", "food": "Indian", "near": "Indian Museum"},
            "Grey Heron, Indian Museum.",
            ("Indian",),
        ),
    ],
)
def test_a_value_is_found_in_the_name_of_its_subject_alone(data, text, undetected):
    [detection] = build_pipeline().detect([(Graph.from_data(data), text)])
    assert detection.undetected == undetected


def test_a_phrase_takes_no_article():
    data = {"name": "Grey Heron", "price": "moderate"}
    assert found(data, "Grey Heron is at a moderately low level.") == {"moderate": "moderately"}
