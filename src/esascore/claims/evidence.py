"""The types of spans that the input does not support, and the rules that find them."""

from __future__ import annotations

TYPES = ("name", "date", "number", "value")
"""What a span can be."""

EVIDENCE = (
    "date", "number", "capitals", "linked", "capital", "title", "listed", "value", "address", "order",
    "direction", "superlative", "opposite", "labelled", "binding", "hours", "weekday", "time",
    "polarity", "unknown-attribute", "proper", "pair", "code", "unknown",
)  # fmt: skip
"""Why a span is taken for a mention; of several reasons for one name the first here counts."""
