"""What a training run is known by."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from esascore.trained.runs import identity_of


@dataclass(frozen=True)
class Settings:
    seed: int = 1


@pytest.fixture
def model(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(b"weights 1")
    return tmp_path


def test_equal_runs_are_one(model):
    assert identity_of(Settings(), model, ["a", "b"]) == identity_of(Settings(), model, iter(["a", "b"]))


@pytest.mark.parametrize(
    ("settings", "items"),
    [(Settings(2), ["a", "b"]), (Settings(), ["b", "a"]), (Settings(), ["\ud800"])],
)
def test_other_settings_and_items_make_another_run(model, settings, items):
    assert identity_of(settings, model, items) != identity_of(Settings(), model, ["a", "b"])


def test_another_model_of_the_same_size_makes_another_run(model):
    """A run that was cut off must not continue from other weights."""
    before = identity_of(Settings(), model, ["a"])
    (model / "model.safetensors").write_bytes(b"weights 2")
    assert identity_of(Settings(), model, ["a"]) != before
