"""Decides which proposed mentions stand.

The rule of the paper ("Putting it all together"): of overlapping mentions the one with the lowest edit
distance stands; of equal ones the longest. Mentions that compare no strings count as distance 0, as the
paper treats those of its entity linker.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter

from esascore.data import Value, names_object
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
    ordered = sorted(proposals, key=_position)
    if all(one.end <= other.start for one, other in pairwise(ordered)):
        return ordered
    ranked = sorted(ordered, key=_paper_rank)
    chosen: list[Mention] = []
    taken = 0  # one bit per code point of the text
    for mention in ranked:
        span = (1 << mention.end) - (1 << mention.start)
        if not taken & span:
            taken |= span
            chosen.append(mention)
    chosen.sort(key=_position)
    return chosen


# The distance and cost up to which a mention may be taken from an entity that can spare it, and up to which
# it proves two entities: the second must be as good as their common name.
_SPARED = 0.02
_SHARED = 0.015


@dataclass(frozen=True, slots=True)
class Weights:
    """What a mention is worth in the global assignment.

    A mention of n visible characters weighs ``(n + bonus) * (1 - penalty * (distance + cost))``: long
    mentions explain more of the text, and a strong penalty keeps doubtful long ones from winning over
    certain short ones.
    """

    penalty: float = 4.0
    bonus: float = 0.0

    def of(self, mention: Mention) -> float:
        """Return the weight of a mention."""
        text, doubt = mention.text, (mention.distance or 0.0) + mention.cost
        return (len(text) - text.count(" ") + self.bonus) * (1.0 - self.penalty * doubt)


def by_weight(proposals: Iterable[Mention], weights: Weights = Weights()) -> list[Mention]:
    """Select the mentions that do not overlap and whose weights have the greatest sum; in text order.

    Of equal sums the one whose last mention ends earlier is taken, then the proposal that came first.

    Examples
    --------
    >>> short = Mention("Grozny", 9, 15, "Grozny", "string", 0.0)
    >>> long = Mention("FC_Terek_Grozny", 0, 15, "FC Terek Grozny", "string", 0.0)
    >>> [mention.entity for mention in by_weight([short, long])]
    ['FC_Terek_Grozny']
    """
    ranked = sorted(proposals, key=_end)
    return _shared_out(_heaviest(ranked, weights), ranked)


def _heaviest(ranked: Sequence[Mention], weights: Weights) -> list[Mention]:
    """Return the heaviest selection of mentions, which are in the order of their ends."""
    ends: list[int] = []
    # Row i: the greatest sum that the first i mentions reach, how many come before the one that ends it, and
    # that one, if it is their last.
    rows: list[tuple[float, int, Mention | None]] = [(0.0, 0, None)]
    best = 0.0
    penalty, bonus = weights.penalty, weights.bonus
    for mention in ranked:
        _, start, end, text, _, distance, _, cost, _ = mention
        before = bisect_right(ends, start)
        # `Weights.of`, without the call: this runs for every proposal.
        weight = (len(text) - text.count(" ") + bonus) * (1.0 - penalty * ((distance or 0.0) + cost))
        total = rows[before][0] + weight
        if total > best:
            best = total
            rows.append((total, before, mention))
        else:
            rows.append((best, len(ends), None))
        ends.append(end)
    chosen: list[Mention] = []
    at = len(ends)
    while at:
        _, at, mention_here = rows[at]
        if mention_here is not None:
            chosen.append(mention_here)
    chosen.reverse()
    return chosen


def _shared_out(chosen: list[Mention], ranked: Sequence[Mention]) -> list[Mention]:
    """Let entities that got no mention have one that others can spare.

    In "Abilene, Texas" the state is part of the city's name; but where the input has an entity Texas that
    the text mentions nowhere else, people read it as a mention of both. And where two entities have the same
    name, or names that overlap in the text, one that is mentioned several times leaves one to the other.
    """
    selected = {mention.entity for mention in chosen}
    if selected.issuperset([mention.entity for mention in ranked]):
        return chosen
    result: list[Mention] = []
    for whole in chosen:
        parts = _parts(whole, ranked, selected)
        result.extend(parts)
        selected.update(part.entity for part in parts)
    poor = [mention for mention in ranked if mention.entity not in selected]
    result = _spared(result, [mention for mention in poor if _doubt(mention) <= _SPARED])
    return _shared(result, [mention for mention in poor if _doubt(mention) <= _SHARED])


def _spared(chosen: list[Mention], poor: Sequence[Mention]) -> list[Mention]:
    served: set[str] = set()
    for mention in reversed(poor):  # the later mentions first: an entity is introduced by its own name
        if mention.entity in served:
            continue
        rivals = [m for m in chosen if m.start < mention.end and mention.start < m.end]
        if all(_can_spare(rival, mention, chosen, rivals) for rival in rivals):
            chosen = sorted([*(m for m in chosen if m not in rivals), mention], key=_position)
            served.add(mention.entity)
    return chosen


def _shared(chosen: Sequence[Mention], poor: Sequence[Mention]) -> list[Mention]:
    """Note on each mention the entities without one of their own that it names, too."""
    served = {mention.entity for mention in chosen}
    names = [mention for mention in poor if mention.entity not in served]
    if not names:
        return list(chosen)
    result = []
    for whole in chosen:
        also = dict.fromkeys(part.entity for part in names if _tells(whole, part))
        result.append(whole._replace(also=tuple(also)) if also else whole)
    return result


def _tells(whole: Mention, part: Mention) -> bool:
    """Whether a mention also names the entity of another proposal.

    It does where both have the same span, where the mention is a literal with commas that spells a name out
    (a place in an address), where it is the name after a year ("2015 Serie B"), and where it names an object
    of the data: the brand in a product's name, the city in a team's. A word in a name that is itself only a
    value tells nothing: near an "Indian Museum", the food need not be Indian.
    """
    if not (whole.start <= part.start and part.end <= whole.end):
        return False
    if part.end - part.start == whole.end - whole.start:
        return True
    if isinstance(part.entity, Value) and isinstance(whole.entity, Value):
        strings = part.method == whole.method == "string" and not part.text.isdecimal()
        return strings and names_object(whole.entity.attribute)
    if whole.entity.startswith('"') and "," in whole.entity and part.text[:1].isupper():
        return True
    return part.end == whole.end and whole.text[: part.start - whole.start].strip(" –-").isdigit()


def _doubt(mention: Mention) -> float:
    return (mention.distance or 0.0) + mention.cost


def _can_spare(
    rival: Mention, mention: Mention, chosen: Sequence[Mention], rivals: Sequence[Mention]
) -> bool:
    """Whether the rival's entity is mentioned elsewhere, and its mention is not the larger one."""
    larger = rival.start <= mention.start and mention.end <= rival.end and rival.text != mention.text
    return not larger and any(m.entity == rival.entity for m in chosen if m not in rivals)


def _parts(whole: Mention, ranked: Sequence[Mention], selected: Set[str]) -> tuple[Mention, ...]:
    if "," not in whole.entity or whole.entity.startswith('"'):  # no place, or a literal that enumerates
        return (whole,)
    for tail in ranked:
        if tail.entity in selected or tail.end != whole.end or tail.start <= whole.start or tail.distance:
            continue
        for head in ranked:
            if head.entity == whole.entity and head.start == whole.start and head.end <= tail.start:
                return (head, tail)
    return (whole,)


def _paper_rank(mention: Mention) -> tuple[float, int, int, str]:
    distance = 0.0 if mention.distance is None else mention.distance
    return distance, mention.start - mention.end, mention.start, mention.entity


_position, _end = attrgetter("start"), attrgetter("end")
