"""Fuzz the package for some minutes: ``make fuzz MINUTES=10``.

The last line is ``fuzz: N calls, M command lines, K failures``, and the exit code is not 0 where K > 0. What
failed is kept under ``fuzz-failures`` with all that is needed to see it again.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from fuzz.plants import PLANTS
from fuzz.session import Plan, Report, run


def main(arguments: list[str] | None = None) -> int:
    """Fuzz, print what was done, and return the exit code."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--jobs", type=int, default=2, help="processes; each does a part of everything")
    parser.add_argument("--seed", type=int, default=0, help="equal seeds begin with equal inputs")
    parser.add_argument(
        "--failures", type=Path, default=Path("fuzz-failures"), help="where to keep what failed"
    )
    parser.add_argument("--plant", choices=PLANTS, help="break something, to see that it is found")
    given = parser.parse_args(arguments)
    plans = [
        Plan(60 * given.minutes, given.seed * 1000 + job, given.failures, given.plant, guided=job == 0)
        for job in range(given.jobs)
    ]
    # Each process starts anew, without what this one has loaded.
    with ProcessPoolExecutor(given.jobs, multiprocessing.get_context("spawn")) as pool:
        total = sum(pool.map(run, plans), Report())
    sys.stdout.write("".join(f"{line}\n" for line in total.lines()))
    return 1 if total.failures else 0


if __name__ == "__main__":
    sys.exit(main())
