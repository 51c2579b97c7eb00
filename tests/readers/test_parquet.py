"""Parquet: the same corpora and outputs as from JSON lines, and an error for people wherever that fails."""

from __future__ import annotations

import datetime
import io
import json
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import esascore
from esascore.errors import DataError, MissingExtraError
from esascore.readers import located
from esascore.readers.corpus import Corpus, read_corpus
from esascore.readers.outputs import read_outputs
from esascore.readers.parquet import plain_rows

pa = pytest.importorskip("pyarrow", reason="needs esascore[arrow]")
pq = pytest.importorskip("pyarrow.parquet", reason="needs esascore[arrow]")

ROWS = [
    {
        "id": "a",
        "triples": [["Kestrel_Arena", "location", "Oslo"], ["Kestrel_Arena", "opened", "1999"]],
        "text": "Kestrel Arena is in Oslo.",
        "references": ["It is in Oslo.", "Oslo has it."],
        "category": "Building",
        "seen": True,
        "original": [["Kestrel_Arena", "place", "Oslo"]],
    },
    {"id": "b", "triples": [["Bionico", "country", "Mexico"]], "text": None, "references": [], "seen": False},
]


def written(table, **options):
    stream = io.BytesIO()
    pq.write_table(table, stream, **options)
    return stream.getvalue()


def parquet(rows, schema: Any = None, **options):
    return written(pa.Table.from_pylist(rows, schema=schema), **options)


def json_lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def same(write):
    """Check that two files hold the same corpus; return it."""

    def same(content, rows):
        found = read_corpus(write(content, "corpus.parquet"))
        assert found == read_corpus(write(json_lines(rows), "corpus.jsonl"))
        return found

    return same


# The same content as from JSON lines


@pytest.mark.parametrize("options", [{}, {"row_group_size": 1}, {"compression": "zstd", "version": "1.0"}])
def test_a_corpus_is_that_of_json_lines(same, options):
    first, second = same(parquet(ROWS, **options), ROWS)
    assert (first.category, first.seen, second.text) == ("Building", True, "")


def test_the_content_decides_and_not_the_name(write):
    assert read_corpus(write(parquet(ROWS), "corpus.bin"))[1].id == "b"
    assert read_corpus(write(parquet(ROWS), "corpus.jsonl"))[1].id == "b"


def test_triples_as_structs(same):
    rows = [{"triples": [{"subject": "Bionico", "predicate": "country", "object": "Mexico"}]}]
    same(parquet(rows), rows)


def test_triples_as_lines_in_a_string(write):
    path = write(parquet([{"triples": "Bionico | country | Mexico\nBionico | course | Dessert"}]))
    assert [triple.object for triple in read_corpus(path)[0].input.triples] == ["Mexico", "Dessert"]


DATA = [
    {
        "id": "a",
        "data": {"name": "Blue Spice", "stars": 3, "open": {"from": "18:30"}, "food": ["Thai", "Lao"]},
    },
    {"id": "b", "data": {"name": "Aromi", "area": "riverside", "rating": 4.5}},
]


def test_columns_that_are_no_fields_are_not_read(same):
    rows = [{**row, "took": datetime.timedelta(1)} for row in DATA]
    same(parquet(rows), DATA)


def test_data_as_structs_with_the_fields_of_all_rows(same):
    same(parquet(DATA), DATA)


@pytest.mark.parametrize("kind", ["string", "large_string", "binary"])
def test_data_as_json(same, kind):
    rows = [{"id": row["id"], "data": json.dumps(row["data"])} for row in DATA]
    if kind == "binary":
        rows = [{"id": row["id"], "data": row["data"].encode()} for row in rows]
    same(parquet(rows, pa.schema([("id", "string"), ("data", kind)])), DATA)


def test_records_as_a_map(same):
    rows = [{"records": {"name": "Aromi", "area": "riverside"}}]
    schema = pa.schema([("records", pa.map_("string", "string"))])
    content = parquet([{"records": list(rows[0]["records"].items())}], schema)
    same(content, rows)


