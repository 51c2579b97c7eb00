"""A real encoder: what it reads, that it learns, and that its training can be stopped and repeated."""

from __future__ import annotations

import json
import os
import shutil

import pytest

from esascore.errors import DataError, MissingModelError, UsageError
from esascore.facts.claims import Claim
from esascore.facts.evaluation import evaluate
from esascore.facts.pieces import OBJECT_CLOSES, OBJECT_OPENS, SUBJECT_CLOSES, SUBJECT_OPENS, Pieces
from esascore.model import Graph
from esascore.trained.loading import find_transformer
from facts.invented import texts

NEEDS = "needs esascore[facts]: make test-facts"
if os.environ.get("ESASCORE_TEST_FACTS"):  # a run in which all is skipped shows nothing
    import torch
else:
    torch = pytest.importorskip("torch", reason=NEEDS)
    pytest.importorskip("tokenizers", reason=NEEDS)

from esascore.facts.networks import packed, unpacked  # noqa: E402
from esascore.facts.training import TrainingSettings, VerifierTrainee  # noqa: E402
from esascore.facts.verifier import EncoderVerifier  # noqa: E402
from esascore.trained.runs import train  # noqa: E402

SMALL = TrainingSettings(claims=60, layers=1, seed=3)


@pytest.fixture(scope="module")
def minilm():
    try:
        return find_transformer()
    except MissingModelError as error:
        if os.environ.get("ESASCORE_TEST_FACTS"):
            raise
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def model(minilm, tmp_path_factory):
    """A model that has learned four relations, in less than a minute: do not change its folder."""
    folder = tmp_path_factory.mktemp("facts") / "model"
    assert train(VerifierTrainee, texts(200, 1), folder, minilm, TrainingSettings(claims=6000, layers=2))
    return folder


def test_it_learns_who_did_what(model):
    """On people that it has never seen together, and against the rule that both are mentioned."""
    found = evaluate(EncoderVerifier(model), texts(120, 99), number=320)
    assert found.auc_mentioned < 0.8
    assert found.auc > 0.9
    kinds = {kind.name: kind for kind in found.kinds}
    assert kinds["mentions swapped"].rejected > 0.7
    assert kinds["roles exchanged in the data"].rejected > 0.7


def test_probabilities_do_not_depend_on_what_else_is_asked(model):
    verifier = EncoderVerifier(model)
    claims = [
        Claim("employer", text, ((0, 8),), ((19, 26),))
        for text in (
            "Ada Lund works for Bo Berg.",
            "Ada Lund works for Bo Berg, says the paper from Wendmouth.",
        )
    ]
    alone = [verifier.probabilities([claim])[0] for claim in claims]
    together = verifier.probabilities([*claims, *claims])
    assert together == pytest.approx([*alone, *alone], abs=2e-6)
    assert together[:2] == together[2:]


def test_answers_are_kept_on_disk(model, tmp_path):
    from esascore.cache import AnswerCache

    cache = AnswerCache(tmp_path / "answers.sqlite")
    claim = Claim("employer", "Ada Lund works for Bo Berg.", ((0, 8),), ((19, 26),))
    first = EncoderVerifier(model, cache).probabilities([claim])
    again = EncoderVerifier(model, cache)
    again._read = lambda claims: pytest.fail("read again") if claims else []  # type: ignore[method-assign]
    assert again.probabilities([claim]) == first


def test_a_claim_is_read_once(model):
    """Several metrics ask the same of a text."""
    verifier = EncoderVerifier(model)
    claims = [
        Claim("employer", "Ada Lund works for Bo Berg.", ((0, 8),), ((19, 26),)),
        Claim("employer", "Ada Lund works for Bo Berg.", ((19, 26),), ((0, 8),)),
    ]
    asked = []
    read = verifier._read
    verifier._read = lambda some: asked.extend(some) or read(some)  # type: ignore[method-assign]
    first = verifier.probabilities([*claims, claims[0]])
    assert verifier.probabilities([*claims[::-1], claims[0]]) == [first[1], first[0], first[0]]
    assert asked == claims


