"""Texts per second of whole commands, start included, on one core and on two, against an earlier commit.

    python benchmarks/throughput.py [--against REF] [--rounds N] [--quick]

Each command reads WebNLG 2020 with the outputs of all its systems, in a new process. Seconds are processor
time, which depends less on other programs than elapsed time does. Sources are compiled to bytecode before, as
by pip install, and so are the kernels; the commit named by --against is checked out to a folder of its own,
and runs in turns with this one. The gain of two processes is the elapsed time of one process divided by that
of two, compared with what perfectly parallel work (hashing) gains in the same minute.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from _corpus import submissions, webnlg_corpus
from _harness import free_cores, header, parser_of, write_figures

ROOT = Path(__file__).resolve().parents[1]
COMMANDS = {
    "score": ("score",),
    "score --profile paper": ("score", "--profile", "paper"),
    "hallucinations": ("hallucinations",),
}
GOALS = {"score": 9000, "score --profile paper": 20000, "hallucinations": 5000}
"""Texts per second on one core."""


def run(sources: Path, command: tuple[str, ...], systems: list[Path], jobs: int = 1) -> tuple[float, float]:
    """Run a command on WebNLG 2020 with the sources of a commit; return processor time and elapsed time."""
    return measured(
        sources, command[0], str(webnlg_corpus(2020)), *map(str, systems), *command[1:], "--jobs", str(jobs)
    )


def measured(sources: Path, *arguments: str) -> tuple[float, float]:
    """Run esascore with the sources of a commit; return processor time and elapsed time."""
    environment = {**os.environ, "PYTHONPATH": str(sources / "src")}
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "esascore", *arguments, "-o", os.devnull],
        env=environment,
        cwd=sources,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.perf_counter() - started


@contextmanager
def checked_out(commit: str | None) -> Iterator[Path | None]:
    """Return the compiled sources of a commit, in a folder of their own."""
    if commit is None:
        yield None
        return
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        target = Path(folder) / "commit"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(target), commit], check=True)
        try:
            compile_sources(target)
            yield target
        finally:
            subprocess.run([*git, "remove", "--force", str(target)], check=True)


def compile_sources(sources: Path) -> None:
    """Compile modules and kernels, as they are where the package is installed and was used before."""
    environment = {**os.environ, "PYTHONPATH": str(sources / "src")}
    for module in (["compileall", "-q", "src/esascore"], ["esascore", "backends", "--compile"]):
        command = [sys.executable, "-m", *module]
        subprocess.run(command, env=environment, cwd=sources, check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    parser = parser_of(__doc__, "two systems, one round")
    parser.add_argument("--against", metavar="REF", help="a commit to compare with")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    header("Whole commands, start included")
    systems = submissions(2020)[: 2 if options.quick else None]
    texts = 1779 * len(systems)
    print(f"WebNLG 2020: {texts:,} texts of {len(systems)} systems")
    rounds = 1 if options.quick else options.rounds
    figures: dict[str, dict[str, float]] = {}
    compile_sources(ROOT)
    with checked_out(options.against) as earlier:
        for name, command in COMMANDS.items():
            own, other = [], []
            for _ in range(rounds):
                if earlier is not None:
                    other.append(run(earlier, command, systems)[0])
                own.append(run(ROOT, command, systems)[0])
            seconds = min(own)
            figures[name] = {"seconds": seconds, "rate": texts / seconds}
            line = f"{name:24}{seconds:8.2f} s{texts / seconds:10,.0f} texts/s (goal {GOALS[name]:,})"
            if other:
                ratio = statistics.median(a / b for a, b in zip(other, own, strict=True))
                figures[name] |= {"before": min(other), "ratio": ratio}
                line += f"; {options.against}: {min(other):.2f} s, {ratio:.2f} times as long"
            print(line, flush=True)
        gains = []
        for _ in range(rounds):
            one, two = (run(ROOT, COMMANDS["hallucinations"], systems, jobs)[1] for jobs in (1, 2))
            gains.append(one / two / max(free_cores(), 1.0))
        shared = statistics.median(gains)
        print(f"two processes gain {shared:.2f} of what perfectly parallel work gains (goal 0.9)")
    write_figures(options.json, texts=texts, against=options.against or "", figures=figures, shared=shared)


if __name__ == "__main__":
    main()
