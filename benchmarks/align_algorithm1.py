"""Algorithm 1 end to end: (candidates, text) pairs in, columns out, against Python with rapidfuzz.

python benchmarks/align_algorithm1.py [--quick]
"""

from __future__ import annotations

import statistics
from functools import partial

import numpy as np

from _corpus import load
from _harness import free_cores, header, in_turns, parser_of, pieces, ratios, write_figures
from _peers import with_calls, with_cdist


def main() -> None:
    options = parser_of(__doc__, "a sixteenth of the texts, one round").parse_args()
    header("Algorithm 1 end to end, warm")
    name, items = load()
    if options.quick:
        items = items[: len(items) // 16]
    print(f"{name}: {len(items):,} texts")

    from esascore.align import match

    ours = match(items, backend="numba")
    expected = [np.asarray(c) for c in (ours.item, ours.candidate, ours.start, ours.end, ours.edits)]
    for peer in (with_cdist, with_calls):
        found = peer(items)
        if not all(np.array_equal(a, b) for a, b in zip(expected, found, strict=True)):
            raise SystemExit(f"{peer.__name__} selects something else")
    print(f"all {len(ours):,} selections are equal")

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
    print(f"{'':24}{'us per text':>12}{'times as long as ours (least-greatest)':>42}")
    for contender in seconds:
        low, middle, high = ratios(seconds, "esascore, 1 thread", contender)
        micro = statistics.median(seconds[contender]) / len(items) * 1e6
        figures[contender] = {"us": micro, "ratio": middle, "least": low, "greatest": high}
        print(f"{contender:24}{micro:12.2f}{middle:22.2f} ({low:.2f}-{high:.2f})")
    cores = free_cores()
    print(f"two threads got {cores:.2f} cores of this machine: a second thread cannot gain more")
    write_figures(options.json, texts=len(items), cores=cores, figures=figures)


if __name__ == "__main__":
    main()
