"""One reading of a text: words, sentences, stems, camel case."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.text.document import read
from esascore.text.stem import stem
from esascore.text.vocabulary import function_words
from esascore.text.words import folded_key, name_words, spaced, words_as_written


@given(st.text(max_size=30))
def test_words_know_where_they_stand_and_names_are_folded_alike(text):
    document = read(text)
    words = document.words
    assert words.texts == name_words(text)
    assert words.joined == " ".join(words.texts) == folded_key(text)
    for word, start, end, token in zip(words.texts, words.starts, words.ends, words.tokens, strict=True):
        assert (start, end) == (document.tokens.starts[token], document.tokens.ends[token])
        assert folded_key(text[start:end]) == word
    assert len(words_as_written(text)) == len(words)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("", []),
        ("One. Two! Three? Four", ["One", "Two", "Three", "Four"]),
        ("Mr. Hall met St. Ann Street. It rained.", ["Mr", "It"]),
        ("A. Berg lives. B. Lund died.", ["A", "B"]),
        ('He said "Go." Then (yes.) she left.', ["He", "Then", "she"]),
        ("It costs 3.5 dollars.No space here.", ["It"]),
        ("A title\nand a line\n\nand more", ["A", "and", "and"]),
        ("in oslo. it is old.", ["in", "it"]),
    ],
)
def test_where_sentences_begin(text, sentences):
    document = read(text)
    assert [document.tokens.texts[start] for start in document.sentences] == sentences


@given(st.text(alphabet='aB. !?\n"', max_size=30))
def test_sentences_are_in_order_and_number_every_token(text):
    document = read(text)
    assert all(a < b for a, b in pairwise(document.sentences))
    numbers = list(document.sentence_numbers)
    assert len(numbers) == len(document.tokens)
    assert [n for n, (a, b) in enumerate(pairwise([-1, *numbers])) if a != b] == list(document.sentences)


@given(st.text(alphabet="abcdegilnorsty", min_size=1, max_size=12))
def test_a_stem_is_a_beginning(word):
    assert word.startswith(stem(word))
    assert len(stem(word)) >= min(4, len(word))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("birthPlace", "birth Place"),
        ("isPartOf_country", "is Part Of country"),
        ("USState", "US State"),
        ("3rdRunwayLength", "3rd Runway Length"),
        ("runway2Name", "runway 2 Name"),
        ("km2", "km2"),
    ],
)
def test_camel_case(name, words):
    assert spaced(name) == words


def test_function_words_of_further_kinds_are_asked_for():
    assert function_words() < function_words("filler")
    assert not function_words("filler") & {"capital", "leader"}
    assert {"de", "van"} <= function_words("particle") - function_words()
