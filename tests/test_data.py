"""Any JSON value becomes typed facts."""

from __future__ import annotations

import pickle
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.data import Value, flatten, matches, type_of
from esascore.errors import UsageError
from esascore.model import Graph

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


def leaves(data: Any) -> list[tuple[str, str, str, str]]:
    return [(fact.subject, fact.path, fact.value, fact.type) for fact in flatten(data).facts]


def test_a_leaf_is_about_the_nearest_named_object():
    team = {"name": "Reds", "wins": 3, "players": [{"fullName": "Ann Li", "points": 7, "bio": {"age": 30}}]}
    assert leaves({"teams": [team]}) == [
        ("Reds", "teams.*.wins", "3", "number"),
        ("Ann Li", "teams.*.players.*.points", "7", "number"),
        ("Ann Li", "teams.*.players.*.bio.age", "30", "number"),
    ]


def test_subjects_know_their_kind_and_parent():
    team = {"name": "Reds", "players": [{"name": "Ann", "points": 7}]}
    reds, ann = flatten({"teams": [team]}).subjects
    assert (reds.name, reds.kind, reds.parent, reds.path) == ("Reds", "teams.*", "", "teams.*.name")
    assert (ann.name, ann.kind, ann.parent) == ("Ann", "teams.*.players.*", reds.owner)


def test_nothing_is_no_fact():
    assert leaves({"a": None, "b": "", "c": [], "d": {}, "e": "  ", "f": float("nan")}) == []


@pytest.mark.parametrize("key", ["name", "key", "label"])
def test_an_object_of_name_and_value_is_one_fact(key):
    assert leaves({"name": "X1", "specs": [{key: "Weight", "value": 205}]}) == [
        ("X1", "specs.*.Weight", "205", "number")
    ]


def test_a_pair_without_a_name_continues_the_one_before():
    specs = [{"name": "SIM", "value": "Nano"}, {"name": " ", "value": "IP68"}]
    assert [path for _, path, _, _ in leaves(specs)] == ["*.SIM", "*.SIM"]


def test_keys_that_are_values_name_what_they_hold():
    assert leaves({"name": "Oslo", "2024-01-04": {"rain": 3}}) == [("2024-01-04", "*.rain", "3", "number")]
    assert leaves({"18:00": "rain"}) == [("18:00", "*", "rain", "text")]


def test_an_object_without_a_name_is_called_by_its_date_or_time():
    assert leaves([{"dt_txt": "2024-01-04 02:00:00", "temp": 4}]) == [
        ("2024-01-04 02:00:00", "*.temp", "4", "number")
    ]


def test_units_stand_beside_what_they_measure():
    def units(data: Any) -> dict[str, str]:
        return {fact.path: fact.unit for fact in flatten(data).facts}

    assert units({"depth": 3, "unit": "km"}) == {"depth": "km"}
    series = {"units": {"temp": "°C", "wind": "m/s"}, "list": [{"temp_max": 3, "wind": {"speed": 1}, "x": 2}]}
    assert units(series) == {"list.*.temp_max": "°C", "list.*.wind.speed": "m/s", "list.*.x": ""}
    assert units({"key": "Depth", "value": 3, "unit": "km"}) == {"Depth": "km"}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Yes", "boolean"), ("false", "boolean"), ("1,234.5", "number"), ("-18", "number"), ("£20", "number"),
        ("62.5 kg", "number"), ("2024-01", "date"), ("2024-01-04T10:00:00Z", "date"), ("9:30 pm", "time"),
        ("Wi-Fi, GPS, NFC", "list"), ("HSPA / LTE / 5G", "list"), ("Oslo", "name"), ("coffee shop", "text"),
    ],
)  # fmt: skip
def test_types(text, kind):
    assert type_of(text) == kind


@pytest.mark.parametrize(
    ("path", "value", "optional"),
    [
        ("id", "7", True), ("playerId", "7", True), ("image", "https://a.example/b.png", True),
        ("geo.lat", "1.5", True), ("etag", "x", True), ("md5", "9e107d9d372bb6826bd81d3542a419d6", True),
        ("paid", "7", False), ("latency", "7", False), ("grid", "B2", False), ("hobby", "acid house", False),
    ],
)  # fmt: skip
def test_what_nobody_says_is_optional(path, value, optional):
    data = {path.split(".")[-1]: value, "more": "x"}
    found = flatten({"geo": data} if "." in path else data).facts[0]
    assert (found.path, found.optional) == (path, optional)


