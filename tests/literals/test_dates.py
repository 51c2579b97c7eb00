"""Dates: written forms found with their values, agreement with the input, and what must never match."""

from __future__ import annotations

import calendar
import datetime
import subprocess
import sys

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from esascore.errors import UsageError
from esascore.literals.dates import (
    FORMS,
    DateRange,
    Dates,
    DateValue,
    FoundDate,
    PartialDate,
    agrees,
    entity_date,
    find_dates,
)
from esascore.model import Entity

MONTHS = calendar.month_name[1:]


def years(first: int, last: int) -> DateRange:
    return DateRange(PartialDate(first), PartialDate(last))


D = PartialDate
# text, the date in it as the text writes it, its values
WRITTEN: list[tuple[str, str, tuple[DateValue, ...]]] = [
    ("He left on April 27th, 1937.", "April 27th, 1937", (D(1937, 4, 27),)),
    ("he left on april 27 , 1937 .", "april 27 , 1937", (D(1937, 4, 27),)),
    ("He left on the 27th of April, 1937!", "the 27th of April, 1937", (D(1937, 4, 27),)),
    ("He left on the 27th day of April in 1937", "the 27th day of April in 1937", (D(1937, 4, 27),)),
    ("He left on the 27th April 1937", "the 27th April 1937", (D(1937, 4, 27),)),
    ("He left on the twenty-seventh of April 1937", "the twenty-seventh of April 1937", (D(1937, 4, 27),)),
    ("Left Tuesday, 27 April 1937, he did", "27 April 1937", (D(1937, 4, 27),)),
    ("It was April the 27th, 1937", "April the 27th, 1937", (D(1937, 4, 27),)),
    ("He left on Apr. 27, 1937.Then", "Apr. 27, 1937", (D(1937, 4, 27),)),
    ("He left on april 04th 1937", "april 04th 1937", (D(1937, 4, 4),)),
    ("He left on april 27 ( 1937 )", "april 27 ( 1937 )", (D(1937, 4, 27),)),
    ("In 1937, on April 27th, he left", "1937, on April 27th", (D(1937, 4, 27),)),
    ("He left on April 27,1937", "April 27,1937", (D(1937, 4, 27),)),
    ("He left on 27-Apr-1937", "27-Apr-1937", (D(1937, 4, 27),)),
    ("Left: 1937-04-27.", "1937-04-27", (D(1937, 4, 27),)),
    ("Left 1937-04 -27", "1937-04 -27", (D(1937, 4, 27),)),
    ("Left 1937/04/27", "1937/04/27", (D(1937, 4, 27),)),
    ("Left 1937.04.27", "1937.04.27", (D(1937, 4, 27),)),
    ("Left 1937-27-04", "1937-27-04", (D(1937, 4, 27),)),
    ("Left 1937-04-27T10:15:00Z.", "1937-04-27T10:15:00Z", (D(1937, 4, 27),)),
    ("Left on 27/04/1937", "27/04/1937", (D(1937, 4, 27),)),
    ("Left on 27.04.1937.", "27.04.1937", (D(1937, 4, 27),)),
    ("Left on 05/04/1937", "05/04/1937", (D(1937, 4, 5), D(1937, 5, 4))),
    ("Left on 27/04/37", "27/04/37", (D(1937, 4, 27), D(2037, 4, 27))),
    ("Left in April 1937", "April 1937", (D(1937, 4),)),
    ("Left in April, 1937", "April, 1937", (D(1937, 4),)),
    ("Left in April of 1937", "April of 1937", (D(1937, 4),)),
    ("Left on April 27th", "April 27th", (D(None, 4, 27),)),
    ("Left in 1937.", "1937", (D(1937),)),
    ("Left in the year 1937.", "the year 1937", (D(1937),)),
    ("Left (1937)", "1937", (D(1937),)),
    ("Founded in 927.", "927", (D(927),)),
    ("Left in 44 BC.", "44 BC", (D(-44),)),
    ("It is from the 1930s.", "the 1930s", (years(1930, 1939),)),
    ("a mid-1930s work", "1930s", (years(1930, 1939),)),
    ("It is from the '30s.", "the '30s", (years(1930, 1939), years(2030, 2039))),
    ("from 1937 to 1945", "1937 to 1945", (years(1937, 1945),)),
    ("between 1937 and 1945", "1937 and 1945", (years(1937, 1945),)),
    ("in 1937–45", "1937–45", (years(1937, 1945),)),
    ("(1937 - 1945)", "1937 - 1945", (years(1937, 1945),)),
    ("April 1937 until May 1945", "April 1937 until May 1945", (DateRange(D(1937, 4), D(1945, 5)),)),
]


