"""Quantities of data: an index that misses nothing, and when numbers of data agree."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.literals.numbers import FoundNumber, find_numbers
from esascore.literals.quantities import Quantities, Quantity, entity_quantities, number_distance
from esascore.literals.units import unit_named
from esascore.model import Entity

UNITS = [None, *(unit_named(name) for name in ("m", "cm", "ft", "°C", "°F", "%", "kg", "€"))]
NUMBERS = st.one_of(
    st.integers(-2000, 2000).map(Decimal),
    st.decimals(-500, 500, places=2),
    st.integers(1, 99).map(lambda n: Decimal(n).scaleb(5)),
)


@given(
    st.lists(st.tuples(NUMBERS, st.sampled_from(UNITS), st.booleans()), max_size=40),
    NUMBERS,
    st.sampled_from(UNITS),
    st.sampled_from([None, "about", "over"]),
)
def test_the_index_finds_what_a_comparison_with_all_finds(
    own: list[tuple[Decimal, object, bool]], value: Decimal, unit: object, hedge: str | None
) -> None:
    quantities = [Quantity(number, unit, sure=sure) for number, unit, sure in own]  # type: ignore[arg-type]
    found = FoundNumber(0, 1, (value,), unit, 0, 1, hedge)  # type: ignore[arg-type]
    compared = [
        (n, distance)
        for n, quantity in enumerate(quantities)
        if (distance := number_distance(found, quantity)) is not None
    ]
    assert Quantities(tuple(quantities)).agreeing(found) == compared


@given(st.lists(NUMBERS, min_size=7, max_size=30), NUMBERS, NUMBERS)
def test_near_numbers_are_found_in_another_unit(own: list[Decimal], value: Decimal, nudge: Decimal) -> None:
    metre, foot = unit_named("m"), unit_named("ft")
    assert metre is not None
    assert foot is not None
    quantities = [Quantity(number, metre) for number in (*own, value)]
    in_feet = round(value / Decimal("0.3048") + nudge / 10000, 1)
    found = FoundNumber(0, 1, (in_feet,), foot, 0, 1)
    compared = [n for n, quantity in enumerate(quantities) if number_distance(found, quantity) is not None]
    assert [n for n, _ in Quantities(tuple(quantities)).agreeing(found)] == compared


# a value of data, its unit beside it, the numbers and units that it is
VALUES: list[tuple[str, str, list[tuple[str, str | None]]]] = [
    ("205", "g", [("205", "gram")]),
    ("205 g", "", [("205", "gram")]),
    ("205 g (7.23 oz)", "", [("205", "gram")]),
    ("-3.5", "°C", [("-3.5", "degree Celsius")]),
    ("½ cup", "", [("0.5", "US cup")]),
    ("2 1/2", "h", [("2.5", "hour")]),
    ("4-6 hours", "", [("4", "hour"), ("6", "hour")]),
    ("120x60x75 cm", "", [("120", "centimetre"), ("60", "centimetre"), ("75", "centimetre")]),
    ("5 ft 11 in", "", [("71", "inch")]),
    ("1.234,56", "", [("1234.56", None)]),
    ("€ 9,50", "", [("9.50", "euro")]),
    ("one hundred and five", "", [("105", None)]),
    ("18 rooms", "", []),
    ("Galaxy 5", "", []),
    ("007", "", []),
]


@pytest.mark.parametrize(("value", "unit", "meant"), VALUES, ids=[value for value, _, _ in VALUES])
def test_what_a_value_is(value: str, unit: str, meant: list[tuple[str, str | None]]) -> None:
    quantities = entity_quantities(Entity(value, (), ("size",), "text", unit))
    assert [(str(q.value), q.unit and q.unit.name) for q in quantities] == meant


# a number of a text, a number of data, whether they agree
ROUNDED = [
    ("76.93", "76.936", True),
    ("76.94", "76.936", True),
    ("76.95", "76.936", False),
    ("77", "76.936", True),
    ("76", "76.936", True),
    ("0.7", "0.74", True),
    ("0.8", "0.74", False),
    ("2", "2.4", True),
    ("3", "2.4", False),
    ("1.1 million", "1135835", True),
    ("1 million", "1135835", False),
    ("about 1 million", "1090000", True),
    ("1,100,000", "1135835", False),
    ("12", "11", False),
    ("50+", "52", True),
    ("80%", "0.8", True),
    ("80%", "0.7", False),
]


@pytest.mark.parametrize(("text", "value", "agree"), ROUNDED)
def test_rounding(text: str, value: str, agree: bool) -> None:
    number = max(find_numbers(text), key=lambda found: found.end)
    assert (number_distance(number, Quantity(Decimal(value))) is not None) == agree
