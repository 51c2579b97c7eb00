"""Real T5 models: a small one learns from scratch to answer template questions, and scores texts."""

from __future__ import annotations

import json
import os
from random import Random

import pytest

from esascore.errors import DataError, UsageError
from esascore.facts.questions import Question
from esascore.facts.seq2seq import PARTS, UNANSWERABLE, Seq2Seq, Seq2SeqAnswerer, linearised, models_in
from esascore.facts.synthetic import synthetic_pairs
from esascore.facts.templates import ReferenceQuestions
from esascore.facts.verdicts import Page
from esascore.model import Detection, Graph, Mention, Triple

NEEDS = "needs esascore[questeval]: make test-facts"
if os.environ.get("ESASCORE_TEST_FACTS"):
    import tokenizers
    import torch
    import transformers
else:
    torch = pytest.importorskip("torch", reason=NEEDS)
    transformers = pytest.importorskip("transformers", reason=NEEDS)
    tokenizers = pytest.importorskip("tokenizers", reason=NEEDS)

from esascore.facts.seq2seq_training import Seq2SeqSettings, train_seq2seq  # noqa: E402

NAMES = [
    "ada",
    "bo",
    "cy",
    "dee",
    "eve",
    "finn",
    "gus",
    "hal",
    "ida",
    "jo",
    "kai",
    "liv",
    "mia",
    "ned",
    "ole",
    "pia",
]
PREDICATES = ["boss", "coach", "editor", "owner"]


def page(chance: Random) -> Page:
    """Two people with two facts about one of them, in a text that says them word for word."""
    one, *others = chance.sample(NAMES, 3)
    facts = [
        Triple(one, predicate, name)
        for predicate, name in zip(chance.sample(PREDICATES, 2), others, strict=True)
    ]
    text, mentions = "", []
    for fact in facts:
        text += " " * bool(text)
        for part in (fact.subject, f" has the {fact.predicate} ", fact.object, " ."):
            if part in NAMES:
                mentions.append(Mention(part, len(text), len(text) + len(part), part, "string"))
            text += part
    graph = Graph(tuple(facts))
    return Page.of(graph, Detection(text, tuple(e.term for e in graph.entities), tuple(mentions), ()))


def pages(number: int, seed: int) -> list[Page]:
    chance = Random(seed)
    return [page(chance) for _ in range(number)]


