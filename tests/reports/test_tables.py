"""Tables: exact output for a small corpus, hostile names and comparisons in every format."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore._version import __version__
from esascore.errors import DataError, UsageError
from esascore.metrics.base import Column
from esascore.reports.escaping import visible, width
from esascore.reports.summary import Significance, Summary, summarise
from esascore.reports.tables import FORMATS

SIGNATURE = f"esascore:{__version__}|profile:fake|blank:zero|undefined:excluded"
# my_system: 2/4, 0/2 (null), 3/3 detected
MINE = {
    "texts": 3,
    "blank": 1,
    "undefined": 0,
    "esa_c": 0.5,
    "esa_c_1": 0.25,
    "esa_c_2": 0.25,
    "esic_1": 2 / 3,
    "esic_2": 2 / 3,
    "esic": {"1": 2 / 3, "2": 2 / 3},
    "undetected": {"2": 2},
}

TABLE = f"""\
System     Texts  Blank   ESA_C  ESA_C\\1  ESA_C\\2  ESIC^1  ESIC^2
─────────  ─────  ─────  ──────  ───────  ───────  ──────  ──────
perfect        3      0  1.0000        -        -  0.0000  0.0000
my_system      3      1  0.5000   0.2500   0.2500  0.6667  0.6667

signature: {SIGNATURE}
"""
MARKDOWN = f"""\
| System | Texts | Blank | ESA\\_C | ESA\\_C\\\\1 | ESA\\_C\\\\2 | ESIC^1 | ESIC^2 |
| :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| perfect | 3 | 0 | 1.0000 | - | - | 0.0000 | 0.0000 |
| my\\_system | 3 | 1 | 0.5000 | 0.2500 | 0.2500 | 0.6667 | 0.6667 |

