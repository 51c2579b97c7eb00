from __future__ import annotations

import gzip
import json
import re

import pytest

from .conftest import json_lines

GOLD = """<?xml version="1.0" encoding="utf-8"?>
<benchmark><entries>
  <entry category="Building" eid="Id1" size="1">
    <originaltripleset><otriple>Zorblax_House | location | London</otriple></originaltripleset>
    <modifiedtripleset><mtriple>Zorblax_House | location | London</mtriple></modifiedtripleset>
    <lex comment="good" lid="Id1">
      <references>
        <reference entity="Zorblax_House" number="1" tag="AGENT-1" type="name">The Zorb</reference>
        <reference entity="London" number="2" tag="PATIENT-1" type="name">London</reference>
      </references>
      <text>The Zorb is in London.</text>
    </lex>
    <lex comment="good" lid="Id2">
      <references>
        <reference entity="Zorblax_House" number="1" tag="AGENT-1" type="name">The Zorb in London</reference>
      </references>
      <text>The Zorb in London is big.</text>
    </lex>
  </entry>
</entries></benchmark>
"""
REDIRECT = (
    "<http://dbpedia.org/resource/{}> <http://dbpedia.org/ontology/wikiPageRedirects> "
    "<http://dbpedia.org/resource/{}> .\n"
)


@pytest.fixture
def gold(tmp_path):
    path = tmp_path / "gold.xml"
    path.write_text(GOLD, encoding="utf-8")
    return path


def test_explain_shows_cost_source_and_form(run, tmp_path):
    shown = run("lexicon", "explain", "Abilene,_Texas")
    assert (shown.code, shown.err) == (0, "")
    lines = [re.split(r"  +", line) for line in shown.out.split("\n")]
    assert lines[0] == ["cost", "source", "form"]
    assert lines[1] == ["0.000", "label", "Abilene, Texas"]
    assert ["0.040", "before-comma", "Abilene"] in lines


def test_explain_knows_what_properties_tell(run):
    with_property = run("lexicon", "explain", "Ann_Lee", "--subject-of", "birthPlace").out
    assert "  Lee\n" in with_property
    assert "\nkind: person; nouns: none\n" in with_property
    assert "  Lee\n" not in run("lexicon", "explain", "Ann_Lee").out
    assert "nouns: city, town\n" in run("lexicon", "explain", "Ystad", "--object-of", "cityServed").out


def test_explain_reads_a_users_lexicon(run, tmp_path):
    (tmp_path / "my.tsv").write_text(
        "# columns: kind\tentity\tform\nalias\tA\tB\ndrop\tA\tC\n", encoding="utf-8"
    )
    shown = run("lexicon", "explain", "A", "--lexicon", "my.tsv", "--sources", "label")
    assert (
        shown.out
        == "cost   source         form\n0.000  label          A\n0.000  user:my.tsv:2  B\nrefused: C\n"
    )


def test_explain_refuses_an_unknown_source(refused):
    message = "unknown source of variants 'nonsense': known are label, "
    refused(2, message, "lexicon", "explain", "A", "--sources", "label,nonsense")


def test_check_of_the_packages_own(run):
    shown = run("lexicon", "check")
    assert shown.code == 0
    assert re.fullmatch(r"\d+ lexicons checked, nothing wrong\n", shown.out)


def test_check_of_a_users_file(run, tmp_path):
    good, bad = tmp_path / "good.tsv", tmp_path / "bad.tsv"
    good.write_text("A\tB\n", encoding="utf-8")
    bad.write_text("A\tB\nA\tB\n", encoding="utf-8")
    assert run("lexicon", "check", good).out == "1 lexicon checked, nothing wrong\n"
    shown = run("lexicon", "check", good, bad)
    assert (shown.code, shown.out) == (3, "")
    assert shown.err == f"esascore: {bad}:2: the same as line 1\nesascore: error: 1 problem found\n"


def test_build_keeps_the_entities_of_a_corpus(run, tmp_path, xml):
    dump = tmp_path / "redirects.nt.gz"
    pairs = [("Fruit_bowl", "Bionico"), ("Estados_Unidos_Mexicanos", "Mexico"), ("Elsewhere", "Other")]
    dump.write_bytes(gzip.compress("".join(REDIRECT.format(*pair) for pair in pairs).encode()))
    shown = run("lexicon", "build", dump, "--for", xml, "-o", "built.tsv")
    assert (shown.code, shown.out) == (0, "2 forms of 2 entities from 3 redirects or labels\n")
    built = (tmp_path / "built.tsv").read_text("utf-8").split("\n")
    assert built[1:] == ["Bionico\tFruit bowl", "Mexico\tEstados Unidos Mexicanos", ""]
    assert run("lexicon", "check", "built.tsv").code == 0
    assert "user:built.tsv:2" in run("lexicon", "explain", "Bionico", "--lexicon", "built.tsv").out


