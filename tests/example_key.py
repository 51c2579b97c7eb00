"""The truth about every text of the bundled example: what it leaves out, and what it makes up."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class KeyEntry:
    """The truth about one text: the entities it leaves out, the strings in it that are made up."""

    system: str
    id: str
    missing: tuple[str, ...]
    hallucinated: tuple[str, ...]


def example_key() -> list[KeyEntry]:
    """By system in the order of `esascore.examples.SYSTEMS`, then in corpus order."""
    lines = Path(__file__).with_name("example_key.jsonl").read_text("utf-8").rstrip("\n").split("\n")
    return [KeyEntry(**{name: _plain(value) for name, value in json.loads(line).items()}) for line in lines]


def _plain(value):
    return tuple(value) if isinstance(value, list) else value
