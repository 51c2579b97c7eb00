from __future__ import annotations

import csv
import io
import json
import os
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from esascore.errors import DataError, SeveralDataError, UsageError
from esascore.model import Example, Graph
from esascore.readers import located
from esascore.readers.outputs import plain_texts, read_outputs
from esascore.readers.systems import System, own_outputs, read_systems

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
        ('x\n{"text": "y"}\n{"text": "z"}\n', ":2: most lines are JSON objects, but the first one is not"),
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


TWO = [Example("Id1", Graph()), Example("Id2", Graph())]


def test_names(write):
    path = write("a\nb\n", "bt5.v2.en")
    other = write("c\r\nd", "x.txt")
    assert read_systems([str(path), f"mine={other}"], TWO) == [
        System("bt5.v2", ("a", "b"), str(path)),
        System("mine", ("c", "d"), str(other)),
    ]


def test_a_path_may_hold_an_equals_sign(write, monkeypatch):
    path = write("a\nb\n", "lr=0.1.txt")
    assert read_systems([str(path)], TWO)[0].name == "lr=0.1"
    assert read_systems([f"mine={path}"], TWO)[0].name == "mine"
    monkeypatch.chdir(path.parent)
    assert read_systems(["lr=0.1.txt"], TWO)[0].name == "lr=0.1"
    assert read_systems(["./lr=0.1.txt"], TWO)[0].name == "lr=0.1"
    # Where both readings name a file the documented form NAME=PATH wins.
    (path.parent / "0.1.txt").write_text("c\nd\n", encoding="utf-8")
    assert read_systems(["lr=0.1.txt"], TWO)[0] == System("lr", ("c", "d"), "0.1.txt")
    assert read_systems(["./lr=0.1.txt"], TWO)[0].texts == ("a", "b")


@pytest.mark.parametrize("spec", ["", "=", "name=", "=out.txt"])
def test_no_name_or_no_path(spec):
    with pytest.raises(UsageError, match="give PATH or NAME=PATH"):
        read_systems([spec], TWO)


def test_unequal_counts(write):
    path = write("a\nb\nc\n")
    with pytest.raises(DataError) as raised:
        read_systems([str(path)], TWO)
    assert str(raised.value) == (
        f"{path}: 3 texts, but the corpus has 2 examples: one text per line is needed, or JSON lines or CSV "
        "with id and text"
    )


def test_a_last_text_that_is_blank(write):
    with pytest.raises(DataError, match=r"1 text, but the corpus has 2 .* \(if the last text is blank"):
        read_systems([str(write("a\n"))], TWO)
    with pytest.raises(DataError, match=r"id and text$"):
        read_systems([str(write("a"))], TWO)


def test_two_systems_of_one_name(write):
    first, second = write("a\nb\n", "x.txt"), write("a\nb\n", "x.en")
    with pytest.raises(DataError) as raised:
        read_systems([str(first), str(second)], TWO)
    assert str(raised.value) == (
        f"{second}: two systems are called 'x', this and {first}: "
        f"rename one on the command line, as in NEW_NAME={second}"
    )
    assert [s.name for s in read_systems([str(first), f"y={second}"], TWO)] == ["x", "y"]


def test_all_that_are_broken_are_listed(write, tmp_path):
    files = [write("a\n", "short.txt"), write("a\nb\n", "good.txt"), tmp_path / "gone.txt"]
    with pytest.raises(SeveralDataError) as raised:
        read_systems([str(file) for file in (*files, files[1])], TWO)
    assert [error.file for error in raised.value.errors] == [str(files[0]), str(files[2]), str(files[1])]
    assert str(raised.value).count("\n") == 2
    assert "two systems are called 'good'" in str(raised.value)
    with pytest.raises(DataError) as one:
        read_systems([str(file) for file in files[1:]], TWO)
    assert not isinstance(one.value, SeveralDataError)


def test_where_the_texts_are(write):
    plain, by_id = (
        write("a\n\n", "a.txt"),
        write('\n{"id": "Id2", "text": "b"}\n{"id": "Id1", "text": "a"}\n'),
    )
    systems = read_systems([str(plain), f"x={by_id}"], TWO)
    assert [list(system.lines) for system in systems] == [[1, 2], [3, 2]]


