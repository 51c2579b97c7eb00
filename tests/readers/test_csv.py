from __future__ import annotations

import csv
import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from esascore.errors import DataError
from esascore.model import Cell, Example, Graph, Input, Reference, Triple
from esascore.readers.corpus import read_corpus

A, B = Triple("a", "b", "c"), Triple("d", "e", "f, g")


@pytest.mark.parametrize(
    "cell",
    [
        '"a | b | c\nd | e | f, g"',
        '"a | b | c\r\n\r\nd | e | f, g\r\n"',
        '"a | b | c<br>d | e | f, g"',
        '"a | b | c <BR/> d | e | f, g<br>"',
        '"[[""a"", ""b"", ""c""], ""d | e | f, g""]"',
    ],
)
def test_ways_to_write_triples(write, cell):
    assert read_corpus(write(f"triples\n{cell}\n")) == [Example("Id1", Graph.from_triples([A, B]), size=2)]


@pytest.mark.parametrize(
    "cell", ['"name | Ann\nage | 7"', "name | Ann <br> age|7", '"{""name"": ""Ann"", ""age"": ""7""}"']
)
def test_ways_to_write_records(write, cell):
    table = Input.from_table((Cell("Ann", "name", row=0), Cell("7", "age", row=1)))
    assert read_corpus(write(f"id,records\nx,{cell}\n")) == [Example("x", table, size=2)]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_what_spreadsheets_write(write, delimiter, end, mark):
    rows = [
        [
            "ID",
            "Triples",
            " Text ",
            "Reference 2",
            "reference_10",
            "Reference-1",
            "category",
            "Seen",
            "notes, old; new",
        ],
        ["x", "a | b | c", 'Say "a".', "two", "", "one", "C", "yes", ""],
        ["", "d | e | f, g", "", "", "", "[1] is a text", "", "", "n\n\nm"],
        [""] * 9,
        ["", "[]", "null", "", '["p", "q"]', "one", "", "0", ""],
    ]
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter, lineterminator=end).writerows(rows)
    first, second, third = read_corpus(write(mark + stream.getvalue()))
    references = (Reference("Id1", "one"), Reference("Id2", "two"))
    assert first == Example("x", Graph.from_triples([A], "C"), references, 1, text='Say "a".', seen=True)
    assert second == Example(
        "Id2", Graph.from_triples([B]), (Reference("Id1", "[1] is a text"),), size=1, text=""
    )
    references = (Reference("Id1", "one"), Reference("Id2", "p"), Reference("Id3", "q"))
    assert third == Example("Id3", Graph(), references, text="null", seen=False)


def test_quotes_inside_an_unquoted_cell_are_characters(write):
    (example,) = read_corpus(write('id,triples\n1,s | name | "x"\n'))
    assert example.input == Graph.from_triples([Triple("s", "name", '"x"')])


def test_a_cell_larger_than_the_standard_library_allows(write):
    limit = csv.field_size_limit()
    text = 'x "y", ' * 100_000 + "z"
    stream = io.StringIO()
    csv.writer(stream).writerows([["triples", "text"], ["a | b | c", text]])
    assert read_corpus(write(stream.getvalue()))[0].text == text
    assert csv.field_size_limit() == limit


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (
            "id,text\n",
            1,
            "no column triples, records, table, data or of an attribute: the header, split at every comma",
        ),
        ("triples,text,Text\n", 1, "two columns are called 'text': rename one"),
        ("triples,text\na | b | c,x,y\n", 2, "the row has 3 cells, the header 2"),
        ("triples;id\n[];\n[]\n", 3, "the row has 1 cells, the header 2: put cells that contain a semicolon"),
        ('triples,text\n\n"a | b | c\nd | e",x\n', 3, "a triple needs three parts"),
        ('triples\n"a | b | c\n\n', 2, "a cell begins with a quote that is never closed"),
        ('triples\n"a" | b | c\n', 2, "' | b | c' follows the closing quote of a cell"),
        ("triples,text\n,x\n", 2, "triples is empty: fill it in, or write [] for"),
        ('triples\n"[[""a"", 1, ""c""]]"\n', 2, "the parts of a triple must be strings"),
        ('triples\n"[[""a"""\n', 2, "the JSON in column triples cannot be read"),
        ("triples,records\na | b | c,d | e\n", 2, "triples and records are both given"),
        ("id,records\n1,a\n", 2, "a record needs two parts, as in 'attribute | value', found 'a'"),
        ("triples,seen\na | b | c,perhaps\n", 2, "the column seen contains 'perhaps': write true or yes or"),
        ("id,triples\n7,a | b | c\n7,a | b | c\n", 3, "the id '7' is already used"),
        (b"triples\na | b | \xe9\n", 2, "not UTF-8"),
    ],
)
def test_errors_name_file_and_line(refused, content, line, message):
    refused(content, "a.csv", line, message)


def test_header_only_and_nothing(write):
    with pytest.raises(DataError, match="contains no example"):
        read_corpus(write("id,triples\n"))
    with pytest.raises(DataError, match="the file is empty"):
        read_corpus(write("", "a.csv"), input_format="csv")


def test_a_cell_beyond_the_limit(write, monkeypatch):
    monkeypatch.setattr("esascore.readers.csv.MAX_FIELD_CHARACTERS", 100)
    with pytest.raises(
        DataError, match=r":2: a cell has more than 100 characters: is a closing quote missing\?"
    ):
        read_corpus(write('triples,text\na | b | c,"x\n' + "y\n" * 100))


# The standard library is the independent implementation; it ends rows at a lone "\r" too, so there is none.
CELL = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\r") | st.sampled_from('",;\t\n |')
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    st.lists(st.tuples(CELL, CELL), min_size=1),
    st.sampled_from([",", ";", "\t"]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
)
def test_round_trip(write, rows, delimiter, end, quoting):
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter, lineterminator=end, quoting=quoting)
    writer.writerow(["triples", "text", "category"])
    writer.writerows(["a | b | c", *row] for row in rows)
    examples = read_corpus(write(stream.getvalue()), input_format="csv")
    assert [(example.text, example.category) for example in examples] == [
        (text.strip(), category.strip() or None) for text, category in rows
    ]
