"""Numbers: written forms found with value and unit, agreement with the input, and what must never match."""

from __future__ import annotations

from decimal import Decimal, localcontext

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from esascore.data import type_of_term
from esascore.literals.keys import read_key
from esascore.literals.numbers import FoundNumber, find_numbers
from esascore.literals.quantities import Quantity, entity_quantity, number_distance
from esascore.literals.units import unit_named
from esascore.model import Entity

# text, the number as the text writes it, its first value, its unit, the span with unit
WRITTEN: list[tuple[str, str, str, str | None, str]] = [
    ("It has 1299 members.", "1299", "1299", None, "1299"),
    ("It has 1,299 members.", "1,299", "1299", None, "1,299"),
    ("It has 1 , 299 members .", "1 , 299", "1299", None, "1 , 299"),
    ("It has 1 299 members.", "1 299", "1299", None, "1 299"),
    ("It earns $10, 264, 000 a year", "10, 264, 000", "10264000", "dollar", "$10, 264, 000"),
    ("the factor 1 . 524 of", "1 . 524", "1.524", None, "1 . 524"),
    ("an area of 135000000. 0 in all", "135000000. 0", "135000000.0", None, "135000000. 0"),
    ("It is 12,34,567 rupees", "12,34,567", "1234567", "rupee", "12,34,567 rupees"),
    ("It is 1.234.567,5", "1.234.567,5", "1234567.5", None, "1.234.567,5"),
    ("It is 2,9 km long", "2,9", "2.9", "kilometre", "2,9 km"),
    ("It is .88 square miles", ".88", "0.88", "square mile", ".88 square miles"),
    ("It is 2.79e+11 away", "2.79e+11", "2.79E+11", None, "2.79e+11"),
    ("It is 2.79 x 10^11 m away", "2.79 x 10^11", "2.79E+11", "metre", "2.79 x 10^11 m"),
    ("It is 2.79×10⁻³ away", "2.79×10⁻³", "2.79E-3", None, "2.79×10⁻³"),
    ("about 2.5 million people", "2.5 million", "2.5E+6", "person", "2.5 million people"),
    ("It cost €5bn", "5bn", "5E+9", "euro", "€5bn"),
    ("It cost 120m Australian dollars", "120m", "1.20E+8", "AUD", "120m Australian dollars"),
    ("It cost US$ 12 to", "12", "12", "dollar", "US$ 12"),
    ("It cost USD 12 to", "12", "12", "USD", "USD 12"),
    ("It is 42 m tall", "42", "42", "metre", "42 m"),
    ("It is 42m tall", "42", "42", "metre", "42m"),
    ("a 42-metre tower", "42", "42", "metre", "42-metre"),
    ("It has 42 ( square metres ) of", "42", "42", "square metre", "42 ( square metres )"),
    ("It is 42 ft. Then", "42", "42", "foot", "42 ft"),
    ("at 37.1 kilometres per second", "37.1", "37.1", "kilometre/second", "37.1 kilometres per second"),
    ("at 37.1 km/s", "37.1", "37.1", "kilometre/second", "37.1 km/s"),
    ("387.6 people per sq km", "387.6", "387.6", "person/square kilometre", "387.6 people per sq km"),
    ("387.6/km2", "387.6", "387.6", "person/square kilometre", "387.6/km2"),
    ("It is 12% water", "12", "12", "percent", "12%"),
    ("It is 12 per cent water", "12", "12", "percent", "12 per cent"),
    ("UTC offset of -6.", "-6", "-6", None, "-6"),
    ("UTC−6", "−6", "-6", None, "−6"),
    ("UTC-6", "-6", "-6", None, "-6"),
    ("an offset of - 6 .", "- 6", "-6", None, "- 6"),
    ("an offset of minus 6", "minus 6", "-6", None, "minus 6"),
    ("an offset of &minus;6", "&minus;6", "-6", None, "&minus;6"),
    ("an offset of +8", "+8", "8", None, "+8"),
    ("a 20-floor house", "20", "20", None, "20"),
    ("It has three floors", "three", "3", None, "three"),
    ("Six hundred students", "Six hundred", "600", None, "Six hundred"),
    ("He ran 1 hour and 30 minutes", "1 hour and 30 minutes", "90", "minute", "1 hour and 30 minutes"),
    ("He ran 1:30:05", "1:30:05", "5405", "second", "1:30:05"),
    ("He is 6 feet 3 inches tall", "6 feet 3 inches", "75", "inch", "6 feet 3 inches"),
    ("He is 6'3\" tall", "6'3\"", "75", "inch", "6'3\""),
    ("the 4th district", "4th", "4", None, "4th"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "span", "value", "unit", "outer"), WRITTEN)
