"""Which proposed mentions stand."""

from __future__ import annotations

from functools import partial
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esascore.model import Mention
from esascore.resolve import by_distance
from esascore.resolve import by_weight as select_by_weight

TEXT = "ab cdef g hijkl mnop qr stuvwx yz"


def make(entity: str, start: int, end: int, distance: float | None = 0.0, cost: float = 0.0) -> Mention:
    return Mention(entity, start, end, TEXT[start:end], "string", distance, None, cost)


def overlap(one: Mention, other: Mention) -> bool:
    return one.start < other.end and other.start < one.end


def fit_together(mentions) -> bool:
    return not any(overlap(*pair) for pair in combinations(mentions, 2))


@st.composite
def proposals(draw, most: int = 9, entities: str = "ABC") -> list[Mention]:
    spans = st.integers(0, 24).flatmap(lambda at: st.tuples(st.just(at), st.integers(at + 1, at + 8)))
    doubts = st.sampled_from([None, 0.0, 0.05, 0.1, 0.2, 0.3])
    return draw(
        st.lists(
            st.builds(
                lambda entity, span, distance, cost: make(entity, *span, distance, cost),
                st.sampled_from(entities),
                spans,
                doubts,
                st.sampled_from([0.0, 0.01, 0.04]),
            ).filter(lambda mention: mention.text.strip()),
            max_size=most,
        )
    )


# The rule of the paper


def naive_by_distance(mentions: list[Mention]) -> list[Mention]:
    """Take the best of what is left, strike out what overlaps it, and so on."""
    left, chosen = list(mentions), []
    while left:
        best = min(left, key=lambda m: (m.distance or 0.0, -(m.end - m.start), m.start, m.entity))
        chosen.append(best)
        left = [m for m in left if not overlap(m, best)]
    return sorted(chosen, key=lambda m: m.start)


@settings(deadline=None)
@given(proposals(most=14))
def test_by_distance_is_the_naive_rule(mentions):
    assert by_distance(mentions) == naive_by_distance(mentions)


@pytest.mark.parametrize(
    ("mentions", "chosen"),
    [
        ([("A", 0, 10, 0.1), ("B", 5, 8, 0.0)], "B"),  # the lowest distance
        ([("A", 0, 10, 0.1), ("B", 5, 8, 0.1)], "A"),  # then the longest
        ([("A", 0, 10, 0.1), ("B", 5, 8, None)], "B"),  # comparing nothing counts as 0
        ([("B", 4, 8, 0.0), ("A", 2, 6, 0.0)], "A"),  # then the first in the text
        ([("B", 4, 8, 0.0), ("A", 4, 8, 0.0)], "A"),  # then by name
        ([("A", 4, 8, 0.0), ("B", 8, 12, 0.3)], "AB"),  # touching is no overlap
        ([("B", 8, 12, 0.0), ("A", 0, 4, 0.3)], "AB"),  # in text order
        ([("A", 0, 10, 0.2), ("B", 8, 14, 0.1), ("C", 13, 20, 0.0)], "AC"),
        ([], ""),
    ],
)
def test_by_distance(mentions, chosen):
    assert "".join(m.entity for m in by_distance([make(*m) for m in mentions])) == chosen


# The global assignment


by_weight = partial(select_by_weight, penalty=4.0, bonus=0.0)


def weight(mention: Mention, penalty: float, bonus: float) -> float:
    visible = len(mention.text.replace(" ", ""))
    return (visible + bonus) * (1 - penalty * ((mention.distance or 0) + mention.cost))


@settings(deadline=None)
@given(
    mentions=proposals(entities="A"),
    penalty=st.sampled_from([0.0, 1.0, 4.0, 8.0]),
    bonus=st.sampled_from([0.0, 2.0]),
)
def test_by_weight_is_the_heaviest_of_all_selections(mentions, penalty, bonus):
    def total(some) -> float:
        return sum(weight(mention, penalty, bonus) for mention in some)

    # Of one entity, no other can be left without a mention: nothing is shared out.
    chosen = by_weight(mentions, penalty=penalty, bonus=bonus)
    assert fit_together(chosen)
    assert chosen == sorted(chosen, key=lambda m: m.start)
    assert all(m in mentions and total([m]) > 0 for m in chosen)
    sizes = range(len(mentions) + 1)
    fitting = (some for size in sizes for some in combinations(mentions, size) if fit_together(some))
    assert total(chosen) == pytest.approx(max(map(total, fitting)), abs=1e-9)