@pytest.mark.parametrize(("text", "span", "values"), WRITTEN)
def test_finds_every_written_form(text: str, span: str, values: tuple[DateValue, ...]) -> None:
    assert (span, values) in [(text[d.start : d.end], d.values) for d in find_dates(text)]


@pytest.mark.parametrize("text", [text for text, _, values in WRITTEN if isinstance(values[0], PartialDate)])
def test_gives_one_reading_of_a_date_that_is_no_range(text: str) -> None:
    assert len(find_dates(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "", "no digits, only May", "ISSN 1588-2632", "ISBN 1-4165-2060-0", "0-374-26131-8", "1,937 people",
        "1937.5 metres", "$1937", "RS-1937", "1937km", "1937%", "99/99/1937", "12345678",
        "is 11.5. 3147 of them", "may 100 years pass", "in 300 countries",
    ],
)  # fmt: skip
def test_finds_no_date_in(text: str) -> None:
    assert find_dates(text) == []


@pytest.mark.parametrize(
    ("language", "marked"),
    [
        ("de", "Sie wurde am [27. April 1937] geboren."),
        ("fr", "née le [27 avril 1937] à Nulleville"),
        ("es", "nació el [27 de abril de 1937]"),
        ("pt", "nasceu em [27 de abril de 1937]"),
        ("ru", "родилась [27 апреля 1937] года"),
        ("fi", "syntyi [27. huhtikuuta 1937]"),
        ("zh", "生于[1937年4月27日]。"),
        ("hu", "[1937. április 27]."),
        ("ar", "في [٢٧ أبريل ١٩٣٧]"),
    ],
)
def test_reads_other_languages_through_dateparser(language: str, marked: str) -> None:
    start, end = marked.index("["), marked.index("]") - 1
    (found,) = find_dates(marked.replace("[", "").replace("]", ""), (language,))
    assert (found.start, found.end, found.values) == (start, end, (D(1937, 4, 27),))


def test_unknown_language_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="the language 'xx'"):
        find_dates("1 foo 1937", ("xx",))


# term, properties, the date that it is
TERMS: list[tuple[str, tuple[str, ...], DateValue | None]] = [
    ("1937-04-27", (), D(1937, 4, 27)),
    ('"1937-04-27"', (), D(1937, 4, 27)),
    ('"1937-04-27"^^xsd:date', (), D(1937, 4, 27)),
    ("1937-04-27T00:00:00Z", (), D(1937, 4, 27)),
    ("--04-27", (), D(None, 4, 27)),
    ("1937-04", (), D(1937, 4)),
    ('"30 March 2007"', (), D(2007, 3, 30)),
    ('"January, 2014"', (), D(2014, 1)),
    ("31 July 2016 (JD2457600.5)", (), D(2016, 7, 31)),
    ('"May 1950 - August 1956"', (), DateRange(D(1950, 5), D(1956, 8))),
    ("1990s", (), years(1990, 1999)),
    ("1950-56", (), years(1950, 1956)),
    ("from 1950 to 1956", (), years(1950, 1956)),
    ("1937", (), D(1937)),
    ("1937", ("birthYear",), D(1937)),
    ("0927", ("foundingYear",), D(927)),
    ("1937", ("numberOfMembers",), None),
    ("1937", ("elevationAboveTheSeaLevel_(in_metres)",), None),
    ("1937", ("1st_runway_LengthFeet",), None),
    ("3500", (), None),
    ("12", (), None),
    ('"1588-2632"', ("ISSN_number",), None),
    ("2014–15_Examplian_League", ("season",), None),
    ("Apollo_11", (), None),
    ("2013-13-45", (), None),
    ("27 Apr 1937 10:15", ("birthDate",), D(1937, 4, 27)),  # only dateparser reads it
    ("27 Apr 1937 10:15", ("remark",), None),
    ("London", ("deathPlace",), None),
]


