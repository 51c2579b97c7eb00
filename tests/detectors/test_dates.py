"""Dates of an input in a text: what is proposed for which, and what never is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.detectors.dates import DateDetector
from esascore.errors import UsageError
from esascore.literals.dates import FORMS
from esascore.model import Graph
from esascore.text.document import Document


def _proposed(term: str, text: str, detector: DateDetector | None = None) -> list[tuple[str, float | None]]:
    document = Document(Graph.from_triples([("Alex", "someDate", term)]), text)
    mentions = (detector or DateDetector(tuple(FORMS))).mentions(document)
    assert all((m.entity, m.method, m.text) == (term, "date", text[m.start : m.end]) for m in mentions)
    return [(m.text, m.distance) for m in mentions]


def test_detector_proposes_what_agrees() -> None:
    text = "Alex was born on 04/05/1937, moved in 1937 and died on 5 April 1999."
    assert _proposed('"1937-05-04"', text) == [("04/05/1937", 0.0), ("1937", 0.2)]
    assert _proposed('"1937-05-04"', text, DateDetector(forms=("full",))) == [("04/05/1937", 0.0)]
    assert _proposed("Berlin", text) == []
    assert _proposed("1937-04-27", "İİİ on 27 April 1937 İ") == [("27 April 1937", 0.0)]


def test_detector_refuses_unknown_forms() -> None:
    with pytest.raises(UsageError, match="'fuzzy'"):
        DateDetector(forms=("fuzzy",))


def test_detector_keeps_documents_apart() -> None:
    graphs = [
        Graph.from_triples([("Alex", "birthDate", term)]) for term in ("1937-04-27", "1938-04-27", "Rome")
    ]
    documents = [Document(graph, "Born on 27 April 1938.") for graph in graphs]
    detector = DateDetector(("full",))
    assert [len(detector.mentions(document)) for document in documents] == [0, 1, 0]


@given(st.text(alphabet=" 0123456789-/.,'()–stndrhofMayApril\n\u2028İ", max_size=60))
def test_almost_dates_are_searched_for_themselves(text: str) -> None:
    _proposed(text, text)