@settings(deadline=None)
@given(proposals(entities="ABC"))
def test_sharing_out_never_takes_the_last_mention_of_an_entity(mentions):
    """What is shared out fits together, and every entity of the heaviest selection keeps a mention."""
    chosen = by_weight(mentions)
    assert fit_together(chosen)
    assert chosen == sorted(chosen, key=lambda m: m.start)
    before = {m.entity for m in by_weight_before_sharing(mentions)}
    assert before <= {m.entity for m in chosen}
    for m in chosen:
        assert m.entity not in m.also
        assert set(m.also).isdisjoint(other.entity for other in chosen)


def by_weight_before_sharing(mentions: list[Mention]) -> list[Mention]:
    """The same selection, where every mention is of one and the same entity, with its entity put back."""
    owners = {}
    disguised = []
    for n, m in enumerate(mentions):
        owners[str(n)] = m.entity
        disguised.append(Mention("A", m.start, m.end, m.text, str(n), m.distance, m.variant, m.cost))
    return [
        Mention(owners[m.method], m.start, m.end, m.text, "string", m.distance, m.variant, m.cost)
        for m in by_weight(disguised)
    ]


@settings(deadline=None)
@given(proposals(entities="ABC"))
def test_where_every_entity_has_a_mention_nothing_is_shared_out(mentions):
    plain = by_weight_before_sharing(mentions)
    if {m.entity for m in plain} == {m.entity for m in mentions}:
        assert by_weight(mentions) == plain


def test_a_mention_that_weighs_nothing_does_not_stand():
    assert by_weight([make("A", 0, 6, 0.25), make("B", 8, 14, 0.3)]) == []


def test_of_equal_sums_the_one_that_ends_earlier_then_the_first_proposal():
    early, late = make("A", 3, 7), make("A", 5, 10)  # 4 characters; 4 without the space
    assert by_weight([late, early]) == [early]
    first, second = make("A", 3, 7), Mention("A", 3, 7, TEXT[3:7], "date", 0.0)
    assert by_weight([first, second]) == [first]
    assert by_weight([second, first]) == [second]


# What one entity leaves to another


def spans(*mentions: tuple[str, str, float], text: str) -> list[Mention]:
    """Mentions of (entity, string, cost); a string ``x@n`` begins at n."""
    found = []
    for entity, place, cost in mentions:
        string, _, at = place.partition("@")
        start = int(at) if at else text.index(string)
        found.append(Mention(entity, start, start + len(string), string, "string", 0.0, None, cost))
    return found


def resolved(text: str, *mentions: tuple[str, str, float]) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(m.entity, m.text, m.also) for m in by_weight(spans(*mentions, text=text))]


PLACE = "It is in Akra, Olo."


def test_the_state_in_a_citys_name_goes_to_the_state_that_is_mentioned_nowhere_else():
    mentions = [("Akra,_Olo", "Akra, Olo", 0.0), ("Akra,_Olo", "Akra", 0.04), ("Olo", "Olo", 0.0)]
    assert resolved(PLACE, *mentions) == [("Akra,_Olo", "Akra", ()), ("Olo", "Olo", ())]


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        # the state is mentioned elsewhere
        (
            PLACE + " Olo is big.",
            [
                ("Akra,_Olo", "Akra, Olo", 0.0),
                ("Akra,_Olo", "Akra", 0.04),
                ("Olo", "Olo", 0.0),
                ("Olo", f"Olo@{len(PLACE) + 1}", 0.0),
            ],
        ),
        # nothing would be left of the city
        (PLACE, [("Akra,_Olo", "Akra, Olo", 0.0), ("Olo", "Olo", 0.0)]),
        # a literal that enumerates
        (PLACE, [('"Akra, Olo"', "Akra, Olo", 0.0), ('"Akra, Olo"', "Akra", 0.04), ("Olo", "Olo", 0.0)]),
        # a name without comma
        (PLACE, [("Akra_Olo", "Akra, Olo", 0.0), ("Akra_Olo", "Akra", 0.04), ("Olo", "Olo", 0.0)]),
    ],
)
def test_otherwise_the_place_stays_whole(text, mentions):
    assert "Akra, Olo" in [string for _, string, _ in resolved(text, *mentions)]


