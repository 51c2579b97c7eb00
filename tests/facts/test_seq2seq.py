"""Real models of transformers: a T5 that learns to answer questions, and BERTScore by hand."""

from __future__ import annotations

import json
import os

import pytest

from esascore.errors import DataError, UsageError
from esascore.fact_results import Answer, Question
from esascore.facts.answer_training import PairSettings, question_pairs
from esascore.facts.answering import (
    ANSWERING,
    ASKING,
    UNANSWERABLE,
    ModelAnswerer,
    Seq2Seq,
    linearised,
    models_in,
)
from esascore.facts.questions import ReferenceQuestions
from esascore.facts.similarity import BertScore
from esascore.facts.verdicts import Page
from esascore.model import Detection, Graph, Mention, Triple
from facts.invented import FRAME, NAMES, PREDICATES, pages

NEEDS = "needs esascore[questeval]: make test-facts"
if os.environ.get("ESASCORE_TEST_FACTS"):
    import tokenizers
    import torch
    import transformers
else:
    torch = pytest.importorskip("torch", reason=NEEDS)
    transformers = pytest.importorskip("transformers", reason=NEEDS)
    tokenizers = pytest.importorskip("tokenizers", reason=NEEDS)

from esascore.facts.answer_training import Seq2SeqTrainee  # noqa: E402
from esascore.trained.runs import train  # noqa: E402


@pytest.fixture(scope="module")
def untrained(tmp_path_factory):
    """A T5 with a few hundred thousand parameters, whose words are those of the invented texts."""
    folder = tmp_path_factory.mktemp("t5")
    words = [*FRAME, *PREDICATES, *NAMES, UNANSWERABLE]
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
        vocab_size=len(vocabulary), d_model=64, d_kv=16, d_ff=128, num_layers=2, num_heads=8,
        dropout_rate=0.0, decoder_start_token_id=0, pad_token_id=0, eos_token_id=1,
    )  # fmt: skip
    model = transformers.T5ForConditionalGeneration(config)
    # How far a head looks starts out near zero in T5, and a step changes that by no more than the learning
    # rate: heads that find the value behind its predicate would take thousands of steps to form. Half of the
    # heads start out with a neighbour each, so it takes hundreds.
    distances = model.encoder.block[0].layer[0].SelfAttention.relative_attention_bias.weight
    with torch.no_grad():
        for head, bucket in enumerate((1, 2, 17, 18)):  # one and two pieces before, one and two behind
            distances[bucket, head] = 4.0
    model.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def answerer(untrained, tmp_path_factory):
    """A model that has learned to answer from data, in less than a minute."""
    pairs = [
        pair for pair in question_pairs(pages(2000, 1), ReferenceQuestions(), 1) if pair.part == "data-qa"
    ]
    folder = tmp_path_factory.mktemp("models") / "data-qa"
    settings = PairSettings(epochs=6, batch=64, rate=1e-3)
    assert train(Seq2SeqTrainee, pairs, folder, untrained, settings)
    return folder


@pytest.mark.parametrize("role", ["subject", "object"])
def test_it_answers_questions_that_it_has_not_seen(answerer, role):
    """An object has to be found by its predicate: the input has two facts about one subject."""
    seen = {page.facts for page in pages(2000, 1)}
    unseen = [page for page in pages(100, 999) if page.facts not in seen][:60]
    model = Seq2Seq(answerer)
    asked = [
        (question, page)
        for page, own in zip(unseen, ReferenceQuestions().from_data(unseen), strict=True)
        for question in own
        if question.role == role
    ]
    found = ModelAnswerer(model, model).from_data(asked)
    right = sum(answer.text == question.answer for (question, _), answer in zip(asked, found, strict=True))
    assert len(asked) == 120
    assert right / len(asked) > 0.9  # chance: one in sixteen of all names, a half of those who could be meant
    assert all(0 < answer.confidence <= 1 for answer in found)


def test_it_says_that_there_is_no_answer(answerer):
    unseen = pages(40, 998)
    model = Seq2Seq(answerer)
    strange = [
        (question, page)
        for page, own in zip(unseen, ReferenceQuestions().from_data(unseen[1:] + unseen[:1]), strict=True)
        for question in own
        if question.text not in {one.text for one in ReferenceQuestions().from_data([page])[0]}
    ]
    found = ModelAnswerer(model, model).from_data(strange)
    assert sum(answer.text is None for answer in found) / len(found) > 0.8


