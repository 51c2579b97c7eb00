"""Decides which proposed mentions are kept.

The rule of the paper ("Putting it all together"): of overlapping mentions the one with the lowest edit
distance is kept; of equal ones the longest. Mentions that compare no strings count as distance 0, as the
paper treats those of its entity linker.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from operator import itemgetter

from esascore.data import Value, names_object, term_key
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
    end = 0
    for mention in ordered:
        if mention.start < end:
            break
        end = mention.end
    else:
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


# The distance and cost up to which a mention may be taken from an entity that has others, and up to which it
# proves two entities: for the second, too, it must be as good as a common name.
_SPARED = 0.02
_SHARED = 0.015


def by_weight(proposals: Iterable[Mention], *, penalty: float, bonus: float) -> list[Mention]:
    """Select the mentions that do not overlap and whose weights have the greatest sum; in text order.

    A mention of n visible characters weighs ``(n + bonus) * (1 - penalty * (distance + cost))``: long
    mentions explain more of the text, and a strong penalty keeps doubtful long ones from winning over
    certain short ones. Of equal sums the one whose last mention ends earlier is taken, then the proposal that
    came first.

    Examples
    --------
    >>> short = Mention("Grozny", 9, 15, "Grozny", "string", 0.0)
    >>> long = Mention("FC_Terek_Grozny", 0, 15, "FC Terek Grozny", "string", 0.0)
    >>> [mention.entity for mention in by_weight([short, long], penalty=4.0, bonus=0.0)]
    ['FC_Terek_Grozny']
    """
    ranked = sorted(proposals, key=_end)
    return _shared_out(_heaviest(ranked, penalty, bonus), ranked)


def _heaviest(ranked: Sequence[Mention], penalty: float, bonus: float) -> list[Mention]:
    """Return the heaviest selection of mentions, which are in the order of their ends."""
    ends: list[int] = []
    # Row i: the greatest sum that the first i mentions reach, how many come before the one that ends it, and
    # that one, if it is their last.
    rows: list[tuple[float, int, Mention | None]] = [(0.0, 0, None)]
    best = 0.0
    for mention in ranked:
        _, start, end, text, _, distance, _, cost, _ = mention
        before = bisect_right(ends, start)
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
    """Give entities without a mention one that other entities do not need.

    In "Abilene, Texas" the state is part of the city's name; but where the input has an entity Texas that
    the text mentions nowhere else, people read it as a mention of both. And where two entities have the same
    name, or names that overlap in the text, one that is mentioned several times leaves one to the other.
    """
    if len(chosen) == len(ranked):
        return chosen
    selected = {term_key(mention.entity) for mention in chosen}
    if selected.issuperset([term_key(mention.entity) for mention in ranked]):
        return chosen
    result: list[Mention] = []
    ending: dict[int, list[Mention]] = {}
    if any("," in mention.entity for mention in chosen):
        for mention in ranked:
            ending.setdefault(mention.end, []).append(mention)
    for whole in chosen:
        parts = _parts(whole, ranked, ending, selected)
        result.extend(parts)
        selected.update(term_key(part.entity) for part in parts)
    poor = [mention for mention in ranked if term_key(mention.entity) not in selected]
    result = _spared(result, [mention for mention in poor if _doubt(mention) <= _SPARED])
    return _shared(result, [mention for mention in poor if _doubt(mention) <= _SHARED])


def _spared(chosen: list[Mention], poor: Sequence[Mention]) -> list[Mention]:
    """Give entities without a mention one that their rivals do not need; mentions stay in text order."""
    served: set[Hashable] = set()
    numbers = Counter(term_key(mention.entity) for mention in chosen)
    for mention in reversed(poor):  # the later mentions first: an entity is introduced by its own name
        if (key := term_key(mention.entity)) in served:
            continue
        first = bisect_right(chosen, mention.start, key=_end)
        last = bisect_left(chosen, mention.end, key=_position)
        rivals = chosen[first:last]
        own = Counter(term_key(rival.entity) for rival in rivals)
        # Each rival's entity must be mentioned elsewhere, and its mention must not be the larger one.
        if all(numbers[one] > number for one, number in own.items()) and not any(
            _is_larger(rival, mention) for rival in rivals
        ):
            chosen = [*chosen[:first], mention, *chosen[last:]]
            numbers.subtract(own)
            numbers[key] += 1
            served.add(key)
    return chosen


def _shared(chosen: Sequence[Mention], poor: Sequence[Mention]) -> list[Mention]:
    """Note on each mention which entities without a mention of their own it also names."""
    served = {term_key(mention.entity) for mention in chosen}
    names = [mention for mention in poor if term_key(mention.entity) not in served]
    if not names:
        return list(chosen)
    order = sorted(range(len(names)), key=lambda number: names[number].start)
    starts = [names[number].start for number in order]
    result = []
    for whole in chosen:
        inside = order[bisect_left(starts, whole.start) : bisect_right(starts, whole.end)]
        told = (names[number].entity for number in sorted(inside) if _tells(whole, names[number]))
        also = {term_key(entity): entity for entity in told}
        result.append(whole._replace(also=tuple(also.values())) if also else whole)
    return result


def _tells(whole: Mention, part: Mention) -> bool:
    """Return whether a mention also names the entity of another proposal.

    It does if both have the same span, if the mention is a literal with commas that contains the name (a
    place in an address), if it is the name after a year ("2015 Serie B"), or if it names an object of the
    data: the brand in a product's name, the city in a team's. A word in a name that is only a value proves
    nothing: near an "Indian Museum", the food need not be Indian.
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


def _is_larger(rival: Mention, mention: Mention) -> bool:
    return rival.start <= mention.start and mention.end <= rival.end and rival.text != mention.text


def _parts(
    whole: Mention,
    ranked: Sequence[Mention],
    ending: Mapping[int, Sequence[Mention]],
    selected: Set[Hashable],
) -> tuple[Mention, ...]:
    if "," not in whole.entity or whole.entity.startswith('"'):  # not a place, or a literal that enumerates
        return (whole,)
    heads: list[Mention] | None = None
    for tail in ending.get(whole.end, ()):
        if term_key(tail.entity) in selected or tail.start <= whole.start or tail.distance:
            continue
        if heads is None:
            heads = [one for one in ranked if one.start == whole.start and one.entity == whole.entity]
        for head in heads:
            if head.end <= tail.start:
                return (head, tail)
    return (whole,)


def _paper_rank(mention: Mention) -> tuple[float, int, int, str]:
    distance = 0.0 if mention.distance is None else mention.distance
    return distance, mention.start - mention.end, mention.start, mention.entity


# By start and end, which are read faster by their positions in the tuple.
_position, _end = itemgetter(1), itemgetter(2)
