"""The questions to an entity linker, and its answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from esascore.model import LinkedMention, LinkFailure, Links
from esascore.text.document import Document

__all__ = ["EntityLinker", "LinkFailure", "LinkedMention", "Links"]


class EntityLinker(Protocol):
    """Finds the entities of a knowledge base that texts name."""

    def link(self, texts: Sequence[str], documents: Sequence[Document] | None = None) -> list[Links]:
        """Return the links of each text, in order.

        ``documents`` are the texts as they have been read, with the inputs that they were made from: a linker
        may use an input to choose between entities of the same name, never to invent a mention.
        """

    def version(self) -> str:
        """Return what the signature says about this linker."""
