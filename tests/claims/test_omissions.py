"""What a text leaves out: each record with texts, and the facts that they do not say."""

from __future__ import annotations

from typing import Any

import pytest

import esascore
from esascore.claims.omissions import missing
from esascore.model import Detection, Input
from esascore.pipeline import build_pipeline
from esascore.tables import Cell, Table
from esascore.text.document import Document

INN = {"name": "Blue Inn", "rooms": 27}
STAGE = {"results": [{"rank": 1, "name": "Ada Lund"}, {"rank": 2, "name": "Ida Moe"}]}
TABLES: dict[str, list[tuple[Any, dict[str, list[str]]]]] = {
    "numbers": [
        (INN, {"The Blue Inn has 27 rooms.": [], "The Blue Inn is small.": ["rooms"]}),
        (
            {"name": "Nova", "weight_g": 7636, "old_price_eur": 1650, "price_eur": 1290},
            {
                "Nova weighs 7.6 kg and costs €1,290, €360 less than before.": [],
                "Nova is now €360 cheaper than before, at €1,290.": ["weight_g"],
            },
        ),
        ({"name": "Nova", "sizes": [36, 37, 38, 39]}, {"Nova comes in size 36.": ["sizes.*"] * 3}),
        ({"name": "Nova", "fee_eur": 0}, {"Nova is here.": []}),
    ],
    "truth values": [
        (
            {"name": "Blue Inn", "pets_allowed": False, "breakfast": {"included": True}},
            {
                "Pets stay outside the Blue Inn; breakfast is on the house.": [],
                "The Blue Inn is small.": ["pets_allowed", "breakfast.included"],
            },
        ),
    ],
    "words": [
        (
            {"name": "Nova", "body": "STATION_WAGON", "made_in": "VN"},
            {"Nova is a wagon from Vietnam.": [], "Nova is new.": ["body", "made_in"]},
        ),
        (
            {"patient": "Eleanor Whitcombe", "doctor": "Dr. Hannah Cole"},
            {"Ms Whitcombe saw Hannah Cole.": [], "Ms Whitcombe saw nobody.": ["doctor"]},
        ),
    ],
    "dates and times": [
        (
            {"name": "Blue Inn", "day": "THU", "from": "2025-07-01", "to": "2025-09-30"},
            {"The Blue Inn opens on Thursdays from July to September.": []},
        ),
        (
            {"name": "Fair", "days": [{"date": "2025-11-05"}, {"date": "2025-11-20"}]},
            {"The Fair lasted from 3 to 7 November 2025.": ["days.*.date"]},
        ),
        (
            {"name": "Shop", "hours": "09:30-18:00"},
            {"The Shop opens at 9:30 and closes at 6 pm.": [], "The Shop opens at 9:30 am.": ["hours"]},
        ),
    ],
    "what people do not say": [
        (
            {
                "name": "Nova",
                "id": "N-7731",
                "url": "https://example.org/n",
                "geo": {"lat": 41.14, "lon": -8.61},
                "updated_at": "2026-01-22T07:00:00Z",
                "schema_version": "2.1.7",
                "colour": None,
            },
            {"Nova is new.": []},
        ),
        (
            STAGE,
            {"Ada Lund won ahead of Ida Moe.": [], "Ada Lund won.": ["results.*.name", "results.*.rank"]},
        ),
    ],
}
CASES = [
    pytest.param(data, text, wanted, id=f"{name}: {text}")
    for name, rows in TABLES.items()
    for data, texts in rows
    for text, wanted in texts.items()
]


@pytest.mark.parametrize(("data", "text", "wanted"), CASES)
def test_facts_that_are_not_said(data, text, wanted):
    assert [one.attribute for one in esascore.detect(data, text).missing] == wanted


def test_each_way_in_gives_the_same():
    text = "The **Blue Inn** is small."
    wanted = [{"attribute": "rooms", "subject": "Blue Inn", "value": "27"}]
    for found in (esascore.detect(INN, text), esascore.hallucinations(INN, text)):
        assert [one.as_dict() for one in found.missing] == wanted
    assert [one.as_dict() for one in esascore.check_text(INN, text).missing] == wanted


def test_triples_and_tables_as_data():
    triples = [("Ada_Hall", "architect", "Bo_Berg"), ("Bo_Berg", "age", "41")]
    assert [(one.attribute, one.value) for one in esascore.detect(triples, "Bo Berg is old.").missing] == [
        ("", "Ada_Hall"),
        ("age", "41"),
    ]
    table = Table((Cell("Paris", "city"), Cell("France", "country")))
    assert [one.as_dict() for one in esascore.detect(table, "It is in Paris.").missing] == [
        {"attribute": "country", "subject": "", "value": "France"}
    ]


def test_all_is_missing_in_a_blank_text():
    found = esascore.detect(INN, "null")
    assert [one.attribute for one in found.missing] == ["name", "rooms"]


def test_optional_attributes_are_never_missing():
    [example] = esascore.read_corpus([{"data": INN}], optional="rooms")
    assert esascore.detect(example, "The Blue Inn.").missing == ()


def test_what_is_missing_is_part_of_what_is_undetected():
    data = {"name": "Blue Inn", "rooms": [{"kind": "Attic", "beds": 2}, {"kind": "Suite", "beds": 4}]}
    document = Document(Input.from_data(data), "The Blue Inn has an attic.")
    [found] = build_pipeline().detect([document])
    unsaid = {(one.attribute, one.value) for one in missing(document, found)}
    assert unsaid <= {(term.attribute, str(term)) for term in found.undetected}
    assert ("rooms.*.beds", "4") in unsaid


def test_nothing_undetected_is_nothing_missing():
    assert missing(Document(Input.from_data(INN), "x"), Detection("x", (), (), ())) == ()


def test_lists_of_unlike_items_and_odd_keys_are_read():
    for data in (
        {"a": [{"b": 1}, 2, 3, {"b": 4}]},
        {"a": [{}, 1, 2, 3, {}]},
        {"rooms": {"²": {"beds": "x1"}}},
    ):
        assert esascore.detect(data, "Nothing of it.").missing
