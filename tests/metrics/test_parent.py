from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import parent_oracle as oracle
from esascore import Parent
from esascore.align import backends
from esascore.errors import DataError, UsageError
from esascore.metrics.base import Batch, Signature
from esascore.metrics.cooccurrence import Cooccurrence, count_rows
from esascore.metrics.parent import ParentC, ParentE, PseudoParent, input_text, tables_of, tune_lambda
from esascore.model import Cell, Example, Graph, Input, Reference
from fakes import FakeDetector

EPSILON = 1e-5


def f_of(p: float, r: float) -> float:
    return 2 * p * r / (p + r + 1e-8)


# --- hand-worked numbers

# Text "a b c d e", reference "a b x d", table {x: "a b", y: "q"}; in the table: a, b, q.
# Precision: order 1: a, b, d match, c 0, e 0: 3/5. Order 2: ab matches, bc 1/2, cd 0, de 0: 1.5/4.
# Order 3: abc 2/3, bcd 1/3, cde 0: 1/3. Order 4: abcd 1/2, bcde 1/4: 3/8.
# Recall: order 1: weights a 1, b 1: 2/2. Order 2: ab 1, bx 1/2, xd 0: 1/1.5. Order 3: abx 2/3, bxd 1/3, none
# matches: epsilon. Order 4: abxd 1/2, no match: epsilon.
# Table: "a b" 1, "q" 0: 1/2. The reference mentions the same: lambda by the heuristic is 1/2 too.
GOLDEN_P = (3 / 5 * 1.5 / 4 * 1 / 3 * 3 / 8) ** 0.25
GOLDEN_REF = (1 * 1 / 1.5 * EPSILON * EPSILON) ** 0.25
GOLDEN_TABLE = 1 / 2
TABLE = [("x", "a b"), ("y", "q")]


@pytest.mark.parametrize(
    ("weight", "recall"),
    [
        (0.5, math.sqrt(GOLDEN_REF * GOLDEN_TABLE)),
        (None, math.sqrt(GOLDEN_REF * GOLDEN_TABLE)),
        (0.0, GOLDEN_REF),
        (1.0, GOLDEN_TABLE),
        (0.25, GOLDEN_REF**0.75 * GOLDEN_TABLE**0.25),
    ],
)
def test_precision_recall_and_f_worked_by_hand(weight, recall):
    found = Parent(weight).segments(["a b c d e"], [["a b x d"]], [TABLE])
    assert found.shape == (1, 3)
    assert found[0].tolist() == pytest.approx([GOLDEN_P, recall, f_of(GOLDEN_P, recall)], abs=1e-14)


def test_the_heuristic_is_what_the_reference_lacks_of_the_table():
    # The reference mentions "a" of "a b" and nothing of "q": its recall is 1/4, lambda 3/4.
    text, reference = "a b q z", "a y z w"
    heuristic = Parent(None).segments([text], [[reference]], [TABLE])
    assert heuristic.tolist() == Parent(0.75).segments([text], [[reference]], [TABLE]).tolist()


def test_repeated_ngrams_are_rewarded_as_often_as_the_reference_has_them():
    # "a" three times against once, weight 0: 1/3. Recall: nothing of the reference is entailed: 1.
    found = Parent(max_order=1, lambda_weight=0.0).segments(["a a a"], [["a"]], [[("x", "z")]])
    assert found[0].tolist() == pytest.approx([1 / 3, 1.0, f_of(1 / 3, 1.0)], abs=1e-15)


def test_the_values_of_triples_are_head_and_tail_together():
    triple, pair = [("a b", "rel", "c")], [("rel", "a b c")]
    text, reference = ["c a b rel"], [["a b c"]]
    joined, alone = (Parent().segments(text, reference, [table]).tolist() for table in (triple, pair))
    assert joined == alone
    # LCS of "a b c" and "c a b rel" is 2, not 3 as for head and tail apart.
    found = Parent(1.0).segments(text, reference, [triple])
    assert found[0, 1] == pytest.approx(2 / 3)


