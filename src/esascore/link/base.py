"""What an entity linker is asked and what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from esascore.model import Input


@dataclass(frozen=True, slots=True)
class LinkedMention:
    """A span of a text and the entity of a knowledge base that it names.

    Attributes
    ----------
    start, end, text
        Where it stands: ``text == whole_text[start:end]``, counted in code points of the text as it was given.
    entity
        The name of the entity as Wikipedia and DBpedia write it, with underscores: ``New_York_City``.
    confidence
        How sure the linker is, between 0 and 1; None where it does not say.
    type
        What kind of thing it is, in the linker's own words (``PER``, ``Place``); None where it does not say.
    """

    start: int
    end: int
    text: str
    entity: str
    confidence: float | None = None
    type: str | None = None


@dataclass(frozen=True, slots=True)
class LinkFailure:
    """Why the entities of a text are unknown, which is something else than that there are none."""

    reason: str


Links = tuple[LinkedMention, ...] | LinkFailure
"""The entities of one text in text order, without overlaps, or why they are unknown."""


class EntityLinker(Protocol):
    """Finds the entities of a knowledge base that texts name."""

    def link(self, texts: Sequence[str], inputs: Sequence[Input] | None = None) -> list[Links]:
        """Return the links of each text, in order.

        ``inputs`` are what the texts were made from, one for each text: a linker may use them to choose
        between entities of the same name, never to invent a mention.
        """
        ...

    def version(self) -> str:
        """Return what the signature says about this linker."""
        ...
