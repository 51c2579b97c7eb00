"""Synthetic questions and answers, to train models of questions: the four steps of the data-QuestEval paper.

A generator asks questions about the reference texts of a corpus (step 2). Each question with its answer is
then matched with the data of the text (step 3), so that models learn to ask and to answer it, from data and
from texts (step 4). A question about another input is unanswerable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from esascore.fact_results import Question
from esascore.facts.questions import QuestionGenerator
from esascore.facts.seq2seq import UNANSWERABLE, linearised, prompt
from esascore.facts.verdicts import Page
from esascore.trained.runs import check_counts

_UNANSWERABLE_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class PairSettings:
    """How often all pairs are read, how many at once, the learning rate, and what chance is drawn from."""

    epochs: int = 3
    batch: int = 16
    rate: float = 3e-4
    seed: int = 1

    def __post_init__(self) -> None:
        check_counts(self, "epochs", "batch")


@dataclass(frozen=True, slots=True)
class Pair:
    """What a model of one of `PARTS` reads, and what it should write."""

    part: str
    source: str
    target: str


def question_pairs(pages: Sequence[Page], generator: QuestionGenerator, seed: int) -> list[Pair]:
    """Make training pairs of texts with their data, equal ones once."""
    chance = Random(seed)
    asked = generator.from_text(pages)
    pairs: dict[Pair, None] = {}
    for number, (page, questions) in enumerate(zip(pages, asked, strict=True)):
        contexts = {"data": linearised(page.facts), "text": page.text}
        for question in questions:
            for side, context in contexts.items():
                pairs[Pair(f"{side}-qg", prompt(question.answer, context), question.text)] = None
                pairs[Pair(f"{side}-qa", prompt(question.text, context), question.answer)] = None
        for question in _strange(asked, number, chance) if len(pages) > 1 else ():
            for side, context in contexts.items():
                pairs[Pair(f"{side}-qa", prompt(question.text, context), UNANSWERABLE)] = None
    return list(pairs)


def _strange(asked: Sequence[Sequence[Question]], number: int, chance: Random) -> list[Question]:
    """Draw questions about another input, for some of those about this one."""
    own = {question.text for question in asked[number]}
    found = []
    for _ in asked[number]:
        if chance.random() < _UNANSWERABLE_SHARE:
            others = asked[(number + chance.randrange(1, len(asked))) % len(asked)]
            found += chance.sample(list(others), min(1, len(others)))
    return [question for question in found if question.text not in own]
