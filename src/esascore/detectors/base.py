"""The interface of detectors: a document in, proposed mentions out.

A detector proposes; `esascore.resolve` decides. Proposals of one detector and of several may overlap.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import Protocol

from esascore.model import Mention
from esascore.text.document import Document

_Fields = tuple[str, int, int, str, str, float | None, str | None, float, tuple[str, ...]]
mention_of: Callable[[_Fields], Mention] = partial(tuple.__new__, Mention)
"""Makes a mention from all its fields, in half the time that calling the class takes; many are made."""


Proposer = Callable[[Document], list[Mention]]
"""Proposes mentions from the text and the input of a document alone."""

Filter = Callable[[Document, list[Mention]], list[Mention]]
"""Filters the proposals for a document, in order."""


class StringProposer(Protocol):
    """Proposes mentions in many documents at once."""

    def propose(self, documents: Sequence[Document]) -> list[list[Mention]]:
        """Return the proposals for each document, in order."""


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
    """Return whether one of the mentions, which are in text order and do not overlap, has a part of the span.

    Examples
    --------
    >>> named = [Mention("Oslo", 3, 7, "Oslo", "string")]
    >>> is_taken(named, 6, 9), is_taken(named, 7, 9)
    (True, False)
    """
    at = bisect_left(mentions, end, key=_start)
    return at > 0 and mentions[at - 1].end > start


def with_possessive(texts: Sequence[str], last: int) -> int:
    """Return the last token of a mention with the possessive after it, if there is one.

    Examples
    --------
    >>> with_possessive(["Ada", "'", "s", "hall"], 0), with_possessive(["Ada", "'", "t"], 0)
    (2, 0)
    """
    after = texts[last + 1 : last + 3]
    return last + 2 if len(after) == 2 and after[0] in "'’" and after[1].lower() == "s" else last