def test_attribute_names_entail_words_only_if_asked_for():
    # Order 1 of "born a": both unmatched; "a" is a value, "born" an attribute.
    without, with_names = (
        Parent(attributes=names, max_order=1).segments(["born a"], [["z"]], [[("Born", "a")]])
        for names in (False, True)
    )
    assert (without[0, 0], with_names[0, 0]) == (0.5, 1.0)
    relation = Parent(attributes=True, max_order=1).segments(["rel b"], [["z"]], [[("a", "rel", "b")]])
    assert relation[0, 0] == 1.0


def test_the_ablation_of_the_paper():
    # Precision without entailment: 3/5, 1/4, epsilon, epsilon; recall with weight 1: 3/4, 1/3, eps, eps.
    found = Parent(0.0, entailment="none").segments(["a b c d e"], [["a b x d"]], [TABLE])
    p, r = (3 / 5 / 4 * EPSILON**2) ** 0.25, (3 / 4 / 3 * EPSILON**2) ** 0.25
    assert found[0].tolist() == pytest.approx([p, r, f_of(p, r)], abs=1e-15)


def test_several_references():
    text, table = ["a b c d"], [[("x", "q")]]
    first, second = ["a b c z z z z z"], ["a b"]
    alone = [Parent(0.0).segments(text, [reference], table)[0] for reference in (first, second)]
    both = [[*first, *second]]
    best = Parent(0.0).segments(text, both, table)[0]
    assert best.tolist() == max(alone, key=lambda row: row[2]).tolist()
    independent = Parent(0.0, multi_ref="independent-max").segments(text, both, table)[0]
    assert independent.tolist() == np.maximum(*alone).tolist()


def test_equal_f_goes_to_the_first_reference():
    # No unigram is right: F is 0 with both, and recall that of the first (in which nothing is entailed).
    found = [
        Parent(0.0).segments(["z"], [references], [[("x", "a")]])[0].tolist()
        for references in (["b", "a"], ["a", "b"])
    ]
    assert found[0] == [0.0, 1.0, 0.0]
    assert found[1] == pytest.approx([0.0, EPSILON, 0.0], rel=1e-12)


@pytest.mark.parametrize(
    ("text", "references", "table", "expected"),
    [
        # No text: precision 0; the reference's entailed unigram is missed: epsilon; the table too.
        ("", ["a b"], [("x", "a")], [0.0, EPSILON, 0.0]),
        (" \t ", ["a b"], [("x", "a")], [0.0, EPSILON, 0.0]),
        # An empty reference asks for nothing; what the table entails is right. Orders 3 and 4 do not occur.
        ("a a", [""], [("x", "a")], [EPSILON**0.5, 1.0, f_of(EPSILON**0.5, 1.0)]),
        # An empty table entails nothing and asks for nothing: recall 1; precision is plain.
        ("a b c d", ["a b c d"], [], [1.0, 1.0, f_of(1.0, 1.0)]),
        # A value without tokens is as if it were not there, whatever else is.
        ("a b c d", ["a b c d"], [("x", " "), ("y", "")], [1.0, 1.0, f_of(1.0, 1.0)]),
        ("a b c d", ["a b c d"], [("x", " "), ("y", "a")], [1.0, 1.0, f_of(1.0, 1.0)]),
        ("", [""], [], [0.0, 1.0, 0.0]),
    ],
)
def test_empty_things_are_defined(text, references, table, expected):
    for weight in (0.5, None):
        found = Parent(weight).segments([text], [references], [table])[0]
        assert found.tolist() == pytest.approx(expected, rel=1e-12)


def test_without_any_reference_there_is_no_score():
    found = Parent().segments(["a", "a"], [[], ["a"]], [[("x", "a")]] * 2)
    assert np.isnan(found[0]).all()
    assert not np.isnan(found[1]).any()
    score = Parent().corpus(["a", "a"], [[], ["a"]], [[("x", "a")]] * 2)
    assert score.value == found[1, 2]
    assert score.fields["parent_undefined"] == 1
    assert Parent().corpus(["a"], [[]], [[]]).value is None
    assert Parent().segments([], [], []).shape == (0, 3)
    assert Parent().segments(["a"], [[]], [[]]).shape == (1, 3)


