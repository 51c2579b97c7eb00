from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from esascore.cli import main

XML = """<?xml version="1.0" encoding="utf-8"?>
<benchmark><entries>
  <entry category="Food" eid="Id1" size="1">
    <originaltripleset><otriple>Bionico | country | Mexico</otriple></originaltripleset>
    <modifiedtripleset><mtriple>Bionico | country | Mexico</mtriple></modifiedtripleset>
    <lex comment="good" lid="Id1">Bionico is a dish from Mexico.</lex>
    <lex comment="good" lid="Id2">Mexico has Bionico.</lex>
  </entry>
  <entry category="Film" eid="Id2" size="2">
    <originaltripleset><otriple>Kestrel_Arena | location | Trondheim</otriple></originaltripleset>
    <modifiedtripleset>
      <mtriple>Kestrel_Arena | location | Trondheim</mtriple>
      <mtriple>Trondheim | country | Norway</mtriple>
    </modifiedtripleset>
    <lex comment="good" lid="Id1">Kestrel Arena is in Trondheim in Norway.</lex>
  </entry>
</entries></benchmark>
"""


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    """No command touches the cache of who runs the tests."""
    monkeypatch.setenv("ESASCORE_CACHE", str(tmp_path_factory.mktemp("cache") / "answers.sqlite"))


@pytest.fixture
def run(capfdbinary, tmp_path, monkeypatch):
    """Run a command in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str | Path) -> Result:
        capfdbinary.readouterr()
        code = main([str(argument) for argument in arguments])
        out, err = capfdbinary.readouterr()
        return Result(code, out.decode(), err.decode())

    return command


@pytest.fixture
def refused(run):
    """Run a command that must fail with one line and nothing else."""

    def command(code: int, message: str, *arguments: str | Path) -> None:
        result = run(*arguments)
        assert (result.code, result.out) == (code, ""), result
        assert result.err.startswith("esascore: error: ")
        assert result.err.count("\n") == 1
        assert message in result.err

    return command


def json_lines(source: Path | str) -> list[dict]:
    """The objects of a file, or of what was printed."""
    text = source.read_text("utf-8") if isinstance(source, Path) else source
    return [json.loads(line) for line in text.split("\n") if line]


@pytest.fixture
def xml(tmp_path) -> Path:
    """A corpus of two inputs with three references."""
    path = tmp_path / "corpus.xml"
    path.write_text(XML, encoding="utf-8")
    return path


@pytest.fixture
def outputs(tmp_path):
    """Write an output file."""

    def write(name: str, *texts: str) -> Path:
        path = tmp_path / name
        path.write_bytes("".join(text + "\n" for text in texts).encode())
        return path

    return write
