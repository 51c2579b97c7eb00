"""Objects side by side under keys that differ in one word."""

from __future__ import annotations

from esascore.data import flatten
from esascore.explain.whose.judge import judge
from esascore.explain.whose.ledger import ledger_of
from esascore.explain.whose.model import learn
from esascore.explain.whose.sides import sides_of
from esascore.model import Graph
from esascore.text.document import Document


def game(home, away):
    return {
        "tournament": {"name": "Cup", "rounds": 4},
        "homeTeam": {"name": "Oslo Owls", "shortName": "Owls", "titles": 7},
        "awayTeam": {"name": "Bergen Bears", "shortName": "Bears", "titles": 9},
        "homeScore": {"current": home, "period1": home // 2},
        "awayScore": {"current": away, "period1": away // 2},
        "awayLegs": 1,
        "round": 6,
    }


def test_what_a_key_gives_to_a_side_belongs_to_it():
    ledger = ledger_of(Graph.from_data(game(3, 2)))
    assert dict(ledger.held["/homeTeam"]) == {
        "*.titles": (7.0,),
        "*.score.current": (3.0,),
        "*.score.period1": (1.0,),
    }
    assert ledger.held[""]["tournament.rounds"] == (4.0,)
    assert ledger.held["/awayTeam"]["*.legs"] == (1.0,)
    assert ledger.names[("bears",)] == ("/awayTeam",)
    assert ledger.truths["/awayTeam"] == {"home": False, "away": True}


def test_other_data_stay_as_they_are():
    data = flatten({"homeTeam": {"name": "Owls"}, "guest": {"name": "Bears"}, "homeScore": 3})
    assert sides_of(data).data == data


def test_scores_of_sides_are_checked():
    pairs = [
        (Graph.from_data(game(home, away)), f"The Owls beat the Bears {home}-{away}.")
        for home in range(4, 9)
        for away in range(3)
    ]
    model = learn(pairs)
    graph = Graph.from_data(game(5, 2))

    def flags(text):
        return [
            (text[one.start : one.end], one.expected) for one in judge(Document(graph, text), model).flags
        ]

    assert flags("The Owls beat the Bears 5-2.") == []
    assert flags("The Owls beat the Bears 5-1.") == [("1", "2")]
    assert flags("The Bears beat the Owls 5-2.") == [("beat", None)]
    assert flags("The Owls lost to the Bears 5-2.") == [("lost to", None)]
    assert flags("The host Bears lost.") == [("host", None)]
