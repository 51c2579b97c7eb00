"""Comparisons with a baseline in every format."""

from __future__ import annotations

import csv
import io
import json

import pytest

from esascore.errors import UsageError
from esascore.reports.summary import Significance, summarise
from esascore.reports.tables import FORMATS

TEXTS = 40


@pytest.fixture
def compared(score):
    """A good system, one that often misses an entity, and one that does so once; all inputs are equal."""

    def run(baseline="good"):
        evaluation = score(
            [("ab", None)] * TEXTS,
            {"good": ["a b"] * TEXTS, "poor": ["a b"] * 10 + ["a"] * 30, "near": ["a b"] * 39 + ["a"]},
        )
        return summarise(evaluation, significance=Significance(baseline))

    return run


@pytest.fixture
def apart(score):
    """The same three systems, each input another one."""
    corpus = [((f"a{n}", f"b{n}"), "Food" if n % 2 else "City") for n in range(TEXTS)]
    both, one = [f"a{n} b{n}" for n in range(TEXTS)], [f"a{n}" for n in range(TEXTS)]

    def run(*by, **more):
        systems = {"good": both, "poor": both[:10] + one[10:], "near": both[:39] + one[39:]}
        return summarise(score(corpus, systems), *by, significance=Significance("good", **more))

    return run


def test_json_rows_carry_intervals_and_p_values(apart):
    document = json.loads(FORMATS["json"](apart(resamples=500, seed=3)))
    assert document["significance"] == {
        "baseline": "good",
        "test": "randomisation",
        "resamples": 500,
        "seed": 3,
        "level": 0.05,
        "correction": "holm",
    }
    good, poor, near = document["systems"]
    assert good["ci"]["esa_c"] == [1.0, 1.0]
    assert good["p"]["esa_c"] is None
    assert poor["p"]["esa_c"] == pytest.approx(1 / 501)
    assert poor["p_holm"]["esa_c"] == pytest.approx(2 / 501)
    low, high = poor["ci"]["esa_c"]
    assert low < poor["esa_c"] == 0.625 < high
    # One text decides: whether or not it is swapped, the difference is as large.
    assert near["p"]["esa_c"] == 1.0
    assert good["ci"]["esa_c_1"] is None


@pytest.mark.parametrize(("name", "mark"), [("table", "*"), ("markdown", r"\*"), ("latex", "$^{*}$")])
def test_significant_differences_are_marked(apart, name, mark):
    summary = apart()
    low, high = summary.systems[1]["ci"]["esa_c"]
    lines = {line.strip("| ").split()[0]: line for line in FORMATS[name](summary).split("\n") if line.strip()}
    written = {
        "table": f"0.6250 ±{(high - low) / 2:.4f}*",
        "markdown": rf"0.6250 ± {(high - low) / 2:.4f}\*",
        "latex": rf"0.6250 {{\scriptsize $\pm${(high - low) / 2:.4f}}}$^{{*}}$",
    }[name]
    assert written in lines["poor"]
    assert mark not in lines["near"]
    assert mark not in lines["good"]
    assert "differs from good, p \\< 0.05" in FORMATS["markdown"](summary)


def test_table_columns_stay_aligned(apart):
    lines = FORMATS["table"](apart()).split("\n")
    ends = {line.index("±") for line in lines[2:5]}
    assert len(ends) == 1


def test_csv_has_a_column_for_each_number(apart):
    good, poor, _ = csv.DictReader(io.StringIO(FORMATS["csv"](apart())))
    names = list(poor)
    place = names.index("esa_c")
    assert names[place : place + 5] == ["esa_c", "esa_c_low", "esa_c_high", "esa_c_p", "esa_c_p_holm"]
    assert float(poor["esa_c_low"]) < 0.625 < float(poor["esa_c_high"])
    assert good["esa_c_p"] == ""
    assert poor["undetected_1"] == "30"
    assert "ci" not in names


def test_groups_are_compared_too(apart):
    summary = apart("category")
    food = summary.systems[1]["by"]["category"]["Food"]
    assert food["p"]["esa_c"] < 0.05
    assert len(FORMATS["table"](summary).split("*")) > 4


