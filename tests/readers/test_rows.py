from __future__ import annotations

import datetime
from decimal import Decimal

import numpy as np
import pytest

from esascore.errors import DataError, UsageError
from esascore.model import Cell, Example, Graph, Table, Triple
from esascore.readers.rows import as_input, read_rows

TRIPLE = Triple("Bionico", "country", "Mexico")
GRAPH = Graph.from_triples([TRIPLE])


@pytest.mark.parametrize(
    "data",
    [
        GRAPH,
        TRIPLE,
        [TRIPLE],
        (TRIPLE,),
        ["Bionico | country | Mexico"],
        [("Bionico", "country", "Mexico")],
        [["Bionico", "country", "Mexico"]],
        np.array([["Bionico", "country", "Mexico"]]),
        [{"subject": "Bionico", "predicate": "country", "object": "Mexico"}],
        [{"subject": "Bionico", "property": "country", "object": "Mexico"}],
        {"triples": ["Bionico | country | Mexico"]},
        {"triples": [("Bionico", "country", "Mexico")], "text": "Bionico."},
        {"triples": [TRIPLE]},
        {"triples": "Bionico | country | Mexico"},
        Example("x", GRAPH),
        iter([TRIPLE]),
    ],
)
def test_triples_in_every_form(data):
    assert as_input(data) == GRAPH


@pytest.mark.parametrize(
    ("data", "terms"),
    [
        ({"name": "Blue Spice", "stars": 3}, ["Blue Spice", "3"]),
        ({"data": {"name": "Blue Spice", "stars": np.int64(3)}}, ["Blue Spice", "3"]),
        (
            {"name": "Blue Spice", "open": datetime.date(2024, 1, 4), "no": float("nan")},
            ["Blue Spice", "2024-01-04"],
        ),
        ([{"name": "A Inn", "stars": 3}, {"name": "B Inn", "stars": 4}], ["A Inn", "B Inn", "3", "4"]),
        ({"name": "A Inn", "price": Decimal("2.50")}, ["A Inn", "2.50"]),
        ([("name", "A Inn"), ("stars", 3)], ["A Inn", "3"]),
        ({"name": "A Inn", "category": "pub", "text": "cosy"}, ["A Inn", "pub", "cosy"]),
        (Table((Cell("A Inn", "name"),)), ["A Inn"]),
        ([], []),
    ],
)
def test_data_in_every_form(data, terms):
    assert [str(entity.term) for entity in as_input(data).entities] == terms


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (
            "Bionico | country | Mexico",
            UsageError,
            "data must be triples, a dict, a Graph or a Table, not str",
        ),
        (None, UsageError, "not NoneType"),
        (3, UsageError, "not int"),
        (["Bionico is from Mexico"], DataError, "a triple needs three parts"),
        ([("a", "b", "c", "d")], DataError, "a triple needs three parts"),
        ([("a", "b", None)], DataError, "must be strings or numbers, found None"),
        ([{"subject": "a", "object": "b"}], DataError, "a triple needs three parts"),
        ({"a": object()}, UsageError, "a value of the type object"),
        ({"triples": [], "records": []}, DataError, "triples and records are both given"),
    ],
)
def test_what_is_no_data(data, error: type[Exception], message):
    with pytest.raises(error, match=message):
        as_input(data)


def test_rows():
    rows = [
        {
            "id": 7,
            "triples": ["A | b | C"],
            "text": " A and C. ",
            "category": "X",
            "references": ["A C."],
            "z": 1,
        },
        {
            "ID": "q",
            "Triples": "A | b | C <br> A | b | D",
            "Reference 1": "One.",
            "reference_2": "Two.",
            "seen": "no",
        },
        [("E", "f", "G")],
        Example("own", GRAPH),
    ]
    seven, q, third, own = read_rows(rows)
    assert (seven.id, seven.text, seven.category, seven.size) == ("7", "A and C.", "X", 1)
    assert [reference.text for reference in seven.references] == ["A C."]
    assert (q.id, q.size, q.seen, [one.text for one in q.references]) == ("q", 2, False, ["One.", "Two."])
    assert (third.id, own.id) == ("Id3", "own")


def test_columns_with_other_names():
    rows = [{"gem_id": "a", "input": ["A | b | C"], "target": "A C.", "text": "no system"}]
    [example] = read_rows(rows, {"id": "gem_id", "triples": "input", "text": "target"})
    assert (example.id, example.input.triples[0].object, example.text) == ("a", "C", "A C.")
    with pytest.raises(UsageError, match="there is no column 'x'; known: gem_id, input"):
        read_rows(rows, {"id": "x"})


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([], "the corpus contains no example"),
        ([{"id": "a", "name": "X"}, {"id": "a", "name": "Y"}], "row:2: the id 'a' is already used in row 1"),
        ([{"triples": [["a", "b"]]}], "row:1: a triple needs three parts"),
        ([["A | b | C"], 3], "row:2: data must be triples"),
        ({"triples": []}, r"not one dict: put it into \[ \]"),
        ("corpus", "not one str"),
        (3, "a corpus is a path, a list or a table, not int"),
    ],
)
def test_rows_that_cannot_be_read(rows, message):
    with pytest.raises((DataError, UsageError), match=message):
        read_rows(rows)


def test_a_data_frame():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {
            "id": [1, 2],
            "triples": [["A | b | C"], [("A", "b", "D")]],
            "text": ["A C.", None],
            "category": ["X", float("nan")],
            "seen": [True, pandas.NA],
        }
    )
    first, second = read_rows(frame)
    assert (first.id, first.text, first.category, first.seen) == ("1", "A C.", "X", True)
    assert (second.id, second.text, second.category, second.seen) == ("2", "", None, None)
    wide = pandas.DataFrame(
        {"name": ["A Inn"], "stars": [3], "since": [pandas.Timestamp("2020-05-01")], "none": [pandas.NaT]}
    )
    [example] = read_rows(wide)
    assert [str(entity.term) for entity in example.input.entities][:2] == ["A Inn", "3"]
    assert len(example.input.entities) == 3


def test_an_arrow_table():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"id": ["a"], "triples": [[["A", "b", "C"]]], "text": ["A C."]})
    assert read_rows(table) == read_rows([{"id": "a", "triples": ["A | b | C"], "text": "A C."}])


def test_a_dataset_of_hugging_face():
    datasets = pytest.importorskip("datasets")
    rows = {"gem_id": ["a", "b"], "input": [["A | b | C"], ["A | b | D"]], "references": [["A C."], []]}
    corpus = read_rows(datasets.Dataset.from_dict(rows), {"id": "gem_id", "triples": "input"})
    assert [(example.id, len(example.references)) for example in corpus] == [("a", 1), ("b", 0)]
    with pytest.raises(UsageError, match="choose a split of the datasets: train"):
        read_rows(datasets.DatasetDict({"train": datasets.Dataset.from_dict(rows)}))


class FakeDataset:
    """What a Dataset looks like from here: columns, and rows that are dicts."""

    column_names = ("id", "triples")

    def __iter__(self):
        return iter([{"id": "a", "triples": ["A | b | C"]}])


def test_anything_with_rows_is_a_corpus():
    assert [example.id for example in read_rows(FakeDataset())] == ["a"]
