from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from esascore.errors import DataError
from esascore.model import Cell, Example, Graph, Input, Reference, Triple
from esascore.readers.corpus import read_corpus

GRAPH = Graph.from_triples([Triple("a", "b", "c")])


def lines(*objects):
    return "".join(json.dumps(o) + "\n" for o in objects)


@pytest.mark.parametrize(
    "triple",
    [
        ["a", "b", "c"],
        [" a", "b ", "c"],
        "a | b | c",
        {"subject": "a", "predicate": "b", "object": "c"},
        {"subject": "a", "property": "b", "object": "c", "extra": 1},
    ],
)
def test_ways_to_write_a_triple(write, triple):
    assert read_corpus(write(lines({"triples": [triple]}))) == [Example("Id1", GRAPH, size=1)]


@pytest.mark.parametrize(
    "field",
    [
        {"records": [["name", "Ann"], ["age", "7"]]},
        {"records": {"name": "Ann", "age": "7"}},
        {"table": [{"attribute": "name", "value": "Ann"}, ["age", "7"]]},
    ],
)
def test_ways_to_write_records(write, field):
    table = Input.from_table((Cell("Ann", "name", row=0), Cell("7", "age", row=1)))
    assert read_corpus(write(lines(field))) == [Example("Id1", table, size=2)]


def test_all_fields(write):
    one = {
        "id": "x",
        "triples": [["a", "b", "c"]],
        "text": " A text. ",
        "references": ["One.", " Two. "],
        "category": "C",
        "seen": False,
        "original": ["a | bb | c"],
        "other": [1, 2],
    }
    two = {"id": 17, "triples": [], "text": None, "references": "One.", "category": None, "seen": None}
    first, second, third = read_corpus(write(lines(one, two, {"triples": [], "reference": "R"})))
    assert first == Example(
        "x",
        Graph.from_triples(GRAPH.triples, "C"),
        (Reference("Id1", "One."), Reference("Id2", "Two.")),
        1,
        Graph.from_triples([Triple("a", "bb", "c")]),
        "A text.",
        False,
    )
    assert second == Example("17", Graph(), (Reference("Id1", "One."),), text="")
    assert third == Example("Id3", Graph(), (Reference("Id1", "R"),))


def test_blank_lines_and_a_byte_order_mark(write):
    content = "\ufeff" + lines({"triples": []}) + "\r\n \n" + lines({"triples": []})
    assert [example.id for example in read_corpus(write(content))] == ["Id1", "Id2"]


def test_half_a_surrogate_pair_keeps_its_place(write):
    (example,) = read_corpus(write('{"triples": [], "text": "ab\\ud83d cd \\ud83d\\ude00"}'))
    assert example.text == "ab\ufffd cd 😀"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not JSON (Expecting property name"),
        ("{}}", "not JSON (Extra data at column 3)"),
        ('{"triples": [["a", "b", NaN]]}', "not JSON (NaN is no JSON)"),
        ('{"data": {"a": 1e999}}', "not JSON ('1e999' is too large for a number)"),
        ('{"triples": [], "text": "a", "text": "b"}', "not JSON (the field 'text' is given twice)"),
        ('{"a": ' + "[" * 100_000, "not JSON (it is nested too deeply)"),
        ('{"a": ' + "1" * 5000 + "}", "not JSON (Exceeds the limit"),
        ("[1]", "one JSON object per line is needed"),
        ("{}", "triples or records or table or data is missing: found no field"),
        (
            '{"triple": []}',
            "triples or records or table or data is missing: found 'triple' (is 'triple' meant to be 'trip",
        ),
        ('{"triples": null}', "triples is empty"),
        ('{"triples": [], "records": []}', "triples and records are both given: keep one"),
        ('{"triples": "a | b | c"}', "triples must be a list, found 'a | b | c'"),
        ('{"triples": {"a": 1}}', "triples must be a list, found an object"),
        ('{"triples": [["a", "b"]]}', 'a triple needs three parts, found 2 in ["a", "b"]'),
        (
            '{"triples": ["a | b"]}',
            "a triple needs three parts, as in 'subject | predicate | object', found 2",
        ),
        (
            '{"triples": [{"subject": "a", "object": "b"}]}',
            "a triple needs three parts, predicate missing in",
        ),
        ('{"triples": [["a", "b", 3]]}', "the parts of a triple must be strings, found a number in"),
        ('{"triples": [["a", "b", null]]}', "the parts of a triple must be strings, found null in"),
        ('{"triples": [["a", "b", " "]]}', "a part of the triple 'a | b |  ' is empty"),
        ('{"triples": [7]}', "a triple is "),
        ('{"records": 3}', "records must be a list of [attribute, value] pairs or an object, found a number"),
        ('{"records": [["a"]]}', 'an item of records is ["attribute", "value"], found ["a"]'),
        ('{"records": {"a": 1.5}}', "attributes and values must be strings, found a number"),
        ('{"triples": [], "id": true}', "id must be a string or an integer, found a boolean"),
        ('{"triples": [], "text": 3}', "text must be a string, found a number"),
        ('{"triples": [], "category": []}', "category must be a string, found a list"),
        ('{"triples": [], "seen": "yes"}', "seen must be true or false, found 'yes'"),
        ('{"triples": [], "references": [1]}', "references must contain only texts, found a number"),
        ('{"triples": [], "references": 1}', "references must be a text or a list of texts, found a number"),
        (
            '{"triples": [], "references": [], "reference": ""}',
            "the fields reference and references are both",
        ),
        ('{"triples": [], "id": "Id1"}', "the id 'Id1' is already used"),
    ],
)
def test_errors_name_file_and_line(refused, line, message):
    refused('{"triples": []}\n' + line + "\n", "a.jsonl", 2, message)


def test_too_many_triples(write):
    with pytest.raises(DataError, match="at most 50,000 triples"):
        read_corpus(write(lines({"triples": ["a | b | c"] * 50_001})))


TEXT = st.text(st.characters(exclude_categories=["Cs"]))
TERM = TEXT.map(str.strip).filter(bool)
OBJECTS = st.fixed_dictionaries(
    {"triples": st.lists(st.tuples(TERM, TERM, TERM), max_size=3)},
    optional={
        "text": TEXT,
        "references": st.lists(TEXT, max_size=3),
        "category": TERM,
        "seen": st.booleans(),
    },
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(OBJECTS, min_size=1, max_size=4), st.booleans())
def test_round_trip(write, objects, ascii_only):
    content = "\n".join(json.dumps(o, ensure_ascii=ascii_only) for o in objects)
    assert read_corpus(write(content), input_format="jsonl") == [
        Example(
            f"Id{number}",
            Graph.from_triples(o["triples"], o.get("category")),
            tuple(
                Reference(f"Id{n}", text.strip()) for n, text in enumerate(o.get("references", ()), start=1)
            ),
            len(o["triples"]),
            text=o["text"].strip() if "text" in o else None,
            seen=o.get("seen"),
        )
        for number, o in enumerate(objects, start=1)
    ]


def test_an_object_without_an_input_is_data_itself(write):
    path = write('{"id": " a ", "title": "Blue Inn", "rooms": 27, "metadata": {"floor": 2}, "text": "Inn"}')
    [example] = read_corpus(path)
    assert (example.id, example.text) == ("a", "Inn")
    facts = [(fact.path, fact.value) for fact in example.input.facts]
    assert facts == [("rooms", "27"), ("metadata.floor", "2")]
    assert [entity.term for entity in example.input.entities] == ["Blue Inn", "27", "2"]