def test_case_and_tokenizers():
    arguments = ["Ann Lee, b. 1965"], [["ann lee, b. 1965"]], [[("name", "Ann Lee")]]
    assert Parent().segments(*arguments)[0, 0] == 1.0
    assert Parent(lowercase=False).segments(*arguments)[0, 0] < 1.0
    # "Lee," is no word of the table, "Lee" is.
    arguments = ["Lee,"], [["z"]], [[("name", "Ann Lee")]]
    assert Parent(max_order=1).segments(*arguments)[0, 0] == 0.0
    for tokenizer in ("words", "13a"):
        assert Parent(max_order=1, tokenizer=tokenizer).segments(*arguments)[0, 0] == 0.5
    cased = Parent(max_order=1, tokenizer="words", lowercase=False)
    assert cased.segments(["lee"], *arguments[1:])[0, 0] == 0.0


# --- against the oracle

words = st.lists(st.sampled_from("abcdefg"), max_size=12)
value_lists = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=4), max_size=4)
instances = st.lists(
    st.tuples(words, st.lists(words, min_size=1, max_size=3), value_lists), min_size=1, max_size=5
)


def strings(items):
    texts = [" ".join(text) for text, _, _ in items]
    references = [[" ".join(reference) for reference in listed] for _, listed, _ in items]
    tables = [[("n", " ".join(value)) for value in values] for _, _, values in items]
    return texts, references, tables


@pytest.mark.parametrize("backend", ["python", "numba"])
@given(
    items=instances,
    weight=st.one_of(st.none(), st.sampled_from([0.0, 0.3, 0.5, 1.0])),
    order=st.integers(1, 5),
    independent=st.booleans(),
    epsilon=st.sampled_from([0.0, 1e-9, 1e-5, 0.1, 1.0]),
    threads=st.sampled_from([1, 2]),
)
@settings(deadline=None, max_examples=60)
def test_the_oracle_agrees(backend, items, weight, order, independent, epsilon, threads):
    options = {"lambda_weight": weight, "order": order, "independent": independent, "epsilon": epsilon}
    expected = [oracle.score(*item, **options) for item in items]
    rule = "independent-max" if independent else "best-f"
    metric = Parent(weight, max_order=order, multi_ref=rule, smoothing=epsilon, threads=threads)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(backends.ENVIRONMENT, backend)
        found = metric.segments(*strings(items))
    np.testing.assert_allclose(found[:, 2], [row[2] for row in expected], rtol=0, atol=1e-12)
    if independent:
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@given(items=instances, weight=st.sampled_from([None, 0.5]))
@settings(deadline=None, max_examples=60)
def test_precision_and_recall_agree_reference_by_reference(items, weight):
    # One reference at a time: with several, equal F may come from different references by rounding.
    single = [(text, [reference], values) for text, listed, values in items for reference in listed]
    expected = [oracle.score(*item, lambda_weight=weight) for item in single]
    np.testing.assert_allclose(Parent(weight).segments(*strings(single)), expected, rtol=0, atol=1e-12)


