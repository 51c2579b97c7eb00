from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from esascore.errors import DataError
from esascore.model import Example, Graph
from esascore.readers.outputs import read_outputs

IDS = ("a", "b", "3")
CORPUS = [Example(id_, Graph()) for id_ in IDS]
TEXTS = ["First.", "", "Third."]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.txt", "First.\n\nThird.\n"),
        (
            "x.jsonl",
            '{"id": 3, "text": " Third. "}\n\n{"id": "a", "text": "First."}\n{"id": "b", "text": null}\n',
        ),
        (
            "x.txt",
            '{"id": "b", "text": ""}\n{"text": "Third.", "id": "3"}\n{"id": " a", "text": "First.", "z": 1}',
        ),
        (
            "x.json",
            '[{"id": "3", "text": "Third."}, {"id": "a", "text": "First."},\n{"id": "b", "text": ""}]',
        ),
        ("x.csv", "id,text\n3,Third.\na,First.\nb,\n"),
        ("x.txt", "Text;ID;System\nThird.;3;me\nFirst.;a;me\n;b;me\n"),
        ("x.tsv", "id\ttext\nb\t\n3\tThird.\na\tFirst.\n"),
        ("x.csv", '\ufeff"id","text"\r\n"3","Third."\r\n"a","First."\r\n"b",""\r\n'),
    ],
)
def test_every_form(write, name, content):
    assert read_outputs(write(content, name), CORPUS) == TEXTS


def test_without_a_corpus_in_the_order_of_the_file(write):
    assert read_outputs(write('{"id": "z", "text": "One."}\n{"id": "y", "text": "Two."}\n')) == [
        "One.",
        "Two.",
    ]
    assert read_outputs(write("One.\nTwo.\n")) == ["One.", "Two."]
    assert read_outputs(write("")) == []


def test_a_text_of_several_lines(write):
    assert read_outputs(write('id,text\na,"One\nline, ""quoted"""\n'), [CORPUS[0]]) == ['One\nline, "quoted"']


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            '{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}\n{"id": "q", "text": "z"}\n',
            "no text for 2 of 3 ids: b, 3; 1 id is given more than once: a (lines 1, 2); 1 id is not in the "
            "corpus: q (line 3); give each id of the corpus one text, an empty one if the system gave none",
        ),
        ('{"text": "x"}\n', ":1: id missing, found 'text': an object of an output is"),
        ('{"id": "a", "output": "x"}\n', ":1: text missing, found 'id, output'"),
        ('{"id": "a", "txt": "x"}\n', ":1: text missing (is 'txt' meant to be 'text'?), found 'id, txt'"),
        ("id,texts\na,x\n", "in the header 'id, texts' (is 'texts' meant to be 'text'?): a CSV"),
        ("{}\n", ":1: id and text missing, found 'no field'"),
        ('{"id": "", "text": "x"}\n', ":1: the id is empty"),
        ('{"id": [1], "text": "x"}\n', ":1: id must be a string or an integer"),
        ('{"id": "a", "text": ["x"]}\n', ":1: text must be a string, found a list"),
        ('{"id": "a", "text": "x"}\nplain\n', ":2: not JSON"),
        ("{\n", ":1: not JSON"),
        ('["x", "y", "z"]\n', ":1: this looks like a JSON array of texts: write one text per line"),
        ('[\n"x"]\n', "an array of objects is needed"),
        ('<?xml version="1.0"?>\n', ":1: this looks like XML, but texts are needed (is it the corpus?)"),
        ("id,output\na,x\n", ":1: no column text in the header 'id, output'"),
        ('x\n{"text": "y"}\n{"text": "z"}\n', ":2: most lines are JSON objects, but the first one is none"),
        ("text\nx\ny\nz\n", "(the first line looks like the header of a table)"),
    ],
)
def test_content_of_the_other_kind(write, content, message):
    with pytest.raises(DataError) as raised:
        read_outputs(write(content, "system.out"), CORPUS)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("x.csv", "no column id and text in the header"),
        ("x.jsonl", "the name says JSON, but the first line is"),
    ],
)
def test_the_name_says_otherwise(write, name, message):
    with pytest.raises(DataError) as raised:
        read_outputs(write("First.\nSecond.\nThird.\n", name), CORPUS)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    "texts",
    [
        ["{Bionico} is a dish.", "b", "c"],
        ["[1] Bionico is a dish.", "b", "c"],
        ['"Bionico" is a dish.', "b", "c"],
        ["ID, please, said the guard.", "b", "c"],
        ["<b>Bionico</b>", "b", "c"],
        ["a", '{"text": "a model that failed"}', "c"],
    ],
)
def test_texts_that_are_only_odd(write, texts):
    assert read_outputs(write("\n".join(texts)), CORPUS) == texts


TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"])).map(str.strip)


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture], deadline=None)
@given(st.permutations(IDS), st.lists(TEXT, min_size=3, max_size=3))
def test_any_order_is_the_order_of_the_corpus(write, order, texts):
    rows = dict(zip(IDS, texts, strict=True))
    table = io.StringIO()
    csv.writer(table, lineterminator="\n").writerows([["id", "text"], *([id_, rows[id_]] for id_ in order)])
    lines = "".join(json.dumps({"id": id_, "text": rows[id_]}) + "\n" for id_ in order)
    for content in (lines, table.getvalue()):
        assert read_outputs(write(content), CORPUS) == texts
