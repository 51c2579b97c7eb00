"""A small corpus with four invented systems, written for this project.

Its inputs are invented or common knowledge. ``copycat`` says everything, stiffly; ``fluent`` says
everything with pronouns, other names, other forms of dates and other units; ``forgetful`` leaves entities
out and sometimes says nothing; ``dreamer`` tells of things that the input does not contain. The key says
which entities each text truly leaves out and what it truly makes up.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

__all__ = [
    "SYSTEMS",
    "KeyEntry",
    "example_annotated_path",
    "example_corpus_path",
    "example_csv_path",
    "example_feed_path",
    "example_key",
    "example_output_paths",
    "example_ratings_path",
]

SYSTEMS = ("copycat", "fluent", "forgetful", "dreamer")


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """The truth about one text: the entities it leaves out, the strings in it that are made up."""

    system: str
    id: str
    missing: tuple[str, ...]
    hallucinated: tuple[str, ...]


def example_corpus_path() -> Path:
    """Return the path of the corpus, 40 graphs in JSONL.

    Examples
    --------
    >>> example_corpus_path().name
    'corpus.jsonl'
    """
    return _path("corpus.jsonl")


def example_annotated_path() -> Path:
    """Return the path of eight invented graphs with texts in which all mentions are annotated.

    Examples
    --------
    >>> example_annotated_path().name
    'annotated.xml'
    """
    return _path("annotated.xml")


def example_output_paths() -> dict[str, Path]:
    """Return the output files by system, one text per line in corpus order.

    Examples
    --------
    >>> list(example_output_paths())
    ['copycat', 'fluent', 'forgetful', 'dreamer']
    """
    return {name: _path(f"{name}.txt") for name in SYSTEMS}


def example_csv_path() -> Path:
    """Return the path of a CSV of five rows with texts and references, as a spreadsheet would save it."""
    return _path("walkthrough.csv")


def example_feed_path() -> Path:
    """Return the path of three invented products as JSON data, with texts that are partly wrong."""
    return _path("feed.json")


def example_ratings_path() -> Path:
    """Return the path of invented ratings of every text: how faithful and how fluent it is, from 1 to 5."""
    return _path("ratings.csv")


def example_key() -> list[KeyEntry]:
    """Return the truth about every text: by system in the order of `SYSTEMS`, then in corpus order.

    Examples
    --------
    >>> [entry.missing for entry in example_key() if (entry.system, entry.id) == ("forgetful", "Id1")]
    [('Sun',)]
    """
    lines = _path("key.jsonl").read_text(encoding="utf-8").rstrip("\n").split("\n")
    entries = [json.loads(line) for line in lines]
    return [
        KeyEntry(entry["system"], entry["id"], tuple(entry["missing"]), tuple(entry["hallucinated"]))
        for entry in entries
    ]


def _path(name: str) -> Path:
    return Path(str(resources.files(__package__).joinpath(name)))
