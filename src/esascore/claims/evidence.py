"""Spans of a text that nothing in the input explains, and what makes them look like mentions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Unexplained:
    """A span that nothing in the input explains.

    ``type`` is a name of `TYPES`, ``evidence`` one of `EVIDENCE`, ``entity``
    what the span is in a list of names, if it is there. A rule that knows the class of what it finds says so
    in ``kind``, and the value that the input has instead in ``expected``; ``reason`` is for people to read.
    """

    start: int
    end: int
    type: str
    evidence: str
    entity: str | None = None
    kind: str | None = None
    expected: str | None = None
    reason: str = ""
