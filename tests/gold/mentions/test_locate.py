"""Annotated mentions found in their texts."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.gold.mentions.benchmark import read_annotated
from esascore.gold.mentions.forms import untokenised, untokenised_with_spans
from esascore.gold.mentions.locate import locate
from esascore.model import GoldMention, Reference

WORDS = st.lists(st.sampled_from(["Rome", "the", "he", "a", "U.S.", "12", "Rome's"]), min_size=1, max_size=12)


def located(text: str, *strings: str) -> list[str | None]:
    mentions = tuple(GoldMention("E", string) for string in strings)
    spans = locate(Reference("Id1", text, mentions=mentions))
    assert len(spans) == len(strings)
    return [None if span is None else f"{span[0]}:{text[slice(*span)]}" for span in spans]


def test_order_decides_between_equal_strings():
    text = "Rome is old. It is big. Milan and Rome are cities. It is."
    assert located(text, "Rome", "It", "Rome", "It") == ["0:Rome", "13:It", "34:Rome", "51:It"]
    assert located(text, "Milan", "Rome") == ["24:Milan", "34:Rome"]


def test_as_many_as_possible_are_placed():
    # Taking the late "b" for the first annotation would leave no room for the others.
    assert located("a b c b", "b", "c", "b") == ["2:b", "4:c", "6:b"]
    assert located("x a b", "b", "x", "a") == ["4:b", "0:x", "2:a"]


def test_words_are_not_cut():
    assert located("The theatre is his.", "he", "his") == [None, "15:his"]
    assert located("The 159m tower and 159 men", "159") == ["19:159"]
    assert located("The 159m tower", "159") == ["4:159"]


def test_tokenised_strings_are_found():
    assert located('The "Big Apple" (NY), U.S.', "`` Big Apple ''", "-LRB- NY -RRB-", "U.S .") == [
        '4:"Big Apple"',
        "16:(NY)",
        "22:U.S.",
    ]


def test_case_matters_only_if_it_can():
    assert located("it is It.", "It") == ["6:It"]
    assert located("ROME is it.", "Rome") == ["0:ROME"]


def test_what_is_not_there_is_not_found():
    assert located("Rome.", "Milan", "", "Rome Milan") == [None, None, None]
    assert located("Rome.", "Rome", "Rome") == ["0:Rome", None]
    assert locate(Reference("Id1", "Rome.")) == []


@given(WORDS, st.data())
def test_every_subset_of_words_is_located_in_order(words, data):
    chosen = [word for word in words if data.draw(st.booleans())]
    text = " ".join(words)
    spans = locate(Reference("Id1", text, mentions=tuple(GoldMention("E", word) for word in chosen)))
    assert [text[slice(*span)] for span in spans if span] == chosen
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


@pytest.mark.corpora
def test_almost_all_of_the_development_data_is_located(dev):
    spans = [span for text in read_annotated(dev) for span in locate(text.reference)]
    assert (len(spans), spans.count(None)) == (9842, 8)


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