@pytest.mark.parametrize(("term", "properties", "date"), TERMS)
def test_reads_the_dates_of_the_input(term: str, properties: tuple[str, ...], date: DateValue | None) -> None:
    assert entity_date(Entity(term, object_of=properties)) == date


# what the text says, the date of the input, the distance of the best form or None
AGREEMENT: list[tuple[str, DateValue, float | None]] = [
    ("27 April 1937", D(1937, 4, 27), 0.0),
    ("28 April 1937", D(1937, 4, 27), None),
    ("27 May 1937", D(1937, 4, 27), None),
    ("27 April 1938", D(1937, 4, 27), None),
    ("05/04/1937", D(1937, 4, 5), 0.0),
    ("05/04/1937", D(1937, 5, 4), 0.0),
    ("13/04/1937", D(1937, 4, 14), None),
    ("in 1937", D(1937, 1, 1), FORMS["first-day"]),
    ("in January 1937", D(1937, 1, 1), FORMS["first-day"]),
    ("in April 1937", D(1937, 4, 1), FORMS["first-day"]),
    ("in 1937", D(1937, 4, 1), FORMS["partial"]),
    ("in 1937", D(1937, 4, 27), FORMS["partial"]),
    ("in April 1937", D(1937, 4, 27), FORMS["partial"]),
    ("on April 27th", D(1937, 4, 27), FORMS["partial"]),
    ("on April 28th", D(1937, 4, 27), None),
    ("in the 1930s", D(1937, 4, 27), FORMS["decade"]),
    ("in the 1940s", D(1937, 4, 27), None),
    ("in the '30s", D(1937), FORMS["decade"]),
    ("the 1930s", years(1930, 1939), 0.0),
    ("May 1950 to August 1956", DateRange(D(1950, 5), D(1956, 8)), 0.0),
    ("1950 to 1956", DateRange(D(1950, 5), D(1956, 8)), FORMS["range"]),
    ("1950 to 1957", DateRange(D(1950, 5), D(1956, 8)), FORMS["range"]),  # by its first end
    ("started in May 1950", DateRange(D(1950, 5), D(1956, 8)), FORMS["range"]),
    ("started in June 1950", DateRange(D(1950, 5), D(1956, 8)), None),
    ("on 27 April 1937", D(1937), None),  # more than the input says
]


@pytest.mark.parametrize(("text", "date", "distance"), AGREEMENT)
def test_agreement(text: str, date: DateValue, distance: float | None) -> None:
    distances = [d for found in find_dates(text) if (d := agrees(found, date)) is not None]
    assert min(distances, default=None) == distance


def test_forms_switch_agreement() -> None:
    (year,) = find_dates("in 1937")
    assert agrees(year, D(1937, 1, 1), ("full",)) is None
    assert agrees(year, D(1937, 1, 1), ("full", "partial")) is None
    assert agrees(year, D(1937), ("full",)) == 0.0


