"""Which detected mention is which annotated one: a one-to-one matching of strings.

Both sides are mentions of the same entity in the same text. Exact matching pairs equal strings, so that it
is a multiset intersection. Approximate matching starts from those pairs and adds as many pairs within the
edit distance as can be (a maximum bipartite matching by augmenting paths, after which everything that was
matched before still is); it never counts less than the exact one.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence

# d <= 0.2 decided on integers: 5 * edits <= 1 * longest.
_EDITS, _LONGEST = 5, 1


def match_exact(gold: Sequence[str], found: Sequence[str]) -> dict[int, int]:
    """Pair equal strings, first with first; the result maps positions in ``found`` to those in ``gold``.

    Examples
    --------
    >>> match_exact(["Rome", "it", "Rome"], ["Rome", "Roma", "Rome", "Rome"])
    {0: 0, 2: 2}
    """
    waiting: defaultdict[str, deque[int]] = defaultdict(deque)
    for position, string in enumerate(gold):
        waiting[string].append(position)
    return {position: waiting[string].popleft() for position, string in enumerate(found) if waiting[string]}


def match_approximate(gold: Sequence[str], found: Sequence[str]) -> dict[int, int]:
    """Pair strings with a normalised edit distance of at most 0.2: as many as can be, one to one.

    Examples
    --------
    >>> match_approximate(["theRomanForum", "Rome"], ["Romes", "RomanForum", "theRomanForums"])
    {0: 1, 2: 0}
    """
    pairs = match_exact(gold, found)
    if len(pairs) == min(len(gold), len(found)):
        return pairs
    near = [[n for n, string in enumerate(gold) if is_near(string, other)] for other in found]
    owners = {n: position for position, n in pairs.items()}
    for position in range(len(found)):
        if position not in pairs:
            _augment(position, near, owners, set())
    return dict(sorted((position, n) for n, position in owners.items()))


def is_near(one: str, other: str) -> bool:
    """Return whether two comparable strings have a normalised edit distance of at most 0.2.

    Examples
    --------
    >>> is_near("abcde", "abcdf"), is_near("abcd", "abce"), is_near("", "")
    (True, False, False)
    """
    longest = max(len(one), len(other))
    if not longest or _EDITS * abs(len(one) - len(other)) > _LONGEST * longest:
        return False
    from rapidfuzz.distance import Levenshtein

    return _EDITS * Levenshtein.distance(one, other) <= _LONGEST * longest


def _augment(position: int, near: Sequence[Sequence[int]], owners: dict[int, int], tried: set[int]) -> bool:
    """Match one more position, moving the partners of others where that is needed; return whether it can be.

    What is free comes first.
    """
    for n in sorted(near[position], key=owners.__contains__):
        if n not in tried:
            tried.add(n)
            if n not in owners or _augment(owners[n], near, owners, tried):
                owners[n] = position
                return True
    return False
