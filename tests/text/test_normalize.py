"""What strings are compared as."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esascore.text.normalize import comparable, folded, lowered_in_place, without_punctuation
from esascore.text.tokenize import split_white_space, split_words

TEXT = st.text(alphabet=st.one_of(st.characters(), st.sampled_from(" \n\0\u2028_.,&;#e+-12aé")))


@pytest.mark.parametrize(
    ("token", "normal"),
    [
        ("Oslo.", "oslo"),
        ("(Oslo)", "oslo"),
        ("O'Neil", "oneil"),
        ("1,299.5", "12995"),
        ("Lake_Town,", "lake_town"),  # underscores are characters of a label
        ("\u22127", "7"),  # the minus sign is no punctuation for Unicode
        ("“Åsa”", "åsa"),  # diacritics stay
        ("R&amp;B", "rb"),
        ("a&#32;b", "ab"),  # a reference to a space must not make two tokens of one
        ("2.5e+3", "2500"),
        ("(2.5E3)", "2500"),
        ("1e-3", "0001"),
        ("1e-3x", "1e3x"),  # no number
        ("1e999", "1e999"),  # an exponent of three digits is not written out
        ("...", ""),
        ("€5", "€5"),  # a currency sign is a symbol
    ],
)
def test_without_punctuation(token, normal):
    assert without_punctuation(token) == normal


@pytest.mark.parametrize(
    ("word", "normal"),
    [
        ("OSLO", "oslo"),
        ("ÅSA", "asa"),
        ("A\u030asa", "asa"),  # composed and decomposed are one
        ("Ærø", "aero"),
        ("œuvre", "oeuvre"),
        ("Þór", "thor"),
        ("m²", "m2"),
        ("１２", "12"),
        ("東京", "東京"),
        ("_", ""),
        ("a.b", ""),  # ASCII that is not a word; words have no stops
        ("\ud800", ""),
        ("", ""),
    ],
)
def test_folded(word, normal):
    assert folded(word) == normal


@settings(deadline=None)
@given(TEXT)
def test_folded_words_are_letters_and_digits(text):
    for word in split_words(text).texts:
        assert folded(word) == "" or folded(word).isalnum()


@pytest.mark.parametrize(("split", "rule"), [(split_white_space, without_punctuation), (split_words, folded)])
@settings(deadline=None)
@given(text=TEXT)
def test_each_token_of_the_comparable_text_knows_where_it_is_from(split, rule, text):
    tokens = split(text)
    made = comparable(tokens, rule)
    words = made.text.split(" ") if made.text else []
    assert words == [rule(tokens.texts[n]) for n in made.tokens]
    kept = set(made.tokens)
    assert list(made.tokens) == sorted(kept)
    assert all(rule(token) == "" for n, token in enumerate(tokens.texts) if n not in kept)


def test_tokens_of_which_nothing_is_left_are_dropped():
    made = comparable(split_white_space("— Oslo , Norway !"))
    assert (made.text, made.tokens) == ("oslo norway", (1, 3))


@given(st.text(max_size=30))
def test_lower_case_keeps_offsets(text):
    low = lowered_in_place(text)
    assert len(low) == len(text)
    assert all(a in (b, b.lower()) for a, b in zip(low, text, strict=True)) or low == text.lower()
