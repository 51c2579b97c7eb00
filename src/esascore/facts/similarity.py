"""How alike two answers are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from esascore.fact_results import Answer, Question
from esascore.text.vocabulary import function_words
from esascore.text.words import name_words


class Similarity(Protocol):
    """Says how like answers are to those that are known."""

    def scores(self, pairs: Sequence[tuple[Question, Answer]]) -> list[float]:
        """Return, for each question and the answer to it, a number between 0 and 1."""

    def version(self) -> str:
        """What identifies the comparison, for signatures."""


class TokenF1:
    """The F-measure of the words of two answers, as in SQuAD."""

    def scores(self, pairs: Sequence[tuple[Question, Answer]]) -> list[float]:
        """Compare each answer with the expected one."""
        return [token_f1(question.answer, answer.text or "") for question, answer in pairs]

    def version(self) -> str:
        """The version of the rule."""
        return "f1.v1"


def token_f1(one: str, other: str) -> float:
    """Return the F-measure of the words of two answers, without articles and other small words.

    Examples
    --------
    >>> token_f1("the River Wend", "Wend"), token_f1("Oslo", "Bergen"), token_f1("", "")
    (0.6666666666666666, 0.0, 1.0)
    """
    words, others = (Counter(_content(text)) for text in (one, other))
    if not words or not others:
        return float(words == others)
    common = (words & others).total()
    return 2 * common / (words.total() + others.total())


def _content(text: str) -> tuple[str, ...]:
    words = name_words(text)
    return tuple(word for word in words if word not in function_words()) or words
