"""``esascore correlate``: from files to matrices, in every format."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path

import numpy as np
import pytest

from .conftest import json_lines

NAMES = ["Ada", "Bea", "Cyd", "Dot", "Eve", "Fay"]
GOOD = [f"{name} was born in Oslo." for name in NAMES]
FAIR = [*GOOD[:3], *[f"{name} was born." for name in NAMES[3:]]]
POOR = ["null", "Someone.", *FAIR[2:]]


@pytest.fixture
def corpus(outputs):
    return outputs(
        "corpus.jsonl", *(json.dumps({"triples": [[name, "birthPlace", "Oslo"]]}) for name in NAMES)
    )


@pytest.fixture
def files(outputs):
    return outputs("good.txt", *GOOD), outputs("fair.txt", *FAIR), outputs("poor.txt", *POOR)


@pytest.fixture
def correlate(run, corpus, files, ratings):
    """Correlate the three systems with the ratings."""
    return lambda *more: run("correlate", corpus, *files, "--ratings", ratings, *more)


RATED = {
    "Good": [3, 3, 2.5, 3, 3, 2],
    "FAIR": [3, 3, 3, 2, 2, 1.5],
    "poor": [1, 1, 3, 2, 2, 2.5],
    "human": [3, 3, 3, 3, 3, 3],
}


ESA = [1] * 6 + [1, 1, 1, 0.5, 0.5, 0.5] + [0, 0, 1, 0.5, 0.5, 0.5]
GIVEN = [*RATED["Good"], *RATED["FAIR"], *RATED["poor"]]


@pytest.fixture
def ratings(outputs):
    rows = [f"{name},Id{n},{value}" for name, listed in RATED.items() for n, value in enumerate(listed, 1)]
    return outputs("ratings.csv", "system,id,semantics", *rows)


def test_json_holds_every_correlation(correlate):
    result = correlate("--format", "json")
    assert result.code == 0
    assert result.err == "esascore: warning: rated systems without an OUTPUT are left out: human\n"
    document = json.loads(result.out)
    assert document["systems"] == ["good", "fair", "poor"]
    assert [(each["name"], each["role"]) for each in document["variables"]] == [
        ("semantics", "rating"),
        ("esa", "metric"),
        ("faithfulness", "metric"),
    ]
    sizes = {name: subset["texts"] for name, subset in document["texts"].items()}
    assert sizes == {"all": 18, "non-blank": 17, "undetected-1": 8, "undetected-2": 2}
    found = document["texts"]["all"]["pearson"]["semantics"]["esa"]
    assert found["n"] == 18
    assert found["value"] == pytest.approx(np.corrcoef(ESA, GIVEN)[0, 1])
    assert found["ci"][0] < found["value"] < found["ci"][1]
    two = document["texts"]["undetected-2"]["kendall"]["semantics"]["esa"]
    assert (two["value"], two["undefined"]) == (None, "2 pairs are too few: at least 3 are needed")
    assert document["system_level"]["esa"]["semantics"]["systems"] == 3
    assert document["williams"][0]["other"] == "faithfulness"
    assert document["reliability"] == {}


@pytest.mark.parametrize("name", ["table", "markdown", "latex", "csv"])
def test_every_format_shows_the_matrix(correlate, name):
    result = correlate("--correlation", "spearman", "--metrics", "esa", "--format", name)
    assert result.code == 0
    if name == "csv":
        rows = list(csv.DictReader(io.StringIO(result.out)))
        (row,) = [
            r for r in rows if (r["level"], r["subset"], r["correlation"]) == ("texts", "all", "pearson")
        ]
        assert float(row["value"]) == pytest.approx(np.corrcoef(ESA, GIVEN)[0, 1])
        assert rows[-1]["level"] == "systems"
        return
    assert "Spearman, all texts (18)" in result.out
    assert "Pearson, all texts" not in result.out
    assert "undetected" in result.out
    if name == "table":
        assert "- undefined: 2 pairs are too few: at least 3 are needed" in result.out


def test_scores_of_other_metrics_join_the_matrix(correlate, outputs):
    rows = [f"{name},Id{n},{n},{2 * n}" for name in ("good", "fair", "poor") for n in range(1, 7)]
    scores = outputs("scores.csv", "system,id,esa,length", *rows)
    document = json.loads(correlate("--segments", scores, "--format", "json", "-q").out)
    names = [each["name"] for each in document["variables"]]
    assert names == ["esa (file)", "length", "semantics", "esa", "faithfulness"]
    assert document["texts"]["all"]["pearson"]["esa (file)"]["length"]["value"] == pytest.approx(1)


def test_disagreements_are_listed_with_their_texts(run, corpus, files, ratings, tmp_path):
    asked = ["correlate", corpus, *files, "--ratings", ratings, "--disagreements", tmp_path / "d.jsonl"]
    assert run(*asked).code == 0
    assert (tmp_path / "d.jsonl").read_text() == ""
    odd = tmp_path / "odd.csv"
    odd.write_text("system,id,semantics\ngood,Id1,1\ngood,Id2,3\npoor,Id1,3\nfair,Id1,2\n")
    asked[asked.index(ratings)] = odd
    assert run(*asked).code == 0
    first, second = json_lines(tmp_path / "d.jsonl")
    assert [first[name] for name in ("kind", "system", "id", "text")] == ["underrated", "poor", "Id1", "null"]
    assert [second[name] for name in ("kind", "system", "rating", "score")] == ["overrated", "good", 1, 1]


def test_a_figure_is_drawn_on_demand(correlate, tmp_path):
    pytest.importorskip("matplotlib")
    figure = tmp_path / "matrix.svg"
    assert correlate("-q", "--plot", figure).code == 0
    assert "Pearson, 18 texts" in figure.read_text(encoding="utf-8")


def test_raw_ratings_tell_their_reliability(run, corpus, files, outputs):
    rows = [
        f"{name},Id{n},fluency,{value + rater * (n % 2)}"
        for name, listed in RATED.items()
        for n, value in enumerate(listed, 1)
        for rater in (0, 1)
    ]
    raw = outputs("raw.csv", "system,id,aspect,rating", *rows)
    result = run("correlate", corpus, *files, "--ratings", raw, "-q")
    assert "Reliability of the ratings" in result.out
    assert "ICC(1)" in result.out


def test_rated_texts_need_no_outputs(run, xml, outputs):
    # The texts of three teams stand in the ratings themselves.
    mr = "Bionico | country | Mexico"
    rows = (
        f"0,{mr},one,Bionico is from Mexico.,3,3,3",
        f"1,{mr},two,Bionico is food.,2,2,2",
        f"2,{mr},webnlg,Mexico has Bionico.,3,3,3",
    )
    path = outputs("r.csv", "id,mr,team,text,fluency,grammar,semantics", *rows)
    result = run("correlate", xml, "--rated-texts", "--ratings", path, "--metrics", "esa", "--format", "json")
    assert result.code == 0
    document = json.loads(result.out)
    assert document["systems"] == ["one", "two", "webnlg"]
    assert document["texts"]["all"]["pearson"]["semantics"]["esa"]["value"] == pytest.approx(1)


def test_wrong_calls_are_answered_in_one_line(refused, corpus, files, ratings):
    for more, code, problem in [
        ([], 2, "give either OUTPUT files or --rated-texts"),
        ([*files, "--rated-texts"], 2, "give either OUTPUT files or --rated-texts"),
        (["--rated-texts"], 2, "contains no texts"),
        ([f"x={files[0]}"], 3, "has the name of a rated"),
        ([*files, "--metrics", ","], 2, "no name is given"),
        ([*files, "-o", ratings], 2, "one of the files to be read"),
        ([*files, "-o", "a", "--disagreements", "a"], 2, "name the same file"),
        ([*files, "--plot", "matrix.doc"], 2, "must end in .svg, .png, .pdf"),
    ]:
        refused(code, problem, "correlate", corpus, "--ratings", ratings, *more)


@pytest.mark.corpora
@pytest.mark.skipif(not os.environ.get("ESASCORE_DATA"), reason="ESASCORE_DATA is not set: no real corpora")
def test_agreement_with_people_on_webnlg_2017(run):
    folder = Path(os.environ["ESASCORE_DATA"]) / "webnlg-2017"
    ratings = folder / "human" / "all_data_final_averaged.csv"
    result = run(
        *("correlate", folder / "testdata_with_lex.xml", *sorted((folder / "submissions").glob("*.txt"))),
        *("--ratings", ratings, "--metrics", "esa,faithfulness,faithfulness-ref", "--format", "json"),
    )
    document = json.loads(result.out)
    floors = {"esa": (0.72, 0.60), "faithfulness": (0.755, 0.66), "faithfulness-ref": (0.77, 0.69)}
    for metric, (everything, not_blank) in floors.items():
        found = [document["texts"][name]["pearson"]["semantics"][metric] for name in ("all", "non-blank")]
        assert [each["n"] for each in found] == [2007, 1814]
        assert found[0]["value"] >= everything
        assert found[1]["value"] >= not_blank
    assert document["system_level"]["faithfulness-ref"]["semantics"]["mean"] >= 0.925
    # Scores that the file brings along correlate as published (Table 9 has the human texts too).
    assert document["texts"]["all"]["pearson"]["fluency"]["grammar"]["value"] == pytest.approx(0.88, abs=0.01)


class TestVerdicts:
    @pytest.fixture
    def verdicts(self, outputs):
        """Both readers judge the same missing entity; one more is judged by the first alone."""
        place = {"system": "fair", "entity": "Oslo"}
        lines = [place | {"id": "Id4", "verdict": "right"}, place | {"id": "Id5", "verdict": "wrong"}]
        again = place | {"id": "Id4", "verdict": "wrong", "reader": "Bea"}
        return outputs("ada.jsonl", *map(json.dumps, lines)), outputs("bea.jsonl", json.dumps(again))

    def test_they_are_read_back(self, run, corpus, files, verdicts):
        options = ("--verdicts", verdicts[0], "--verdicts", verdicts[1])
        result = run("correlate", corpus, *files, *options, "--format", "json")
        assert result.code == 0
        document = json.loads(result.out)
        rows = {row["system"]: row for row in document["systems"]}
        row = rows["missing of fair"]
        assert (row["found"], row["judged"], row["right"]) == (3, 2, 0.25)
        assert (row["per_text"], row["corrected"]) == (0.5, 0.125)
        assert rows["flags"]["right"] is None
        readers = ["Bea", "ada.jsonl"]
        assert document["agreement"] == [{"readers": readers, "judged": 1, "alike": 0, "kappa": 0.0}]
        table = run("correlate", corpus, *files, *options)
        assert table.out.endswith("Bea and ada.jsonl: 0 of 1 verdicts alike, kappa 0.00\n")

    def test_wrong_use(self, refused, corpus, files, verdicts, ratings):
        given, message = ("--verdicts", verdicts[0]), "give either --ratings FILE or --verdicts FILE"
        for more in ((), ("--ratings", ratings, *given)):
            refused(2, message, "correlate", corpus, *files, *more)
        refused(
            2, "--verdicts cannot be combined with", "correlate", corpus, *files, *given, "--plot", "f.svg"
        )
