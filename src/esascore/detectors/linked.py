"""Mentions that an entity linker found, where it names an entity of the input."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from esascore.detectors.base import mention
from esascore.errors import LinkerError
from esascore.link.base import EntityLinker
from esascore.link.equality import EntityNames
from esascore.model import LinkFailure, Links, Mention
from esascore.text.document import Document

METHOD = "linker"
# A linker reads the text and not the input, so a name of the entity is better evidence.
_COST = 0.02


@dataclass(frozen=True, slots=True)
class Linked:
    """Asks a linker about texts, and turns links to entities of the input into mentions.

    Parameters
    ----------
    linker
        The linker to ask.
    names
        Tells whether a linked entity and a term of the input are the same thing.
    allow_failures
        Whether to continue if there is no answer.

    Examples
    --------
    >>> from esascore.model import Graph, LinkedMention
    >>> class Example:
    ...     def link(self, texts, documents=None):
    ...         return [(LinkedMention(6, 19, "the Big Apple", "New_York_City"),) for _ in texts]
    ...     def version(self):
    ...         return "example"
    >>> document = Document(Graph.from_triples([("Ada", "home", "New York City")]), "I saw the Big Apple.")
    >>> linked = Linked(Example(), EntityNames())
    >>> [links] = linked.ask([document])
    >>> [(found.entity, found.text) for found in linked.mentions(document, links)]
    [('New York City', 'the Big Apple')]
    """

    linker: EntityLinker
    names: EntityNames
    allow_failures: bool = False

    def ask(self, documents: Sequence[Document]) -> list[Links]:
        """Return the links of each document.

        Raises
        ------
        LinkerError
            If a text has no answer, and that is not allowed.
        """
        answers = self.linker.link([document.text for document in documents], documents)
        failures = [answer for answer in answers if isinstance(answer, LinkFailure)]
        if failures and not self.allow_failures:
            raise LinkerError(
                f"the entities of {len(failures)} of {len(answers)} texts are unknown: {failures[0].reason} "
                "(--allow-linker-failures continues without them and lists them)"
            )
        return answers

    def mentions(self, document: Document, links: Links) -> list[Mention]:
        """Return the links of a document that name an entity of its input, as mentions."""
        if isinstance(links, LinkFailure):
            return []
        return [
            mention(document.text, link.start, link.end, entity.term, METHOD, cost=_COST)
            for link in links
            for entity in document.input.entities
            if self.names.same(link.entity, entity.term)
        ]
