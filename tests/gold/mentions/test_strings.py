"""Strings without the marks of a tokeniser, and the way back to the original."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.gold.mentions.forms import untokenised, untokenised_with_spans

TEXT = st.text(st.sampled_from(list("aB1 \t\n\u00a0'\"`’“–-−LRS")), max_size=20) | st.text(max_size=20)


@pytest.mark.parametrize(
    ("annotated", "written"),
    [
        ("Taylor County , Texas", "Taylor County,Texas"),
        ("`` Casa de Marl ''", '"Casa de Marl"'),
        ("“Casa de Marl”", '"Casa de Marl"'),
        ("Rome 's", "Rome’s"),
        ("1990 – 95", "1990-95"),
        ("-LRB- Kelland -RRB-", "(Kelland)"),
        ("−5", "-5"),
    ],
)
def test_tokenisation_quotes_and_dashes_do_not_matter(annotated, written):
    assert untokenised(annotated) == untokenised(written)


@pytest.mark.parametrize(
    ("one", "other"), [("rome", "Rome"), ("Rome.", "Rome"), ("Zürich", "Zurich"), ("'a'", '"a"')]
)
def test_everything_else_matters(one, other):
    assert untokenised(one) != untokenised(other)


@given(TEXT)
def test_spans_lead_back_to_the_original(text):
    key, starts, ends = untokenised_with_spans(text)
    assert key == untokenised(text)
    assert len(key) == len(starts) == len(ends)
    assert all(before <= after for before, after in zip(ends, starts[1:], strict=False))
    for character, start, end in zip(key, starts, ends, strict=True):
        assert untokenised(text[start:end]) == character
    covered = {position for start, end in zip(starts, ends, strict=True) for position in range(start, end)}
    assert all(text[position].isspace() for position in set(range(len(text))) - covered)
