"""The findings of judging a text: spans that the input does not support."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from esascore.claims.cells import Cell

Verdict = Literal["contradicted", "baseless"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A span that the input does not support.

    Attributes
    ----------
    start, end
        Where it is.
    type
        What it is: ``number``, ``date``, ``value``, ``name``.
    evidence
        Which kind of judgement found it; its confidence is the share of such findings that are right.
    verdict
        Whether the input says something else, or has nothing to support it.
    cell
        The number of the cell that says otherwise, where there is one.
    expected
        The value that the input has instead, where it is known.
    reason
        Why, in words.
    elsewhere
        Whether the input has the value for something else.
    entity
        The entity according to a linker or a list of names.
    """

    start: int
    end: int
    type: str
    evidence: str
    verdict: Verdict
    cell: int | None = None
    expected: str | None = None
    reason: str = ""
    elsewhere: bool = False
    entity: str | None = None


def contradicted_by(
    cell: Cell, start: int, end: int, type_: str, evidence: str, reason: str = "", *, elsewhere: bool = False
) -> Finding:
    """Return the finding that a cell contradicts a span; without a reason of its own the cell is quoted.

    Examples
    --------
    >>> from esascore.claims.cells import record_of
    >>> from esascore.model import Graph
    >>> [cell] = record_of(Graph.from_data({"side": "left"})).cells
    >>> found = contradicted_by(cell, 4, 9, "value", "opposite")
    >>> found.expected, found.reason
    ('left', 'the input says side = left')
    """
    told = reason or f"the input says {cell.statement}"
    return Finding(start, end, type_, evidence, "contradicted", cell.number, cell.value, told, elsewhere)


def apart(found: Iterable[Finding]) -> list[Finding]:
    """Return findings in text order, of those that overlap the first, the longest if they begin together."""
    kept: list[Finding] = []
    for own in sorted(found, key=lambda one: (one.start, -one.end)):
        if not kept or own.start >= kept[-1].end:
            kept.append(own)
    return kept