def test_data_as_a_map_of_structs(same):
    rows = [{"data": {"Oslo": {"rain": 3}, "Bergen": {"rain": 9, "wind": 2}}}]
    schema = pa.schema([("data", pa.map_("string", pa.struct([("rain", "int64"), ("wind", "int64")])))])
    same(parquet([{"data": list(rows[0]["data"].items())}], schema), rows)


def test_columns_of_a_wide_table_are_attributes(write):
    rows = [
        {"id": 7, "name": "Aromi", "stars": 3, "day": datetime.date(2024, 1, 4), "price": Decimal("9.50")}
    ]
    (example,) = read_corpus(write(parquet(rows), "wide.parquet"))
    assert example.id == "7"
    assert [entity.term for entity in example.input.entities] == ["Aromi", "3", "2024-01-04", "9.50"]


def test_durations_are_seconds(write):
    hour, nanoseconds = datetime.timedelta(hours=1), pa.array([1_500_000_000], pa.duration("ns"))
    table = pa.table({"name": ["Ada"], "run": [hour], "legs": [{"first": -hour}], "lap": nanoseconds})
    (example,) = read_corpus(write(written(table), "a.parquet"))
    assert [entity.term for entity in example.input.entities] == ["Ada", "3600 s", "-3600 s", "1.5 s"]
    found = esascore.detect(example.input, "Ada ran for 60 minutes, a lap took 1.5 s.")
    assert found.undetected == ("-3600 s",)


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**40), 2**40)
    | st.text(st.characters(codec="utf-8"), max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", min_size=1), inner, max_size=3)
    ),
    max_leaves=8,
)


def without_nulls(value):
    if isinstance(value, dict):
        return {name: without_nulls(own) for name, own in value.items() if own is not None}
    return [without_nulls(own) for own in value] if isinstance(value, list) else value


@given(st.dictionaries(st.text("abc", min_size=1), JSON_VALUES, min_size=1, max_size=3))
def test_rows_are_what_arrow_was_given(row):
    try:
        batch = pa.RecordBatch.from_pylist([row])
    except pa.ArrowException:  # lists of mixed types have no type in Arrow
        return
    (found,) = plain_rows(batch)
    assert without_nulls(found) == without_nulls(row)
    assert found.keys() == row.keys()


def test_what_is_wrong_with_one_row_leaves_the_others():
    column = pa.array([b"fine", b"\xff", b"too"], "binary")
    first, second, third = plain_rows(pa.record_batch({"text": column}))
    assert (first, third) == ({"text": "fine"}, {"text": "too"})
    assert isinstance(second, ValueError)
    assert "the column text cannot be read" in str(second)


# Outputs


OUTPUT = [
    {"id": "b", "text": "Bionico is from Mexico.", "system": "x"},
    {"id": "a", "text": None, "system": "x"},
]


def test_an_output_is_matched_by_its_ids(write):
    corpus = read_corpus(write(parquet(ROWS), "corpus.parquet"))
    path = write(parquet(OUTPUT), "system.parquet")
    assert read_outputs(path, corpus) == ["", "Bionico is from Mexico."]
    assert read_outputs(path) == ["Bionico is from Mexico.", ""]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"id": "a", "txt": "x"}], r":1: text missing \(is 'txt' meant to be 'text'\?\)"),
        ([{"text": "x"}], ":1: id missing"),
        ([{"id": "a", "text": "x"}], "no text for 1 of 2 ids: b"),
        ([{"id": "a", "text": "x"}, {"id": "a", "text": "y"}], "a .lines 1, 2."),
        (
            [{"id": "a", "text": "x"}, {"id": "b", "text": None}, {"id": None, "text": "x"}],
            ":3: the id is empty",
        ),
        ([{"id": "a", "text": 3}], ":1: text must be a string, found a number"),
    ],
)
def test_outputs_that_do_not_fit(write, rows, message):
    corpus = read_corpus(write(parquet(ROWS), "corpus.parquet"))
    with pytest.raises(DataError, match=message) as raised:
        read_outputs(write(parquet(rows), "system.parquet"), corpus)
    assert "\n" not in str(raised.value)


def test_a_text_that_begins_like_parquet_is_a_text(write):
    assert read_outputs(write("PAR1 is a gene.\n")) == ["PAR1 is a gene."]
    assert read_outputs(write("PAR1\nPAR1")) == ["PAR1", "PAR1"]


