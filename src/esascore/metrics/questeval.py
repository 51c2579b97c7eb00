"""data-QuestEval (Rebuffel et al. 2021): with models of questions, or with templates and a model of facts.

Where models ask, a question scores what the published definition says: how alike the two answers are. Where
templates ask, how sure it is that the text says so and that there is an answer counts for half
(`esascore.facts.questions`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import ClassVar

import numpy as np

from esascore.claims.unexplained import find_unexplained
from esascore.fact_results import Answer, Asked, Question
from esascore.facts.questions import (
    Answerer,
    QuestionGenerator,
    RankingAnswerer,
    TemplateQuestions,
    precision_recall,
    question_pages,
)
from esascore.facts.similarity import Similarity, token_f1
from esascore.facts.verdicts import Page
from esascore.metrics.base import Batch, Column, Detector, Need, Signature, Statistics
from esascore.metrics.bases import DetectorMetric, MeanMetric
from esascore.metrics.facts import knows_any, required_verifier
from esascore.metrics.support import content_words, stretches, unsupported_words
from esascore.model import Detection, Example, Input
from esascore.text.blank import is_blank
from esascore.text.document import Document

VERSION = "v3"


class Aligned:
    """Two answers are alike if one realises the entity that the other one means, as detection sees it.

    "French" is *France*, and dates and numbers are compared by value. Otherwise the F-measure of their words
    counts.
    """

    def __init__(self, detector: Detector):
        self._detector = detector

    def scores(self, pairs: Sequence[tuple[Question, Answer]]) -> list[float]:
        """Compare each answer with the expected one."""
        return [self._score(*pair) for pair in pairs]

    def version(self) -> str:
        """Return the version of the rule."""
        return "aligned.v1"

    def _score(self, question: Question, answer: Answer) -> float:
        if question.entity is not None and answer.entity is not None and question.entity == answer.entity:
            return 1.0
        score = token_f1(question.answer, answer.text or "")
        entity = question.entity or answer.entity
        said = answer.text if question.entity is not None else question.answer
        if score < 1 and entity is not None and said:
            graph = Input.from_triples([(entity, "name", entity)])
            [found] = self._detector.detect([(graph, said)], whole=False)
            score = max(score, float(not found.undetected))
        return score


class QuestEval(DetectorMetric, MeanMetric):
    """The mean of precision and recall of questions and answers.

    Undefined for inputs without facts and, if templates ask, without any fact that the model of facts was
    trained for.
    """

    name: ClassVar[str] = "questeval"
    needs: ClassVar[Need] = "detections"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("questeval", "QuestEval", meaning="mean of QE-P and QE-R"),
        Column("questeval_precision", "QE-P", meaning="how well the input answers questions about the text"),
        Column("questeval_recall", "QE-R", meaning="how well the text answers questions about the input"),
        Column("questeval_f", "QE-F", meaning="harmonic mean of QE-P and QE-R"),
    )
    measures: ClassVar[tuple[str, ...]] = ("", "precision", "recall", "f")

    def ask(self, batch: Batch) -> list[tuple[Asked, ...]]:
        """Ask all questions about each text and its input."""
        texts = zip(batch.examples, batch.detections, batch.documents, strict=True)
        return question_pages(
            [self._page(*text) for text in texts],
            *self._questioner(),
            self._similarity(),
            confidence=self._asks_by_templates,
        )

    def signature(self) -> Signature:
        """Return the settings of detection, and everything that asks, answers and compares."""
        generator, answerer = self._questioner()
        return self._signature(
            questeval=VERSION,
            questions=generator.version(),
            answers=answerer.version(),
            similarity=self._similarity().version(),
            confidence="half" if self._asks_by_templates else "none",
            blank="zero",
            undefined="excluded",
        )

    def statistics(self, batch: Batch) -> Statistics:
        """Return per text the score, precision, recall and F; NaN if the input has no facts that count."""
        found = self.ask(batch)
        if batch.details is not None:
            batch.details[self.name] = found
        rows = np.full((len(batch), len(self.measures)), nan)
        for row, asked, example in zip(rows, found, batch.examples, strict=True):
            precision, recall = precision_recall(asked)
            if recall is not None and self._is_known(example):
                # A text that states nothing has nothing to be asked about, and is right about none of it.
                precision = 0.0 if precision is None else precision
                both = precision + recall
                row[:] = both / 2, precision, recall, 2 * precision * recall / both if both else 0.0
        return rows

    @property
    def _asks_by_templates(self) -> bool:
        return self._detector.questioner is None or self._detector.questioner[0] is None

    def _is_known(self, example: Example) -> bool:
        return not self._asks_by_templates or knows_any(required_verifier(self._detector), example)

    def _similarity(self) -> Similarity:
        return Aligned(self._detector) if self._detector.similarity is None else self._detector.similarity

    def _questioner(self) -> tuple[QuestionGenerator, Answerer]:
        generator, answerer = self._detector.questioner or (None, None)
        if generator is None:
            generator = TemplateQuestions(required_verifier(self._detector))
        return generator, answerer or RankingAnswerer(required_verifier(self._detector))

    def _page(self, example: Example, found: Detection, document: Document) -> Page:
        if is_blank(found.text):
            return Page.of(example.input, found)
        explained = self._detector.explainer.explain(example.input, example.original)
        strange = [
            (span.start, span.end)
            for span in find_unexplained(document, explained, None, found.mentions, found.links)
        ]
        words = unsupported_words(document, content_words(document), found.mentions, explained)
        said = [(stretch.start, stretch.end) for stretch in stretches(document, words)]
        more = [(a, b) for a, b in said if not any(a < end and start < b for start, end in strange)]
        return Page.of(example.input, found, tuple(strange), tuple(more))
