"""How resolvers place annotated pronouns, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from esascore.gold.pronouns import Placed, figures_of, groups_of
from esascore.metrics.base import Column
from esascore.reports.summary import Summary

COLUMNS = (
    *(Column(name, name.capitalize(), name.capitalize(), "count") for name in ("pronouns", "answered")),
    *(
        Column(name + end, header, header)
        for name, letter in (("precision", "P"), ("recall", "R"))
        for end, header in (("", letter), ("_low", "low"), ("_high", "high"))
    ),
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
    return Summary(signature, COLUMNS, tuple(rows), ("part",) if by else ())
