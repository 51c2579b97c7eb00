from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.errors import DataError
from esascore.model import Detection, Mention
from esascore.reports.jsontext import to_json
from esascore.reports.lines import detection_lines, segment_lines


def test_detections_in_the_agreed_form():
    mention = Mention("Abilene,_Texas", 0, 14, "Abilene, Texas", "string", 0.0, "abilene texas")
    pronoun = Mention("Airport", 18, 20, "it", "pronoun")
    found = Detection(
        "Abilene, Texas has it.", ("Airport", "Abilene,_Texas"), (mention, pronoun), ("Airport",)
    )
    (line,) = detection_lines(["a/Id1"], [found])
    assert line.endswith("}\n")
    assert json.loads(line) == {
        "id": "a/Id1",
        "text": "Abilene, Texas has it.",
        "entities": ["Airport", "Abilene,_Texas"],
        "esa": 0.5,
        "undetected": ["Airport"],
        "mentions": [
            {
                "entity": "Abilene,_Texas",
                "start": 0,
                "end": 14,
                "text": "Abilene, Texas",
                "method": "string",
                "distance": 0.0,
            },
            {
                "entity": "Airport",
                "start": 18,
                "end": 20,
                "text": "it",
                "method": "pronoun",
                "distance": None,
            },
        ],
    }


def test_ids_and_detections_must_be_as_many():
    with pytest.raises(DataError, match="2 ids, but 0 detections"):
        list(detection_lines(["a", "b"], []))


def test_segments_system_by_system(score):
    scored = score([("ab", None), ("", None)], {"x": ["a", "a"], "y": ["null", "a"]})
    assert [json.loads(line) for line in segment_lines(scored)] == [
        {"system": "x", "id": "Id1", "scores": {"esa": 0.5}},
        {"system": "x", "id": "Id2", "scores": {"esa": None}},
        {"system": "y", "id": "Id1", "scores": {"esa": 0.0}},
        {"system": "y", "id": "Id2", "scores": {"esa": None}},
    ]


@given(st.recursive(st.text() | st.floats(allow_nan=False, allow_infinity=False) | st.none(), st.lists))
def test_json_is_lossless_on_one_line_that_utf8_can_hold(value):
    line = to_json(value)
    assert json.loads(line.encode().decode()) == value
    assert len(line.splitlines()) == 1


def test_json_has_no_nan():
    with pytest.raises(ValueError, match="JSON compliant"):
        to_json(float("nan"))
