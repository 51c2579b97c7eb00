"""Numbers of an input in a text: what is proposed, and where it begins and ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.detectors.quantities import number_mentions
from esascore.model import Graph
from esascore.text.document import Document


def _proposed(term: str, text: str, name: str = "value") -> list[str]:
    mentions = number_mentions(Document(Graph.from_triples([("Alex", name, term)]), text))
    assert all((m.entity, m.method, m.text) == (term, "number", text[m.start : m.end]) for m in mentions)
    return [m.text for m in mentions]


@pytest.mark.parametrize(
    ("term", "text", "spans"),
    [
        ("2989.0", "It is 2,989 metres long.", ["2,989"]),  # the term names no unit
        ("2989.0", "It is 2989m long.", ["2989m"]),  # glued
        ("2989.0 (metres)", "It is 2,989 metres long.", ["2,989 metres"]),
        ("2989.0 (metres)", "It is 2.989 km long.", ["2.989 km"]),
        ('"110 million (dollars)"', "It cost $110 million.", ["$110 million"]),
        ("110000000", "It cost $110 million.", ["110 million"]),
        ("-6", "It is at -6 all day, not 6.", ["-6"]),
        ("Rome", "12 of them", []),
        ("1299", "İİ 1,299 İ", ["1,299"]),  # letters that grow when lowered
    ],
)
def test_marks_what_people_mark(term: str, text: str, spans: list[str]) -> None:
    assert _proposed(term, text) == spans


def test_value_in_another_unit_than_the_property_names_keeps_its_unit() -> None:
    assert _proposed("2900.0", "Its runway of 2.9 km is long.", "length_(in_metres)") == ["2.9 km"]


@given(st.text(alphabet=" 0123456789-−/.,:'\"()$€%~xe^⁵+&;\n\u2028İmkbnstinus", max_size=60))
def test_almost_numbers_are_searched_for_themselves(text: str) -> None:
    _proposed(text, text)
