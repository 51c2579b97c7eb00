"""Judges what stands together: two names of one clause that belong to different items of a list."""

from __future__ import annotations

from itertools import pairwise

from esascore.claims.cells import Cell, Record
from esascore.claims.finding import Finding, contradicted_by
from esascore.claims.reading import Reading
from esascore.claims.scope import Handle, Scopes

_WIDEST = 40
"""Characters between two names that are read as said of one thing."""

_LINKS = frozenset({
    "by", "with", "of", "from", "for", "in", "at", "on", "to", "is", "was", "the", "a", "an", "and", "his",
    "her", "its",
})  # fmt: skip
_MOST_OTHERS = 2
"""Words between two such names that are no links."""


def judge_bindings(record: Record, reading: Reading, scopes: Scopes) -> list[Finding]:
    """Return names that are of another item than the one that they are put to.

    Two columns of a list that both tell its items apart must agree: a title, and the author beside it.
    """
    found: list[Finding] = []
    for handles in scopes.by_kind.values():
        named = [own for own in handles if own.column]
        for one, other in pairwise(named):
            if one.column == other.column or one.items & other.items:
                continue
            if not _are_together(one, other, reading):
                continue
            sentence = reading.sentence_at(one.start)
            if any(
                own.column == other.column
                and own.items & one.items
                and reading.sentence_at(own.start) == sentence
                for own in named
            ):
                continue  # its own value stands there, too
            if (cell := _in_column(record, one, other.column)) is not None:
                subject = reading.text[one.start : one.end]
                reason = f"the input says {cell.attribute} = {cell.value} for {subject}"
                found.append(
                    contradicted_by(cell, other.start, other.end, "name", "binding", reason, elsewhere=True)
                )
    return found


def _in_column(record: Record, handle: Handle, column: str) -> Cell | None:
    """Return what an item that a text names has in a column."""
    spots = {f"{item}{column}" for item in handle.items}
    return next((cell for cell in record.cells if cell.spot in spots), None)


def _are_together(one: Handle, other: Handle, reading: Reading) -> bool:
    """Return whether hardly more than small words stands between two names of one sentence."""
    if one.end > other.start or other.start - one.end > _WIDEST:
        return False
    if reading.sentence_at(one.start) != reading.sentence_at(other.start):
        return False
    between = reading.lowered[one.end : other.start]
    if any(mark in between for mark in ";.!?,\n"):
        return False
    words = "".join(c if c.isalpha() else " " for c in between).split()
    return len([word for word in words if word not in _LINKS]) <= _MOST_OTHERS
