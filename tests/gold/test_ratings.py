"""Human ratings and scores of every form, studies of them on numbers small enough to check, and verdicts."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import esascore
from esascore.errors import DataError
from esascore.gold.ratings.files import match_names, read_ratings, read_scores
from esascore.gold.ratings.study import (
    SUBSETS,
    Study,
    Variable,
    compare_metrics,
    correlate_systems,
    correlate_texts,
    disagreements,
    rating_reliability,
)
from esascore.gold.ratings.verdicts import agreements, marks, read_verdicts
from esascore.model import Example, Graph
from esascore.reports.gold import verdict_summary

EXAMPLES = [
    Example("Id1", Graph.from_triples([("Bionico", "country", "Mexico")])),
    Example("Id2", Graph.from_triples([("Arena", "location", "Oslo"), ("Oslo", "country", "Norway")])),
]
HEADER_2017 = "id,mr,team,text,bleu,meteor,ter,fluency,grammar,semantics\n"


@pytest.fixture
def written(tmp_path):
    def write(content, name="ratings.csv"):
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    return write


def test_webnlg_2017(written):
    path = written(
        HEADER_2017
        + '1,Bionico | country | Mexico,adapt,"a, dish ",0.5,0.25,90,3,2.5,1\n'
        + "2,Oslo | country | Norway<br>Arena | location | Oslo,vietnam,null,,0,100,1,1,1.5\n"
    )
    found = read_ratings(path, EXAMPLES)
    assert found.aspects == {
        "fluency": {("adapt", 0): (3,), ("vietnam", 1): (1,)},
        "grammar": {("adapt", 0): (2.5,), ("vietnam", 1): (1,)},
        "semantics": {("adapt", 0): (1,), ("vietnam", 1): (1.5,)},
    }
    assert found.scores["bleu"] == {("adapt", 0): 0.5}
    assert found.texts == {("adapt", 0): "a, dish", ("vietnam", 1): "null"}
    assert found.systems == ["adapt", "vietnam"]


def test_webnlg_2020(written):
    row = {"submission_id": "bt5", "sample_id": "2", "size": "1", "Correctness": 90, "Fluency": 80.5}
    found = read_ratings(written([row, {**row, "sample_id": 1, "Fluency": None}], "r.json"), EXAMPLES)
    correctness = {("bt5", 1): (90.0,), ("bt5", 0): (90.0,)}
    assert found.aspects == {"Correctness": correctness, "Fluency": {("bt5", 1): (80.5,)}}


def test_long_csv_keeps_the_ratings_of_every_judge(written):
    path = written(
        "system;id;aspect;rating;rater\na;Id1;adequacy;1;x\na;Id1;adequacy;2;y\nb;Id2;fluency;;x\n"
    )
    assert read_ratings(path, EXAMPLES).aspects == {"adequacy": {("a", 0): (1, 2)}}


def test_wide_csv(written):
    path = written("id,system,adequacy,fluency\nId2,a,1,\n\nId1,a,2,3\n")
    adequacy = {("a", 1): (1,), ("a", 0): (2,)}
    assert read_ratings(path, EXAMPLES).aspects == {"adequacy": adequacy, "fluency": {("a", 0): (3,)}}


def test_an_aspect_may_be_called_rating(written):
    found = read_ratings(written("id,system,rating\nId2,a,1\n"), EXAMPLES)
    assert found.aspects == {"rating": {("a", 1): (1,)}}


def test_scores_of_csv_and_json_lines(written):
    csv = written("system,id,BLEURT,chrF\na,Id1,-0.5,\na,Id2,0.25,60\n")
    assert read_scores(csv, EXAMPLES) == {"bleurt": {("a", 0): -0.5, ("a", 1): 0.25}, "chrf": {("a", 1): 60}}
    lines = written('{"system": "a", "id": "Id2", "scores": {"esa": null, "parent": 1}}\n\n', "s.jsonl")
    assert read_scores(lines, EXAMPLES) == {"esa": {}, "parent": {("a", 1): 1.0}}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the file is empty"),
        ("a,b\n1,2\n", r"system, id, and aspect.*found 'a, b'"),
        ("system,id,x\na,Id1,good\n", r"ratings.csv:2: 'x' is 'good': a number is needed"),
        ("system,id,x\na,Id1,nan\n", "a number is needed"),
        ("system,id,x\na,Id9,1\n", "no id 'Id9'; its first is 'Id1'"),
        ("system,id,x\n,Id1,1\n", "name of the system is missing"),
        ("system,id,x\na,Id1\n", "the row has 2 cells, the header 3"),
        ("system,id,x,x\na,Id1,1,2\n", "two columns are called 'x'"),
        ("system,id,x\na,Id1,\n", "contains no rating"),
        (HEADER_2017 + "1,A | b | C,adapt,t,,,,1,1,1\n", r":2: the corpus has no input 'A \| b"),
        (HEADER_2017 + "1,Bionico | country | Mexico,adapt,t,,,,1,1,1\n" * 2, "is given twice"),
        ("[1]", "rating 1: submission_id and sample_id are needed"),
        ("[{]", "not JSON"),
        ('[{"submission_id": "a", "sample_id": "3"}]', "'3' is not a number from 1 to 2"),
        ('[{"submission_id": "a", "sample_id": "x"}]', "'x' is not a number from 1 to 2"),
        ('[{"submission_id": "a", "sample_id": 1, "Fluency": "9"}]', "'Fluency' is '9': a number is needed"),
        ('[{"submission_id": "a", "sample_id": 1}]', "the file contains no rating"),
        ('[{"submission_id": "a", "sample_id": 1, "Fluency": 9}, '
         '{"submission_id": "a", "sample_id": 1, "Fluency": 9}]', "rating 2: 'Fluency' of system 'a' and"),
    ],
)  # fmt: skip
def test_bad_ratings_are_refused_with_place_and_reason(written, content, message):
    with pytest.raises(DataError, match=message):
        read_ratings(written(content), EXAMPLES)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "s.txt:1: not JSON"),
        ('{"system": "a", "id": "Id1"}', "an object with scores is needed"),
        ('{"system": "a", "id": "Id1", "scores": {"x": "1"}}', "'x' is '1'"),
        ("id,x\nId1,1\n", "columns system and id are needed"),
        ("system,id,x\na,Id1,1\na,Id1,2\n", "s.txt:3: 'x' of system 'a' and id 'Id1' is given twice"),
        ("system,id,x\n", "contains no score"),
    ],
)
def test_bad_scores_are_refused_with_place_and_reason(written, content, message):
    with pytest.raises(DataError, match=message):
        read_scores(written(content, "s.txt"), EXAMPLES)


def test_names_are_matched_only_where_they_fit_one():
    given = ["Tilburg-NMT", "Tilburg-SMT", "OSU_Neural_NLG", "bt5"]
    assert match_names(["tilburg", "OSU Neural NLG", "bt", "BT5"], given) == {
        "OSU Neural NLG": "OSU_Neural_NLG",
        "BT5": "bt5",
    }
    assert match_names(["a-b", "ab"], ["ab", "AB"]) == {"ab": "ab"}


NAN = float("nan")
RATING = np.array([[1.0, 2, 3, 1], [3, 2, 1, NAN], [2, 3, 3, 1]])
ESA = np.array([[0.0, 0.5, 1, 0.95], [0.2, 0.5, 1, 0.5], [0.5, 1, 1, 0.0]])
OTHER = np.array([[0.1, 0.4, 1, 0.2], [NAN, 0.5, 0.3, 0.5], [0.5, 1, 0.9, 0.1]])


@pytest.fixture
def study():
    return Study(
        ("a", "b", "c"),
        ("Id1", "Id2", "Id3", "Id4"),
        (
            Variable("other score", "score", OTHER),
            Variable("semantics", "rating", RATING),
            Variable("esa", "metric", ESA),
            Variable("other", "metric", OTHER),
        ),
        ~np.isnan(RATING),
        np.array([[True, False, False, False], [False] * 4, [False, False, False, True]]),
        np.array([[2, 1, 0, 0], [2, 1, 0, 1], [1, 0, 0, 3]]),
    )


def test_subsets_hold_rated_texts_only(study):
    assert [int(study.subset(name).sum()) for name in SUBSETS] == [11, 9, 6, 3]


def test_texts_are_correlated_where_they_have_both_values(study):
    found = correlate_texts(study, "all", "pearson")
    assert next(iter(found)) == ("other score", "semantics")
    known = ~np.isnan(RATING)
    assert found["semantics", "esa"].n == 11
    assert found["semantics", "esa"].value == pytest.approx(np.corrcoef(RATING[known], ESA[known])[0, 1])
    known &= ~np.isnan(OTHER)
    assert found["semantics", "other"].n == 10
    assert found["semantics", "other"].value == pytest.approx(np.corrcoef(RATING[known], OTHER[known])[0, 1])
    assert correlate_texts(study, "undetected-2", "kendall")["esa", "other"].undefined.startswith("2 pairs")


def test_systems_are_correlated_over_rated_texts(study):
    found = correlate_systems(study, samples=50)
    assert set(found) == {(name, "semantics") for name in ("other score", "esa", "other")}
    means = [np.mean(RATING[0]), 2, np.mean(RATING[2])], [np.mean(ESA[0]), 1.7 / 3, np.mean(ESA[2])]
    assert found["esa", "semantics"].value == pytest.approx(np.corrcoef(*means)[0, 1])


def test_metrics_are_compared_by_williams(study):
    found = compare_metrics(study)
    assert list(found) == [("esa", "other", "semantics")]
    assert found["esa", "other", "semantics"].statistic < 0  # the other one agrees better here
    assert compare_metrics(study, "undetected-2")["esa", "other", "semantics"].undefined is not None


def test_disagreements_are_found_on_both_sides(study):
    found = {
        (case.kind, case.system, case.input): (case.rating, case.score)
        for case in disagreements(study, "esa")
    }
    assert found == {
        ("underrated", 1, 0): (3.0, 0.2),
        ("overrated", 0, 3): (1.0, 0.95),
        ("overrated", 1, 2): (1.0, 1.0),
    }
    with pytest.raises(DataError, match="no metric 'bleu'"):
        disagreements(study, "bleu")


def test_equal_ratings_cannot_be_disagreed_with(study):
    equal = Variable("semantics", "rating", np.ones((3, 4)))
    assert disagreements(replace(study, variables=(equal, *study.of("metric"))), "esa") == []


def test_reliability_is_there_where_texts_have_several_ratings():
    found = rating_reliability({"raw": [[1, 1], [3, 2], [2]], "mean": [[1], [2], [3]]})
    assert list(found) == ["raw"]
    assert found["raw"].texts == 2


FLAG = {"system": "s", "id": "Id1", "start": 0, "end": 4, "text": "Oslo", "class": "extra", "type": "name"}
MISSING = {"system": "s", "id": "Id1", "entity": "Mexico"}


def verdict_file(path, *records):
    path.write_text("".join(f"{json.dumps(one)}\n" for one in records), "utf-8")
    return path


def test_readers_are_named_in_the_line_or_by_the_file(tmp_path):
    first = verdict_file(
        tmp_path / "a.jsonl", FLAG | {"verdict": "right", "reader": "Ada"}, MISSING | {"verdict": "wrong"}
    )
    second = verdict_file(tmp_path / "b.jsonl", FLAG | {"verdict": "wrong"})
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
        read_verdicts([verdict_file(tmp_path / "v.jsonl", record)])


def test_one_reader_judges_once(tmp_path):
    twice = [FLAG | {"verdict": "right"}, FLAG | {"verdict": "wrong"}]
    with pytest.raises(DataError, match=r"v.jsonl:2: v.jsonl has judged this in an earlier line"):
        read_verdicts([verdict_file(tmp_path / "v.jsonl", *twice)])


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
    texts = ["Bionico is from Peru."] * 2 + ["Bionico is from Mexico.", "Bionico is a dish."]
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
    of_flags = ["flags", f"class {flag.kind}", f"type {flag.type}", "flags of s"]
    assert list(rows) == [*of_flags, "missing", "missing of s"]
    for name in of_flags:
        assert (rows[name]["found"], rows[name]["judged"], rows[name]["right"]) == (2, 2, 0.5)
        assert (rows[name]["per_text"], rows[name]["corrected"]) == (0.5, 0.25)
    assert (rows["missing"]["found"], rows["missing"]["judged"], rows["missing"]["corrected"]) == (3, 1, 0.75)
    assert rows["missing"]["right_high"] == 1.0
    assert summary.warnings[0].endswith("missing entity: 1, of which 1 say right and 0 wrong")
