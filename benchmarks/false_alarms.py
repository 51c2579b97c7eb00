"""How often the profile `default` says that an entity is missing though the text mentions it.

python benchmarks/false_alarms.py list SYSTEM [--first N] [--last N] [--second]
python benchmarks/false_alarms.py summary [--verdicts FILE]

A text is flagged if at least one entity of its input is undetected. `list` prints flagged texts to be read,
in an order of chance: by default the first 60, or all where there are fewer; with --second, the fifth of
those already read that is read twice. `summary` sets the verdicts in false_alarms.tsv against what the
profile flags today and prints the numbers; it ends with status 1 if the verdicts and the flagged texts no
longer fit. Both need WebNLG 2020 under ESASCORE_DATA. docs/false-alarms.md tells how texts were read and what
came out.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, comb, floor
from pathlib import Path

from _agreement import kappa

PAPER = {"RALI": 51, "Huawei_Noahs_Ark_Lab": 53, "FBConvAI": 82, "bt5": 173, "ORANGE-NLG": 110}
"""Texts with a false alarm by the paper's section 5.2: flagged texts times the share of false positives."""

WEIGHTS = {"missing": Fraction(0), "doubtful": Fraction(1, 2), "false-alarm": Fraction(1)}
"""How much of a false alarm each verdict is."""

COLUMNS = ("system", "id", "entity", "verdict", "reason", "reader")
AT_LEAST = 60
"""Flagged texts of a system that must be read, or all where there are fewer."""

VERDICTS = Path(__file__).with_suffix(".tsv")


@dataclass(frozen=True)
class Flagged:
    """A text in which entities are undetected."""

    id: str
    triples: tuple[tuple[str, str, str], ...]
    text: str
    undetected: tuple[str, ...]


@dataclass(frozen=True)
class Row:
    """What one reader says about one undetected entity of one text."""

    system: str
    id: str
    entity: str
    verdict: str
    reason: str
    reader: str

    @property
    def place(self) -> tuple[str, str, str]:
        return self.system, self.id, self.entity


def flagged_texts(folder: Path, systems: Iterable[str]) -> dict[str, list[Flagged]]:
    from esascore.engine import detect_all
    from esascore.model import Graph
    from esascore.pipeline import build_pipeline
    from esascore.readers import read_corpus, read_outputs

    (corpus,) = folder.glob("*.xml")
    examples = read_corpus(corpus)
    pipeline = build_pipeline("default")
    found: dict[str, list[Flagged]] = {}
    for system in systems:
        texts = read_outputs(folder / "submissions" / f"{system}.en")
        pairs = [(example.input, text) for example, text in zip(examples, texts, strict=True)]
        detections = detect_all(lambda: pipeline, pairs, pipeline=pipeline)
        found[system] = []
        for example, detection in zip(examples, detections, strict=True):
            if detection.undetected and isinstance(example.input, Graph):
                triples = tuple((t.subject, t.predicate, t.object) for t in example.input.triples)
                found[system].append(Flagged(example.id, triples, detection.text, detection.undetected))
    return found


def shuffled(system: str, texts: Iterable[Flagged], salt: str) -> list[Flagged]:
    """The texts in an order that depends on nothing but their ids.

    When the detector changes, texts that stay flagged keep their places, so a sample taken from the front
    changes only where it must, and verdicts remain of use.
    """

    def key(text: Flagged) -> bytes:
        return hashlib.sha256(f"{salt}/{system}/{text.id}".encode()).digest()

    return sorted(texts, key=key)


def to_read(system: str, texts: Sequence[Flagged], rows: Iterable[Row]) -> list[Flagged]:
    """The sample: from the front of the order as far as somebody has read, and as many as must be read."""
    judged = {row.id for row in rows if row.system == system and row.reader == "1"}
    order = shuffled(system, texts, "sample")
    reached = max((number for number, text in enumerate(order, 1) if text.id in judged), default=0)
    return order[: max(reached, AT_LEAST)]


