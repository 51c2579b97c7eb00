from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.errors import DataError
from esascore.model import Detection, Example, Input, Mention
from esascore.reports.jsontext import to_json
from esascore.reports.lines import detection_lines, segment_lines


def test_detections_in_the_agreed_form():
    text, city = "Abilene, Texas has it.", "Abilene,_Texas"
    mention = Mention(city, 0, 14, "Abilene, Texas", "string", 0.0, "abilene texas")
    pronoun = Mention("Airport", 18, 20, "it", "pronoun")
    found = Detection(text, ("Airport", city), (mention, pronoun), ("Airport",))
    example = Example("a/Id1", Input.from_triples([("Airport", "city", city)]))
    (line,) = detection_lines([example], [found])
    assert line.endswith("}\n")
    names = ("entity", "start", "end", "text", "method", "distance")
    mentions = [(city, 0, 14, "Abilene, Texas", "string", 0.0), ("Airport", 18, 20, "it", "pronoun", None)]
    assert json.loads(line) == {
        "id": "a/Id1",
        "text": text,
        "entities": ["Airport", city],
        "esa": 0.5,
        "undetected": ["Airport"],
        "missing": [{"attribute": "", "subject": "Airport", "value": "Airport"}],
        "mentions": [dict(zip(names, values, strict=True)) for values in mentions],
        "language": "en",
    }


def test_ids_and_detections_must_be_as_many():
    with pytest.raises(DataError, match="1 inputs, but 0 detections"):
        list(detection_lines([Example("a", Input())], []))


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
