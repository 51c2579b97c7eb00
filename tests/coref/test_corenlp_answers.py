"""CoreNLP's JSON, without a server."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.coref.corenlp_answers import read_chains
from esascore.errors import CorefError

# Offsets as Java counts them: the first letter is outside the basic plane and takes two units.
TEXT = "𝔸da won. She left."
ANSWER = {
    "sentences": [
        {
            "index": 0,
            "tokens": [
                {"index": 1, "originalText": "𝔸da", "characterOffsetBegin": 0, "characterOffsetEnd": 4},
                {"index": 2, "originalText": "won", "characterOffsetBegin": 5, "characterOffsetEnd": 8},
                {"index": 3, "originalText": ".", "characterOffsetBegin": 8, "characterOffsetEnd": 9},
            ],
        },
        {
            "index": 1,
            "tokens": [
                {"index": 1, "originalText": "She", "characterOffsetBegin": 10, "characterOffsetEnd": 13},
                {"index": 2, "originalText": "left", "characterOffsetBegin": 14, "characterOffsetEnd": 18},
                {"index": 3, "originalText": ".", "characterOffsetBegin": 18, "characterOffsetEnd": 19},
            ],
        },
    ],
    "corefs": {
        "4": [
            {"id": 1, "text": "𝔸da", "sentNum": 1, "startIndex": 1, "endIndex": 2, "headIndex": 1},
            {"id": 2, "text": "She", "sentNum": 2, "startIndex": 1, "endIndex": 2, "headIndex": 1},
        ]
    },
}
CHAINS = (((0, 3), (9, 12)),)


def test_offsets_of_java_become_code_points():
    assert read_chains(ANSWER, TEXT) == CHAINS


def code_points(answer, shift=0):
    """The answer with further offsets, said to be in code points."""
    changed = copy.deepcopy(answer)
    for sentence in changed["sentences"]:
        for token in sentence["tokens"]:
            begin, end = token["characterOffsetBegin"], token["characterOffsetEnd"]
            token["codepointOffsetBegin"] = max(0, begin - shift)
            token["codepointOffsetEnd"] = end - shift
    return changed


def test_whatever_the_offsets_for_code_points_are():
    right, wrong = code_points(ANSWER, shift=1), code_points(ANSWER)
    assert read_chains(right, TEXT) == read_chains(wrong, TEXT) == CHAINS


def test_offsets_for_code_points_where_the_others_are_wrong():
    answer = code_points(ANSWER, shift=1)
    for sentence in answer["sentences"]:
        for token in sentence["tokens"]:
            token["characterOffsetBegin"] += 3
            token["characterOffsetEnd"] += 3
    assert read_chains(answer, TEXT) == CHAINS


def test_a_server_that_counts_code_points_under_the_old_name():
    answer = code_points(ANSWER, shift=1)
    for sentence in answer["sentences"]:
        for token in sentence["tokens"]:
            token["characterOffsetBegin"] = token.pop("codepointOffsetBegin")
            token["characterOffsetEnd"] = token.pop("codepointOffsetEnd")
    assert read_chains(answer, TEXT) == CHAINS


def test_the_way_of_counting_is_one_for_the_whole_answer():
    # Counted in code points here. Read as units, the two last words would be found one place too early.
    text = "😀aaa"
    tokens = [
        {"originalText": letter, "characterOffsetBegin": at, "characterOffsetEnd": at + 1}
        for at, letter in enumerate(text)
    ]
    mentions = [{"sentNum": 1, "startIndex": at, "endIndex": at + 1} for at in (3, 4)]
    answer = {"sentences": [{"tokens": tokens}], "corefs": {"1": mentions}}
    assert read_chains(answer, text) == (((2, 3), (3, 4)),)


def test_several_tokens_several_chains_and_repetitions():
    answer = copy.deepcopy(ANSWER)
    [chain] = answer["corefs"].values()
    chain.append(dict(chain[0]))
    answer["corefs"]["2"] = [
        {"sentNum": 2, "startIndex": 1, "endIndex": 3},
        {"sentNum": 1, "startIndex": 1, "endIndex": 4},
    ]
    # One mention is no chain.
    answer["corefs"]["3"] = [{"sentNum": 1, "startIndex": 2, "endIndex": 3}]
    assert read_chains(answer, TEXT) == (((0, 3), (9, 12)), ((0, 8), (9, 17)))


def test_nothing_to_read():
    assert read_chains({"sentences": []}, "") == ()
    assert read_chains({"sentences": [], "corefs": {}}, " ") == ()
    assert read_chains({**ANSWER, "corefs": {}}, TEXT) == ()


def without(*path):
    answer = copy.deepcopy(ANSWER)
    inner = answer
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return answer


def mention(**changes):
    answer = copy.deepcopy(ANSWER)
    answer["corefs"]["4"][0].update(changes)
    return answer


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [],
        "text",
        7,
        {},
        {"sentences": None, "corefs": {}},
        {"sentences": [7], "corefs": {}},
        {"sentences": [{"tokens": [7]}], "corefs": {}},
        {**ANSWER, "corefs": []},
        {**ANSWER, "corefs": {"1": 7}},
        {**ANSWER, "corefs": {"1": [7]}},
        without("sentences"),
        # A server that does not find chains must not look like a text that has none.
        without("corefs"),
        without("sentences", 0, "tokens"),
        without("sentences", 0, "tokens", 0, "characterOffsetBegin"),
        without("sentences", 0, "tokens", 0, "originalText"),
        without("corefs", "4", 0, "sentNum"),
        without("corefs", "4", 0, "endIndex"),
        mention(sentNum=0),
        mention(sentNum=3),
        mention(sentNum="1"),
        mention(startIndex=0),
        mention(startIndex=-1),
        mention(startIndex=2),
        mention(endIndex=5),
        mention(endIndex=1.5),
        mention(startIndex=True),
    ],
)
def test_an_answer_of_another_form(answer):
    with pytest.raises(CorefError, match="does not have the expected form") as caught:
        read_chains(answer, TEXT)
    assert "\n" not in str(caught.value)


def test_offsets_that_do_not_fit():
    for text in ("Bea won. She left.", TEXT[:-12], "  " + TEXT):
        with pytest.raises(CorefError, match="is not where it should be"):
            read_chains(ANSWER, text)


def test_a_misplaced_token_outside_of_all_chains_does_no_harm():
    answer = copy.deepcopy(ANSWER)
    answer["sentences"][0]["tokens"][1]["originalText"] = "lost"
    assert read_chains(answer, TEXT) == CHAINS


WORD = st.text(st.sampled_from("aé𝔸😀\u0301"), min_size=1, max_size=3)


@given(
    st.lists(st.tuples(WORD, st.sampled_from([" ", "  ", "\u00a0", "🎈 "])), min_size=2, max_size=8),
    st.data(),
)
def test_any_text(words, data):
    """Offsets counted here in UTF-16 bytes come back as code points."""
    text, tokens, spans = "", [], []
    for word, space in words:
        begin = len(text.encode("utf-16-le")) // 2
        end = begin + len(word.encode("utf-16-le")) // 2
        tokens.append({"originalText": word, "characterOffsetBegin": begin, "characterOffsetEnd": end})
        spans.append((len(text), len(text) + len(word)))
        text += word + space
    chosen = data.draw(st.sets(st.integers(0, len(words) - 1), min_size=2))
    mentions = [{"sentNum": 1, "startIndex": at + 1, "endIndex": at + 2} for at in chosen]
    answer = {"sentences": [{"tokens": tokens}], "corefs": {"1": mentions}}
    assert read_chains(answer, text) == (tuple(spans[at] for at in sorted(chosen)),)
