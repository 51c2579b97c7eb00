"""The example for promptfoo, evaluated by promptfoo itself."""

from __future__ import annotations

import json

import pytest

from adapters import HOTEL, RIGHT, WRONG


def test_the_example_passes_and_fails_where_it_should(promptfoo):
    code, found = promptfoo()
    results = {one["testCase"]["description"]: one for one in found}
    assert code == 100  # of promptfoo, where a test fails
    assert {name: one["success"] for name, one in results.items()} == {
        "says what the data say": True,
        "a wrong number": False,
        "data as JSON, and the city is not required": True,
        "a required value is left out": False,
    }
    wrong = results["a wrong number"]
    assert wrong["namedScores"]["esascore_coverage"] == pytest.approx(2 / 3)
    assert "support: 32: replacement, the input says rooms = 27" in wrong["gradingResult"]["reason"]
    left_out = results["a required value is left out"]["gradingResult"]["reason"]
    assert "coverage: 27: not said (rooms)" in left_out


def test_the_assertion_without_promptfoo(adapter):
    grade = adapter("promptfoo", "esascore_assert").get_assert
    right = grade(RIGHT, {"vars": {"data": json.dumps(HOTEL)}})
    assert (right["pass"], right["score"], right["reason"]) == (True, 1.0, "nothing blocks it")
    wrong = grade(WRONG, {"vars": {"data": HOTEL}, "config": {"require": ["rooms"]}})
    assert (wrong["pass"], wrong["score"]) == (False, 0.0)
    assert [one["pass"] for one in wrong["componentResults"]] == [False, False]
    assert grade(WRONG, {"vars": {"data": HOTEL}, "config": {"min_confidence": 0.99}})["pass"]
