from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.label import label

WORDS = {
    "Abilene,_Texas": "Abilene, Texas",
    '"Abilene,_Texas"': "Abilene, Texas",
    '"Kestrel Row, Birmingham"@en': "Kestrel Row, Birmingham",
    '"Kestrel Row"@en-GB': "Kestrel Row",
    '"185.0"^^xsd:double': "185.0",
    '"185.0"^^<http://www.w3.org/2001/XMLSchema#double>': "185.0",
    "185.0^^xsd:double": "185.0",
    '"8820.0"(minutes)': "8820.0 (minutes)",
    "&minus;7": "−7",
    "R&D;": "R&D;",
    "AT&T": "AT&T",
    "“Zorblax”": "Zorblax",
    '"Squeezed" or "smashed"': '"Squeezed" or "smashed"',
    '"': '"',
    '""': '""',
    "someone@en": "someone@en",
    "  Two\u00a0 words \n": "Two words",
    "": "",
}


@pytest.mark.parametrize(("term", "words"), WORDS.items())
def test_the_words_of_a_term(term, words):
    assert label(term) == words


def test_underscores_can_be_kept():
    assert label('"Abilene,_Texas"@en', keep_underscores=True) == "Abilene,_Texas"


@given(st.text())
def test_a_label_is_a_fixed_point_of_white_space_and_never_fails(term):
    assert label(term) == " ".join(label(term).split())


@given(st.from_regex(r"[A-Za-z]{1,8}( [A-Za-z]{1,8}){0,3}", fullmatch=True))
def test_all_ways_to_write_a_plain_name_agree(name):
    ways = (name, name.replace(" ", "_"), f'"{name}"', f'"{name}"@en', f'"{name}"^^xsd:string', f"“{name}”")
    assert {label(way) for way in ways} == {name}
