"""Distances only: all pairs of candidate and n-gram within 0.4, against libraries for edit distances.

    python benchmarks/align_distances.py [--quick]

Every peer gets its n-grams as strings built beforehand. Our kernel gets the texts as code points in one
buffer and tokenises them itself, which counts as its time. `esascore.align.hits` is also measured: it starts
from Python strings, and everything counts. All deliver the same hits. Peers are measured on parts of the
corpus between whole runs of ours; "per pair" makes them comparable.
"""

from __future__ import annotations

import importlib.util
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist, cpdist

from _corpus import load
from _harness import header, parser_of, pieces, timed, write_figures
from _peers import ngrams_of

Prepared = tuple[list[str], list[str], np.ndarray]
"""Candidates, n-grams, and the edits allowed for each pair."""


def prepare(candidates: list[str], text: str) -> Prepared:
    ngrams, _, _ = ngrams_of(candidates, text)
    lengths = np.array([len(ngram) for ngram in ngrams], np.int64)
    longer = np.maximum(np.array([len(c) for c in candidates], np.int64).reshape(-1, 1), lengths)
    allowed = np.where(np.array([bool(c) for c in candidates]).reshape(-1, 1), 2 * longer // 5, -1)
    return candidates, ngrams, allowed.astype(np.int32)


def by_cdist(part: list[Prepared]) -> np.ndarray:
    found = []
    for candidates, ngrams, allowed in part:
        if allowed.size:
            edits = cdist(
                candidates,
                ngrams,
                scorer=Levenshtein.distance,
                score_cutoff=int(allowed.max()),
                dtype=np.int32,
            )
            found.append(edits[edits <= allowed])
    return np.concatenate(found)


def by_cpdist(part: tuple[list[str], list[str], np.ndarray, int]) -> np.ndarray:
    queries, choices, allowed, cutoff = part
    edits = cpdist(queries, choices, scorer=Levenshtein.distance, score_cutoff=cutoff, dtype=np.int32)
    return edits[edits <= allowed]


def flat(part: list[Prepared]) -> tuple[list[str], list[str], np.ndarray, int]:
    queries = [c for candidates, ngrams, _ in part for c in candidates for _ in ngrams]
    choices = [ngram for candidates, ngrams, _ in part for _ in candidates for ngram in ngrams]
    allowed = np.concatenate([allowed.ravel() for _, _, allowed in part])
    return queries, choices, allowed, int(allowed.max())


def by_call(
    distance: Callable[[str, str, int], int],
) -> Callable[[list[tuple[str, list[str], list[int]]]], Any]:
    def run(part: list[tuple[str, list[str], list[int]]]) -> np.ndarray:
        found = []
        for candidate, ngrams, allowed in part:
            for ngram, limit in zip(ngrams, allowed, strict=True):
                edits = distance(candidate, ngram, limit)
                if edits <= limit:
                    found.append(edits)
        return np.array(found)

    return run


def rows(part: list[Prepared]) -> list[tuple[str, list[str], list[int]]]:
    return [(c, ngrams, allowed[i].tolist()) for cs, ngrams, allowed in part for i, c in enumerate(cs) if c]


def per_call_peers() -> dict[str, Callable[[str, str, int], int]]:
    distance = Levenshtein.distance
    peers: dict[str, Callable[[str, str, int], int]] = {
        "rapidfuzz per call": lambda a, b, limit: distance(a, b, score_cutoff=limit)
    }
    if importlib.util.find_spec("Levenshtein"):
        from Levenshtein import distance as other

        peers["python-Levenshtein"] = lambda a, b, limit: other(a, b, score_cutoff=limit)
    if importlib.util.find_spec("polyleven"):
        from polyleven import levenshtein

        peers["polyleven"] = lambda a, b, limit: levenshtein(a, b, limit) if limit else int(a != b)
    return peers


def kernel_run(items: list[tuple[list[str], str]]) -> Callable[[], int]:
    """Return a function that finds all hits from the code points of the corpus."""
    from esascore.align._numba import aligned, encoded
    from esascore.align._problem import make_problem

    problem = make_problem(items, 0.4)
    parts = [problem.part(batch) for batch in problem.batches([len(text) for text in problem.texts], 1 << 17)]
    batches = [(part, encoded(part)) for part in parts]
    free: list[np.ndarray] = []
    return lambda: sum(len(aligned(part, strings, select=False, free=free)) for part, strings in batches)


def main() -> None:
    options = parser_of(__doc__, "a sixteenth of the texts, one round").parse_args()
    header("Distances only, one thread, warm", "Levenshtein", "polyleven")
    name, items = load()
    if options.quick:
        items = items[: len(items) // 16]
    prepared = [prepare(*item) for item in items]
    pairs = sum(allowed.size for _, _, allowed in prepared)
    print(f"{name}: {len(items):,} texts, {pairs:,} pairs")

    from esascore.align import hits

    parts = pieces(prepared, 4 if options.quick else 16)
    sizes = [sum(allowed.size for _, _, allowed in part) for part in parts]
    ours = {
        "esascore kernel": kernel_run(items),
        "esascore hits()": lambda: len(hits(items, backend="numba")),
    }
    expected = np.sort(hits(items, backend="numba").edits)
    if not np.array_equal(np.sort(np.concatenate([by_cdist(part) for part in parts])), expected):
        raise SystemExit("cdist finds other hits")
    if any(function() != len(expected) for function in ours.values()):
        raise SystemExit("the kernel finds other hits")
    print(f"all {len(expected):,} hits are equal")

    calls = {peer: by_call(distance) for peer, distance in per_call_peers().items()}
    nanoseconds: dict[str, list[float]] = {
        name: [] for name in (*ours, "cdist per text", "cpdist flat", *calls)
    }
    ratios: dict[str, list[float]] = {name: [] for name in nanoseconds}
    for index, (part, size) in enumerate(zip(parts, sizes, strict=True)):
        turn = {"cdist per text": timed(lambda part=part: by_cdist(part))}
        if index % 4 == 0:
            pairwise, single = flat(part), rows(part)
            turn["cpdist flat"] = timed(lambda pairwise=pairwise: by_cpdist(pairwise))
            turn |= {peer: timed(lambda run=run, single=single: run(single)) for peer, run in calls.items()}
        reference = np.sort(turn["cdist per text"][1])
        if not all(np.array_equal(np.sort(found), reference) for _, found in turn.values()):
            raise SystemExit("the peers disagree")
        each = {peer: seconds / size * 1e9 for peer, (seconds, _) in turn.items()}
        each |= {peer: timed(function)[0] / pairs * 1e9 for peer, function in ours.items()}
        for peer, value in each.items():
            nanoseconds[peer].append(value)
            ratios[peer].append(value / each["esascore kernel"])
    figures = {}
    print(f"{'':24}{'ns per pair':>12}{'times as long as our kernel':>32}")
    for peer, values in nanoseconds.items():
        figures[peer] = {"ns": statistics.median(values), "ratio": statistics.median(ratios[peer])}
        print(f"{peer:24}{figures[peer]['ns']:12.1f}{figures[peer]['ratio']:32.2f}")
    write_figures(options.json, pairs=pairs, figures=figures)


if __name__ == "__main__":
    main()
