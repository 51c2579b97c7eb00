"""``esascore report`` and ``esascore demo``: pages, and the files beside them."""

from __future__ import annotations

import json

import pytest

from esascore.examples import SYSTEMS


def test_a_folder_and_one_file(run, xml, outputs, tmp_path):
    outputs("good.txt", "Bionico is from Mexico.", "Kestrel Arena is in Trondheim in Norway.")
    result = run("report", xml, "good.txt", "-o", "pages", "--metrics", "esa")
    assert (result.code, result.out, result.err) == (0, "Report: pages/index.html\n", "")
    assert (tmp_path / "pages" / "index.html").is_file()
    result = run("report", xml, "good.txt", "-o", "one.html", "--title", "A & B")
    assert (result.code, result.out) == (0, "Report: one.html\n")
    assert "<title>A &amp; B</title>" in (tmp_path / "one.html").read_text("utf-8")


def test_bleu_comes_with_references(run, xml, outputs, tmp_path):
    pytest.importorskip("sacrebleu")
    outputs("a.txt", "Bionico.", "Norway.")
    assert run("report", xml, "a.txt", "-o", "pages").code == 0
    overview = (tmp_path / "pages" / "data" / "overview.js").read_text("utf-8")
    assert '"metrics": ["esa", "hallucination", "bleu"]' in overview


def test_comparisons_and_hallucinations(run, xml, outputs, tmp_path):
    outputs("a.txt", "Bionico.", "Norway.")
    outputs("b.txt", "Bionico is from Peru.", "Trondheim.")
    flag = {"start": 16, "end": 20, "text": "Peru", "class": "extra", "type": "place"}
    record = {"system": "b", "id": "Id1", "text": "Bionico is from Peru.", "hallucinations": [flag]}
    (tmp_path / "h.jsonl").write_text(json.dumps(record) + "\n", "utf-8")
    more = ["--significance", "a", "--hallucinations", "h.jsonl", "--metrics", "esa"]
    assert run("report", xml, "a.txt", "b.txt", "-o", "pages", *more).code == 0
    data = tmp_path / "pages" / "data"
    assert "differs from a" in (data / "overview.js").read_text("utf-8")
    shown = '[16, 20, "extra", "place", null, null, null, null, ""]'
    assert shown in (data / "details-0.js").read_text("utf-8")


def test_wrong_use_is_told_before_any_work(refused, xml, outputs, tmp_path):
    outputs("a.txt", "Bionico.", "Norway.")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.tex").touch()
    for arguments, code, problem in [
        (["-o", "full"], 2, "the folder contains thesis.tex"),
        (["-o", "none/there"], 2, "there is no folder none"),
        ([], 2, "Missing option '-o' / '--output'"),
        (["-o", "p", "--significance", "b"], 2, "there is no system 'b'"),
        (["-o", "p", "--metrics", "esb"], 2, "there is no metric 'esb'"),
        (["-o", "p", "--hallucinations", "nope.jsonl"], 3, "there is no such file"),
    ]:
        refused(code, problem, "report", xml, "a.txt", *arguments)
    assert not (tmp_path / "p").exists()


def test_the_demo_prints_the_table_and_says_where_the_report_is(run, tmp_path):
    result = run("demo")
    assert (result.code, result.err) == (0, "")
    lines = result.out.split("\n")
    assert [line.split()[0] for line in lines[2 : 2 + len(SYSTEMS)]] == list(SYSTEMS)
    assert lines[-2] == "Report: esascore-demo/report/index.html"
    pages = tmp_path / "esascore-demo" / "report"
    assert (pages / "index.html").is_file()
    assert '"replacement"' in (pages / "data" / "details-0.js").read_text("utf-8")
    report = (tmp_path / "esascore-demo" / "report.md").read_text("utf-8")
    assert all(f"\n### {system}\n" in report for system in SYSTEMS)
    assert "## By category" in report


def test_the_files_of_the_demo_agree_with_each_other(run, tmp_path):
    assert run("demo", "-o", "deep/er", "--profile", "paper").code == 0
    folder = tmp_path / "deep" / "er"
    scores = json.loads((folder / "scores.json").read_text("utf-8"))
    assert "profile:paper" in scores["signature"]
    for row in scores["systems"]:
        lines = (folder / f"{row['system']}.detections.jsonl").read_bytes().decode().split("\n")[:-1]
        found = [json.loads(line) for line in lines]
        assert len(found) == row["texts"]
        assert sum(bool(record["undetected"]) for record in found) == sum(row["undetected"].values())
        again = run(
            *("detect", folder / "corpus.jsonl", folder / f"{row['system']}.txt", "--profile", "paper"),
            *("-q", "-o", "-"),
        )
        assert again.out.split("\n")[:-1] == lines


def test_a_folder_that_cannot_be_made(refused, tmp_path):
    (tmp_path / "file").touch()
    refused(2, "error: cannot create the folder file: ", "demo", "-o", "file")
