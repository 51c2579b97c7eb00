"""``esascore doctor``: the cache, the backends, the self-test."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from esascore.align import backends, compiled
from esascore.cache import AnswerCache
from esascore.cli import doctor


@pytest.fixture
def path(tmp_path, monkeypatch) -> Path:
    file = tmp_path / "my answers.sqlite"
    monkeypatch.setenv("ESASCORE_CACHE", str(file))
    return file


def test_an_empty_cache(run, path):
    assert run("doctor", "cache").out == f"path  {path}\nsize  0 bytes\n"
    record = {"path": str(path), "bytes": 0, "entries": {}, "problem": None}
    assert json.loads(run("doctor", "cache", "--format", "json").out) == record
    assert run("doctor", "cache", "--clear").out == "0 answers removed\n"
    assert not path.exists()


def test_a_cache_is_shown_and_cleared(run, path):
    AnswerCache(path).put("rel", {"a": "1", "b": "2"})
    AnswerCache(path).put("stanza", {"c": "3"})
    shown = run("doctor", "cache")
    assert (shown.code, shown.err) == (0, "")
    lines = shown.out.split("\n")
    assert (lines[0], lines[1][:8]) == (f"path    {path}", "size    ")
    assert lines[2:] == ["rel     2", "stanza  1", ""]
    record = {"path": str(path), "bytes": path.stat().st_size, "entries": {"rel": 2, "stanza": 1}}
    assert json.loads(run("doctor", "cache", "--format", "json").out) == {**record, "problem": None}
    assert run("doctor", "cache", "--clear", "--kind", "stanza").out == "1 answer removed\n"
    assert AnswerCache(path).info().entries == {"rel": 2}
    assert run("doctor", "cache", "--clear").out == "2 answers removed\n"
    assert AnswerCache(path).info().entries == {}


def test_a_damaged_file(run, path):
    path.write_bytes(b"garbage" * 1000)
    Path(f"{path}-wal").write_bytes(b"more")
    shown = run("doctor", "cache")
    assert shown.code == 0
    assert shown.err == (
        "esascore: warning: the cache cannot be used: file is not a database "
        "(esascore doctor cache --clear removes the file)\n"
    )
    assert json.loads(run("doctor", "cache", "--format", "json").out)["problem"] == "file is not a database"
    assert run("doctor", "cache", "--clear").out == "0 answers removed\n"
    assert list(path.parent.iterdir()) == []


def test_what_is_no_cache_is_not_removed(refused, tmp_path, monkeypatch):
    document = tmp_path / "thesis.tex"
    document.write_text("x" * 1000)
    monkeypatch.setenv("ESASCORE_CACHE", str(document))
    refused(2, f"error: {document}: is not an esascore cache", "doctor", "cache", "--clear")
    assert document.read_text() == "x" * 1000


def test_what_is_missing_is_said_and_compiled(run, monkeypatch, tmp_path):
    monkeypatch.setattr(compiled, "BUILT", tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for library in compiled.LIBRARIES:
        monkeypatch.delitem(vars(library), "code", raising=False)
    message = "not compiled yet (esascore doctor backends --compile): match, sequences"
    assert message in run("doctor", "backends").out
    told, again = (run("doctor", "backends", "--compile").out.splitlines() for _ in range(2))
    for library, line, later in zip(compiled.LIBRARIES, told, again, strict=True):
        path = tmp_path / "esascore" / library.file(compiled.fitting_targets()[0])
        assert line.startswith(f"{library.name:<10}  compiled in ")
        assert line.endswith(f" s: {path}")
        assert later == f"{library.name:<10}  compiled before: {path}"
    assert "numba       yes   compiled: match, sequences\n" in run("doctor", "backends").out


@pytest.fixture
def without_compiling(monkeypatch):
    some = [backend for backend in backends.describe() if backend.name in ("rapidfuzz", "python")]
    monkeypatch.setattr(backends, "describe", lambda: some)


def test_this_installation_is_sound(run, without_compiling):
    result = run("doctor", "selftest")
    assert result.code == 0, result.out
    lines = result.out.split("\n")[:-1]
    assert all(line.startswith("ok      ") for line in lines)
    assert "ok      backend rapidfuzz agrees with the plain one" in lines
    assert {f"ok      example corpus, profile {name}" for name in ("default", "paper")} <= set(lines)


def test_wrong_numbers_are_found(run, without_compiling, monkeypatch):
    numbers = doctor.measured()
    numbers["paper"]["fluent"]["esa_c"] = 0.5
    monkeypatch.setattr(doctor, "recorded", lambda: numbers)
    result = run("doctor", "selftest")
    assert result.code == 1
    (failed,) = [line for line in result.out.split("\n") if line.startswith("FAILED")]
    assert failed.startswith("FAILED  example corpus, profile paper: fluent: esa_c is 0.")
    assert failed.endswith("expected 0.5")

    def broken(profile):
        raise TypeError("first line\nsecond line")

    monkeypatch.setattr(doctor, "measured_with", broken)
    result = run("doctor", "selftest")
    assert result.code == 1
    assert "FAILED  example corpus, profile paper: TypeError: first line\n" in result.out


def test_the_recorded_numbers_cover_every_profile():
    from esascore.profiles import names

    assert tuple(sorted(doctor.recorded())) == names()


def test_without_a_command_all_is_shown(run, path, without_compiling):
    result = run("doctor")
    assert result.code == 0
    assert result.out.startswith("backend     runs\n")
    assert f"\npath  {path}\n" in result.out
    assert result.out.endswith("ok      backend rapidfuzz agrees with the plain one\n")
    assert run("doctor", "cache", "--kind", "rel").code == 2
