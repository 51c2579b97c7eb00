"""PARENT on the outputs of WebNLG 2020, including the splitting of texts, against plain Python.

python benchmarks/parent_speed.py [--quick] [--peer FILE]...

A peer is a Python file with a function parent(predictions, references, tables, lambda_weight=...) that takes
lists of tokens, such as the public original; the packages that it imports must be installed.
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from _corpus import parent_instances
from _harness import header, in_turns, loaded, parser_of, pieces, ratios, write_figures

ROOT = Path(__file__).resolve().parents[1]
Instance = tuple[str, list[str], list[tuple[str, str, str]]]


def by_peer(parent: Callable[..., Any], weight: float | None, items: list[Instance]) -> Any:
    """Split as the public script does, then score."""
    return parent(
        [text.lower().split() for text, _, _ in items],
        [[reference.lower().split() for reference in listed] for _, listed, _ in items],
        [[tuple(part.lower().split() for part in triple) for triple in table] for _, _, table in items],
        lambda_weight=weight,
    )


def by_oracle(oracle: ModuleType, weight: float | None, items: list[Instance]) -> list[Any]:
    return [
        oracle.score(
            text.lower().split(),
            [reference.lower().split() for reference in listed],
            [f"{head} {tail}".lower().split() for head, _, tail in table],
            lambda_weight=weight,
        )
        for text, listed, table in items
    ]


def main() -> None:
    parser = parser_of(__doc__, "every 64th text for the slow ones, one round")
    parser.add_argument("--heuristic", action="store_true", help="lambda by the heuristic instead of 0.5")
    parser.add_argument("--peer", type=Path, action="append", default=[], help="another implementation")
    options = parser.parse_args()
    if not os.environ.get("ESASCORE_DATA"):
        raise SystemExit("this benchmark needs the corpora: set ESASCORE_DATA to their folder")
    header("PARENT-W, warm, splitting included")
    from esascore import Parent

    weight = None if options.heuristic else 0.5
    items = parent_instances()
    some = items[:: 64 if options.quick else 16]
    print(f"WebNLG 2020 outputs: {len(items):,} texts, {len(some):,} of them for plain Python and peers")
    columns = tuple(zip(*items, strict=True))
    oracle = loaded(ROOT / "tests" / "parent_oracle.py")
    found = Parent(weight).segments(*columns)[:: 64 if options.quick else 16]
    difference = np.abs(found - np.array(by_oracle(oracle, weight, some))).max()
    print(f"largest difference of P, R or F: {difference:.1e}")
    slow: dict[str, Callable[[list[Instance]], Any]] = {"plain Python": partial(by_oracle, oracle, weight)}
    for path in options.peer:
        slow[path.stem] = partial(by_peer, loaded(path).parent, weight)
    parts = 2 if options.quick else 6
    seconds = in_turns(
        {
            "esascore, 1 thread": lambda: Parent(weight).segments(*columns),
            "esascore, 2 threads": lambda: Parent(weight, threads=2).segments(*columns),
        },
        {
            name: [partial(function, list(part)) for part in pieces(some, parts)]
            for name, function in slow.items()
        },
        rounds=1 if options.quick else 3,
    )
    each = {
        name: [taken / (len(some) if name in slow else len(items)) for taken in runs]
        for name, runs in seconds.items()
    }
    figures = {}
    print(f"{'':24}{'us per text':>12}{'times as long as ours (least-greatest)':>42}")
    for contender, runs in each.items():
        low, middle, high = ratios(each, "esascore, 1 thread", contender)
        micro = statistics.median(runs) * 1e6
        figures[contender] = {"us": micro, "ratio": middle, "least": low, "greatest": high}
        print(f"{contender:24}{micro:12.2f}{middle:22.2f} ({low:.2f}-{high:.2f})")
    write_figures(options.json, texts=len(items), figures=figures)


if __name__ == "__main__":
    main()
