from __future__ import annotations

import json

import pytest

from esascore.readers.corpus import read_corpus

from .conftest import json_lines

pytest.importorskip("sacremoses")
pytest.importorskip("sacrebleu")


def record(number: int, city: str, overlap: bool | None = None) -> dict:
    def cell(value: str, header: bool = False) -> dict:
        return {"value": value, "is_header": header, "column_span": 1, "row_span": 1}

    fields = {
        "table": [[cell("City", True), cell("Country", True)], [cell(city), cell("Norway <b>")]],
        "table_page_title": "Towns",
        "table_section_title": "North",
        "table_section_text": "",
        "highlighted_cells": [[1, 0]],
        "example_id": number,
        "sentence_annotations": [{"final_sentence": f"{city} is a town in the north of Norway."}],
    }
    return fields if overlap is None else {**fields, "overlap_subset": overlap}


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "dev.jsonl"
    records = [record(1, "Oslo", True), record(2, "Bergen", False), record(3, "Hamar", True)]
    path.write_text("".join(json.dumps(item) + "\n" for item in records), encoding="utf-8")
    return path


TEXTS = "Oslo is a town in Norway.", "It is a town.", ""


def test_esa_parent_t_and_bleu_in_one_command(run, corpus, outputs, tmp_path):
    result = run(
        *["score", corpus, outputs("a.txt", *TEXTS), "--metrics", "totto"],
        *["--format", "json", "--segments", "segments.jsonl"],
    )
    assert result.code == 0, result.err
    assert "1 of 3 outputs are blank" in result.err
    (system,) = json.loads(result.out)["systems"]
    assert system["esa_c"] == pytest.approx(1 / 3)  # the highlighted cells are the entities
    parts = system["by"]["overlap"]
    assert list(parts) == ["overlap", "non-overlap"]
    assert (parts["overlap"]["texts"], parts["non-overlap"]["texts"]) == (2, 1)
    assert (parts["overlap"]["esa_c"], parts["non-overlap"]["esa_c"]) == (0.5, 0.0)
    mean = (2 * parts["overlap"]["parent-t"] + parts["non-overlap"]["parent-t"]) / 3
    assert system["parent-t"] == pytest.approx(mean)
    assert 1 < system["parent-t"] < 100
    assert 1 < system["bleu"] < 100
    lines = json_lines(tmp_path / "segments.jsonl")
    assert [line["id"] for line in lines] == ["1", "2", "3"]
    assert list(lines[0]["scores"]) == ["esa", "parent-t", "bleu"]
    asked = ["--metrics", "totto", "--format", "json", "--parent-t", "paper"]
    paper = run("score", corpus, outputs("a.txt", *TEXTS), *asked)
    assert "|recall:paper|" in json.loads(paper.out)["signature"]
    assert json.loads(paper.out)["systems"][0]["parent-t"] != system["parent-t"]


def test_the_general_command_scores_totto_too(run, corpus, outputs):
    texts = outputs("a.txt", *TEXTS)
    own = json.loads(run("score", corpus, texts, "--metrics", "totto", "--format", "json").out)["systems"][0]
    result = run(
        "score", corpus, texts, "--metrics", "esa,parent-t,parent", "--by", "seen", "--format", "json"
    )
    general = json.loads(result.out)["systems"][0]
    assert 100 * general["parent-t"] == pytest.approx(own["parent-t"])
    assert list(general["by"]["seen"]) == ["seen", "unseen"]


def test_a_corpus_that_does_not_tell_has_one_row(run, tmp_path, outputs):
    path = tmp_path / "train.jsonl"
    path.write_text(json.dumps(record(1, "Oslo")) + "\n")
    result = run("score", path, outputs("a.txt", "Oslo"), "--metrics", "totto", "--format", "json")
    assert "by" not in json.loads(result.out)["systems"][0]


def test_tables_become_strings(run, corpus, tmp_path):
    assert run("totto", "linearise", corpus, "-o", "train.jsonl").code == 0
    first = json.loads((tmp_path / "train.jsonl").read_text().split("\n")[0])
    assert first == {
        "id": "1",
        "input": "<page_title> Towns </page_title> <section_title> North </section_title> <table> "
        "<cell> Oslo <col_header> City </col_header> </cell> </table>",
        "references": ["Oslo is a town in the north of Norway."],
    }
    text = run("totto", "linearise", corpus, "--text", "--style", "full", "--no-metadata", "--no-headers")
    assert text.out.split("\n")[1] == (
        "<table> <row> <cell> City </cell> <cell> Country </cell> </row> "
        "<row> <highlighted_cell> Bergen </highlighted_cell> <cell> Norway <b> </cell> </row> </table>"
    )
    assert len(text.out.split("\n")) == 4


def test_tables_become_a_page(run, corpus, outputs, tmp_path):
    texts = outputs("a.txt", "<script>alert(1)</script>", "b", "c")
    assert run("totto", "view", corpus, texts, "-o", "page.html").code == 0
    page = (tmp_path / "page.html").read_text("utf-8")
    assert page.count("<section>") == 3
    assert "<script>" not in page
    assert "Norway &lt;b&gt;" in page
    assert '<td class="marked">Oslo</td>' in page
    assert run("totto", "view", corpus, "--id", "2", "-o", "page.html").code == 0
    assert (tmp_path / "page.html").read_text("utf-8").count("<section>") == 1
    assert run("totto", "view", corpus, "--first", "2", "-o", "page.html").code == 0
    assert (tmp_path / "page.html").read_text("utf-8").count("<section>") == 2


def test_mistakes_are_one_line(refused, corpus):
    for command, code, message in [
        (["view", corpus, "--id", "9", "-o", "p.html"], 3, "there is no example '9'"),
        (["view", corpus, "-o", corpus], 2, "it is one of the files to be read"),
        (["linearise", "none.jsonl"], 3, "there is no such file"),
    ]:
        refused(code, message, "totto", *command)
    assert len(read_corpus(corpus)) == 3
