"""Phrases that realise values, and truth values through their attribute."""

from __future__ import annotations

import pytest

from esascore.lexicon.phrasings import ABSENT, Phrasings, chosen, split_key
from esascore.lexicon.truths import truth
from esascore.lexicon.user import UserEntry
from esascore.text.clauses import clauses
from esascore.text.document import read


def said(text, *lines):
    """The attributes and values that a text states, by lines of a lexicon."""
    known = Phrasings.of_user(UserEntry(*line) for line in lines)
    read_ = clauses(read(text))
    return [
        (hit.phrasing.attribute, sorted(hit.phrasing.values)) for hit in chosen(read_, known.all_hits(read_))
    ]


KIDS = ("welcomesKids=yes", "kid friendly")
LOW_PRICE = ("price=cheap|under 10", "low price")
LOW = ("rating=low", "low")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A kids-friendly hut.", [("welcomes kids", ["yes"])]),
        ("It is not at all kid friendly.", [("welcomes kids", ["no"])]),
        ("It is not far, but kid friendly.", [("welcomes kids", ["yes"])]),
        ("Low prices, low rating.", [("price", ["cheap", "under 10"]), ("rating", ["low"])]),
        ("The rating is not low.", []),
        ("Nothing to say.", []),
    ],
)
def test_found(text, found):
    assert said(text, KIDS, LOW_PRICE, LOW) == found


def test_the_nearer_attribute_has_a_shared_word():
    lines = ("price=high", "high"), ("rating=high", "high")
    assert said("a high rating", *lines) == [("rating", ["high"])]
    assert said("high priced, with cakes", *lines) == [("price", ["high"])]
    assert len(said("It is high.", *lines)) == 2


@pytest.mark.parametrize(
    ("against", "low", "absent"),
    [
        ("", True, True),
        ("*", True, True),
        ("low", True, False),
        ("-", False, True),
        ("nothing", False, False),
    ],
)
def test_what_a_line_speaks_against(against, low, absent):
    [one] = Phrasings.of_user([UserEntry("rating=high", "splendid", against=against)]).phrasings
    assert (one.denies("low"), one.denies(ABSENT), one.denies("high")) == (low, absent, False)


def test_a_value_that_no_line_knows_is_denied_by_what_denies_anything():
    [one] = Phrasings.of_user([UserEntry("kind=inn", "inn", against="-")]).phrasings
    assert one.denies("castle", frozenset({"inn"}))
    assert not one.denies("castle", frozenset({"inn", "castle"}))


@pytest.mark.parametrize("text", ["=x", "a=", "a", "a=|", ""])
def test_names_of_entities_are_no_keys(text):
    assert split_key(text) is None


@pytest.mark.parametrize(
    ("attribute", "text", "values"),
    [
        ("familyFriendly", "a family-friendly inn", ["yes"]),
        ("family_friendly", "Families find it friendly.", ["yes"]),
        ("familyFriendly", "an inn that isn't family friendly", ["no"]),
        ("familyFriendly", "a non-family-friendly inn", ["no"]),
        ("isFamilyFriendly", "It is not a place that is friendly. Families come.", []),
        ("hasParking", "Parking is available.", ["yes"]),
        ("hasParking", "Parking is not available.", ["no"]),
        ("hasParking", "It comes without parking.", ["no"]),
        ("hasParking", "It has no parking, but a garden.", ["no"]),
        ("petsAllowed", "Pets are allowed.", ["yes"]),
        ("petsAllowed", "It allows pets.", ["yes"]),
        ("petsAllowed", "Pets are not permitted.", ["no"]),
        ("petsAllowed", "It does not allow any pets.", ["no"]),
        ("petsAllowed", "Pets sleep here.", []),
        ("nonSmoking", "No smoking.", ["yes"]),
        ("nonSmoking", "A smoking room.", ["no"]),
    ],
)
def test_truths(attribute, text, values):
    found = [sorted(hit.phrasing.values) for hit in truth(attribute).found(clauses(read(text)))]
    assert found == [[value] for value in values]


@pytest.mark.parametrize("attribute", ["", "5", "_"])
def test_attributes_without_words_say_nothing(attribute):
    assert truth(attribute) is None