Signature: `{SIGNATURE}`
"""
LATEX = f"""\
% {SIGNATURE}
\\begin{{tabular}}{{lrrrrrrr}}
\\toprule
System & Texts & Blank & ESA$_{{C}}$ & ESA$_{{C\\setminus 1}}$ & ESA$_{{C\\setminus 2}}$ & ESIC$^{{1}}$ & \
ESIC$^{{2}}$ \\\\
\\midrule
perfect & 3 & 0 & 1.0000 & - & - & 0.0000 & 0.0000 \\\\
my\\_system & 3 & 1 & 0.5000 & 0.2500 & 0.2500 & 0.6667 & 0.6667 \\\\
\\bottomrule
\\end{{tabular}}
"""
CSV = """\
system,texts,blank,undefined,esa_c,esa_c_1,esa_c_2,esic_1,esic_2,undetected_2
perfect,3,0,0,1.0,,,0.0,0.0,0
my_system,3,1,0,0.5,0.25,0.25,0.6666666666666666,0.6666666666666666,2
"""


@pytest.mark.parametrize(
    ("name", "expected"), [("table", TABLE), ("markdown", MARKDOWN), ("latex", LATEX), ("csv", CSV)]
)
def test_text_formats(small, name, expected):
    assert FORMATS[name](summarise(small)) == expected


def test_json_holds_every_field_in_full_precision(small):
    document = json.loads(FORMATS["json"](summarise(small)))
    assert document["signature"] == SIGNATURE
    assert [row["system"] for row in document["systems"]] == ["perfect", "my_system"]
    assert document["systems"][1] == {"system": "my_system", **MINE}
    assert document["systems"][0]["esa_c_1"] is None
    assert document["systems"][0]["undetected"] == {}


def test_breakdown_by_category(small):
    summary = summarise(small, "category")
    mine = json.loads(FORMATS["json"](summary))["systems"][1]["by"]["category"]
    assert list(mine) == ["City", "Food"]
    assert (mine["City"]["texts"], mine["City"]["blank"], mine["City"]["esa_c"]) == (1, 1, 0.0)
    assert (mine["Food"]["texts"], mine["Food"]["blank"], mine["Food"]["esa_c"]) == (2, 0, 0.75)
    lines = FORMATS["table"](summary).split("\n")
    assert lines[0].split()[:3] == ["System", "Category", "Texts"]
    assert [line.split()[:3] for line in lines[2:8]] == [
        [name, *part]
        for name in ("perfect", "my_system")
        for part in (("all", "3"), ("City", "1"), ("Food", "2"))
    ]
    table = list(csv.DictReader(io.StringIO(FORMATS["csv"](summary))))
    groups = [(row["by"], row["group"]) for row in table[3:]]
    assert groups == [("", ""), ("category", "City"), ("category", "Food")]
    assert table[5]["esa_c"] == "0.75"
    assert "\\addlinespace" in FORMATS["latex"](summary)


def test_sizes_are_ordered_as_numbers(score):
    scored = score([("a" * 1, None), ("abcdefghijk", None), ("ab", None)], {"s": ["a", "a", "a"]})
    assert list(summarise(scored, "size").systems[0]["by"]["size"]) == ["1", "2", "11"]


def test_examples_without_a_group_come_last_as_unknown(score):
    scored = score([("a", None), ("b", "Food")], {"s": ["a", "a"]})
    summary = summarise(scored, "category")
    assert list(summary.systems[0]["by"]["category"]) == ["Food", ""]
    assert "unknown" in FORMATS["table"](summary).split("\n")[4]


@pytest.mark.parametrize(("by", "advice"), [("category", "any example$"), ("seen", "give --train CORPUS")])
def test_a_breakdown_that_the_corpus_cannot_give_is_refused(score, by, advice):
    with pytest.raises(DataError, match=f"no breakdown by {by}.*{advice}"):
        summarise(score([("a", None)], {"s": ["a"]}), by)


def test_undefined_texts_get_a_column_when_there_are_any(score):
    scored = score([("", None), ("ab", None)], {"s": ["a", "a"]})
    lines = FORMATS["table"](summarise(scored)).split("\n")
    assert lines[0].split()[:4] == ["System", "Texts", "Blank", "Undefined"]
    assert lines[2].split()[:5] == ["s", "2", "0", "1", "0.5000"]
    nothing = score([("", None)], {"s": ["a"]})
    assert FORMATS["table"](summarise(nothing)).split("\n")[2].split()[4:] == ["-"] * 5
    csv_row = next(csv.DictReader(io.StringIO(FORMATS["csv"](summarise(nothing)))))
    assert csv_row["esa_c"] == ""


HOSTILE = "\x1b[31m\u202egnp.exe|_%$&{}#~^\\ <b>`*\n\u2028\x9b2J"


@pytest.mark.parametrize("name", ["table", "markdown", "latex", "csv", "json"])
def test_hostile_names_stay_on_their_line(score, name):
    plain = FORMATS[name](summarise(score([("a", "c")], {"s": ["a"]}), "category"))
    hostile = FORMATS[name](summarise(score([("a", HOSTILE)], {HOSTILE: ["a"]}), "category"))
    assert hostile.count("\n") == plain.count("\n")
    assert not set("\x1b\u202e\u2028\x9b\r") & set(hostile)


def test_hostile_names_are_lossless_in_json(score):
    text = FORMATS["json"](summarise(score([("a", "c")], {HOSTILE + "\ud800": ["a"]})))
    assert json.loads(text.encode().decode())["systems"][0]["system"] == HOSTILE + "\ud800"


def test_syntax_in_names_is_escaped():
    summary = Summary("s:1", (Column("n", "N", "N", "count"),), ({"system": "a|b_c&d\\$", "n": 1},))
    assert "| a\\|b\\_c\\&d\\\\\\$ | 1 |" in FORMATS["markdown"](summary)
    assert r"a\textbar{}b\_c\&d\textbackslash{}\$ & 1 \\" in FORMATS["latex"](summary)


@pytest.mark.parametrize("name", ["=1+1", "+a", "-a", "@a"])
def test_a_name_is_no_formula_in_a_spreadsheet(score, name):
    row = next(csv.DictReader(io.StringIO(FORMATS["csv"](summarise(score([("a", None)], {name: ["a"]}))))))
    assert row["system"] == "'" + name


def test_wide_names_keep_the_columns_aligned(score):
    scored = score([("a", None)], {"東京": ["a"], "e\u0301te": ["a"], "plain": ["a"]})
    lines = FORMATS["table"](summarise(scored)).split("\n")[:5]
    assert len({width(line) for line in lines}) == 1


@given(st.text())
def test_visible_text_is_one_safe_line(text):
    shown = visible(text)
    shown.encode()
    assert not any(ord(character) < 32 or 0x7F <= ord(character) < 0xA0 for character in shown)
    assert shown == visible(shown)


TEXTS = 40


@pytest.fixture
def compared(score):
    """A good system, one that often misses an entity, and one that does so once.

    The inputs are different, but for ``equal`` ones.
    """

    def run(baseline="good", *by, equal=False, **more):
        names = [("a", "b") if equal else (f"a{n}", f"b{n}") for n in range(TEXTS)]
        corpus = [(pair, None if equal else ("City", "Food")[n % 2]) for n, pair in enumerate(names)]
        both, one = [f"{a} {b}" for a, b in names], [a for a, _ in names]
        systems = {"good": both, "poor": both[:10] + one[10:], "near": both[:39] + one[39:]}
        return summarise(score(corpus, systems), *by, significance=Significance(baseline, **more))

    return run


def test_json_rows_carry_intervals_and_p_values(compared):
    document = json.loads(FORMATS["json"](compared(resamples=500, seed=3)))
    how = {"baseline": "good", "test": "randomisation", "resamples": 500, "seed": 3}
    assert document["significance"] == how | {"level": 0.05, "correction": "holm"}
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
def test_significant_differences_are_marked(compared, name, mark):
    summary = compared()
    low, high = summary.systems[1]["ci"]["esa_c"]
    half = f"{(high - low) / 2:.4f}"
    lines = {line.strip("| ").split()[0]: line for line in FORMATS[name](summary).split("\n") if line.strip()}
    margin = {"table": f" ±{half}", "markdown": f" ± {half}", "latex": rf" {{\scriptsize $\pm${half}}}"}[name]
    assert f"0.6250{margin}{mark}" in lines["poor"]
    assert mark not in lines["near"]
    assert mark not in lines["good"]
    assert "differs from good, p \\< 0.05" in FORMATS["markdown"](summary)


def test_table_columns_stay_aligned(compared):
    lines = FORMATS["table"](compared()).split("\n")
    ends = {line.index("±") for line in lines[2:5]}
    assert len(ends) == 1


def test_csv_has_a_column_for_each_number(compared):
    good, poor, _ = csv.DictReader(io.StringIO(FORMATS["csv"](compared())))
    names = list(poor)
    place = names.index("esa_c")
    assert names[place : place + 5] == ["esa_c", "esa_c_low", "esa_c_high", "esa_c_p", "esa_c_p_holm"]
    assert float(poor["esa_c_low"]) < 0.625 < float(poor["esa_c_high"])
    assert good["esa_c_p"] == ""
    assert poor["undetected_1"] == "30"
    assert "ci" not in names


def test_groups_are_compared_too(compared):
    summary = compared("good", "category")
    food = summary.systems[1]["by"]["category"]["Food"]
    assert food["p"]["esa_c"] < 0.05
    assert len(FORMATS["table"](summary).split("*")) > 4


def test_texts_of_one_input_are_resampled_together(compared):
    # All inputs are equal: one cluster, nothing to resample, and a swap changes nothing but the sign.
    poor = compared(equal=True).systems[1]
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
        compared("best")
    with pytest.raises(UsageError, match="only system"):
        summarise(score([("a", None)], {"s": ["a"]}), significance=Significance("s"))


def test_without_texts_there_is_nothing_to_mark(score):
    summary = summarise(score([], {"a": [], "b": []}), significance=Significance("a"))
    assert FORMATS["table"](summary).split("\n")[2].split()[0] == "a"


def test_all_pairs_in_every_format(compared):
    summary = compared("all")
    document = json.loads(FORMATS["json"](summary))
    systems = document["systems"]  # as they were given
    assert [one["rank"]["esa_c"] for one in systems] == [[1, 2], [3, 3], [1, 2]]
    assert [one["cluster"]["esic_1"] for one in systems] == [1, 2, 1]
    assert ["-".join(pair["systems"]) for pair in document["pairs"]] == [
        "good-poor",
        "good-near",
        "poor-near",
    ]
    assert document["pairs"][0]["p_holm"]["esa_c"] < 0.05 < document["pairs"][1]["p_holm"]["esa_c"]
    assert document["significance"]["baseline"] == "all"
    lines = FORMATS["table"](summary).split("\n")
    assert [line.split(" ")[0] for line in lines[2:6]] == ["good", "near", lines[1].split(" ")[0], "poor"]
    assert "1.0000 ±0.0000 (1-2)" in lines[2]
    assert "(3)" in lines[5]
    assert "*" not in "".join(lines[:6])
    [first, *rows] = csv.reader(io.StringIO(FORMATS["csv"](summary)))
    assert [row[0] for row in rows] == ["good", "poor", "near"]
    poor = dict(zip(first, rows[1], strict=True))
    assert [poor[f"esa_c_{name}"] for name in ("best_rank", "worst_rank", "cluster")] == ["3", "3", "2"]
    assert "esa_c_p" not in poor
    latex = FORMATS["latex"](summary).split("\n")
    assert latex[latex.index(next(line for line in latex if line.startswith("poor"))) - 1] == r"\midrule"
    assert "| good | 40 |" in FORMATS["markdown"](summary).split("\n")[2]


def test_all_pairs_in_groups(compared):
    summary = compared("all", "category")
    assert summary.systems[1]["by"]["category"]["Food"]["rank"]["esa_c"] == [3, 3]
    table = FORMATS["table"](summary)
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
