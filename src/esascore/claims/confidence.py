"""How sure a flag is: the share of flags of its kind that were right on all development sets.

A kind is the rule that found it and its type. ``benchmarks/outside.py --calibrate`` counts flags and writes
the lexicon ``confidence``. A few flags of a kind say little, so its share is shrunk towards that of all flags
of the same rule, and the latter towards that of all flags.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from esascore.wordlists import load

WORDLISTS = ("confidence",)
"""The word lists that are read here."""

Kind = tuple[str, str]
"""The evidence of a flag, and its type."""

_DRAWN = 10.0  # weight of the share of the larger kind, as a number of flags


@dataclass(frozen=True, slots=True)
class Shares:
    """The share of right flags: of each kind, of each evidence, and of all."""

    kinds: Mapping[Kind, float]
    evidence: Mapping[str, float]
    all: float

    def confidence(self, evidence: str, type_: str) -> float:
        """Return how sure a flag of a kind is, to two digits."""
        share = self.kinds.get((evidence, type_), self.evidence.get(evidence, self.all))
        return round(share, 2)


def shares_of(counts: Mapping[Kind, tuple[float, float]]) -> Shares:
    """Return the shares for the numbers of flags, and of right ones, of each kind.

    Examples
    --------
    >>> shares = shares_of({("number", "number"): (90, 60), ("date", "date"): (10, 10)})
    >>> [shares.confidence(*kind) for kind in (("number", "number"), ("date", "date"), ("pair", "number"))]
    [0.67, 0.92, 0.7]
    """
    whole: dict[str, tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))
    for (evidence, _), (made, right) in counts.items():
        whole[evidence] = whole[evidence][0] + made, whole[evidence][1] + right
    made, right = (sum(column) for column in zip((1.0, 0.5), *counts.values(), strict=True))
    every = right / made
    by_evidence = {name: _drawn(own, every) for name, own in whole.items()}
    return Shares(
        {kind: _drawn(own, by_evidence[kind[0]]) for kind, own in counts.items()}, by_evidence, every
    )


def _drawn(own: tuple[float, float], to: float) -> float:
    return (own[1] + _DRAWN * to) / (own[0] + _DRAWN)


@cache
def _known() -> Shares:
    rows = load("confidence").rows
    return shares_of({(row[0], row[1]): (float(row[2]), float(row[3])) for row in rows})


def confidence_of(evidence: str, type_: str) -> float:
    """Return how sure a flag is, by what found it and what it is.

    Examples
    --------
    >>> 0 < confidence_of("number", "number") < 1
    True
    """
    return _known().confidence(evidence, type_)
