from __future__ import annotations

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