def test_build_leaves_nothing_behind_after_an_error(refused, tmp_path):
    (tmp_path / "bad.nt").write_text("<a> <b>\n", encoding="utf-8")
    (tmp_path / "built.tsv").write_text("as it was", encoding="utf-8")
    refused(3, "error: bad.nt:1: ", "lexicon", "build", "bad.nt", "-o", "built.tsv")
    refused(2, "built.tsv", "lexicon", "build", "built.tsv", "-o", "built.tsv")
    assert (tmp_path / "built.tsv").read_text("utf-8") == "as it was"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.nt", "built.tsv"]


def test_build_warns_when_nothing_was_found(run, tmp_path):
    (tmp_path / "empty.nt").write_text("", encoding="utf-8")
    shown = run("lexicon", "build", "empty.nt", "-o", "built.tsv")
    assert shown.code == 0
    assert "warning: no redirect or alias was found" in shown.err


def test_mine_writes_a_lexicon_that_can_be_used(run, tmp_path, gold):
    shown = run("lexicon", "mine", gold, "-o", "mined.tsv", "--min-count", "1")
    assert shown.code == 0
    assert shown.out == "1 alias, 0 refused forms and 0 contexts from 2 annotated texts\n"
    assert "alias\tZorblax_House\tZorb\t" in (tmp_path / "mined.tsv").read_text("utf-8")
    assert "London" not in (tmp_path / "mined.tsv").read_text("utf-8").partition("# columns")[2]
    assert run("lexicon", "check", "mined.tsv").code == 0
    assert "user:mined.tsv:" in run("lexicon", "explain", "Zorblax_House", "--lexicon", "mined.tsv").out


def test_mine_needs_annotations(refused, xml):
    refused(3, "no text here has annotated mentions", "lexicon", "mine", xml, "-o", "mined.tsv")


@pytest.mark.parametrize("command", ["explain", "check", "build", "mine"])
def test_every_subcommand_has_help_and_an_example(run, command):
    shown = run("lexicon", command, "--help")
    assert shown.code == 0
    assert f"esascore lexicon {command} " in shown.out


TEXTS = ("Pudding of Guadalajara, a dish from Mexico.", "Kestrel Arena is in Trondheim, Norway.")


@pytest.mark.parametrize("command", ["score", "detect"])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "my.tsv"),
        ("a folder", "my.tsv"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\xff\xfe", "my.tsv"),
        (b"Bionico\tpudding\nno tab in this line\n", "my.tsv:2: "),
        (b"\tpudding\n", "my.tsv:1: "),
        (
            b"# columns: entity\tform\tcost\nBionico\tpudding\tcheap\n",
            "my.tsv:2: the cost 'cheap' is not",
        ),
        (b"# columns: entity\tform\tkind\nBionico\tpudding\tfriend\n", "my.tsv:2: "),
        (b"# columns: entity\nBionico\n", "my.tsv:1: "),
    ],
)
def test_an_additional_lexicon_that_cannot_be_read(
    refused, xml, outputs, tmp_path, command, content, message
):
    (tmp_path / "good.tsv").write_bytes(b"Bionico\tPudding of Guadalajara\n")
    if content == "a folder":
        (tmp_path / "my.tsv").mkdir()
    elif content is not None:
        (tmp_path / "my.tsv").write_bytes(content)
    options = ("-o", "out.txt", "--lexicon", "good.tsv", "--lexicon", "my.tsv")
    refused(3, message, command, xml, outputs("good.txt", *TEXTS), *options)
    assert not (tmp_path / "out.txt").exists()


def test_additional_lexicons_add_up_and_change_the_signature(run, xml, outputs, tmp_path):
    system = outputs("good.txt", *TEXTS)
    (tmp_path / "one.tsv").write_bytes(b"Bionico\tPudding of Guadalajara\n")
    (tmp_path / "other.tsv").write_bytes(b"Norway\tthe North\n")
    both = ("--lexicon", "one.tsv", "--lexicon", "other.tsv")
    results = [
        json.loads(run("score", xml, system, "--format", "json", *options).out)
        for options in ((), both[:2], both)
    ]
    assert [one["systems"][0]["esa_c"] for one in results] == [0.75, 1.0, 1.0]
    assert len({one["signature"] for one in results}) == 3
    without, found = (
        json_lines(run("detect", xml, system, "-o", "-", *options).out)[0] for options in ((), both)
    )
    assert (without["undetected"], found["undetected"]) == (["Bionico"], [])
    assert found["mentions"][0]["text"] == "Pudding of Guadalajara"
