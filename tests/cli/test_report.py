from __future__ import annotations

import json

import pytest


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
