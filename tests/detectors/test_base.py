"""What every detector starts from."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from esascore.detectors.base import is_taken, mention
from esascore.model import Graph, Mention
from esascore.text.document import Document


def test_a_document_splits_its_words_once():
    document = Document(Graph(), "Café “Ada”, 1,299 m.")
    assert document.tokens is document.tokens
    assert document.words is document.words
    assert document.tokens.texts == ("Café", "“", "Ada", "”", ",", "1", ",", "299", "m", ".")
    assert document.words.joined == "cafe ada 1 299 m"
    assert document.word_tokens == (0, 2, 5, 7, 8)


def test_a_document_of_punctuation_has_no_words_to_compare():
    document = Document(Graph(), "... !")
    assert document.words.joined == ""
    assert document.word_tokens == ()


def test_a_mention_takes_its_string_from_the_text():
    made = mention("In Åbo 🙂.", 3, 6, "Turku", "string", 0.25, "Abo", 0.02)
    assert made == Mention("Turku", 3, 6, "Åbo", "string", 0.25, "Abo", 0.02)
    assert mention("It", 0, 2, "Turku", "pronoun") == Mention("Turku", 0, 2, "It", "pronoun", None, None, 0.0)


@settings(deadline=None)
@given(borders=st.sets(st.integers(0, 20)).map(sorted), start=st.integers(0, 20), length=st.integers(1, 6))
def test_whether_a_span_is_taken(borders, start, length):
    mentions = [Mention("A", a, b, "", "string") for a, b in zip(borders[::2], borders[1::2], strict=False)]
    taken = any(set(range(m.start, m.end)) & set(range(start, start + length)) for m in mentions)
    assert is_taken(mentions, start, start + length) is taken
