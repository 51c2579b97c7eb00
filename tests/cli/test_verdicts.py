"""Verdicts on facts in every command, with a verifier that is written down instead of a model."""

from __future__ import annotations

import json

import pytest

import esascore
from esascore.testing import assert_faithful
from fakes import PhraseReader

from .conftest import json_lines as lines

CORPUS = [
    {"id": "Id1", "triples": [["Ada_Lund", "employer", "Bo_Berg"], ["Ada_Lund", "birthPlace", "Oslo"]]},
    {"id": "Id2", "data": {"name": "Ada Lund", "employer": "Bo Berg"}},
]
TEXTS = ["Bo Berg works for Ada Lund.", "Bo Berg works for Ada Lund."]
PHRASES = {"employer": ["{s} works for {o}"], "birth place": ["{s} is from {o}"]}
FACT = ["Ada_Lund", "employer", "Bo_Berg"]
SPAN = {
    "start": 18,
    "end": 26,
    "text": "Ada Lund",
    "type": "name",
    "class": "contradicted",
    "entity": "Ada_Lund",
    "nearest": "Bo_Berg",
    "attribute": "employer",
    "confidence": 0.9,
    "expected": "Bo_Berg",
    "reason": "the text says Bo_Berg | employer | Ada_Lund, the input Ada_Lund | employer | Bo_Berg",
    "fact": FACT,
}


@pytest.fixture(autouse=True)
def model(monkeypatch):
    """Whatever folder is named, the reader of the phrases is in it."""
    monkeypatch.setattr(
        "esascore.facts.verifier.EncoderVerifier", lambda folder, cache: PhraseReader(PHRASES)
    )


@pytest.fixture
def given(tmp_path, outputs):
    path = tmp_path / "corpus.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in CORPUS), "utf-8")
    return path, outputs("mine.txt", *TEXTS)


def test_detect_adds_a_verdict_for_each_fact(run, given, tmp_path):
    assert run("detect", *given, "-o", "plain.jsonl").code == 0
    assert run("detect", *given, "-o", "facts.jsonl", "--facts", "m").code == 0
    plain, judged = lines(tmp_path / "plain.jsonl"), lines(tmp_path / "facts.jsonl")
    assert judged[0]["facts"] == [
        {
            "fact": FACT,
            "verdict": "contradicted",
            "probability": 0.1,
            "known": True,
            "instead": ["Bo_Berg", "employer", "Ada_Lund"],
        },
        {
            "fact": ["Ada_Lund", "birthPlace", "Oslo"],
            "verdict": "not stated",
            "probability": 0.0,
            "known": True,
        },
    ]
    assert [fact["known"] for fact in judged[1]["facts"]] == [False] * len(judged[1]["facts"])
    assert judged[1]["facts"]
    assert [{k: v for k, v in one.items() if k != "facts"} for one in judged] == plain


def test_a_contradicted_fact_is_a_flag_unless_it_is_a_guess(run, given, tmp_path):
    result = run("hallucinations", *given, "-o", "found.jsonl", "--facts", "m", "--format", "json")
    assert result.code == 0
    first, second = lines(tmp_path / "found.jsonl")
    assert first["hallucinations"] == [SPAN]
    assert second["hallucinations"] == []
    document = json.loads(result.out)
    assert document["systems"][0]["hallucination_contradicted"] == 0.5
    assert "model:reader.v1" in document["signature"]


def test_without_a_model_there_is_no_trace_of_facts(run, given, tmp_path):
    result = run("hallucinations", *given, "-o", "found.jsonl", "--format", "json")
    assert json.loads(result.out)["systems"][0]["hallucination_contradicted"] == 0
    assert "model:" not in result.out
    assert [one["hallucinations"] for one in lines(tmp_path / "found.jsonl")] == [[], []]


def test_a_profile_switches_the_class_off(run, given, tmp_path):
    (tmp_path / "own.toml").write_text('base = "default"\n[flags]\noff = ["contradicted"]\n', "utf-8")
    run("hallucinations", *given, "-o", "found.jsonl", "--facts", "m", "--profile", "own.toml")
    assert lines(tmp_path / "found.jsonl")[0]["hallucinations"] == []


@pytest.mark.parametrize("choice", [["--id", "Id1"], ["--worst", "1"]])
def test_show_lists_the_verdicts(run, given, choice):
    assert run("show", *given, *choice, "--facts", "m").out.split("\n") == [
        "Id1  mine",
        "[Bo Berg]#2 works for [Ada Lund]#1.",
        "  #1 Ada_Lund: found",
        "  #2 Bo_Berg: found",
        "  #3 Oslo: not found, nothing like it in the text",
        f'  ! "Ada Lund": contradicted, {SPAN["reason"]}',
        "  = Ada_Lund | employer | Bo_Berg: contradicted (0.10), the text says Bo_Berg | employer | Ada_Lund",
        "  = Ada_Lund | birthPlace | Oslo: not stated (0.00)",
        "ESA 0.67",
        "",
    ]
    assert "a guess: the model was not trained" in run("show", *given, "--id", "Id2", "--facts", "m").out


def test_check_counts_contradictions_and_they_can_be_accepted(run, given, tmp_path):
    gate = ["check", *given, "--max-hallucinations", "0"]
    assert run(*gate).code == 0
    failed = run(*gate, "--facts", "m", "--format", "json")
    assert failed.code == 1
    assert json.loads(failed.out)["texts"][0]["added"] == [SPAN]
    assert run(*gate, "--facts", "m", "--write-accept", "ok.jsonl").code == 0
    assert lines(tmp_path / "ok.jsonl")[0]["class"] == "contradicted"
    assert run(*gate, "--facts", "m", "--accept", "ok.jsonl").code == 0


def test_the_report_shows_flag_and_verdicts(run, given, tmp_path):
    assert run("report", *given, "--facts", "m", "-o", "page.html").code == 0
    page = (tmp_path / "page.html").read_text("utf-8")
    assert SPAN["reason"] in page
    assert json.dumps(FACT) + ', "contradicted", 0.1, true' in page
    run("hallucinations", *given, "-o", "found.jsonl", "--facts", "m")
    assert run("report", *given, "--hallucinations", "found.jsonl", "-o", "again.html").code == 0
    assert SPAN["reason"] in (tmp_path / "again.html").read_text("utf-8")


def test_the_python_functions(given):
    triples = CORPUS[0]["triples"]
    found = esascore.detect(triples, TEXTS[0], facts="m")
    assert [verdict.ruling for verdict in found.facts] == ["contradicted", "not stated"]
    assert "contradicted (0.10), the text says" in found._repr_html_()
    assert esascore.detect(triples, TEXTS[0]).facts == ()
    added = esascore.hallucinations(triples, TEXTS[0], facts="m")
    assert [one.as_dict() for one in added] == [SPAN]
    assert added.facts == found.facts
    with pytest.raises(AssertionError, match="contradicted"):
        assert_faithful(triples, TEXTS[0], allow_missing=True, facts="m")


def test_an_evaluation_with_verdicts_is_saved_and_shown(given, tmp_path):
    corpus, output = given
    scored = esascore.evaluate(
        corpus, [output], metrics=["hallucination", "facts", "questeval", "faithfulness"], facts="m"
    )
    scored.save(tmp_path / "saved.jsonl")
    again = esascore.Evaluation.load(tmp_path / "saved.jsonl")
    assert again.to_dict() == scored.to_dict()
    assert again.scored.systems[0].details == scored.scored.systems[0].details
    assert "the text says Bo_Berg | employer | Ada_Lund" in again.show("Id1")._repr_html_()
