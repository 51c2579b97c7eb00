from __future__ import annotations

import bz2

import pytest

from esascore.cli import linker as group
from esascore.link.gazetteer.linker import gazetteer_linker

LABEL = '<http://dbpedia.org/resource/{}> <http://www.w3.org/2000/01/rdf-schema#label> "{}"@en .\n'
REDIRECT = (
    "<http://dbpedia.org/resource/{}> <http://dbpedia.org/ontology/wikiPageRedirects> "
    "<http://dbpedia.org/resource/{}> .\n"
)


def test_an_index_is_built_and_found_in_texts(run, tmp_path):
    (tmp_path / "labels.nt.bz2").write_bytes(
        bz2.compress(LABEL.format("Zorblax_House", "Zorblax House").encode())
    )
    (tmp_path / "redirects.nt").write_text(REDIRECT.format("Zorbie_Hall", "Zorblax_House"), encoding="utf-8")
    shown = run("linker", "build", "labels.nt.bz2", "redirects.nt", "-o", "my.names", "--jobs", "1")
    assert (shown.code, shown.out, shown.err) == (0, "2 names of 1 entity from 2 lines\n", "")
    [links] = gazetteer_linker([tmp_path / "my.names"]).link(["I saw Zorbie Hall."])
    assert [(link.text, link.entity) for link in links] == [("Zorbie Hall", "Zorblax_House")]


def test_malformed_lines_are_told(run, tmp_path):
    (tmp_path / "a.tsv").write_text("A b\tX\nbroken\n", encoding="utf-8")
    shown = run("linker", "build", "a.tsv", "-o", "my.names", "--max-malformed", "0.5", "--jobs", "1")
    assert (shown.code, shown.out) == (0, "1 name of 1 entity from 2 lines\n")
    assert shown.err == "esascore: warning: a.tsv: 1 malformed line skipped (2)\n"
    strict = run("linker", "build", "a.tsv", "-o", "other.names", "--strict", "--jobs", "1")
    assert strict.code == 3
    assert strict.err.startswith("esascore: error: a.tsv:2: 1 of the first 2 lines ")
    assert not (tmp_path / "other.names").exists()


def test_nothing_found_is_told(run, tmp_path):
    (tmp_path / "a.nt").write_text(LABEL.format("A", "Ab").replace("@en", "@de"), encoding="utf-8")
    assert "no name was found" in run("linker", "build", "a.nt", "-o", "my.names", "--jobs", "1").err
    german = run("linker", "build", "a.nt", "-o", "my.names", "--language", "DE", "--jobs", "1")
    assert (german.out, german.err) == ("1 name of 1 entity from 1 line\n", "")
    assert run("linker", "build", "a.nt", "-o", "m", "--language", "all", "--jobs", "1").err == ""


def test_the_input_is_not_overwritten(run, tmp_path):
    (tmp_path / "a.tsv").write_text("A b\tX\n", encoding="utf-8")
    assert run("linker", "build", "a.tsv", "-o", "a.tsv").code == 2
    assert run("linker", "build", "a.tsv", "-o", "no/such/folder").code == 2
    assert run("linker", "build", "missing.tsv", "-o", "b").code == 3


def test_a_damaged_index_is_one_line(run, tmp_path, xml, outputs):
    (tmp_path / "bad.names").write_bytes(b"no index")
    shown = run(
        "score", xml, outputs("a.txt", "x", "y"), "--linker", "gazetteer", "--linker-index", "bad.names"
    )
    assert shown.code == 3
    assert (
        shown.err
        == "esascore: error: bad.names: this is not an index of names: make one with esascore linker build\n"
    )


@pytest.mark.parametrize("command", list(group.linker.commands))
def test_every_subcommand_has_help_and_an_example(run, command):
    shown = run("linker", command, "--help")
    assert shown.code == 0
    assert f"esascore linker {command}" in shown.out
