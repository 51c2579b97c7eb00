"""Marked texts, what is made of them, and which facts they then state."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.facts.bank import Marked, bank_of
from esascore.facts.claims import CORRUPTIONS, claim_of, training_claims
from esascore.model import Triple

BRIDGE = "Ada_Bridge"


def marked(text: str, triples: str, category: str = "Bridge") -> Marked:
    """A text whose mentions are written as ``[words|entity]``."""
    plain, mentions = "", []
    for part in text.replace("]", "[").split("["):
        words, _, entity = part.partition("|")
        if entity:
            mentions.append((entity, len(plain), len(plain) + len(words)))
        plain += words
    facts = [Triple(*line.split(" | ")) for line in triples.splitlines()]
    return Marked.of(plain, mentions, facts, category)


TEXTS = [
    marked(
        "[Bo Berg|Bo_Berg] designed the [Ada Bridge|Ada_Bridge], which crosses the [River Wend|River_Wend]. "
        "[It|Ada_Bridge] opened in [1931|1931].",
        "Ada_Bridge | architect | Bo_Berg\nAda_Bridge | crosses | River_Wend\nAda_Bridge | opened | 1931",
    ),
    marked("[Cy Dahl|Cy_Dahl] designed [Elm Pier|Elm_Pier].", "Elm_Pier | architect | Cy_Dahl"),
    marked("[Eve Falk|Eve_Falk] designed [Fir Pier|Fir_Pier].", "Fir_Pier | architect | Eve_Falk"),
    marked("[Elm Pier|Elm_Pier] crosses the [Oder|Oder].", "Elm_Pier | crosses | Oder"),
    marked("[Fir Pier|Fir_Pier] was opened in [1950|1950].", "Fir_Pier | opened | 1950"),
]
BANK = bank_of(TEXTS)


def test_a_text_states_the_facts_whose_entities_it_mentions():
    text = marked("[Bo|Bo] built it.", "Ada | architect | Bo\nBo | born | 1900")
    assert text.stated == frozenset()
    assert text.text == "Bo built it."
    assert TEXTS[0].stated == set(TEXTS[0].facts)
    assert TEXTS[0].spans(BRIDGE) == ((21, 31), (63, 65))
    assert TEXTS[0].spans(BRIDGE, pronouns=False) == ((21, 31),)
    assert TEXTS[0].named == ("Bo_Berg", BRIDGE, "River_Wend", "1931")


def test_mentions_that_overlap_are_marked_once():
    text = Marked.of("New York City", [("York", 4, 8), ("NYC", 0, 13)], [])
    assert [(piece.text, piece.entity) for piece in text.pieces] == [("New York City", "NYC")]


@given(
    st.text(max_size=30), st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 30), st.integers(0, 30)))
)
def test_pieces_are_the_text(text, mentions):
    inside = [(entity, min(a, b, len(text)), min(max(a, b), len(text))) for entity, a, b in mentions]
    found = Marked.of(text, inside, [])
    assert found.text == text
    for entity, *_ in inside:
        assert all(0 <= start < end <= len(text) for start, end in found.spans(entity))


def test_what_a_bank_knows():
    assert BANK.takers["architect", "object"] == ("Bo_Berg", "Cy_Dahl", "Eve_Falk")
    assert BANK.wordings["architect"] == ("designed",)
    assert BANK.wordings["crosses"] == ()  # its name is no other wording
    assert BANK.near("location", "city")
    assert not BANK.near("architect", "opened")
    assert BANK.near("architect", "architectFirm")
    assert BANK.is_mutual("spouse")
    assert not BANK.is_mutual("architect")


@pytest.mark.parametrize("name", CORRUPTIONS)
@given(seed=st.integers(0, 1000))
def test_a_corrupted_text_states_what_it_says(name, seed):
    """Facts that a corrupted text states are about entities that it marks, and one of the input's is gone."""
    chance = Random(seed)
    text = TEXTS[0]
    found = CORRUPTIONS[name](text, BANK, chance)
    if found is None:
        return
    for fact in found.stated:
        assert claim_of(fact, found) is not None or fact.subject == fact.object
    in_data = name.endswith("in the data")
    assert (found.text == text.text) == in_data
    if name == "sentence added":
        assert set(found.facts) <= found.stated
    else:
        assert not set(found.facts) <= found.stated


def test_swapping_two_mentions_swaps_them_in_every_fact():
    text = TEXTS[1]
    found = CORRUPTIONS["mentions swapped"](text, BANK, Random(3))
    assert found is not None
    assert found.text in ("Elm Pier designed Cy Dahl.",)
    assert found.stated == {Triple("Cy_Dahl", "architect", "Elm_Pier")}


def test_claims_are_true_of_what_is_stated_and_false_of_the_rest():
    drawn = training_claims(TEXTS, BANK, 400, seed=1)
    assert drawn == training_claims(TEXTS, BANK, 400, seed=1)
    assert drawn != training_claims(TEXTS, BANK, 400, seed=2)
    assert 0.35 < sum(one.true for one in drawn) / len(drawn) < 0.65
    for one in drawn:
        for start, end in (*one.claim.subject, *one.claim.object):
            assert one.claim.text[start:end].strip()
    whole = {one.claim for one in drawn if one.true and one.claim.text == TEXTS[1].text}
    assert {claim.predicate for claim in whole} == {"architect", "designed"}
    assert not whole & {one.claim for one in drawn if not one.true}


def test_no_claim_without_both_mentions():
    text = marked("[Bo|Bo] built it.", "Ada | architect | Bo")
    assert claim_of(text.facts[0], text) is None
    assert claim_of(Triple("Bo", "knows", "Bo"), text) is None
