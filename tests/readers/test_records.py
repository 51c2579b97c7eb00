from __future__ import annotations

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
