"""Times of day and weekdays."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.literals.clock import entity_clock, find_times, find_weekdays, weekday
from esascore.model import Entity
from esascore.text.vocabulary import WEEKDAYS


@given(st.integers(0, 23), st.integers(0, 59))
def test_every_time_is_found_in_both_clocks(hour: int, minute: int) -> None:
    clock = entity_clock(Entity(f"2023-11-28 {hour:02}:{minute:02}:00", type="date"))
    assert clock is not None
    half, small = ("am", "a.m.") if hour < 12 else ("pm", "p.m.")
    twelve = hour % 12 or 12
    for written in (
        f"{hour:02}:{minute:02}",
        f"{hour}:{minute:02}",
        f"{hour:02}:{minute:02}:00",
        f"{twelve}:{minute:02} {half}",
        f"{twelve}.{minute:02}{half}",
        f"{twelve}:{minute:02} {small}",
    ):
        text = f"it starts at {written} or so"
        [found] = find_times(text)
        assert (text[found.start : found.end], clock.shows(found)) == (written, True)
        other = entity_clock(Entity(f"{hour:02}:{(minute + 1) % 60:02}", type="time"))
        assert other is not None
        assert not other.shows(found)


@pytest.mark.parametrize(
    "text",
    ["9.30 euros", "a score of 3:2", "20:9", "1080p", "12,5", "utc+02:00", "6 people", "a 5-4 win", "1:75"],
)
def test_what_is_no_time(text: str) -> None:
    assert find_times(text) == []


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("half past nine", (570, 1290)),
        ("quarter to 6", (345, 1065)),
        ("six o'clock", (360, 1080)),
        ("at noon", (720,)),
        ("at midnight", (0,)),
        ("12 am", (0,)),
        ("12 p.m.", (720,)),
    ],
)
def test_spoken_times(text: str, minutes: tuple[int, ...]) -> None:
    [found] = find_times(text)
    assert found.minutes == minutes


def test_ranges_share_their_half_of_the_day() -> None:
    assert [time.minutes for time in find_times("from 2 to 4 pm, 5-6:30 pm")] == [
        (840,),
        (960,),
        (1020,),
        (1110,),
    ]


@given(st.dates(min_value=date(1900, 1, 1), max_value=date(2100, 1, 1)))
def test_weekdays(day: date) -> None:
    number = weekday(day.year, day.month, day.day)
    assert number == day.weekday()
    name = day.strftime("%A").lower()
    assert find_weekdays(f"on {name} night") == [(3, 3 + len(name), WEEKDAYS.index(name))]
