from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.claims.evidence import EVIDENCE
from esascore.claims.explainer import Explainer
from esascore.claims.judge import judge
from esascore.claims.knowledge import Knowledge
from esascore.claims.unexplained import find_unexplained
from esascore.lexicon import Lexicon
from esascore.model import Cell, Graph, Input
from esascore.text.document import Document
from esascore.text.phrases import Phrases
from fakes import graph_of

ARENA = graph_of(
    """
    Kestrel_Arena | location | Trondheim
    Trondheim | country | Norway
    Kestrel_Arena | openingDate | 1998-05-04
    Kestrel_Arena | closingDate | 2011-06-01
    Kestrel_Arena | capacity | 12299
    Kestrel_Arena | floorArea | 185.4 (square metres)
    Kestrel_Arena | reference | AB-0412/7
    Kestrel_Arena | tenant | Norwegian_Skating_Union
    Kestrel_Arena | tenant | Harrow_Gulls
    Kestrel_Arena | tenant | Société_Bleue
    """,
    category="SportsFacility",
)
EXPLAINER = Explainer(Lexicon())
NAMES = Knowledge(Phrases.of([("jazz", "Jazz"), ("Green Quay", "Green_Quay")]))


def found(text, graph=ARENA, names=NAMES, original=None):
    document = Document(graph, text)
    spans = find_unexplained(document, EXPLAINER.explain(graph, original), names, claims=judge(document))
    return [(text[span.start : span.end], span.type) for span in spans]


@pytest.mark.parametrize(
    "text",
    [
        "Kestrel Arena is in Trondheim, Norway.",
        "The Norwegian arena opened on 4 May 1998.",  # demonym, property word
        "The NSU skates there, as do the Gulls.",  # initials
        "The Societe Bleue is a tenant; so is Soci t Bleue.",  # accents lost in two ways
        "It opened in 1998, in the 1990s, and in the 20th century.",
        "It was open for 13 years.",  # between two dates
        "It holds about 12,300 people on 185 square metres.",  # rounded
        "It holds 12.3 thousand people.",
        "It has three tenants, and 3 of them skate.",  # counted
        "Its number is AB-0412/7.",
        "The Sports Facility closed on June 1st, 2011.",  # category
        "One of the first arenas. Some like it.",
        "Kestrl Arena is in Trondheem.",  # misspelt
        "AGENT-1 is in __patient__ &ndash; Norway.",  # leaks
        "kestrel arena is in trondheim , norway .",
        "",
        "...",
    ],
)
def test_what_the_input_explains(text):
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Kestrel Arena is in Oslo.", [("Oslo", "name")]),
        ("Kestrel Hall is in Trondheim.", [("Hall", "name")]),  # the second word replaced
        ("Jane Doe, Bank of Utrecht, runs it.", [("Jane Doe", "name"), ("Bank of Utrecht", "name")]),
        ("It opened on 5 May 1998.", [("5 May 1998", "date")]),
        ("It opened on 4 May 1999.", [("4 May 1999", "date")]),
        ("It holds 12,399 people.", [("12,399 people", "number")]),
        ("It has four hundred doors.", [("four hundred", "number")]),
        ("Its number is AB-0413/7.", [("AB-0413/7", "name")]),
        ("It was open for 34 seasons.", [("34", "number")]),
        ("kestrel arena is in oslo .", [("oslo", "name")]),
        ("kestrel arena hosts jazz .", [("jazz", "name")]),
        ("Kestrel Arena hosts jazz.", [("jazz", "name")]),
        ("kestrel arena is near green quay .", [("green quay", "name")]),
    ],
)
def test_what_it_does_not(text, expected):
    assert found(text) == expected


@pytest.mark.parametrize(
    "digit", sorted(c for c in map(chr, range(0x110000)) if c.isdigit() and not c.isdecimal())
)
def test_digits_that_are_no_numbers(digit):
    assert [text for text, _ in found(f"Kestrel Arena 4{digit}")] in ([f"4{digit}"], ["4"], [])


