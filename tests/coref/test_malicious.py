"""Models that carry code: none of it runs, whatever Stanza, transformers and the environment allow."""

from __future__ import annotations

import io
import json
import os
import pathlib
import shutil
import sys

import pytest

from esascore.coref.stanza import TRANSFORMER, WEIGHTS, StanzaModel
from esascore.errors import MissingExtraError, MissingModelError
from esascore.trained.folder import DESCRIPTION, folder_digest


class Trap:
    """What makes a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return pathlib.Path.touch, (self.path,)


@pytest.fixture
def sprung(tmp_path, stanza):
    """Where the trap leaves its mark, with a Stanza that reads files of weights as older ones do."""
    path = tmp_path / "sprung"
    yield path
    assert not path.exists(), "code in a model was run"


@pytest.fixture(params=["as it is", "old stanza", "environment"])
def careless(request, monkeypatch):
    """Stanza as it is; one that would unpickle anything; an environment that allows it."""
    import torch

    if request.param == "old stanza":
        load = torch.load
        monkeypatch.setattr(torch, "load", lambda *a, **more: load(*a, **{**more, "weights_only": False}))
    if request.param == "environment":
        monkeypatch.setenv("TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD", "1")


def refused(model) -> str:
    with pytest.raises(MissingModelError) as caught:
        model.chains(["Ada Holt leads Norvik."])
    return str(caught.value)


@pytest.fixture
def stanza_folder(tmp_path):
    """A folder as Stanza downloads them; its models are to be added."""
    folder = tmp_path / "resources"
    for kind in ("tokenize", "coref"):
        (folder / "en" / kind).mkdir(parents=True)
    packages = {"tokenize": "tiny", "coref": "some"}
    listed = {kind: {name: {"md5": "0"}} for kind, name in packages.items()}
    known = {"default_processors": packages, **listed, "packages": {"default": packages}}
    (folder / "resources.json").write_text(json.dumps({"en": known}))
    return folder


def test_the_trap_works(tmp_path, stanza):
    import torch

    torch.save(Trap(tmp_path / "sprung"), tmp_path / "evil.pt")
    torch.load(tmp_path / "evil.pt", weights_only=False)
    assert (tmp_path / "sprung").exists()


def test_a_file_of_weights(tmp_path, sprung, careless, stanza_folder):
    import torch

    torch.save(Trap(sprung), tmp_path / "evil.pt")
    for kind, name in (("tokenize", "tiny"), ("coref", "some")):
        shutil.copy(tmp_path / "evil.pt", stanza_folder / "en" / kind / f"{name}.pt")
    refused(StanzaModel(tmp_path / "evil.pt", stanza_folder))
    refused(StanzaModel("some", stanza_folder))
    assert "TORCH_FORCE_WEIGHTS_ONLY_LOAD" not in os.environ


def test_a_folder_like_one_of_ours(tmp_path, sprung, careless):
    import torch

    folder = tmp_path / "model"
    (folder / TRANSFORMER).mkdir(parents=True)
    torch.save(Trap(sprung), folder / WEIGHTS)
    (folder / DESCRIPTION).write_text(json.dumps({"format": 1, "digest": folder_digest(folder)}))
    assert "cannot be loaded (UnpicklingError" in refused(StanzaModel(folder))


def test_a_transformer_with_code_of_its_own(tmp_path, sprung, trained, monkeypatch, capfd):
    folder = shutil.copytree(trained, tmp_path / "model")
    config = {"model_type": "strange", "auto_map": {}}
    for role in ("Config", "Model", "Tokenizer"):
        config["auto_map"][f"Auto{role}"] = "evil.Evil"
    (folder / TRANSFORMER / "config.json").write_text(json.dumps(config))
    (folder / TRANSFORMER / "evil.py").write_text(f"import pathlib\npathlib.Path({str(sprung)!r}).touch()\n")
    description = json.loads((folder / DESCRIPTION).read_text())
    (folder / DESCRIPTION).write_text(json.dumps({**description, "digest": folder_digest(folder)}))
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n" * 9))  # an answer to whoever asks
    assert "cannot be loaded" in refused(StanzaModel(folder))
    assert "run the custom code" not in capfd.readouterr().out


def test_a_torch_that_runs_code_in_weights_is_too_old(trained, monkeypatch):
    monkeypatch.setattr("torch.__version__", "2.5.1+cu124")
    with pytest.raises(MissingExtraError, match=r"torch>=2.6, .* pip install 'esascore\[coref\]'"):
        StanzaModel(trained).chains(["Ada Holt leads Norvik."])
