"""Questions as clients of REL ask them, and the answers of a linker."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.link.base import LinkedMention, LinkFailure
from esascore.link.services.rel_protocol import BadQuestion, NoAnswer, Question, answer, read_question

NAMES = {"Oslo": ("Oslo", 0.9, "Place"), "New Oslo": ("New_Oslo", None, None), "AT&T": ("AT&T", 0.5, "ORG")}


class Words:
    """Finds the names above, the longest first."""

    def link(self, texts, documents=None):
        return [LinkFailure("down") if text == "down" else self._links(text) for text in texts]

    def _links(self, text):
        found, at = [], 0
        while at < len(text):
            name = next((n for n in sorted(NAMES, key=len, reverse=True) if text.startswith(n, at)), None)
            if name is not None:
                entity, confidence, kind = NAMES[name]
                found.append(LinkedMention(at, at + len(name), name, entity, confidence, kind))
            at += len(name or "x")
        return tuple(found)

    def version(self):
        return "words"


def ask(text, **more):
    return answer(Words(), read_question(json.dumps({"text": text, **more}).encode(), max_spans=5))


def test_a_text_is_answered_with_everything_found_in_it():
    assert ask("From New Oslo to Oslo.") == [
        (5, 8, "New Oslo", "New_Oslo", 0.0, 0.0, "NULL"),
        (17, 4, "Oslo", "Oslo", 0.9, 0.9, "Place"),
    ]


@pytest.mark.parametrize("text", ["", " \n", "nothing"])
def test_a_text_without_entities(text):
    assert ask(text) == []


def test_offsets_count_code_points_after_amp_has_become_an_ampersand():
    assert ask("𝒳 &amp; AT&amp;T in Oslo") == [
        (4, 4, "AT&T", "AT&T", 0.5, 0.5, "ORG"),
        (12, 4, "Oslo", "Oslo", 0.9, 0.9, "Place"),
    ]
    assert ask("&amp;amp; Oslo")[0][0] == 6


def test_only_the_spans_are_linked_in_the_order_asked():
    assert ask("Oslo, New Oslo, AT&amp;T", spans=[[16, 4], [0, 4]]) == [
        (16, 4, "AT&T", "AT&T", 0.5, 0.0, "ORG"),
        (0, 4, "Oslo", "Oslo", 0.9, 0.0, "Place"),
    ]


def test_a_span_inside_a_longer_mention_is_linked_by_itself():
    assert ask("New Oslo", spans=[[4, 4]]) == [(4, 4, "Oslo", "Oslo", 0.9, 0.0, "Place")]


def test_a_span_that_is_no_name_as_a_whole_is_left_out():
    assert ask("in Oslo", spans=[[0, 7], [3, 3], [0, 2]]) == []


def test_spans_as_gerbil_writes_them():
    assert ask("in Oslo", spans=[{"length": 4, "start": 3}]) == ask("in Oslo", spans=[[3, 4]]) != []


def test_other_keys_are_left_alone():
    assert read_question(b'{"text": "a", "mode": "NE", "tagger": "x"}', 5) == Question("a")


@pytest.mark.parametrize("text", ["down", "down and out"])
def test_a_failing_linker_is_no_empty_answer(text):
    with pytest.raises(NoAnswer):
        answer(Words(), Question(text, ((0, 4),) if " " in text else ()))


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"", "not JSON"),
        (b"\xff", "not UTF-8"),
        (b'\xef\xbb\xbf{"text": "a"}', "not JSON"),
        (b"{", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b'{"text": "a", "n": ' + b"1" * 5_000 + b"}", "not JSON"),
        (b"[]", "must be an object"),
        (b"{}", '"text" must be given'),
        (b'{"text": 3}', '"text" must be given'),
        (b'{"text": "\\ud83d"}', "surrogate"),
        (b'{"text": "abc", "spans": null}', "must be a list"),
        (b'{"text": "abc", "spans": [[0]]}', "must be a list of [start, length]"),
        (b'{"text": "abc", "spans": [[0, 1, 2]]}', "must be a list of [start, length]"),
        (b'{"text": "abc", "spans": [[0, 1.0]]}', "must be a list of [start, length]"),
        (b'{"text": "abc", "spans": [[0, true]]}', "must be a list of [start, length]"),
        (b'{"text": "abc", "spans": [{"start": 0}]}', "must be a list of [start, length]"),
        (b'{"text": "abc", "spans": [[-1, 1]]}', "does not lie in the text"),
        (b'{"text": "abc", "spans": [[0, 0]]}', "does not lie in the text"),
        (b'{"text": "abc", "spans": [[1, 3]]}', "does not lie in the text"),
        (b'{"text": "", "spans": [[0, 1]]}', "does not lie in the text"),
        (b'{"text": "abc", "spans": [[0,1],[0,1],[0,1],[0,1],[0,1],[0,1]]}', "5 at most"),
    ],
)
def test_what_is_no_question(body, problem):
    with pytest.raises(BadQuestion) as caught:
        read_question(body, max_spans=5)
    assert problem in str(caught.value)


def test_spans_are_no_way_to_ask_for_more_than_the_text():
    def question(size, *spans):
        return read_question(json.dumps({"text": "a" * size, "spans": spans}).encode(), max_spans=1_000)

    assert len(question(3_000, *[[0, 10]] * 1_000).spans) == 1_000
    assert len(question(90_000, [0, 45_000], [45_000, 45_000]).spans) == 2
    for size, number in [(3_000, 1_000), (90_000, 40), (20_000, 2)]:
        with pytest.raises(BadQuestion, match="more characters together than the text"):
            question(size, *[[0, size]] * number)


def test_a_pair_of_surrogates_in_escapes_is_one_character():
    assert read_question(b'{"text": "\\ud83d\\ude00"}', 5) == Question("😀")


@given(st.lists(st.sampled_from([*NAMES, " ", "&amp;", "&", "x", "é", "😀"]), max_size=12).map("".join))
def test_every_answer_is_where_it_says(text):
    plain = text.replace("&amp;", "&")
    for start, length, mention, *_ in ask(text):
        assert plain[start : start + length] == mention
