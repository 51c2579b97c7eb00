"""What a text says about each fact, with a verifier that is written down."""

from __future__ import annotations

import numpy as np
import pytest

from esascore.errors import UsageError
from esascore.facts.bank import Marked
from esascore.facts.claims import CORRUPTIONS
from esascore.facts.evaluation import area_under_curve, evaluate
from esascore.facts.verdicts import verdicts
from esascore.metrics.facts import Facts
from esascore.metrics.faithfulness import Faithfulness
from esascore.model import Cell, Example, Graph, Input, Triple
from esascore.pipeline import build_pipeline
from esascore.profiles import changed, load_profile
from esascore.triples import SHAPE


class WrittenDown:
    """Says what was written down: (predicate, subject, object) as the text has them -> probability."""

    def __init__(self, known, trained=(SHAPE,)):
        self.known, self.trained, self.asked = known, trained, []

    def probabilities(self, claims):
        self.asked += claims
        return [
            self.known.get((c.predicate, c.text[slice(*c.subject[0])], c.text[slice(*c.object[0])]), 0.0)
            for c in claims
        ]

    def knows(self, predicate, shape):
        return shape in self.trained

    def version(self):
        return "table.v1"


GRAPH = Graph.from_triples([("Ada_Lund", "employer", "Bo_Berg"), ("Ada_Lund", "birthYear", "1980")])


def judged(verifier, text, graph=GRAPH):
    [found] = build_pipeline().detect([(graph, text)])
    [own] = verdicts([(graph, found)], verifier)
    return own


def test_a_fact_is_stated_where_both_are_mentioned_and_it_is_likely():
    verifier = WrittenDown({("employer", "Ada Lund", "Bo Berg"): 0.9})
    first, second = judged(verifier, "Ada Lund works for Bo Berg.")
    assert (first.ruling, first.probability, first.instead) == ("stated", 0.9, None)
    assert (second.ruling, second.probability) == ("not stated", 0.0)
    assert first.as_dict() == {
        "fact": ["Ada_Lund", "employer", "Bo_Berg"],
        "verdict": "stated",
        "probability": 0.9,
        "known": True,
    }


def test_roles_exchanged_contradict():
    verifier = WrittenDown({("employer", "Bo Berg", "Ada Lund"): 0.8})
    first, _ = judged(verifier, "Bo Berg works for Ada Lund.")
    assert first.ruling == "contradicted"
    assert first.instead == Triple("Bo_Berg", "employer", "Ada_Lund")
    assert first.as_dict()["instead"] == ["Bo_Berg", "employer", "Ada_Lund"]


@pytest.mark.parametrize(
    ("probability", "instead", "ruling"),
    [(0.19, 0.7, "contradicted"), (0.19, 0.69, "not stated"), (0.2, 0.9, "not stated"), (0.5, 0.9, "stated")],
)
def test_only_what_is_unlikely_is_contradicted_and_only_by_what_is_sure(probability, instead, ruling):
    verifier = WrittenDown(
        {("employer", "Ada Lund", "Bo Berg"): probability, ("employer", "Bo Berg", "Ada Lund"): instead}
    )
    assert judged(verifier, "Bo Berg works for Ada Lund.")[0].ruling == ruling


def test_guesses_are_left_out_where_nobody_reads_them():
    verifier = WrittenDown({}, trained=())
    [found] = build_pipeline().detect([(GRAPH, "Ada Lund works for Bo Berg.")])
    assert verdicts([(GRAPH, found)], verifier, guesses=False) == [()]
    assert verifier.asked == []
    [guessed] = verdicts([(GRAPH, found)], verifier)
    assert [verdict.known for verdict in guessed] == [False, False]


def test_a_text_that_is_blank_states_nothing():
    assert [verdict.ruling for verdict in judged(WrittenDown({}), "")] == ["not stated"] * 2


def test_a_table_has_no_facts():
    table = Input.from_table((Cell("Oslo", "city"),))
    assert judged(WrittenDown({}), "Oslo is a city.", table) == ()


def batch_scores(verifier, texts, graphs=None):
    pipeline = build_pipeline(facts=verifier)
    examples = [Example(str(n), graph) for n, graph in enumerate(graphs or [GRAPH] * len(texts))]
    from esascore.metrics.base import Batch

    found = pipeline.detect([(e.input, t) for e, t in zip(examples, texts, strict=True)])
    return pipeline, Batch(examples, texts, detect=lambda: found)


def test_the_metric_counts_facts_by_hand():
    verifier = WrittenDown(
        {("employer", "Ada Lund", "Bo Berg"): 0.9, ("birth year", "Ada Lund", "1980"): 0.6}
    )
    texts = ["Ada Lund, born in 1980, works for Bo Berg.", "Ada Lund works for Bo Berg.", ""]
    pipeline, batch = batch_scores(verifier, texts)
    metric = Facts(detector=pipeline)
    statistics = metric.statistics(batch)
    assert statistics.tolist() == [[2, 0, 0], [1, 0, 1], [0, 0, 2]]
    assert metric.segment_scores(statistics) == [1.0, 0.5, 0.0]
    score = metric.score_statistics(statistics)
    assert score.value == 0.5  # (1 + 1/2 + 0) / 3
    assert "model:table.v1" in str(score.signature)


