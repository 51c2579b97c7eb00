from __future__ import annotations

import pytest

from esascore.align import backends
from esascore.cli import golden


@pytest.fixture
def without_compiling(monkeypatch):
    some = [backend for backend in backends.describe() if backend.name in ("rapidfuzz", "python")]
    monkeypatch.setattr(backends, "describe", lambda: some)


def test_this_installation_is_sound(run, without_compiling):
    result = run("selftest")
    assert result.code == 0, result.out
    lines = result.out.split("\n")[:-1]
    assert all(line.startswith("ok      ") for line in lines)
    assert "ok      backend rapidfuzz agrees with the plain one" in lines
    assert {f"ok      example corpus, profile {name}" for name in ("default", "paper")} <= set(lines)


def test_wrong_numbers_are_found(run, without_compiling, monkeypatch):
    numbers = golden.measured()
    numbers["paper"]["fluent"]["esa_c"] = 0.5
    monkeypatch.setattr(golden, "recorded", lambda: numbers)
    result = run("selftest")
    assert result.code == 1
    (failed,) = [line for line in result.out.split("\n") if line.startswith("FAILED")]
    assert failed.startswith("FAILED  example corpus, profile paper: fluent: esa_c is 0.")
    assert failed.endswith("expected 0.5")


def test_a_check_that_breaks_is_a_failed_check(run, without_compiling, monkeypatch):
    def broken(profile):
        raise TypeError("first line\nsecond line")

    monkeypatch.setattr(golden, "measured_with", broken)
    result = run("selftest")
    assert result.code == 1
    assert "FAILED  example corpus, profile paper: TypeError: first line\n" in result.out


def test_the_recorded_numbers_cover_every_profile():
    from esascore.profiles import names

    assert tuple(sorted(golden.recorded())) == names()
