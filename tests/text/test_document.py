"""One reading of a text: words, sentences, casing, and the phrases of its clauses."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from esascore.text.casing import is_written_as
from esascore.text.clauses import BREAK, NOT, clauses, phrase
from esascore.text.document import read
from esascore.text.markdown import plain
from esascore.text.stem import stem
from esascore.text.vocabulary import function_words
from esascore.text.words import folded_key, name_words, spaced, words_as_written


@example("<B>")
@given(st.text(max_size=30))
def test_words_know_where_they_stand_and_names_are_folded_alike(text):
    document = read(text)
    text = plain(text)  # marks are no words
    words = document.words
    assert words.texts == name_words(text)
    assert words.joined == " ".join(words.texts) == folded_key(text)
    tokens = document.word_tokens
    for word, start, end, token in zip(words.texts, words.starts, words.ends, tokens, strict=True):
        assert (start, end) == (document.tokens.starts[token], document.tokens.ends[token])
        assert folded_key(text[start:end]) == word
    assert len(words_as_written(text)) == len(words)


def sentences(text: str) -> list[str]:
    """The sentences as they stand in the text."""
    document = read(text)
    tokens, edges = document.tokens, [*document.sentences, len(document.tokens)]
    return [text[tokens.starts[first] : tokens.ends[end - 1]] for first, end in pairwise(edges)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada won. She left.", ["Ada won.", "She left."]),
        ("Ada won! Did she? Yes.", ["Ada won!", "Did she?", "Yes."]),
        ("Who?! Ada.", ["Who?!", "Ada."]),
        ("Wait... She left.", ["Wait...", "She left."]),
        # what is closed after the full stop belongs to the sentence
        ('He said "Go." She left.', ['He said "Go."', "She left."]),
        ("Ada won (twice.) She left.", ["Ada won (twice.)", "She left."]),
        ("“Ada won.” She left.", ["“Ada won.”", "She left."]),
        # no sentence ends within a name, a number or an address
        ("Mr. Hall met Dr. Bo Berg. He left.", ["Mr. Hall met Dr. Bo Berg.", "He left."]),
        ("St. Ann is by A. B. Berg. It is old.", ["St. Ann is by A. B. Berg.", "It is old."]),
        ("It is 1.5 m. It is old.", ["It is 1.5 m.", "It is old."]),
        ("See norvik.example. It is old.", ["See norvik.example.", "It is old."]),
        ("Norvik, approx. pop. of nine, is old.", ["Norvik, approx. pop. of nine, is old."]),
        ("ada won. she left.", ["ada won.", "she left."]),
        # a line ends a sentence
        ("Ada won.\nShe left.\tIt rained.\xa0Bo sat.", ["Ada won.", "She left.", "It rained.", "Bo sat."]),
        ("Ada won\nShe left", ["Ada won", "She left"]),
        ("Norvik", ["Norvik"]),
        (". . .", [".", ".", "."]),
        ("", []),
        ("in oslo. it is old.", ["in oslo.", "it is old."]),
        ("It costs 3.5 dollars.No space here.", ["It costs 3.5 dollars.No space here."]),
        (" \n\t\xa0 ", []),
    ],
)
def test_sentences(text, expected):
    assert sentences(text) == expected


ALPHABET = st.sampled_from("aAbZ .!?'\"”)]1,\n\t\xa0\u0301\u200e\u2028é—\U0001f600") | st.characters()


@given(st.text(ALPHABET, max_size=60))
@example("A.B. c. D")
@example("\u0301. \u0301")
@example("# _0_")
def test_every_text_is_cut_into_all_it_shows(text):
    document = read(text)
    words, numbers = document.tokens, document.sentence_numbers
    assert len(words.texts) == len(words.starts) == len(words.ends) == len(numbers) == len(words)
    spans = list(zip(words.starts, words.ends, strict=True))
    assert [text[start:end] for start, end in spans] == list(words.texts)
    assert all(start < end for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    covered = {at for span in spans for at in range(*span)}
    shown = plain(text)  # marks of Markdown are no part of what is shown
    assert all(shown[at].isspace() for at in range(len(text)) if at not in covered)
    # Sentences count from 0, and the next one begins after white space only.
    assert numbers[:1] in ((), (0,))
    for at in range(1, len(words)):
        step = numbers[at] - numbers[at - 1]
        assert step in (0, 1)
        assert not step or words.starts[at] > words.ends[at - 1]


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


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Oslo is big", False),
        ("It is Oslo", True),
        ("it is oslo", False),
        ("IT IS OSLO", False),
        ("Dr. Bo went. he saw Ada. it was", True),
        ("Über Åland", True),
        ("", None),
    ],
)
def test_where_capitals_tell_something(text, told):
    casing = read(text).casing
    if told is not None:
        assert casing.tell(1) == told


def test_sentences_without_capitals_in_a_text_with_some():
    capitals = read("It is Oslo. it is oslo. It is Rome!").casing
    assert [capitals.tell(n) for n in (0, 3, 6)] == [True, False, True]
    assert [capitals.begins(n) for n in range(9)] == [True, False, False] * 3
    assert capitals.crossed(2, 4)
    assert not capitals.crossed(3, 6)


@pytest.mark.parametrize(
    ("words", "name", "fits"),
    [
        ("University of Zorb", "University Of Zorb", True),
        ("university of Zorb", "University of Zorb", False),
        ("New zorb", "New Zorb", False),
        ("NEW ZORB", "New Zorb", True),
        ("iPhone", "IPhone", True),
        ("Nasa", "NASA", False),
        ("jazz music", "Jazz music", True),
        ("Jazz Music", "Jazz music", True),
    ],
)
def test_how_names_may_be_written(words, name, fits):
    assert is_written_as(words.split(), name.split()) == fits


def test_capitals_on_every_word_tell_nothing():
    assert not read("The Old Hall Of Zorb Stands In Oslo").casing.tell(0)
    assert read("The Old Hall").casing.tell(0)  # too few words to judge