def test_a_pronoun_alone_is_no_mention():
    """He may be anybody: what is not detected is not stated, whatever the model would say."""
    verifier = WrittenDown({("birth year", who, "1980"): 0.9 for who in ("She", "Ada Lund")})
    _, alone = judged(verifier, "Eve Falk left. She was born in 1980.")
    assert (alone.ruling, alone.probability) == ("not stated", 0.0)
    _, named = judged(verifier, "Ada Lund left. She was born in 1980.")
    assert named.ruling == "stated"
    assert len(verifier.asked[-1].subject) == 2


def test_facts_that_the_model_was_not_trained_for_do_not_count():
    verifier = WrittenDown({("employer", "Ada Lund", "Bo Berg"): 0.9}, trained=())
    pipeline, batch = batch_scores(verifier, ["Ada Lund works for Bo Berg."])
    metric = Facts(detector=pipeline)
    assert metric.statistics(batch).tolist() == [[0, 0, 0]]
    assert metric.score_statistics(metric.statistics(batch)).value is None
    plain = Faithfulness().explain(GRAPH, "Ada Lund works for Bo Berg.")
    assert Faithfulness(detector=pipeline).explain(GRAPH, "Ada Lund works for Bo Berg.") == plain


def test_faithfulness_takes_the_mean_probability_into_account():
    verifier = WrittenDown({("employer", "Ada Lund", "Bo Berg"): 0.9})
    text = "Ada Lund works for Bo Berg."
    plain = Faithfulness().explain(GRAPH, text)
    found = Faithfulness(detector=build_pipeline(facts=verifier)).explain(GRAPH, text)
    assert found.facts == pytest.approx(0.45)
    assert found.score == pytest.approx(plain.score * (1 + 0.45) / 2)
    strict = changed(load_profile(), {"facts": {"weight": 0.8}})
    metric = Faithfulness(detector=build_pipeline(strict, facts=verifier))
    assert metric.explain(GRAPH, text).score == pytest.approx(plain.score * (0.2 + 0.8 * 0.45))
    assert "facts.weight=0.8" in str(metric.signature())


def test_a_weight_of_facts_is_a_share():
    with pytest.raises(UsageError, match=r"facts\.weight must be between 0 and 1, not 1\.5"):
        build_pipeline(changed(load_profile(), {"facts": {"weight": 1.5}}))


def test_without_a_model_the_metric_says_what_to_do():
    with pytest.raises(UsageError, match="esascore facts train"):
        Facts().signature()


def test_area_under_the_curve_by_hand():
    assert area_under_curve(np.array([3.0, 2.0, 1.0]), np.array([True, False, True])) == 0.5
    assert area_under_curve(np.array([1.0, 1.0]), np.array([True, False])) == 0.5
    assert area_under_curve(np.array([1.0]), np.array([True])) is None


def test_a_verifier_that_knows_all_is_perfect_and_one_that_knows_nothing_is_not():
    """The first says what the marked texts state; the second says the same of every claim."""
    text = Marked.of(
        "Ada Lund works for Bo Berg.",
        [("Ada_Lund", 0, 8), ("Bo_Berg", 19, 26)],
        [Triple("Ada_Lund", "employer", "Bo_Berg")],
    )
    right = {("employer", subject, object_): 1.0 for subject, object_ in [("Ada Lund", "Bo Berg")]}

    class Direct(WrittenDown):
        def probabilities(self, claims):
            return [float(c.predicate == "employer" and c.subject[0] < c.object[0]) for c in claims]

    perfect = evaluate(Direct(right), [text], number=64)
    constant = evaluate(WrittenDown({}), [text], number=64)
    assert perfect.auc == 1.0
    assert constant.auc == 0.5
    swapped = next(kind for kind in perfect.kinds if kind.name == "mentions swapped")
    assert (swapped.others, swapped.rejected, swapped.accepted) == (swapped.mentioned, 1.0, None)


def test_facts_of_which_no_mention_is_marked_are_not_judged():
    facts = [Triple("Ada_Lund", "employer", "Bo_Berg"), Triple("Ada_Lund", "birthYear", "1980")]
    text = Marked.of(
        "Ada Lund, born in 1980, works for Bo Berg.", [("Ada_Lund", 0, 8), ("Bo_Berg", 34, 41)], facts
    )
    found = evaluate(WrittenDown({}), [text], number=len(CORRUPTIONS) + 1)
    assert (found.kinds[0].name, found.kinds[0].stated, found.kinds[0].others) == ("as it is", 1, 0)