@given(items=instances)
@settings(deadline=None, max_examples=40)
def test_the_ablation_agrees(items):
    nothing, everything = (lambda _: 0.0), (lambda _: 1.0)
    expected = [
        oracle.score(*item, lambda_weight=0.5, weight=nothing, recall_weight=everything)[2] for item in items
    ]
    found = Parent(entailment="none").segments(*strings(items))
    np.testing.assert_allclose(found[:, 2], expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("backend", ["python", "numba"])
@given(items=instances, training=st.lists(st.tuples(value_lists, words), max_size=6))
@settings(deadline=None, max_examples=60)
def test_the_cooccurrence_model_agrees(backend, items, training):
    counts: dict[str, float] = {}
    for values, text in training:
        for item in {"n"} & {"n" for _ in values} | {word for value in values for word in value}:
            counts[item] = counts.get(item, 0) + 1
            for word in set(text):
                counts[f"{item}|||{word}"] = counts.get(f"{item}|||{word}", 0) + 1
    expected = []
    for text, listed, values in items:
        lexical = {word for value in values for word in value} | {"n" for _ in values}
        weight = oracle.cooccurrence(lexical, counts)
        expected.append(oracle.score(text, listed, values, lambda_weight=0.5, weight=weight)[2])
    pairs = [([("n", " ".join(value)) for value in values], " ".join(text)) for values, text in training]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(backends.ENVIRONMENT, backend)
        found = ParentC(Cooccurrence.of(count_rows(pairs)), threads=2).segments(*strings(items))
    np.testing.assert_allclose(found[:, 2], expected, rtol=0, atol=1e-12)


def test_long_sequences_cross_every_word_border():
    rng = np.random.default_rng(7)
    items = []
    for size in (0, 1, 63, 64, 65, 127, 128, 129, 200):
        text, reference, value = (
            [str(token) for token in rng.integers(0, 30, length)] for length in (size, 70, max(size, 1))
        )
        items.append((text, [reference], [value, reference[:5]]))
    expected = [oracle.score(*item, lambda_weight=None) for item in items]
    np.testing.assert_allclose(Parent(None).segments(*strings(items)), expected, rtol=0, atol=1e-12)


def test_very_long_texts():
    rng = np.random.default_rng(3)
    text, reference = ([str(token) for token in rng.integers(0, 400, size)] for size in (2100, 2060))
    values = [text[5:9], [str(token) for token in rng.integers(0, 400, 12)]]
    expected = oracle.score(text, [reference], values, lambda_weight=None)
    found = Parent(None).segments(*strings([(text, [reference], values)]))
    assert found[0].tolist() == pytest.approx(expected, abs=1e-12)


def test_chunks_do_not_show(monkeypatch):
    from esascore.metrics import _parent

    items = [(["a", "b"], [["a"], ["b", "c"]], [["a"]]), (["c"], [[]], []), (["q"], [["q"]], [["q", "r"]])]
    whole = Parent(None).segments(*strings(items))
    monkeypatch.setattr(_parent, "CHUNK_STRINGS", 4)
    assert Parent(None).segments(*strings(items)).tolist() == whole.tolist()
    streamed = list(Parent(None).stream(zip(*strings(items), strict=True)))
    assert [len(chunk) for chunk in streamed] == [2, 1]
    assert np.concatenate(streamed).tolist() == whole.tolist()


# --- the model of alignment


def test_detected_mentions_are_entailed():
    graph = Graph.from_triples([("Ann_Lee", "born", "1965-12-22")])
    text, reference = "Lee , born December 22", "Ann Lee is old"
    example = Example("Id1", graph, (Reference("Id1", reference),))
    finder = FakeDetector(
        {text: [("Ann_Lee", "Lee"), ("1965-12-22", "December 22")], reference: [("Ann_Lee", "Ann Lee")]}
    )
    metric = ParentE(finder, max_order=1)
    found = metric.statistics(metric.batch([example], [text]))[0]
    # Precision: lee matches, december and 22 are covered: 3/5. Reference: ann and lee weigh 1, lee is there:
    # 1/2. Table: all three tokens of the value belong to detected entities: 1.
    r = math.sqrt(1 / 2 * 1)
    assert found.tolist() == pytest.approx([3 / 5, r, f_of(3 / 5, r)], abs=1e-15)
    # Word overlap sees one of three tokens in the text, and nothing in the date.
    plain = Parent(max_order=1).statistics(metric.batch([example], [text]))[0]
    assert plain[:2].tolist() == pytest.approx([1 / 5, math.sqrt(1 / 2 * 1 / 3)], abs=1e-15)


def test_half_of_a_detected_value_counts_by_its_tokens():
    graph = Graph.from_triples([("Ann_Lee", "born", "1965-12-22")])
    example = Example("Id1", graph, (Reference("Id1", "x"),))
    metric = ParentE(FakeDetector({"December": [("1965-12-22", "December")]}), 1.0)
    # One of three tokens belongs to the detected entity.
    assert metric.statistics(metric.batch([example], ["December"]))[0, 1] == pytest.approx(1 / 3)


def test_without_detections_alignment_is_word_overlap():
    items = ["a b c", "d"], [["a c", "b"], ["d e"]], [[("x", "a b")], [("x", "e")]]
    for tokenizer in ("whitespace", "words"):
        aligned = ParentE(FakeDetector({}), None, tokenizer=tokenizer).segments(*items)
        assert aligned.tolist() == Parent(None, tokenizer=tokenizer).segments(*items).tolist()


def test_references_are_looked_at_once_for_all_systems():
    graph = Graph.from_triples([("a", "r", "b")])
    examples = [Example("Id1", graph, (Reference("Id1", "a b"), Reference("Id2", "b")))]
    finder = FakeDetector({})
    metric = ParentE(finder)
    metric.statistics(metric.batch(examples * 2, ["a", "b"]))
    assert sum(finder.asked) == 2 + 2


def test_words_know_where_they_stand_whatever_their_case():
    # The capital I with a dot becomes two code points in lower case.
    graph = Graph.from_triples([("İzmir", "r", "x")])
    example = Example("Id1", graph, (Reference("Id1", "q"),))
    for tokenizer in ("whitespace", "words"):
        finder = FakeDetector({"in İİ İzmırr now": [("İzmir", "İzmırr")]})
        metric = ParentE(finder, max_order=1, tokenizer=tokenizer)
        assert metric.statistics(metric.batch([example], ["in İİ İzmırr now"]))[0, 0] == 1 / 4


def test_non_highlighted_cells_are_no_entities():
    table = Input.from_table((Cell("a b", "x"), Cell("c d", "y", highlighted=False)))
    example = Example("Id1", table, (Reference("Id1", "q"),))
    metric = ParentE(FakeDetector({"w": [("a b", "w")]}), 1.0)
    assert metric.statistics(metric.batch([example], ["w"]))[0, 1] == pytest.approx(1 / 2)


# --- as a metric


def examples() -> list[Example]:
    graph = Graph.from_triples([("Ann_Lee", "birthPlace", '"New_Town"')])
    return [
        Example("Id1", graph, (Reference("1", 'Ann Lee is from "New Town" .'), Reference("2", "Ann Lee"))),
        Example("Id2", Input.from_table((Cell("12", "age"),)), (Reference("Id1", "she is 12"),)),
        Example("Id3", graph),
    ]


def batch(texts: list[str], items: list[Example] | None = None) -> Batch:
    return Batch(items or examples(), texts, detect=list)


def test_the_metric_reads_graphs_and_tables():
    texts = ['Ann Lee comes from "New Town" .', "she is 13", "Ann"]
    rows = Parent().statistics(batch(texts))
    tables = [[("Ann Lee", "birthPlace", '"New Town"')], [("age", "12")], [("Ann Lee", "b", '"New Town"')]]
    assert tables_of(examples())[0] == tables[0]
    references = [['Ann Lee is from "New Town" .', "Ann Lee"], ["she is 12"], []]
    np.testing.assert_array_equal(rows, Parent().segments(texts, references, tables))
    score = Parent().score_statistics(rows)
    assert score.value == pytest.approx(rows[:2, 2].mean(), rel=1e-15)
    assert score.fields["parent_undefined"] == 1
    assert Parent().segment_scores(rows) == [rows[0, 2], rows[1, 2], None]
    assert [column.field for column in Parent.columns] == ["parent", "parent_precision", "parent_recall"]
    assert ParentC.columns[0].field == "parent-c"


def test_the_signature_names_every_setting():
    assert str(Parent().signature()).partition("|")[2] == (
        "tok:whitespace|case:lc|lambda:0.5|entailment:overlap|refs:best-f|order:4|epsilon:1e-05"
    )
    variants = [
        Parent(),
        Parent(None),
        Parent(0.4),
        Parent(smoothing=1e-6),
        Parent(max_order=3),
        Parent(attributes=True),
        Parent(entailment="none"),
        Parent(multi_ref="independent-max"),
        Parent(tokenizer="words"),
        Parent(lowercase=False),
        ParentC(Cooccurrence.of(count_rows([([("a", "b")], "c")]))),
        ParentC(Cooccurrence.of(count_rows([([("a", "b")], "d")]))),
        ParentE(FakeDetector({})),
        ParentE(FakeDetector({}), attributes=True),
    ]
    signatures = {str(metric.signature()) for metric in variants}
    assert len(signatures) == len(variants)
    assert Parent(threads=2).signature() == Parent().signature()
    assert Signature.parse(str(Parent().signature())) == Parent().signature()
    assert ("profile", "fake") in ParentE(FakeDetector({})).signature().parts


# --- tuning


def test_lambda_is_tuned_to_ratings():
    systems = [["a b c d", "a b"], ["a b c", "c b"], ["d c", "c d"]]
    references, tables = [["a b c d"], ["a c"]], [[("x", "b")], [("x", "c")]]
    ratings = [[3, 2], [2, 2], [1, 1]]
    weight, correlation = tune_lambda(Parent(), systems, references, tables, ratings, steps=4)
    tried = {}
    for candidate in (0, 0.25, 0.5, 0.75, 1):
        means = [Parent(candidate).segments(texts, references, tables)[:, 2].mean() for texts in systems]
        tried[candidate] = np.corrcoef(means, np.mean(ratings, axis=1))[0, 1]
    assert correlation == pytest.approx(max(tried.values()), abs=1e-12)
    assert tried[weight] == pytest.approx(correlation, abs=1e-12)
    for metric in (ParentC(Cooccurrence.of(count_rows([]))), ParentE(FakeDetector({}))):
        assert 0 <= tune_lambda(metric, systems, references, tables, ratings, steps=4)[0] <= 1


@pytest.mark.parametrize(
    ("systems", "ratings", "message"),
    [
        ([["a"], ["b"]], [[1], [2]], "at least 3 systems, found 2"),
        ([["a"], ["b"], ["c"]], [[1], [2]], r"one row for each of 3 systems.*found shape \(2, 1\)"),
        ([["a"], ["a"], ["a"]], [[1], [2], [3]], "the same score or the same rating"),
        ([["a"], ["b"], ["c"]], [[1], [1], [1]], "the same score or the same rating"),
    ],
)
def test_what_cannot_be_tuned_is_said(systems, ratings, message):
    with pytest.raises(UsageError, match=message):
        tune_lambda(Parent(), systems, [["a"]], [[("x", "b")]], ratings)


# --- mistakes of the caller


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((["a"], [["a"], ["b"]], [[]]), DataError, "1 texts, 2 lists of references and 1 tables"),
        ((["a"], ["a"], [[]]), UsageError, "references of text 1 are one string"),
        ((["a"], [["a"]], [[("x",)]]), DataError, r"found \('x',\) in table 1"),
        ((["a"], [["a"]], [["xy"]]), DataError, "found 'xy' in table 1"),
        ((["a"], [["a"]], [[("a", "b", "c", "d")]]), DataError, "in table 1"),
        (([None], [["a"]], [[]]), UsageError, "must be strings, found NoneType"),
        ((["a"], [[b"a"]], [[]]), UsageError, "must be strings, found bytes"),
        ((["a"], [["a"]], [[("x", 3)]]), UsageError, "must be strings, found int"),
    ],
)
def test_malformed_arguments_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        Parent().segments(*arguments)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Parent(1.5), "lambda must be between 0 and 1"),
        (lambda: Parent(math.nan), "lambda must be between 0 and 1"),
        (lambda: Parent(smoothing=-1), "smoothing must be between 0 and 1"),
        (lambda: Parent(max_order=0), "at least 1 token"),
        (lambda: Parent(multi_ref="all"), "multi_ref must be one of best-f, independent-max, not 'all'"),
        (lambda: Parent(tokenizer="nltk"), "tokenizer must be one of whitespace, words, 13a"),
        (lambda: Parent(entailment="bert"), "entailment must be one of overlap, none"),
        (lambda: ParentC(Cooccurrence.of(count_rows([])), attributes=True), "no option 'attributes'"),
        (lambda: ParentE(FakeDetector({}), tokenizer="13a"), "use tokenizer 'words'"),
        (
            lambda: ParentE(FakeDetector({})).segments(["a"], [["a"]], [[("x", "y"), ("x", "y", "z")]]),
            "table 1 mixes",
        ),
    ],
)
def test_settings_that_make_no_sense_are_refused(make, message):
    with pytest.raises((UsageError, DataError), match=message):
        make()


