"""How long a guard takes for one text, and that neither repetition nor threads change a verdict.

Records of at most 50 facts with texts of at most 100 words: those of ``everyday`` under ESASCORE_DATA if it
exists, otherwise a record and a text in this file. Times are processor time of this thread, so that other
work on the machine does not count, with elapsed time beside them.
"""

from __future__ import annotations

import json
import os
import random
import re
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from _harness import header, parser_of, write_figures
from esascore.guard import Guard
from esascore.readers.rows import as_input

MOST_FACTS, MOST_WORDS = 50, 100
MARK = re.compile("⟦(.*?)→(.*?)\\|[^|]*?⟧")
HOTEL = {
    "name": "Casa do Rio",
    "address": {"street": "Rua das Flores 112", "city": "Porto", "country": "PT"},
    "rating": {"score": 9.1, "scale": 10, "reviews": 1846},
    "price_from": {"amount": 142.0, "currency": "EUR", "per": "night"},
    "pets_allowed": True,
    "check_in": {"from": "15:00", "until": "23:00"},
    "rooms": 27,
    "renovated": 2022,
}
TEXT = (
    "Casa do Rio on Rua das Flores in Porto has ⟦27→32|number⟧ rooms, renovated in 2022. Guests give it 9.1 "
    "out of 10 in 1,846 reviews. Check in from 3 PM until ⟦11 PM→10 PM|time⟧. Pets are welcome. "
    "From €142 per night."
)


def items() -> list[tuple[object, str]]:
    """Return records with their texts: one faithful, and one with all mistakes."""
    folder = Path(os.environ.get("ESASCORE_DATA", "")) / "everyday"
    rows: list[tuple[object, str]] = [(HOTEL, TEXT)]
    if os.environ.get("ESASCORE_DATA") and folder.is_dir():
        lines = [line for path in sorted(folder.glob("*.jsonl")) for line in path.open(encoding="utf-8")]
        rows = [(row["data"], row["text"]) for row in map(json.loads, lines)]
    return [
        (data, text)
        for data, marked in rows
        for text in (MARK.sub(r"\1", marked), MARK.sub(r"\2", marked))
        if len(text.split()) <= MOST_WORDS and len(as_input(data).facts) <= MOST_FACTS
    ]


def timed(call: Callable[[], object]) -> tuple[float, float]:
    wall, own = time.perf_counter(), time.thread_time()
    call()
    return time.thread_time() - own, time.perf_counter() - wall


def percentiles(times: list[tuple[float, float]]) -> dict[str, float]:
    own, wall = np.array(times).T * 1e3
    return {
        "p50": float(np.percentile(own, 50)),
        "p99": float(np.percentile(own, 99)),
        "wall p50": float(np.percentile(wall, 50)),
        "wall p99": float(np.percentile(wall, 99)),
    }


def latency(rounds: int) -> dict[str, dict[str, float]]:
    guard, cases = Guard(), items()
    for data, text in cases:  # loads what is loaded on first use
        guard.check(data, text)
    prepared, whole = [], []
    for _ in range(rounds):
        for data, text in cases:
            ready = guard.prepare(json.loads(json.dumps(data)))  # equal objects, as in a service
            prepared.append(timed(lambda ready=ready, text=text: ready.check(text)))
            whole.append(timed(lambda data=data, text=text: guard.check(json.loads(json.dumps(data)), text)))
    return {"check after prepare": percentiles(prepared), "prepare and check": percentiles(whole)}


def changed(repeats: int, threads: int) -> int:
    """Count verdicts that differ from the first, in this many repeats from threads that share two guards."""
    cases = items()
    expected = [Guard().check(*case).to_dict() for case in cases]
    guards = [Guard(), Guard()]
    sys.setswitchinterval(1e-5)

    def work(seed: int) -> int:
        chance = random.Random(seed)
        order = [chance.randrange(len(cases)) for _ in range(repeats // threads)]
        return sum(guards[n % 2].check(*cases[n]).to_dict() != expected[n] for n in order)

    with ThreadPoolExecutor(threads) as pool:
        return sum(pool.map(work, range(threads)))


def main() -> None:
    parser = parser_of(__doc__, "fewer rounds and repeats")
    parser.add_argument("--repeats", type=int, help="repeats from 16 threads")
    options = parser.parse_args()
    header("A guard: one text at a time")
    repeats = options.repeats or (1_000 if options.quick else 100_000)
    print(f"{len(items())} texts of at most {MOST_WORDS} words, records of at most {MOST_FACTS} facts")
    found = latency(2 if options.quick else 20)
    for name, figures in found.items():
        print(f"{name:20}", "  ".join(f"{key} {value:.2f} ms" for key, value in figures.items()))
    different = changed(repeats, 16)
    print(f"{different} of {repeats:,} verdicts from 16 threads differ")
    write_figures(options.json, latency=found, repeats=repeats, different=different)


if __name__ == "__main__":
    main()
