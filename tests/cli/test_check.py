"""``esascore check``: gates, what people accept, earlier runs, formats and settings."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest

from .conftest import json_lines

TEXTS = ("Bionico is a dish from Mexico.", "Kestrel Arena is in Trondheim in Norway.")
BAD = ("Bionico is a dish from Peru.", "Kestrel Arena is in Trondheim.")


@pytest.fixture
def files(xml, outputs):
    outputs("good.txt", *TEXTS)
    outputs("bad.txt", *BAD)
    return xml


@pytest.mark.parametrize(
    ("system", "gates", "code", "message"),
    [
        ("good", ["--min-esa", "1"], 0, "pass  good: ESA_C 1.0000, at least 1 needed (min-esa)"),
        ("bad", ["--min-esa", "0.6"], 1, "FAIL  bad: ESA_C 0.5833, at least 0.6 needed (min-esa)"),
        ("bad", ["--min-esa", "0.58"], 0, "pass  bad: ESA_C 0.5833"),
        ("bad", ["--max-missing-texts", "2"], 0, "pass  bad: 2 texts with a missing entity, at most 2"),
        ("bad", ["--max-missing-texts", "1"], 1, "FAIL  bad: 2 texts with a missing entity, at most 1"),
        ("bad", ["--max-hallucinations", "0"], 1, "FAIL  bad: 1 hallucination, at most 0 allowed"),
        ("bad", ["--max-hallucinations", "1"], 0, "pass  bad: 1 hallucination, at most 1 allowed"),
        ("good", ["--min-faithfulness", "0.7"], 0, "pass  good: faithfulness 0."),
        ("bad", ["--min-faithfulness", "0.9"], 1, "FAIL  bad: faithfulness 0."),
        ("bad", ["--require", "location"], 0, "pass  bad: 0 texts without location, which is required"),
        ("bad", ["--require", "countr*"], 1, "FAIL  bad: 2 texts without countr*, which is required (req"),
    ],
)
def test_gates(run, files, system, gates, code, message):
    result = run("check", files, f"{system}.txt", *gates)
    assert (result.code, result.err) == (code, "")
    assert message in result.out
    assert result.out.endswith("failed: 1 of 1 gate\n" if code else "passed: 1 gate\n")


def test_what_is_missing_and_added_is_shown(run, files):
    result = run("check", files, "good.txt", "bad.txt", "--max-hallucinations", "0", "--require", "country")
    assert result.code == 1
    lines = result.out.split("\n")
    at = lines.index("bad  Id1  bad.txt:1")
    assert lines[at + 1 : at + 3] == [
        "  text: Bionico is a dish from {Peru}!.",
        "  - Mexico: required, but missing",
    ]
    assert lines[at + 3].startswith("  + Peru: replacement, ")
    assert lines[at + 5 : at + 8] == [
        "bad  Id2  bad.txt:2",
        "  text: Kestrel Arena is in Trondheim.",
        "  - Norway: required, but missing",
    ]
    assert "good  Id" not in result.out
    shown = run("check", files, "bad.txt", "--min-esa", "1", "--limit", "1").out
    assert "\nand 1 more text (--limit)\n" in shown
    assert "more text" not in run("check", files, "bad.txt", "--min-esa", "1", "--limit", "0").out


def test_a_blank_text_fails(run, files, outputs):
    outputs("blank.txt", "", TEXTS[1])
    result = run("check", files, "blank.txt", "--max-missing-texts", "0")
    assert result.code == 1
    assert "  text: (blank)\n  - Bionico: missing\n  - Mexico: missing\n" in result.out


def test_a_person_accepts_what_is_found(run, files, outputs, tmp_path):
    gates = ["--min-esa", "1", "--max-hallucinations", "0"]
    assert run("check", files, "bad.txt", *gates).code == 1
    result = run("check", files, "bad.txt", *gates, "--write-accept", "ok.jsonl")
    assert (result.code, "3 accepted by hand\npassed: 2 gates" in result.out) == (0, True)
    entries = json_lines(tmp_path / "ok.jsonl")
    assert [(one["kind"], one.get("entity", one.get("span")), one["id"]) for one in entries] == [
        ("missing", "Mexico", "Id1"),
        ("added", "Peru", "Id1"),
        ("missing", "Norway", "Id2"),
    ]
    # Neither the name of the system nor the order of texts or entries matters.
    (tmp_path / "ok.jsonl").write_text("".join(json.dumps(one) + "\n" for one in reversed(entries)), "utf-8")
    lines = [json.dumps({"id": f"Id{n}", "text": text}) for n, text in enumerate(BAD, 1)]
    outputs("other.jsonl", *reversed(lines))
    assert run("check", files, "other.jsonl", *gates, "--accept", "ok.jsonl").code == 0
    # Another text has to be looked at again, and what is no longer needed is said.
    outputs("bad.txt", BAD[0].replace("dish", "meal"), BAD[1])
    result = run("check", files, "bad.txt", *gates, "--accept", "ok.jsonl")
    assert result.code == 1
    assert "bad  Id1" in result.out
    assert "bad  Id2" not in result.out
    assert "2 accepted entries no longer needed" in result.out
    assert result.err.count("esascore: warning: accepted, but no longer there: ") == 2


def test_accepting_adds_to_the_file(run, files, tmp_path):
    (tmp_path / "ok.jsonl").write_text('{"kind": "added", "span": "Peru", "note": "it is fine"}\n', "utf-8")
    more = ["--max-hallucinations", "0", "--max-missing-texts", "0", "--accept", "ok.jsonl"]
    assert run("check", files, "bad.txt", *more, "--write-accept", "ok.jsonl").code == 0
    lines = json_lines(tmp_path / "ok.jsonl")
    assert lines[0] == {"kind": "added", "span": "Peru", "note": "it is fine"}
    assert len(lines) == 3
    assert run("check", files, "bad.txt", *more).code == 0
    # What no gate asks about is not accepted.
    run("check", files, "bad.txt", "--max-hallucinations", "0", "--write-accept", "new.jsonl")
    assert (tmp_path / "new.jsonl").read_text("utf-8").count("\n") == 1


def corpus_of(number: int) -> list[str]:
    return [json.dumps({"id": f"e{n}", "triples": [[f"Hall_{n}", "city", "Oslo"]]}) for n in range(number)]


def test_no_worse_than_before(run, outputs):
    corpus = outputs("c.jsonl", *corpus_of(30))
    full = [f"Hall {n} is in Oslo." for n in range(30)]
    outputs("mine.txt", *full)
    assert run("check", corpus, "mine.txt", "--min-esa", "1", "--save", "last.jsonl").code == 0
    assert (
        "pass  mine: ESA_C 1.0000, was 1.0000 in last.jsonl"
        in run("check", corpus, "mine.txt", "--baseline", "last.jsonl").out
    )
    outputs("mine.txt", *(f"Hall {n} is there." if n < 2 else text for n, text in enumerate(full)))
    result = run("check", corpus, "mine.txt", "--baseline", "last.jsonl")
    assert result.code == 0
    assert re.search(
        r"pass  mine: ESA_C 0\.9667, was 1\.0000 in last\.jsonl: not significantly worse, p = ", result.out
    )
    outputs("mine.txt", *(f"Hall {n} is there." if n < 20 else text for n, text in enumerate(full)))
    result = run("check", corpus, "mine.txt", "--baseline", "last.jsonl")
    assert result.code == 1
    assert re.search(
        r"FAIL  mine: ESA_C 0\.6667, was 1\.0000 in last\.jsonl: significantly worse, p = 0\.00\d \(base",
        result.out,
    )
    assert "  - Oslo: missing" in result.out
    # A text that lacked as much before is not to blame.
    outputs("mine.txt", *(f"Hall {n} is there." if n < 3 else text for n, text in enumerate(full)))
    assert run("check", corpus, "mine.txt", "--min-esa", "0", "--save", "some.jsonl").code == 0
    outputs("mine.txt", *(f"Hall {n} is there." if n < 20 else text for n, text in enumerate(full)))
    blamed = run("check", corpus, "mine.txt", "--baseline", "some.jsonl", "--format", "json", "--limit", "0")
    assert [text["id"] for text in json.loads(blamed.out)["texts"]] == [f"e{n}" for n in range(3, 20)]
    # Neither the order of the corpus, nor new examples, nor the name of the only system matters.
    outputs("c.jsonl", *reversed(corpus_of(31)))
    outputs("new.txt", *reversed([*full, "Hall 30 is in Oslo."]))
    assert run("check", corpus, "new.txt", "--baseline", "last.jsonl").code == 0


def test_better_is_not_worse(run, outputs):
    corpus = outputs("c.jsonl", *corpus_of(30))
    outputs("mine.txt", *(f"Hall {n} is in Rome." for n in range(30)))
    run("check", corpus, "mine.txt", "--min-esa", "0", "--save", "last.jsonl")
    outputs("mine.txt", *(f"Hall {n} is in Oslo." for n in range(30)))
    result = run("check", corpus, "mine.txt", "--baseline", "last.jsonl")
    assert (result.code, result.out.count("pass  ")) == (0, 2)
    outputs("mine.txt", *(f"Hall {n} is in Oslo near Rome." for n in range(30)))
    run("check", corpus, "mine.txt", "--min-esa", "0", "--save", "last.jsonl")
    outputs("mine.txt", *(f"Hall {n} is in Oslo near Rome and Bonn." for n in range(30)))
    assert run("check", corpus, "mine.txt", "--baseline", "last.jsonl").code == 0


def test_json(run, files):
    result = run("check", files, "good.txt", "bad.txt", "--min-esa", "0.9", "--format", "json")
    assert result.code == 1
    found = json.loads(result.out)
    assert found["passed"] is False
    assert [(gate["system"], gate["name"], gate["passed"]) for gate in found["gates"]] == [
        ("good", "min-esa", True),
        ("bad", "min-esa", False),
    ]
    first = found["texts"][0]
    assert (first["system"], first["id"], first["file"], first["line"]) == ("bad", "Id1", "bad.txt", 1)
    assert (first["missing"], first["added"][0]["text"], first["text"]) == (
        [{"entity": "Mexico"}],
        "Peru",
        BAD[0],
    )


STRICT = ("./h,50%:x.txt", "--min-esa", "1", "--max-hallucinations", "0")
HOSTILE = "A <b>&\"' ]]> 100% ::error::x\x01\x1b[2J\ufffe,end"


@pytest.fixture
def hostile(outputs):
    corpus = outputs("h.jsonl", json.dumps({"id": HOSTILE, "triples": [[HOSTILE, "p", "B\u0007 <i>"]]}))
    outputs("h,50%:x.txt", "::set-output name=a::b " + HOSTILE.replace("\x01", "") + " Peru")
    return corpus


def test_junit_is_xml_whatever_texts_hold(run, hostile):
    result = run("check", hostile, *STRICT, "--format", "junit")
    assert result.code == 1
    root = ElementTree.fromstring(result.out)
    [suite] = root
    cases = list(suite)
    assert (root.tag, suite.tag, {case.tag for case in cases}) == ("testsuites", "testsuite", {"testcase"})
    for element in (root, suite):
        assert int(element.get("tests")) == len(cases)
        assert int(element.get("failures")) == len(
            [case for case in cases if case.find("failure") is not None]
        )
    assert all(case.get("classname") and case.get("name") for case in cases)
    assert "\\x01" in cases[-1].get("name")


def test_annotations_are_one_line_each_whatever_texts_hold(run, hostile):
    result = run("check", hostile, *STRICT, "--format", "github")
    assert result.code == 1
    *lines, last = result.out.rstrip("\n").split("\n")
    assert last == "failed: 2 of 2 gates"
    for line in lines:
        assert re.match(r"::error (?:[a-z]+=[^:,\r\n]*,?)+::[^\r\n]*$", line)
        assert not re.search(r"%(?!25|0A|3A|2C)", line)
    assert "file=h%2C50%25%3Ax.txt,line=1,title=" in lines[-1]


ROWS = [
    {"id": "a", "data": {"name": "Bo", "rooms": 4}, "text": "Bo has 4 rooms."},
    {"id": "b", "data": {"name": "Ada", "rooms": 5}, "text": "Ada has 6 rooms."},
]


@pytest.mark.parametrize("form", ["jsonl", "json", "csv"])
def test_a_text_in_the_corpus_is_at_its_line(run, outputs, form):
    corpora = {
        "jsonl": "\n".join(["", *map(json.dumps, ROWS)]),
        "json": json.dumps(ROWS, indent=1),
        "csv": "id,triples,text\n"
        + "".join(
            f'{row["id"]},{row["data"]["name"]} | rooms | {row["data"]["rooms"]},"\n{row["text"]}"\n'
            for row in ROWS
        ),
    }
    lines = {"jsonl": 3, "json": 10, "csv": 4}
    outputs(f"corpus.{form}", corpora[form])
    result = run("check", f"corpus.{form}", "--max-hallucinations", "0", "--format", "github")
    assert result.code == 1
    assert f"::error file=corpus.{form},line={lines[form]},title=corpus b::" in result.out


def test_a_text_with_an_id_is_at_its_line_in_the_output(run, outputs):
    outputs("corpus.jsonl", *map(json.dumps, ROWS))
    outputs("mine.jsonl", *(json.dumps({"id": row["id"], "text": row["text"]}) for row in reversed(ROWS)))
    result = run("check", "corpus.jsonl", "mine.jsonl", "--max-hallucinations", "0", "--format", "github")
    assert "::error file=mine.jsonl,line=1,title=mine b::" in result.out


def test_sarif_has_a_result_for_each_finding_and_errors_for_what_was_asked(run, outputs, tmp_path):
    outputs("corpus.jsonl", *map(json.dumps, ROWS))
    result = run("check", "corpus.jsonl", "--max-hallucinations", "0", "-o", "found.sarif")
    assert (result.code, result.out.endswith("failed: 1 of 1 gate\n")) == (1, True)
    log = json.loads((tmp_path / "found.sarif").read_text("utf-8"))
    assert log["version"] == "2.1.0"
    [found] = log["runs"]
    assert [(one["ruleId"], one["level"], one["message"]["text"]) for one in found["results"]] == [
        ("missing", "note", "5 (rooms): missing"),
        ("replacement", "error", "6: replacement, the input says rooms = 5; expected 5"),
    ]
    [place] = found["results"][0]["locations"]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "corpus.jsonl"},
        "region": {"startLine": 2},
    }
    assert "1 hallucination, at most 0 allowed" in str(found["invocations"])
    both = run("check", "corpus.jsonl", "--min-faithfulness", "1", "--format", "sarif")
    levels = {one["ruleId"]: one["level"] for one in json.loads(both.out)["runs"][0]["results"]}
    assert levels == {"missing": "error", "replacement": "error", "faithfulness": "error"}


def test_a_summary_in_markdown(run, files, hostile, tmp_path, monkeypatch):
    assert run("check", files, "bad.txt", "--min-esa", "1", "--summary", "s.md").code == 1
    summary = (tmp_path / "s.md").read_text("utf-8")
    assert summary.startswith("## esascore check: failed\n\n| System | Gate | Result | Details |\n")
    assert "| bad | min-esa | **failed** | ESA\\_C 0.5833, at least 1 needed |" in summary
    assert "- **Id1**: missing: Mexico; added: Peru  \n  Bionico is a dish from Peru." in summary
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "step.md"))
    run("check", files, "good.txt", "--min-esa", "1", "--format", "github")
    run("check", hostile, "./h,50%:x.txt", "--min-esa", "1", "--format", "github")
    step = (tmp_path / "step.md").read_text("utf-8")
    assert step.count("## esascore check: ") == 2
    assert "<b>" not in step.replace("\\<b\\>", "")
    run("check", files, "good.txt", "--min-esa", "1")  # only where annotations are asked for
    assert (tmp_path / "step.md").read_text("utf-8") == step


def test_a_file_for_machines_and_text_for_people(run, files, tmp_path):
    result = run("check", files, "bad.txt", "--min-esa", "1", "-o", "junit.xml")
    assert (result.code, result.out.endswith("failed: 1 of 1 gate\n")) == (1, True)
    assert ElementTree.parse(tmp_path / "junit.xml").getroot().tag == "testsuites"
    run("check", files, "bad.txt", "--min-esa", "1", "-o", "found.json")
    assert json.loads((tmp_path / "found.json").read_text("utf-8"))["passed"] is False


@pytest.mark.parametrize(
    ("name", "section"),
    [
        ("esascore.toml", "check"),
        ("esascore.toml", "tool.esascore.check"),
        ("pyproject.toml", "tool.esascore.check"),
    ],
)
def test_settings_in_a_file(run, files, tmp_path, name, section):
    (tmp_path / name).write_text(
        f'[{section}]\ncorpus = "{files.name}"\noutputs = ["bad.txt", "x=good.txt"]\n'
        'min-esa = 0.5\nmax_hallucinations = 1\nrequire = "location"\n',
        "utf-8",
    )
    result = run("check")
    assert (result.code, result.out.count("pass  ")) == (0, 6)
    assert run("check", "--min-esa", "0.9").code == 1  # the command line decides
    assert run("check", files, "good.txt", "--min-esa", "1").out.count("pass  ") == 3
    (tmp_path / "sub").mkdir()
    (tmp_path / name).rename(tmp_path / "sub" / "own.toml")
    if section == "tool.esascore.check":
        assert run("check", "--config", "sub/own.toml").code == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[check]\nmin-essa = 0.5", "there is no option 'min-essa': did you mean 'min-esa'?"),
        ("[check]\nmin-esa = 7", "min-esa: 7.0 is not in the range"),
        ('[check]\nmin-esa = "high"', "min-esa: 'high' is not a valid float"),
        ("[check]\nmin-esa = true", "min-esa takes a string or a number, not true"),
        ("[check]\nmin-esa = [0.5]", "min-esa takes one value, not a list"),
        ("[check]\nmin-esa = nan", "nan"),
        ("[check]\nallow-linker-failures = 1", "takes true or false, not 1"),
        ('[check]\nformat = "xml"', "format: 'xml' is not one of"),
        ("[check\n", "not valid TOML"),
        ("x = " + "[" * 50_000, "nested too deeply"),
        ("x = " + "9" * 5_000, "not valid TOML"),
        ("check = 3", "check must be a section"),
    ],
)
def test_wrong_settings_in_a_file(refused, files, tmp_path, content, message):
    (tmp_path / "esascore.toml").write_text(content, "utf-8")
    refused(2 if message == "nan" else 3, message, "check", files, "good.txt", "--max-missing-texts", "0")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["good.txt", "--min-esa", "2"], 2, "2.0 is not in the range"),
        (["good.txt", "--min-esa", "nan"], 2, "nan"),
        (["good.txt", "--max-hallucinations", "-1"], 2, "not in the range"),
        (["good.txt", "--max-hallucinations", "1.5"], 2, "not a valid integer"),
        (["gone.txt", "--min-esa", "1"], 3, "there is no such file"),
        (["good.txt", "--min-esa", "1", "--accept", "gone.jsonl"], 3, "there is no such file"),
        (["good.txt", "--min-esa", "1", "--baseline", "gone.jsonl"], 3, "there is no such file"),
        (["good.txt", "--min-esa", "1", "--baseline", "good.txt"], 3, "not JSON"),
        (["good.txt", "--require", "contry"], 2, "the attribute 'contry': did you mean 'country'?"),
        (["good.txt", "--min-esa", "1", "--save", "good.txt"], 2, "it is one of the files to be read"),
        (["good.txt", "--min-esa", "1", "--save", "no/x.jsonl"], 2, "there is no folder no"),
        (["good.txt", "--min-esa", "1", "--format", "xml"], 2, "'xml' is not one of"),
        (["good.txt", "--min-esa", "1", "--config", "gone.toml"], 3, "there is no such file"),
        ([], 2, "contains no texts of a system"),
    ],
)
def test_mistakes(refused, files, arguments, code, message):
    refused(code, message, "check", files, *(arguments or ["--min-esa", "1"]))


def test_an_earlier_run_of_other_systems_or_another_corpus(run, refused, files, outputs):
    run("check", files, "good.txt", "bad.txt", "--min-esa", "0", "--save", "two.jsonl")
    outputs("third.txt", *TEXTS)
    earlier = "--baseline", "two.jsonl"
    refused(2, "there is no system 'third' in two.jsonl: it has good", "check", files, "third.txt", *earlier)
    corpus = outputs("c.jsonl", *corpus_of(2))
    outputs("good.txt", "Hall 0.", "Hall 1.")
    message = "no example has the id and the input of one in this corpus"
    refused(3, message, "check", corpus, "good.txt", *earlier)


def test_texts_in_another_language(run, tmp_path):
    pytest.importorskip("py3langid", reason="needs esascore[languages]")
    data = {"name": "Kestrel Bridge", "location": "Germany", "length_m": 1299}
    texts = {
        "right": "Die Kestrel Bridge in Deutschland ist 1.299 Meter lang und sehr beliebt.",
        "wrong": "Die Kestrel Bridge in Deutschland ist 1.499 Meter lang und sehr beliebt.",
    }
    for name, text in texts.items():
        row = {"id": name, "data": data, "text": text}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row), "utf-8")
    gates = ("--max-hallucinations", 0, "--min-esa", 1)
    assert run("check", "right.jsonl", *gates).code == 0
    assert run("check", "wrong.jsonl", *gates).code == 1
    assert run("report", "wrong.jsonl", "-o", "report.html").code == 0
    assert "1.499 Meter" in (tmp_path / "report.html").read_text("utf-8")


def test_only_what_a_gate_asks_about_is_accepted(run, outputs, tmp_path):
    outputs("c.jsonl", '{"id": "a", "data": {"name": "Blue Inn", "city": "Oslo", "rooms": 27}}')
    outputs("o.txt", "Blue Inn is in Rome.")
    assert run("check", "c.jsonl", "o.txt", "--require", "city", "--write-accept", "ok.jsonl").code == 0
    [entry] = json_lines(tmp_path / "ok.jsonl")
    assert (entry["kind"], entry["entity"], entry["attribute"]) == ("missing", "Oslo", "city")


def test_two_wrong_names_are_two(run, outputs):
    outputs("c.jsonl", '{"id": "a", "data": {"name": "Blue Inn", "city": "Oslo"}}')
    outputs("o.txt", "Blue Inn is in Rome and Paris.")
    result = run("check", "c.jsonl", "o.txt", "--max-hallucinations", "1")
    assert (result.code, "2 hallucinations" in result.out) == (1, True)
    outputs("o.txt", "Blue Inn is in Trinidad and Tobago.")
    assert run("check", "c.jsonl", "o.txt", "--max-hallucinations", "1").code == 0


@pytest.mark.parametrize("command", [["check", "--max-hallucinations", "0"], ["show", "--id", "a"]])
def test_no_text_is_a_command_of_ci(run, outputs, monkeypatch, command):
    monkeypatch.setenv("CI", "true")
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    outputs("c.jsonl", '{"id": "a", "data": {"name": "Blue Inn"}, "text": ""}')
    hostile = "Rome\n::error::green\n ::set-output name=a::b\n ##[error]c ##vso[task.complete]"
    outputs("o.jsonl", json.dumps({"id": "a", "text": hostile}))
    shown = run(command[0], "c.jsonl", "o.jsonl", *command[1:]).out
    assert "::error::green" in shown
    assert not re.search(r"##(vso)?\[", shown)
    assert not [line for line in shown.split("\n") if line.strip().startswith("::")]
    monkeypatch.delenv("CI")
    assert "##[error]" in run(command[0], "c.jsonl", "o.jsonl", *command[1:]).out
