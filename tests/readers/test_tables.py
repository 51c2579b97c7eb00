from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from esascore.errors import DataError
from esascore.model import Cell, Example, Graph, Input, Triple
from esascore.readers.corpus import read_corpus
from esascore.readers.records import in_step, read_references, read_tables


def test_tables_and_graphs(write):
    content = "name|||Ann Lee\tage|||7\t\nAnn|||likes|||Bob\tBob|||likes|||Cy\r\n\nnote|||"
    assert read_corpus(write(content)) == [
        Example("Id1", Input.from_table((Cell("Ann Lee", "name", row=0), Cell("7", "age", row=1))), size=2),
        Example(
            "Id2", Graph.from_triples([Triple("Ann", "likes", "Bob"), Triple("Bob", "likes", "Cy")]), size=2
        ),
        Example("Id3", Input.from_table(())),
        Example("Id4", Input.from_table((Cell("", "note"),)), size=1),
    ]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("a|||b\tc|||d|||e", "'c|||d|||e'"),
        ("c|||d|||e\ta|||b", "'c|||d|||e'"),
        ("a|||b\tc", "'c'"),
        ("a|||b|||c|||d", "'a|||b|||c|||d'"),
        ("a b c", "'a b c'"),
    ],
)
def test_other_numbers_of_parts(refused, line, found):
    message = "items must all be attribute|||value or all head|||relation|||tail"
    assert refused("a|||b\n" + line, "a.txt", 2, message).endswith(f"found {found}")


def test_an_empty_part_of_a_triple(write):
    with pytest.raises(DataError, match=r":1: a part of the triple 'a \|  \| c' is empty"):
        read_corpus(write("a||||||c"))


PART = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="|\t\n\r")).map(str.strip)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(st.lists(st.tuples(PART, PART), max_size=4), min_size=1, max_size=6))
def test_round_trip(write, tables):
    content = "".join("\t".join("|||".join(pair) for pair in table) + "\n" for table in tables)
    inputs = [
        Input.from_table(tuple(Cell(v, name, row=row) for row, (name, v) in enumerate(table)))
        for table in tables
    ]
    assert read_corpus(write(content), input_format="records") == [
        Example(f"Id{number}", input_, size=len(table))
        for number, (input_, table) in enumerate(zip(inputs, tables, strict=True), start=1)
    ]


def test_lines_of_the_public_script(tmp_path):
    path = tmp_path / "file"
    path.write_text("name|||Ann Lee\tage|||\n\nAnn|||is|||12\tBob|||is||| \n", encoding="utf-8")
    assert list(read_tables(path)) == [
        [("name", "Ann Lee"), ("age", "")],
        [],
        [("Ann", "is", "12"), ("Bob", "is", " ")],
    ]
    path.write_text("one\ttwo\u2028three\n\n four \n", encoding="utf-8")
    assert list(read_references(path)) == [["one", "two\u2028three"], [""], ["four"]]


@pytest.mark.parametrize("line", ["name", "a|||b|||c|||d", "a|||b\tc"])
def test_items_have_two_or_three_parts(tmp_path, line):
    path = tmp_path / "tables.txt"
    path.write_text(f"a|||b\n{line}\n")
    with pytest.raises(DataError, match=r"tables\.txt:2: an item is attribute"):
        list(read_tables(path))


def test_files_must_have_as_many_lines():
    assert list(in_step(["a", "b"], [iter([1, None]), iter([3, 4])])) == [(1, 3), (None, 4)]
    with pytest.raises(DataError, match="b: it has 1 lines, but a has more"):
        list(in_step(["a", "b"], [iter([1, 2]), iter([3])]))


def cell(value, header: bool = False, wide: int = 1, high: int = 1):
    return {"value": value, "is_header": header, "column_span": wide, "row_span": high}


RECORD = {
    "table": [
        [cell("Season", True), cell("Club", True), cell("League", True, wide=2)],
        [cell("2001"), cell("Kofu", high=2), cell("35"), cell("4")],
        [cell("2002"), cell("33"), cell(" 5 ")],
        [cell("Total", True), cell("")],
    ],
    "table_webpage_url": "http://example.org/",
    "table_page_title": "Ken",
    "table_section_title": "Clubs",
    "table_section_text": None,
    "highlighted_cells": [[1, 1], [2, 2], [1, 1]],
    "example_id": -42,
    "overlap_subset": False,
    "sentence_annotations": [
        {"final_sentence": " Ken played for Kofu. ", "original_sentence": "He did."},
        {"final_sentence": "Kofu had Ken."},
    ],
}


def write(tmp_path, *records: object):
    path = tmp_path / "totto.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def changed(**fields: object):
    return {**RECORD, **fields}


def test_everything_that_a_line_tells(tmp_path):
    (example,) = read_corpus(write(tmp_path, RECORD))
    assert example.id == "-42"
    assert example.seen is False
    assert example.size == 2
    assert [reference.text for reference in example.references] == ["Ken played for Kofu.", "Kofu had Ken."]
    table = example.input.table
    assert (table.title, table.section_title, table.section_text) == ("Ken", "Clubs", "")
    assert [entity.term for entity in table.entities] == ["Kofu", "5"]


