"""Shards against a plain run: time, processor time and peak memory of every process, alternated in one run.

The corpus is that of flat_memory.py. Ray needs esascore[ray]; without it that row is left out.

    python benchmarks/scale.py --texts 1000000 --variants plain local
    python benchmarks/scale.py --texts 100000 --variants local ray
    python benchmarks/scale.py --texts 20000 --variants local --metrics esa hallucination faithfulness
    python benchmarks/scale.py --texts 20000 --variants local --references 2 --metrics esa parent bleu
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from _harness import header, parser_of, write_figures
from flat_memory import lines

VARIANTS = {
    "plain": [],
    "local": ["--out", "RUN"],
    "ray": ["--out", "RUN", "--engine", "ray"],
}
_POLL = 0.1
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Cost:
    """What a command took: elapsed seconds, processor seconds, and MiB of its largest process."""

    clock: float
    processor: float
    mib: float


def below(pid: int) -> list[int]:
    """Return a process and all its descendants."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
        children.setdefault(parent, []).append(int(stat.parent.name))
    found = [pid]
    for one in found:
        found += children.get(one, [])
    return found


def measured(command: list[str]) -> Cost:
    """Run a command, and look at its processes ten times per second: it does not wait for those of Ray."""
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "esascore", *command, "-q"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    seconds: dict[int, float] = {}
    peak: dict[int, float] = {}
    while process.poll() is None:
        for pid in below(process.pid):
            try:
                stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                status = Path(f"/proc/{pid}/status").read_text()
                name = Path(f"/proc/{pid}/cmdline").read_bytes()
            except OSError:
                continue
            seconds[pid] = (int(stat[11]) + int(stat[12])) / _TICKS
            if b"python" in name or b"ray::" in name:
                peak[pid] = (
                    int(status.partition("VmHWM:")[2].split()[0]) / 1024 if "VmHWM:" in status else 0.0
                )
        time.sleep(_POLL)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed: {process.stderr.read().decode()[-500:]}")
    return Cost(time.perf_counter() - started, sum(seconds.values()), max(peak.values()))


def main() -> None:
    """Measure, and print a table."""
    parser = parser_of(__doc__, "10,000 texts only")
    parser.add_argument("--texts", type=int, default=100_000)
    parser.add_argument("--variants", nargs="+", default=list(VARIANTS), choices=VARIANTS)
    parser.add_argument("--metrics", nargs="+", default=["esa"])
    parser.add_argument("--references", type=int, default=0, choices=range(4), help="references of each text")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--jobs", default="2")
    options = parser.parse_args()
    texts = 10_000 if options.quick else options.texts
    variants = [name for name in options.variants if name != "ray" or find_spec("ray") is not None]
    header(f"{texts:,} texts, --jobs {options.jobs}")
    print("\n| metrics | variant | seconds | processor seconds | MiB of the largest process | texts/s |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        corpus, run = Path(folder, "corpus.jsonl"), Path(folder, "run")
        with corpus.open("w", encoding="utf-8") as file:
            file.writelines(lines(texts, options.references))
        for metrics in options.metrics:
            for _ in range(options.rounds):
                for name in variants:
                    shutil.rmtree(run, ignore_errors=True)
                    more = [str(run) if part == "RUN" else part for part in VARIANTS[name]]
                    cost = measured(
                        ["score", str(corpus), "--metrics", metrics, "--jobs", options.jobs, *more]
                    )
                    own = {"metrics": metrics, "variant": name, "texts": texts}
                    figures.append({**own, "clock": cost.clock, "processor": cost.processor, "mib": cost.mib})
                    print(
                        f"| {metrics} | {name} | {cost.clock:.1f} | {cost.processor:.1f} | {cost.mib:.0f} | "
                        f"{texts / cost.clock:,.0f} |",
                        flush=True,
                    )
    print("\nCore-hours per 10^8 texts, extrapolated from the processor time:\n")
    for one in figures:
        hours = one["processor"] / one["texts"] * 1e8 / 3600
        print(f"- {one['metrics']}, {one['variant']}: {hours:.1f}")
    write_figures(options.json, scale=figures)


if __name__ == "__main__":
    main()
