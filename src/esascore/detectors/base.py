"""What every detector is: a document in, proposed mentions out.

A detector proposes; `esascore.resolve` decides. Proposals of one detector and of several may overlap.
Anaphoric detectors (descriptions, pronouns) come after the decision, since they need to know what the
names around them refer to.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import Protocol, TypeVar

from esascore.model import Mention
from esascore.text.document import Document

T = TypeVar("T")

_Fields = tuple[str, int, int, str, str, float | None, str | None, float, tuple[str, ...]]
mention_of: Callable[[_Fields], Mention] = partial(tuple.__new__, Mention)
"""Makes a mention of all its fields, in half the time that calling the class takes; many are made."""


class Proposer(Protocol):
    """Proposes mentions from the text and the input alone."""

    def propose(self, documents: Sequence[Document]) -> list[list[Mention]]:
        """Return the proposals for each document, in order."""


class AnaphorProposer(Protocol):
    """Proposes mentions that refer to what was named elsewhere in the text."""

    def propose(
        self, documents: Sequence[Document], named: Sequence[Sequence[Mention]]
    ) -> list[list[Mention]]:
        """Return the proposals for each document, given its resolved mentions in text order."""


def mention(
    text: str,
    start: int,
    end: int,
    entity: str,
    method: str,
    distance: float | None = None,
    variant: str | None = None,
    cost: float = 0.0,
) -> Mention:
    """Make a mention of ``text[start:end]``.

    Examples
    --------
    >>> mention("In Paris.", 3, 8, "Paris", "string", 0.0).text
    'Paris'
    """
    return mention_of((entity, start, end, text[start:end], method, distance, variant, cost, ()))


_start = attrgetter("start")


def is_taken(mentions: Sequence[Mention], start: int, end: int) -> bool:
    """Say whether one of the mentions, which are in text order and do not overlap, has a part of the span.

    Examples
    --------
    >>> named = [Mention("Oslo", 3, 7, "Oslo", "string")]
    >>> is_taken(named, 6, 9), is_taken(named, 7, 9)
    (True, False)
    """
    at = bisect_left(mentions, end, key=_start)
    return at > 0 and mentions[at - 1].end > start
