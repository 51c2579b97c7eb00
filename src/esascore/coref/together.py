"""Two resolvers together: rules that read the input, and a model that reads the text.

The rules are best where a triple shows which entity a clause is about, the model where none does and the
rules fall back on what is nearest. And the rules know of what kind an entity is, which the model may not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from esascore.coref.base import CorefResolver, Question
from esascore.coref.rules import Answer, RuleResolver


@dataclass(frozen=True, slots=True)
class Together:
    """Takes the rules' answer if a triple supports it, otherwise the model's if its kind fits.

    Examples
    --------
    >>> from esascore.coref.base import Pronoun
    >>> from esascore.model import Graph, Mention
    >>> class Model:
    ...     def resolve(self, questions):
    ...         return [["Ann_Lee"] for _ in questions]
    ...     def version(self):
    ...         return "example"
    >>> graph = Graph.from_triples([("Ann_Lee", "spouse", "Eve_Orr"), ("Eve_Orr", "spouse", "Ann_Lee")])
    >>> text = "Ann Lee met Eve Orr. She won."
    >>> spans = [("Ann_Lee", 0, 7), ("Eve_Orr", 12, 19)]
    >>> named = [Mention(entity, start, end, text[start:end], "string") for entity, start, end in spans]
    >>> question = (graph, text, named, [Pronoun("She", 21, 24)])
    >>> RuleResolver().resolve([question]), Together(Model(), RuleResolver()).resolve([question])
    ([['Eve_Orr']], [['Ann_Lee']])
    """

    model: CorefResolver
    rules: RuleResolver

    def resolve(self, questions: Sequence[Question]) -> list[list[str | None]]:
        """Return one entity for each pronoun; None if the rules say that no entity of the input is meant."""
        modelled = self.model.resolve(questions)
        ruled = self.rules.answers(questions)
        return [
            [_choice(*pair) for pair in zip(*answers, strict=True)]
            for answers in zip(modelled, ruled, strict=True)
        ]

    def version(self) -> str:
        """Return both versions, and that of how they are joined."""
        return f"{self.model.version()}+{self.rules.version()}+together.v1"


def _choice(modelled: str | None, ruled: Answer) -> str | None:
    if ruled.entity is None or ruled.by_triple or modelled not in ruled.candidates:
        return ruled.entity
    return modelled
