from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.link.equality import EntityNames, canonical


class Table:
    def __init__(self, **targets: str):
        self._targets = targets

    def redirect(self, title: str) -> str | None:
        return self._targets.get(title)


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("New_York_City", "New_York_City"),
        ("  new York__City ", "New_York_City"),
        ("AC/DC", "AC/DC"),
        ("http://dbpedia.org/resource/AC/DC", "AC/DC"),
        ("<http://dbpedia.org/resource/A.C._Milan>", "A.C._Milan"),
        ("https://en.wikipedia.org/wiki/Caf%C3%A9", "Café"),
        ("http://www.wikidata.org/entity/Q42", "Q42"),
        ("dbr:Mexico", "Mexico"),
        ("Cafe\u0301", "Café"),
        ("100%_Fun", "100%_Fun"),
        ("50%FF", "50%FF"),
        ('"Bionico"^^xsd:string', "Bionico"),
        ("étoile", "Étoile"),
        ("ßeta", "ßeta"),
        ("", ""),
    ],
)
def test_titles(written, title):
    assert canonical(written) == title


@given(st.text(max_size=20))
def test_a_canonical_name_that_needs_no_decoding_stays_as_it_is(name):
    once = canonical(name)
    if not set(once) & set("%&\"'“”«»„‘’^@<"):
        assert canonical(once) == once


def test_accents_tell_names_apart_and_brackets_too():
    names = EntityNames()
    assert not names.same("Orléans", "Orleans")
    assert not names.same("Mercury_(planet)", "Mercury")
    assert not names.same("New_york", "New_York")


def test_redirects_are_followed_on_both_sides():
    names = EntityNames([Table(Big_Apple="New_York_City"), Table(NYC="Big_Apple")])
    assert names.same("Big_Apple", "New York City")
    assert names.same("NYC", "Big Apple")
    assert names.entity("nYC") == "New_York_City"
    assert not names.same("NYC", "New_York")


def test_circles_end():
    names = EntityNames([Table(A="B"), Table(B="A")])
    assert names.entity("A") in ("A", "B")


def test_it_can_be_sent_to_another_process():
    copy = pickle.loads(pickle.dumps(EntityNames()))
    assert copy.same("a b", "A_b")
