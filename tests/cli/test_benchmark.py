"""``esascore benchmark``: the agreed JSON, files, comparisons, counterfactual corpora, errors."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path

import pytest

from esascore.examples import example_path

from .conftest import json_lines as lines

GOLD = example_path("annotated.xml")


def test_json_has_the_agreed_form(run):
    result = run("benchmark", GOLD, "--profile", "paper", "--format", "json")
    assert (result.code, result.err) == (0, "")
    found = json.loads(result.out)
    assert (found["texts"], found["gold"], found["not_located"]) == (12, 47, 0)
    for level in ("exact", "approximate", "entity"):
        assert list(found[level]) == ["precision", "recall", "f1"]
        for figure, value in found[level].items():
            low, high = found["ci"][level][figure]
            assert 0 <= low <= value <= high <= 1
    assert set(found["by_type"]) == {"name", "description", "demonstrative", "pronoun"}
    assert found["by_type"]["pronoun"]["gold"] == 4
    assert set(found["by_category"]) == {"Airport", "Building", "Food"}
    assert "profile:paper" in found["signature"]
    assert found["exact"]["f1"] <= found["approximate"]["f1"]


def test_every_format_shows_the_same_numbers(run):
    found = json.loads(run("benchmark", GOLD, "--format", "json").out)
    shown = f"{found['exact']['f1']:.4f}"
    for name in ("table", "markdown", "latex"):
        result = run("benchmark", GOLD, "--format", name)
        assert (result.code, result.err) == (0, "")
        assert shown in result.out
    rows = list(csv.DictReader(io.StringIO(run("benchmark", GOLD, "--format", "csv").out)))
    assert float(rows[0]["exact_f1"]) == found["exact"]["f1"]
    assert float(rows[0]["exact_f1_low"]) == found["ci"]["exact"]["f1"][0]
    (food,) = [row for row in rows if row["group"] == "category: Food"]
    assert float(food["entity_recall"]) == found["by_category"]["Food"]["entity"]["recall"]
    assert food["exact_f1_low"] == ""


def test_mistakes_add_up(run, tmp_path):
    result = run("benchmark", GOLD, "--profile", "paper", "--format", "json", "--errors", "e.jsonl")
    found = json.loads(result.out)
    mistakes = lines(tmp_path / "e.jsonl")
    missed = [one for one in mistakes if one["error"] == "miss"]
    assert len(missed) == round(found["gold"] * (1 - found["exact"]["recall"]))
    assert len(mistakes) - len(missed) == round(found["found"] * (1 - found["exact"]["precision"]))
    assert sum(found["mistakes"]["miss"].values()) == len(missed)
    assert {"id", "cause", "context", "counterpart"} <= set(mistakes[0])


def test_seen_and_unseen_entities(run):
    found = json.loads(run("benchmark", GOLD, "--train", GOLD, "--format", "json").out)
    assert list(found["by_seen_entity"]) == ["seen"]
    assert found["by_seen_entity"]["seen"]["exact"] == found["exact"]
    assert list(found["by_seen_category"]) == ["seen"]


def test_profiles_side_by_side(run, tmp_path):
    result = run(
        "benchmark", GOLD, "--compare", "paper", "default", "--format", "json", "--errors", "c.jsonl"
    )
    assert (result.code, result.err) == (0, "")
    found = json.loads(result.out)
    alone = {
        name: json.loads(run("benchmark", GOLD, "--profile", name, "--format", "json").out)
        for name in ("paper", "default")
    }
    for side, name in (("a", "paper"), ("b", "default")):
        assert found[side]["profile"] == name
        assert found[side]["exact"] == alone[name]["exact"]
    gain = found["difference"]["exact"]["f1"]
    assert gain["value"] == alone["default"]["exact"]["f1"] - alone["paper"]["exact"]["f1"]
    assert gain["ci"][0] <= gain["value"] <= gain["ci"][1]
    assert lines(tmp_path / "c.jsonl") == found["changed"]
    assert {"id", "text", "before", "after", "lost", "gained"} <= set(found["changed"][0])
    table = run("benchmark", GOLD, "--compare", "paper", "default").out
    assert "\ndifference  " in table
    assert f"{len(found['changed'])} of 12 texts changed" in table


def test_the_same_profile_twice_changes_nothing(run):
    found = json.loads(run("benchmark", GOLD, "--compare", "paper", "paper", "--format", "json").out)
    assert found["changed"] == []
    assert found["difference"]["exact"]["f1"] == {"value": 0.0, "ci": [0.0, 0.0]}
    assert "|a.profile:paper" in found["signature"]
    assert "|b.profile:paper" in found["signature"]


def test_a_counterfactual_corpus_is_written_and_can_be_scored(run, tmp_path):
    options = ("--counterfactual", "--seed", "3", "--format", "json")
    result = run("benchmark", GOLD, *options, "--write", "c.jsonl", "--errors", "e.jsonl")
    assert (result.code, result.err) == (0, "")
    found = json.loads(result.out)
    corpus = lines(tmp_path / "c.jsonl")
    assert found["texts"] == len(corpus)
    assert set(found["by_kind"]) == {"replace", "delete"}
    for one in corpus:
        assert all(one["text"][span["start"] : span["end"]] == span["text"] for span in one["inserted"])
    # Any tool can be run on it, and our own gives the same answer.
    detected = lines(run("detect", "c.jsonl", "-o", "-").out)
    noticed = [one["replaced"] in own["undetected"] for one, own in zip(corpus, detected, strict=True)]
    assert found["sensitivity"] == sum(noticed) / len(noticed)
    failed = [one["id"] for one in lines(tmp_path / "e.jsonl") if one["error"] == "still-detected"]
    assert failed == [one["id"] for one, right in zip(corpus, noticed, strict=True) if not right]
    again = run("benchmark", GOLD, *options, "--write", "again.jsonl")
    assert again.out == result.out
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "c.jsonl").read_bytes()


def test_counterfactual_options(run, tmp_path):
    options = ("--counterfactual", *("--kinds", "number,date"), "--all-entities", "--lowercase")
    options += ("--resamples", "0")
    found = json.loads(run("benchmark", GOLD, *options, "--format", "json", "--write", "c.jsonl").out)
    assert set(found["by_kind"]) == {"number", "date"}
    assert "ci" not in found
    assert all(
        one["lowercased"] and one["text"] == one["text"].lower() for one in lines(tmp_path / "c.jsonl")
    )
    table = run("benchmark", GOLD, *options)
    assert "kind: number" in table.out
    assert "counterfactual:number,date|entities:all|certainty:certain|case:lower|seed:0" in table.out


def test_counterfactuals_of_two_profiles(run, tmp_path):
    options = ("--counterfactual", "--compare", "paper", "default")
    found = json.loads(run("benchmark", GOLD, *options, "--format", "json", "--errors", "e.jsonl").out)
    assert found["difference"]["sensitivity"] == found["b"]["sensitivity"] - found["a"]["sensitivity"]
    changed = found["changed"]
    assert len(changed) == len((tmp_path / "e.jsonl").read_text("utf-8").split("\n")) - 1
    assert all(one["before"] != one["after"] for one in changed)
    assert "\ndifference  " in run("benchmark", GOLD, *options).out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--write", "c.jsonl"), "--write needs --counterfactual"),
        (("--lowercase",), "--lowercase needs --counterfactual"),
        (("--counterfactual", "--train", GOLD), "--train cannot be combined with --counterfactual"),
        (("--counterfactual", "--kinds", "swap"), "unknown kind of counterfactual 'swap': choose from "),
        (("--counterfactual", "--kinds", ","), "--kinds is empty"),
        (("--errors", "x", "-o", "x"), "-o and --errors name the same file"),
        (("--errors", "none/x"), "cannot write none/x: there is no folder none"),
        (("--compare", "paper", "papper"), "no profile 'papper'"),
        (("--resamples", "-1"), "Invalid value for '--resamples'"),
    ],
)
def test_wrong_usage(refused, tmp_path, options, message):
    refused(2, message, "benchmark", GOLD, *options)
    assert list(tmp_path.iterdir()) == []


def test_data_without_annotations(refused, xml):
    refused(3, "no text here has annotated mentions", "benchmark", xml, "-o", "result.json")
    assert not Path("result.json").exists()


def test_data_that_cannot_be_changed(refused):
    gold = Path("one.xml")
    gold.write_text(
        "<benchmark><entries><entry category='Food' eid='Id1'><modifiedtripleset><mtriple>A | b | C</mtriple>"
        "</modifiedtripleset><lex lid='Id1'><references><reference entity='A' type='name'>A</reference>"
        "</references><text>A is C.</text></lex></entry></entries></benchmark>",
        encoding="utf-8",
    )
    message = "no text of this corpus can be changed with number"
    refused(3, message, "benchmark", gold, "--counterfactual", "--kinds", "number")


def test_results_can_go_to_standard_output_and_files(run, tmp_path):
    result = run("benchmark", GOLD, "--profile", "paper", "-o", "t.txt", "--errors", "-")
    assert json.loads(result.out.split("\n")[0])["error"] in ("miss", "spurious")
    assert (tmp_path / "t.txt").read_text("utf-8").startswith("System")


@pytest.mark.corpora
def test_the_paper_profile_on_the_development_data(run):
    folder = os.environ.get("ESASCORE_DATA")
    if not folder:
        pytest.skip("ESASCORE_DATA is not set: no annotated corpus")
    path = Path(folder) / "enriched-webnlg-1.6" / "en" / "dev"
    found = json.loads(run("benchmark", path, "--profile", "paper", "--format", "json").out)
    assert (found["texts"], found["gold"], found["not_located"]) == (2258, 9842, 8)
    assert 0.4 < found["exact"]["f1"] < found["approximate"]["f1"] < found["entity"]["f1"] < 1


class TestVerdicts:
    """What readers of a report said, read by the same code as for ``esascore correlate``."""

    @pytest.fixture
    def judged(self, outputs):
        data = {"name": "Blue Lantern", "rooms": 12, "stars": 3}
        texts = {"i1": "Blue Lantern has 14 rooms.", "i2": "Blue Lantern, 3 stars, has 12 rooms."}
        rows = [json.dumps({"id": id_, "data": data, "text": text}) for id_, text in texts.items()]
        corpus = outputs("inns.jsonl", *rows)
        flag = {"system": "inns", "id": "i1", "start": 17, "end": 19, "class": "replacement"}
        missing = {"system": "inns", "id": "i1", "entity": "3"}
        gone = {"system": "inns", "id": "i2", "entity": "3", "verdict": "wrong"}
        ada = [flag | {"verdict": "right"}, missing | {"verdict": "wrong"}, gone]
        bob = [flag | {"verdict": "right", "reader": "Bob"}, missing | {"verdict": "wrong", "reader": "Bob"}]
        return corpus, outputs("ada.jsonl", *map(json.dumps, ada)), outputs("b.jsonl", *map(json.dumps, bob))

    def test_shares_corrected_rates_and_agreement(self, run, judged, tmp_path):
        corpus, ada, bob = judged
        options = (corpus, "--verdicts", ada, "--verdicts", bob)
        result = run("benchmark", *options, "--errors", "wrong.jsonl", "--format", "json")
        assert result.code == 0
        assert "missing entity: 1, of which 0 say right and 1 wrong" in result.err
        found = json.loads(result.out)
        rows = {row["system"]: row for row in found["systems"]}
        # One flag in two texts, right; two entities are missing (12 and 3), one of them judged, wrong.
        assert (rows["flags"]["right"], rows["flags"]["corrected"]) == (1.0, 0.5)
        names = ("found", "judged", "right", "corrected")
        assert [rows["missing"][name] for name in names] == [2, 1, 0.0, 0.0]
        readers = {"readers": ["Bob", "ada.jsonl"], "judged": 2, "alike": 2, "kappa": 1.0}
        assert found["agreement"] == [readers]
        wrong = {"system": "inns", "id": "i1", "error": "missing", "entity": "3"}
        assert lines(tmp_path / "wrong.jsonl") == [{**wrong, "context": "Blue Lantern has 14 rooms."}]
        assert json.loads(run("correlate", *options, "--format", "json").out) == found

    def test_what_is_optional_is_not_missing(self, run, judged):
        corpus, ada, _ = judged
        result = run("benchmark", corpus, "--verdicts", ada, "--optional", "stars", "--format", "json")
        rows = {row["system"]: row for row in json.loads(result.out)["systems"]}
        assert rows["missing"]["found"] == 1

    @pytest.mark.parametrize(
        ("more", "message"),
        [
            (("--compare", "paper", "default"), "--verdicts cannot be combined with --compare"),
            (("--counterfactual",), "--verdicts cannot be combined with --counterfactual"),
            (("--lowercase",), "--lowercase needs --counterfactual"),
        ],
    )
    def test_wrong_use(self, refused, judged, more, message):
        corpus, ada, _ = judged
        refused(2, message, "benchmark", corpus, "--verdicts", ada, *more)

    def test_outputs_need_verdicts(self, refused, judged):
        refused(2, "OUTPUT files need --verdicts", "benchmark", GOLD, judged[0])
        refused(2, "need --verdicts", "benchmark", GOLD, "--ignore", "x")

    def test_verdicts_on_other_systems_are_an_error(self, refused, judged, outputs):
        corpus, ada, _ = judged
        message = "the verdicts are about inns, but the systems are mine"
        refused(3, message, "benchmark", corpus, f"mine={corpus}", "--verdicts", ada)
        refused(3, "no verdict here", "benchmark", corpus, "--verdicts", outputs("none.jsonl"))
