"""Any structured data on the command line."""

from __future__ import annotations

import json

import pytest

INN = {"name": "Blue Lantern", "area": "riverside", "near": "riverside", "stars": 3, "web": "https://a.b"}
TEXT = "Blue Lantern is a 3 star inn at the riverside."
WIDE = "id,name,area,near,stars,web,text\nx,Blue Lantern,riverside,riverside,3,https://a.b,{}\n"


@pytest.fixture
def files(tmp_path):
    """The same input in each form."""
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "x", "data": INN, "text": TEXT}), "utf-8")
    (tmp_path / "b.json").write_text(json.dumps([{"id": "x", "data": INN, "text": TEXT}]), "utf-8")
    (tmp_path / "c.json").write_text(json.dumps([{"id": "x", **INN, "text": TEXT}]), "utf-8")
    (tmp_path / "d.csv").write_text(WIDE.format(TEXT), "utf-8")
    (tmp_path / "e.tsv").write_text(WIDE.format(TEXT).replace(",", "\t"), "utf-8")


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("name", ["a.jsonl", "b.json", "c.json", "d.csv", "e.tsv"])
def test_one_input_in_every_form(run, name):
    found = json.loads(run("detect", name, "-o", "-").out)
    assert list(found) == ["id", "text", "entities", "esa", "undetected", "missing", "mentions", "language"]
    assert found["entities"] == ["Blue Lantern", "riverside", "riverside", "3"]  # the address is optional
    assert (found["id"], found["esa"], found["undetected"]) == ("x", 1.0, [])
    assert [(m["entity"], m["attribute"]) for m in found["mentions"]] == [
        ("Blue Lantern", "name"),
        ("3", "stars"),
        ("riverside", "area"),
    ]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("options", "entities", "flags"),
    [
        ([], ["Blue Lantern", "riverside", "riverside", "3"], []),
        (["--optional", "stars", "--optional", "n*r"], ["Blue Lantern", "riverside"], []),
        (["--ignore", "stars"], ["Blue Lantern", "riverside", "riverside"], []),
    ],
)
def test_optional_values_explain_and_ignored_ones_do_not(run, tmp_path, options, entities, flags):
    assert json.loads(run("detect", "a.jsonl", "-o", "-", *options).out)["entities"] == entities
    assert run("hallucinations", "a.jsonl", "-o", "h.jsonl", *options).code == 0
    found = json.loads((tmp_path / "h.jsonl").read_text("utf-8"))
    assert [flag["text"] for flag in found["hallucinations"]] == flags
    assert run("score", "a.jsonl", "--format", "json", *options).code == 0
    assert run("report", "a.jsonl", "-o", "r.html", *options).code == 0
    assert run("show", "a.jsonl", "--id", "x", *options).code == 0


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("command", ["detect", "score", "hallucinations"])
def test_a_pattern_that_fits_nothing(refused, command):
    message = "--ignore 'star' fits no attribute; the corpus has: name, area, near, stars, web"
    refused(2, message, command, "a.jsonl", "--ignore", "star")


def test_reserved_columns_are_no_attributes(run, tmp_path):
    columns = "id,system,text,reference,category,seen,input,colour\n1,s,Red.,Red.,Paint,true,{},red\n"
    (tmp_path / "a.csv").write_text(columns, "utf-8")
    assert json.loads(run("detect", "a.csv", "--own", "-o", "-").out)["entities"] == ["red"]


def test_data_and_triples(refused, tmp_path):
    (tmp_path / "a.jsonl").write_text('{"data": {}, "triples": []}\n', "utf-8")
    refused(3, "triples and data are both given", "score", "a.jsonl")


def test_what_is_doubtful_is_said_everywhere(run, tmp_path):
    rows = [{"data": {**INN, "name": f"Zorb Inn {n}", "near": "the old mill"}} for n in range(20)]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    texts = [f"The Zorb Inn {n} is a 3 star inn at the riverside." for n in range(20)]
    (tmp_path / "t.txt").write_text("\n".join(texts), "utf-8")
    doubt = "no value of near is found in 20 of the 20 texts that should say it"
    for command in (["score"], ["hallucinations"], ["detect", "-o", "d.jsonl"], ["show", "--worst", "1"]):
        result = run(*command, "a.jsonl", "t.txt")
        assert result.code == 0
        assert result.err.count(f"warning: {doubt}") == 1
        assert run(*command, "a.jsonl", "t.txt", "--quiet").err == ""
    for command in ("score", "hallucinations"):
        document = json.loads(run(command, "a.jsonl", "t.txt", "--format", "json", "--quiet").out)
        assert [message.partition(";")[0] for message in document["warnings"]] == [doubt]
        assert document["optional"] == ["web"]
    assert run("report", "a.jsonl", "t.txt", "-o", "r.html").err.count(doubt) == 1
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "No value of near is found in 20 of the 20 texts" in page
    assert "Optional attributes, which texts need not mention: web." in page
