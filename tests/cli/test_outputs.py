"""The files that a command writes, and where its time went."""

from __future__ import annotations

import re

import pytest

from esascore.cli.outputs import Outputs
from esascore.errors import UsageError


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_files_are_written_and_the_rest_is_printed_in_order(folder, capfd):
    outputs = Outputs({"-o": "-", "--segments": "-", "--errors": "errors", "--write": None})
    outputs.write({"--errors": ["one ", "two"], "-o": ["é\n"], "--segments": iter(["1\n"]), "--write": ["x"]})
    assert capfd.readouterr().out == "é\n1\n"
    assert {path.name: path.read_text() for path in folder.iterdir()} == {"errors": "one two"}


def test_what_was_not_asked_for_is_not_made():
    def costly():
        raise AssertionError("nobody asked")
        yield

    Outputs({"-o": None}).write({"-o": costly()})


def test_no_file_is_replaced_and_nothing_printed_where_one_fails(folder, capfd):
    def failing():
        yield "half"
        raise ZeroDivisionError

    outputs = Outputs({"-o": "-", "--segments": "a", "--errors": "b"})
    with pytest.raises(ZeroDivisionError):
        outputs.write({"-o": ["table"], "--segments": ["whole"], "--errors": failing()})
    assert (list(folder.iterdir()), capfd.readouterr().out) == ([], "")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"-o": "a", "--errors": "./a"}, "-o and --errors name the same file"),
        ({"-o": "corpus"}, "it is one of the files to be read"),
        ({"-o": "-", "--errors": "no/such"}, "there is no folder no"),
        ({"-o": "."}, "it is a folder"),
    ],
)
def test_what_cannot_be_written_is_refused_at_once(folder, files, message):
    (folder / "corpus").touch()
    with pytest.raises(UsageError, match=message):
        Outputs(files, inputs=["corpus"])


LINE = '{"triples": ["Bionico | country | Mexico"], "text": "Bionico is from Peru."}\n'


@pytest.mark.parametrize(
    ("command", "stages"),
    [
        (
            ["score", "--metrics", "esa,hallucination"],
            ["first pass", "reading", "detection", "hallucination"],
        ),
        (["detect", "--own", "-o", "-"], ["checking", "first pass", "reading", "detection", "writing"]),
        (["hallucinations"], ["first pass", "detection", "hallucination", "writing"]),
    ],
    ids=lambda one: one[0],
)
def test_stages(command, stages, run, tmp_path):
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text(LINE * 3, "utf-8")
    plain = run(command[0], str(corpus), *command[1:])
    timed = run(command[0], str(corpus), *command[1:], "--timings")
    assert (timed.code, timed.out) == (plain.code, plain.out) == (0, plain.out)
    assert plain.err == ""
    rows = re.findall(r"^(\S.*?)\s+\d+\.\d\d\s+[\d,-]+$", timed.err, re.MULTILINE)
    assert [stage for stage in stages if stage not in rows] == []
    assert rows[-1] == "all (elapsed)"
