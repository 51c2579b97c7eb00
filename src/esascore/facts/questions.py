"""Questions about data and texts, their answers, and who asks and answers: data-QuestEval's parts.

A question has the answer that whoever asked it knows. It is asked to the other side: a question about the
data to the text, a question about the text to the data. An answerer that finds no answer says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from esascore.fact_results import Answer, Question, Role
from esascore.facts.bank import words_of
from esascore.facts.verdicts import Page
from esascore.lexicon import label
from esascore.model import Triple


class QuestionGenerator(Protocol):
    """Asks questions about data and about texts."""

    def from_data(self, pages: Sequence[Page]) -> list[list[Question]]:
        """Questions about the data of each page."""

    def from_text(self, pages: Sequence[Page]) -> list[list[Question]]:
        """Questions about the text of each page."""

    def version(self) -> str:
        """What identifies the generator, for signatures."""


class Answerer(Protocol):
    """Answers questions from a text or from data."""

    def from_text(self, asked: Sequence[tuple[Question, Page]]) -> list[Answer]:
        """Answer each question from the text of its page."""

    def from_data(self, asked: Sequence[tuple[Question, Page]]) -> list[Answer]:
        """Answer each question from the data of its page."""

    def version(self) -> str:
        """What identifies the answerer, for signatures."""


Questioner = tuple[QuestionGenerator | None, Answerer]
"""Who asks, and who answers; where nobody asks, questions come from templates."""


def question_of(fact: Triple, role: Role, answer: str | None = None) -> Question:
    """Ask for one role of a fact in a template.

    Examples
    --------
    >>> fact = Triple("Ada_Bridge", "leadArchitect", "Bo_Berg")
    >>> question_of(fact, "object").text, question_of(fact, "subject").text
    ('What is the lead architect of Ada Bridge?', 'What has the lead architect Bo Berg?')
    """
    predicate = words_of(fact.predicate)
    subject, object_ = label(fact.subject), label(fact.object)
    if role == "object":
        text, own, entity = f"What is the {predicate} of {subject}?", object_, fact.object
    else:
        text, own, entity = f"What has the {predicate} {object_}?", subject, fact.subject
    return Question(text, own if answer is None else answer, fact, role, entity if answer is None else None)
