"""How far two readers agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction


def kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Cohen's kappa of pairs of verdicts; None where it is undefined.

    >>> kappa([("a", "a"), ("a", "b"), ("b", "b"), ("b", "b")])
    0.5
    """
    if not pairs:
        return None
    number = len(pairs)
    observed = Fraction(sum(a == b for a, b in pairs), number)
    one, other = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    expected = Fraction(sum(one[verdict] * other[verdict] for verdict in one), number * number)
    return None if expected == 1 else float((observed - expected) / (1 - expected))
