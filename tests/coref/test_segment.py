"""Words and sentences of a text, with their places."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from esascore.coref.segment import segment


def sentences(text: str) -> list[str]:
    """The sentences as they stand in the text."""
    words = segment(text)
    numbers = sorted(set(words.sentences))
    bounds = [[at for at, sentence in enumerate(words.sentences) if sentence == number] for number in numbers]
    return [text[words.starts[own[0]] : words.ends[own[-1]]] for own in bounds]


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
        # a small letter begins none, unless all letters are small
        ("Norvik, approx. pop. of nine, is old.", ["Norvik, approx. pop. of nine, is old."]),
        ("ada won. she left.", ["ada won.", "she left."]),
        # a line break is white space like any other
        ("Ada won.\nShe left.\tIt rained.\xa0Bo sat.", ["Ada won.", "She left.", "It rained.", "Bo sat."]),
        ("Ada won\nShe left", ["Ada won\nShe left"]),
        ("Norvik", ["Norvik"]),
        (". . .", [".", ".", "."]),
        ("", []),
        (" \n\t\xa0 ", []),
    ],
)
def test_sentences(text, expected):
    assert sentences(text) == expected


def test_words():
    words = segment("O’Neil's café — 1,299\tm \U0001f600")
    assert words.texts == ("O", "’", "Neil", "'", "s", "café", "—", "1", ",", "299", "m", "\U0001f600")
    assert words.ends[5] - words.starts[5] == 4
    assert len(words) == 12
    # A mark that combines with a letter stays with it, in whatever form it is written.
    assert segment("cafe\u0301s").texts == ("cafe\u0301s",)


ALPHABET = st.sampled_from("aAbZ .!?'\"”)]1,\n\t\xa0\u0301\u200e\u2028é—\U0001f600") | st.characters()


@given(st.text(ALPHABET, max_size=60))
@example("A.B. c. D")
@example("\u0301. \u0301")
def test_every_text_is_cut_into_all_it_shows(text):
    words = segment(text)
    assert len(words.texts) == len(words.starts) == len(words.ends) == len(words.sentences) == len(words)
    spans = list(zip(words.starts, words.ends, strict=True))
    assert [text[start:end] for start, end in spans] == list(words.texts)
    assert all(start < end for start, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    covered = {at for span in spans for at in range(*span)}
    assert all(text[at].isspace() for at in range(len(text)) if at not in covered)
    # Sentences count from 0, and the next one begins after white space only.
    assert words.sentences[:1] in ((), (0,))
    for at in range(1, len(words)):
        step = words.sentences[at] - words.sentences[at - 1]
        assert step in (0, 1)
        assert not step or words.starts[at] > words.ends[at - 1]
