"""Numbers in words, against a speller written independently."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.text.numerals import find_numerals, find_parts

# text, (words, value, is ordinal)
WRITTEN = [
    ("three floors", [("three", 3, False)]),
    ("it has twenty-one legs", [("twenty-one", 21, False)]),
    ("a hundred and five", [("a hundred and five", 105, False)]),
    ("one hundred twenty thousand", [("one hundred twenty thousand", 120_000, False)]),
    ("two million, six and ten", [("two million", 2_000_000, False), ("six", 6, False), ("ten", 10, False)]),
    ("half a million people", [("half a million", 500_000, False)]),
    ("two dozen eggs", [("two dozen", 24, False)]),
    ("the eleventh eye", [("eleventh", 11, True)]),
    ("its one hundred and twenty-first day", [("one hundred and twenty-first", 121, True)]),
    ("nineteen ninety", [("nineteen", 19, False), ("ninety", 90, False)]),
    ("three and four", [("three", 3, False), ("four", 4, False)]),
    ("a dog, often someone's", []),
    ("stone tents, bone", []),
    ("", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), WRITTEN)
def test_finds_numbers_in_words(text: str, expected: list[tuple[str, int, bool]]) -> None:
    assert [(text[n.start : n.end], n.value, n.ordinal) for n in find_numerals(text)] == expected


ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
TEENS = [
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
]  # fmt: skip
TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def spelled(number: int, joint: str, hyphen: str) -> str:
    for scale, word in ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"), (1000, "thousand")):
        if number >= scale:
            rest = number % scale
            return f"{spelled(number // scale, joint, hyphen)} {word}" + (
                f" {spelled(rest, joint, hyphen)}" if rest else ""
            )
    if number >= 100:
        rest = number % 100
        return f"{ONES[number // 100]} hundred" + (f"{joint}{spelled(rest, joint, hyphen)}" if rest else "")
    if number >= 20:
        return TENS[number // 10] + (f"{hyphen}{ONES[number % 10]}" if number % 10 else "")
    return TEENS[number - 10] if number >= 10 else ONES[number]


@given(st.integers(0, 10**15 - 1), st.sampled_from([" ", " and "]), st.sampled_from(["-", " "]))
def test_round_trip(number: int, joint: str, hyphen: str) -> None:
    words = spelled(number, joint, hyphen)
    text = f"there were {words} of them"
    assert [(text[n.start : n.end], n.value) for n in find_numerals(text)] == [(words, number)]


WORDS = [*ONES, *TENS[2:], "hundred", "thousand", "million", "and", "a", "half", "dozen", "-", "of"]


@given(st.lists(st.sampled_from(WORDS)))
def test_any_row_of_number_words_gives_sound_spans(words: list[str]) -> None:
    text = " ".join(words)
    found = find_numerals(text)
    assert all(0 <= n.start < n.end <= len(text) and n.value >= 0 for n in found)
    assert all(a.end <= b.start for a, b in pairwise(found))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("half a litre", ["0.5"]),
        ("half of it", ["0.5"]),
        ("a quarter of it", ["0.25"]),
        ("two thirds of it", ["0.67"]),
        ("three-quarters of it", ["0.75"]),
        ("one and a half hours", ["1.5"]),
        ("12 and a half", ["12.5"]),
        ("three point one four", ["3.14"]),
        ("a pair and a couple, twice", ["2", "2", "2"]),
        ("the second half of the third quarter", []),
        ("a third time", []),
        ("one point", []),
    ],
)
def test_parts(text: str, values: list[str]) -> None:
    assert [str(found.value) for found in find_parts(text)] == values
