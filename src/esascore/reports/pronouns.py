"""How resolvers place annotated pronouns, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from esascore.gold.pronouns import Placed, figures_of, groups_of
from esascore.metrics.base import Column
from esascore.reports.summary import Summary

COLUMNS = (
    Column("pronouns", "Pronouns", "Pronouns", "count"),
    Column("answered", "Answered", "Answered", "count"),
    Column("precision", "P", "P"),
    Column("precision_low", "low", "low"),
    Column("precision_high", "high", "high"),
    Column("recall", "R", "R"),
    Column("recall_low", "low", "low"),
    Column("recall_high", "high", "high"),
)


def pronoun_summary(
    signature: str, results: Sequence[tuple[str, Sequence[Placed]]], *, by: Sequence[str] = ()
) -> Summary:
    """The table of some resolvers: a row for each, and one for each part of the breakdowns ``by``."""
    rows = []
    for name, placed in results:
        groups = groups_of(placed)
        parts = {f"{kind}: {label}": figures_of(some) for kind in by for label, some in groups[kind].items()}
        rows.append({"system": name, **figures_of(placed), **({"by": {"part": parts}} if by else {})})
    return Summary(signature, COLUMNS, tuple(rows), "part" if by else None)