def test_equal_seeds_give_equal_models_and_others_do_not(minilm, tmp_path):
    some = texts(20, 1)
    for name, seed in (("one", 3), ("same", 3), ("other", 4)):
        settings = TrainingSettings(claims=60, layers=1, seed=seed)
        assert train(VerifierTrainee, some, tmp_path / name, minilm, settings)
        torch.rand(5)
    one, same, other = (EncoderVerifier(tmp_path / name).version() for name in ("one", "same", "other"))
    assert one == same != other


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not(minilm, tmp_path):
    some = texts(20, 1)
    train(VerifierTrainee, some, tmp_path / "whole", minilm, SMALL)
    turns = 0
    while not train(VerifierTrainee, some, tmp_path / "parts", minilm, SMALL, stop=lambda read: True):
        turns += 1
        assert not (tmp_path / "parts").exists()
    assert turns > 0
    assert EncoderVerifier(tmp_path / "parts").version() == EncoderVerifier(tmp_path / "whole").version()
    assert not (tmp_path / "parts.training").exists()


def test_a_state_of_another_run_is_refused(minilm, tmp_path):
    train(VerifierTrainee, texts(20, 1), tmp_path / "model", minilm, SMALL, stop=lambda read: True)
    with pytest.raises(UsageError, match="other documents or settings"):
        train(VerifierTrainee, texts(21, 1), tmp_path / "model", minilm, SMALL)
    (tmp_path / "model.training" / "checkpoint.pt").write_bytes(b"nonsense")
    with pytest.raises(DataError, match="delete"):
        train(VerifierTrainee, texts(20, 1), tmp_path / "model", minilm, SMALL)


def test_the_last_layer_is_the_same_where_it_is_read():
    from esascore.facts.networks import Layer, Shape

    torch.manual_seed(1)
    layer = Layer(Shape(1, hidden=16, heads=2, inner=32, vocabulary=20, positions=8))
    states = torch.randn(2, 6, 16)
    mask = torch.tensor([[1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 0, 0]], dtype=torch.bool)[:, None, None, :]
    whole = layer(states, mask)
    some = layer.at(torch.tensor([[0, 2, 5], [0, 3, 1]]), states, mask)
    for text, places in enumerate(([0, 2, 5], [0, 3, 1])):
        assert torch.allclose(some[text], whole[text, places], atol=1e-6)


def test_bytes_keep_weights_up_to_a_hundredth_of_their_row():
    weights = {"matrix": torch.randn(5, 7), "bias": torch.randn(3)}
    back = unpacked(packed(weights))
    assert torch.equal(back["bias"], weights["bias"])
    largest = weights["matrix"].abs().amax(1, keepdim=True)
    assert ((back["matrix"] - weights["matrix"]).abs() <= largest / 254 + 1e-7).all()


def _byte_linear(rows, columns):
    from esascore.facts.networks import ByteLinear

    torch.manual_seed(rows)
    exact = torch.nn.Linear(columns, rows)
    stored = packed({"weight": exact.weight.detach()})
    return exact, ByteLinear(stored["weight"], stored["weight.scale"], exact.bias.detach())


def test_bytes_are_multiplied_as_whole_numbers():
    """Against sums of Python's integers, which no processor rounds."""
    exact, layer = _byte_linear(3, 5)
    scale = exact.weight.detach().abs().amax(1) / 127
    weights = (exact.weight.detach() / scale[:, None]).round().int().tolist()
    states = torch.tensor([[[0.5, -1.0, 0.25, 0.0, 0.125], [0.0, 0.0, 0.0, 0.0, 0.0]]])
    read = [64, -127, 32, 0, 16]  # 63.5, -127, 31.75, 0, 15.875
    sums = [sum(a * b for a, b in zip(read, row, strict=True)) for row in weights]
    with torch.inference_mode():
        first, second = layer(states)[0]
    assert first.tolist() == pytest.approx((torch.tensor(sums) / 127 * scale + exact.bias).tolist(), abs=1e-6)
    assert second.tolist() == exact.bias.tolist()


def test_bytes_change_little_and_nothing_depends_on_other_rows(monkeypatch):
    exact, layer = _byte_linear(64, 48)
    monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: False)
    _, floats = _byte_linear(64, 48)
    states = torch.randn(7, 9, 48)
    with torch.inference_mode():
        found, known = layer(states), exact(states)
        assert torch.equal(found, floats(states))
        for row in range(7):
            assert torch.equal(layer(states[row : row + 1, :5]), found[row : row + 1, :5])
    assert (found - known).abs().max() < 0.02 * known.abs().max()


@pytest.mark.parametrize("damage", ["facts.safetensors", "esascore.json", "tokenizer.json"])
def test_a_damaged_model_is_an_error_with_its_file(model, tmp_path, damage):
    folder = tmp_path / "model"
    shutil.copytree(model, folder)
    (folder / damage).write_bytes(b"{nonsense")
    claim = Claim("employer", "Ada works for Bo.", ((0, 3),), ((14, 16),))
    with pytest.raises(DataError, match=damage):
        EncoderVerifier(folder).probabilities([claim])