def test_equal_seeds_give_equal_models(untrained, tmp_path):
    pairs = question_pairs(pages(8, 1), ReferenceQuestions(), 1)
    for name, seed in (("one", 3), ("same", 3), ("other", 4)):
        train(Seq2SeqTrainee, pairs, tmp_path / name, untrained, PairSettings(1, 8, 1e-3, seed))
    one, same, other = (Seq2Seq(tmp_path / name).version() for name in ("one", "same", "other"))
    assert one == same != other


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not(untrained, tmp_path):
    pairs = question_pairs(pages(8, 1), ReferenceQuestions(), 1)
    small = PairSettings(1, 32, 1e-3, 3)
    train(Seq2SeqTrainee, pairs, tmp_path / "whole", untrained, small)
    turns = 0
    while not train(Seq2SeqTrainee, pairs, tmp_path / "parts", untrained, small, stop=lambda read: True):
        turns += 1
        assert not (tmp_path / "parts").exists()
    assert turns > 0
    assert Seq2Seq(tmp_path / "parts").version() == Seq2Seq(tmp_path / "whole").version()


def test_the_metric_with_models(untrained, tmp_path, no_network):
    """All four models are asked, and the signature names them; what they say is nonsense."""
    from esascore.metrics.base import Batch
    from esascore.metrics.questeval import QuestEval
    from esascore.model import Example
    from esascore.pipeline import build_pipeline

    for part in (*ASKING, *ANSWERING):
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
    with pytest.raises(UsageError, match=r"data-qa.*config.json"):
        models_in(tmp_path)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(DataError, match="sequence-to-sequence"):
        Seq2Seq(tmp_path).generate(["x"])


def test_pairs_by_hand():
    graph = Graph.from_triples([("ada", "boss", "bo")])
    mentions = (Mention("ada", 0, 3, "Ada", "string"), Mention("bo", 13, 15, "Bo", "string"))
    own = Page.of(graph, Detection("Ada works for Bo.".replace("for ", "4 "), ("ada", "bo"), mentions, ()))
    pairs = {(pair.part, pair.source): pair.target for pair in question_pairs([own], ReferenceQuestions(), 1)}
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
    assert {row["part"] for row in rows} == {*ASKING, *ANSWERING}
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


# --- BERTScore

WORDS = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "ada", "bo", "berg", "lund"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("encoder")
    tokenizer = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({word: n for n, word in enumerate(WORDS)}, unk_token="[UNK]")
    )
    tokenizer.normalizer = tokenizers.normalizers.Lowercase()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        "[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]", unk_token="[UNK]"
    ).save_pretrained(made)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
    )
    transformers.BertModel(config).save_pretrained(made)
    return made


def scores(folder, *pairs):
    return BertScore(folder).scores([(Question("Who?", one), Answer(other, 1.0)) for one, other in pairs])


def test_sums_by_hand(folder):
    model = transformers.BertModel.from_pretrained(folder).eval()

    def states(*words):
        with torch.no_grad():
            ids = torch.tensor([[1, *(WORDS.index(word) for word in words), 2]])
            found = model(input_ids=ids).last_hidden_state[0, 1:-1]
        return found / found.norm(dim=1, keepdim=True)

    alike = states("bo", "berg") @ states("ada", "bo", "lund").T
    precision = max(0.0, float(alike.max(0).values.mean()))
    recall = max(0.0, float(alike.max(1).values.mean()))
    expected = 2 * precision * recall / (precision + recall)
    assert scores(folder, ("Bo Berg", "Ada Bo Lund")) == pytest.approx([expected], abs=1e-5)


def test_equal_answers_are_alike_and_others_less(folder, no_network):
    same, other, nothing, neither = scores(
        folder, ("Bo Berg", "bo berg"), ("Bo Berg", "Ada Lund"), ("Bo", ""), ("", "")
    )
    assert same == pytest.approx(1.0, abs=1e-5)
    assert 0 <= other < 0.99
    assert (nothing, neither) == (0.0, 1.0)


def test_a_pair_has_the_same_score_in_any_company(folder):
    [alone] = scores(folder, ("Bo Berg", "Ada"))
    together = scores(folder, ("Bo Berg", "Ada"), ("Ada Lund Bo Berg", "Ada Bo Berg Lund Ada Bo"))
    assert together[0] == pytest.approx(alone, abs=2e-6)


def test_the_metric_takes_a_folder(folder):
    from esascore.pipeline import build_pipeline

    pipeline = build_pipeline(similarity=folder)
    assert pipeline.similarity.version() == BertScore(folder).version()
    assert pipeline.similarity.version().startswith("bertscore.v1.")


def test_a_folder_that_is_no_encoder(tmp_path):
    with pytest.raises(UsageError, match=r"config.json"):
        BertScore(tmp_path)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(DataError, match="encoder"):
        scores(tmp_path, ("Bo", "Ada"))
