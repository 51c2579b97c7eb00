from __future__ import annotations

import io
import os
import threading

import pytest

from esascore.errors import DataError, SeveralDataError, UsageError
from esascore.model import Example, Graph
from esascore.readers.systems import System, own_outputs, read_systems

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
