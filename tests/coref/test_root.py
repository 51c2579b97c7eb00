"""Every pronoun to the root."""

from __future__ import annotations

from esascore.coref.base import Pronoun
from esascore.coref.rules import RootResolver
from esascore.model import Cell, Graph, Input, Mention

PRONOUNS = [Pronoun("It", 0, 2), Pronoun("she", 3, 6)]


def test_every_pronoun_stands_for_the_root():
    graph = Graph.from_triples([("Arx", "author", "Ann_Smith"), ("Ann_Smith", "birthPlace", "Quorn")])
    named = [Mention("Ann_Smith", 7, 16, "Ann Smith", "string")]
    assert RootResolver().resolve([(graph, "It she Ann Smith", named, PRONOUNS)]) == [["Arx", "Arx"]]


def test_a_table_and_an_empty_graph_have_none():
    questions = [
        (Input.from_table((Cell("Oslo"),)), "It she", [], PRONOUNS),
        (Graph(), "It she", [], PRONOUNS[:1]),
    ]
    assert RootResolver().resolve(questions) == [[None, None], [None]]


def test_no_questions():
    assert RootResolver().resolve([]) == []
    assert RootResolver().version() == "root"
