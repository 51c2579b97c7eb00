"""The table of how resolvers place pronouns."""

from __future__ import annotations

import csv
import io
import json

import pytest

from esascore.gold.mentions.benchmark import annotated_texts
from esascore.gold.pronouns import Placed
from esascore.model import Example, GoldMention, Graph, Reference
from esascore.reports.gold import pronoun_summary
from esascore.reports.tables import FORMATS


@pytest.fixture
def placed():
    """Of four pronouns in two texts, three are answered, two rightly."""
    texts = annotated_texts(
        [
            Example(
                id_,
                Graph.from_triples([("A", "b", "C")], category),
                references=(Reference("Id1", "Text.", mentions=(GoldMention("A", "Text", "name"),)),),
                size=1,
            )
            for id_, category in (("Id1", "Town"), ("Id2", "Person"))
        ]
    )
    town, person = texts
    return [
        Placed(town, "It", "A", "A"),
        Placed(town, "it", "C", "C"),
        Placed(person, "he", "A", "C"),
        Placed(person, "he", "C", None),
    ]


def test_a_row_for_each_resolver(placed):
    summary = pronoun_summary("rules.v1", [("rules", placed), ("nobody", [])])
    found = json.loads(FORMATS["json"](summary))
    assert found["signature"] == "rules.v1"
    first, second = found["systems"]
    # Of the two texts one is all right, the other all wrong: draws of texts give 0, 1/2 or 1.
    assert first == {
        "system": "rules",
        "pronouns": 4,
        "answered": 3,
        "precision": 2 / 3,
        "recall": 1 / 2,
        "precision_low": 0.0,
        "precision_high": 1.0,
        "recall_low": 0.0,
        "recall_high": 1.0,
    }
    assert second["pronouns"] == 0
    assert [second[name] for name in ("precision", "precision_low", "recall", "recall_high")] == [None] * 4


def test_the_table(placed):
    lines = FORMATS["table"](pronoun_summary("rules.v1", [("rules", placed)])).split("\n")
    cells = [line.split() for line in lines]
    assert cells[0] == ["System", "Pronouns", "Answered", "P", "low", "high", "R", "low", "high"]
    assert cells[2] == ["rules", "4", "3", "0.6667", "0.0000", "1.0000", "0.5000", "0.0000", "1.0000"]
    assert "signature: rules.v1" in lines


def test_parts(placed):
    summary = pronoun_summary("rules.v1", [("rules", placed)], by=("antecedent", "pronoun"))
    [row] = json.loads(FORMATS["json"](summary))["systems"]
    parts = {
        name: (part["pronouns"], part["answered"], part["precision"], part["recall"])
        for name, part in row["by"]["part"].items()
    }
    assert parts == {
        "antecedent: root": (2, 2, 0.5, 0.5),
        "antecedent: not the root": (2, 1, 1.0, 0.5),
        "pronoun: it": (2, 2, 1.0, 1.0),
        "pronoun: he": (2, 1, 0.0, 0.0),
    }
    # Not asked for, there are none.
    assert "by" not in json.loads(FORMATS["json"](pronoun_summary("r", [("r", placed)])))["systems"][0]


@pytest.mark.parametrize("format_", sorted(FORMATS))
def test_every_format_shows_every_part(placed, format_):
    text = FORMATS[format_](pronoun_summary("rules.v1", [("rules", placed)], by=("category",)))
    assert "category: Town" in text
    assert "category: Person" in text


def test_csv(placed):
    text = FORMATS["csv"](pronoun_summary("rules.v1", [("rules", placed)], by=("category",)))
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["pronouns"], row["answered"]) for row in rows] == [("4", "3"), ("2", "2"), ("2", "1")]
