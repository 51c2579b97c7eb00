"""How resolvers place annotated pronouns, as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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
    signature: str,
    results: Sequence[tuple[str, Sequence[Placed]]],
    *,
    by: Sequence[str] = (),
    resamples: int = 1000,
    seed: int = 0,
) -> Summary:
    """The table of some resolvers: a row for each, and one for each part of the breakdowns ``by``."""
    rows = []
    for name, placed in results:
        groups = groups_of(placed)
        parts = {
            f"{kind}: {label}": _flat(figures_of(some, resamples=resamples, seed=seed))
            for kind in by
            for label, some in groups[kind].items()
        }
        whole = _flat(figures_of(placed, resamples=resamples, seed=seed))
        rows.append({"system": name, **whole, **({"by": {"part": parts}} if by else {})})
    return Summary(signature, COLUMNS, tuple(rows), "part" if by else None)


def _flat(fields: Mapping[str, Any]) -> dict[str, Any]:
    flat = {name: value for name, value in fields.items() if not name.endswith("_interval")}
    for name in ("precision", "recall"):
        low, high = fields.get(f"{name}_interval") or (None, None)
        flat |= {f"{name}_low": low, f"{name}_high": high}
    return flat
