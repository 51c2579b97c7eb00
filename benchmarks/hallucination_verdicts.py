"""How often a flag of `esascore hallucinations` is right, from verdicts on flagged texts.

python benchmarks/hallucination_verdicts.py list YEAR [--second]
python benchmarks/hallucination_verdicts.py summary [--verdicts FILE]

`list` prints the texts to be read: 50 flagged ones of a year (2017 or 2020), spread over the systems as
evenly as their numbers of flagged texts allow, in random order; with --second, the fifth that is read again,
in another order. `summary` compares the verdicts in hallucination_verdicts.tsv with the current flags and
prints the figures; it ends with status 1 if they no longer fit. Both need the corpora under ESASCORE_DATA and
use the default settings, without a linker. docs/flags.md says how texts were read, and gives the results.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from pathlib import Path

import _verdicts
from _corpus import submissions, webnlg_corpus
from esascore.stats.correlation import wilson

YEARS = (2017, 2020)
WEIGHTS = {
    "true": Fraction(1),
    "inaccurate": Fraction(1),
    "doubtful": Fraction(1, 2),
    "false": Fraction(0),
}
"""How right a flag with each verdict is."""

COLUMNS = ("system", "id", "start", "end", "type", "verdict", "class_ok", "reason", "reader")
CLASS_OK = ("yes", "no", "-")
"""Whether the class is right, too; ``-`` where the flag is not."""

TEXTS = 50
"""How many flagged texts of a year are read."""

VERDICTS = Path(__file__).with_suffix(".tsv")

Place = tuple[str, str, int, int, str]
"""System, id, start, end and type of a flagged span."""


@dataclass(frozen=True)
class Flag:
    start: int
    end: int
    type: str
    kind: str


@dataclass(frozen=True)
class Flagged:
    """A text with flags."""

    system: str
    id: str
    triples: tuple[str, ...]
    original: tuple[str, ...]
    text: str
    flags: tuple[Flag, ...]

    @property
    def places(self) -> list[Place]:
        return [(self.system, self.id, flag.start, flag.end, flag.type) for flag in self.flags]


def flagged_texts(year: int) -> dict[str, list[Flagged]]:
    """The flagged texts of every system of a year."""
    from esascore.metrics.hallucination import Hallucinations
    from esascore.pipeline import build_pipeline
    from esascore.readers.corpus import read_corpus
    from esascore.readers.outputs import read_outputs
    from esascore.run.evaluation import detect_all

    examples = read_corpus(webnlg_corpus(year))
    if len({example.id for example in examples}) != len(examples):
        sys.exit(f"WebNLG {year}: two inputs have the same id")
    pipeline = build_pipeline()
    metric = Hallucinations(pipeline)
    found: dict[str, list[Flagged]] = {}
    for path in submissions(year):
        texts = read_outputs(path)
        pairs = [(example.input, text) for example, text in zip(examples, texts, strict=True)]
        detections = detect_all(lambda: pipeline, pairs, pipeline=pipeline)
        flags = metric.find(examples, texts, detections)
        found[path.stem] = [
            Flagged(
                path.stem,
                example.id,
                written(example.input),
                written(example.original),
                detection.text,
                tuple(Flag(one.start, one.end, one.type, one.kind) for one in some),
            )
            for example, detection, some in zip(examples, detections, flags, strict=True)
            if some
        ]
    return found


def written(graph: object) -> tuple[str, ...]:
    from esascore.model import Graph

    if not isinstance(graph, Graph):
        return ()
    return tuple(f"{t.subject} | {t.predicate} | {t.object}" for t in graph.triples)


def shuffled(texts: Iterable[Flagged], salt: str) -> list[Flagged]:
    return _verdicts.by_chance(texts, lambda text: f"{salt}/{text.system}/{text.id}")


def sample(flagged: Mapping[str, Sequence[Flagged]]) -> list[Flagged]:
    """Take a text from each system in turn until there are enough."""
    orders = [shuffled(texts, "sample") for texts in flagged.values()]
    # Which system comes first matters only in the last round, so that is random, too.
    orders = sorted(
        (order for order in orders if order),
        key=lambda order: hashlib.sha256(order[0].system.encode()).digest(),
    )

    def rounds() -> Iterator[Flagged]:
        for number in range(max(map(len, orders), default=0)):
            yield from (order[number] for order in orders if number < len(order))

    chosen = [text for text, _ in zip(rounds(), range(TEXTS), strict=False)]
    return shuffled(chosen, "reading")


def second(chosen: Sequence[Flagged]) -> list[Flagged]:
    return shuffled(chosen, "second")[: ceil(len(chosen) / 5)]


def place_of(row: Mapping[str, str]) -> Place:
    return row["system"], row["id"], int(row["start"]), int(row["end"]), row["type"]


def problem(row: Mapping[str, str]) -> str | None:
    if not (row["start"].isdigit() and row["end"].isdigit()):
        return "start and end must be numbers"
    if row["class_ok"] not in CLASS_OK or (row["class_ok"] == "-") != (row["verdict"] == "false"):
        return "class_ok must be yes or no, and - where the verdict is false"
    return None if row["reason"] and row["reader"] else "a reason and a reader are needed"


def share(marks: Sequence[Fraction]) -> str:
    score = sum(marks, Fraction(0))
    low, high = wilson(score, len(marks))
    return f"{float(score):g} of {len(marks)}, {float(score) / len(marks):.1%} ({low:.1%} to {high:.1%})"


def year_summary(
    year: int,
    chosen: Sequence[Flagged],
    flagged: Mapping[str, Sequence[Flagged]],
    rows: Sequence[_verdicts.Verdict],
) -> None:
    first = _verdicts.first_readings(rows)
    read = [text for text in chosen if all(place in first for place in text.places)]
    print(f"\n{year}: {len(read)} texts of {len({text.system for text in read})} systems read")
    if not read:
        return
    judged = [first[place] for text in read for place in text.places]
    counts = Counter(row.verdict for row in judged)
    print(f"  spans: {len(judged)}, " + ", ".join(f"{verdict} {counts[verdict]}" for verdict in WEIGHTS))
    print("  spans that are right: " + share([WEIGHTS[row.verdict] for row in judged]))
    for kind in sorted({row.place[-1] for row in judged}):
        print(f"    {kind}: " + share([WEIGHTS[row.verdict] for row in judged if row.place[-1] == kind]))
    marks = {text: [WEIGHTS[first[place].verdict] for place in text.places] for text in read}
    print("  texts with only right flags: " + share([min(some) for some in marks.values()]))
    print("  texts with a right flag: " + share([max(some) for some in marks.values()]))
    by_system: dict[str, list[Fraction]] = {}
    for text, some in marks.items():
        by_system.setdefault(text.system, []).append(max(some))
    total = sum(len(flagged[system]) for system in by_system)
    weighted = sum(len(flagged[system]) * sum(some) / len(some) for system, some in by_system.items()) / total
    print(f"  the same with each system weighted by its {total} flagged texts: {float(weighted):.1%}")
    classes = Counter(row.cells["class_ok"] for row in judged)
    print(f"  class right: {classes['yes']} of {classes['yes'] + classes['no']} right or doubtful flags")


def show(texts: Sequence[Flagged]) -> None:
    for number, text in enumerate(texts, 1):
        print(f"{number}. {text.system} {text.id}")
        for triple in text.triples:
            print(f"   {triple}")
        if text.original and set(text.original) != set(text.triples):
            for triple in text.original:
                print(f"   ORIGINAL {triple}")
        marked, at = "", 0
        for flag in text.flags:
            marked += f"{text.text[at : flag.start]}⟦{text.text[flag.start : flag.end]}⟧"
            at = flag.end
        print(f"   TEXT {marked}{text.text[at:]}")
        for flag in text.flags:
            shown = text.text[flag.start : flag.end]
            print(f"   FLAG {flag.start} {flag.end} {flag.type} {flag.kind}: {shown}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    listing = commands.add_parser("list", help="print the flagged texts to read")
    listing.add_argument("year", type=int, choices=YEARS)
    listing.add_argument("--second", action="store_true", help="print only those to be read again, reordered")
    numbers = commands.add_parser("summary", help="print the figures that follow from the verdicts")
    numbers.add_argument("--verdicts", type=Path, default=VERDICTS)
    options = parser.parse_args()
    if options.command == "list":
        chosen = sample(flagged_texts(options.year))
        show(second(chosen) if options.second else chosen)
        return
    rows = _verdicts.read_verdicts(options.verdicts, COLUMNS, WEIGHTS, place_of, problem)
    again: list[Flagged] = []
    found: list[str] = []
    known: set[str] = set()
    for year in YEARS:
        flagged = flagged_texts(year)
        chosen = sample(flagged)
        mine = [row for row in rows if row.place[0] in flagged]
        year_summary(year, chosen, flagged, mine)
        places = {place for texts in flagged.values() for text in texts for place in text.places}
        found += _verdicts.problems(mine, places, [place for text in chosen for place in text.places])
        again += second(chosen)
        known |= flagged.keys()
    _verdicts.show_agreement(rows, WEIGHTS, {(text.system, text.id) for text in again}, "spans")
    found += [f"{row.place[0]}: no such system" for row in rows if row.place[0] not in known]
    _verdicts.conclude(found, "a span")


if __name__ == "__main__":
    main()
