"""Tables: exact output for a small corpus, hostile names in every format."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore._version import __version__
from esascore.errors import DataError
from esascore.metrics.base import Column
from esascore.reports.escaping import visible, width
from esascore.reports.summary import Summary, summarise
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
