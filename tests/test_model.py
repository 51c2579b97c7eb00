"""Graphs, tables and detections."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError

import pytest

from esascore import ESA
from esascore.errors import DataError
from esascore.model import Cell, Detection, Entity, Graph, Input, Table, Triple
from fakes import graph_of

DISH = graph_of("Bionico | country | Mexico\nMexico | leader | Nobody\nBionico | course | Dessert", "Food")


def test_entities_are_the_distinct_terms_with_the_properties_around_them():
    assert [entity.term for entity in DISH.entities] == ["Bionico", "Mexico", "Nobody", "Dessert"]
    assert DISH.entities[1] == Entity("Mexico", ("leader",), ("country",))


@pytest.mark.parametrize(
    ("triples", "root"),
    [
        ("A | p | B\nB | p | C", "A"),
        ("A | p | B\nC | p | D\nD | p | E", "C"),  # reaches more
        ("A | p | B\nC | p | B", "A"),  # the first of equals
        ("A | p | B\nB | p | A", "A"),  # a cycle
        ("A | p | A", "A"),
    ],
)
def test_what_a_graph_is_about(triples, root):
    assert graph_of(triples).root == root


def test_an_empty_graph_is_about_nothing():
    assert Graph().root is None
    assert Graph().entities == ()


def test_equal_graphs_are_one_key_also_in_another_process():
    again = pickle.loads(pickle.dumps(DISH))
    assert again == DISH
    assert hash(again) == hash(DISH)
    assert again != graph_of("Bionico | country | Mexico", "Food")


def test_the_entities_of_a_table_are_its_highlighted_values():
    hidden = Cell("7", "Goals", highlighted=False)
    cells = (Cell("Vale", "Club"), hidden, Cell("Vale", "Ground"), Cell("", "x"))
    assert Input.from_table(cells).entities == (Entity("Vale", (), ("Club", "Ground"), "name"),)
    assert Input.from_table(cells).root is None


def test_the_share_of_detected_entities():
    assert Detection("A.", ("A", "B"), (), ("B",)).esa == 0.5
    assert Detection("A.", (), (), ()).esa is None


@pytest.mark.parametrize(
    "triple",
    [
        Triple("Bionico", "year", "1998"),
        "Bionico | year | 1998",
        ("Bionico", "year", 1998),
        ["Bionico", "year", "1998"],
    ],
)
def test_a_graph_takes_triples_in_every_usual_form(triple):
    assert Graph.from_triples([triple]).triples == (Triple("Bionico", "year", "1998"),)


@pytest.mark.parametrize(
    ("triple", "problem"),
    [
        ("Bionico | year", "needs three parts"),
        ("Bionico | a | b | c", "needs three parts"),
        (("Bionico", "year"), "needs three parts"),
        (3, "needs three parts"),
        (None, "needs three parts"),
        (("Bionico", "year", None), "strings or numbers, found None"),
    ],
)
def test_what_is_no_triple_is_a_typed_error(triple, problem):
    with pytest.raises(DataError, match=problem):
        Graph.from_triples([triple])


@pytest.mark.parametrize("triples", ["a | b | c", None, 3])
def test_a_list_of_triples_is_needed(triples):
    with pytest.raises(DataError, match=r"a list of triples is needed, found (str|NoneType|int): put"):
        Graph.from_triples(triples)


def test_a_table_is_an_input_with_a_hash():
    table = Table([Cell("Vale", "club")])
    assert hash(Input(table)) == hash(Input.from_table(table.cells))
    assert ESA(profile="paper").score(table, "Vale").esa == 1.0


def test_a_graph_of_data_is_the_same_after_pickling_and_with_its_facts_made_before():
    source = {"name": "Owls", "players": [{"name": "Ann", "points": 7, "size": {"value": 2, "unit": "m"}}]}
    late, early = Graph.from_data(source), Graph.from_data(source)
    triples, facts = early.triples, early.facts
    again = pickle.loads(pickle.dumps(late))
    assert late == early == again
    assert hash(late) == hash(early)
    assert (again.triples, again.facts, again.entities) == (triples, facts, early.entities)
    assert Graph.from_data({**source, "name": "Bears"}) != late
    assert repr(again) == repr(early)
    with pytest.raises(FrozenInstanceError):
        late.triples = ()
