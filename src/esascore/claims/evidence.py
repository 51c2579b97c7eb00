"""What a span that the input does not bear out can be, and why it is taken for one."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

TYPES = ("name", "date", "number", "value")
"""What a span can be."""

EVIDENCE: Mapping[str, float] = MappingProxyType(
    {
        "date": 0.95,
        "number": 0.9,
        "capitals": 0.9,
        "capital": 0.85,
        "first-word": 0.6,
        "title": 0.8,
        "linked": 0.9,
        "listed": 0.8,
        "proper": 0.75,
        "unknown": 0.6,
        "code": 0.7,
        "likeness": 0.5,
        "pair": 0.75,
        "value": 0.8,
        "address": 0.8,
        "order": 0.8,
        "direction": 0.8,
        "superlative": 0.8,
        "opposite": 0.8,
        "labelled": 0.8,
        "binding": 0.8,
        "hours": 0.8,
        "weekday": 0.8,
        "time": 0.8,
        "polarity": 0.8,
        "unknown-attribute": 0.8,
    }
)
"""Why a span is taken for a mention, with how sure that makes it."""
