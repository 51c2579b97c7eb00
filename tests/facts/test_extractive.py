"""Encoders that answer with spans: what they learn from, that they learn, and who asks them."""

from __future__ import annotations

import itertools
import json
import os
import pickle
import shutil

import pytest

from esascore.cli import main
from esascore.errors import DataError, MissingModelError, UsageError
from esascore.facts.answer_training import Located, Pair, PairSettings, located, question_pairs
from esascore.facts.answering import ANSWERING, UNANSWERABLE, ModelAnswerer, models_in
from esascore.facts.questions import ReferenceQuestions
from esascore.trained.loading import find_transformer
from facts.invented import FRAME, NAMES, PREDICATES, page_of, pages, texts

NEEDS = "needs esascore[facts]: make test-facts"
if os.environ.get("ESASCORE_TEST_FACTS"):
    import tokenizers
    import torch
else:
    torch = pytest.importorskip("torch", reason=NEEDS)
    tokenizers = pytest.importorskip("tokenizers", reason=NEEDS)

from esascore.facts.answer_training import SpanTrainee  # noqa: E402
from esascore.facts.answering import AskedPieces, SpanReader  # noqa: E402
from esascore.trained.runs import train  # noqa: E402

SMALL = PairSettings(epochs=1, batch=8, seed=3)


def questions(part, some):
    """The questions of a part, or of both (``-qa``)."""
    pairs = question_pairs(some, ReferenceQuestions(), 1)
    return located([pair for pair in pairs if pair.part.endswith(part)])


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A BERT model of a few thousand weights, untrained, whose heads are smaller than MiniLM's."""
    from safetensors.torch import save_file

    folder = tmp_path_factory.mktemp("tiny")
    words = [*FRAME, *PREDICATES, *NAMES]
    known = {word: number for number, word in enumerate(["[PAD]", "[CLS]", "[SEP]", "[UNK]", *words])}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(known, unk_token="[UNK]"))
    tokenizer.normalizer = tokenizers.normalizers.Lowercase()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    tokenizer.save(str(folder / "tokenizer.json"))
    torch.manual_seed(0)
    weights = {
        "embeddings.word_embeddings.weight": torch.randn(len(known), 32),
        "embeddings.position_embeddings.weight": torch.randn(64, 32) / 10,
        "embeddings.token_type_embeddings.weight": torch.randn(2, 32) / 10,
        "embeddings.LayerNorm.weight": torch.ones(32),
        "embeddings.LayerNorm.bias": torch.zeros(32),
    }
    for name, rows, columns in (
        ("attention.self.query", 32, 32),
        ("attention.self.key", 32, 32),
        ("attention.self.value", 32, 32),
        ("attention.output.dense", 32, 32),
        ("intermediate.dense", 64, 32),
        ("output.dense", 32, 64),
    ):
        weights[f"encoder.layer.0.{name}.weight"] = torch.randn(rows, columns) / columns**0.5
        weights[f"encoder.layer.0.{name}.bias"] = torch.zeros(rows)
    for name in ("attention.output", "output"):
        weights[f"encoder.layer.0.{name}.LayerNorm.weight"] = torch.ones(32)
        weights[f"encoder.layer.0.{name}.LayerNorm.bias"] = torch.zeros(32)
    save_file(weights, folder / "model.safetensors")
    sizes = {"num_hidden_layers": 1, "hidden_size": 32, "num_attention_heads": 4, "intermediate_size": 64}
    sizes |= {"vocab_size": len(known), "max_position_embeddings": 64, "model_type": "bert"}
    (folder / "config.json").write_text(json.dumps(sizes))
    return folder


