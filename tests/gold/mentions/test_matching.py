"""One-to-one matching against independent implementations."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from esascore.gold.mentions.matching import is_near, match_approximate, match_exact

# Strings of five to ten characters that differ in one or two, so that chains of near strings arise.
NAMES = ["aaaaa", "aaaab", "aaabb", "aabbb", "abbbb", "aaaaabbbbb", "aaaaaabbbb", "c"]
STRINGS = st.lists(st.sampled_from(NAMES), max_size=5)


@cache
def edits(one: str, other: str) -> int:
    if not one or not other:
        return len(one) + len(other)
    changed = edits(one[1:], other[1:]) + (one[0] != other[0])
    return min(changed, edits(one[1:], other) + 1, edits(one, other[1:]) + 1)


def near(one: str, other: str) -> bool:
    longest = max(len(one), len(other))
    return longest > 0 and Fraction(edits(one, other), longest) <= Fraction(1, 5)


def most_pairs(gold: list[str], found: list[str]) -> int:
    small, large = sorted((gold, found), key=len)
    return max(
        sum(near(a, b) for a, b in zip(small, order, strict=True))
        for order in permutations(large, len(small))
    )


@given(STRINGS, STRINGS)
def test_exact_matching_is_the_intersection_of_multisets(gold, found):
    pairs = match_exact(gold, found)
    assert len(set(pairs.values())) == len(pairs)
    assert all(gold[n] == found[position] for position, n in pairs.items())
    assert len(pairs) == (Counter(gold) & Counter(found)).total()


@given(STRINGS, STRINGS)
def test_approximate_matching_has_as_many_pairs_as_any(gold, found):
    pairs = match_approximate(gold, found)
    assert len(set(pairs.values())) == len(pairs)
    assert all(near(gold[n], found[position]) for position, n in pairs.items())
    assert len(pairs) == most_pairs(gold, found)
    assert set(match_exact(gold, found)) <= set(pairs)


def test_exact_pairs_give_way_where_that_makes_room():
    # aaaab = aaaab would leave aaabb (near aaaab only) and aaaaa (near aaaab only) alone.
    assert match_approximate(["aaaab", "aaabb"], ["aaaab", "aaaaa"]) == {0: 1, 1: 0}


def test_a_whole_chain_moves_where_that_makes_room():
    chain = ["aaaaa", "aaaab", "aaabb", "aabbb", "abbbb", "bbbbb"]
    assert match_approximate(chain[:-1], chain[1:]) == {0: 0, 1: 1, 2: 2, 3: 3, 4: 4}


@given(st.text("ab", max_size=12), st.text("ab", max_size=12))
def test_nearness_is_decided_on_integers(one, other):
    assert is_near(one, other) == near(one, other)
