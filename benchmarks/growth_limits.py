"""Run every pattern of tests/growth at its full size, in a process of its own under limits.

    python benchmarks/growth_limits.py [--only NAME] [--seconds 20]

Prints the seconds of detection and of hallucinations, and peak memory, or what ended the process. Large files
go through whole commands, start included.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from _harness import header, parser_of, write_figures

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

_LIMIT = 6 * 2**30


def wide_table(folder: Path) -> list[str]:
    """Write a CSV file of one row."""
    names = ",".join(f"column{number}" for number in range(16_000))
    cells = ",".join(f"Value {number}" for number in range(16_000))
    path = folder / "wide.csv"
    path.write_text(f"{names},text\n{cells},Value 7 and Value 12 are here.\n", "utf-8")
    return [str(path)]


def many_forms(folder: Path) -> list[str]:
    """Write a lexicon whose forms all belong to one entity."""
    lexicon, corpus = folder / "forms.tsv", folder / "corpus.jsonl"
    lines = (f"Ada_Marlowe\tAda the {number}th\n" for number in range(300_000))
    lexicon.write_text("".join(lines), "utf-8")
    example = {"triples": [["Ada_Marlowe", "birthPlace", "Oslo"]], "text": "Ada the 2th was born in Oslo."}
    corpus.write_text(json.dumps(example) + "\n", "utf-8")
    return [str(corpus), "--lexicon", str(lexicon)]


def long_line(folder: Path) -> list[str]:
    """Write a text of 10 MB on one line."""
    path = folder / "line.jsonl"
    text = "Ada Marlowe was born in Oslo in 1898. " * 275_000
    path.write_text(json.dumps({"triples": [["Ada_Marlowe", "birthPlace", "Oslo"]], "text": text}) + "\n")
    return [str(path)]


FILES: dict[str, Callable[[Path], list[str]]] = {
    "a table of 16,000 columns": wide_table,
    "300,000 forms of one entity": many_forms,
    "a file with a line of 10 MB": long_line,
}


def of_files(arguments: list[str], folder: Path, seconds: int) -> tuple[str, str, int]:
    """Run detect and hallucinations on files; return the seconds of each or what ended it, and peak KiB."""
    limited = ["sh", "-c", f'ulimit -v {_LIMIT // 1024}; ulimit -t {seconds}; exec "$@"', "sh"]
    spent, peak = [], 0
    for command in (["detect", "--own"], ["hallucinations"]):
        process = subprocess.Popen(
            [
                *(*limited, sys.executable, "-m", "esascore", *command, *arguments),
                *("-o", str(folder / "out.jsonl"), "--jobs", "1", "-q"),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        error = process.stderr.read() if process.stderr else ""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        last = (error.strip().split("\n") or [""])[-1][:60] or "too long"
        spent.append(last if process.returncode else f"{usage.ru_utime + usage.ru_stime:.2f}")
        peak = max(peak, usage.ru_maxrss)
    return spent[0], spent[1], peak


def one(number: int, seconds: int) -> None:
    """Run a pattern in this process, and print the seconds of detection and of hallucinations."""
    import time

    from esascore.metrics.hallucination import Hallucinations
    from esascore.model import Example
    from esascore.pipeline import build_pipeline
    from growth.patterns import PATTERNS

    resource.setrlimit(resource.RLIMIT_AS, (_LIMIT, _LIMIT))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    pattern = PATTERNS[number]
    pipeline = build_pipeline(pattern.profile)
    metric = Hallucinations(pipeline)
    warm = pattern.make(10)
    metric.find([Example("Id0", warm[0])], [warm[1]])
    started = time.process_time()
    input_, text = pattern.make(pattern.full)
    found = pipeline.detect([(input_, text)])
    detected = time.process_time()
    metric.find([Example("Id1", input_)], [text], found)
    print(f"{detected - started:.2f} {time.process_time() - detected:.2f}")


def main() -> None:
    """Run all patterns."""
    parser = parser_of(__doc__, "no effect")
    parser.add_argument("--only", default="", help="run only patterns whose name contains this")
    parser.add_argument("--seconds", type=int, default=60, help="processor time allowed for a pattern")
    parser.add_argument("--one", type=int, help="run the pattern of this number in this process")
    options = parser.parse_args()
    if options.one is not None:
        one(options.one, options.seconds)
        return
    from growth.patterns import PATTERNS

    header("Patterns at full size")
    print(
        "\n| pattern | size | detection, s | hallucinations, s | MiB |\n| --- | ---: | ---: | ---: | ---: |"
    )
    figures = []
    for number, pattern in enumerate(PATTERNS):
        if options.only not in pattern.name:
            continue
        command = [sys.executable, __file__, "--one", str(number), "--seconds", str(options.seconds)]
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        out, error = process.stdout.read(), process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        last = (error.strip().split("\n") or [""])[-1][:60]
        detected, judged = out.split() if not process.returncode else ("-", last or "too long")
        print(
            f"| {pattern.name} | {pattern.full:,} | {detected} | {judged} | {usage.ru_maxrss / 1024:.0f} |",
            flush=True,
        )
        figures.append({"pattern": pattern.name, "detection": detected, "hallucinations": judged})
    for name, write in FILES.items():
        if options.only in name:
            with tempfile.TemporaryDirectory() as folder:
                detected, judged, peak = of_files(write(Path(folder)), Path(folder), options.seconds)
            print(f"| {name} | | {detected} | {judged} | {peak / 1024:.0f} |", flush=True)
            figures.append({"pattern": name, "detection": detected, "hallucinations": judged})
    write_figures(options.json, growth=figures)


if __name__ == "__main__":
    main()
