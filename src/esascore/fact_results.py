"""What models find out about facts: verdicts on them, and questions with the answers that they got."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from esascore.data import Triple

Ruling = Literal["stated", "contradicted", "not stated"]
RULINGS: tuple[Ruling, ...] = ("stated", "contradicted", "not stated")


@dataclass(frozen=True, slots=True)
class FactVerdict:
    """What a text says about a fact.

    Attributes
    ----------
    fact
        The fact of the input.
    ruling
        A name of `RULINGS`.
    probability
        What the verifier says; 0 if one of the entities is not mentioned.
    known
        Whether the model was trained for such facts; if not, the verdict is a guess and counts for nothing.
    instead
        What the text states instead, where it contradicts the fact.
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

    ``fact`` and ``role`` say what is asked for, where the question was made from a fact: what takes this role
    in it. ``entity`` is the entity that the answer names, if it names one. ``confidence`` is how sure it is
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
    """What was answered, and how sure it is that there is an answer; None is "unanswerable"."""

    text: str | None
    confidence: float
    entity: str | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with what was answered: asked about the ``data`` or the ``text``, to the other one."""

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
