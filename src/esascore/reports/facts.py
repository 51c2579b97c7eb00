"""How well a verifier tells stated facts from others, as a table."""

from __future__ import annotations

from dataclasses import asdict

from esascore.facts.evaluation import Evaluation
from esascore.metrics.base import Column
from esascore.reports.summary import Summary

COLUMNS = (
    *(Column(name, name.capitalize(), name.capitalize(), "count") for name in ("stated", "others")),
    Column("accepted", "Accepted", "Accepted"),
    Column("rejected", "Rejected", "Rejected"),
    Column("mentioned", "Both mentioned", "Both mentioned", "count"),
    Column("rejected_mentioned", "Rejected", "Rejected"),
    Column("auc", "AUC", "AUC"),
    Column("auc_mentioned", "AUC of mentions", "AUC of mentions"),
)


def facts_summary(signature: str, found: Evaluation) -> Summary:
    """The table of an evaluation: a row for all facts, and one for each kind of text."""
    whole = {
        "system": "all",
        "stated": sum(kind.stated for kind in found.kinds),
        "others": sum(kind.others for kind in found.kinds),
        "auc": found.auc,
        "auc_mentioned": found.auc_mentioned,
        "threshold": found.threshold,
    }
    kinds = [
        {"system": kind.name, **{k: v for k, v in asdict(kind).items() if k != "name"}}
        for kind in found.kinds
    ]
    return Summary(signature, COLUMNS, (whole, *kinds))
