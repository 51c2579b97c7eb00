"""PARENT in plain Python, written from the paper and the public original's conventions: the tests' judge."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

Tokens = Sequence[str]
Weight = Callable[[tuple[str, ...]], float]


def overlap(lexical: set[str]) -> Weight:
    return lambda ngram: sum(token in lexical for token in ngram) / len(ngram)


def cooccurrence(lexical: set[str], counts: dict[str, float]) -> Weight:
    def probability(token: str) -> float:
        if token in lexical:
            return 1.0
        return max(
            (counts.get(f"{v}|||{token}", 0) / counts[v] for v in lexical if counts.get(v)), default=0.0
        )

    return lambda ngram: math.prod(map(probability, ngram)) ** (1 / len(ngram))


def score(
    text: Tokens,
    references: Sequence[Tokens],
    values: Sequence[Tokens],
    *,
    lambda_weight: float | None,
    weight: Weight | None = None,
    recall_weight: Weight | None = None,
    order: int = 4,
    epsilon: float = 1e-5,
    independent: bool = False,
) -> tuple[float, float, float]:
    """Precision, recall and F of one text."""
    entailed = weight or overlap({token for value in values for token in value})
    results = []
    for reference in references:
        precisions, recalls = [], []
        for n in range(1, order + 1):
            ours, theirs = ngrams(text, n), ngrams(reference, n)
            precisions.append(precision(ours, theirs, entailed))
            recalls.append(recall(ours, theirs, recall_weight or entailed))
        p = mean([precisions[0], *(x or epsilon for x in precisions[1:])], 0.0)
        r_reference = mean([recalls[0], *(x or epsilon for x in recalls[1:])], epsilon)
        r_table = mentioned(values, text) or epsilon
        weight_of_table = 1 - mentioned(values, reference) if lambda_weight is None else lambda_weight
        r = 0.0
        if r_reference and r_table:
            r = r_reference ** (1 - weight_of_table) * r_table**weight_of_table
        results.append((p, r, 2 * p * r / (p + r + 1e-8)))
    if independent:
        return tuple(map(max, zip(*results, strict=True)))
    return max(results, key=lambda result: result[2])


def precision(ours: Counter, theirs: Counter, weight: Weight) -> float:
    rewarded = 0.0
    for ngram, count in ours.items():
        there = min(1, theirs[ngram] / count)
        rewarded += count * (there + (1 - there) * weight(ngram))
    return rewarded / ours.total() if ours else 0.0


def recall(ours: Counter, theirs: Counter, weight: Weight) -> float:
    total = sum(count * weight(ngram) for ngram, count in theirs.items())
    found = sum(
        count * weight(ngram) * min(1, ours[ngram] / count) for ngram, count in theirs.items() if count
    )
    return found / total if total else 1.0


def mentioned(values: Sequence[Tokens], text: Tokens) -> float:
    shares = [lcs(value, text) / len(value) for value in values if value]
    return sum(shares) / len(shares) if shares else 1.0


def mean(figures: Sequence[float], otherwise: float) -> float:
    return math.prod(figures) ** (1 / len(figures)) if all(figures) else otherwise


def ngrams(tokens: Tokens, order: int) -> Counter:
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def lcs(a: Tokens, b: Tokens) -> int:
    lengths = {(i, j): 0 for i in range(len(a) + 1) for j in range(len(b) + 1)}
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            lengths[i, j] = lengths[i - 1, j - 1] + 1 if x == y else max(lengths[i - 1, j], lengths[i, j - 1])
    return lengths[len(a), len(b)]