def test_the_folder_says_what_the_model_was_trained_on(model):
    description = json.loads((model / "esascore.json").read_text("utf-8"))
    assert list(description["predicates"]) == ["employer", "parent", "successor", "teacher"]
    assert description["shapes"] == [["(triples)"]]
    verifier = EncoderVerifier(model)
    assert verifier.knows("anything", Graph.from_triples([("a", "b", "c")]).shape)
    assert not verifier.knows("employer", Graph.from_data({"employer": "Ada"}).shape)


class TestPieces:
    @pytest.fixture
    def pieces(self, minilm):
        return Pieces(minilm, longest=32)

    def test_markers_stand_around_the_mentions(self, pieces):
        claim = Claim("employer", "Ada works for Bo.", ((0, 3),), ((14, 16),))
        found = pieces.encode(claim)
        text = list(found.pieces[found.text_at :])
        marks = [piece for piece in text if piece < 5]
        assert marks == [SUBJECT_OPENS, SUBJECT_CLOSES, OBJECT_OPENS, OBJECT_CLOSES]
        without = [piece for piece in text[:-1] if piece > 4]
        assert without == pieces.plain("Ada works for Bo.")

    def test_one_mention_inside_another(self, pieces):
        found = pieces.encode(Claim("city", "the Oslo Opera", ((0, 14),), ((4, 8),)))
        marks = [piece for piece in found.pieces[found.text_at :] if piece < 5]
        assert marks == [SUBJECT_OPENS, OBJECT_OPENS, OBJECT_CLOSES, SUBJECT_CLOSES]

    def test_a_long_text_is_read_where_both_are(self, pieces):
        text = "well " * 60 + "Ada works for Bo."
        start = text.index("Ada")
        found = pieces.encode(Claim("employer", text, ((start, start + 3),), ((start + 14, start + 16),)))
        assert len(found.pieces) <= 32
        assert {SUBJECT_OPENS, OBJECT_OPENS} <= set(found.pieces)
        far = "Ada " + "well " * 60 + "Bo"
        assert pieces.encode(Claim("employer", far, ((0, 3),), ((len(far) - 2, len(far)),))) is None


def test_with_out_figures_are_those_of_a_plain_run(model, tmp_path, monkeypatch):
    """However rows are cut, so that claims are read in other company.

    What counts verdicts is equal. What counts probabilities, of which six digits are kept, can differ in the
    last of them, as the page on scale says.
    """
    if not os.environ.get("ESASCORE_TEST_FACTS"):
        pytest.importorskip("pyarrow", reason="needs esascore[shards]: make test-facts")
    from esascore.cli import main

    some = texts(40, 5)
    inputs = [
        {
            "id": str(n),
            "triples": [[fact.subject, fact.predicate, fact.object] for fact in one.facts],
            "references": [one.text],
        }
        for n, one in enumerate(some)
    ]
    said = {"mine": [one.text for one in some], "other": [one.text for one in some[1:] + some[:1]]}
    said["other"][::2] = said["mine"][::2]
    rows = [
        json.dumps({**row, "system": system, "text": text}) + "\n"
        for system, own in said.items()
        for row, text in zip(inputs, own, strict=True)
    ]
    (tmp_path / "rows.jsonl").write_text("".join(rows))
    (tmp_path / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in inputs))
    for system, own in said.items():
        (tmp_path / f"{system}.txt").write_text("".join(f"{text}\n" for text in own))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ESASCORE_CACHE", "plain.sqlite")
    given = ["--metrics", "facts,questeval,rg,cs,co,faithfulness", "--facts", str(model), "--jobs", "1", "-q"]
    assert main(["score", "corpus.jsonl", "mine.txt", "other.txt", *given, "-o", "plain.json"]) == 0
    for unit in ("7", "50000"):
        monkeypatch.setenv("ESASCORE_CACHE", str(tmp_path / f"{unit}.sqlite"))  # no answers of another cut
        arguments = ["rows.jsonl", "--out", f"run-{unit}", "--unit", unit, "-o", "found.json"]
        assert main(["score", *arguments, *given]) == 0
        found, plain = (json.loads((tmp_path / f"{name}.json").read_bytes()) for name in ("found", "plain"))
        assert found["signature"] == plain["signature"]
        for one, expected in zip(found["systems"], plain["systems"], strict=True):
            assert {name: one[name] for name in expected} == expected
    mine, other = plain["systems"]
    for metric in ("facts", "questeval", "cs", "co"):
        assert mine[metric] > other[metric] > 0
