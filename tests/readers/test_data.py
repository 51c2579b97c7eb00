"""Any structured data as input: the field ``data``, JSON arrays, wide tables, DART, rows with a header."""

from __future__ import annotations

import json

import pytest

from esascore.errors import UsageError
from esascore.model import Graph
from esascore.readers.choice import Choice
from esascore.readers.corpus import read_corpus

INN = {"name": "Blue Lantern", "area": "riverside", "parking": True}


def facts(graph):
    assert isinstance(graph, Graph)
    return [(fact.path, fact.value) for fact in graph.facts]


def test_a_field_of_json_lines(write):
    [one] = read_corpus(write(json.dumps({"data": INN, "category": "Inn", "text": "Nice."}) + "\n"))
    assert one.input == Graph.from_data(INN, "Inn")
    assert (one.size, one.text) == (2, "Nice.")


@pytest.mark.parametrize("value", [[], {}, 7, "seven", True, [{"a": [[1]]}]])
def test_any_value_is_data(write, value):
    [one] = read_corpus(write(json.dumps({"data": value}) + "\n"))
    assert one.input == Graph.from_data(value)


def test_data_and_triples_in_one_row_are_an_error(refused):
    row = json.dumps({"data": {}, "triples": []})
    refused(row, "a.jsonl", 1, "triples and data are both given: keep one")


def test_data_nested_too_deeply(refused):
    row = '{"data": ' + "[" * 700 + "1" + "]" * 700 + "}"
    refused(row, "a.jsonl", 1, "the data cannot be read: it is nested too deeply")


def test_an_array_is_read_like_lines(write):
    rows = [{"data": INN, "id": "x"}, {"triples": ["a | b | c"]}]
    [one, other] = read_corpus(write(json.dumps(rows, indent=1), "a.json"))
    assert (one.id, facts(one.input)) == ("x", [("area", "riverside"), ("parking", "yes")])
    assert (other.id, other.size) == ("Id2", 1)


def test_objects_of_an_array_can_be_data_themselves(write):
    [one] = read_corpus(write(json.dumps([{**INN, "id": 4, "text": "T", "system": "s"}]), "a.json"))
    assert (one.id, one.text) == ("4", "T")
    assert facts(one.input) == [("area", "riverside"), ("parking", "yes")]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ('[\n{"data": 1},\n 5]', 3, "an array of objects is needed"),
        ('[\n{"data": 1}\n', 3, "the array ends with ]"),
        ('[{"data": 1}] x', 1, "the array ends with ]"),
        ('[{"data": 1},\n{"data": }]', 2, "not JSON ("),
        ('[{"data": NaN}]', 1, "not JSON (NaN is no JSON)"),
        ('[{"data": 1},\n{"data": -1e999}]', 2, "not JSON ('-1e999' is too large for a number)"),
        ('[{"data": 1, "data": 2}]', 1, "not JSON (the field 'data' is given twice)"),
        ("[]", None, "the file contains no example"),
    ],
)
def test_broken_arrays(refused, content, line, message):
    refused(content, "a.json", line, message)


def test_each_column_of_a_wide_table_is_an_attribute(write):
    table = 'id;name;familyFriendly;tags;Text;Reference 1\n7;Inn;yes;"[""a"", ""b""]";Hi;Ho\n8;Bar;;;;\n'
    [one, other] = read_corpus(write(table, "a.csv"))
    assert facts(one.input) == [("familyFriendly", "yes"), ("tags.*", "a"), ("tags.*", "b")]
    assert (one.id, one.text, one.references[0].text) == ("7", "Hi", "Ho")
    assert one.input.root == "Inn"
    assert facts(other.input) == []


def test_a_wide_table_with_tabs(write):
    [one] = read_corpus(write("city\train\nOslo\t3\n", "a.tsv"))
    assert facts(one.input) == [("city", "Oslo"), ("rain", "3")]


