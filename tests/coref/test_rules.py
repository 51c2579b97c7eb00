"""Whom a pronoun stands for: by rules, by the root alone, and by a model with the rules."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esascore.coref.base import Pronoun
from esascore.coref.chains import ChainResolver
from esascore.coref.choice import RESOLVERS, CorefChoice, make_resolver
from esascore.coref.rules import Combined, RootResolver, RuleResolver
from esascore.coref.stanza import StanzaModel
from esascore.errors import UsageError
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


IT_AND_SHE = [Pronoun("It", 0, 2), Pronoun("she", 3, 6)]


def test_every_pronoun_stands_for_the_root():
    graph = Graph.from_triples([("Arx", "author", "Ann_Smith"), ("Ann_Smith", "birthPlace", "Quorn")])
    named = [Mention("Ann_Smith", 7, 16, "Ann Smith", "string")]
    assert RootResolver().resolve([(graph, "It she Ann Smith", named, IT_AND_SHE)]) == [["Arx", "Arx"]]


def test_a_table_and_an_empty_graph_have_none():
    questions = [
        (Input.from_table((Cell("Oslo"),)), "It she", [], IT_AND_SHE),
        (Graph(), "It she", [], IT_AND_SHE[:1]),
    ]
    assert RootResolver().resolve(questions) == [[None, None], [None]]


PEOPLE = Graph.from_triples([("Ann_Lee", "spouse", "Eve_Orr"), ("Eve_Orr", "spouse", "Ann_Lee")])


class Model:
    def __init__(self, *answers):
        self.answers = list(answers)

    def resolve(self, questions):
        return [self.answers for _ in questions]

    def version(self):
        return "model.v7"


def question_of(graph, text, names, *pronouns):
    named = [Mention(e, text.index(w), text.index(w) + len(w), w, "string") for e, w in names]
    asked = [Pronoun(word, text.index(word), text.index(word) + len(word)) for word in pronouns]
    return graph, text, named, asked


def both(asked, *answers):
    return Combined(Model(*answers), RuleResolver()).resolve([asked])[0]


def test_without_a_triple_the_model_decides():
    names = [("Ann_Lee", "Ann Lee"), ("Eve_Orr", "Eve Orr")]
    asked = question_of(PEOPLE, "Ann Lee met Eve Orr. She won.", names, "She")
    assert RuleResolver().resolve([asked]) == [["Eve_Orr"]]
    assert both(asked, "Ann_Lee") == ["Ann_Lee"]


def test_what_a_triple_says_stands():
    graph = Graph.from_triples([("Ada_Hall", "architect", "Bo_Berg"), ("Bo_Berg", "birthPlace", "Oslo")])
    names = [("Ada_Hall", "Ada Hall"), ("Bo_Berg", "Bo Berg"), ("Oslo", "Oslo")]
    asked = question_of(graph, "Bo Berg made Ada Hall. His town is Oslo.", names, "His")
    assert both(asked, "Ada_Hall") == ["Bo_Berg"]


@pytest.mark.parametrize("answer", [None, "Ada_Hall", "somebody else"])
def test_the_rules_answer_where_the_model_knows_nobody_who_fits(answer):
    graph = Graph.from_triples([("Ada_Hall", "architect", "Bo_Berg")])
    names = [("Ada_Hall", "Ada Hall"), ("Bo_Berg", "Bo Berg")]
    asked = question_of(graph, "Ada Hall is by Bo Berg. He won.", names, "He")
    assert both(asked, answer) == ["Bo_Berg"]


def test_the_people_of_a_place_are_nobody():
    graph = Graph.from_triples([("Cake", "country", "Spain"), ("Spain", "language", "Spanish_language")])
    names = [("Cake", "Cake"), ("Spain", "Spain"), ("Spanish_language", "Spanish")]
    asked = question_of(graph, "Cake is from Spain where they speak Spanish.", names, "they")
    assert both(asked, "Cake") == [None]


def test_every_pronoun_has_its_answer():
    names = [("Ann_Lee", "Ann Lee"), ("Eve_Orr", "Eve Orr")]
    text = "Ann Lee met Eve Orr. She said that her dog won."
    asked = question_of(PEOPLE, text, names, "She", "her")
    assert both(asked, "Ann_Lee", None) == ["Ann_Lee", "Eve_Orr"]


def test_the_signature_names_all_parts():
    assert Combined(Model(), RuleResolver()).version() == "model.v7+rules.v1+together.v1"


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ESASCORE_CACHE", str(tmp_path / "answers.sqlite"))


def test_names():
    assert list(RESOLVERS) == ["root", "rules", "stanza", "stanza+rules"]
    assert isinstance(make_resolver(CorefChoice("root")), RootResolver)
    assert isinstance(make_resolver(CorefChoice("rules")), RuleResolver)


def test_stanza_is_made_without_being_loaded(tmp_path):
    """Stanza is asked for when there is something to ask it: a corpus without pronouns needs none."""
    resolver = make_resolver(CorefChoice("stanza", directory=tmp_path))
    assert isinstance(resolver, ChainResolver)
    assert isinstance(resolver.model, StanzaModel)
    assert resolver.cache is not None
    assert resolver.resolve([]) == []


def test_nothing_heavy_is_imported():
    code = (
        "import sys; from esascore.coref.choice import *; make_resolver(CorefChoice('stanza')).resolve([]);"
        "print({'stanza', 'torch', 'transformers', 'huggingface_hub'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.parametrize("name", ["", "Stanza", "neural", "rules "])
def test_unknown_names(name):
    with pytest.raises(
        UsageError,
        match=r"unknown coreference resolver .*(known: root, rules, stanza, stanza\+rules|did you mean)",
    ):
        CorefChoice(name)


@pytest.mark.parametrize("name", ["root", "rules"])
@pytest.mark.parametrize("setting", ["model", "directory"])
def test_models_are_stanzas(name, setting):
    with pytest.raises(UsageError, match=f"{name!r} has no models: choose stanza"):
        CorefChoice(name, **{setting: "some"})


@pytest.mark.parametrize("model", ["absent/model", "absent.pt", "."])
def test_a_model_that_is_not_there_is_a_usage_error_at_once(model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"not a coreference model: .*esascore coref train.*\.pt.*package"):
        make_resolver(CorefChoice("stanza", model=model))
