"""Peak memory of score, detect and hallucinations over corpora of growing size, one process each.

Texts and names are invented, and hardly any name is repeated, so whatever is kept of a text takes memory.

    python benchmarks/flat_memory.py --texts 10000 100000 1000000
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from _harness import header, parser_of, write_figures

COMMANDS = {
    "score": ["score", "CORPUS", "--segments", "OUT"],
    "detect": ["detect", "CORPUS", "--own", "-o", "OUT"],
    "hallucinations": ["hallucinations", "CORPUS", "-o", "OUT"],
}
_TEXTS_PER_INPUT = 8
_SYLLABLES = tuple(f"{a}{b}{c}" for a in "bdfglmnrst" for b in "aeiou" for c in ("", "n", "r"))


_REFERENCES = (
    "The {ship} was built by {yard} in {town}. It was launched in {year} and has a crew of {crew}.",
    "{yard}, which is located in {town}, built the {ship}. Launched in {year}, it has a crew of {crew}.",
    "Launched in {year}, the {ship} (crew: {crew}) comes from {yard} in {town}.",
)


def lines(texts: int, references: int = 0) -> Iterator[str]:
    """Yield a corpus of inputs with four facts, each with eight texts in a row, some of them wrong.

    Each text can have up to three references.
    """
    rng = random.Random(0)

    def name() -> str:
        return "".join(rng.choices(_SYLLABLES, k=3)).capitalize()

    for number in range(texts):
        if number % _TEXTS_PER_INPUT == 0:
            ship, yard, town = f"{name()} {name()}", f"{name()} Yard", name()
            year, crew = rng.randrange(1850, 2020), rng.randrange(20, 4000)
            facts = [[ship, "builder", yard], [yard, "location", town]]
            facts += [[ship, "launched", str(year)], [ship, "crew", str(crew)]]
        other = name() if number % 7 == 0 else town
        text = (
            f"The {ship} was built by {yard}, which is located in {other}. It was launched in {year} and has "
            f"a crew of {crew + (number % 11 == 0)}. {name()} saw it."
        )
        row = {"id": f"ship-{number}", "triples": facts, "text": text}
        if references:
            said = {"ship": ship, "yard": yard, "town": town, "year": year, "crew": crew}
            row["references"] = [wording.format(**said) for wording in _REFERENCES[:references]]
        yield json.dumps(row) + "\n"


def measured(command: list[str]) -> tuple[float, float]:
    """Run a command; return its peak memory in MiB and its processor time, start included."""
    process = subprocess.Popen([sys.executable, "-m", "esascore", *command, "-q"], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed")
    return usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime


def main() -> None:
    """Measure, and print a table."""
    parser = parser_of(__doc__, "10,000 texts only")
    parser.add_argument("--texts", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--commands", nargs="+", default=list(COMMANDS), choices=COMMANDS)
    parser.add_argument("--jobs", default="1")
    options = parser.parse_args()
    header("Peak memory of one process")
    print("\n| texts | command | MiB | texts per second of processor time |\n| ---: | --- | ---: | ---: |")
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder, "corpus.jsonl")
        for texts in [10_000] if options.quick else options.texts:
            with corpus.open("w", encoding="utf-8") as file:
                file.writelines(lines(texts))
            for name in options.commands:
                places = {"CORPUS": str(corpus), "OUT": str(Path(folder, "out"))}
                command = [*(places.get(part, part) for part in COMMANDS[name]), "--jobs", options.jobs]
                peak, seconds = measured(command)
                figures.append({"texts": texts, "command": name, "mib": peak, "seconds": seconds})
                print(f"| {texts:,} | {name} | {peak:.0f} | {texts / seconds:,.0f} |", flush=True)
    write_figures(options.json, memory=figures)


if __name__ == "__main__":
    main()
