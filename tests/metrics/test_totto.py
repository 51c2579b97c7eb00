from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.errors import DataError, MissingExtraError, UsageError
from esascore.metrics.base import Batch
from esascore.metrics.parent import Parent
from esascore.metrics.totto import ParentT, TottoBleu, TottoParentT, detokenized, prepared, three_references
from esascore.model import Cell, Example, Graph, Input, Reference

pytest.importorskip("sacremoses")
sacrebleu = pytest.importorskip("sacrebleu")

TABLE = Input.from_table(
    (
        Cell("Year", highlighted=False, is_header=True),
        Cell("Play | Film", highlighted=False, is_header=True, column=1),
        Cell("2015", "Year", row=1),
        Cell("The Twelve", "Play", row=1, column=1),
        Cell("2016", "Year", highlighted=False, row=2),
        Cell(" ", "Play", highlighted=False, row=2, column=1),
    ),
    title="Colin",
    section_title="Credits",
    section_text="He acts.",
)


def example(*references: str, table=TABLE) -> Example:
    return Example("1", table, tuple(Reference(f"Id{n}", text) for n, text in enumerate(references, 1)))


def scored(metric, item: Example, text: str):
    return metric.statistics(Batch([item], [text], detect=list))[0]


@pytest.mark.parametrize("rule", ["scripts", "paper"])
def test_it_is_parent_with_two_tables(rule):
    # The table of recall: highlighted cells, in the scripts page and section title too. Everything entails.
    text, reference = "colin acted in the twelve , 2015 -", "in 2015 colin was in play - film"
    found = scored(ParentT(rule), example(reference), text)
    recall = ["2015", "the twelve", *(["colin", "credits"] if rule == "scripts" else [])]
    entails = "year play - film 2016 colin credits he acts ."
    references = [reference, "< null >", "< null >"]
    expected = Parent(None, attributes=True).segments(
        [text], [references], [[(entails if n == 0 else "", value) for n, value in enumerate(recall)]]
    )
    np.testing.assert_allclose(found, expected[0], rtol=0, atol=1e-15)


def test_scores_of_totto_are_per_cent():
    metric = TottoParentT()
    rows = metric.statistics(Batch([example("in 2015")], ["in 2015"], detect=list))
    score = metric.score_statistics(rows)
    assert score.value == pytest.approx(100 * rows[0, 2])
    assert score.fields["parent-t_recall"] == pytest.approx(100 * rows[0, 1])
    assert metric.segment_scores(rows) == [pytest.approx(100 * rows[0, 2])]
    assert metric.figures(metric.summands(rows))["parent-t"].tolist() == [pytest.approx(100 * rows[0, 2])]
    assert ParentT().score_statistics(rows).value == pytest.approx(rows[0, 2])


def test_missing_references_and_blank_texts_are_null():
    assert three_references(example("a", "b")) == ["a", "b", "<null>"]
    assert three_references(example("a", "b", "c", "d")) == ["a", "b", "c", "d"]
    assert three_references(example()) == []
    # A blank text is "< null >" and matches a reference that is missing.
    blank, full = (scored(ParentT(), example("a"), text) for text in (" ", "q"))
    assert blank[0] > full[0] == 0.0
    three = scored(ParentT(), example("a", "b", "c"), " ")
    assert three[0] == 0.0


def test_without_any_reference_there_is_no_score():
    for metric in (ParentT(), TottoBleu()):
        rows = metric.statistics(Batch([example()], ["a"], detect=list))
        assert metric.segment_scores(rows) == [None]


def test_a_table_without_highlights_asks_for_nothing():
    table = Input.from_table((Cell("a", highlighted=False),))
    found = scored(ParentT("paper"), example("x y", table=table), "x y z w")
    assert not np.isnan(found).any()


def test_graphs_are_refused():
    graph = Example("Id7", Graph.from_triples([("a", "b", "c")]), (Reference("Id1", "a"),))
    with pytest.raises(DataError, match="'Id7' has none"):
        scored(ParentT(), graph, "a")


def test_texts_are_detokenised_and_tokenised():
    assert detokenized()("The Joneses ' house , U.S. $ 5") == "the joneses' house, u.s. $5"
    assert prepared()("  A\tB ") == "a b"


@given(st.text(st.sampled_from("abcXYZ 09.,'\"-$()&;ä\t"), max_size=30))
def test_the_short_cut_changes_nothing(text):
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
    from sacremoses import MosesDetokenizer

    slow = MosesDetokenizer(lang="en").detokenize(text.lower().split())
    assert detokenized()(text) == slow
    assert prepared()(text).split() == Tokenizer13a()(slow.lower()).split()


def test_settings():
    signatures = {str(m.signature()) for m in (ParentT(), ParentT("paper"), ParentT(lambda_weight=0.5))}
    assert len(signatures) == 3
    with pytest.raises(UsageError, match="recall_table must be one of scripts, paper"):
        ParentT("mine")
    with pytest.raises(UsageError, match="no option 'tokenizer'"):
        ParentT(tokenizer="words")


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sacremoses", None)
    for make in (ParentT, TottoBleu):
        with pytest.raises(MissingExtraError, match=r"sacremoses.*esascore\[bleu\]"):
            make()


@pytest.mark.corpora
@pytest.mark.parametrize(
    ("chosen", "parent", "bleu"),
    [
        (None, (0.7611, 0.4383, 0.5334), 45.5),
        (True, (0.7140, 0.3135, 0.4134), 37.2),
        (False, (0.8317, 0.6256, 0.7135), 58.3),
    ],
)
def test_the_figures_that_the_authors_publish_for_their_sample(corpora, chosen, parent, bleu):
    from esascore.readers.corpus import read_corpus
    from esascore.readers.outputs import read_outputs

    folder = corpora / "totto-sample"
    corpus = read_corpus(folder / "dev_sample.jsonl")
    texts = read_outputs(folder / "output_sample.txt")
    pairs = [pair for pair in zip(corpus, texts, strict=True) if chosen in (None, pair[0].seen)]
    batch = Batch([item for item, _ in pairs], [text for _, text in pairs], detect=list)
    metric = ParentT()
    assert metric.statistics(batch).mean(axis=0).round(4).tolist() == pytest.approx(parent)
    metric = TottoBleu()
    assert round(metric.score_statistics(metric.statistics(batch)).value, 1) == bleu
