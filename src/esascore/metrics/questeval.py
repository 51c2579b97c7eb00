"""data-QuestEval (Rebuffel et al. 2021): with models of questions, or with templates and a model of facts.

Two answers are alike if one of them realises the entity that the other one means, as detection sees it:
"French" is *France*, and dates and numbers are compared by value. Otherwise the F-measure of their words
counts.
"""

from __future__ import annotations

from math import nan
from typing import ClassVar

import numpy as np

from esascore.explain.unexplained import find_unexplained
from esascore.facts.questeval import Asked, precision_recall, question_pages
from esascore.facts.questions import Answer, Question, Questioner
from esascore.facts.similarity import token_f1
from esascore.facts.templates import RankingAnswerer, TemplateQuestions
from esascore.facts.verdicts import Page
from esascore.metrics.base import Batch, Column, Need, Signature, Statistics
from esascore.metrics.facts import required_verifier
from esascore.metrics.kinds import DetectorMetric, MeanMetric
from esascore.model import Detection, Example, Graph
from esascore.text.blank import is_blank
from esascore.text.document import Document

VERSION = "v1"


class QuestEval(DetectorMetric, MeanMetric):
    """The mean of precision and recall of questions and answers; undefined for inputs without facts."""

    name: ClassVar[str] = "questeval"
    needs: ClassVar[Need] = "detections"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("questeval", "QuestEval", "QuestEval", meaning="mean of QE-P and QE-R"),
        Column(
            "questeval_precision",
            "QE-P",
            "QE-P",
            meaning="how well the input answers questions about the text",
        ),
        Column(
            "questeval_recall", "QE-R", "QE-R", meaning="how well the text answers questions about the input"
        ),
    )
    measures: ClassVar[tuple[str, ...]] = ("", "precision", "recall")

    def ask(self, batch: Batch) -> list[tuple[Asked, ...]]:
        """Ask all questions about each text and its input."""
        texts = zip(batch.examples, batch.detections, batch.documents, strict=True)
        return question_pages([self._page(*text) for text in texts], *self._questioner(), self._similarity)

    def signature(self) -> Signature:
        """The settings of detection, and everything that asks, answers and compares."""
        generator, answerer = self._questioner()
        return self._signature(
            questeval=VERSION,
            questions=generator.version(),
            answers=answerer.version(),
            similarity="aligned.v1",
            blank="zero",
            undefined="excluded",
        )

    def statistics(self, batch: Batch) -> Statistics:
        """Per text the score, precision and recall; NaN if the input has no facts."""
        found = self.ask(batch)
        if batch.details is not None:
            batch.details[self.name] = found
        rows = np.full((len(batch), len(self.measures)), nan)
        for row, asked in zip(rows, found, strict=True):
            precision, recall = precision_recall(asked)
            if recall is not None:
                # A text that states nothing has nothing to be asked about, and is right about none of it.
                precision = 0.0 if precision is None else precision
                row[:] = (precision + recall) / 2, precision, recall
        return rows

    def _questioner(self) -> Questioner:
        if self._detector.questioner is not None:
            return self._detector.questioner
        verifier = required_verifier(self._detector)
        return TemplateQuestions(verifier), RankingAnswerer(verifier)

    def _page(self, example: Example, found: Detection, document: Document) -> Page:
        if is_blank(found.text):
            return Page.of(example.input, found)
        explained = self._detector.explainer.explain(example.input, example.original)
        strange = find_unexplained(document, explained, None, found.mentions, found.links)
        return Page.of(example.input, found, tuple((span.start, span.end) for span in strange))

    def _similarity(self, question: Question, answer: Answer) -> float:
        if question.entity is not None and answer.entity is not None and question.entity == answer.entity:
            return 1.0
        score = token_f1(question.answer, answer.text or "")
        entity = question.entity or answer.entity
        said = answer.text if question.entity is not None else question.answer
        if score < 1 and entity is not None and said:
            graph = Graph.from_triples([(entity, "name", entity)])
            [found] = self._detector.detect([(graph, said)], whole=False)
            score = max(score, float(not found.undetected))
        return score
