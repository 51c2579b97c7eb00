"""What stands after the name of an attribute: flagged if it is written like the value, and another."""

from __future__ import annotations

import pytest

import esascore

RECORD = {
    "version": "3.11.7",
    "average_score": 4.3,
    "open_issues": 3,
    "price_level": "moderate",
    "peak_month": "October",
    "country": "PT",
    "language": "nl",
    "pets_allowed": False,
    "sponsor": None,
    "grade": "A+",
    "sequel": "Rocky IV",
}


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("Version: 3.11.7", []),
        ("| Field | Value |\n| --- | --- |\n| Version | 2.9.0 |", ["2.9.0"]),
        ("The version is 2.9.0.", ["2.9.0"]),
        ("Average score: 4", []),
        ("Average score: 4.4", ["4.4"]),
        ("Open issues: 4", ["4"]),
        ("Price level: mid-range", []),
        ("**Peak month:** June", ["June"]),
        ("Country: VN", ["VN"]),
        ("Country: Portugal", []),
        ("Language: Dutch", []),
        ("Pets allowed: no", []),
        ("- Pets allowed: yes\n- Grade: A+", ["Pets"]),
        ("Sponsor: unknown", []),
        ("Grade: A-", ["A-"]),
        ("Sequel: Rocky III", ["III"]),
    ],
)
def test_values_after_labels(text, flags):
    assert [one.text for one in esascore.hallucinations(RECORD, text)] == flags
