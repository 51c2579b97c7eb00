"""What an entity linker is asked and what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from esascore.model import Input, LinkedMention, LinkFailure, Links

__all__ = ["EntityLinker", "LinkFailure", "LinkedMention", "Links"]


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
