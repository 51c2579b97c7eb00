"""data-QuestEval with templates and ranking, worked by hand."""

from __future__ import annotations

import math

import pytest

from esascore.fact_results import Answer, Question
from esascore.facts.questions import question_pages
from esascore.facts.similarity import TokenF1, token_f1
from esascore.metrics.base import Batch
from esascore.metrics.questeval import QuestEval
from esascore.model import Cell, Example, Graph, Input
from esascore.pipeline import build_pipeline
from fakes import PhraseReader

GRAPH = Graph.from_triples([("Ada_Lund", "employer", "Bo_Berg"), ("Ada_Lund", "country", "France")])
PHRASES = {"employer": ["{s} is employed by {o}"], "country": ["{s} is from {o}", "{s} is {o}"]}
READER = PhraseReader(PHRASES, stated=0.8, other=0.0)


@pytest.fixture(scope="module")
def metric():
    return QuestEval(detector=build_pipeline(facts=READER))


def scored(metric, text, input_=GRAPH):
    detector = metric._detector
    batch = Batch([Example("1", input_)], [text], detect=lambda: detector.detect([(input_, text)]))
    [asked] = metric.ask(batch)
    [row] = metric.statistics(batch).tolist()
    return row, asked


def test_a_text_that_says_it_all_answers_every_question(metric):
    row, asked = scored(metric, "Ada Lund is employed by Bo Berg. Ada Lund is French.")
    # Each answer is right, and it is sure to 0.8 that there is one: (1 + 0.8) / 2.
    assert row == pytest.approx([0.9] * 4)
    assert [one.as_dict() for one in asked if one.about == "data"][2] == {
        "about": "data",
        "question": "What is the country of Ada Lund?",
        "expected": "France",
        "answer": "French",  # which is France
        "score": 0.9,
    }
    assert [one.question.entity for one in asked if one.about == "text"] == ["Ada_Lund", "Bo_Berg", "France"]


def test_what_is_left_out_is_unanswerable(metric):
    row, asked = scored(metric, "Ada Lund is employed by Bo Berg.")
    # Two of four questions about the data are answered, and the questions about both mentions.
    assert row == pytest.approx([(0.9 + 0.45) / 2, 0.9, 0.45, 2 * 0.9 * 0.45 / 1.35])
    assert [one.answer.text for one in asked if one.about == "data"] == ["Bo Berg", "Ada Lund", None, None]


def test_roles_exchanged_are_wrong_on_both_sides(metric):
    row, asked = scored(metric, "Bo Berg is employed by Ada Lund.")
    assert row == [0.0] * 4
    assert [one.question.text for one in asked if one.about == "text"] == [
        "What has the employer Ada Lund?",
        "What is the employer of Bo Berg?",
    ]


def test_a_value_that_only_the_text_has_costs_precision(metric):
    row, asked = scored(metric, "Ada Lund is employed by Bo Berg. Ada Lund is from Peru.")
    about_text = [one for one in asked if one.about == "text"]
    assert [(one.question.answer, one.answer.text, one.score) for one in about_text] == [
        ("Ada Lund", "Ada Lund", pytest.approx(0.9)),
        ("Bo Berg", "Bo Berg", pytest.approx(0.9)),
        ("Peru", "France", pytest.approx(0.4)),  # there is an answer, and it is another one
    ]
    # The country is asked for in the data, too, where the text has another answer.
    assert row[1:3] == pytest.approx([2.2 / 3, (0.9 + 0.9 + 0.4 + 0) / 4])


def test_whatever_nothing_explains_is_asked_for_in_vain(metric):
    row, asked = scored(metric, "Ada Lund is employed by Bo Berg, a dentist.")
    assert asked[-1].as_dict() == {
        "about": "text",
        "question": 'What in the data is "dentist"?',
        "expected": "dentist",
        "answer": None,
        "score": 0.0,
    }
    assert row[1] == pytest.approx(1.8 / 3)


@pytest.mark.parametrize("text", ["", "null", "Nothing of it."])
def test_a_text_that_says_nothing_scores_nothing(metric, text):
    assert scored(metric, text)[0] == [0.0] * 4


def test_an_input_without_facts_has_no_score(metric):
    row, asked = scored(metric, "Oslo", Input.from_table((Cell("Oslo", "city"),)))
    assert asked == ()
    assert all(map(math.isnan, row))


def test_an_input_that_the_model_was_not_trained_for_has_no_score(metric):
    row, _ = scored(
        metric, "Ada Lund is employed by Bo Berg.", Graph.from_data({"name": "Ada Lund", "boss": "Bo"})
    )
    assert all(map(math.isnan, row))


def test_the_signature_names_who_asks_and_answers_and_compares(metric):
    text = str(metric.signature())
    for part in ("questions:templates.v2", "answers:ranking.v2.reader.v1", "similarity:aligned.v1", "half"):
        assert part in text
    other = QuestEval(detector=build_pipeline(facts=READER, similarity="f1"))
    assert "similarity:f1.v1" in str(other.signature())


def test_by_words_french_is_not_france():
    metric = QuestEval(detector=build_pipeline(facts=READER, similarity="f1"))
    _, asked = scored(metric, "Ada Lund is employed by Bo Berg. Ada Lund is French.")
    assert [one.score for one in asked if one.about == "data"] == pytest.approx([0.9, 0.9, 0.4, 0.9])


class Written:
    """Asks one question on each side, and answers it as it is told."""

    def __init__(self, answer):
        self.answer = answer

    def _questions(self, pages):
        return [[Question("Who?", "Bo Berg")] for _ in pages]

    def _answers(self, asked):
        return [self.answer for _ in asked]

    from_data = from_text = _questions


class Answering(Written):
    from_data = from_text = Written._answers


def test_as_published_confidence_counts_for_nothing():
    """A question scores how alike the answers are, and 0 if there is none."""
    for answer, score in ((Answer("Berg", 0.3), 2 / 3), (Answer(None, 0.3), 0.0)):
        [asked] = question_pages([object()], Written(answer), Answering(answer), TokenF1())
        assert [one.score for one in asked] == pytest.approx([score] * 2)
        [asked] = question_pages([object()], Written(answer), Answering(answer), TokenF1(), confidence=True)
        assert [one.score for one in asked] == pytest.approx([(score + 0.3) / 2] * 2)


@pytest.mark.parametrize(
    ("one", "other", "f1"),
    [("Bo Berg", "berg", 2 / 3), ("the", "the", 1.0), ("the", "a", 0.0), ("1,000", "1 000", 1.0)],
)
def test_token_f1(one, other, f1):
    assert token_f1(one, other) == pytest.approx(f1)
