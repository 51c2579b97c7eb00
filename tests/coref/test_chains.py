"""Pronouns by the chains of a model."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.cache import AnswerCache, answer_key
from esascore.coref.base import Pronoun
from esascore.coref.chains import ChainResolver, linked_entity
from esascore.model import Graph, Mention

GRAPH = Graph.from_triples([("Oslo", "mayor", "Bo_Berg"), ("Bo_Berg", "spouse", "Ann")])


class Model:
    """Answers from a table, and remembers what it was asked."""

    def __init__(self, answers=None, version="table.v1"):
        self.answers = answers or {}
        self.asked = []
        self._version = version

    def chains(self, texts):
        self.asked.append(list(texts))
        return [self.answers.get(text, ()) for text in texts]

    def version(self):
        return self._version


def marked(text: str):
    """Plain text, chains, mentions and pronouns of a text in which [1:Bo Berg] is a span of chain 1.

    A span in braces, {Bo_Berg:Bo Berg}, is a named mention, and one in angles, <He>, a pronoun to place.
    Marks may be nested.
    """
    plain, chains, named, pronouns, stack = "", {}, [], [], []
    for piece in re.findall(r"\[\d+:|\{\w+:|<|[\]}>]|[^\[\]{}<>]+", text):
        if piece[0] in "[{<" and (piece == "<" or piece.endswith(":")):
            stack.append((piece, len(plain)))
        elif piece in "]}>":
            mark, start = stack.pop()
            if mark[0] == "[":
                chains.setdefault(mark[1:-1], []).append((start, len(plain)))
            elif mark[0] == "{":
                named.append(Mention(mark[1:-1], start, len(plain), plain[start:], "string"))
            else:
                pronouns.append(Pronoun(plain[start:], start, len(plain)))
        else:
            plain += piece
    assert not stack
    in_order = sorted(named, key=lambda mention: mention.start)
    return plain, tuple(tuple(sorted(chain)) for chain in chains.values()), in_order, pronouns


def placed(text: str) -> list[str | None]:
    plain, chains, named, pronouns = marked(text)
    [answer] = ChainResolver(Model({plain: chains})).resolve([(GRAPH, plain, named, pronouns)])
    return answer


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        ("[1:{Bo:Bo Berg}] sat. [1:<He>] won.", "Bo"),
        # a name after the pronoun counts, too
        ("When [1:<he>] won, [1:{Bo:Bo}] sat.", "Bo"),
        # other chains do not
        ("[1:{Bo:Bo}] and [2:{Ann:Ann}] met. [2:<She>] won.", "Ann"),
        ("[1:{Bo:Bo}] and [1:the man] met. [2:<He>] and [2:the cat] won.", None),
        # nor does a name that is in no chain, and a pronoun that is in none
        ("{Bo:Bo} sat. [1:<He>] and [1:he] won.", None),
        ("[1:{Bo:Bo}] and [1:the man] sat. <He> won.", None),
    ],
)
def test_a_pronoun_stands_for_the_name_in_its_chain(text, entity):
    assert placed(text) == [entity]


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        # most mentions
        ("[1:{Bo:Bo}], [1:{Bo:Berg}] and [1:{Ann:Ann}]. [1:<She>] won.", "Bo"),
        ("[1:{Ann:Ann}] and [1:{Bo:Bo}]. [1:<He>] met [1:{Ann:Ann}].", "Ann"),
        # then the nearest before
        ("[1:{Ann:Ann}] and [1:{Bo:Bo}]. [1:<He>] won.", "Bo"),
        ("[1:{Ann:Ann}] sat, and there [1:<she>] met [1:{Bo:Bo}].", "Ann"),
        # then the nearest after
        ("There [1:<she>] met [1:{Bo:Bo}] and [1:{Ann:Ann}].", "Bo"),
        # two spans on one name are one mention of it
        ("[1:{Ann:Ann}] and [1:the great [1:{Bo:Bo Berg}]] met [1:{Ann:Ann}]. [1:<He>] won.", "Ann"),
        # the span is longer than the name
        ("[1:the great {Bo:Bo Berg}] sat. [1:<He>] won.", "Bo"),
        ("[1:{Bo:Bo Berg}, who is the mayor of {Oslo:Oslo},] sat. [1:<He>] won.", "Bo"),
        ("[1:{Bo:Bo Berg} (born in {Oslo:Oslo})] sat. [1:<He>] won.", "Bo"),
        ("[1:{Oslo:Oslo}'s mayor {Bo:Bo Berg}] sat. [1:<He>] won.", "Bo"),
        ("[1:{Bo:Bo Berg}'s] house. [1:<He>] won.", "Bo"),
        ("[1:“{Bo:Bo Berg}”] sat. [1:<He>] won.", "Bo"),
        ("[1:the city of {Oslo:Oslo}] lies there. [1:<It>] is old.", "Oslo"),
        ("[1:the {Band:Trinidad and Tobago}] team won. [1:<It>] is old.", "Band"),
        # the name is longer than the span
        ("{Oslo:the old [1:Oslo]} lies there. [1:<It>] is old.", "Oslo"),
        ("{Abbey:[1:Abilene], Texas} lies there. [1:<It>] is old.", "Abbey"),
    ],
)
def test_which_name_of_a_chain_counts(text, entity):
    assert placed(text) == [entity]


@pytest.mark.parametrize(
    "text",
    [
        "[1:the mayor of {Oslo:Oslo}] sat. [1:<He>] won.",
        "[1:the {Oslo:Oslo} mayor] sat. [1:<He>] won.",
        "[1:{Oslo:Oslo}'s mayor] sat. [1:<He>] won.",
        "[1:the poet, who is from {Oslo:Oslo},] sat. [1:<He>] won.",
        "[1:the University of {Oslo:Oslo}] sat. [1:<It>] won.",
        # several people are none of them
        "[1:{Ann:Ann} and {Bo:Bo}] sat. [1:<They>] won.",
        "[1:{Ann:Ann} and her husband] sat. [1:<They>] won.",
    ],
)
def test_a_name_inside_a_span_is_not_what_the_span_means(text):
    assert placed(text) == [None]


def test_an_equal_name_comes_before_one_that_is_inside():
    named = [Mention("Hall", 0, 14, "Oslo City Hall", "string"), Mention("Oslo", 0, 4, "Oslo", "string")]
    chains = [((0, 4), (16, 18))]
    assert linked_entity(Pronoun("It", 16, 18), "Oslo City Hall. It won.", named, chains) == "Oslo"


def test_less_than_half_in_common_is_another_thing():
    text = "Bo Berg Hotel won. It is old."
    named = [Mention("Hotel", 5, 13, "rg Hotel", "string")]
    for end, entity in ((7, None), (9, "Hotel")):
        chains = [((0, end), (19, 21))]
        assert linked_entity(Pronoun("It", 19, 21), text, named, chains) == entity


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        ("[1:{Oslo:Oslo}] is old. <[1:It]'s> big.", "Oslo"),
        ("[1:{Oslo:Oslo}] is old. [1:<It>'s] big.", "Oslo"),
        ("[1:{Oslo:Oslo}] is old. ([1:<It>)] is big.", "Oslo"),
        ("[1:{Oslo:Oslo}] is old. [1:<Its> mayor] sat.", None),
        ("[1:{Oslo:Oslo}] is old. [2:{Bo:Bo}] sat. [2:[1:<Its>] mayor] won.", "Oslo"),
        ("[1:{Oslo:Oslo}] is old. [2:{Bo:Bo}] sat. [2:<[1:It]'s>] won.", "Bo"),
    ],
)
def test_tokenizers_cut_pronouns_otherwise(text, entity):
    assert placed(text) == [entity]


def test_each_text_is_sent_once_and_only_if_it_has_a_pronoun():
    text, chains, named, pronouns = marked("[1:{Bo:Bo}] sat. [1:<He>] won.")
    other = "It is {odd}."
    model = Model({text: chains})
    questions = [
        (GRAPH, text, named, pronouns),
        (GRAPH, "Bo sat.", named, []),
        (GRAPH, other, [], [Pronoun("It", 0, 2)]),
        (GRAPH, text, [], pronouns),
    ]
    assert ChainResolver(model).resolve(questions) == [["Bo"], [], [None], [None]]
    assert model.asked == [[text, other]]
    assert ChainResolver(model).resolve([]) == []
    assert ChainResolver(model).resolve(questions[1:2]) == [[]]
    assert len(model.asked) == 1


@pytest.fixture
def cache(tmp_path):
    return AnswerCache(tmp_path / "answers.sqlite")


def test_chains_are_kept(cache):
    text, chains, named, pronouns = marked("[1:{Bo:Bo}] sat. [1:<He>] won.")
    model = Model({text: chains})
    questions = [(GRAPH, text, named, pronouns)]
    for _ in range(2):
        assert ChainResolver(model, cache=cache).resolve(questions) == [["Bo"]]
    assert model.asked == [[text]]
    new = marked("{Bo:Bo} sat. <He> won.")
    assert ChainResolver(model, cache=cache).resolve([*questions, (GRAPH, new[0] + "!", [], new[3])]) == [
        ["Bo"],
        [None],
    ]
    assert model.asked[1:] == [[new[0] + "!"]]
    assert dict(cache.info().entries) == {"table": 2}


def test_another_version_of_the_model_is_asked_anew(cache):
    text, chains, named, pronouns = marked("[1:{Bo:Bo}] sat. [1:<He>] won.")
    questions = [(GRAPH, text, named, pronouns)]
    assert ChainResolver(Model({text: chains}), cache=cache).resolve(questions) == [["Bo"]]
    assert ChainResolver(Model(version="table.v2"), cache=cache).resolve(questions) == [[None]]


@pytest.mark.parametrize(
    "kept",
    [
        "",
        "nonsense",
        "7",
        "[7]",
        "[[7]]",
        "[[[0]]]",
        "[[[0,1,2]]]",
        '[[["a","b"]]]',
        "[[[0,1000]]]",
        "[[[-1,2]]]",
        "[[[2,2]]]",
        "null",
        '{"a":1}',
    ],
)
def test_kept_chains_that_cannot_be_right_are_asked_anew(cache, kept):
    text, chains, named, pronouns = marked("[1:{Bo:Bo}] sat. [1:<He>] won.")
    cache.put("table", {answer_key("table", "table.v1", text): kept})
    model = Model({text: chains})
    assert ChainResolver(model, cache=cache).resolve([(GRAPH, text, named, pronouns)]) == [["Bo"]]
    assert model.asked == [[text]]
    [kept] = cache.get("table", [answer_key("table", "table.v1", text)]).values()
    assert json.loads(kept) == [[list(span) for span in chain] for chain in chains]


def test_what_a_model_found_before_it_failed_is_kept(cache):
    class Failing(Model):
        def chains(self, texts):
            if "He won 999." in texts:
                raise OSError
            return super().chains(texts)

    questions = [(GRAPH, f"He won {number}.", [], [Pronoun("He", 0, 2)]) for number in range(1000)]
    with pytest.raises(OSError):  # noqa: PT011
        ChainResolver(Failing(), cache=cache).resolve(questions)
    model = Model()
    assert ChainResolver(model, cache=cache).resolve(questions) == [[None]] * 1000
    asked = [text for texts in model.asked for text in texts]
    assert 0 < len(asked) < 500
    assert asked == [text for _, text, *_ in questions[-len(asked) :]]


def test_a_model_that_loses_texts_is_an_error(cache):
    class Lossy(Model):
        def chains(self, texts):
            return []

    question = (GRAPH, "He won.", [], [Pronoun("He", 0, 2)])
    for kept in (None, cache):
        with pytest.raises(ValueError, match="shorter"):
            ChainResolver(Lossy(), cache=kept).resolve([question])


WORDS = ("Ann", "Bo", "Oslo", "she", "it", "and", "of", "the", "mayor", ",", "'s")


@st.composite
def questions_with_chains(draw):
    words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=14))
    text = " ".join(words)
    starts = [sum(len(word) + 1 for word in words[:at]) for at in range(len(words))]
    spans = [(start, start + len(word)) for start, word in zip(starts, words, strict=True)]
    named = [
        Mention(word, *span, word, "string")
        for word, span in zip(words, spans, strict=True)
        if word in WORDS[:3]
    ]
    pronouns = [Pronoun(word, *span) for word, span in zip(words, spans, strict=True) if word in WORDS[3:5]]
    chain_of = draw(st.lists(st.integers(0, 2), min_size=len(words), max_size=len(words)))
    wide = draw(st.booleans())
    chains = []
    for number in range(3):
        chain = [span for span, own in zip(spans, chain_of, strict=True) if own == number]
        if wide and len(chain) > 1:
            chain.append((chain[0][0], chain[-1][1]))
        chains.append(tuple(chain))
    return text, named, pronouns, tuple(chains), wide


@given(questions_with_chains())
def test_any_chains(question):
    """Exact spans: against a plain count; wider ones: never an entity that is not named in the chain."""
    text, named, pronouns, chains, wide = question
    for pronoun in pronouns:
        found = linked_entity(pronoun, text, named, chains)
        own = next(chain for chain in chains if (pronoun.start, pronoun.end) in chain)
        names = [
            mention
            for mention in named
            if any(start < mention.end and mention.start < end for start, end in own)
        ]
        if wide:
            assert found is None or found in {mention.entity for mention in names}
            continue
        count = Counter(mention.entity for mention in names)
        best = [mention for mention in names if count[mention.entity] == max(count.values())]
        before = [mention for mention in best if mention.end <= pronoun.start]
        expected = before[-1].entity if before else best[0].entity if best else None
        assert found == expected
