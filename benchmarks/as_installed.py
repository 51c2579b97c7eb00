"""How fast a fresh installation is: first calls in new processes, against plain Python.

    pip install . && python benchmarks/as_installed.py [--rounds N]

A first call is the first one with any work in a new process, including all that it loads after the imports;
the kernels are those that were built with the package. It is compared with one `cdist` for each text and the
selection in Python (benchmarks/_peers.py), and with PARENT in plain Python (tests/parent_oracle.py). A ratio
compares two processes that ran one after the other; seconds are processor time, which depends less on other
programs than elapsed time does.
"""

from __future__ import annotations

import json
import os
import pickle
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from _corpus import load, parent_instances
from _harness import header, loaded, parser_of, spent, write_figures

ORACLE = Path(__file__).resolve().parents[1] / "tests" / "parent_oracle.py"
SYSTEM = 1779
"""Texts of one system."""

TARGETS = {
    "match(), first call": 10.0,
    "match(), one system, code loaded": 8.0,
    "Parent.segments(), first call": 25.0,
}
"""How many times as long plain Python should take."""


def by_cdist(items: Any) -> float:
    from _peers import with_cdist

    return spent(lambda: with_cdist(items))


def by_match(items: Any) -> float:
    from esascore.align import match

    match([(["a"], "a b")])  # imports what it needs
    return spent(lambda: match(items))


def by_oracle(instances: Any) -> float:
    oracle = loaded(ORACLE)

    def run() -> None:
        for text, references, table in instances:
            oracle.score(
                text.lower().split(),
                [reference.lower().split() for reference in references],
                [f"{head} {tail}".lower().split() for head, _, tail in table],
                lambda_weight=0.5,
            )

    return spent(run)


def by_parent(instances: Any) -> float:
    from esascore import Parent

    Parent().segments([], [], [])  # imports what it needs
    columns = tuple(zip(*instances, strict=True))
    return spent(lambda: Parent().segments(*columns))


def in_one_process(items: Any) -> list[float]:
    """Measure the seconds of `cdist`, and of `match` once its code is loaded, in turns."""
    from _peers import with_cdist
    from esascore.align import match

    match(items, backend="numba")
    turns = [(spent(lambda: with_cdist(items)), spent(lambda: match(items))) for _ in range(9)]
    return [min(plain for plain, _ in turns), min(ours for _, ours in turns)]


WORKERS: dict[str, Callable[[Any], Any]] = {
    worker.__name__: worker for worker in (by_cdist, by_match, by_oracle, by_parent, in_one_process)
}


def work(name: str, path: str) -> None:
    """Run one of the workers and print its seconds."""
    data = pickle.loads(Path(path).read_bytes())
    print(json.dumps(WORKERS[name](data)))


def in_new_process(folder: Path, worker: str, file: str) -> Any:
    """Run a worker on a file in a new process."""
    environment = {name: value for name, value in os.environ.items() if name != "ESASCORE_BACKEND"}
    environment["OPENBLAS_NUM_THREADS"] = "1"  # others spin after NumPy's import, and nobody uses them
    arguments = ["--worker", worker, str(folder / file)]
    return json.loads(subprocess.check_output([sys.executable, __file__, *arguments], env=environment))


def are_built() -> bool:
    """Return whether all kernels that are built with the package are present."""
    from esascore.align.compiled import BUILT, LIBRARIES

    return all(path.parent == BUILT for one in LIBRARIES for path, _ in [next(one.stored(), (Path(), b""))])


def main() -> None:
    parser = parser_of(__doc__, "a sixteenth of the texts, one round")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    header("As installed: first calls in new processes")
    if not are_built():
        sys.exit("the package has no kernels for this machine: install it with pip install .")
    name, items = load()
    instances = parent_instances()[:SYSTEM]
    if options.quick:
        items, instances = items[: len(items) // 16], instances[: SYSTEM // 16]
    print(f"{name}: {len(items):,} texts; PARENT of one system's {len(instances):,}")
    turns: dict[str, list[tuple[float, float]]] = {task: [] for task in TARGETS}
    with tempfile.TemporaryDirectory() as folder:
        files = {"items": items, "system": items[:SYSTEM], "instances": instances}
        for file, data in files.items():
            (Path(folder) / file).write_bytes(pickle.dumps(data))
        run = partial(in_new_process, Path(folder))
        for number in range(1 if options.quick else options.rounds):
            first, loaded_code, parent = turns.values()
            first.append((run("by_cdist", "items"), run("by_match", "items")))
            loaded_code.append(tuple(run("in_one_process", "system")))
            parent.append((run("by_oracle", "instances"), run("by_parent", "instances")))
            print(f"round {number + 1} done", flush=True)
    figures = {}
    print(f"{'':36}{'plain s':>9}{'ours s':>9}{'ratio (least-greatest)':>26}{'target':>8}")
    for task, pairs in turns.items():
        each = sorted(plain / ours for plain, ours in pairs)
        middle = statistics.median(each)
        plain, ours = (statistics.median(column) for column in zip(*pairs, strict=True))
        figures[task] = {
            "plain": plain,
            "ours": ours,
            "ratio": middle,
            "least": each[0],
            "greatest": each[-1],
        }
        spread = f"{middle:.1f} ({each[0]:.1f}-{each[-1]:.1f})"
        print(f"{task:36}{plain:9.3f}{ours:9.3f}{spread:>26}{TARGETS[task]:8.0f}")
    write_figures(options.json, texts=len(items), figures=figures)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        work(*sys.argv[2:])
    else:
        main()
