"""Questions about data and texts, their answers, and who asks and answers: data-QuestEval's parts.

A question has the answer that whoever asked it knows. It is asked to the other side: a question about the
data to the text, a question about the text to the data. An answerer that finds no answer says so.

A question scores how like its answer is to the one that it gets from the other side, 0 if there is none.
Where confidence counts, it is half of the score: how sure it is that the text says what is asked for, and
that there is an answer. (The published program, too, takes the mean of similarity and answerability.) Recall
is the mean over the questions about the data, precision over those about the text, and the score of a text is
the mean of the two, as published. A side without a question has no figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol

from esascore.fact_results import Answer, Asked, Question, Role
from esascore.facts.bank import words_of
from esascore.facts.similarity import Similarity
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


def question_pages(
    pages: Sequence[Page],
    generator: QuestionGenerator,
    answerer: Answerer,
    similarity: Similarity,
    *,
    confidence: bool = False,
) -> list[tuple[Asked, ...]]:
    """Ask all questions about the data and the text of each page, equal ones once.

    ``confidence`` says whether it counts, as half of the score of a question.
    """
    found: list[list[Asked]] = [[] for _ in pages]
    sides: tuple[tuple[Literal["data", "text"], Any, Any], ...] = (
        ("data", generator.from_data, answerer.from_text),
        ("text", generator.from_text, answerer.from_data),
    )
    for about, ask, answer in sides:
        asked = [
            (number, question)
            for number, questions in enumerate(ask(pages))
            for question in dict.fromkeys(questions)
        ]
        answers = answer([(question, pages[number]) for number, question in asked])
        pairs = [(question, given) for (_, question), given in zip(asked, answers, strict=True)]
        alike = iter(similarity.scores([pair for pair in pairs if pair[1].text is not None]))
        for (number, _), (question, given) in zip(asked, pairs, strict=True):
            score = 0.0 if given.text is None else next(alike)
            if confidence:
                score = (score + question.confidence * given.confidence) / 2
            found[number].append(Asked(question, about, given, score))
    return [tuple(some) for some in found]


def precision_recall(asked: Sequence[Asked]) -> tuple[float | None, float | None]:
    """Return the mean score of the questions about the text, and of those about the data.

    Examples
    --------
    >>> from esascore.fact_results import Answer, Question
    >>> one = Asked(Question("Who?", "Bo"), "data", Answer("Bo", 1.0), 1.0)
    >>> precision_recall([one, Asked(Question("When?", "1900"), "data", Answer(None, 0.0), 0.0)])
    (None, 0.5)
    """
    means = []
    for about in ("text", "data"):
        scores = [one.score for one in asked if one.about == about]
        means.append(sum(scores) / len(scores) if scores else None)
    return means[0], means[1]
