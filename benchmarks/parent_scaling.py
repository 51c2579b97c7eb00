"""PARENT on a million invented instances of WikiBio's size (12 records, 97 tokens each), in bounded memory.

python benchmarks/parent_scaling.py [--instances N] [--threads N] [--heuristic]
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Iterator
from functools import reduce
from operator import add

import numpy as np

from _harness import header

RECORDS = 12
TEXT = REFERENCE = 97
VALUES = 40  # tokens of all values together
POOL = 20_000


def invented(count: int, seed: int = 0) -> Iterator[tuple[str, list[str], list[tuple[str, str]]]]:
    """Yield instances; half of the words of text and reference come from the table."""
    rng = np.random.default_rng(seed)
    words = np.array([f"w{number}" for number in range(POOL)])
    names = [f"attribute_{number}" for number in range(RECORDS)]
    block = 4096
    for start in range(0, count, block):
        size = min(block, count - start)
        values = words[(POOL * rng.random((size, VALUES)) ** 3).astype(np.int64)]
        cuts = np.sort(rng.integers(1, VALUES, (size, RECORDS - 1)), axis=1)
        texts = [
            np.where(
                rng.random((size, length)) < 0.5,
                np.take_along_axis(values, np.sort(rng.integers(0, VALUES, (size, length)), axis=1), axis=1),
                words[(POOL * rng.random((size, length)) ** 3).astype(np.int64)],
            )
            for length in (TEXT, REFERENCE)
        ]
        for i in range(size):
            edges = [0, *cuts[i].tolist(), VALUES]
            row = values[i].tolist()
            table = [(names[k], " ".join(row[edges[k] : edges[k + 1]])) for k in range(RECORDS)]
            yield " ".join(texts[0][i].tolist()), [" ".join(texts[1][i].tolist())], table


def peak() -> float:
    """Return the peak memory of this process in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--instances", type=int, default=1_000_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--heuristic", action="store_true")
    options = parser.parse_args()
    header(f"PARENT-W, {options.instances:,} instances of WikiBio's size, {options.threads} threads")
    from esascore import Parent

    metric = Parent(None if options.heuristic else 0.5, threads=options.threads)
    list(metric.stream(invented(20_000)))
    print(f"memory after 20,000 instances: {peak():,.0f} MiB")
    start = time.perf_counter()
    some = options.instances // 20
    for _ in invented(some):
        pass
    making = (time.perf_counter() - start) / some * options.instances
    start = time.perf_counter()
    total = reduce(add, map(metric.total, metric.stream(invented(options.instances))))
    taken = time.perf_counter() - start
    f, precision, recall, _ = metric.fields(total).values()
    print(f"{total.texts:,} instances: precision {precision:.4f}, recall {recall:.4f}, F {f:.4f}")
    print(f"{taken:.1f} s, of which about {making:.0f} s went into inventing them")
    print(f"peak memory: {peak():,.0f} MiB")


if __name__ == "__main__":
    main()
