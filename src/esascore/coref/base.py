"""The questions to a coreference resolver, and its answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from esascore.model import Input, Mention


@dataclass(frozen=True, slots=True)
class Pronoun:
    """A pronoun of a text: ``text == whole_text[start:end]``."""

    text: str
    start: int
    end: int


Question = tuple[Input, str, Sequence[Mention], Sequence[Pronoun]]
"""An input, a text, its named mentions in text order, and the pronouns to place."""


class CorefResolver(Protocol):
    """Says which entity of the input a pronoun refers to."""

    def resolve(self, questions: Sequence[Question]) -> list[list[str | None]]:
        """Return, for each question, one entity per pronoun (None if it is not an entity of the input)."""

    def version(self) -> str:
        """Return what the signature says about this resolver."""
