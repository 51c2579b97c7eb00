"""How phrases are read: word bases, negations, clauses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.text.clauses import BREAK, NOT, clauses, phrase
from esascore.text.document import read


@pytest.mark.parametrize(
    ("text", "bases"),
    [
        ("isn't family-friendly", (NOT, "famil", "friend")),
        ("isn’t a family friendly place", (NOT, "famil", "friend", "plac")),
        ("without parking", (NOT, "park")),
        ("no, never", (NOT, BREAK, NOT)),
        ("It is the best of the city", ("best", "cit")),
        ("4.5 stars", ("4", "5", "star")),
        ("twenty-five", ("20", "5")),
        ("", ()),
    ],
)
def test_bases(text, bases):
    assert clauses(read(text)).bases == bases


def test_a_negation_reaches_three_words_within_its_clause():
    text = clauses(read("not really a very cheap pub, but cheap"))
    first, second = (n for n, base in enumerate(text.bases) if base == "cheap")
    assert text.negated(first, 3)
    assert not text.negated(first, 2)
    assert not text.negated(second, 3)


@pytest.mark.parametrize(
    ("text", "word", "negated"),
    [
        ("It has no camera, radio, or port.", "port", True),
        ("It does not have a camera, radio, or port.", "radio", True),
        ("It has no camera. There are a screen, radio or port.", "radio", False),
        ("It has no camera, but it has a screen, radio or port.", "radio", False),
        ("It has no camera, radio and port.", "radio", False),
    ],
)
def test_a_negation_reaches_through_a_list_that_or_ends(text, word, negated):
    read_ = clauses(read(text))
    assert read_.negated(read_.bases.index(word), 2) is negated


@given(st.text(max_size=60))
def test_each_base_has_its_word(text):
    document = read(text)
    found = clauses(document)
    assert len(found.bases) == len(found.words)
    assert all(0 <= word < len(document.words) for word in found.words)
    assert list(found.words) == sorted(found.words)


@given(st.text(max_size=40))
def test_a_phrase_has_no_breaks(text):
    assert BREAK not in phrase(text)


@pytest.mark.parametrize(
    ("text", "reached"),
    [
        ("no rain or snow, or hail", {"rain", "snow", "hail"}),
        ("no rain, snow, or hail", {"rain", "snow", "hail"}),
        ("no rain, snow and hail", {"rain"}),
        ("no rain. Snow or hail", {"rain"}),
    ],
)
def test_a_negation_reaches_what_is_joined_by_or(text, reached):
    read_ = clauses(read(text))
    assert {base for base in ("rain", "snow", "hail") if read_.negated(read_.bases.index(base), 1)} == reached