def test_finds_every_written_form(text: str, span: str, value: str, unit: str | None, outer: str) -> None:
    found = [
        (text[n.start : n.end], n.values[0], n.unit and n.unit.name, text[n.outer_start : n.outer_end])
        for n in find_numbers(text)
    ]
    assert (span, Decimal(value), unit, outer) in found


@pytest.mark.parametrize(
    "text",
    [
        "", "no numbers here, often none", "RS-3", "F-16", "18L/36R", "09R/27L", "0004319", "3XN", "R2D2",
        "on 27 April 1937", "April 27th, 1937", "the twentieth of April", "1937-04-27", "27/04/1937", "1990s",
        "ISBN 1-4165-2060-0", "2014/15", "10.1.2.3", "9" * 50,
    ],
)  # fmt: skip
def test_finds_no_number_in(text: str) -> None:
    assert find_numbers(text) == []


@pytest.mark.parametrize(
    ("text", "hedge"),
    [
        ("about 1,300", "about"),
        ("more than $1,300", "more than"),
        ("~1,300", "~"),
        ("a 1,300", None),
        ("1,300", None),
    ],
)
def test_sees_what_makes_a_number_inexact(text: str, hedge: str | None) -> None:
    assert find_numbers(text)[0].hedge == hedge


# term, properties, value, unit, whether the term names the unit
TERMS: list[tuple[str, tuple[str, ...], str | None, str | None, bool]] = [
    ("1299", ("numberOfMembers",), "1299", None, False),
    ('"320"', ("numberOfPages",), "320", None, False),
    ("2989.0", ("runwayLength",), "2989.0", "metre", False),
    ("185.0 (centimetres)", ("height",), "185.0", "centimetre", True),
    ('"8820.0"(minutes)', (), "8820.0", "minute", True),
    ("8.3 m", (), "8.3", "metre", True),
    ('"42 m"', (), "42", "metre", True),
    ("120770.0 (square metres)", (), "120770.0", "square metre", True),
    ("0.0068 (kilometrePerSeconds)", (), "0.0068", "kilometre/second", True),
    ("2.0 (gramPerCubicCentimetres)", (), "2.0", "gram/cubic centimetre", True),
    ("914.8 (inhabitants per square kilometre)", (), "914.8", "person/square kilometre", True),
    ("837080.744 (squareKilometres)", (), "837080.744", "square kilometre", True),
    ("-71.0 (degreeCelsius)", (), "-71.0", "degree Celsius", True),
    ('"110 million (dollars)"', (), "1.10E+8", "dollar", True),
    ("$2.5 million", (), "2.5E+6", "dollar", True),
    ("−6", ("utcOffset",), "-6", None, False),
    ("&minus;7", ("utcOffset",), "-7", None, False),
    ("+8", ("utcOffset",), "8", None, False),
    ('"~500"', ("academicStaffSize",), "500", None, False),
    ('"1.9304"^^xsd:double', ("height",), "1.9304", "metre", False),
    ("2.79e+11", (), "2.79E+11", None, False),
    ("1.3", ("percentageOfAreaWater",), "1.3", "percent", False),
    ("12467", ("1st_runway_LengthFeet",), "12467", "foot", False),
    ("973.0", ("elevationAboveTheSeaLevel_(in_metres)",), "973.0", "metre", False),
    ("61.0", ("populationDensity (/sqkm)",), "61.0", "person/square kilometre", False),
    ("1937", ("goals",), "1937", None, False),
    ("1937", ("birthYear",), "1937", None, False),
    ("1937-04-27", (), None, None, False),
    ("0004319", ("imdbId",), None, None, False),
    ("12 parrots", (), None, None, False),
    ("18:30", ("closes",), None, None, False),
    ("Apollo_11", (), None, None, False),
    ("Alex", (), None, None, False),
]


