"""Descriptions that stand for what was named before."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esascore.detectors.descriptions import Descriptions
from esascore.model import Graph, Mention
from esascore.text.document import Document

GRAPH = Graph.from_triples(
    [
        ("Arx", "author", "Ann_Smith"),  # a book or novel; an author or writer
        ("Sky_Airport", "cityServed", "Skyville"),  # an airport by its name; a city or town
        ("Ann_Smith", "birthPlace", "Quorn"),  # a city, town, country or place
        ("School_of_Tea", "related", "Zed"),  # a school by its name
    ]
)
NAMES = {"Arx": "Arx", "Ann Smith": "Ann_Smith", "Sky Airport": "Sky_Airport", "Skyville": "Skyville"}
NAMES |= {"Quorn": "Quorn", "School of Tea": "School_of_Tea", "Zed": "Zed"}


def document(text: str, graph: Graph = GRAPH) -> tuple[Document, list[Mention]]:
    """A text with its names marked."""
    marks = [
        Mention(entity, start, start + len(name), name, "string", 0.0)
        for name, entity in NAMES.items()
        for start in range(len(text))
        if text.startswith(name, start)
    ]
    return Document(graph, text), sorted(marks, key=lambda mark: mark.start)


def found(text: str, graph: Graph = GRAPH, **options) -> list[tuple[str, str]]:
    made, marks = document(text, graph)
    mentions = Descriptions(**options).mentions(made, marks)
    assert all(m.method == "description" and m.distance is None for m in mentions)
    assert all(text[m.start : m.end] == m.text for m in mentions)
    return [(m.text, m.entity) for m in mentions]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Arx is old. The novel is long.", [("The novel", "Arx")]),
        ("Arx is old. This book is long.", [("This book", "Arx")]),
        ("Arx is old. He likes that book.", [("that book", "Arx")]),
        (
            "Arx is by Ann Smith. The author wrote the book.",
            [("The author", "Ann_Smith"), ("the book", "Arx")],
        ),
        ("Arx is old. The book's author left.", [("The book's", "Arx")]),
        ("Arx is old. The book’s author left.", [("The book’s", "Arx")]),
        ("Sky Airport is big. The airport is new.", [("The airport", "Sky_Airport")]),  # by its own name
        ("School of Tea is big. The school is new.", [("The school", "School_of_Tea")]),
    ],
)
def test_definite_nouns_for_a_type(text, expected):
    assert found(text) == expected


def test_of_several_the_one_named_last():
    assert found("Skyville and Quorn. The city is big.") == [("The city", "Quorn")]
    assert found("Quorn and Skyville. The city is big.") == [("The city", "Skyville")]
    assert found("Skyville. The city is big. Quorn.") == [("The city", "Skyville")]


@pytest.mark.parametrize(
    "text",
    [
        "The novel is long. Arx.",  # nothing of that type was named before
        "Zed is old. The novel is long.",  # named, but of another type
        "Arx is old. A novel is long.",  # not definite
        "Arx is old. Novel things.",
        "Arx is old. The long novel is red.",  # not right after its article
        "Arx is old. The novel of the year is out.",  # goes on
        "Arx is old. The novel named so is out.",
        "Arx is old. The novel which is out.",
        "Arx is old. The novel Zed is out.",  # a name follows
        "Arx is old. The novel Bo is out.",
        "Arx is the novel.",  # says something new
        "Arx was the novel.",
        "Arx, known as the novel.",
        "Arx is old. The novels are long.",
        "Arx is old. The",
        "Zed is old. The Zed is new.",
    ],
)
def test_what_is_no_anaphor(text):
    assert found(text) == []


def test_what_is_part_of_a_name_is_left_alone():
    text = "Arx is old. The novel is long."
    made, marks = document(text)
    taken = Mention("Zed", 12, 21, "The novel", "string", 0.0)
    assert Descriptions().mentions(made, [*marks, taken]) == []


def test_nouns_can_be_excluded():
    assert found("Arx is old. The novel is long.", exclude=("novel",)) == []
    assert found("Arx is old. The book is long.", exclude=("novel",)) == [("The book", "Arx")]


def test_the_category_tells_the_type_of_the_root_only():
    graph = Graph.from_triples([("Zed", "related", "Quorn")], category="Airport")
    assert found("Zed is old. The airport is new.", graph) == [("The airport", "Zed")]
    assert found("Quorn is old. The airport is new.", graph) == []


def test_nouns_of_several_words_go_before_shorter_ones():
    graph = Graph.from_triples([("Zed", "crewMembers", "Quorn"), ("Arx", "bandMember", "Skyville")])
    # "crew member" for the one, "member" for the other
    text = "Quorn and Skyville. The crew member left the member behind."
    assert found(text, graph) == [("The crew member", "Quorn"), ("the member", "Skyville")]


@settings(deadline=None)
@given(st.lists(st.sampled_from(["Arx", "the", "novel", "'s", ".", "this", "city", "Quorn", "of", "\0"])))
def test_spans_hold_and_overlap_no_name(words):
    text = " ".join(words).replace(" '", "'")
    made, marks = document(text)
    mentions = Descriptions().mentions(made, marks)
    for m in mentions:
        assert text[m.start : m.end] == m.text
        assert not any(name.start < m.end and m.start < name.end for name in marks)
        assert any(name.entity == m.entity and name.end <= m.start for name in marks)
