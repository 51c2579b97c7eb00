"""The commands around facts, as far as they go without torch; make test-facts trains for real."""

from __future__ import annotations

import sys

import pytest

from esascore.examples import example_corpus_path, example_output_paths

GIVEN = [str(example_corpus_path()), str(example_output_paths()["fluent"])]


@pytest.mark.parametrize(
    "command",
    [
        ["train", str(example_corpus_path()), "-o", "model"],
        ["evaluate", str(example_corpus_path()), "--facts", "m"],
    ],
)
def test_a_missing_package_is_named_with_its_remedy(run, monkeypatch, command, tmp_path):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.chdir(tmp_path)
    result = run("facts", *command)
    assert result.code == 5
    assert "pip install 'esascore[facts]'" in result.err
    assert list(tmp_path.iterdir()) == []


def test_a_metric_of_facts_needs_a_model(run):
    result = run("score", *GIVEN, "--metrics", "facts")
    assert result.code == 2
    assert "esascore facts train" in result.err


@pytest.mark.parametrize("content", [None, "{", "{}"])
def test_a_folder_that_is_no_model(run, tmp_path, content):
    if content is not None:
        (tmp_path / "esascore.json").write_text(content)
    result = run("score", *GIVEN, "--metrics", "facts", "--facts", str(tmp_path))
    assert result.code == 3
    assert "esascore.json" in result.err


@pytest.mark.parametrize(
    "command",
    [
        ["score", *GIVEN, "--facts"],
        ["score", *GIVEN, "--questeval"],
        ["score", *GIVEN, "--similarity"],
        ["score", GIVEN[0], "--out", "run", "--similarity"],
        ["questeval", "corpus", GIVEN[0], "-o", "pairs.jsonl", "--questions"],
    ],
)
def test_a_name_that_no_file_can_have(run, command):
    """Most systems allow 255 characters between two slashes, and 4,096 in all."""
    result = run(*command, "x" * 5000)
    assert result.code in (2, 3), result.err
    assert "xxx" in result.err
    assert "defect" not in result.err