# --- real data


@pytest.mark.corpora
@pytest.mark.parametrize(
    ("system", "weight", "expected"),
    [
        ("bt5", 0.5, (0.5783, 0.5449, 0.5339)),
        ("bt5", None, (0.5762, 0.5210, 0.5198)),
        ("RALI", 0.5, (0.5319, 0.4675, 0.4530)),
    ],
)
def test_the_numbers_of_the_public_original(corpora, system, weight, expected):
    from esascore.readers.corpus import read_corpus
    from esascore.readers.outputs import read_outputs

    folder = corpora / "webnlg-2020"
    corpus = read_corpus(folder / "rdf-to-text-generation-test-data-with-refs-en.xml")
    texts = read_outputs(folder / "submissions" / f"{system}.en")
    rows = Parent(weight).statistics(Batch(corpus, texts, detect=list))
    assert rows.mean(axis=0).round(4).tolist() == pytest.approx(expected)
    if weight is None:
        checked = range(0, len(texts), 9)
        tables = tables_of(corpus)
        for i in checked:
            values = [f"{head} {tail}".lower().split() for head, _, tail in tables[i]]
            references = [reference.text.lower().split() for reference in corpus[i].references]
            judged = oracle.score(texts[i].lower().split(), references, values, lambda_weight=None)
            assert rows[i].tolist() == pytest.approx(judged, abs=1e-9)


