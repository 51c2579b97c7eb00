"""Training: what is written, what depends on what, how a run goes on, and what it refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from esascore.coref.documents import Annotated, coref_document
from esascore.coref.stanza import TRANSFORMER, WEIGHTS, StanzaModel, windows
from esascore.coref.training import CorefTrainee, TrainingSettings
from esascore.errors import DataError, MissingExtraError, UsageError
from esascore.trained import runs
from esascore.trained.folder import DESCRIPTION, read_description

SETTINGS = TrainingSettings(epochs=2, batch=3, seed=5)


@pytest.fixture(scope="module")
def documents(training_documents, invented):
    return training_documents(invented(10))


@pytest.fixture
def train(documents, small_transformer):
    """Train on ten texts, in about a second."""

    def run(output, *, settings=SETTINGS, documents=documents, trainee=CorefTrainee, **more):
        return runs.train(trainee, documents, output, small_transformer, settings, **more)

    return run


def tensors(folder: Path) -> dict[str, object]:
    """All that a folder holds, by name."""
    import torch
    from safetensors.torch import load_file

    state = torch.load(folder / WEIGHTS, weights_only=True)
    heads = {
        f"{part}.{name}": value
        for part, some in state.items()
        if isinstance(some, dict) and part != "config"
        for name, value in some.items()
    }
    whole = load_file(folder / TRANSFORMER / "model.safetensors")
    return heads | {f"bert.{name}": value for name, value in whole.items()}


def same(one: Path, other: Path) -> bool:
    import torch

    first, second = tensors(one), tensors(other)
    assert first.keys() == second.keys()
    assert len(first) > 40
    return all(torch.equal(first[name], second[name]) for name in first)


# What is written


def test_what_is_written(train, tmp_path, no_network, capfd):
    seen = []
    assert train(tmp_path / "new" / "model", progress=lambda done, total: seen.append((done, total)))
    folder = tmp_path / "new" / "model"
    # Nothing else is left: neither a state nor a temporary folder.
    assert [path.name for path in folder.parent.iterdir()] == ["model"]
    assert {path.name for path in folder.iterdir()} == {WEIGHTS, TRANSFORMER, DESCRIPTION}
    description = read_description(folder)
    assert description["documents"] == 10
    assert TrainingSettings(**description["training"]) == SETTINGS
    assert (seen[0], seen[-1]) == ((3, 20), (20, 20))
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})
    assert capfd.readouterr() == ("", "")


def test_the_transformer_is_kept_in_halves_and_read_in_whole(train, tmp_path):
    import torch

    train(tmp_path / "model")
    kept = {value.dtype for name, value in tensors(tmp_path / "model").items() if name.startswith("bert.")}
    assert torch.float16 in kept
    assert torch.float32 not in kept
    model = StanzaModel(tmp_path / "model")
    model.chains(["Ada won."])
    assert {p.dtype for p in model._loaded[0].bert.parameters()} == {torch.float32}


def test_neither_the_texts_nor_this_machine_are_in_it(train, tmp_path):
    train(tmp_path / "model")
    for path in (tmp_path / "model").rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert str(tmp_path).encode() not in data
            assert path.name.startswith("tokenizer") or b"Kestrel" not in data
    config = json.loads((tmp_path / "model" / TRANSFORMER / "config.json").read_text("utf-8"))
    assert "Kestrel" not in str(config)


def test_all_but_the_embeddings_is_learnt(train, small_transformer, tmp_path):
    import torch
    from safetensors.torch import load_file

    train(tmp_path / "model")
    before = load_file(small_transformer / "model.safetensors")
    after = load_file(tmp_path / "model" / TRANSFORMER / "model.safetensors")
    changed = {name for name in before if not torch.equal(before[name].half(), after[name])}
    assert not any("embeddings" in name for name in changed)
    assert any("encoder.layer.0" in name for name in changed)
    assert any("encoder.layer.1" in name for name in changed)


# What it depends on


def test_equal_seeds_give_equal_weights_and_others_do_not(train, tmp_path):
    import torch

    train(tmp_path / "one")
    torch.rand(7)  # what was drawn before does not matter
    train(tmp_path / "same")
    train(tmp_path / "other", settings=TrainingSettings(epochs=2, batch=3, seed=6))
    assert same(tmp_path / "one", tmp_path / "same")
    assert not same(tmp_path / "one", tmp_path / "other")
    one, again, other = (StanzaModel(tmp_path / name).version() for name in ("one", "same", "other"))
    assert one == again != other


@pytest.mark.parametrize("every", [1, 4, 500])
def test_a_run_that_was_stopped_goes_on_as_if_it_had_not(train, tmp_path, every):
    """Stopped after each batch of the first epoch, within the second one, and then never."""
    often = type("Often", (CorefTrainee,), {"checkpoint_every": every})
    train(tmp_path / "whole")
    output = tmp_path / "parts"
    for _ in range(4):
        assert not train(output, trainee=often, stop=lambda done: True)
        assert not output.exists()
        assert [path.name for path in tmp_path.glob("parts*")] == ["parts.training"]
    assert not train(output, trainee=often, stop=lambda done: done >= 5)
    seen = []
    assert train(output, trainee=often, progress=lambda done, total: seen.append(done))
    # Four batches of an epoch (3 + 3 + 3 + 1), then two more: what was done is not done again.
    assert seen[0] > 13
    assert same(tmp_path / "whole", output)
    assert not (tmp_path / "parts.training").exists()


def test_stop_is_not_asked_when_nothing_is_left(train, tmp_path):
    assert train(tmp_path / "model", stop=lambda done: done >= 20)


KILLED = """
import os, sys
from pathlib import Path
import pickle
from esascore.coref import training
from esascore.trained import runs
documents, output, transformer, settings, place = pickle.loads(sys.stdin.buffer.read())
if place == "batch":
    progress = lambda done, total: os._exit(9) if done >= 14 else None
