"""Run every pattern of tests/growth at its full size, in a process of its own under limits.

    python benchmarks/growth_limits.py [--only NAME] [--seconds 20]

Prints seconds of detection and of hallucinations, and peak memory; or what ended the process.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

from _harness import header, parser_of, write_figures

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

_LIMIT = 6 * 2**30


def one(number: int, seconds: int) -> None:
    """Run a pattern in this process; prints the seconds of detection and of hallucinations."""
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
    parser.add_argument("--only", default="", help="patterns whose name has this")
    parser.add_argument("--seconds", type=int, default=60, help="processor time after which one is ended")
    parser.add_argument("--one", type=int, help="run this one here")
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
    write_figures(options.json, growth=figures)


if __name__ == "__main__":
    main()
