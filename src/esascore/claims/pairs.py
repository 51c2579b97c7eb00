"""Judges two numbers that stand together: scores, records, and how many of how many."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import log2

from esascore.claims.finding import Finding
from esascore.claims.known import Known
from esascore.claims.reading import Reading, Span, Spans
from esascore.claims.scope import Scopes, kind_of
from esascore.lazy import lazy

_PAIR = re.compile(
    r"(?<![\w.,:/–-])(?<!- )(?P<first>\d{1,3})\s?(?:[-–]\s?(?:of|for)\s?[-–]|[-–])\s?(?P<second>\d{1,3})"
    r"(?![\w:/%–-]|[.,]\d|\s?[-–]\s?\d)"
)
_WRITTEN = re.compile(r"(?<!\d)(\d{1,3})(?=\D{1,3}(\d{1,3})(?!\d))")
_LEAST = 5.0
"""Bits of a pair that is judged."""

_LEAST_OF_ITEM = 3.0
"""The same where the text says of which item it is."""

_MOST_BESIDE = 4
"""Objects beside each other whose values make pairs."""

Pair = tuple[float, float]


class Pairs:
    """The pairs of numbers of an input: of neighbouring attributes, and of one attribute of two objects."""

    def __init__(self, known: Known):
        self.inside: dict[str, set[Pair]] = defaultdict(set)
        """Pairs of neighbouring attributes of each object."""
        self.across: set[Pair] = set()
        """Pairs of one attribute of two objects beside each other, in any order."""
        homes: dict[str, list[float]] = defaultdict(list)
        beside: dict[tuple[str, str], list[float]] = defaultdict(list)
        for n in known.index.whole:
            own = known.record.amounts[n]
            cell = known.record.cells[own.cell]
            homes[cell.home].append(own.value)
            group = cell.home.rpartition("/")[0]
            beside[group, cell.spot.rpartition("/")[2]].append(own.value)
        for home, numbers in homes.items():
            for a, b in pairwise(numbers):
                self.inside[home] |= {(a, b), (b, a)}
        for values in beside.values():
            if 1 < len(values) <= _MOST_BESIDE:
                self.across |= {(a, b) for a in values for b in values if a != b or values.count(a) > 1}
        self._known = known

    def __bool__(self) -> bool:
        return bool(self.across)

    @lazy
    def kinds(self) -> Mapping[str, list[str]]:
        """The objects that have pairs, by the kind of the list that they are in."""
        found: dict[str, list[str]] = defaultdict(list)
        for home in self.inside:
            found[kind_of(home.rpartition("/")[0])].append(home)
        return found

    @lazy
    def free(self) -> frozenset[Pair]:
        """The pairs of objects that texts do not call by a name."""
        kinds = self._known.handles.kinds
        homes = (home for kind, some in self.kinds.items() if kind not in kinds for home in some)
        return frozenset().union(*(self.inside[home] for home in homes))

    @lazy
    def every(self) -> frozenset[Pair]:
        """The pairs of all objects."""
        return frozenset().union(*self.inside.values())

    @lazy
    def written(self) -> frozenset[tuple[str, str]]:
        """The pairs of figures that stand together in one value."""
        texts = (cell.value for cell in self._known.record.cells if not cell.value.isdigit())
        return frozenset(pair for text in texts for pair in _WRITTEN.findall(text))


def judge_pairs(
    pairs: Pairs, known: Known, reading: Reading, scopes: Scopes
) -> tuple[list[Finding], list[Span]]:
    """Return pairs of numbers that the input does not have, and the spans of those that it has."""
    findings: list[Finding] = []
    borne: list[Span] = []
    said_pairs = list(_PAIR.finditer(reading.text))
    if not said_pairs or not pairs:
        return findings, borne
    busy = Spans(reading.moments)
    for own in said_pairs:
        if busy.overlap(*own.span()):
            continue
        said = float(own["first"]), float(own["second"])
        homes = list(_homes(pairs, scopes, own.start()))
        inside = (pairs.free, *(pairs.inside[home] for home in homes)) if homes else (pairs.every,)
        if (
            said in pairs.across
            or any(said in some for some in inside)
            or (own["first"], own["second"]) in pairs.written
        ):
            borne.append(own.span())
        elif log2(said[0] + 1) + log2(said[1] + 1) >= (_LEAST_OF_ITEM if homes else _LEAST):
            reason = f"the input has no such pair as {own[0]}"
            findings.append(Finding(*own.span(), "number", "pair", "contradicted", reason=reason))
    return findings, borne


def _homes(pairs: Pairs, scopes: Scopes, place: int) -> Iterator[str]:
    """Yield the objects that a place is about for certain."""
    for kind in pairs.kinds:
        about = scopes.of(kind, place)
        if about is not None and about[1]:
            yield from (item for item in about[0] if item in pairs.inside)