def test_a_column_of_json(write, refused):
    [one] = read_corpus(write('data,text\n"{""a"": 1}",x\n', "a.csv"))
    assert facts(one.input) == [("a", "1")]
    refused("data,text\nOslo,x\n", "a.csv", 2, "the JSON in column data cannot be read")
    refused('data,text\n"{""a"": 1e999}",x\n', "a.csv", 2, "the JSON in column data cannot be read: '1e999'")


def test_dart(write, refused):
    triples = [["Mars Hill", "JOINED", "1973"], ["[TABLECONTEXT]", "[TITLE]", "Old Conference"]]
    rows = [{"tripleset": triples, "annotations": [{"source": "x", "text": "Mars Hill joined in 1973."}]}]
    [one] = read_corpus(write(json.dumps(rows), "dart.json"))
    assert [entity.term for entity in one.input.entities] == ["Mars Hill", "1973", "Old Conference"]
    assert one.input.root == "Mars Hill"
    assert one.references[0].text == "Mars Hill joined in 1973."
    refused('[{"tripleset": [], "annotations": [1]}]', "a.json", 1, "annotations must be a list")
    refused('[{"tripleset": []}, {"annotations": []}]', "a.json", 1, "tripleset is missing")


def test_rows_with_a_header_are_a_table(write):
    rows = [["Player", "Goals", "Club"], ["Ann", 3, "Vale"], ["Bo", None, "Hill"]]
    [one] = read_corpus(write(json.dumps({"table": rows}) + "\n"))
    assert one.input.table is not None
    assert [(e.term, e.object_of) for e in one.input.entities] == [
        ("Ann", ("Player",)),
        ("3", ("Goals",)),
        ("Vale", ("Club",)),
        ("Bo", ("Player",)),
        ("Hill", ("Club",)),
    ]


def test_linked_data_in_a_field_are_data(write):
    product = {"@context": "https://schema.example", "@type": "Product", "name": "X1"}
    [one] = read_corpus(write(json.dumps({"data": product}) + "\n"))
    assert one.input.root == "X1"


SHOP = {"name": "Blue Lantern", "stars": 3, "geo": {"lat": 1.5}, "rooms": [{"name": "Suite", "price": 80}]}


def chosen(path, **patterns):
    [one] = read_corpus(path, choice=Choice(**patterns))
    return [(str(entity.term), entity.optional) for entity in one.input.entities]


def test_optional_and_ignored_attributes_of_data(write):
    path = write(json.dumps({"data": SHOP}) + "\n")
    everything = [("Blue Lantern", False), ("Suite", False), ("3", False), ("1.5", True), ("80", False)]
    assert chosen(path) == everything
    assert chosen(path, optional=("rooms.*.price", "stars"))[2::2] == [("3", True), ("80", True)]
    assert chosen(path, ignored=("rooms", "geo")) == [("Blue Lantern", False), ("3", False)]
    assert chosen(path, ignored=("*.name",)) == [one for one in everything if one[0] != "Suite"]


def test_optional_and_ignored_attributes_of_triples_and_records(write):
    path = write('{"triples": ["Ada | birthPlace | Oslo", "Ada | wikiId | 7", "Oslo | leader | Bo"]}\n')
    assert chosen(path, optional=("birth*", "wiki*")) == [
        ("Ada", False),
        ("Oslo", False),  # the subject of another triple
        ("7", True),
        ("Bo", False),
    ]
    assert chosen(path, ignored=("wiki*", "leader")) == [("Ada", False), ("Oslo", False)]
    path = write('{"records": [["city", "Oslo"], ["rain", "3"]]}\n', "records.jsonl")
    assert chosen(path, optional=("city",)) == [("3", False)]
    assert chosen(path, ignored=("city",)) == [("3", False)]


def test_a_pattern_that_fits_nothing_is_an_error(write):
    path = write(json.dumps({"data": SHOP}) + "\n")
    with pytest.raises(UsageError, match=r"--ignore 'star' fits no attribute; the corpus has: name, rooms"):
        chosen(path, ignored=("star",))