def test_common_words_are_names_only_where_a_list_has_them():
    assert found("kestrel arena hosts jazz .", names=None) == []


def test_a_name_does_not_explain_another_that_is_like_it():
    graph = Graph.from_triples([("Zorb", "country", "Australia")])
    assert found("Zorb is in Austria.", graph) == [("Austria", "name")]


def test_the_original_triples_explain_too():
    original = Graph.from_triples([("Kestrel_Arena", "architect", "Ngozi_Holt")])
    text = "Ngozi Holt designed Kestrel Arena."
    assert found(text) == [("Ngozi Holt", "name")]
    assert found(text, original=original) == []


def test_titles_and_headers_of_a_table_explain():
    cells = (Cell("Club", is_header=True, highlighted=False), Cell("Vale", "Club"), Cell("7", "Goals"))
    table = Input.from_table(cells, title="Jane Marlowe", section_title="Career")
    assert found("Jane Marlowe scored 7 goals for Vale.", table) == []
    assert found("Jane Marlowe scored 8 goals for Harrow.", table) == [("8", "number"), ("Harrow", "name")]


def test_the_first_word_of_a_sentence_is_capital_anyway():
    assert found("Skating is popular. Tickets are cheap.") == []
    assert found("Zanzibar is popular.") == [("Zanzibar", "name")]


def test_a_name_ends_with_its_sentence():
    assert found("It was built by Ngozi Holt. Jane Marlowe runs it.") == [
        ("Ngozi Holt", "name"),
        ("Jane Marlowe", "name"),
    ]
    assert found("Built by Ngozi Holt\nJane Marlowe runs it.") == [
        ("Ngozi Holt", "name"),
        ("Jane Marlowe", "name"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Kestrel Arena wasn't open, isn't open and won't open; it doesn’t matter.",
        "The arena has pre-installed seats and a phonebook in Trondheim.",
        "In Norway it opened on Tuesday, Wed and Thu.",
        "Norway measures 12,299 hPa there.",
        "Kestrel Arena: Seats, Prices and Events\n\nThe arena is in Norway.",
    ],
)
def test_what_makes_no_name(text):
    assert found(text) == []


def test_a_heading_hides_no_name():
    assert found("Kestrel Arena and Zanzibar\n\nThe arena is in Norway.") == [("Zanzibar", "name")]


@pytest.mark.parametrize("unit", ["Celsius", "degrees Celsius", "MHz"])
def test_the_unit_of_a_number_is_no_name(unit):
    assert [kind for _, kind in found(f"In Norway it has 185.4 {unit}.")] == ["number"]


def test_offsets_survive_letters_that_grow_when_lowered():
    text = "İİİİİİ: Kestrel Arena was open for 13 years, then for 34 seasons from 4 May 1979."
    assert found(text, names=None)[-2:] == [("34", "number"), ("4 May 1979", "date")]


def test_long_texts_are_read_to_the_end():
    words = 20_000
    assert len(found("In 1861 came 77,123 to Oslo. " * (words // 7))) == 3 * (words // 7)


PIECES = st.sampled_from(
    ["Kestrel", "arena", "Oslo", "4 May 1998", "1,299", "1 . 5", "the", ".", ",", "(", "AB-04", "İ", "ß", "é"]
)


@given(st.lists(PIECES | st.text(max_size=4), max_size=12).map(" ".join))
def test_spans_are_in_order_and_do_not_overlap(text):
    document = Document(ARENA, text)
    spans = find_unexplained(document, EXPLAINER.explain(ARENA), NAMES, (), claims=judge(document))
    for span in spans:
        assert 0 <= span.start < span.end <= len(text)
        assert span.type in ("name", "date", "number")
        assert span.evidence in EVIDENCE
    assert all(left.end <= right.start for left, right in pairwise(spans))