def test_english_needs_no_dateparser() -> None:
    code = (
        "import sys\n"
        "from esascore.literals.dates import find_dates, entity_date\n"
        "from esascore.model import Entity\n"
        "assert find_dates('on 27 April 1937') and entity_date(Entity('1937-04-27', (), ('birthDate',)))\n"
        "assert 'dateparser' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def _suffix(day: int) -> str:
    return "th" if 10 < day < 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


STYLES = (
    "{d} {M} {y}", "{d}{s} {M} {y}", "the {d}{s} of {M} {y}", "the {d}{s} of {M}, {y}", "{M} {d}, {y}",
    "{M} {d}{s}, {y}", "{M} {d}{s} {y}", "{M} {d} , {y}", "{d} {m3} {y}", "{m3} {d}, {y}",
    "{y}-{m:02}-{d:02}",
    "{y}/{m:02}/{d:02}", "{d:02}/{m:02}/{y}", "{m:02}/{d:02}/{y}", "{d}.{m}.{y}", "{M} {d} ( {y} )",
    "{y}, {M} {d}", "{d} {L} {y}", "{L} {d}{s} , {y}",
)  # fmt: skip
DATES = st.dates(datetime.date(1000, 1, 1), datetime.date(2099, 12, 31))


def _written(date: datetime.date, style: str) -> str:
    month = MONTHS[date.month - 1]
    return style.format(
        d=date.day, s=_suffix(date.day), m=date.month, M=month, m3=month[:3], L=month.lower(), y=date.year
    )


@given(DATES, st.sampled_from(STYLES), st.sampled_from(["on {}.", "({})", "{}", "x {} , y", '"{}"', "{}and"]))
def test_round_trip(date: datetime.date, style: str, frame: str) -> None:
    written = _written(date, style)
    assume(frame != "{}and" or style.endswith("{y}"))  # "April 27and" could be anything
    text = frame.format(written)
    found = [(text[d.start : d.end], d.values) for d in find_dates(text)]
    assert [span for span, values in found if D(date.year, date.month, date.day) in values] == [written]


@given(DATES, DATES, st.sampled_from(STYLES))
def test_another_date_never_agrees_in_full(date: datetime.date, other: datetime.date, style: str) -> None:
    ambiguous = {(date.year, date.month, date.day)}
    if "/" in style or "." in style:
        ambiguous.add((date.year, date.day, date.month))
    meant = (other.year, other.month, other.day)
    full = [
        d for d in find_dates(f"on {_written(date, style)}.") if agrees(d, D(*meant), ("full",)) is not None
    ]
    assert bool(full) == (meant in ambiguous)


@given(st.text(), st.sampled_from([("en",), ("de", "en")]))
def test_any_text_gives_sound_spans(text: str, languages: tuple[str, ...]) -> None:
    _assert_sound(text, find_dates(text, languages))


@given(st.text(alphabet=" 0123456789-/.,'()–stndrhofMayApril\n\u2028İ", max_size=60))
def test_text_that_is_almost_a_date_gives_sound_spans(text: str) -> None:
    _assert_sound(text, find_dates(text))
    entity_date(Entity(text, object_of=("birthDate",)))


def _assert_sound(text: str, found: list[FoundDate]) -> None:
    assert all(0 <= d.start < d.end <= len(text) and d.values for d in found)
    assert all(text[d.start : d.end] == text[d.start : d.end].strip() for d in found)
    assert [d.start for d in found] == sorted(d.start for d in found)


_WRITTEN = (
    *("1990", "1991-04-06", "1991-04", "1994-01-01", "1999-05-04", "1890s", "2000-04-06", "4 May 1999"),
    *("1990-1994", "1990-04-06 to 1991-05-04", "1999/2000", "May 1991", "1994", "--05-04", "1990s"),
)
_SAID = (
    *("in 1990", "on 6 April 1991", "in April 1991", "on May 4", "in the 1990s", "from 1990 to 1994"),
    *("in 1994", "on 4 May 1999", "in 1999", "from April 6, 1990 to May 4, 1991", "in 2000"),
)


@given(
    st.lists(st.sampled_from(_WRITTEN), min_size=9, unique=True), st.lists(st.sampled_from(_SAID), min_size=1)
)
def test_the_index_finds_what_a_comparison_with_all_finds(dates: list[str], said: list[str]) -> None:
    own = [date for one in dates if (date := entity_date(Entity(one, (), ("visitDate",)))) is not None]
    for found in find_dates("It was there " + ", and ".join(said) + "."):
        compared = [(n, d) for n, date in enumerate(own) if (d := agrees(found, date)) is not None]
        assert Dates(tuple(own)).agreeing(found) == compared