def to_read_twice(system: str, texts: Sequence[Flagged], rows: Iterable[Row]) -> list[Flagged]:
    sample = to_read(system, texts, rows)
    return shuffled(system, sample, "second")[: ceil(len(sample) / 5)]


def read_verdicts(path: Path) -> list[Row]:
    lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    if tuple(lines[0].split("\t")) != COLUMNS:
        sys.exit(f"{path.name}:1: the first line must name the columns {', '.join(COLUMNS)}")
    rows = []
    seen: set[tuple[tuple[str, str, str], str]] = set()
    for number, line in enumerate(lines[1:], 2):
        cells = line.split("\t")
        if len(cells) != len(COLUMNS):
            sys.exit(f"{path.name}:{number}: {len(COLUMNS)} cells are needed, found {len(cells)}")
        row = Row(*cells)
        if row.system not in PAPER:
            sys.exit(f"{path.name}:{number}: unknown system {row.system!r}; known: {', '.join(PAPER)}")
        if row.verdict not in WEIGHTS:
            sys.exit(f"{path.name}:{number}: unknown verdict {row.verdict!r}; known: {', '.join(WEIGHTS)}")
        if (row.place, row.reader) in seen:
            sys.exit(f"{path.name}:{number}: reader {row.reader} has judged this entity in an earlier line")
        seen.add((row.place, row.reader))
        rows.append(row)
    return rows


def interval(population: int, sample: int, score: Fraction) -> tuple[int, int]:
    """The 95 % interval of the number of marked texts in a population, of which a sample had ``score``.

    It holds every number under which neither so many nor so few in the sample would have a probability below
    0.025, drawing without replacement. Half a text is rounded away from the middle on either side.

    >>> interval(60, 60, Fraction(7))
    (7, 7)
    >>> interval(100, 50, Fraction(0))
    (0, 5)
    """
    draws = comb(population, sample)

    def probability(marked: int, drawn: Iterable[int]) -> Fraction:
        ways = sum(comb(marked, k) * comb(population - marked, sample - k) for k in drawn if k <= sample)
        return Fraction(ways, draws)

    least, most = floor(score), ceil(score)
    possible = [
        marked
        for marked in range(population + 1)
        if probability(marked, range(least, sample + 1)) >= Fraction(1, 40)
        and probability(marked, range(most + 1)) >= Fraction(1, 40)
    ]
    return possible[0], possible[-1]


def problems(system: str, texts: Sequence[Flagged], rows: Sequence[Row]) -> list[str]:
    """Where the verdicts do not fit what is flagged now."""
    found = []
    flagged = {(text.id, entity) for text in texts for entity in text.undetected}
    judged = {(row.id, row.entity) for row in rows if row.system == system and row.reader == "1"}
    for row in rows:
        if row.system == system and (row.id, row.entity) not in flagged:
            found.append(f"{system} {row.id}: {row.entity} (reader {row.reader}) is no longer flagged")
        if row.system == system and row.reader != "1" and (row.id, row.entity) not in judged:
            found.append(f"{system} {row.id}: {row.entity} has no first reading")
    for text in to_read(system, texts, rows):
        for entity in text.undetected:
            if (text.id, entity) not in judged:
                found.append(f"{system} {text.id}: {entity} is flagged and in the sample, but was not read")
    return found


def summary_row(system: str, texts: Sequence[Flagged], rows: Sequence[Row]) -> str:
    first = {row.place: row for row in rows if row.reader == "1"}
    read = [
        [first[system, text.id, entity] for entity in text.undetected]
        for text in to_read(system, texts, rows)
        if all((system, text.id, entity) in first for entity in text.undetected)
    ]
    marks = [max(WEIGHTS[row.verdict] for row in judged) for judged in read]
    counts = Counter(marks)
    score = sum(marks, Fraction(0))
    if not marks:
        total = ["0", "-"] if not texts else ["-", "-"]
    else:
        low, high = interval(len(texts), len(marks), score)
        whole = len(marks) == len(texts)
        total = [f"{float(score * len(texts) / len(marks)):.1f}", "all read" if whole else f"{low} to {high}"]
    shown = [len(texts), len(marks), counts[Fraction(1)], counts[Fraction(1, 2)], *total, PAPER[system]]
    return "| " + " | ".join([system, *map(str, shown)]) + " |"


