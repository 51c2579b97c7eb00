"""Ratings and scores of every form, and what is wrong with bad ones."""

from __future__ import annotations

import json

import pytest

from esascore.errors import DataError
from esascore.gold.ratings.files import match_names, read_ratings, read_scores
from esascore.model import Example, Graph

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