@pytest.mark.parametrize(("term", "properties", "value", "unit", "in_term"), TERMS)
def test_reads_the_quantities_of_the_input(
    term: str, properties: tuple[str, ...], value: str | None, unit: str | None, in_term: bool
) -> None:
    quantity = entity_quantity(Entity(term, (), properties, type_of_term(term)))
    if value is None:
        assert quantity is None
    else:
        assert quantity is not None
        assert (quantity.value, quantity.unit and quantity.unit.name, quantity.in_term) == (
            Decimal(value), unit, in_term,
        )  # fmt: skip


# What the text says, value and unit of the input, the least distance or none.
AGREEMENT = """
    1,299 of them               | 1299                  | 0
    1,298 of them               | 1299                  | -
    1,300 of them               | 1299                  | -
    about 1,298 of them         | 1299                  | -
    about 1,300 of them         | 1299                  | 0.1
    over 1,200 of them          | 1299                  | 0.1
    almost 1,200 of them        | 1299                  | -
    about 2,000 of them         | 1299                  | -
    185 cm                      | 185.0 centimetre      | 0
    185                         | 185.0 centimetre      | 0
    1.85 m                      | 185.0 centimetre      | 0.05
    1.86 m                      | 185.0 centimetre      | -
    6 ft 1 in. tall             | 185.0 centimetre      | 0.05
    185 metres                  | 185.0 centimetre      | -
    185 kilograms               | 185.0 centimetre      | -
    1.93 m                      | 1.9304 metre          | 0.1
    1.94 m                      | 1.9304 metre          | -
    2 m                         | 1.9304 metre          | 0.1
    3,500                       | 3499.71               | 0.1
    3,499                       | 3499.71               | 0.1
    20.8 billion                | 20769100000           | 0.1
    20.7 billion                | 20769100000           | -
    20,800,000,000              | 20769100000           | -
    2.9 km                      | 2900.0 metre          | 0.05
    140,000 m2                  | 0.14 square kilometre | 0.05
    147 hours                   | 8820.0 minute         | 0.05
    69 days                     | 100305.0 minute       | 0.1
    68 days                     | 100305.0 minute       | -
    1:34                        | 94.0 minute           | 0
    1 hour and 34 minutes       | 94 minute             | 0
    an hour 1:34:00 long        | 94.0 minute           | 0.05
    173 K                       | 173 kelvin            | 0
    -100.15 °C                  | 173 kelvin            | 0.05
    64,008                      | 64.008                | -
    1.533                       | 1533                  | -
    1.500                       | 1500                  | 0.05
    -6                          | -6                    | 0
    6                           | -6                    | -
    -6                          | 6                     | -
    3.35 metres below sea level | -3.35 metre           | 0
    three                       | 3                     | 0
    the third                   | 3                     | 0.15
    12 percent                  | 12 percent            | 0
    A$120 million               | 120000000 US dollars  | 0
    0                           | 0                     | 0
    0                           | 0.001                 | -
"""


@pytest.mark.parametrize("row", AGREEMENT.strip().split("\n"))
def test_agreement(row: str) -> None:
    text, meant, distance = (cell.strip() for cell in row.split("|"))
    value, _, unit = meant.partition(" ")
    quantity = Quantity(Decimal(value), unit_named(unit) if unit else None)
    assert not unit or quantity.unit is not None
    distances = [d for n in find_numbers(text) if (d := number_distance(n, quantity)) is not None]
    assert min(distances, default=None) == (None if distance == "-" else pytest.approx(float(distance)))


