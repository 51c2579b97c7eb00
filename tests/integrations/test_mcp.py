"""``esascore mcp``, asked by the client of the official package over standard input and output."""

from __future__ import annotations

import json

import pytest

from adapters import HOTEL, WRONG

pytestmark = pytest.mark.filterwarnings("ignore")  # those of the package


def test_a_text_is_checked(ask_server):
    tools, [result] = ask_server(("check_text", {"data": HOTEL, "text": WRONG}))
    assert [tool.name for tool in tools] == ["check_text", "explain_flag"]
    assert all(tool.description for tool in tools)
    found = result.structured_content
    assert (found["ok"], [flag["text"] for flag in found["flags"]]) == (False, ["32"])
    assert found["missing"][0]["attribute"] == "rooms"
    assert '"32" is wrong: the data say "27"' in found["repair"]
    assert json.loads(result.content[0].text) == found


def test_a_flag_is_explained(ask_server):
    text = f"It is nice. {WRONG}"
    _, [result] = ask_server(("explain_flag", {"data": HOTEL, "text": text, "flag": "32"}))
    [flag] = result.structured_content["flags"]
    assert (flag["sentence"], flag["class"], flag["expected"], flag["blocks"]) == (
        WRONG,
        "replacement",
        "27",
        True,
    )
    assert flag["meaning"] == "it stands in place of a value of the data that the text lacks"


def test_settings_of_the_guard_and_data_as_triples(ask_server):
    data = [["Casa do Rio", "city", "Porto"], ["Casa do Rio", "rooms", "27"]]
    _, [strict] = ask_server(
        ("check_text", {"data": data, "text": "Casa do Rio is in Porto."}),
        arguments=("-m", "esascore", "mcp", "--require", "rooms"),
    )
    assert not strict.structured_content["ok"]
    assert strict.structured_content["flags"] == []


def test_what_is_wrong_with_a_call_is_said_to_the_client(ask_server):
    _, results = ask_server(
        ("explain_flag", {"data": HOTEL, "text": WRONG, "flag": "Oslo"}),
        ("check_text", {"data": [], "text": WRONG}),
        ("check_text", {"data": HOTEL}),
    )
    assert [one.is_error for one in results] == [True, False, True]
    assert "no flag of this text is 'Oslo'; its flags: '32'" in results[0].content[0].text