@pytest.fixture(scope="module")
def untrained(tmp_path_factory):
    """A T5 with a few hundred thousand parameters, whose words are those of the invented texts."""
    folder = tmp_path_factory.mktemp("t5")
    words = [
        *NAMES,
        *PREDICATES,
        *["what", "is", "the", "of", "has", "?", ".", "entity", "[", "]", ",", "unanswerable"],
    ]
    vocabulary = {word: n for n, word in enumerate(["<pad>", "</s>", "<unk>", *words])}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.normalizer = tokenizers.normalizers.Lowercase()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Sequence(
        [tokenizers.pre_tokenizers.WhitespaceSplit(), tokenizers.pre_tokenizers.Punctuation()]
    )
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        "$A </s>", special_tokens=[("</s>", 1)]
    )
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    )
    fast.save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.T5Config(
        vocab_size=len(vocabulary), d_model=96, d_kv=24, d_ff=192, num_layers=2, num_heads=4,
        dropout_rate=0.0, decoder_start_token_id=0, pad_token_id=0, eos_token_id=1,
    )  # fmt: skip
    transformers.T5ForConditionalGeneration(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def answerer(untrained, tmp_path_factory):
    """A model that has learned to answer from data, in less than two minutes."""
    pairs = [
        pair for pair in synthetic_pairs(pages(1500, 1), ReferenceQuestions(), 1) if pair.part == "data-qa"
    ]
    folder = tmp_path_factory.mktemp("models") / "data-qa"
    train_seq2seq(pairs, folder, untrained, settings=Seq2SeqSettings(epochs=9, batch=32, rate=1e-3))
    return folder


def test_it_answers_questions_that_it_has_not_seen(answerer):
    unseen = pages(60, 999)
    model = Seq2Seq(answerer)
    asked = [
        (q, p) for p, own in zip(unseen, ReferenceQuestions().from_data(unseen), strict=True) for q in own
    ]
    found = Seq2SeqAnswerer(model, model).from_data(asked)
    right = sum(answer.text == question.answer for (question, _), answer in zip(asked, found, strict=True))
    assert right / len(asked) > 0.55  # chance: one in sixteen of all names, one in three of the input
    assert all(0 < answer.confidence <= 1 for answer in found)


def test_it_says_that_there_is_no_answer(answerer):
    unseen = pages(40, 998)
    model = Seq2Seq(answerer)
    strange = [
        (q, p)
        for p, own in zip(unseen, ReferenceQuestions().from_data(unseen[1:] + unseen[:1]), strict=True)
        for q in own[:1]
    ]
    found = Seq2SeqAnswerer(model, model).from_data(strange)
    assert sum(answer.text is None for answer in found) / len(found) > 0.5


def test_equal_seeds_give_equal_models(untrained, tmp_path):
    pairs = synthetic_pairs(pages(8, 1), ReferenceQuestions(), 1)
    for name, seed in (("one", 3), ("same", 3), ("other", 4)):
        train_seq2seq(pairs, tmp_path / name, untrained, settings=Seq2SeqSettings(1, 8, 1e-3, seed))
    one, same, other = (Seq2Seq(tmp_path / name).version() for name in ("one", "same", "other"))
    assert one == same != other


def test_the_metric_with_models(untrained, tmp_path, no_network):
    """All four models are asked, and the signature names them; what they say is nonsense."""
    from esascore.metrics.base import Batch
    from esascore.metrics.questeval import QuestEval
    from esascore.model import Example
    from esascore.pipeline import build_pipeline

    for part in PARTS:
        (tmp_path / part).symlink_to(untrained)
    pipeline = build_pipeline(questeval=tmp_path)
    graph = Graph.from_triples([("ada", "boss", "bo")])
    batch = Batch(
        [Example("1", graph)],
        ["Ada has the boss Bo."],
        detect=lambda: pipeline.detect([(graph, "Ada has the boss Bo.")]),
    )
    metric = QuestEval(detector=pipeline)
    [asked] = metric.ask(batch)
    assert [one.about for one in asked] == ["data", "data", "text", "text"]
    assert all(0 <= value <= 1 for value in metric.statistics(batch)[0])
    assert "questions:seq2seq.v1." in str(metric.signature())


def test_a_folder_without_models(tmp_path):
    with pytest.raises(UsageError, match=r"data-qg.*config.json"):
        models_in(tmp_path)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(DataError, match="sequence-to-sequence"):
        Seq2Seq(tmp_path).generate(["x"])


def test_pairs_by_hand():
    graph = Graph.from_triples([("ada", "boss", "bo")])
    mentions = (Mention("ada", 0, 3, "Ada", "string"), Mention("bo", 13, 15, "Bo", "string"))
    own = Page.of(graph, Detection("Ada works for Bo.".replace("for ", "4 "), ("ada", "bo"), mentions, ()))
    pairs = {
        (pair.part, pair.source): pair.target for pair in synthetic_pairs([own], ReferenceQuestions(), 1)
    }
    data = "entity [ ada ] , boss [ bo ]"
    said = own.text[13:15]
    assert pairs["data-qg", f"{said} </s> {data}"] == "What is the boss of ada?"
    assert pairs["data-qa", f"What is the boss of ada? </s> {data}"] == said
    assert pairs["text-qa", f"What has the boss bo? </s> {own.text}"] == "Ada"
    assert UNANSWERABLE not in pairs.values()


def test_commands(untrained, tmp_path, monkeypatch):
    from esascore.cli import main
    from esascore.examples import example_corpus_path

    monkeypatch.chdir(tmp_path)
    assert main(["questeval", "corpus", str(example_corpus_path()), "-o", "pairs.jsonl"]) == 0
    rows = [json.loads(line) for line in (tmp_path / "pairs.jsonl").read_text("utf-8").splitlines()]
    assert {row["part"] for row in rows} == set(PARTS)
    assert any(row["target"] == UNANSWERABLE for row in rows)
    given = [
        "questeval",
        "train",
        "pairs.jsonl",
        "--part",
        "text-qg",
        "--model",
        str(untrained),
        "-o",
        "model",
    ]
    assert main([*given, "--epochs", "1", "--batch", "64"]) == 0
    assert (tmp_path / "model" / "config.json").is_file()
    (tmp_path / "pairs.jsonl").write_text('{"part": "text-qg"}\n')
    assert main([*given[:-1], "other"]) == 3


def test_linearisation_groups_by_subject():
    facts = [Triple("A", "p", "B"), Triple("C", "q", "D"), Triple("A", "r", '"E F"')]
    assert linearised(facts) == "entity [ A ] , p [ B ] , r [ E F ] , entity [ C ] , q [ D ]"
    assert Question("Who?", "B").entity is None
