"""What holds of all records and texts."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from esascore.claims.judge import judge
from esascore.claims.polarity import Mention, govern, tokens_of, words_of
from esascore.claims.reading import Quantity
from esascore.claims.rounding import nearness, window
from esascore.literals.units import unit_named
from esascore.model import Graph
from esascore.text.document import Document
from esascore.wordlists import load

NUMBERS = st.one_of(
    st.integers(-(10**7), 10**7).map(float), st.decimals(-9999, 9999, places=2, allow_nan=False).map(float)
)


@st.composite
def quantities(draw: st.DrawFn) -> Quantity:
    value = abs(draw(NUMBERS))
    decimals = draw(st.integers(0, 3)) if value.is_integer() else 2
    unit = unit_named(draw(st.sampled_from(["kg", "m", "days", "percent", "none at all"])))
    mode = draw(st.sampled_from(["", "about", "over", "under"]))
    return Quantity(0, 1, (0, 1), value, decimals, unit, mode, False, draw(st.booleans()), False, 0, (0, 1))


@given(quantities(), NUMBERS, st.floats(-0.2, 0.2))
def test_what_is_near_lies_within_the_window(claim: Quantity, other: float, share: float) -> None:
    for meant in (other, claim.value * (1 + share)):
        if nearness(claim, meant) is not None:
            low, high = window(claim, claim.value)
            assert low <= abs(meant) <= high


@given(quantities())
def test_equal_values_are_near(claim: Quantity) -> None:
    assert nearness(claim, claim.value) == 0


WORDS = sorted(word for word, _ in load("polarity").rows)
TOKENS = st.lists(
    st.sampled_from([*WORDS, "pool", "wi", "-", "fi", "the", ":", "(", ")", ",", ".", "?", "isn't", "7"]),
    max_size=20,
)


@given(TOKENS, st.data())
def test_every_mention_is_governed_or_not(words: list[str], data: st.DataObject) -> None:
    text = " ".join(words)
    tokens = tokens_of(text, 0, len(text))
    places = st.integers(0, max(0, len(tokens) - 1))
    firsts = data.draw(st.lists(places, unique=True, max_size=4)) if tokens else []
    mentions = [Mention(first, first, 0) for first in sorted(firsts)]
    govern(tokens, mentions)
    assert {mention.polarity for mention in mentions} <= {"", "+", "-", "?"}


def test_a_negation_denies_what_a_verb_of_having_asserts() -> None:
    for verb in words_of("having") - words_of("so") - words_of("general"):
        for text, polarity in ((f"they {verb} parking", "+"), (f"they do not {verb} parking", "-")):
            tokens = tokens_of(text, 0, len(text))
            mention = Mention(len(tokens) - 1, len(tokens) - 1, 0)
            govern(tokens, [mention])
            assert mention.polarity == polarity, text


KEYS = st.sampled_from(
    ["name", "price_eur", "min", "max", "date", "opens", "sat", "mon-fri", "pool", "has_wifi", "items",
     "share", "weight_g", "change_pct", "currency", "gate", "side", "previous_price"]
)  # fmt: skip
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**9), 10**9),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["Ada Lund", "2024-02-30", "2024-05-06T18:00:00+02:00", "9999-12-31", "08:00-17:00",
                     "closed", "1:30", "PT2H", "left", "KL1041", "EUR", "12 kg", "N/A", "99:99"]),
    st.text(max_size=8),
)  # fmt: skip
RECORDS = st.recursive(
    st.dictionaries(KEYS, VALUES, max_size=5),
    lambda inner: st.dictionaries(KEYS, inner | st.lists(inner, max_size=3), max_size=4),
    max_leaves=12,
)
PIECES = st.sampled_from(
    ["Ada Lund", "has", "not", "no", "pool", "7", "€9.50", "12 kg", "6 May", "Monday", "the 31st of May",
     "9:30", "from 8 to 5", "closed", "on Saturdays", "rose by", "12.5%", "more than", "cheapest", "the",
     "and", ",", ".", "3-2", "KL1042", "right", "half", "two and a half", "out of", "5", "wi-fi", "(",
     ")", ":", "\n", "İ", "1e9"]
)  # fmt: skip


@given(RECORDS, st.lists(PIECES | st.text(max_size=4), max_size=14).map(" ".join))
def test_findings_are_inside_the_text_and_apart(record: dict[str, Any], text: str) -> None:
    found = judge(Document(Graph.from_data(record), text)).findings
    assert all(0 <= one.start < one.end <= len(text) and one.reason for one in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
