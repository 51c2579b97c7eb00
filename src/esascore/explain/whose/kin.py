"""Names beside names that they do not go with."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from esascore.explain.spans import Unexplained
from esascore.explain.whose.pieces import Named
from esascore.explain.whose.reach import Reach

_NEAR, _NEXT = 8, 4
_APART = frozenset({",", "(", ")", ";", "'", "’", "and"})


def wrong_neighbours(reach: Reach) -> Iterator[Unexplained]:
    """Yield a whole beside a part that is of another one, and a name that meets itself around a verb."""
    pieces, owners = reach.pieces, reach.ledger.owners
    for one, two in pairwise(pieces.named):
        if not pieces.in_sentence(two.first, one.first) or two.first - one.end > _NEAR:
            continue
        if len(one.owners) != 1 or len(two.owners) != 1:
            continue
        between = pieces.words[one.end : two.first]
        first, second = owners[one.owners[0]], owners[two.owners[0]]
        if first == second:
            if len(between) <= _NEXT and _APART.isdisjoint(between) and any(map(str.isalpha, between)):
                reason = f"{first.name} stands on both sides of “{' '.join(between)}”"
                yield _flag(reach, two, "twice", reason)
        elif "," not in between:
            for part, whole, span in ((first, second, two), (second, first, one)):
                own = owners.get(part.parent)
                if own is not None and own.kind == whole.kind and own != whole:
                    reason = f"in the input {part.name} belongs to {own.name}"
                    yield _flag(reach, span, "kin", reason, own.name)


def _flag(reach: Reach, named: Named, rule: str, reason: str, expected: str | None = None) -> Unexplained:
    start, end = reach.pieces.starts[named.first], reach.pieces.ends[named.end - 1]
    return Unexplained(start, end, "name", rule, None, "misattributed", expected, reason)