def summary(flagged: Mapping[str, Sequence[Flagged]], rows: Sequence[Row]) -> list[str]:
    """Print the numbers and return what does not fit."""
    first = {row.place: row for row in rows if row.reader == "1"}
    print(
        "| system | flagged | read | with a false alarm | doubtful | extrapolated | 95 % interval | paper |"
    )
    print("| :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for system, texts in flagged.items():
        print(summary_row(system, texts, rows))
    twice_wanted = {
        (system, text.id) for system, texts in flagged.items() for text in to_read_twice(system, texts, rows)
    }
    for reader in sorted({row.reader for row in rows} - {"1"}):
        again = [row for row in rows if row.reader == reader and row.place in first]
        verdicts = [(first[row.place].verdict, row.verdict) for row in again]
        texts_again = {(row.system, row.id) for row in again}
        same = sum(a == b for a, b in verdicts)
        chance_corrected = kappa(verdicts)
        print(
            f"\nreader {reader}: {len(again)} entities of {len(texts_again)} texts read again "
            f"({len(twice_wanted & texts_again)} of the {len(twice_wanted)} chosen), "
            f"same verdict {same} of {len(again)}, "
            f"kappa {'undefined' if chance_corrected is None else f'{chance_corrected:.2f}'}"
        )
        for row in again:
            before = first[row.place].verdict
            if row.verdict != before:
                print(f"  {row.system} {row.id} {row.entity}: first {before}, then {row.verdict}")
    return [problem for system, texts in flagged.items() for problem in problems(system, texts, rows)]


def show(texts: Sequence[Flagged], start: int) -> None:
    for number, text in enumerate(texts, start):
        print(f"{number}. {text.id}")
        for triple in text.triples:
            print("   " + " | ".join(triple))
        print(f"   TEXT {text.text}")
        for entity in text.undetected:
            print(f"   UNDETECTED {entity}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    listing = commands.add_parser("list", help="print the flagged texts to read")
    listing.add_argument("system", choices=list(PAPER))
    listing.add_argument("--first", type=int, default=1, help="number of the first text to print")
    listing.add_argument("--last", type=int, default=AT_LEAST, help="number of the last text to print")
    listing.add_argument("--second", action="store_true", help="all texts to read twice, instead")
    numbers = commands.add_parser("summary", help="print the numbers that the verdicts give")
    numbers.add_argument("--verdicts", type=Path, default=VERDICTS)
    options = parser.parse_args()
    if not os.environ.get("ESASCORE_DATA"):
        sys.exit("set ESASCORE_DATA to the folder of the corpora")
    folder = Path(os.environ["ESASCORE_DATA"], "webnlg-2020")
    if options.command == "list":
        texts = flagged_texts(folder, [options.system])[options.system]
        print(f"{options.system}: {len(texts)} texts flagged")
        if options.second:
            show(to_read_twice(options.system, texts, read_verdicts(VERDICTS)), 1)
        else:
            order = shuffled(options.system, texts, "sample")
            show(order[options.first - 1 : options.last], options.first)
        return
    rows = read_verdicts(options.verdicts)
    found = summary(flagged_texts(folder, PAPER), rows)
    if found:
        print("\nThe verdicts do not fit what is flagged now:")
        print("\n".join(f"  {problem}" for problem in found))
        sys.exit(1)
    print("\nEvery verdict is about an entity that is still flagged, and everything to read was read.")


if __name__ == "__main__":
    main()
