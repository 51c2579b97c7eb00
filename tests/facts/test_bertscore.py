"""BERTScore with a real encoder, small and untrained, against sums that are written out."""

from __future__ import annotations

import os

import pytest

from esascore.errors import DataError, UsageError
from esascore.fact_results import Answer, Question
from esascore.facts.similarity import BertScore

NEEDS = "needs esascore[questeval]: make test-facts"
if os.environ.get("ESASCORE_TEST_FACTS"):
    import tokenizers
    import torch
    import transformers
else:
    torch = pytest.importorskip("torch", reason=NEEDS)
    transformers = pytest.importorskip("transformers", reason=NEEDS)
    tokenizers = pytest.importorskip("tokenizers", reason=NEEDS)

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