def test_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a\nb\n")))
    assert read_systems(["-"], TWO) == [System("stdin", ("a", "b"), "-")]
    assert read_systems(["mine=-"], TWO)[0].name == "mine"  # it can be read again
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a\n")))
    with pytest.raises(DataError, match=r"^standard input: 1 text, but"):
        read_systems(["-"], TWO)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are needed")
@pytest.mark.parametrize("content", ["a\nb\n", "id,text\nId2,b\nId1,a\n"])
def test_a_pipe_is_read_once(tmp_path, content):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(content,), kwargs={"encoding": "utf-8"})
    writer.start()
    assert read_systems([str(pipe)], TWO)[0].texts == ("a", "b")
    writer.join()


def test_missing_file(tmp_path):
    with pytest.raises(DataError, match="there is no such file"):
        read_systems([f"a={tmp_path / 'none.txt'}"], TWO)


def test_texts_of_the_corpus_itself():
    graph = Graph()
    assert own_outputs(TWO, "mine") is None
    full = [Example("Id1", graph, text=""), Example("Id2", graph, text="b")]
    own = own_outputs(full, "mine")
    assert own is not None
    assert (own.name, list(own.texts), len(own.texts)) == ("mine", ["", "b"], 2)
    with pytest.raises(DataError, match="1 of 2 examples have a text, 'Id1' has none"):
        own_outputs([TWO[0], full[1]], "mine")


def read_texts(path: Path | str):
    return list(plain_texts(Path(path)))


ANY_LINE = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\n")
    | st.sampled_from("\x00\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\ufeff \t")
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(ANY_LINE), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_as_many_texts_as_lines(write, lines, end, closed):
    content = end.join(lines) + (end if closed and lines else "")
    read = read_texts(write(content))
    # Without a line end of its own a last line that is empty cannot be told from no line.
    expected = lines if closed or not lines or lines[-1] else lines[:-1]
    if content.startswith("\ufeff"):
        expected = [expected[0][1:], *expected[1:]]
        if content == "\ufeff":
            expected = []
    assert read == [line.strip() for line in expected]


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"a", ["a"]),
        (b"a\n", ["a"]),
        (b"a\n\n", ["a", ""]),
        (b"a\r\nb\nc\r\n", ["a", "b", "c"]),
        (b"\xef\xbb\xbfa\nb", ["a", "b"]),
        (b"\xef\xbb\xbf", []),
        (b"\xef\xbb\xbf\n", [""]),
        (b"a\rb\n", ["a\rb"]),
        ("a\u2028b\x85c\x0bd\x0ce\x00f\n".encode(), ["a\u2028b\x85c\x0bd\x0ce\x00f"]),
        ("\u2028 a \u00a0\n".encode(), ["a"]),
        (b"null\n", ["null"]),
    ],
)
def test_lines(write, content, texts):
    assert read_texts(write(content)) == texts


def test_lines_of_a_megabyte(write):
    lines = ["ab " * 350_000 + "c", "", "é" * 1_000_000]
    assert read_texts(write("\n".join([*lines, ""]))) == lines


def test_a_line_beyond_the_limit(write, monkeypatch):
    monkeypatch.setattr("esascore.readers.lines.MAX_LINE_BYTES", 2**20)
    path = write(b"a\n" + b"b" * 2**20 + b"\n")
    with pytest.raises(DataError, match=r":2: a line has more than 1 MiB") as raised:
        read_texts(path)
    assert raised.value.line == 2
    assert located.MAX_LINE_BYTES > 2**20


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (b"a\nb\xe9\n", 2, "not UTF-8 (byte 0xe9): save the file as UTF-8"),
        (b"\xed\xa0\x80\n", 1, "not UTF-8"),  # a lone surrogate
        ("a\nb".encode("utf-16"), 1, "the file is in UTF-16: save it as UTF-8"),
        ("a\nb".encode("utf-32"), 1, "the file is in UTF-32: save it as UTF-8"),
    ],
)
def test_other_encodings(write, content, line, message):
    path = write(content)
    with pytest.raises(DataError) as raised:
        read_texts(path)
    assert str(raised.value).startswith(f"{path}:{line}: {message}")


def test_missing_file_and_directory(tmp_path):
    with pytest.raises(DataError, match="there is no such file"):
        read_texts(tmp_path / "none.txt")
    with pytest.raises(DataError, match="this is a directory"):
        read_texts(tmp_path)
    with pytest.raises(DataError, match="cannot be read"):
        read_texts("a\x00b")
