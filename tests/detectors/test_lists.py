"""Literals that enumerate."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esascore.detectors.lists import Lists
from esascore.model import Graph
from esascore.text.document import Document

TEA = '"tea, milk, brown sugar, salt"'  # five words


def found(literal: str, text: str, **options):
    document = Document(Graph.from_triples([("Brew", "ingredient", literal)]), text)
    mentions = Lists(**{"least": 0.5, "cost": 0.01, **options}).mentions(document)
    assert all(m.entity == literal and m.method == "list" for m in mentions)
    assert all(text[m.start : m.end] == m.text for m in mentions)
    return mentions


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("It has tea, milk, brown sugar, salt.", "tea, milk, brown sugar, salt"),
        ("It has salt, brown sugar, milk and tea.", "salt, brown sugar, milk and tea"),
        ("It has TEA; Milk / brown sugar & salt.", "TEA; Milk / brown sugar & salt"),
        ("It has tea with some milk, as well as brown sugar plus salt!", None),
        ("It has tea with milk, as well as brown sugar plus salt!", None),
        ("It has salt, sugar, tea, milk, brown sugar!", None),  # a part of an item joins, too
    ],
)
def test_any_order_and_joints(text, span):
    [mention] = found(TEA, text)
    assert mention.text == (span or text.removeprefix("It has ").rstrip("!"))
    assert mention.distance == 0.01


@pytest.mark.parametrize(
    ("text", "span", "share"),
    [
        ("It has tea, milk and brown sugar.", "tea, milk and brown sugar", 4 / 5),
        ("It has milk and brown sugar.", "milk and brown sugar", 3 / 5),
        ("It has tea, tea, milk and brown sugar.", "tea, milk and brown sugar", 4 / 5),
    ],
)
def test_missing_words_add_half_their_share(text, span, share):
    [mention] = found(TEA, text)
    assert mention.text == span
    assert mention.distance == pytest.approx(0.01 + (1 - share) / 2, abs=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "It has tea and milk.",  # two words of five
        "It has brown sugar.",  # one item is no list
        "It has milk, then comes brown sugar.",  # a word that is no joint
        "It has milk and also a some brown sugar.",  # too many joints
        "It has brown milk sugar salts.",  # items are whole
        "Nothing of it.",
        "",
    ],
)
def test_what_is_no_run(text):
    assert found(TEA, text) == []


def test_one_item_is_no_run_even_if_it_has_most_of_the_words():
    assert found('"brown sugar, tea"', "It has brown sugar.") == []
    assert [m.text for m in found('"brown sugar, tea"', "It has brown sugar, tea.")] == ["brown sugar, tea"]


def test_the_least_share_and_the_cost_are_settings():
    assert [m.text for m in found(TEA, "It has tea and milk.", least=0.4)] == ["tea and milk"]
    assert found(TEA, "It has tea and milk.", least=0.41) == []
    [mention] = found(TEA, "It has tea, milk, brown sugar, salt.", cost=0.2)
    assert mention.distance == 0.2


def test_of_several_runs_the_one_with_most_words_then_the_shortest():
    text = "First tea and milk, now salt and the tea or milk, later brown sugar."
    [mention] = found('"tea, milk, salt"', text)
    assert mention.text == "salt and the tea or milk"
    [mention] = found('"tea, milk"', "Take tea with some milk, I mean tea, milk.")
    assert mention.text == "tea, milk"


@pytest.mark.parametrize(
    ("literal", "text", "spans"),
    [
        ("Tea_and_milk,_cold", "milk, tea, cold", []),  # a term of a knowledge base
        ('"Tea_and_milk,_cold"', "milk, tea, cold", ["milk, tea, cold"]),
        ("tea and milk", "milk or tea", ["milk or tea"]),
        ("tea/milk", "milk, tea", ["milk, tea"]),
        ("tea", "tea, tea", []),  # nothing enumerated
        ("tea, tea", "tea, tea", []),  # the same item twice
        ("12, 34", "34, 12", []),  # numbers alone: perhaps one number with separators
        ("12, tea", "tea, 12", ["tea, 12"]),
        ('"Quito, M.A. 1957"', "an MA in 1957 from Quito", ["MA in 1957 from Quito"]),
        ('"Quito, MA 1957"', "his M.A. from Quito in 1957", ["M.A. from Quito in 1957"]),
    ],
)
def test_which_literals_enumerate(literal, text, spans):
    assert [m.text for m in found(literal, text)] == spans


WORDS = st.lists(st.sampled_from(["tea", "milk", "rye", "salt"]), min_size=2, max_size=4, unique=True)


@settings(deadline=None)
@given(items=WORDS, order=st.randoms(), joint=st.sampled_from([", ", " and ", "; ", " as well as "]))
def test_every_order_of_all_items_is_the_whole_list(items, order, joint):
    said = list(items)
    order.shuffle(said)
    [mention] = found(f'"{", ".join(items)}"', f"Take {joint.join(said)}.")
    assert mention.text == joint.join(said)
    assert mention.distance == 0.01


@settings(deadline=None)
@given(st.text("tea milk,.\n\0M", max_size=60))
def test_spans_hold_in_any_text(text):
    assert len(found(TEA, text)) <= 1
