from __future__ import annotations

import pytest

from esascore.coref.base import Pronoun
from esascore.coref.rules import Combined, RuleResolver
from esascore.model import Graph, Mention

PEOPLE = Graph.from_triples([("Ann_Lee", "spouse", "Eve_Orr"), ("Eve_Orr", "spouse", "Ann_Lee")])


class Model:
    def __init__(self, *answers):
        self.answers = list(answers)

    def resolve(self, questions):
        return [self.answers for _ in questions]

    def version(self):
        return "model.v7"


def question(graph, text, names, *pronouns):
    named = [Mention(e, text.index(w), text.index(w) + len(w), w, "string") for e, w in names]
    asked = [Pronoun(word, text.index(word), text.index(word) + len(word)) for word in pronouns]
    return graph, text, named, asked


def both(asked, *answers):
    return Combined(Model(*answers), RuleResolver()).resolve([asked])[0]


def test_without_a_triple_the_model_decides():
    names = [("Ann_Lee", "Ann Lee"), ("Eve_Orr", "Eve Orr")]
    asked = question(PEOPLE, "Ann Lee met Eve Orr. She won.", names, "She")
    assert RuleResolver().resolve([asked]) == [["Eve_Orr"]]
    assert both(asked, "Ann_Lee") == ["Ann_Lee"]


def test_what_a_triple_says_stands():
    graph = Graph.from_triples([("Ada_Hall", "architect", "Bo_Berg"), ("Bo_Berg", "birthPlace", "Oslo")])
    names = [("Ada_Hall", "Ada Hall"), ("Bo_Berg", "Bo Berg"), ("Oslo", "Oslo")]
    asked = question(graph, "Bo Berg made Ada Hall. His town is Oslo.", names, "His")
    assert both(asked, "Ada_Hall") == ["Bo_Berg"]


@pytest.mark.parametrize("answer", [None, "Ada_Hall", "somebody else"])
def test_the_rules_answer_where_the_model_knows_nobody_who_fits(answer):
    graph = Graph.from_triples([("Ada_Hall", "architect", "Bo_Berg")])
    names = [("Ada_Hall", "Ada Hall"), ("Bo_Berg", "Bo Berg")]
    asked = question(graph, "Ada Hall is by Bo Berg. He won.", names, "He")
    assert both(asked, answer) == ["Bo_Berg"]


def test_the_people_of_a_place_are_nobody():
    graph = Graph.from_triples([("Cake", "country", "Spain"), ("Spain", "language", "Spanish_language")])
    names = [("Cake", "Cake"), ("Spain", "Spain"), ("Spanish_language", "Spanish")]
    asked = question(graph, "Cake is from Spain where they speak Spanish.", names, "they")
    assert both(asked, "Cake") == [None]


def test_every_pronoun_has_its_answer():
    names = [("Ann_Lee", "Ann Lee"), ("Eve_Orr", "Eve Orr")]
    text = "Ann Lee met Eve Orr. She said that her dog won."
    asked = question(PEOPLE, text, names, "She", "her")
    assert both(asked, "Ann_Lee", None) == ["Ann_Lee", "Eve_Orr"]


def test_the_signature_names_all_parts():
    assert Combined(Model(), RuleResolver()).version() == "model.v7+rules.v1+together.v1"
