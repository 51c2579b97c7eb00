"""How the time of `esascore.align.match` grows: with texts, their length, candidates and threads.

    python benchmarks/align_scaling.py [--quick]

Invented texts; a text is never repeated, for each copy is damaged in its own way.
"""

from __future__ import annotations

import random
import resource

from _corpus import Items, invented
from _harness import header, parser_of, timed, write_figures

WORDS = 3000


def many_texts(number: int) -> Items:
    """Make this many texts: those of 16 systems on 1,779 inputs again and again, each changed differently."""
    base = invented()
    rng = random.Random(number)
    items = []
    for index in range(number):
        candidates, text = base[index % len(base)]
        position = rng.randrange(len(text))
        items.append((candidates, f"{text[:position]}{index}{text[position:]}"))
    return items


def vocabulary(rng: random.Random) -> list[str]:
    return ["".join(rng.choices("etaoinshrdlu", k=rng.randint(2, 9))) for _ in range(WORDS)]


def long_texts(tokens: int, total: int) -> Items:
    """Make texts of this many tokens, about ``total`` in all, with five names each."""
    rng = random.Random(tokens)
    words = vocabulary(rng)
    names = [" ".join(rng.choices(words, k=k)) for k in (1, 1, 2, 3, 4)]
    return [(names, " ".join(rng.choices(words, k=tokens))) for _ in range(max(1, total // tokens))]


def many_candidates(number: int, texts: int) -> Items:
    """Make texts of 25 tokens with this many names of one to four words."""
    rng = random.Random(number)
    words = vocabulary(rng)
    items = []
    for _ in range(texts):
        names = [" ".join(rng.choices(words, k=rng.randint(1, 4))) for _ in range(number)]
        text = rng.choices(words, k=20) + rng.choice(names).split()
        items.append((names, " ".join(text)))
    return items


def main() -> None:
    options = parser_of(__doc__, "small sizes only").parse_args()
    header("Scaling of match(), Numba backend, warm")

    from esascore.align import match

    match(invented(10, 2), backend="numba")
    figures: dict[str, list[dict[str, float]]] = {"texts": [], "tokens": [], "candidates": []}

    def seconds(items: Items, threads: int) -> float:
        runs = 1 if len(items) > 200_000 else 3
        return min(timed(lambda: match(items, backend="numba", threads=threads))[0] for _ in range(runs))

    print(f"{'texts':>10}{'us per text':>12}{'2 threads':>12}{'speed-up':>10}{'peak MiB':>10}")
    for number in (1_000, 10_000) if options.quick else (1_000, 10_000, 100_000, 1_000_000):
        items = many_texts(number)
        one, two = seconds(items, 1), seconds(items, 2)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        figures["texts"].append({"size": number, "us": one / number * 1e6, "us2": two / number * 1e6})
        print(
            f"{number:10,}{one / number * 1e6:12.2f}{two / number * 1e6:12.2f}{one / two:10.2f}{peak:10.0f}"
        )
        del items

    print(f"{'tokens':>10}{'ns per start token':>20}")
    total = 20_000 if options.quick else 200_000
    for tokens in (10, 100, 1_000) if options.quick else (10, 100, 1_000, 10_000):
        items = long_texts(tokens, total)
        starts = sum(text.count(" ") + 1 for _, text in items)
        nano = seconds(items, 1) / starts * 1e9
        figures["tokens"].append({"size": tokens, "ns": nano})
        print(f"{tokens:10,}{nano:20.1f}")

    print(f"{'candidates':>10}{'ns per start token and candidate':>34}")
    for number in (1, 10, 100) if options.quick else (1, 3, 10, 30, 100, 300, 1_000):
        items = many_candidates(number, max(20, (300 if options.quick else 3_000) // number))
        starts = sum(text.count(" ") + 1 for _, text in items)
        nano = seconds(items, 1) / starts / number * 1e9
        figures["candidates"].append({"size": number, "ns": nano})
        print(f"{number:10,}{nano:34.2f}")
    write_figures(options.json, **figures)


if __name__ == "__main__":
    main()