def test_texts_of_one_input_are_resampled_together(compared):
    # All inputs are equal: one cluster, nothing to resample, and a swap changes nothing but the sign.
    poor = compared().systems[1]
    assert poor["ci"]["esa_c"] is None
    assert poor["p"]["esa_c"] == 1.0


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
def test_one_text_has_no_interval_and_no_difference_that_is_significant(score, test):
    evaluation = score([("ab", None)], {"good": ["a b"], "poor": ["a"]})
    summary = summarise(evaluation, significance=Significance("good", test))
    poor = summary.systems[1]
    assert (poor["esa_c"], poor["ci"]["esa_c"]) == (0.5, None)
    assert poor["p_holm"]["esa_c"] in (None, 1.0)
    row = FORMATS["table"](summary).split("\n")[3].split()
    assert row[row.index("0.5000") + 1] == "±-"


def test_an_unknown_baseline_is_named_with_the_known(compared, score):
    with pytest.raises(UsageError, match="no system 'best' to compare with; known: good, poor, near, all"):
        compared(baseline="best")
    with pytest.raises(UsageError, match="only system"):
        summarise(score([("a", None)], {"s": ["a"]}), significance=Significance("s"))


def test_without_texts_there_is_nothing_to_mark(score):
    summary = summarise(score([], {"a": [], "b": []}), significance=Significance("a"))
    assert FORMATS["table"](summary).split("\n")[2].split()[0] == "a"


def pairs(apart_score, *by, **more):
    corpus = [((f"a{n}", f"b{n}"), "Food" if n % 2 else "City") for n in range(TEXTS)]
    both, one = [f"a{n} b{n}" for n in range(TEXTS)], [f"a{n}" for n in range(TEXTS)]
    systems = {"poor": both[:10] + one[10:], "good": both, "near": both[:39] + one[39:]}
    return summarise(apart_score(corpus, systems), *by, significance=Significance("all", **more))


def test_all_pairs_in_every_format(score):
    summary = pairs(score)
    document = json.loads(FORMATS["json"](summary))
    poor, good, near = document["systems"]  # as they were given
    assert [one["rank"]["esa_c"] for one in (poor, good, near)] == [[3, 3], [1, 2], [1, 2]]
    assert [one["cluster"]["esic_1"] for one in (poor, good, near)] == [2, 1, 1]
    assert [pair["systems"] for pair in document["pairs"]] == [
        ["poor", "good"],
        ["poor", "near"],
        ["good", "near"],
    ]
    assert document["pairs"][0]["p_holm"]["esa_c"] < 0.05 < document["pairs"][2]["p_holm"]["esa_c"]
    assert document["significance"]["baseline"] == "all"
    lines = FORMATS["table"](summary).split("\n")
    assert [line.split(" ")[0] for line in lines[2:6]] == ["good", "near", lines[1].split(" ")[0], "poor"]
    assert "1.0000 ±0.0000 (1-2)" in lines[2]
    assert "(3)" in lines[5]
    assert "*" not in "".join(lines[:6])
    [first, *rows] = csv.reader(io.StringIO(FORMATS["csv"](summary)))
    assert [row[0] for row in rows] == ["poor", "good", "near"]
    by_name = dict(zip(first, rows[0], strict=True))
    assert (by_name["esa_c_best_rank"], by_name["esa_c_worst_rank"], by_name["esa_c_cluster"]) == (
        "3",
        "3",
        "2",
    )
    assert "esa_c_p" not in by_name
    latex = FORMATS["latex"](summary).split("\n")
    assert latex[latex.index(next(line for line in latex if line.startswith("poor"))) - 1] == r"\midrule"
    assert "| good | 40 |" in FORMATS["markdown"](summary).split("\n")[2]


def test_all_pairs_in_groups(score):
    document = json.loads(FORMATS["json"](pairs(score, "category")))
    assert document["systems"][0]["by"]["category"]["Food"]["rank"]["esa_c"] == [3, 3]
    table = FORMATS["table"](pairs(score, "category"))
    assert table.index("good") < table.index("near") < table.index("poor")


def test_all_pairs_have_enough_resamples(score):
    many = {f"s{n}": ["a b"] * 3 for n in range(12)}
    summary = summarise(score([("ab", None)] * 3, many), significance=Significance("all"))
    assert summary.significance.resamples == 6600
    assert "6600 resamples" in summary.notes[0]


def test_what_cannot_be_compared_with_all(score):
    with pytest.raises(UsageError, match="nothing can be compared: 'one' is the only system"):
        summarise(score([("ab", None)], {"one": ["a b"]}), significance=Significance("all"))
    with pytest.raises(UsageError, match="give the system of that name another one"):
        summarise(score([("ab", None)], {"all": ["a b"], "x": ["a"]}), significance=Significance("all"))
