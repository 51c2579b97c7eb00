from __future__ import annotations

import json
from fractions import Fraction

import pytest

import esascore
from esascore.errors import DataError
from esascore.gold.ratings.verdicts import agreements, marks, read_verdicts
from esascore.reports.gold import verdict_summary

FLAG = {"system": "s", "id": "Id1", "start": 0, "end": 4, "text": "Oslo", "class": "extra", "type": "name"}
MISSING = {"system": "s", "id": "Id1", "entity": "Mexico"}


def written(path, *records):
    path.write_text("".join(f"{json.dumps(one)}\n" for one in records), "utf-8")
    return path


def test_readers_are_named_in_the_line_or_by_the_file(tmp_path):
    first = written(
        tmp_path / "a.jsonl", FLAG | {"verdict": "right", "reader": "Ada"}, MISSING | {"verdict": "wrong"}
    )
    second = written(tmp_path / "b.jsonl", FLAG | {"verdict": "wrong"})
    found = read_verdicts([first, second])
    flag, missing = ("s", "Id1", 0, 4, "extra"), ("s", "Id1", "Mexico")
    assert found == {"Ada": {flag: True}, "a.jsonl": {missing: False}, "b.jsonl": {flag: False}}
    assert marks(found) == {flag: Fraction(1, 2), missing: Fraction(0)}


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        (FLAG, r'v.jsonl:1: .*verdict must be "right" or "wrong"'),
        ({"system": "s", "id": "Id1", "verdict": "right"}, "either start, end and class"),
        (FLAG | {"start": True, "verdict": "right"}, "either start, end and class"),
        (FLAG | {"reader": 1, "verdict": "right"}, "reader must be a string"),
    ],
)
def test_what_is_no_verdict_is_refused(tmp_path, record, problem):
    with pytest.raises(DataError, match=problem):
        read_verdicts([written(tmp_path / "v.jsonl", record)])


def test_one_reader_judges_once(tmp_path):
    twice = [FLAG | {"verdict": "right"}, FLAG | {"verdict": "wrong"}]
    with pytest.raises(DataError, match=r"v.jsonl:2: v.jsonl has judged this in an earlier line"):
        read_verdicts([written(tmp_path / "v.jsonl", *twice)])


def test_readers_are_compared_on_what_both_judged():
    places = [("s", f"Id{n}", "Oslo") for n in range(5)]
    ada = dict(zip(places, [True, True, False, False, True], strict=True))
    bob = dict(zip(places[:4], [True, False, False, False], strict=True))
    (found,) = agreements({"Bob": bob, "Ada": ada, "Eve": {("s", "Id9", "Oslo"): True}})
    # Alike 3 of 4; by chance 1/2 * 1/4 + 1/2 * 3/4 = 1/2.
    assert (found.readers, found.judged, found.alike, found.kappa) == (("Ada", "Bob"), 4, 3, 0.5)


def test_shares_and_corrected_rates():
    graph = esascore.Graph.from_triples([("Bionico", "country", "Mexico")])
    corpus = [esascore.Example(f"Id{n}", graph, size=1) for n in range(1, 5)]
    texts = [
        "Bionico is from Peru.",
        "Bionico is from Peru.",
        "Bionico is from Mexico.",
        "Bionico is a dish.",
    ]
    found = esascore.evaluate(corpus, {"s": texts}, metrics=["esa", "hallucination"]).scored
    (flag,) = found.systems[0].details["hallucination"][0]
    place = (flag.start, flag.end, flag.kind)
    judged = {
        ("s", "Id1", *place): Fraction(1),
        ("s", "Id2", *place): Fraction(0),
        ("s", "Id4", "Mexico"): Fraction(1),
        ("s", "Id3", 0, 1, "gone"): Fraction(1),
    }
    summary = verdict_summary(found, judged)
    rows = {row["system"]: row for row in summary.systems}
    assert list(rows) == [
        "flags",
        f"class {flag.kind}",
        f"type {flag.type}",
        "flags of s",
        "missing",
        "missing of s",
    ]
    for name in list(rows)[:4]:
        assert (rows[name]["found"], rows[name]["judged"], rows[name]["right"]) == (2, 2, 0.5)
        assert (rows[name]["per_text"], rows[name]["corrected"]) == (0.5, 0.25)
    assert (rows["missing"]["found"], rows["missing"]["judged"], rows["missing"]["corrected"]) == (3, 1, 0.75)
    assert rows["missing"]["right_high"] == 1.0
    assert summary.warnings[0].endswith("missing entity: 1, of which 1 say right and 0 wrong")
