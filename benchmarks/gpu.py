"""CUDA against Numba on the same texts: equality first, then time.

    python benchmarks/gpu.py [--copies 1 8 64]
    NUMBA_ENABLE_CUDASIM=1 python benchmarks/gpu.py --simulate 50

Without a device it says so and ends. ``--simulate`` compares every kernel with the oracle on some distinct
texts of the corpus in Numba's simulator, whose times say nothing about a device.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import sys
import time
import warnings
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from _corpus import Items, load
from esascore.align import Matches, _cuda, hits, match
from esascore.align._problem import make_problem
from esascore.errors import BackendWarning
from simulated_device import SimulatedDevice

COLUMNS = ("item", "candidate", "start", "end", "edits", "length")
ROUNDS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--copies", type=int, nargs="+", default=[1, 8, 64], help="multiples of the corpus")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="threads for Numba")
    parser.add_argument("--simulate", type=int, metavar="N", help="check N texts in the simulator instead")
    arguments = parser.parse_args()
    name, items = load()
    if arguments.simulate:
        simulate(name, items, arguments.simulate)
        return
    available, detail = _cuda.available()
    if not available:
        print(f"Nothing measured: {detail}.")
        return
    # After a failure that the CPU makes up for, the CPU would be measured.
    warnings.simplefilter("error", BackendWarning)
    print(f"device  {detail}")
    print(f"host    {platform.processor() or platform.machine()}, {arguments.threads} threads")
    print(f"python  {platform.python_version()}, numpy {np.__version__}")
    print(f"corpus  {name}, {len(items):,} texts\n")

    for function in (match, hits):
        began = time.perf_counter()
        on_device = function(items, backend="cuda")
        first = time.perf_counter() - began
        require_equal(on_device, function(items, backend="numba", threads=arguments.threads))
        print(f"{function.__name__}: {len(on_device):,} rows, equal on both (first call {first:.1f} s)")

    print(f"\n{'texts':>10} {'numba':>10} {'cuda':>10} {'numba/cuda':>10}   µs per text, median of {ROUNDS}")
    for copies in arguments.copies:
        many = perturbed(items, copies)
        seconds: dict[str, list[float]] = {"numba": [], "cuda": []}
        found: dict[str, Matches] = {}
        for _ in range(ROUNDS + 1):  # the first round warms up
            for backend, times in seconds.items():
                began = time.perf_counter()
                found[backend] = match(many, backend=backend, threads=arguments.threads)
                times.append(time.perf_counter() - began)
        require_equal(found["cuda"], found["numba"])
        numba, cuda = (1e6 * float(np.median(times[1:])) / len(many) for times in seconds.values())
        print(f"{len(many):>10,} {numba:>10.3f} {cuda:>10.3f} {numba / cuda:>10.2f}")


def simulate(name: str, items: Items, count: int) -> None:
    """Compare simulated kernels with the oracle on a random sample of distinct items."""
    from numba import config

    if not config.ENABLE_CUDASIM:
        raise SystemExit("--simulate needs the environment variable NUMBA_ENABLE_CUDASIM=1")
    warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)  # words wrap around
    distinct = list(dict.fromkeys((tuple(candidates), text) for candidates, text in items))
    sample = random.Random(0).sample(distinct, min(count, len(distinct)))
    problem = make_problem(sample, 0.4)
    from esascore.align import _py

    began = time.perf_counter()
    for select in (True, False):
        simulated = _cuda.solve_on(SimulatedDevice(threads=8), problem, select=select, threads=1)
        require_equal(simulated, _py.solve(problem, select=select, threads=1))
        what = "selected" if select else "hits"
        print(f"{what}: {len(simulated):,} rows of {len(sample):,} texts of {name} equal the oracle's")
    print(f"{time.perf_counter() - began:.0f} s in the simulator, which says nothing about a device")


def require_equal(first: Matches, second: Matches) -> None:
    for column in COLUMNS:
        if not np.array_equal(getattr(first, column), getattr(second, column)):
            raise SystemExit(f"the backends disagree in column {column}: nothing measured")


def perturbed(items: Items, copies: int) -> Items:
    """Make this many copies of the corpus, each with its own candidates and texts: nothing repeats."""
    many = []
    for copy in range(copies):
        lists: dict[int, list[str]] = {}
        for candidates, text in items:
            own = lists.setdefault(id(candidates), [*candidates, f"copy {copy}"])
            many.append((own, f"{text} {copy}"))
    return many


if __name__ == "__main__":
    main()
