from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esascore.errors import MissingExtraError
from esascore.metrics.base import Batch
from esascore.metrics.bleu import Bleu, BleuT, tokenizer_13a
from esascore.model import Cell, Example, Graph, Input, Reference

sacrebleu = pytest.importorskip("sacrebleu")


def batch_of(texts, references, inputs=None) -> Batch:
    examples = [
        Example(
            f"Id{i}",
            Graph() if inputs is None else inputs[i],
            tuple(Reference(f"Id{n}", text) for n, text in enumerate(listed)),
        )
        for i, listed in enumerate(references)
    ]
    return Batch(examples, texts, detect=list)


TEXTS = ["The cat sat on the mat.", "A dog, of course!", "", "No match here"]
REFERENCES = [
    ["The cat is on the mat.", "There was a cat on the mat."],
    ["A dog barks, of course!", "Of course a dog."],
    ["Something.", "Else."],
    ["qqq www", "eee"],
]


@pytest.mark.parametrize("lowercase", [False, True])
def test_the_corpus_score_is_sacrebleus(lowercase):
    metric = Bleu(lowercase=lowercase)
    found = metric.score_statistics(metric.statistics(batch_of(TEXTS, REFERENCES)))
    judged = sacrebleu.BLEU(lowercase=lowercase).corpus_score(TEXTS, list(zip(*REFERENCES, strict=True)))
    assert found.value == judged.score
    assert found.fields == {"bleu": judged.score, "bleu_undefined": 0}


def test_the_segment_scores_are_sacrebleus():
    metric = Bleu()
    found = metric.segment_scores(metric.statistics(batch_of(TEXTS, REFERENCES)))
    judge = sacrebleu.BLEU(effective_order=True)
    assert found == [
        judge.sentence_score(text, listed).score for text, listed in zip(TEXTS, REFERENCES, strict=True)
    ]


def test_without_a_reference_there_is_no_score():
    metric = Bleu()
    rows = metric.statistics(batch_of(["a b", "the cat"], [[], ["the cat"]]))
    assert metric.segment_scores(rows)[0] is None
    assert metric.score_statistics(rows).fields["bleu_undefined"] == 1
    assert metric.score_statistics(rows[:1]).value is None


@given(
    texts=st.lists(
        st.lists(st.sampled_from(["a", "b", "c", "d."]), max_size=9).map(" ".join), min_size=1, max_size=4
    ),
    references=st.lists(
        st.sampled_from(["a b c d.", "b a c a b c", "", "d. d. a b"]), min_size=4, max_size=4
    ),
)
@settings(deadline=None)
def test_every_way_to_a_score_is_sacrebleus_to_the_last_bit(texts, references):
    metric = Bleu()
    references = references[: len(texts)]
    rows = metric.statistics(batch_of(texts, [[reference] for reference in references]))
    judged = sacrebleu.BLEU().corpus_score(texts, [references]).score
    assert metric.score_statistics(rows).value == judged
    assert metric.figures(metric.summands(rows).sum(axis=0)[None])["bleu"].tolist() == [judged]
    alone = [sacrebleu.sentence_bleu(text, [ref]).score for text, ref in zip(texts, references, strict=True)]
    assert metric.segment_scores(rows) == alone


def test_values_of_the_input_are_further_references():
    graph = Graph.from_triples([("Ann_Lee", "r", "New_Town"), ("New_Town", "r", "Norway")])
    table = Input.from_table((Cell("Ann Lee", "n"), Cell("no", "m", highlighted=False), Cell("Norway", "c")))
    texts, references = ["Ann Lee of New Town", "Ann Lee of Norway"], [["Ann is here"], ["She is here ."]]
    metric = BleuT()
    found = metric.segment_scores(metric.statistics(batch_of(texts, references, [graph, table])))
    judge = sacrebleu.BLEU(effective_order=True)
    assert found == [
        judge.sentence_score(texts[0], ["Ann is here", "Ann Lee", "New Town", "Norway"]).score,
        judge.sentence_score(texts[1], ["She is here .", "Ann Lee", "Norway"]).score,
    ]
    rows = metric.statistics(batch_of(["Ann Lee"], [[]], [graph]))
    assert metric.segment_scores(rows) == [None]


def test_signatures_tell_them_apart():
    signatures = {str(metric.signature()) for metric in (Bleu(), Bleu(lowercase=True), BleuT())}
    assert len(signatures) == 3
    assert f"sacrebleu:{sacrebleu.__version__}" in str(Bleu().signature())


@pytest.mark.parametrize("make", [Bleu, BleuT, tokenizer_13a])
def test_a_missing_package_is_named(monkeypatch, make):
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    with pytest.raises(MissingExtraError, match=r"sacrebleu.*pip install 'esascore\[bleu\]'"):
        make()