else:
    progress = None
    def die(*_, **__): os._exit(9)
    setattr(runs if hasattr(runs, place) else training, place, die)
training.CorefTrainee.checkpoint_every = 3
runs.train(training.CorefTrainee, documents, output, transformer, settings, progress=progress)
"""


@pytest.mark.parametrize("place", ["batch", "_write_transformer", "write_description"])
def test_a_run_that_was_killed(train, documents, small_transformer, tmp_path, place):
    """In the middle of training or of writing: no half folder, and the same weights in the end."""
    import pickle

    output = tmp_path / "model"
    given = pickle.dumps((documents, output, small_transformer, SETTINGS, place))
    done = subprocess.run([sys.executable, "-c", KILLED], input=given, capture_output=True, check=False)
    assert done.returncode == 9, done.stderr.decode()
    assert not output.exists()
    assert train(output)
    train(tmp_path / "whole")
    assert same(tmp_path / "whole", output)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model", "whole"]


# What it refuses


@pytest.fixture
def begun(train, tmp_path):
    """A run that was stopped."""
    assert not train(tmp_path / "model", stop=lambda done: True)
    return tmp_path / "model"


@pytest.mark.parametrize(
    "other",
    [
        {"settings": TrainingSettings(epochs=3, batch=3, seed=5)},
        {"settings": TrainingSettings(epochs=2, batch=3, seed=6)},
        {"settings": TrainingSettings(epochs=2, batch=3, seed=5, rate=1e-3)},
        {"documents": 9},
    ],
)
def test_the_state_of_another_run(train, documents, begun, other):
    if "documents" in other:
        other = {"documents": documents[:9]}
    state = begun.with_name("model.training") / "checkpoint.pt"
    before = state.read_bytes()
    with pytest.raises(
        UsageError, match=r"model\.training belongs to a run with other documents or settings"
    ):
        train(begun, **other)
    assert state.read_bytes() == before
    assert train(begun)


@pytest.mark.parametrize("damage", ["half", "empty", "nonsense", "list", "no identity"])
def test_a_damaged_state(train, begun, damage):
    import torch

    state = begun.with_name("model.training") / "checkpoint.pt"
    if damage == "list":
        torch.save([1, 2], state)
    elif damage == "no identity":
        torch.save({"done": 3}, state)
    else:
        data = state.read_bytes()
        state.write_bytes({"half": data[: len(data) // 2], "empty": b"", "nonsense": b"nonsense"}[damage])
    with pytest.raises(DataError, match=r"delete .*model\.training to start again") as caught:
        train(begun)
    assert str(caught.value).startswith(f"{state}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("make", [Path.mkdir, Path.touch])
def test_an_output_that_exists(train, tmp_path, make):
    make(tmp_path / "model")
    with pytest.raises(UsageError, match="model already exists: choose another, or delete it"):
        train(tmp_path / "model")
    assert not (tmp_path / "model.training").exists()


def test_an_output_that_cannot_be_written(train, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match=r"cannot write to .*file.model\.training: Not a directory"):
        train(tmp_path / "file" / "model")


def test_a_full_disk(train, tmp_path, monkeypatch):
    import torch

    def fail(*_, **__):
        raise RuntimeError("PytorchStreamWriter failed writing file data/1: file write failed\nmore")

    monkeypatch.setattr(torch, "save", fail)
    with pytest.raises(
        UsageError, match=r"cannot write to .*file write failed; choose another place"
    ) as caught:
        train(tmp_path / "model")
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "model").exists()


def test_a_stanza_with_settings_that_are_unknown(train, tmp_path, monkeypatch):
    from dataclasses import make_dataclass

    from stanza.models.coref import config

    monkeypatch.setattr(config, "Config", make_dataclass("Config", ["device", "zest", "anew"]))
    with pytest.raises(UsageError, match=r"does not know: anew, zest; pip install --upgrade esascore"):
        train(tmp_path / "model")


# Texts of every kind


def test_long_and_strange_documents(train, invented, tmp_path):
    """Longer than the window, with words that the tokenizer drops, of one sentence without an end."""
    texts = invented(40)
    long, mentions = "", []
    for one in texts:
        mentions += [Annotated(len(long) + s, len(long) + e, entity) for entity, s, e, _ in one.mentions]
        long += one.text + " "
    endless = long.replace(".", ",")
    strange = "Ada \u200e sat \u0301. She won."
    made = [
        coref_document("1", long, mentions),
        coref_document("2", endless, mentions),
        coref_document("3", strange, [Annotated(0, 3, "Ada"), Annotated(14, 17, "Ada")]),
    ]
    assert len(made[1].words) > 2 * SETTINGS.window
    assert made[1].words.sentences[-1] == 0
    assert train(tmp_path / "model", documents=made, settings=TrainingSettings(epochs=1, batch=3))
    StanzaModel(tmp_path / "model").chains([long, endless, strange])


# What needs no Stanza


def test_no_documents(tmp_path):
    with pytest.raises(DataError, match="no document with a chain of two mentions to learn from"):
        runs.train(CorefTrainee, [], tmp_path / "model", tmp_path, SETTINGS)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("package", ["stanza", "torch"])
def test_without_the_extra(documents, tmp_path, monkeypatch, package):
    for name in list(sys.modules):
        if name.split(".")[0] in ("stanza", package):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'esascore\[coref\]'"):
        runs.train(CorefTrainee, documents, tmp_path / "model", tmp_path, SETTINGS)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["epochs", "batch", "window", "antecedents", "hidden"])
def test_settings_that_make_no_sense(name):
    with pytest.raises(UsageError, match=f"{name} must be at least 1, not 0"):
        TrainingSettings(**{name: 0})


@pytest.mark.parametrize(
    ("sentences", "longest", "expected"),
    [
        ([], 3, []),
        ([0, 0, 0], 3, [(0, 3)]),
        ([0, 0, 0, 0], 3, [(0, 3), (3, 4)]),
        ([0, 0, 1, 1], 3, [(0, 2), (2, 4)]),
        ([0, 1, 2, 3], 3, [(0, 3), (3, 4)]),
        # a sentence of more than two windows, between others
        ([0, 1, 1, 1, 1, 1, 1, 1, 2], 3, [(0, 1), (1, 4), (4, 7), (7, 9)]),
    ],
)
def test_windows(sentences, longest, expected):
    pieces = {"sent_id": sentences, "word_id": list(range(len(sentences)))}
    assert windows(pieces, longest) == expected
