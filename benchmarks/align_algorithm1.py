"""Algorithm 1 end to end: (candidates, text) pairs in, columns out, against Python with rapidfuzz.

python benchmarks/align_algorithm1.py [--quick]
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from functools import partial
from pathlib import Path

import numpy as np

from _corpus import load
from _harness import free_cores, header, in_turns, pieces, ratios
from _peers import with_calls, with_cdist


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a sixteenth of the texts, one round")
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    options = parser.parse_args()
    header("Algorithm 1 end to end, warm")
    name, items = load()
    if options.quick:
        items = items[: len(items) // 16]
    print(f"{name}: {len(items):,} texts")

    from esascore.align import match
    from esascore.align._numba import kernel

    start = time.perf_counter()
    kernel()
    print(f"first use of the compiled code (compiled or loaded): {time.perf_counter() - start:.1f} s")

    ours = match(items, backend="numba")
    expected = [np.asarray(c) for c in (ours.item, ours.candidate, ours.start, ours.end, ours.edits)]
    for peer in (with_cdist, with_calls):
        found = peer(items)
        if not all(np.array_equal(a, b) for a, b in zip(expected, found, strict=True)):
            raise SystemExit(f"{peer.__name__} selects something else")
    print(f"every one of the {len(ours):,} selections equal")

    parts = 2 if options.quick else 8
    seconds = in_turns(
        {
            "esascore, 1 thread": lambda: match(items, backend="numba"),
            "esascore, 2 threads": lambda: match(items, backend="numba", threads=2),
        },
        {
            "cdist + sort + masks": [partial(with_cdist, part) for part in pieces(items, parts)],
            "rapidfuzz per call": [partial(with_calls, part) for part in pieces(items, parts)],
        },
        rounds=1 if options.quick else 3,
    )
    figures = {}
    print(f"{'':24}{'us a text':>10}{'times as long as ours (least-greatest)':>42}")
    for contender in seconds:
        low, middle, high = ratios(seconds, "esascore, 1 thread", contender)
        micro = statistics.median(seconds[contender]) / len(items) * 1e6
        figures[contender] = {"us": micro, "ratio": middle, "least": low, "greatest": high}
        print(f"{contender:24}{micro:10.2f}{middle:22.2f} ({low:.2f}-{high:.2f})")
    cores = free_cores()
    print(f"two threads got {cores:.2f} cores of this machine: the most that a second thread could gain")
    if options.json:
        options.json.write_text(
            json.dumps({"texts": len(items), "cores": cores, "figures": figures}, indent=1) + "\n"
        )


if __name__ == "__main__":
    main()
