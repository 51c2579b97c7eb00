from __future__ import annotations

import json

import pytest

from esascore.claims.confidence import confidence_of

from .conftest import json_lines


@pytest.fixture
def system(outputs):
    return outputs("sys.txt", "Bionico is a dish from Peru.", "Kestrel Arena is in Trondheim, Norway.")


def test_the_figures_of_systems(run, xml, system, outputs):
    clean = outputs("clean.txt", "Bionico is from Mexico.", "null")
    result = run("hallucinations", xml, system, f"tidy={clean}", "--format", "json")
    assert (result.code, result.err) == (0, "")
    first, second = json.loads(result.out)["systems"]
    counts = {"system": "sys", "texts": 2, "hallucinated_texts": 1, "distinct": 1}
    shares = {"hallucination": 0.5, "hallucination_name": 0.5, "hallucination_date": 0.0}
    assert first == {**first, **counts, **shares}
    assert second == {**second, "system": "tidy", "blank": 1, "hallucination": 0.0}


@pytest.mark.parametrize("format_", ["table", "csv", "markdown", "latex"])
def test_every_format(run, xml, system, format_):
    result = run("hallucinations", xml, system, "--format", format_)
    assert result.code == 0
    assert "sys" in result.out


def test_json_lines_hold_every_text_as_the_contract_says(run, xml, system, tmp_path):
    result = run("hallucinations", xml, system, "-o", "found.jsonl")
    assert result.code == 0
    first, second = json_lines(tmp_path / "found.jsonl")
    text = "Bionico is a dish from Peru."
    span = {"start": 23, "end": 27, "text": "Peru", "type": "name", "class": "replacement"}
    about = {"entity": "Peru", "nearest": "Mexico", "attribute": None}
    about["confidence"] = confidence_of("capital", "name")
    assert first == {
        "system": "sys",
        "id": "Id1",
        "text": text,
        "hallucinations": [{**span, **about, "expected": None, "reason": "the input has no Peru"}],
        "language": "en",
    }
    assert text[23:27] == "Peru"
    assert (second["id"], second["hallucinations"]) == ("Id2", [])


def test_json_lines_on_standard_output_come_alone(run, xml, system):
    result = run("hallucinations", xml, system, "-o", "-")
    assert [line["id"] for line in json_lines(result.out)] == ["Id1", "Id2"]


def test_distinct_things_are_counted_once(run, xml, outputs):
    twice = outputs("twice.txt", "Bionico is from Peru.", "Kestrel Arena in PERU is in Trondheim, Norway.")
    result = run("hallucinations", xml, twice, "--format", "json")
    (fields,) = json.loads(result.out)["systems"]
    assert (fields["hallucinated_texts"], fields["distinct"]) == (2, 1)


def test_the_figures_join_a_score(run, xml, system):
    result = run(
        "score", xml, system, "--metrics", "esa,hallucination", "--format", "json", "--segments", "s.jsonl"
    )
    assert result.code == 0
    (fields,) = json.loads(result.out)["systems"]
    assert (fields["esa_c"], fields["hallucination"]) == (0.75, 0.5)


def test_processes_change_nothing(run, xml, system):
    one = run("hallucinations", xml, system, "-o", "-", "--jobs", "1")
    assert one.out == run("hallucinations", xml, system, "-o", "-", "--jobs", "2").out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["nowhere.xml", "sys.txt"], 3, "nowhere.xml"),
        (["corpus.xml", "sys.txt", "--linker", "nobody"], 2, "unknown linker 'nobody'"),
        (["corpus.xml", "sys.txt", "-o", "sys.txt"], 2, "sys.txt"),
        (["corpus.xml"], 2, "give one or more OUTPUT files"),
        (["corpus.xml", "short.txt"], 3, "short"),
    ],
)
def test_errors_are_one_line(refused, xml, system, outputs, arguments, code, message):
    outputs("short.txt", "Bionico.")
    refused(code, message, "hallucinations", *arguments)


def test_without_a_file_the_texts_that_add_most(run, xml, system):
    shown = run("hallucinations", xml, system).out
    assert [line for line in shown.split("\n") if line.startswith("Id")] == ["Id1  sys"]
    assert "{Peru}!" in shown
    assert "{Peru}!" not in run("hallucinations", xml, system, "--format", "markdown").out
    assert "{Peru}!" not in run("hallucinations", xml, system, "-o", "f.jsonl").out
    narrow = run(
        "hallucinations", xml, system, "--format", "markdown", "--columns", "distinct", "--digits", "1"
    )
    assert narrow.out.startswith("| System | Distinct |\n")
