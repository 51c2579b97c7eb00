"""What models find out about facts: verdicts on them, and questions with their answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from esascore.data import Triple

Ruling = Literal["stated", "contradicted", "not stated"]
RULINGS: tuple[Ruling, ...] = ("stated", "contradicted", "not stated")


@dataclass(frozen=True, slots=True)
class FactVerdict:
    """The verdict on a fact: what a text says about it.

    Attributes
    ----------
    fact
        The fact of the input.
    ruling
        A name of `RULINGS`.
    probability
        The probability from the verifier; 0 if one of the entities is not mentioned.
    known
        Whether the model was trained for such facts; if not, the verdict is a guess and does not count.
    instead
        What the text states instead, if it contradicts the fact.
    """

    fact: Triple
    ruling: Ruling
    probability: float
    known: bool
    instead: Triple | None = None

    def as_dict(self) -> dict[str, Any]:
        """The object for JSON output."""
        listed: dict[str, Any] = {"fact": self.fact.as_list(), "verdict": self.ruling}
        listed |= {"probability": self.probability, "known": self.known}
        return listed if self.instead is None else {**listed, "instead": self.instead.as_list()}

    def __str__(self) -> str:
        told = f"{self.fact}: {self.ruling} ({self.probability:.2f})"
        if self.instead is not None:
            told += f", the text says {self.instead}"
        return told if self.known else f"{told}; a guess: the model was not trained for such facts"


Role = Literal["subject", "object"]


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the answer to it.

    If the question was made from a fact, ``fact`` and ``role`` say what it asks for: the term with this role
    in the fact. ``entity`` is the entity that the answer names, if any. ``confidence`` is how certain it is
    that the text says what is asked for.
    """

    text: str
    answer: str
    fact: Triple | None = None
    role: Role = "object"
    entity: str | None = None
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer, and how certain it is that there is one; None means "unanswerable"."""

    text: str | None
    confidence: float
    entity: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about the ``data`` or the ``text``, with the answer found in the other one."""

    question: Question
    about: Literal["data", "text"]
    answer: Answer
    score: float

    def as_dict(self) -> dict[str, Any]:
        """The object for JSON output."""
        return {
            "about": self.about,
            "question": self.question.text,
            "expected": self.question.answer,
            "answer": self.answer.text,
            "score": self.score,
        }