def test_results_do_not_depend_on_the_decimal_context() -> None:
    with localcontext() as context:
        context.prec = 2
        (found,) = find_numbers("UTC -123456.75 million")
    assert found.values == (Decimal("-123456.75E+6"),)


UNITS_OF_KEYS = {
    "runtime (m)": "minute", "length (m)": "metre", "areaTotal (m2)": "square metre",
    "females (%)": "percent", "1st_runway_LengthFeet": "foot", "runway_LengthMetre": "metre",
    "height in m": "metre", "wind_ms": "metre per second", "latency_ms": "millisecond",
    "protein_g_min": "gram", "protein_g_max": "gram", "duration_min": "minute", "hours_per_week": "hour",
    "hemoglobin_g_dl": "gram/decilitre", "price_eur": "EUR",
}  # fmt: skip
NO_UNITS = ("inMemoryOf", "elevationF", "super g", "activeYearsStartYear", "day_of_week", "smart_meter")


def test_units_of_keys() -> None:
    found = {key: read_key(key).unit for key in UNITS_OF_KEYS}
    assert {key: unit and unit.name for key, unit in found.items()} == UNITS_OF_KEYS
    assert [read_key(key).unit for key in NO_UNITS] == [None] * len(NO_UNITS)


VALUES = st.decimals(0, 10**12, places=2).map(lambda value: value.normalize())
STYLES = ("plain", "commas", "tokenised", "sci")


def _written(value: Decimal, style: str) -> str:
    if style == "sci":
        digits, exponent = f"{value:E}".split("E")
        return f"{digits}e{int(exponent):+d}"
    written = f"{value:,f}" if style != "plain" else f"{value:f}"
    return written.replace(",", " , ").replace(".", " . ") if style == "tokenised" else written


@given(
    VALUES, st.sampled_from(STYLES), st.sampled_from(["was {} of", "({})", "{}.", "it is {} metres", "{}km"])
)
def test_round_trip(value: Decimal, style: str, frame: str) -> None:
    written = _written(value, style)
    assume(style != "tokenised" or frame != "{}.")  # "5 . 5." is two sentences as well
    text = frame.format(written)
    found = [n for n in find_numbers(text) if value in n.values]
    assert written in [text[n.start : n.end] for n in found]


@given(VALUES, VALUES, st.sampled_from(STYLES))
def test_two_whole_numbers_never_agree(value: Decimal, other: Decimal, style: str) -> None:
    value, other = value.to_integral_value(), other.to_integral_value()
    assume(value != other)
    text = f"it had {_written(value, 'plain' if style == 'sci' else style)} of them"
    whole = [n for n in find_numbers(text) if value in n.values and other not in n.values]
    assert all(number_distance(n, Quantity(other)) is None for n in whole)


@given(st.integers(10**3, 10**9), st.integers(0, 8), st.integers(1, 9))
def test_one_changed_digit_never_agrees(number: int, place: int, shift: int) -> None:
    digits = list(str(number))
    place %= len(digits)
    digits[place] = str((int(digits[place]) + shift) % 10)
    other = int("".join(digits))
    for text in (f"{other:,} of them", f"{other} of them", f"{other} metres"):
        for name in (None, "metre"):
            quantity = Quantity(Decimal(number), unit_named(name) if name else None)
            assert [n for n in find_numbers(text) if number_distance(n, quantity) == 0] == []


@given(st.text())
def test_any_text_gives_sound_spans(text: str) -> None:
    _assert_sound(text, find_numbers(text))


@given(st.text(alphabet=" 0123456789-−/.,:'\"()$€%~xe^⁵+&;\n\u2028İmkbnstinus", max_size=60))
def test_text_that_is_almost_a_number_gives_sound_spans(text: str) -> None:
    _assert_sound(text, find_numbers(text))
    entity_quantity(Entity(text))


def _assert_sound(text: str, found: list[FoundNumber]) -> None:
    assert all(0 <= n.outer_start <= n.start < n.end <= n.outer_end <= len(text) and n.values for n in found)
    assert [n.start for n in found] == sorted(n.start for n in found)
