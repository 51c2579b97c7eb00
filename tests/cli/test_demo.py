from __future__ import annotations

import json

from esascore.examples import SYSTEMS


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
