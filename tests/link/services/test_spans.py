"""Offsets of linkers, brought back to code points of the original text."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from esascore.link.base import LinkedMention
from esascore.link.services.remote import Claim, PlainText, located, without_overlaps

PIECES = st.lists(
    st.sampled_from(["&amp;", "&", "amp;", "&amp;amp;", "a", "b ", "😀", "𝔅", "é", "\u2028", "\n"])
)
TEXTS = PIECES.map("".join)


def replaced_until_nothing_changes(text):
    while "&amp;" in text:
        text = text.replace("&amp;", "&")
    return text


@given(TEXTS)
def test_plain_text_is_what_every_server_understands(text):
    assert PlainText.of(text).text == replaced_until_nothing_changes(text)


@given(TEXTS, st.data())
def test_spans_of_the_plain_text_are_those_of_the_original(text, data):
    plain = PlainText.of(text)
    if not plain.text:
        return
    start = data.draw(st.integers(0, len(plain.text) - 1))
    end = data.draw(st.integers(start + 1, len(plain.text)))
    first, last = plain.original(start, end)
    assert replaced_until_nothing_changes(text[first:last]) == plain.text[start:end]
    assert replaced_until_nothing_changes(text[:first]) == plain.text[:start]
    assert replaced_until_nothing_changes(text[last:]) == plain.text[end:]


def utf16(text):
    return len(text.encode("utf-16-le")) // 2


@given(TEXTS, st.data())
def test_offsets_in_utf16_round_trip(text, data):
    if not text:
        return
    pairs = data.draw(st.lists(st.tuples(st.integers(0, len(text) - 1), st.integers(1, 5)), max_size=5))
    spans = [(start, min(start + length, len(text))) for start, length in pairs]
    for given_length in (True, False):
        claims = [
            Claim(utf16(text[:a]), utf16(text[a:b]) if given_length else None, text[a:b], "E")
            for a, b in spans
        ]
        assert located(text, claims, ["UTF-16"]) == spans
    plain = [Claim(a, b - a, text[a:b], "E") for a, b in spans]
    assert located(text, plain, ["code points", "UTF-16"]) == spans


@given(TEXTS, st.integers(-3, 40), st.integers(-3, 40), st.sampled_from(["code points", "UTF-16"]))
def test_what_is_located_says_what_it_should(text, start, length, unit):
    claim = Claim(start, length, "a", "E")
    found = located(text, [claim], [unit])
    if found is not None:
        ((first, last),) = found
        assert 0 <= first < last <= len(text)
        assert text[first:last].split() == ["a"]


def test_half_of_a_pair_is_no_place():
    assert located("😀b", [Claim(1, 1, "b", "B")], ["UTF-16"]) is None


MENTIONS = st.lists(
    st.tuples(st.integers(0, 30), st.integers(1, 8), st.one_of(st.none(), st.floats(0, 1))), max_size=12
).map(lambda rows: [LinkedMention(a, a + n, "x" * n, f"E{i}", c) for i, (a, n, c) in enumerate(rows)])


@given(MENTIONS)
def test_overlaps_are_settled(mentions):
    kept = without_overlaps(mentions)
    assert all(one.end <= other.start for one, other in pairwise(kept))
    for mention in mentions:  # whatever is left out overlaps something at least as long
        rivals = [k for k in kept if k.start < mention.end and mention.start < k.end]
        assert mention in kept or any(k.end - k.start >= mention.end - mention.start for k in rivals)
    assert without_overlaps(kept) == kept
