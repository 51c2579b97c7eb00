"""How sure flags are, and that those which are not sure enough are left out."""

from __future__ import annotations

import pytest

import esascore
from esascore.claims.confidence import confidence_of, shares_of
from esascore.claims.evidence import EVIDENCE, TYPES
from esascore.errors import UsageError
from esascore.wordlists import load

ROWS = load("confidence").rows
INN = {"name": "Blue Inn", "rooms": 27, "city": "Oslo"}
TEXT = "The Blue Inn in Rome has 28 rooms."


def test_the_table_holds_known_kinds_with_their_shares():
    shares = shares_of({(row[0], row[1]): (float(row[2]), float(row[3])) for row in ROWS})
    assert len(ROWS) > 10
    for evidence, type_, made, right, confidence in ROWS:
        assert (evidence in EVIDENCE, type_ in TYPES) == (True, True)
        assert 0 <= int(right) <= int(made)
        assert float(confidence) == shares.confidence(evidence, type_) == confidence_of(evidence, type_)


def test_few_flags_are_drawn_to_their_evidence_and_that_to_all():
    shares = shares_of({("a", "name"): (100, 80), ("a", "value"): (1, 0), ("b", "name"): (1, 0)})
    assert shares.confidence("a", "value") == pytest.approx(0.72, abs=0.02)
    assert 0.6 < shares.confidence("b", "name") < shares.confidence("a", "value") + 0.05
    assert shares.confidence("c", "name") == pytest.approx(shares.all, abs=0.01)


def test_flags_have_the_confidence_of_their_kind():
    found = esascore.hallucinations(INN, TEXT)
    assert [(one.text, one.confidence) for one in found] == [
        (one.text, confidence_of(one.evidence, one.type)) for one in found
    ]
    assert [one.text for one in found] == ["Rome", "28"]


def test_what_is_not_sure_enough_is_left_out():
    name, number = esascore.hallucinations(INN, TEXT)
    low, high = sorted([name, number], key=lambda one: one.confidence)
    assert low.confidence < high.confidence
    found = esascore.hallucinations(INN, TEXT, min_confidence=high.confidence)
    assert [one.text for one in found] == [high.text]
    assert list(esascore.hallucinations(INN, TEXT, min_confidence=1.0)) == []
    assert (
        len(
            esascore.check(
                [{"data": INN}], {"a": [TEXT]}, max_hallucinations=0, min_confidence=1
            ).verdict.texts
        )
        == 0
    )


def test_the_signature_names_the_limit():
    plain = esascore.evaluate([{"data": INN}], {"a": [TEXT]}, metrics="hallucination")
    sure = esascore.evaluate([{"data": INN}], {"a": [TEXT]}, metrics="hallucination", min_confidence=0.9)
    assert "min-confidence" not in plain.signature
    assert "min-confidence:0.9" in sure.signature


def test_a_limit_is_a_share():
    with pytest.raises(UsageError, match="min_confidence must be between 0 and 1, not 2"):
        esascore.hallucinations(INN, TEXT, min_confidence=2)
