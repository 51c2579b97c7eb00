"""Verdicts of readers about flags and missing entities, as the report writes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from os import PathLike
from pathlib import Path
from typing import Any

from esascore.errors import DataError
from esascore.readers.jsonl import iter_objects
from esascore.readers.located import Place
from esascore.stats.correlation import kappa

Key = tuple[str, str, int, int, str] | tuple[str, str, str]
"""What is judged: system, id, start, end and class of a flag; system, id and term of a missing entity."""

Verdicts = Mapping[str, Mapping[Key, bool]]
"""Reader -> whether what they judged is right."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of two readers: what both judged, how often alike, Cohen's kappa (None if undefined)."""

    readers: tuple[str, str]
    judged: int
    alike: int
    kappa: float | None


def read_verdicts(paths: Sequence[str | PathLike[str]]) -> dict[str, dict[Key, bool]]:
    """Read files of verdicts; the reader of a line that names none is called like its file.

    Raises
    ------
    DataError
        A line is not as agreed, a reader has judged the same thing before, or there is no verdict.
    """
    found: dict[str, dict[Key, bool]] = {}
    for path in map(Path, paths):
        for place, record in iter_objects(path, "Download verdicts of the report writes them"):
            reader = record.get("reader") or path.name
            key = _key(record, place)
            if not isinstance(reader, str) or record.get("verdict") not in ("right", "wrong"):
                place.fail('reader must be a string, and verdict must be "right" or "wrong"')
            if key in found.setdefault(reader, {}):
                place.fail(f"{reader} has judged this in an earlier line: keep one of them")
            found[reader][key] = record["verdict"] == "right"
    if not found:
        raise DataError(
            "no verdict here: judge flags in the report, then download the verdicts", file=paths[0]
        )
    return found


def _key(record: Mapping[str, Any], place: Place) -> Key:
    system, id_, start, end = (record.get(name) for name in ("system", "id", "start", "end"))
    kind, entity = record.get("class"), record.get("entity")
    if not (isinstance(system, str) and isinstance(id_, str)):
        place.fail("system and id are needed")
    if type(start) is int and type(end) is int and isinstance(kind, str):
        return system, id_, start, end, kind
    if start is not None or not isinstance(entity, str):
        place.fail("either start, end and class of a flag or the entity that is missing are needed")
    return system, id_, entity


def marks(verdicts: Verdicts) -> dict[Key, Fraction]:
    """Return the share of its readers that call each thing right.

    Examples
    --------
    >>> marks({"Ada": {("s", "Id1", "Oslo"): True}, "Bob": {("s", "Id1", "Oslo"): False}})
    {('s', 'Id1', 'Oslo'): Fraction(1, 2)}
    """
    votes: dict[Key, list[bool]] = {}
    for judged in verdicts.values():
        for key, right in judged.items():
            votes.setdefault(key, []).append(right)
    return {key: Fraction(sum(some), len(some)) for key, some in votes.items()}


def agreements(verdicts: Verdicts) -> Iterator[Agreement]:
    """Compare each pair of readers who judged something in common."""
    for one, other in combinations(sorted(verdicts), 2):
        both = [key for key in verdicts[one] if key in verdicts[other]]
        if both:
            pairs = [(str(verdicts[one][key]), str(verdicts[other][key])) for key in both]
            yield Agreement((one, other), len(both), sum(a == b for a, b in pairs), kappa(pairs))
