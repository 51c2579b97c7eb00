"""Pieces of texts, the contexts of their numbers, and the owners in reach."""

from __future__ import annotations

import pytest

from esascore.explain.whose.contexts import numbers_said
from esascore.explain.whose.ledger import ledger_of
from esascore.explain.whose.pieces import pieces_of
from esascore.explain.whose.reach import Reach
from esascore.model import Graph
from esascore.text.document import Document

DATA = {
    "teams": [
        {"name": "Oslo Owls", "three point shots": 3, "players": [{"name": "D'Arcy Berg", "points": 2}]},
        {"name": "Bergen Bears", "three point shots": 1, "players": [{"name": "Bo Dahl, Jr.", "points": 3}]},
    ]
}
DAYS = {"list": [{"at": f"2024-01-0{day} 0{h}:00", "rain": day} for day in (4, 5, 6) for h in (2, 8)]}


def pieces(text, data=DATA):
    graph = Graph.from_data(data)
    return pieces_of(Document(graph, text), ledger_of(graph))


def said(text, data=DATA):
    return list(numbers_said(pieces(text, data)))


@pytest.mark.parametrize(
    ("text", "values", "sort"),
    [
        ("It had 1,200 votes.", (1200.0,), "plain"),
        ("He hit 3 - of - 4 shots.", (3.0, 4.0), "pair"),
        ("They won 96-89.", (96.0, 89.0), "pair"),
        ("He added a pair of steals.", (2.0,), "implied"),
        ("He added a steal.", (1.0,), "implied"),
        ("She was second on the team.", (2.0,), "ordinal"),
    ],
)
def test_numbers_are_found(text, values, sort):
    assert [(one.values, one.sort) for one in said(text)] == [(values, sort)]


@pytest.mark.parametrize(
    "text", ["a double-double", "a team high", "at 7:00 AM", "the three-point line", "A cat"]
)
def test_what_is_no_number(text):
    assert said(text) == []


def test_keys_are_words_around():
    [one] = said("Berg tallied 12 big rebounds in all.")
    assert one.keys[:4] == ("r big", "rr big rebound", "lr tall big", "l tall")


def test_numbers_glued_to_units_are_cut():
    assert list(pieces("It weighs 205g.").words) == ["it", "weighs", "205", "g", "."]


@pytest.mark.parametrize(
    ("text", "owners"),
    [
        ("D'Arcy Berg had 2.", [("/teams/0/players/0",)]),
        ("Bo Dahl, Jr. had 2.", [("/teams/1/players/0",)]),
        ("berg had 2 for Oslo Owls", [("/teams/0",)]),  # a cased text has names in capitals
        ("the oslo owls met berg", [("/teams/0",), ("/teams/0/players/0",)]),
    ],
)
def test_names_are_found(text, owners):
    assert [named.owners for named in pieces(text).named] == owners


def reached(text, word, data=DATA):
    own = pieces(text, data)
    return Reach.of(own, ledger_of(Graph.from_data(data))).owners(own.words.index(word))


def test_of_each_kind_the_nearest_before_is_in_reach():
    text = "Berg of the Owls and the Bears had 2."
    assert reached(text, "2") == ("/teams/1", "/teams/0/players/0", "")


def test_else_the_first_after_or_the_sentence_before():
    assert reached("With 2 points Berg won.", "2") == ("/teams/0/players/0", "")
    assert reached("Berg won. He had 2 points.", "2") == ("/teams/0/players/0", "")
    assert reached("It rained. He had 2 points.", "2") == ("",)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("On January 5 it rains 9 mm.", "5"),
        ("It rains 9 mm on January 6.", "6"),
        ("From January 4 to January 5 it rains 9 mm.", "45"),
        ("On Thursday it rains 9 mm.", "4"),
        ("On the second day it rains 9 mm.", "5"),
        ("Day 3 brings 9 mm of rain.", "6"),
        ("Today it rains 9 mm.", "4"),
        ("On January 5 it rains. There will be 9 mm.", "5"),
        ("It rains 9 mm.", "456"),
        ("On January 9 it rains 9 mm.", ""),
    ],
)
def test_a_day_chooses_the_items_of_a_series(text, days):
    ledger = ledger_of(Graph.from_data(DAYS))
    owners = [ledger.owners[owner].day.day for owner in reached(text, "9", DAYS)[:-1]]
    assert "".join(map(str, dict.fromkeys(owners))) == days
