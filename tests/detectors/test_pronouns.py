"""Which words are pronouns, and who is asked about them."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esascore.coref.base import Pronoun
from esascore.detectors.pronouns import Pronouns
from esascore.model import Graph, Mention
from esascore.text.document import Document

WORDS = ("he", "him", "his", "it", "its", "they")
GRAPH = Graph.from_triples([("Ada", "field", "Logic")])


@dataclass
class Asked:
    """A resolver that notes what it was asked and gives a fixed answer."""

    answer: str | None = "Ada"
    questions: list = field(default_factory=list)

    def resolve(self, questions):
        self.questions.extend(questions)
        return [[self.answer] * len(pronouns) for _, _, _, pronouns in questions]

    def version(self):
        return "asked"


def found(text: str, named=(), answer: str | None = "Ada"):
    [mentions] = Pronouns(Asked(answer), WORDS).propose([Document(GRAPH, text)], [list(named)])
    assert all(text[m.start : m.end] == m.text for m in mentions)
    assert all((m.entity, m.method, m.distance) == (answer, "pronoun", None) for m in mentions)
    return [m.text for m in mentions]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He likes it.", ["He", "it"]),
        ("IT (his), “they”!", ["IT", "his", "they"]),
        ("So did he;", ["he"]),
        ("It's old and it’s new.", ["It's", "it’s"]),
        ("He's old and they’d know.", ["He", "they"]),  # "it's" may be meant for "its"; these may not
        ("He'll come", []),  # only one letter may follow
        ("Item Hitler hers the", []),  # whole words of the list only
        ("he/him", []),
        ("", []),
        ("...", []),
        ("'s", []),
    ],
)
def test_pronouns(text, expected):
    assert found(text) == expected


def test_pronouns_within_other_mentions_are_left_alone():
    text = "It Girl and it"
    assert found(text, [Mention("Film", 0, 7, "It Girl", "string")]) == ["it"]
    # touching is not within
    assert found("Film it", [Mention("Film", 0, 5, "Film ", "string")]) == ["it"]


def test_a_pronoun_that_the_resolver_cannot_place_is_no_mention():
    assert found("He likes it.", answer=None) == []


def test_the_resolver_is_asked_once_and_only_about_texts_with_pronouns():
    texts = ["Ada won.", "He and it.", "They."]
    documents = [Document(GRAPH, text) for text in texts]
    named = [[Mention("Ada", 0, 3, "Ada", "string")], [], []]
    resolver = Asked()
    proposals = Pronouns(resolver, WORDS).propose(documents, named)
    assert [len(some) for some in proposals] == [0, 2, 1]
    assert resolver.questions == [
        (GRAPH, "He and it.", [], [Pronoun("He", 0, 2), Pronoun("it", 7, 9)]),
        (GRAPH, "They.", [], [Pronoun("They", 0, 4)]),
    ]


def test_no_words_no_pronouns():
    assert Pronouns(Asked(), ()).propose([Document(GRAPH, "He likes it.")], [[]]) == [[]]


@settings(deadline=None)
@given(st.text("hHeiItTsSİK'’\"(). \0\n\u2028\u0307", max_size=30))
def test_spans_hold_in_any_text(text):
    for string in found(text):
        bare = string.lower()
        assert bare in WORDS or (bare[-2:-1] in ("'", "’") and bare[:-2] in WORDS)
