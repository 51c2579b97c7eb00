"""Verdicts of readers on flags: samples to read, files of verdicts, agreement between readers."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from esascore.stats.correlation import kappa

T = TypeVar("T")
Place = tuple[Any, ...]
"""What a verdict is about, system and id first."""


@dataclass(frozen=True)
class Verdict:
    """What one reader says about one flag; ``cells`` holds all cells of the line."""

    place: Place
    verdict: str
    reader: str
    cells: Mapping[str, str]

    @property
    def told(self) -> str:
        return told(self.place)


def told(place: Place) -> str:
    return " ".join(map(str, place))


def by_chance(texts: Iterable[T], key: Callable[[T], str]) -> list[T]:
    """Return the texts in an order that depends on nothing but their keys.

    When the detector changes, texts that stay flagged keep their places, so a sample taken from the front
    changes only where it must, and verdicts remain of use.
    """
    return sorted(texts, key=lambda text: hashlib.sha256(key(text).encode()).digest())


def read_verdicts(
    path: Path,
    columns: Sequence[str],
    weights: Mapping[str, Fraction],
    place: Callable[[Mapping[str, str]], Place],
    problem: Callable[[Mapping[str, str]], str | None],
) -> list[Verdict]:
    """Read a file of verdicts; ``problem`` says what is wrong with a line beyond its columns and verdict."""
    lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    if lines[0].split("\t") != list(columns):
        sys.exit(f"{path.name}:1: the first line must name the columns {', '.join(columns)}")
    rows: dict[tuple[Place, str], Verdict] = {}
    for number, line in enumerate(lines[1:], 2):
        cells = line.split("\t")
        if len(cells) != len(columns):
            sys.exit(f"{path.name}:{number}: {len(columns)} cells are needed, found {len(cells)}")
        row = dict(zip(columns, cells, strict=True))
        if row["verdict"] not in weights:
            known = ", ".join(weights)
            sys.exit(f"{path.name}:{number}: unknown verdict {row['verdict']!r}; known: {known}")
        if wrong := problem(row):
            sys.exit(f"{path.name}:{number}: {wrong}")
        key = (place(row), row["reader"])
        if key in rows:
            sys.exit(f"{path.name}:{number}: reader {row['reader']} has judged this in an earlier line")
        rows[key] = Verdict(key[0], row["verdict"], row["reader"], row)
    return list(rows.values())


def first_readings(rows: Iterable[Verdict]) -> dict[Place, Verdict]:
    """Return the verdicts of reader 1, by what they are about."""
    return {row.place: row for row in rows if row.reader == "1"}


def problems(rows: Sequence[Verdict], flagged: set[Place], sample: Iterable[Place]) -> Iterator[str]:
    """Yield the places where the verdicts do not fit the current flags."""
    first = first_readings(rows)
    for row in rows:
        if row.place not in flagged:
            yield f"{row.told}: judged by reader {row.reader}, but no longer flagged"
        elif row.place not in first:
            yield f"{row.told}: judged by reader {row.reader}, but not by reader 1"
    yield from (f"{told(place)}: not read yet" for place in sample if place not in first)


def show_agreement(
    rows: Sequence[Verdict], weights: Mapping[str, Fraction], wanted: set[tuple[str, str]], what: str
) -> None:
    """Compare further readers with the first; ``wanted`` has system and id of the texts to be read twice."""
    first = first_readings(rows)
    for reader in sorted({row.reader for row in rows} - {"1"}):
        again = [row for row in rows if row.reader == reader and row.place in first]
        pairs = [(first[row.place].verdict, row.verdict) for row in again]
        texts = {row.place[:2] for row in again}
        chance_corrected = kappa(pairs)
        print(
            f"\nreader {reader}: {len(again)} {what} of {len(texts)} texts read again "
            f"({len(wanted & texts)} of the {len(wanted)} chosen), "
            f"same verdict {sum(a == b for a, b in pairs)}, "
            f"as right or wrong {sum(weights[a] == weights[b] for a, b in pairs)}, "
            f"kappa {'undefined' if chance_corrected is None else f'{chance_corrected:.2f}'}"
        )
        for row, (before, then) in zip(again, pairs, strict=True):
            if before != then:
                print(f"  {row.told}: first {before}, then {then}")


def conclude(found: Sequence[str], what: str) -> None:
    """Say whether the verdicts still fit; end with status 1 if they do not."""
    if found:
        print("\nThe verdicts do not fit the current flags:")
        print("\n".join(f"  {problem}" for problem in found))
        sys.exit(1)
    print(f"\nEvery verdict is about {what} that are still flagged, and the whole sample was read.")
