"""RG, CS and CO, worked by hand with a verifier that is written down."""

from __future__ import annotations

from typing import ClassVar

import pytest

from esascore.metrics.base import Batch
from esascore.metrics.facts import ContentOrdering, ContentSelection, RelationGeneration
from esascore.model import Cell, Example, Graph, Input, Reference, Triple
from esascore.pipeline import build_pipeline
from fakes import PhraseReader

GRAPH = Graph.from_triples(
    [("Ada_Lund", "employer", "Bo_Berg"), ("Ada_Lund", "mentor", "Cy_Dahl"), ("Bo_Berg", "mentor", "Cy_Dahl")]
)
WORKS = "Ada Lund works for Bo Berg."
TAUGHT = "Cy Dahl taught Ada Lund."
TURNED = "Bo Berg works for Ada Lund."


READER = PhraseReader({"employer": ["{s} works for {o}"], "mentor": ["{o} taught {s}"]})


@pytest.fixture(scope="module")
def pipeline():
    return build_pipeline(facts=READER)


def batch_of(pipeline, texts, references=(), input_=GRAPH):
    listed = tuple(Reference(str(n), text) for n, text in enumerate(references))
    examples = [Example(str(n), input_, listed) for n in range(len(texts))]
    return Batch(examples, texts, detect=lambda: pipeline.detect([(input_, text) for text in texts]))


def test_relation_generation(pipeline):
    metric = RelationGeneration(detector=pipeline)
    rows = metric.statistics(batch_of(pipeline, [f"{WORKS} {TAUGHT}", TURNED, "Ada Lund."]))
    # Both facts are in the input, which has three: P 1, F 2 * 2 / (2 + 3). The second says what is not there.
    assert rows[:2].tolist() == [[1.0, 2.0, 0.8], [0.0, 1.0, 0.0]]
    fields = metric.score_statistics(rows).fields
    assert (fields["rg"], fields["rg_facts"], fields["rg_f"], fields["rg_undefined"]) == (0.5, 1.5, 0.4, 1)


def test_content_selection_takes_the_best_reference(pipeline):
    metric = ContentSelection(detector=pipeline)
    [row] = metric.statistics(batch_of(pipeline, [WORKS], [TURNED, f"{WORKS} {TAUGHT}"]))
    assert row.tolist() == pytest.approx([2 / 3, 1.0, 0.5])
    score = metric.score_statistics(metric.statistics(batch_of(pipeline, [WORKS])))
    assert score.value is None


def test_content_ordering(pipeline):
    metric = ContentOrdering(detector=pipeline)
    both = f"{WORKS} {TAUGHT}"
    rows = metric.statistics(batch_of(pipeline, [both, WORKS, "Ada Lund."], [both]))
    assert rows.ravel().tolist() == [1.0, 0.5, 0.0]
    # Two facts that change places are one edit of two.
    assert metric.statistics(batch_of(pipeline, [f"{TAUGHT} {WORKS}"], [both])).tolist() == [[0.5]]


def test_facts_of_a_table_are_none(pipeline):
    table = Input.from_table((Cell("Oslo", "city"),))
    for metric in (RelationGeneration, ContentSelection, ContentOrdering):
        made = metric(detector=pipeline)
        assert (
            made.score_statistics(made.statistics(batch_of(pipeline, ["Oslo"], ["Oslo"], table))).value
            is None
        )


def test_the_signature_names_the_model(pipeline):
    assert "model:reader.v1" in str(RelationGeneration(detector=pipeline).signature())


def test_a_fact_stands_once_in_the_order_of_its_mentions(pipeline):
    from esascore.facts.verdicts import extract

    [found] = pipeline.detect([(GRAPH, f"{TAUGHT} {WORKS} {WORKS}")])
    assert extract([(GRAPH, found)], READER) == [
        (Triple("Ada_Lund", "mentor", "Cy_Dahl"), Triple("Ada_Lund", "employer", "Bo_Berg"))
    ]


def test_predicates_of_the_corpus_are_read_where_the_text_has_a_word_of_theirs():
    from esascore.facts.verdicts import extract

    class Trained(PhraseReader):
        asked: ClassVar[list[str]] = []

        def predicate_kinds(self):
            return {"coach": frozenset({("", "")}), "rival": frozenset({("", "")})}

        def probabilities(self, claims):
            self.asked.extend(claim.predicate for claim in claims)
            return super().probabilities(claims)

    graph = Graph.from_triples([("Ada_Lund", "knows", "Bo_Berg")])
    reader = Trained({"coach": ["{s} is coached by {o}"]})
    [found] = build_pipeline().detect([(graph, "Ada Lund is coached by Bo Berg.")])
    assert extract([(graph, found)], reader) == [(Triple("Ada_Lund", "coach", "Bo_Berg"),)]
    assert set(reader.asked) == {"knows", "coach"}


def test_what_the_model_was_not_trained_for_has_no_score(pipeline):
    graph = Graph.from_data({"name": "Ada Lund", "employer": "Bo Berg"})
    for metric in (RelationGeneration, ContentSelection, ContentOrdering):
        made = metric(detector=pipeline)
        assert (
            made.score_statistics(made.statistics(batch_of(pipeline, [WORKS], [WORKS], graph))).value is None
        )
