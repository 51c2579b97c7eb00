"""Decides which proposed mentions stand.

The rule of the paper ("Putting it all together"): of overlapping mentions the one with the lowest edit
distance stands; of equal ones the longest. Mentions that compare no strings count as distance 0, as the
paper treats those of its entity linker.
"""

from __future__ import annotations

from collections.abc import Iterable

from esascore.model import Mention


def by_distance(proposals: Iterable[Mention]) -> list[Mention]:
    """Select mentions that do not overlap, the lowest distance first, then the longest; in text order.

    Examples
    --------
    >>> short = Mention("Grozny", 9, 15, "Grozny", "string", 0.0)
    >>> long = Mention("FC_Terek_Grozny", 0, 15, "FC Terek Grozny", "string", 2 / 15)
    >>> [mention.entity for mention in by_distance([long, short])]
    ['Grozny']
    """
    ranked = sorted(proposals, key=_paper_rank)
    if len(ranked) < 2:
        return ranked
    chosen: list[Mention] = []
    taken = 0  # one bit per code point of the text
    for mention in ranked:
        span = (1 << mention.end) - (1 << mention.start)
        if not taken & span:
            taken |= span
            chosen.append(mention)
    chosen.sort(key=_position)
    return chosen


def _paper_rank(mention: Mention) -> tuple[float, int, int, str]:
    distance = 0.0 if mention.distance is None else mention.distance
    return distance, mention.start - mention.end, mention.start, mention.entity


def _position(mention: Mention) -> int:
    return mention.start
