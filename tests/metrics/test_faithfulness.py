"""Faithfulness: scores worked out by hand, and explanations."""

from __future__ import annotations

import numpy as np
import pytest

from esascore.metrics.base import Batch
from esascore.metrics.faithfulness import Faithfulness, FaithfulnessRef
from esascore.model import Cell, Example, Graph, Input, Reference
from esascore.text.document import Document
from fakes import FakeDetector, graph_of

TRIPLES = """
    Kestrel_Arena | architect | Ida_Solberg
    Kestrel_Arena | location | Trondheim
    Ida_Solberg | birthPlace | Oslo
"""
GRAPH = graph_of(TRIPLES, "Building")


FREE = Faithfulness.from_detector(FakeDetector())
REF = FaithfulnessRef.from_detector(FakeDetector())


def test_a_text_that_says_all_and_nothing_else_is_faithful():
    found = FREE.explain(
        GRAPH, "Kestrel Arena in Trondheim was designed by Ida Solberg, who was born in Oslo."
    )
    assert (found.score, found.coverage, found.support, found.wording) == (1, 1, 1, 1)
    assert (found.missing, found.unsupported, found.unworded) == ((), (), ())
    assert found.agreement is None


def test_every_fault_is_named_and_costs_what_it_says():
    text = "Kestrel Arena in Trondheim is a famous old stadium for Ida Solberg."
    found = FREE.explain(GRAPH, text)
    # 3 of 4 entities; kestrel arena trondheim ida solberg of 8 content words; location of 3 properties
    assert (found.coverage, found.support, found.wording) == (3 / 4, 5 / 8, pytest.approx(1 / 3))
    assert found.score == pytest.approx(3 / 4 * 5 / 8 * (3 + 1 / 3) / 4)
    assert found.missing == ("Oslo",)
    assert [span.text for span in found.unsupported] == ["famous old stadium"]
    assert all(text[span.start : span.end] == span.text for span in found.unsupported)
    assert [triple.predicate for triple in found.unworded] == ["architect", "birthPlace"]


def test_unsupported_words_apart_are_spans_of_their_own():
    found = FREE.explain(GRAPH, "Famous Kestrel Arena, famous: old.")
    assert [span.text for span in found.unsupported] == ["Famous", "famous", "old"]


def test_references_support_words_and_are_agreed_with():
    text = "Kestrel Arena is a stadium."
    references = ["Kestrel Arena is a big stadium in Trondheim.", "The big arena in Oslo is old."]
    found = REF.explain(GRAPH, text, references)
    # kestrel arena stadium of kestrel arena big stadium trondheim
    assert found.agreement == pytest.approx(3 / 5)
    assert found.unsaid == ("big", "trondheim")
    assert found.support == 1
    assert found.score == pytest.approx(1 / 4 * 1 * (3 + 0) / 4 * (1 + 3 / 5) / 2)
    assert FREE.explain(GRAPH, text, references).support == pytest.approx(2 / 3)


def test_a_word_said_once_agrees_once():
    found = REF.explain(GRAPH, "Kestrel leads.", ["Kestrel leads Kestrel."])
    assert found.agreement == pytest.approx(2 / 3)
    assert found.unsaid == ("kestrel",)


@pytest.mark.parametrize("text", ["", "null", " "])
def test_a_blank_text_scores_zero(text):
    found = REF.explain(GRAPH, text, ["Kestrel Arena."])
    assert (found.score, found.support, found.wording, found.agreement) == (0, 0, 0, 0)
    assert len(found.missing) == 4
    assert FREE.explain(GRAPH, text).score == 0


def test_undefined_is_none():
    assert FREE.explain(Graph(), "Anything.").score is None
    assert REF.explain(GRAPH, "Kestrel Arena.").score is None
    assert REF.explain(GRAPH, "Kestrel Arena.", [""]).agreement == 1


def test_a_table_explains_by_all_of_its_cells_and_titles():
    table = Input.from_table(
        (Cell("Rosenborg", "Team"), Cell("1917", "Founded", highlighted=False)), title="Norwegian clubs"
    )
    found = FREE.explain(table, "Rosenborg is a Norwegian team founded in 1917 or 1918.")
    assert (found.coverage, found.wording) == (1, 1)
    assert [span.text for span in found.unsupported] == ["1918"]


def test_original_triples_explain_too():
    example = Example("Id1", GRAPH, original=Graph.from_triples([("Arena", "capacity", "Nine_hundred")]))
    text = "Kestrel Arena has nine hundred."
    (found,) = FakeDetector().detect([(GRAPH, text)])
    assert FREE.explain_all([example], [found], [Document(GRAPH, text)])[0].support == 1


def batch(texts):
    references = (Reference("Id1", "Kestrel Arena is in Trondheim."),)
    examples = [Example(f"Id{n}", GRAPH, references if n else ()) for n in range(len(texts))]
    return Batch(examples, texts, detect=lambda: FakeDetector().detect([(GRAPH, text) for text in texts]))


@pytest.mark.parametrize("metric", [FREE, REF], ids=lambda metric: metric.name)
def test_corpus_scores_are_means_of_texts(metric):
    texts = ["Kestrel Arena.", "null", "Kestrel Arena in Trondheim.", "Oslo was Ida Solberg."]
    rows = metric.statistics(batch(texts))
    scores = metric.segment_scores(rows)
    known = [score for score in scores if score is not None]
    whole = metric.score_statistics(rows)
    assert scores.count(None) == whole.fields[f"{metric.name}_undefined"] == (metric is REF)
    assert whole.value == pytest.approx(np.mean(known))
    assert set(whole.fields) == {
        metric.name,
        *(f"{metric.name}_{part}" for part in metric.parts),
        f"{metric.name}_undefined",
    }