@pytest.fixture(scope="module")
def minilm(tmp_path_factory):
    """The first two layers of MiniLM: a folder like any other."""
    try:
        whole = find_transformer()
    except MissingModelError as error:
        if os.environ.get("ESASCORE_TEST_FACTS"):
            raise
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp("minilm")
    for name in ("tokenizer.json", "model.safetensors"):
        (folder / name).symlink_to(whole / name)
    config = json.loads((whole / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps({**config, "num_hidden_layers": 2}))
    return folder


@pytest.fixture(scope="module")
def models(minilm, tmp_path_factory):
    """An encoder that has learned to answer from texts and data in less than a minute: do not change it."""
    folder = tmp_path_factory.mktemp("models")
    known = [page_of(text) for text in texts(300, 1)]
    settings = PairSettings(epochs=3, rate=5e-4)
    assert train(SpanTrainee, questions("-qa", known), folder / "data-qa", minilm, settings)
    (folder / "text-qa").symlink_to(folder / "data-qa")
    return folder


@pytest.mark.parametrize("part", ANSWERING)
def test_it_answers_questions_that_it_has_not_seen(models, part):
    """Of people that it has never seen together; two or three are named, one of them in the question."""
    seen = {frozenset((fact.subject, fact.object)) for text in texts(300, 1) for fact in text.facts}
    unseen = [
        page_of(text)
        for text in texts(100, 99)
        if not seen & {frozenset((fact.subject, fact.object)) for fact in text.facts}
    ]
    asked = [one for one in questions(part, unseen) if one.spans]
    found = SpanReader(models / part).answers([(one.question, one.context) for one in asked])
    right = [
        answer.text in {one.context[slice(*span)] for span in one.spans}
        for one, answer in zip(asked, found, strict=True)
    ]
    assert len(asked) > 200
    assert sum(right) / len(right) > 0.8
    for answer in found:
        assert (answer.text is None) == (answer.confidence <= 0.5)


def test_answers_do_not_depend_on_what_else_is_asked(models):
    reader = SpanReader(models / "text-qa")
    asked = [(one.question, one.context) for one in questions("text-qa", [page_of(t) for t in texts(8, 7)])]
    together = reader.answers([*asked, *asked])
    assert together[: len(asked)] == together[len(asked) :]
    again = pickle.loads(pickle.dumps(reader))
    for one, answer in zip(asked, together, strict=False):
        [alone] = again.answers([one])
        assert alone.text == answer.text
        assert alone.confidence == pytest.approx(answer.confidence, abs=1e-5)
    assert reader.answers([]) == []


def test_a_long_context_is_read_in_windows(tiny):
    pieces = AskedPieces(tiny, 32)
    context = "ada has the boss bo . " * 12
    windows = pieces.windows("what is the boss of ada?", context)
    assert len(windows) > 2
    assert all(len(window.read.pieces) <= 32 for window in windows)
    places = pieces.placed(context)[1]
    assert {place for window in windows for place in window.places} == set(places)
    for one, other in itertools.pairwise(windows):
        assert set(one.places) & set(other.places)  # an answer at the border is whole in one of them
    [short] = pieces.windows("what is the boss of ada?", "ada has the boss bo .")
    assert [context[a:b] for a, b in short.places] == ["ada", "has", "the", "boss", "bo", "."]
    [empty] = pieces.windows("what is the boss of ada?", "")
    assert empty.places == ()


def test_without_a_context_there_is_no_answer(models):
    [answer] = SpanReader(models / "text-qa").answers([("What is the employer of Ada Lund?", "")])
    assert answer.text is None


def test_equal_seeds_give_equal_models_and_others_do_not(tiny, tmp_path):
    some = questions("data-qa", pages(20, 1))
    for name, seed in (("one", 3), ("same", 3), ("other", 4)):
        assert train(SpanTrainee, some, tmp_path / name, tiny, PairSettings(1, 8, seed=seed))
        torch.rand(5)
    one, same, other = (SpanReader(tmp_path / name).version() for name in ("one", "same", "other"))
    assert one == same != other


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not(tiny, tmp_path):
    some = questions("text-qa", pages(20, 1))
    train(SpanTrainee, some, tmp_path / "whole", tiny, SMALL)
    turns = 0
    while not train(SpanTrainee, some, tmp_path / "parts", tiny, SMALL, stop=lambda read: True):
        turns += 1
        assert not (tmp_path / "parts").exists()
    assert turns > 0
    assert SpanReader(tmp_path / "parts").version() == SpanReader(tmp_path / "whole").version()
    assert not (tmp_path / "parts.training").exists()


def test_a_state_of_another_run_is_refused(tiny, tmp_path):
    train(
        SpanTrainee, questions("data-qa", pages(20, 1)), tmp_path / "m", tiny, SMALL, stop=lambda read: True
    )
    with pytest.raises(UsageError, match="other documents or settings"):
        train(SpanTrainee, questions("data-qa", pages(21, 1)), tmp_path / "m", tiny, SMALL)


def test_a_state_that_began_from_another_model_is_refused(tiny, tmp_path):
    """Of the same size, as two models of one shape are."""
    from safetensors.torch import load_file, save_file

    from esascore.facts.training import TrainingSettings, VerifierTrainee

    other = shutil.copytree(tiny, tmp_path / "other")
    weights = load_file(other / "model.safetensors")
    save_file({name: values + 1 for name, values in weights.items()}, other / "model.safetensors")
    some = texts(20, 1)
    settings = TrainingSettings(claims=60, layers=1, seed=3)
    train(VerifierTrainee, some, tmp_path / "m", tiny, settings, stop=lambda read: True)
    with pytest.raises(UsageError, match="from another model"):
        train(VerifierTrainee, some, tmp_path / "m", other, settings)
    assert train(VerifierTrainee, some, tmp_path / "m", tiny, settings)


def test_what_is_stored_is_what_was_trained(tiny, tmp_path):
    """Heads of eight numbers are heads of eight numbers after reading, too."""
    from safetensors.torch import save_file

    from esascore.facts.networks import SpanEncoder, packed, pretrained, restored

    model = pretrained(tiny, SpanEncoder).eval()
    save_file(packed(model.state_dict()), tmp_path / "w.safetensors")
    again = restored(tmp_path / "w.safetensors", SpanEncoder, heads=4, what="a model")
    [window] = AskedPieces(tiny, 64).windows("what is the boss of ada?", "entity [ ada ] , boss [ bo ]")
    with torch.inference_mode():
        one, other = model([window.read]), again([window.read])
    assert one.exp().sum() == pytest.approx(1, abs=1e-5)
    assert torch.allclose(one.exp(), other.exp(), atol=5e-3)
    assert again.shape == model.shape


def test_answers_are_located():
    pairs = [
        Pair("text-qa", "Who? </s> Ada met Adam and ada.", "Ada"),
        Pair("text-qa", "Who? </s> The French won.", "France"),
        Pair("text-qa", "Who? </s> Nobody.", UNANSWERABLE),
    ]
    assert located(pairs) == [
        Located("Who?", "Ada met Adam and ada.", ((0, 3), (17, 20))),
        Located("Who?", "Nobody.", ()),
    ]
    with pytest.raises(DataError, match="word for word"):
        located(pairs[1:])


@pytest.mark.parametrize("damage", ["answers.safetensors", "esascore.json", "tokenizer.json"])
def test_a_damaged_model_is_an_error_with_its_file(models, tmp_path, damage):
    folder = tmp_path / "model"
    shutil.copytree(models / "data-qa", folder)
    (folder / damage).write_bytes(b"{nonsense")
    with pytest.raises(DataError, match=damage):
        SpanReader(folder).answers([("Who?", "Ada.")])


@pytest.mark.parametrize("damage", ["config.json", "model.safetensors"])
def test_a_damaged_transformer_is_an_error_with_its_file(tiny, tmp_path, damage):
    folder = tmp_path / "bert"
    shutil.copytree(tiny, folder)
    (folder / damage).write_bytes(b"{nonsense")
    with pytest.raises(DataError, match=r"config\.json: is not a BERT model"):
        train(SpanTrainee, questions("data-qa", pages(4, 1)), tmp_path / "model", folder, SMALL)


def test_which_models_are_in_a_folder(models, tmp_path):
    asks, answers = models_in(models)
    assert asks is None
    assert isinstance(answers, ModelAnswerer)
    assert answers.version().startswith("spans.v1.")
    (tmp_path / "data-qa").symlink_to(models / "data-qa")
    with pytest.raises(UsageError, match=r"text-qa is not the folder of a model that answers"):
        models_in(tmp_path)
    (tmp_path / "text-qa").symlink_to(models / "text-qa")
    (tmp_path / "text-qg").symlink_to(models / "text-qa")
    with pytest.raises(UsageError, match=r"text-qg has an encoder"):
        models_in(tmp_path)


def test_the_metric_with_templates_and_encoders(models):
    from esascore.metrics.base import Batch
    from esascore.metrics.questeval import QuestEval
    from esascore.model import Example, Graph
    from esascore.pipeline import build_pipeline

    class Sure:
        def probabilities(self, claims):
            return [1.0] * len(claims)

        def knows(self, predicate, shape):
            return True

        def predicate_kinds(self):
            return {}

        def version(self):
            return "sure"

    graph = Graph.from_triples([("Ada Lund", "employer", "Bo Berg")])
    said = ["Ada Lund works for Bo Berg.", "Nobody was there."]
    pipeline = build_pipeline(facts=Sure(), questeval=models)
    metric = QuestEval(detector=pipeline)
    batch = Batch(
        [Example("1", graph), Example("2", graph)],
        said,
        detect=lambda: pipeline.detect([(graph, text) for text in said]),
    )
    right, wrong = metric.statistics(batch)[:, 0]
    assert right > 0.8
    assert wrong < 0.4
    first = metric.ask(batch)[0][0]
    assert (first.question.text, first.answer.text) == ("What is the employer of Ada Lund?", "Bo Berg")
    signature = str(metric.signature())
    assert "questions:templates.v2" in signature
    assert f"answers:spans.v1.{SpanReader(models / 'data-qa').version()}" in signature
    with pytest.raises(UsageError, match="--facts"):
        QuestEval(detector=build_pipeline(questeval=models)).signature()


def test_commands(tiny, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = [
        {"part": pair.part, "source": pair.source, "target": pair.target}
        for pair in question_pairs(pages(12, 1), ReferenceQuestions(), 1)
    ]
    rows.append({"part": "data-qa", "source": "Who? </s> entity [ ada ]", "target": "Adele"})
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")

    def train(part, output, *more):
        given = ["--part", part, "--model", str(tiny), "--epochs", "1", "-o", output]
        return main(["questeval", "train", "pairs.jsonl", *given, *more])

    assert train("data-qa", "model") == 0
    own = sum(row["part"] == "data-qa" for row in rows)
    printed = "".join(capsys.readouterr())
    assert f"Skipped: 1 of {own} pairs" in printed
    assert f"Model: model ({own - 1} pairs)" in printed
    assert SpanReader(tmp_path / "model").answers([("Who?", "ada")])
    assert train("text-qa", "later", "--minutes", "0") == 0
    assert "run the command again" in "".join(capsys.readouterr())
    assert train("text-qa", "later") == 0
    assert train("text-qg", "asks") == 2
    assert "--part text-qg needs a T5 or BART model" in "".join(capsys.readouterr())
    assert main(["questeval", "train", "pairs.jsonl", "--part", "data-qg", "-o", "asks"]) == 2
    (tmp_path / "config.json").write_text("{}")
    assert main(["questeval", "train", "pairs.jsonl", "--part", "data-qa", "--model", ".", "-o", "x"]) == 3
    assert "model_type" in "".join(capsys.readouterr())