# --- PseudoPARENT


def test_pseudo_parent_worked_by_hand():
    # Input "a a b q": entailed are a, b and q. Text "a b c", reference "b c a".
    # Precision: 1: all match. 2: ab 1 (both entailed), bc matches: 1. 3: abc 2/3. 4: none: epsilon.
    # Recall: 1: b and a: 1. 2: bc 1/2 found, ca 1/2 not: 1/2. 3: bca: epsilon. 4: no n-gram: 1.
    # Input: a, a and b of four words: 3/4.
    found = PseudoParent().segments(["a b c"], [["b c a"]], ["a a b q"])[0]
    p = (2 / 3 * 1e-5) ** 0.25
    r = math.sqrt((1 / 2 * 1e-5) ** 0.25 * 3 / 4)
    assert found.tolist() == pytest.approx([p, r, 2 * p * r / (p + r + 1e-8)], rel=1e-12)


@given(
    text=words,
    references=st.lists(words, min_size=1, max_size=3),
    source=words,
    weight=st.sampled_from([None, 0.5]),
)
@settings(deadline=None, max_examples=80)
def test_the_oracle_agrees_on_pseudo_parent(text, references, source, weight):
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


def test_tokenizers_split_the_input_of_pseudo_parent_too():
    found = PseudoParent(max_order=1, tokenizer="words").segments(["lee"], [["z"]], ["Ann, Lee."])
    assert found[0, 0] == 1.0
    assert found[0, 1] == pytest.approx(math.sqrt(1 * 1 / 4))


def test_pseudo_parent_is_told_apart_and_refuses_what_it_has_not():
    assert PseudoParent().signature() != Parent().signature()
    assert PseudoParent.columns[0].field == "pseudo-parent"
    with pytest.raises(UsageError, match="no option 'attributes'"):
        PseudoParent(attributes=True)
    with pytest.raises(DataError, match="1 texts, 1 lists of references and 2 tables"):
        PseudoParent().segments(["a"], [["a"]], ["a", "b"])
