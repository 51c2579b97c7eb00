"""The texts of an earlier run, to be scored again beside those of today.

Scores of two versions or settings cannot be compared; texts can. Equal texts of an input are judged only
once, so an earlier run costs only as much as has changed since.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike

from esascore.errors import DataError, UsageError
from esascore.model import Example
from esascore.readers.systems import System
from esascore.reports.evaluation_file import load_scored


@dataclass(frozen=True, slots=True)
class Baseline:
    """The earlier texts of each system, and the positions of the examples that both runs have."""

    file: str
    systems: tuple[System, ...]
    positions: tuple[int, ...]


def read_baseline(
    path: str | PathLike[str], systems: Sequence[System], examples: Sequence[Example]
) -> Baseline:
    """Read the saved result of an earlier run, for the systems of this one.

    Systems are found by name; if both runs have only one system, its name does not matter. Examples are the
    same if their ids and inputs are.

    Raises
    ------
    DataError
        The file is not a saved result, or has no example in common with the corpus.
    UsageError
        The earlier run has no system of that name.
    """
    saved = load_scored(path)
    places = {example.id: place for place, example in enumerate(saved.examples)}
    common = tuple(
        place
        for place, example in enumerate(examples)
        if example.id in places and saved.examples[places[example.id]].input == example.input
    )
    if not common:
        raise DataError("no example has the id and the input of one in this corpus", file=path)
    named = {system.name: system for system in saved.systems}
    if len(systems) == len(named) == 1:
        named = {systems[0].name: saved.systems[0]}
    earlier = []
    for system in systems:
        if system.name not in named:
            known = ", ".join(named)
            raise UsageError(f"there is no system {system.name!r} in {path}: it has {known}; use NAME=OUTPUT")
        texts = [""] * len(examples)
        for place in common:
            texts[place] = named[system.name].texts[places[examples[place].id]]
        earlier.append(System(f"{system.name} (earlier)", tuple(texts), str(path)))
    return Baseline(str(path), tuple(earlier), common)