# Large files


def test_large_files_are_read_again_and_not_held(write, monkeypatch):
    """By their size before compression: this one is a hundred times as large as its file."""
    rows = [{"id": str(n), "triples": [["A", "b", "c " * 400]], "text": "x " * 400} for n in range(500)]
    content = parquet(rows, compression="zstd", use_dictionary=False)
    monkeypatch.setattr("esascore.readers.corpus.MOST_HELD", 100_000)
    monkeypatch.setattr("esascore.readers.outputs.MOST_HELD", 100_000)
    assert len(content) < 100_000
    path = write(content, "corpus.parquet")
    corpus = Corpus(path)
    assert [example.id for example in corpus] == [row["id"] for row in rows]
    path.write_bytes(parquet([{**row, "id": f"new {row['id']}"} for row in rows], use_dictionary=False))
    assert next(iter(corpus)).id == "new 0"
    assert len(read_outputs(path, corpus)) == 500


# What is refused


def cut(content):
    return content[: len(content) // 2]


def damaged(content):
    """A page in the middle is overwritten, the footer is whole."""
    return content[:20] + b"\xff" * 60 + content[80:]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (cut(parquet(ROWS)), "the Parquet file cannot be read"),
        (damaged(parquet(ROWS, use_dictionary=False)), "the Parquet file cannot be read"),
        (b"PAR1", "the Parquet file cannot be read"),
        (b"PARE" + parquet(ROWS)[4:], "the Parquet file is encrypted"),
        (b"", "the file is empty"),
        (parquet([{"id": "a", "text": "x"}]), "no column triples, records, table, data or of an attribute"),
        (parquet([], pa.schema([("triples", pa.list_(pa.string()))])), "the file contains no example"),
        (written(pa.table([["a"], ["b"]], names=["id", "id"])), "two columns are called 'id': rename one"),
    ],
)
def test_files_that_are_refused(refused, content, message):
    refused(content, "corpus.parquet", None, message)


@pytest.mark.parametrize(
    ("rows", "line", "message"),
    [
        ([{"triples": ["A | b | c"]}, {"triples": ["A | b"]}], 2, "a triple needs three parts"),
        ([{"triples": ["A | b | c"]}, {"triples": None}], 2, "triples is empty"),
        ([{"triples": 3}], 1, "triples must be a list, found a number"),
        ([{"data": "{"}], 1, "the JSON in column data cannot be read"),
        ([{"data": {"took": b"\xff"}}], 1, "the column data cannot be read"),
        ([{"triples": [["A", "b", "c"]], "seen": 3}], 1, "seen must be true or false"),
        ([{"triples": [["A", "b", "c"]], "text": 1.5}], 1, "text must be a string"),
        ([{"triples": [["A", "b", "c"]], "id": "x"}] * 2, 2, "the id 'x' is already used"),
        ([{"triples": [["A", "b", "c"]], "text": b"\xff"}], 1, "the column text cannot be read"),
    ],
)
def test_rows_that_are_refused(refused, rows, line, message):
    refused(parquet(rows), "corpus.parquet", line, message)


def test_a_name_that_says_parquet_is_not_enough(write):
    with pytest.raises(DataError, match="the format cannot be detected"):
        read_corpus(write(json_lines(ROWS), "corpus.parquet"))
    with pytest.raises(DataError, match="the name says Parquet, but the content is not"):
        read_outputs(write("A text.\n", "system.parquet"))


def test_without_pyarrow(write, monkeypatch):
    path = write(parquet(ROWS), "corpus.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'esascore\[arrow\]'"):
        read_corpus(path)


def test_the_limits_hold(refused):
    rows = [{"triples": ["A | b | c"] * (located.MAX_TRIPLES + 1)}]
    refused(parquet(rows), "corpus.parquet", 1, "an example may have at most 50,000 triples")


def test_standard_input(write, monkeypatch, tmp_path):
    path = write(parquet(ROWS), "corpus.parquet")
    with path.open("rb") as stream, io.TextIOWrapper(stream) as text:
        monkeypatch.setattr(sys, "stdin", text)
        assert [example.id for example in read_corpus(Path("-"))] == ["a", "b"]
