"""Whom a pronoun stands for, by rules."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esascore.coref.base import Pronoun
from esascore.coref.rules import RuleResolver
from esascore.model import Cell, Graph, Input, Mention

# Arx, a book, by Ann, a person from Quorn; Quorn has a mayor, Bo, who is from Zedland.
GRAPH = Graph.from_triples(
    [
        ("Arx", "author", "Ann"),
        ("Ann", "birthPlace", "Quorn"),
        ("Quorn", "mayor", "Bo"),
        ("Bo", "birthPlace", "Zedland"),
        ("Arx", "pages", "312"),
    ]
)
NAMES = ("Arx", "Ann", "Quorn", "Bo", "Zedland", "312")
PRONOUNS = ("he", "him", "his", "she", "her", "it", "its", "they", "their", "it's")


def question(text: str, graph=GRAPH, names=NAMES):
    """Names and pronouns of a text, marked word by word."""
    named, pronouns, at = [], [], 0
    for word in text.split(" "):
        bare = word.strip(".,")
        if bare in names:
            named.append(Mention(bare, at, at + len(bare), bare, "string", 0.0))
        elif bare.lower() in PRONOUNS:
            pronouns.append(Pronoun(bare, at, at + len(bare)))
        at += len(word) + 1
    return graph, text, named, pronouns


def placed(text: str, graph=GRAPH, names=NAMES) -> list[str | None]:
    [answers] = RuleResolver().resolve([question(text, graph, names)])
    return answers


@pytest.mark.parametrize(
    ("text", "entities"),
    [
        # by kind: a person for he and she, no person for it
        ("Arx and Ann. She won.", ["Ann"]),
        ("Arx and Ann. It won.", ["Arx"]),
        ("Arx and Ann. Its end.", ["Arx"]),
        ("Arx and Ann. It's good.", ["Arx"]),
        # they is no single person, unless the text is about that person
        ("Arx and Ann. They won.", ["Arx"]),
        # the most recent person
        ("Arx and Ann and Bo. He won.", ["Bo"]),
        ("Arx and Bo and Ann. He won.", ["Ann"]),
        # before any name: some person of the input, or the root
        ("He won.", ["Ann"]),
        ("It won.", ["Arx"]),
        # the triple that is told next: its other end
        ("Arx and Ann and Bo. She is from Quorn.", ["Ann"]),
        ("Arx and Ann and Bo. He is from Zedland.", ["Bo"]),
        ("Arx, Ann and Quorn. It has Bo.", ["Quorn"]),
        ("Arx, Ann and Quorn. It has 312.", ["Arx"]),
        # only if that end was named before and fits the pronoun
        ("Arx and Ann. He is from Zedland.", ["Ann"]),
        ("Arx, Ann and Quorn. She has Bo.", ["Ann"]),
        # what comes before a pronoun of its owner: the triple that has just been told
        ("Arx and Quorn has Bo as its mayor.", ["Quorn"]),
        ("Arx and Quorn has Bo near its mayor.", ["Arx"]),
        # a triple is told from its object too
        ("Ann and Bo. Quorn is where she met Arx.", ["Ann"]),
    ],
)
def test_rules(text, entities):
    assert placed(text) == entities


@pytest.mark.parametrize(
    ("text", "entities"),
    [
        ("In Quorn, where they speak.", [None]),
        ("In Quorn, Where They speak.", [None]),
        ("In Quorn, there they speak.", ["Arx"]),
        ("In Quorn, where he speaks.", ["Ann"]),
    ],
)
def test_the_people_of_a_place_are_nobody_of_the_input(text, entities):
    assert placed(text) == entities


def test_literals_are_never_meant():
    graph = Graph.from_triples([("Ann", "birthDate", "1970-05-02"), ("Ann", "height", "1.8")])
    names = ("Ann", "1970-05-02", "1.8")
    assert placed("1.8 and 1970-05-02. It is so.", graph, names) == ["Ann"]


def test_of_several_that_the_triple_allows_the_usual_one():
    graph = Graph.from_triples([("Ann", "birthPlace", "Quorn"), ("Bo", "birthPlace", "Quorn")])
    assert placed("Bo and Ann. She is from Quorn.", graph) == ["Ann"]
    assert placed("Ann and Bo. He is from Quorn.", graph) == ["Bo"]


def test_a_root_that_is_a_person():
    graph = Graph.from_triples([("Ann", "birthPlace", "Quorn"), ("Ann", "spouse", "Bo")])
    assert placed("Ann and Quorn. They won.", graph) == ["Ann"]
    assert placed("Ann and Quorn. It won.", graph) == ["Quorn"]
    assert placed("Ann and Bo. He won.", graph) == ["Bo"]


def test_the_category_tells_the_kind_of_the_root():
    graph = Graph.from_triples([("Zed", "related", "Quorn")], category="Astronaut")
    names = ("Zed", "Quorn")
    assert placed("Zed and Quorn. He won.", graph, names) == ["Zed"]
    assert placed("Zed and Quorn. It won.", graph, names) == ["Quorn"]


def test_without_a_person_the_root_is_the_last_resort():
    graph = Graph.from_triples([("Zed", "related", "Quorn")])
    assert placed("He won.", graph) == ["Zed"]


def test_tables_and_empty_graphs():
    table = Input.from_table((Cell("Arx"), Cell("Quorn")))
    assert placed("It won.", table) == [None]
    assert placed("Arx and Quorn. It won.", table) == ["Quorn"]
    assert placed("It won.", Graph()) == [None]


def test_questions_do_not_influence_each_other():
    texts = ["Arx and Bo. He won.", "Arx.", "Arx and Ann. It won, she won."]
    answers = RuleResolver().resolve([question(text) for text in texts])
    assert answers == [["Bo"], [], ["Arx", "Ann"]]


def test_the_version_is_in_the_signature():
    assert RuleResolver().version().startswith("rules.v")


@settings(deadline=None)
@given(st.lists(st.sampled_from((*NAMES, *PRONOUNS, "where", "as", "the")), max_size=12))
def test_every_answer_is_an_entity_that_fits(words):
    text = " ".join(words)
    _, _, _, pronouns = question(text)
    answers = placed(text)
    assert len(answers) == len(pronouns)
    people = {"Ann", "Bo"}
    for pronoun, entity in zip(pronouns, answers, strict=True):
        word = pronoun.text.split("'")[0]
        if word in ("he", "him", "his", "she", "her"):
            assert entity in people
        elif entity is None:
            assert text[: pronoun.end].endswith("where they")
        else:
            assert entity not in (*people, "312")
