from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.errors import DataError
from esascore.metrics.base import Batch, Score, Signature
from esascore.model import Detection, Example, Graph

keys = st.from_regex(r"[a-z0-9][a-z0-9._-]{0,8}", fullmatch=True)


@given(st.dictionaries(keys, st.text(max_size=10), min_size=1, max_size=4))
def test_signature_reads_its_own_printed_form(parts):
    signature = Signature.of(parts)
    printed = str(signature)
    assert Signature.parse(printed) == signature
    assert printed.count("|") == len(parts) - 1
    assert printed.isprintable() or not all(value.isprintable() for value in parts.values())


@pytest.mark.parametrize("key", ["", "A", "a:b", "a|b", "a b", "ä"])
def test_signature_keys_are_plain(key):
    with pytest.raises(ValueError, match="cannot be a key"):
        Signature.of({key: "x"})


def test_joined_signatures_keep_what_is_shared_once():
    one = Signature.of({"esascore": "1", "tok": "a", "lambda": "0.5"})
    same = Signature.of({"esascore": "1", "tok": "a"})
    other = Signature.of({"esascore": "1", "tok": "b"})
    joined = Signature.joined([("x", one), ("y", same), ("z", other)])
    assert str(joined) == "esascore:1|tok:a|lambda:0.5|z.tok:b"


def test_score_prints_undefined_as_a_dash_and_leaves_out_distributions():
    score = Score("m", None, {"x": None, "n": 3, "spread": {"1": 2}}, Signature.of({"k": "v"}))
    assert str(score) == "m = - (x -, n 3) k:v"


def test_batch_detects_once_and_only_when_asked():
    calls = []

    def detect():
        calls.append(1)
        return [Detection("t", ("a", "b"), (), ("b",))]

    batch = Batch([Example("Id1", Graph())], ["t"], detect=detect)
    assert not calls
    assert batch.coverage.tolist() == [[2, 1]]
    assert batch.detections[0].undetected == ("b",)
    assert len(calls) == 1


def test_batch_refuses_unequal_lengths():
    with pytest.raises(DataError, match="0 inputs, but 1 texts"):
        Batch([], ["t"], detect=list)
