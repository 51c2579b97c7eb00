"""How often the profile `default` says that an entity is missing although the text mentions it.

python benchmarks/false_alarms.py list SYSTEM [--first N] [--last N] [--second]
python benchmarks/false_alarms.py summary [--verdicts FILE]

A text is flagged if at least one entity of its input is undetected. `list` prints flagged texts to be read,
in random order: by default the first 60, or all if there are fewer; with --second, the fifth of those already
read that is to be read twice. `summary` compares the verdicts in false_alarms.tsv with the current flags and
prints the figures; it ends with status 1 if the verdicts no longer fit the flagged texts. Both need WebNLG
2020 under ESASCORE_DATA. docs/false-alarms.md says how texts were read, and gives the results.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, comb, floor
from pathlib import Path

import _verdicts
from _corpus import data, table, webnlg_corpus

PAPER = {"RALI": 51, "Huawei_Noahs_Ark_Lab": 53, "FBConvAI": 82, "bt5": 173, "ORANGE-NLG": 110}
"""Texts with a false alarm by the paper's section 5.2: flagged texts times the share of false positives."""

WEIGHTS = {"missing": Fraction(0), "doubtful": Fraction(1, 2), "false-alarm": Fraction(1)}
"""How much of a false alarm each verdict is."""

COLUMNS = ("system", "id", "entity", "verdict", "reason", "reader")
AT_LEAST = 60
"""Flagged texts of a system that must be read, or all if there are fewer."""

VERDICTS = Path(__file__).with_suffix(".tsv")


@dataclass(frozen=True)
class Flagged:
    """A text in which entities are undetected."""

    system: str
    id: str
    triples: tuple[tuple[str, str, str], ...]
    text: str
    undetected: tuple[str, ...]

    @property
    def places(self) -> list[tuple[str, str, str]]:
        return [(self.system, self.id, entity) for entity in self.undetected]


def flagged_texts(systems: Iterable[str]) -> dict[str, list[Flagged]]:
    from esascore.model import Graph
    from esascore.pipeline import build_pipeline
    from esascore.readers.corpus import read_corpus
    from esascore.readers.outputs import read_outputs
    from esascore.run.evaluation import detect_all

    examples = read_corpus(webnlg_corpus(2020))
    pipeline = build_pipeline("default")
    found: dict[str, list[Flagged]] = {}
    for system in systems:
        texts = read_outputs(data() / "webnlg-2020" / "submissions" / f"{system}.en")
        pairs = [(example.input, text) for example, text in zip(examples, texts, strict=True)]
        detections = detect_all(lambda: pipeline, pairs, pipeline=pipeline)
        found[system] = []
        for example, detection in zip(examples, detections, strict=True):
            if detection.undetected and isinstance(example.input, Graph):
                triples = tuple((t.subject, t.predicate, t.object) for t in example.input.triples)
                found[system].append(
                    Flagged(system, example.id, triples, detection.text, detection.undetected)
                )
    return found


def shuffled(texts: Iterable[Flagged], salt: str) -> list[Flagged]:
    return _verdicts.by_chance(texts, lambda text: f"{salt}/{text.system}/{text.id}")


def to_read(texts: Sequence[Flagged], rows: Iterable[_verdicts.Verdict]) -> list[Flagged]:
    """Return the sample: the beginning of the order as far as somebody has read, but at least the minimum."""
    judged = {row.place[:2] for row in _verdicts.first_readings(rows).values()}
    order = shuffled(texts, "sample")
    reached = [number for number, text in enumerate(order, 1) if (text.system, text.id) in judged]
    return order[: max([AT_LEAST, *reached])]


def to_read_twice(texts: Sequence[Flagged], rows: Iterable[_verdicts.Verdict]) -> list[Flagged]:
    sample = to_read(texts, rows)
    return shuffled(sample, "second")[: ceil(len(sample) / 5)]


def verdicts(path: Path) -> list[_verdicts.Verdict]:
    def problem(row: Mapping[str, str]) -> str | None:
        known = row["system"] in PAPER
        return None if known else f"unknown system {row['system']!r}; known: {', '.join(PAPER)}"

    return _verdicts.read_verdicts(
        path, COLUMNS, WEIGHTS, lambda row: (row["system"], row["id"], row["entity"]), problem
    )


def interval(population: int, sample: int, score: Fraction) -> tuple[int, int]:
    """Return the 95 % interval of the number of marked texts in a population whose sample had ``score``.

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


def summary_row(texts: Sequence[Flagged], rows: Sequence[_verdicts.Verdict]) -> list[object]:
    first = _verdicts.first_readings(rows)
    read = [text for text in to_read(texts, rows) if all(place in first for place in text.places)]
    marks = [max(WEIGHTS[first[place].verdict] for place in text.places) for text in read]
    counts = Counter(marks)
    score = sum(marks, Fraction(0))
    if not marks:
        total = ["0", "-"] if not texts else ["-", "-"]
    else:
        low, high = interval(len(texts), len(marks), score)
        whole = len(marks) == len(texts)
        total = [f"{float(score * len(texts) / len(marks)):.1f}", "all read" if whole else f"{low} to {high}"]
    return [len(texts), len(marks), counts[Fraction(1)], counts[Fraction(1, 2)], *total]


def summary(flagged: Mapping[str, Sequence[Flagged]], rows: Sequence[_verdicts.Verdict]) -> list[str]:
    """Print the figures and return what does not fit."""
    header = "system, flagged, read, with a false alarm, doubtful, extrapolated, 95 % interval, paper"
    shown = [[system, *summary_row(texts, rows), PAPER[system]] for system, texts in flagged.items()]
    print(table(header.split(", "), shown), end="")
    twice = [text for texts in flagged.values() for text in to_read_twice(texts, rows)]
    _verdicts.show_agreement(rows, WEIGHTS, {(text.system, text.id) for text in twice}, "entities")
    places = {place for texts in flagged.values() for text in texts for place in text.places}
    sample = [place for texts in flagged.values() for text in to_read(texts, rows) for place in text.places]
    return list(_verdicts.problems(rows, places, sample))


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
    listing.add_argument("--second", action="store_true", help="print all texts to be read twice instead")
    numbers = commands.add_parser("summary", help="print the figures that follow from the verdicts")
    numbers.add_argument("--verdicts", type=Path, default=VERDICTS)
    options = parser.parse_args()
    if options.command == "list":
        texts = flagged_texts([options.system])[options.system]
        print(f"{options.system}: {len(texts)} texts flagged")
        if options.second:
            show(to_read_twice(texts, verdicts(VERDICTS)), 1)
        else:
            show(shuffled(texts, "sample")[options.first - 1 : options.last], options.first)
        return
    _verdicts.conclude(summary(flagged_texts(PAPER), verdicts(options.verdicts)), "an entity")


if __name__ == "__main__":
    main()
