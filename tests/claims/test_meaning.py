"""Truth values, values, hours, names and codes: what a text says of its record, and what of it is wrong."""

from __future__ import annotations

from typing import Any

import pytest

import esascore

GYM = {
    "name": "Ironleaf",
    "access": {"sauna": True, "pool": False, "childcare": False},
    "freeze_allowed": True,
    "breakfast_included": False,
    "hours": {"mon_fri": "06:00-23:00", "sat": "08:00-17:00", "sun": "closed"},
}
TESTS = {
    "patient": "Marcus Bell",
    "results": [
        {"test": "Total cholesterol", "value": 212, "flag": "high"},
        {"test": "HDL", "value": 58, "flag": "normal"},
    ],
}
CAMERA = {
    "name": "Porch Cam",
    "settings": {"night_vision": True, "siren": False, "motion_sensitivity": "medium"},
    "wifi_signal": "weak",
}
TABLE = "| | |\n|---|---|\n| Night vision | {} |\n| Siren | off |"
CASES: list[tuple[dict[str, Any], str, list[str]]] = [
    # truth values
    (GYM, "Ironleaf has a sauna, but no pool, and childcare is not offered.", []),
    (GYM, "There is no pool, and childcare is offered.", ["childcare"]),
    (GYM, "You can freeze your membership.", []),
    (GYM, "You cannot freeze your membership.", ["freeze"]),
    (GYM, "Ironleaf serves breakfast from 7.", []),  # which is not included
    (GYM, "Breakfast is included.", ["Breakfast"]),
    (GYM, "If you like swimming, there is no pool.", []),
    ({"smoking": False, "name": "Inn"}, "Inn is smoke-free.", []),
    ({"has_parking": True, "name": "Inn"}, "Has parking: no", ["parking"]),
    ({"familyFriendly": False, "name": "Inn"}, "Family friendly: no", []),
    ({"name": "Inn", "parking": {"valet": False}}, "Valet parking is not available at Inn.", []),
    ({"name": "Zed", "nfc": False}, "Zed does without NFC.", []),
    ({"name": "Zed", "towbar": None, "seats": 5}, "A removable towbar is already fitted to Zed.", ["towbar"]),
    ({"job": "Cook", "visa_sponsorship": True}, "We cannot sponsor visas.", ["sponsor visas"]),
    (CAMERA, "- Night vision: on\n- Siren: off", []),
    (CAMERA, "- Night vision: off\n- Siren: off", ["Night vision"]),
    (CAMERA, TABLE.format("on"), []),
    (CAMERA, TABLE.format("off"), ["Night vision"]),
    ({"flat": "B2", "furnished": True}, "This unfurnished flat B2 is yours.", ["unfurnished"]),
    # values
    ({"procedure": "Knee arthroscopy", "side": "left"}, "It is your left knee.", []),
    ({"procedure": "Knee arthroscopy", "side": "left"}, "It is your right knee.", ["right"]),
    (CAMERA, "The Wi-Fi signal is weak.", []),
    (CAMERA, "The Wi-Fi signal is strong.", ["strong"]),
    (CAMERA, "Porch Cam is a strong camera.", []),
    (CAMERA, "Motion sensitivity: high", ["high"]),
    ({"product": "Blender", "colors": ["black", "silver", "red"]}, "Blender in black, silver and red.", []),
    (TESTS, "| Test | Status |\n|---|---|\n| Total cholesterol | High |\n| HDL | Normal |", []),
    (TESTS, "| Test | Status |\n|---|---|\n| Total cholesterol | Normal |\n| HDL | Normal |", ["Normal"]),
    # hours
    (GYM, "It is open on Saturdays from 8 to 5.", []),
    (GYM, "It is open on Saturdays from 8 to 6.", ["8 to 6"]),
    (GYM, "Saturday only, until 5 pm; Sunday it is closed.", []),
    # names
    ({"athlete": "Jana Obrecht", "nat": "SUI"}, "Switzerland's Jana Obrecht won.", []),
    ({"athlete": "Jana Obrecht", "nat": "SUI"}, "Sweden's Jana Obrecht won.", ["Sweden"]),
    ({"title": "Winter", "original_language": "nld"}, "Winter was published in Dutch.", []),
    ({"title": "Winter", "original_language": "nld"}, "Winter was published in German.", ["German"]),
    ({"from": "LHR", "city": "London"}, "It leaves from London Heathrow.", []),
    ({"from": "LHR", "city": "London"}, "It leaves from London Gatwick.", ["Gatwick"]),
    ({"to": "München Hbf"}, "The train to Munich is late.", []),
    ({"shoe": "Vexo Trail"}, "The Vexo Trail is a shoe. The Vexo Trail has a grippy sole.", []),
    ({"shop": "Pebble & Pine"}, "It is from Pebble & Vine.", ["Vine"]),
    ({"station": "Tor", "aqi": 87}, "The U-Bahn to Tor has AQI 87 on Black Friday.", []),
    ({"balance": [{"unit": "Tidecaller", "old": 14, "new": 11}]}, "Tidecaller: from 14 to 11.", []),
    (
        {"parts": [{"name": "Fan"}, {"name": "Lamp"}, {"name": "Switch"}]},
        "Fan, Lamp and Switch are made by Siemens in New Zealand.",
        ["Siemens", "New Zealand"],
    ),
    # codes
    ({"film": "Rocky IV"}, "Rocky IV is a film.", []),
    ({"film": "Rocky IV"}, "Rocky III is a film.", ["III"]),
    ({"flat": "Linden 4", "energy_class": "C"}, "Linden 4 has energy class C.", []),
    ({"flat": "Linden 4", "energy_class": "C"}, "Linden 4 has energy class A.", ["A"]),
    ({"camera": "Porch", "recording_quality": "1080p"}, "Porch. Recording quality: 720p", ["720p"]),
]


@pytest.mark.parametrize(("data", "text", "wrong"), CASES)
def test_what_is_flagged(data: dict[str, Any], text: str, wrong: list[str]) -> None:
    assert [flag.text for flag in esascore.hallucinations(data, text)] == wrong


@pytest.mark.parametrize(
    ("data", "text", "kind", "attribute", "expected", "reason"),
    [
        (
            {"name": "Inn", "parking": {"valet": False, "lot": True}},
            "Inn offers valet parking.",
            "contradicted",
            "parking.valet",
            "no",
            "the text asserts parking.valet; the input says parking.valet = no",
        ),
        (
            {"name": "Cam", "signal": "weak"},
            "The signal of Cam is strong.",
            "replacement",
            "signal",
            "weak",
            "",
        ),
        (
            {"club": "Ole Brandt"},
            "Ole Brandt met the Swabians.",
            "addition",
            None,
            None,
            "the input has no Swabians",
        ),
        (
            {"ceo": "Silje Rustad"},
            "The CEO is Siri Rustad.",
            "inaccurate",
            "ceo",
            "Silje Rustad",
            "the input has no Siri; it says ceo = Silje Rustad",
        ),
    ],
)
def test_a_flag_says_what_a_person_needs(
    data: dict[str, Any], text: str, kind: str, attribute: str | None, expected: str | None, reason: str
) -> None:
    [flag] = esascore.hallucinations(data, text)
    assert (flag.kind, flag.attribute, flag.expected) == (kind, attribute, expected)
    assert flag.reason == (reason or f"the input says {attribute} = {expected}")
    assert flag.as_dict()["attribute"] == attribute
