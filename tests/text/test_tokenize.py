"""Tokens know where they stand in the text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esascore.text.tokenize import Tokens, split_white_space, split_words

TEXT = st.text(alphabet=st.one_of(st.characters(), st.sampled_from(" \t\n\r\0\u2028\u0301_.,'’-1aé\ud800")))
SPLITTERS = pytest.mark.parametrize("split", [split_white_space, split_words])


@SPLITTERS
@settings(deadline=None)
@given(text=TEXT)
def test_tokens_are_the_text_without_its_white_space(split, text):
    tokens = split(text)
    assert len(tokens) == len(tokens.texts) == len(tokens.starts) == len(tokens.ends)
    covered = 0
    for token, start, end in zip(tokens.texts, tokens.starts, tokens.ends, strict=True):
        assert token == text[start:end] != ""
        assert text[covered:start].strip() == ""
        covered = end
    assert text[covered:].strip() == ""


@settings(deadline=None)
@given(TEXT)
def test_white_space_splits_as_python_does(text):
    # Python counts the separators U+001C to U+001F as white space, and so does the pattern.
    assert list(split_white_space(text).texts) == text.split()


@SPLITTERS
def test_nothing_gives_nothing(split):
    assert split("") == split(" \t\n\u2028 ") == Tokens((), (), ())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ada's dog", ("Ada", "'", "s", "dog")),
        ("1,299.5 m²", ("1", ",", "299", ".", "5", "m²")),
        ("A_B", ("A", "_", "B")),
        ("x--y", ("x", "-", "-", "y")),
        ("cafe\u0301s", ("cafe\u0301s",)),  # marks that combine stay with their letter
        ("\u0301a", ("\u0301", "a")),  # a mark without a letter stands alone
        ("東京タワー", ("東京タワー",)),
        ("a\0b", ("a", "\0", "b")),
        ("𝔏ake🙂", ("𝔏ake", "🙂")),
        ("\ud800x", ("\ud800", "x")),
    ],
)
def test_words(text, words):
    assert split_words(text).texts == words


def test_offsets_count_code_points():
    tokens = split_words("🙂 Åsa")
    assert (tokens.starts, tokens.ends) == ((0, 2), (1, 5))
