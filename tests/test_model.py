"""Graphs, tables and detections."""

from __future__ import annotations

import pickle

import pytest

from esascore.model import Cell, Detection, Entity, Graph, Table
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
    assert Graph(()).root is None
    assert Graph(()).entities == ()


def test_equal_graphs_are_one_key_also_in_another_process():
    again = pickle.loads(pickle.dumps(DISH))
    assert again == DISH
    assert hash(again) == hash(DISH)
    assert again != graph_of("Bionico | country | Mexico", "Food")


def test_the_entities_of_a_table_are_its_highlighted_values():
    hidden = Cell("7", "Goals", highlighted=False)
    cells = (Cell("Vale", "Club"), hidden, Cell("Vale", "Ground"), Cell("", "x"))
    assert Table(cells).entities == (Entity("Vale", (), ("Club", "Ground"), "name"),)
    assert Table(cells).root is None


def test_the_share_of_detected_entities():
    assert Detection("A.", ("A", "B"), (), ("B",)).esa == 0.5
    assert Detection("A.", (), (), ()).esa is None
