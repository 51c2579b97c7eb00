"""The paper's last resort: in a text about one entity, a pronoun refers to that entity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from esascore.coref.base import Question


@dataclass(frozen=True, slots=True)
class RootResolver:
    """Gives every pronoun to the root of the graph; a table has none."""

    def resolve(self, questions: Sequence[Question]) -> list[list[str | None]]:
        """Return the root for every pronoun."""
        return [[input_.root] * len(pronouns) for input_, _, _, pronouns in questions]

    def version(self) -> str:
        """Return ``root``: there is nothing to vary."""
        return "root"