def test_long_whole_numbers_are_identifiers_only_by_their_key_or_as_strings():
    number = 1234567890123456
    data = flatten(
        {"name": "Oslo", "debt": number, "tweet_id": number, "serial": str(number), "all": [number]}
    )
    assert {fact.path: fact.optional for fact in data.facts} == {
        "debt": False, "tweet_id": True, "serial": True, "all.*": False,
    }  # fmt: skip


def test_values_of_two_attributes_are_two():
    one, other = Value("yes", "parking"), Value("yes", "breakfast")
    assert one == "yes"
    assert one != other
    assert len({one, other}) == 2
    again = pickle.loads(pickle.dumps(one))
    assert again == one
    assert again.attribute == "parking"


def test_patterns_of_paths():
    data = flatten({"name": "Oslo", "list": [{"name": "a", "x": 1, "y": {"z": 2}}]})
    assert [fact.path for fact in data.chosen(ignored=["list.*.x"]).facts] == ["list.*.y.z"]
    assert [fact.optional for fact in data.chosen(optional=["*y"]).facts] == [False, True]
    without = data.chosen(ignored=["list.*.name"])
    assert [subject.name for subject in without.subjects] == ["Oslo"]
    assert {fact.subject for fact in without.facts} == {""}
    assert not matches([], "a")


def test_entities_of_a_graph_of_data():
    graph = Graph.from_data(
        {"name": "Inn", "parking": True, "breakfast": True, "id": 5, "rooms": [{"beds": 2}, {"beds": 2}]}
    )
    assert [(e.term, e.term.attribute, e.type, e.optional) for e in graph.entities] == [
        ("Inn", "name", "name", False),
        ("yes", "parking", "boolean", False),
        ("yes", "breakfast", "boolean", False),
        ("5", "id", "number", True),
        ("2", "rooms.*.beds", "number", False),
    ]
    assert graph.root == "Inn"
    assert pickle.loads(pickle.dumps(graph)) == graph


def test_python_values():
    assert leaves({"when": date(2024, 1, 4)}) == [("", "when", "2024-01-04", "date")]
    assert leaves({"ok": True, "few": (3,)}) == [("", "ok", "yes", "boolean"), ("", "few.*", "3", "number")]


def test_data_that_hold_themselves_are_refused():
    loop: dict[str, Any] = {}
    loop["self"] = loop
    with pytest.raises(UsageError, match="nested too deeply"):
        Graph.from_data(loop)


@given(JSON)
def test_any_json_can_be_read(data):
    flat = flatten(data)
    owners = {subject.owner for subject in flat.subjects}
    assert all(fact.value.strip() and (fact.owner in owners or not fact.subject) for fact in flat.facts)
    graph = Graph.from_data(data)
    assert len(graph.triples) == len(flat.facts)
    assert len({entity.term for entity in graph.entities}) == len(graph.entities)


def test_a_string_that_is_a_table_is_read_as_one():
    text = "# country: Peru\n# unit: t\nyear,wheat,rice\n1990,3,4\n1991,5,6\n1992,7,8"
    found = flatten({"crops": text})
    assert [(f.subject, f.path, f.value, f.unit) for f in found.facts][:3] == [
        ("", "crops.country", "Peru", ""),
        ("1990", "crops.series.*.wheat", "3", "t"),
        ("1990", "crops.series.*.rice", "4", "t"),
    ]
    rows = flatten("name;age\nAnn;3\nBo;4\nCy;5")
    assert [(f.subject, f.path, f.value) for f in rows.facts][2] == ("Cy", "*.age", "5")


@pytest.mark.parametrize(
    "text", ["One, two.\nThree, four.\nFive, six, seven.\nEight.", "a,b\nc,d", "1\n2\n3\n4"]
)
def test_a_string_that_is_no_table_stays_a_string(text):
    assert [fact.value for fact in flatten({"a": text}).facts] == [" ".join(text.split())]


def test_a_row_that_begins_with_a_date_is_called_by_it():
    found = flatten([["2024-01-04", 3, 4], ["2024-01-05", 5, 6]])
    assert [(f.subject, f.path, f.value) for f in found.facts][2:] == [
        ("2024-01-05", "*.*.value", "5"),
        ("2024-01-05", "*.*.value 2", "6"),
    ]
    years = flatten([{"year": 1990, "rain": 3}, {"year": 1991, "rain": 4}])
    assert [fact.subject for fact in years.facts] == ["1990", "1991"]


def test_the_code_of_norway_is_no_truth_value():
    found = flatten({"country": "NO", "countryCode": "no", "lang": "no", "bar": "NO", "country_bar": "no"})
    assert [fact.type for fact in found.facts] == ["name", "name", "name", "boolean", "boolean"]