def test_a_state_that_is_not_exactly_there_gets_no_part():
    whole, city, state = spans(
        ("Akra,_Olo", "Akra, Olo", 0.0), ("Akra,_Olo", "Akra", 0.04), ("Oloo", "Olo", 0.0), text=PLACE
    )
    assert by_weight([whole, city, state._replace(distance=0.25)]) == [whole]


TWICE = "Arx saw Arx."


def test_of_two_entities_with_one_name_the_second_gets_the_later_mention():
    both = [(entity, place, 0.0) for entity in ("Arx", '"Arx"') for place in ("Arx@0", "Arx@8")]
    assert resolved(TWICE, *both) == [("Arx", "Arx", ()), ('"Arx"', "Arx", ())]


def test_where_there_is_only_one_mention_it_proves_both():
    assert resolved("Arx won.", ("Arx", "Arx", 0.0), ('"Arx"', "Arx", 0.0)) == [("Arx", "Arx", ('"Arx"',))]


@pytest.mark.parametrize(("cost", "is_shared"), [(0.0, True), (0.015, True), (0.016, False), (0.05, False)])
def test_only_a_form_as_good_as_the_name_is_shared(cost, is_shared):
    [found] = resolved("Arx won.", ("Arx", "Arx", 0.0), ("Arxia", "Arx", cost))
    assert found == ("Arx", "Arx", ("Arxia",) if is_shared else ())


@pytest.mark.parametrize(("cost", "is_spared"), [(0.02, True), (0.021, False)])
def test_only_a_good_form_is_spared(cost, is_spared):
    found = resolved(TWICE, ("Arx", "Arx@0", 0.0), ("Arx", "Arx@8", 0.0), ("Arxia", "Arx@8", cost))
    assert [entity for entity, _, _ in found] == (["Arx", "Arxia"] if is_spared else ["Arx", "Arx"])


def test_a_name_within_a_larger_one_is_not_spared():
    text = "Arx Hill and Arx Hill"
    mentions = [("Arx_Hill", "Arx Hill@0", 0.0), ("Arx_Hill", "Arx Hill@13", 0.0), ("Arx", "Arx@13", 0.0)]
    assert [entity for entity, _, _ in resolved(text, *mentions)] == ["Arx_Hill", "Arx_Hill"]


@pytest.mark.parametrize(
    ("text", "whole", "part", "is_told"),
    [
        ("At 12 Quay, Akra.", ('"12 Quay, Akra"', "12 Quay, Akra"), ("Akra", "Akra"), True),  # an address
        ("At 12 Quay Akra.", ('"12 Quay Akra"', "12 Quay Akra"), ("Akra", "Akra"), False),  # without a comma
        ("At Quay, Akra.", ("Quay,_Akra", "Quay, Akra"), ("Akra", "Akra"), False),  # no literal
        ("Of tea, milk.", ('"tea, milk"', "tea, milk"), ("Milk", "milk"), False),  # no name
        ("The 2015 Cup.", ("2015_Cup", "2015 Cup"), ("Cup", "Cup"), True),  # a year before the name
        ("The 2014–15 Cup.", ("2014–15_Cup", "2014–15 Cup"), ("Cup", "Cup"), False),
        ("The Old Cup.", ("Old_Cup", "Old Cup"), ("Cup", "Cup"), False),
        ("The 2015 Cup.", ("2015_Cup", "2015 Cup"), ("2015", "2015"), False),
    ],
)
def test_what_a_longer_mention_tells_as_well(text, whole, part, is_told):
    found = resolved(text, (*whole, 0.0), (*part, 0.0))
    assert found == [(*whole, (part[0],) if is_told else ())]
