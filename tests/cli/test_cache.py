"""``esascore cache``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from esascore.cache import AnswerCache
from esascore.cli.cache import _size


@pytest.fixture
def path(tmp_path, monkeypatch) -> Path:
    file = tmp_path / "my answers.sqlite"
    monkeypatch.setenv("ESASCORE_CACHE", str(file))
    return file


def fill(path: Path) -> None:
    cache = AnswerCache(path)
    cache.put("rel", {"a": "1", "b": "2"})
    cache.put("stanza", {"c": "3"})


def test_an_empty_cache(run, path):
    assert run("cache", "info").out == f"path  {path}\nsize  0 bytes\n"
    record = {"path": str(path), "bytes": 0, "entries": {}, "problem": None}
    assert json.loads(run("cache", "info", "--format", "json").out) == record
    assert run("cache", "clear").out == "0 answers removed\n"
    assert not path.exists()


def test_info(run, path):
    fill(path)
    shown = run("cache", "info")
    assert (shown.code, shown.err) == (0, "")
    lines = shown.out.split("\n")
    assert lines[0] == f"path    {path}"
    assert lines[1].startswith("size    ")
    assert lines[2:] == ["rel     2", "stanza  1", ""]
    record = json.loads(run("cache", "info", "--format", "json").out)
    assert record == {
        "path": str(path),
        "bytes": path.stat().st_size,
        "entries": {"rel": 2, "stanza": 1},
        "problem": None,
    }


def test_clear(run, path):
    fill(path)
    assert run("cache", "clear", "--kind", "stanza").out == "1 answer removed\n"
    assert AnswerCache(path).info().entries == {"rel": 2}
    assert run("cache", "clear").out == "2 answers removed\n"
    assert AnswerCache(path).info().entries == {}


def test_a_damaged_file(run, path):
    path.write_bytes(b"garbage" * 1000)
    Path(f"{path}-wal").write_bytes(b"more")
    shown = run("cache", "info")
    assert shown.code == 0
    assert shown.err == (
        "esascore: warning: the cache cannot be used: file is not a database "
        "(esascore cache clear removes a damaged file)\n"
    )
    assert json.loads(run("cache", "info", "--format", "json").out)["problem"] == "file is not a database"
    assert run("cache", "clear").out == "0 answers removed\n"
    assert list(path.parent.iterdir()) == []


def test_what_is_no_cache_is_not_removed(run, tmp_path, monkeypatch):
    document = tmp_path / "thesis.tex"
    document.write_text("x" * 1000)
    monkeypatch.setenv("ESASCORE_CACHE", str(document))
    result = run("cache", "clear")
    assert result.code == 2
    assert result.out == ""
    assert result.err.startswith(f"esascore: error: {document}: is not an esascore cache")
    assert result.err.count("\n") == 1
    assert document.read_text() == "x" * 1000


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (12_345, "12.3 kB"),
        (4_200_000, "4.2 MB"),
        (5_000_000_000, "5.0 GB"),
    ],
)
def test_sizes(number, shown):
    assert _size(number) == shown