def test_cells_stand_where_spans_put_them(tmp_path):
    (example,) = read_corpus(write(tmp_path, RECORD))
    cells = example.input.table.cells
    assert [(c.row, c.column) for c in cells] == [
        *[(0, 0), (0, 1), (0, 2)],
        *[(1, 0), (1, 1), (1, 2), (1, 3)],
        *[(2, 0), (2, 2), (2, 3)],  # the club of row 1 reaches down
        *[(3, 0), (3, 1)],
    ]
    assert [c.value for c in cells if c.highlighted] == ["Kofu", "5"]
    assert (cells[2].column_span, cells[4].row_span, cells[0].is_header) == (2, 2, True)


def test_headers_name_what_is_below_or_beside(tmp_path):
    (example,) = read_corpus(write(tmp_path, RECORD))
    named = {(c.row, c.column): c.attribute for c in example.input.table.cells}
    assert named[1, 1] == "Club"
    assert named[1, 3] == named[2, 3] == "League"
    assert named[0, 1] == ""
    rows = [[cell("Name", True), cell("Ann")], [cell("Age", True), cell("12")]]
    (example,) = read_corpus(write(tmp_path, changed(table=rows, highlighted_cells=[[1, 1]])))
    assert example.input.entities[0].object_of == ("Age",)


def test_optional_fields_may_be_absent(tmp_path):
    record = {name: RECORD[name] for name in ("table", "highlighted_cells", "example_id")}
    (example,) = read_corpus(write(tmp_path, changed(example_id="x"), record))[1:]
    assert (example.references, example.seen, example.input.table.title) == ((), None, "")


def test_blank_lines_are_passed_over(tmp_path):
    path = tmp_path / "totto.jsonl"
    path.write_text("\n" + json.dumps(RECORD) + "\n \n" + json.dumps(changed(example_id=1)) + "\n")
    assert [example.id for example in read_corpus(path)] == ["-42", "1"]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (changed(example_id=None), "example_id is missing"),
        (changed(example_id=True), "example_id is missing"),
        (changed(overlap_subset="yes"), "overlap_subset must be true or false"),
        (changed(table="x"), "table must be a list of rows"),
        (changed(table=[["x"]]), "a cell is"),
        (changed(table=[[{"value": 3}]]), "a cell is"),
        (changed(table=[[{"value": "x", "is_header": 1}]]), "is_header must be true or false"),
        (changed(table=[[cell("x", wide=0)]]), "column_span must be a number from 1 to 10,000, found 0"),
        (changed(table=[[cell("x", high=10_001)]]), "row_span must be a number from 1 to 10,000"),
        (changed(highlighted_cells=None), "highlighted_cells must be a list"),
        (changed(highlighted_cells=[[0]]), r"is \[row, cell\], found \[0\]"),
        (changed(highlighted_cells=[[0, True]]), r"is \[row, cell\]"),
        (changed(highlighted_cells=[[9, 0]]), "names row 9, cell 0, which the table does not have"),
        (changed(highlighted_cells=[[0, -1]]), "names row 0, cell -1"),
        (changed(sentence_annotations={}), "sentence_annotations must be a list"),
        (changed(sentence_annotations=[{}]), "needs a final_sentence"),
        (changed(table_page_title=3), "table_page_title must be a string"),
        (changed(example_id=1, table=[[cell("x", wide=10_000)] * 101]), "may span at most 1,000,000 columns"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, record, message):
    path = write(tmp_path, changed(example_id="first"), record)
    with pytest.raises(DataError, match=message) as caught:
        read_corpus(path, input_format="totto")
    assert caught.value.line == 2


@pytest.mark.parametrize(
    ("line", "message"), [("{", "not JSON"), ("[]", "one JSON object"), ('{"a": NaN}', "not JSON")]
)
def test_lines_that_are_no_objects(tmp_path, line, message):
    path = tmp_path / "x.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(DataError, match=f"x.jsonl:1: .*{message}"):
        read_corpus(path, input_format="totto")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(name=st.sampled_from(sorted(RECORD)), value=json_values)
@settings(deadline=None, max_examples=80)
def test_any_value_is_read_or_refused(tmp_path_factory, name, value):
    path = write(tmp_path_factory.mktemp("totto"), {**RECORD, name: value})
    refused = None
    try:
        read_corpus(path, input_format="totto")
    except DataError as error:
        refused = error
    assert refused is None or refused.line == 1


@pytest.mark.corpora
def test_the_authors_sample_is_recognised_and_read():
    data = os.environ.get("ESASCORE_DATA")
    if not data:
        pytest.skip("the real corpora are not here: ESASCORE_DATA names no folder")
    dev = read_corpus(Path(data, "totto-sample", "dev_sample.jsonl"))
    train = read_corpus(Path(data, "totto-sample", "train_sample.jsonl"))
    assert [len(example.references) for example in dev] == [3] * 5
    assert [example.seen for example in dev] == [True, False, True, True, False]
    assert {example.seen for example in train} == {None}
    for example in [*dev, *train]:
        assert example.size == sum(cell.highlighted for cell in example.input.table.cells) > 0
