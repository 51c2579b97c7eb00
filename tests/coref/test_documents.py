"""Annotated texts as the documents that models are trained on."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.coref.documents import Annotated, coref_document, cut


def document(text: str, *mentions: tuple[str, str]):
    """A document with (entity, string) mentions, each at the string's next occurrence."""
    found, at = [], 0
    for entity, words in mentions:
        start = text.index(words, at)
        found.append(Annotated(start, start + len(words), entity))
        at = start + 1
    return coref_document("Id1", text, found)


def heads(text: str, *mentions: tuple[str, str]) -> list[str]:
    made = document(text, *mentions)
    return [made.words.texts[head] for some in made.entities for _, _, head in some]


@pytest.mark.parametrize(
    ("mention", "head"),
    [
        ("Ada Holt", "Holt"),
        ("Norvik", "Norvik"),
        ("the University of Norvik", "University"),
        ("the town in Kelland", "town"),
        ("Sarmo, Kelland", "Sarmo"),
        ("Ada Holt (the poet)", "Holt"),
        ("the man who won", "man"),
        ("Ada Holt's", "Holt"),
        ("Ada’s", "Ada"),
        ("s", "s"),
        ('"Norvik"', "Norvik"),
        ("“”", "“"),
        # what usually follows a head may also come first
        ("The", "The"),
        ("of Norvik", "Norvik"),
    ],
)
def test_heads(mention, head):
    assert heads(f"Now {mention} is here.", ("X", mention)) == [head]


def test_a_chain_in_the_form_of_stanza():
    made = document(
        "Ada Holt is from Norvik. She likes it.",
        ("Ada_Holt", "Ada Holt"),
        ("Norvik", "Norvik"),
        ("Ada_Holt", "She"),
        ("Norvik", "it"),
    )
    assert made.chains == 2
    assert made.as_dict() == {
        "document_id": "wb_Id1",
        "cased_words": ["Ada", "Holt", "is", "from", "Norvik", ".", "She", "likes", "it", "."],
        "sent_id": [0] * 6 + [1] * 4,
        "speaker": ["_"] * 10,
        "part_id": 0,
        "deprel": ["_"] * 10,
        "head": [None] * 10,
        "pos": ["_"] * 10,
        "lang": "en",
        "span_clusters": [[[0, 2], [6, 7]], [[4, 5], [8, 9]]],
        "word_clusters": [[1, 6], [4, 8]],
        "head2span": [[1, 0, 2], [4, 4, 5], [6, 6, 7], [8, 8, 9]],
    }


def test_a_mention_takes_every_word_that_it_touches():
    # The annotation is of "olt": the word is Holt.
    made = coref_document("Id1", "Ada Holt won.", [Annotated(5, 8, "Ada")])
    assert made.entities == (((1, 2, 1),),)


def test_no_sentence_ends_within_a_mention():
    text = "It is by Yes! Minister Co. now. She left. Bo sat."
    apart = cut(text).sentences
    made = document(text, ("Co", "Yes! Minister Co"), ("Ada", "She"))
    words = made.words.texts
    # one sentence more than in the document: "Yes!" ended one
    assert apart[-1] == made.words.sentences[-1] + 1
    at = [
        made.words.sentences[words.index(word)]
        for word in ("It", "Yes", "Minister", "Co", "now", "She", "Bo")
    ]
    assert at == [0, 0, 0, 0, 0, 1, 2]


def test_of_mentions_with_one_head_the_first_and_longest_is_kept():
    text = "The poet Ada Holt won."
    both = coref_document("Id1", text, [Annotated(13, 17, "B"), Annotated(0, 17, "A")])
    assert both.entities == (((0, 4, 3),),)


def test_mentions_of_white_space_are_left_out():
    assert coref_document("Id1", "Ada  won.", [Annotated(3, 5, "A"), Annotated(9, 9, "B")]).entities == ()
    assert coref_document("Id1", "", []).as_dict()["cased_words"] == []


@given(
    st.lists(
        st.sampled_from(["Ada", "Holt", "of", ",", ".", "!", "'s", "(", ")", "the", "é", "\u200e"]),
        max_size=20,
    ),
    st.lists(st.tuples(st.integers(0, 80), st.integers(1, 12), st.sampled_from("ABC")), max_size=8),
)
def test_any_annotation(words, spans):
    text = " ".join(words)
    mentions = [
        Annotated(start, min(start + size, len(text)), entity)
        for start, size, entity in spans
        if start < len(text)
    ]
    made = coref_document("Id1", text, mentions)
    assert made.words.texts == cut(text).texts
    found = [mention for some in made.entities for mention in some]
    assert len({head for _, _, head in found}) == len(found)
    for first, last, head in found:
        assert 0 <= first <= head < last <= len(made.words)
        assert len(set(made.words.sentences[first:last])) == 1
    assert all(later - earlier in (0, 1) for earlier, later in pairwise(made.words.sentences))
    # What is annotated and visible is there, unless another mention has its head.
    touched = [m for m in mentions if text[m.start : m.end].strip()]
    assert bool(found) == bool(touched)
    assert {tuple(sorted(row)) for row in ([h, f, t] for f, t, h in found)} == {
        tuple(sorted(row)) for row in made.as_dict()["head2span"]
    }
