"""data-QuestEval with templates and ranking, worked by hand."""

from __future__ import annotations

import math

import pytest

from esascore.facts.similarity import token_f1
from esascore.metrics.base import Batch
from esascore.metrics.questeval import QuestEval
from esascore.model import Cell, Example, Graph, Table
from esascore.pipeline import build_pipeline

GRAPH = Graph.from_triples([("Ada_Lund", "employer", "Bo_Berg"), ("Ada_Lund", "country", "France")])
PHRASES = {"employer": ["{s} works for {o}"], "country": ["{s} is from {o}", "{s} is {o}"]}


class Reader:
    """Takes for stated what one of the phrases above says, word for word."""

    def probabilities(self, claims):
        return [0.9 if self.says(claim) else 0.1 for claim in claims]

    def says(self, claim) -> bool:
        subjects, objects = (
            [claim.text[slice(*span)] for span in spans] for spans in (claim.subject, claim.object)
        )
        return any(
            phrase.format(s=s, o=o) in claim.text
            for phrase in PHRASES.get(claim.predicate, ())
            for s in subjects
            for o in objects
        )

    def knows(self, predicate, kind):
        return True

    def sorts(self):
        return {}

    def version(self):
        return "reader.v1"


@pytest.fixture(scope="module")
def metric():
    return QuestEval(detector=build_pipeline(facts=Reader()))


def scored(metric, text, input_=GRAPH):
    detector = metric._detector
    batch = Batch([Example("1", input_)], [text], detect=lambda: detector.detect([(input_, text)]))
    [asked] = metric.ask(batch)
    [row] = metric.statistics(batch).tolist()
    return row, asked


def test_a_text_that_says_it_all_answers_every_question(metric):
    row, asked = scored(metric, "Ada Lund works for Bo Berg. Ada Lund is French.")
    assert row == [1.0, 1.0, 1.0]
    assert [one.as_dict() for one in asked if one.about == "data"][2] == {
        "about": "data",
        "question": "What is the country of Ada Lund?",
        "expected": "France",
        "answer": "French",  # which is France
        "score": 1.0,
    }


def test_what_is_left_out_is_unanswerable(metric):
    row, asked = scored(metric, "Ada Lund works for Bo Berg.")
    # Two of four questions about the data are answered, and both questions about the text.
    assert row == [0.75, 1.0, 0.5]
    assert [one.answer.text for one in asked if one.about == "data"] == ["Bo Berg", "Ada Lund", None, None]


def test_roles_exchanged_are_wrong_on_both_sides(metric):
    row, _ = scored(metric, "Bo Berg works for Ada Lund.")
    assert row == [0.0, 0.0, 0.0]


def test_a_value_that_only_the_text_has_costs_precision(metric):
    row, asked = scored(metric, "Ada Lund works for Bo Berg. Ada Lund is from Peru.")
    # Who employs whom, asked twice, and the country, for which the data have another answer.
    about_text = [one for one in asked if one.about == "text"]
    assert [(one.question.answer, one.answer.text, one.score) for one in about_text] == [
        ("Bo Berg", "Bo Berg", 1.0),
        ("Ada Lund", "Ada Lund", 1.0),
        ("Peru", "France", 0.0),
    ]
    assert row == pytest.approx([(2 / 3 + 0.5) / 2, 2 / 3, 0.5])


@pytest.mark.parametrize("text", ["", "null", "Nothing of it."])
def test_a_text_that_says_nothing_scores_nothing(metric, text):
    assert scored(metric, text)[0] == [0.0, 0.0, 0.0]


def test_an_input_without_facts_has_no_score(metric):
    row, asked = scored(metric, "Oslo", Table((Cell("Oslo", "city"),)))
    assert asked == ()
    assert all(map(math.isnan, row))


def test_the_signature_names_who_asks_and_answers(metric):
    text = str(metric.signature())
    for part in ("questions:templates.v1", "answers:ranking.v1.reader.v1", "similarity:aligned.v1"):
        assert part in text


@pytest.mark.parametrize(
    ("one", "other", "f1"),
    [("Bo Berg", "berg", 2 / 3), ("the", "the", 1.0), ("the", "a", 0.0), ("1,000", "1 000", 1.0)],
)
def test_token_f1(one, other, f1):
    assert token_f1(one, other) == pytest.approx(f1)
