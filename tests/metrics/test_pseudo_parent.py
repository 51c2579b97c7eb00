from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import parent_oracle as oracle
from esascore.errors import DataError, UsageError
from esascore.metrics.base import Batch
from esascore.metrics.parent import Parent, PseudoParent, input_text
from esascore.model import Cell, Example, Graph, Input, Reference


def test_worked_by_hand():
    # Input "a a b q": entailed are a, b and q. Text "a b c", reference "b c a".
    # Precision: 1: all match. 2: ab 1 (both entailed), bc matches: 1. 3: abc 2/3. 4: none: epsilon.
    # Recall: 1: b and a: 1. 2: bc 1/2 found, ca 1/2 not: 1/2. 3: bca: epsilon. 4: no n-gram: 1.
    # Input: a, a and b of four words: 3/4.
    found = PseudoParent().segments(["a b c"], [["b c a"]], ["a a b q"])[0]
    p = (2 / 3 * 1e-5) ** 0.25
    r = math.sqrt((1 / 2 * 1e-5) ** 0.25 * 3 / 4)
    assert found.tolist() == pytest.approx([p, r, 2 * p * r / (p + r + 1e-8)], rel=1e-12)


words = st.lists(st.sampled_from("abcde"), max_size=8)


@given(
    text=words,
    references=st.lists(words, min_size=1, max_size=3),
    source=words,
    weight=st.sampled_from([None, 0.5]),
)
@settings(deadline=None, max_examples=80)
def test_the_oracle_agrees(text, references, source, weight):
    judged = oracle.score(text, references, [[word] for word in source], lambda_weight=weight)
    joined = [[" ".join(reference) for reference in references]]
    found = PseudoParent(weight).segments([" ".join(text)], joined, [" ".join(source)])
    assert found[0, 2] == pytest.approx(judged[2], abs=1e-12)


def test_an_empty_input_asks_for_nothing():
    found = PseudoParent().segments(["a b c d"], [["a b c d"]], [" "])[0]
    assert found[:2].tolist() == [1.0, 1.0]


def test_the_input_is_that_of_the_corpus_or_its_records():
    graph = Graph.from_triples([("Ann_Lee", "isPartOf", "x")])
    table = Input.from_table(
        (Cell("New Town", "birthPlace"), Cell("12", "AGE"), Cell("no", "no", highlighted=False))
    )
    examples = [
        Example("Id1", graph, (Reference("Id1", "part x"),), input_text="Ann of X"),
        Example("Id2", graph, (Reference("Id1", "part x"),)),
        Example("Id3", table, (Reference("Id1", "12"),)),
    ]
    inputs = ["Ann of X", "Ann Lee is Part Of x", "birth Place New Town AGE 12"]
    assert [input_text(example) for example in examples] == inputs
    texts = ["of x", "part q", "place"]
    metric = PseudoParent()
    rows = metric.statistics(Batch(examples, texts, detect=list))
    references = [["part x"], ["part x"], ["12"]]
    expected = metric.segments(texts, references, [input_text(example) for example in examples])
    np.testing.assert_array_equal(rows, expected)
    as_tables = metric.segments(texts[1:2], references[1:2], [[("Ann_Lee", "isPartOf", "x")]])
    np.testing.assert_array_equal(as_tables, expected[1:2])


def test_tokenizers_split_the_input_too():
    found = PseudoParent(max_order=1, tokenizer="words").segments(["lee"], [["z"]], ["Ann, Lee."])
    assert found[0, 0] == 1.0
    assert found[0, 1] == pytest.approx(math.sqrt(1 * 1 / 4))


def test_it_is_told_apart_and_refuses_what_it_has_not():
    assert PseudoParent().signature() != Parent().signature()
    assert PseudoParent.columns[0].field == "pseudo-parent"
    with pytest.raises(UsageError, match="no option 'attributes'"):
        PseudoParent(attributes=True)
    with pytest.raises(DataError, match="1 texts, 1 lists of references and 2 tables"):
        PseudoParent().segments(["a"], [["a"]], ["a", "b"])
