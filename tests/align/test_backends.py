"""Which backend does the work, and what is said about each."""

from __future__ import annotations

import subprocess
import sys

import pytest

from esascore.align import backends, match
from esascore.align._problem import make_problem
from esascore.align.matches import Matches
from esascore.errors import UsageError

LITTLE = make_problem([(["a"], "a b c")], 0.4)


def work_of(comparisons: int):
    """A problem that is estimated to need at least so many comparisons."""
    problem = make_problem([(["a b c d"] * 10, "x" * (comparisons // 8))], 0.4)
    assert backends.work(problem) >= comparisons
    return problem


@pytest.fixture(autouse=True)
def _no_choice_from_outside(monkeypatch):
    monkeypatch.delenv(backends.ENVIRONMENT, raising=False)


def test_every_backend_is_described():
    rows = {row.name: row for row in backends.describe()}
    assert list(rows) == list(backends.MODULES)
    for name in ("numba", "rapidfuzz", "python"):
        assert rows[name].available
        assert rows[name].detail
    if not rows["cuda"].available:
        assert rows["cuda"].detail


def test_little_work_needs_no_compiled_code():
    assert backends.choose("auto", LITTLE) == "rapidfuzz"


def unloaded(monkeypatch, *, compiled: bool) -> None:
    """As in a process that has not imported Numba, on a machine where the kernel was compiled or not."""
    monkeypatch.setattr(backends, "is_compiled", lambda: compiled)
    monkeypatch.setattr(backends.sys, "modules", {})


def test_much_work_takes_compiled_code(monkeypatch):
    monkeypatch.setattr(backends, "LARGE_WORK", 10**18)
    monkeypatch.setattr(backends, "_availability", lambda name: (True, ""))
    unloaded(monkeypatch, compiled=True)
    assert backends.choose("auto", work_of(backends.SMALL_WORK)) == "numba"


def test_nothing_waits_for_a_compiler_unless_it_pays(monkeypatch):
    monkeypatch.setattr(backends, "_availability", lambda name: (True, ""))
    monkeypatch.setattr(backends, "SMALL_WORK_UNCOMPILED", 2 * backends.SMALL_WORK)
    unloaded(monkeypatch, compiled=False)
    assert backends.choose("auto", work_of(backends.SMALL_WORK)) == "rapidfuzz"
    assert backends.choose("auto", work_of(2 * backends.SMALL_WORK)) == "numba"


def test_very_much_work_takes_a_gpu_where_there_is_one(monkeypatch):
    monkeypatch.setattr(backends, "_availability", lambda name: (True, ""))
    unloaded(monkeypatch, compiled=True)
    monkeypatch.setattr(backends, "LARGE_WORK", 5 * backends.SMALL_WORK)
    problem = work_of(5 * backends.SMALL_WORK)
    assert backends.choose("auto", problem) == "cuda"
    monkeypatch.setattr(backends, "_availability", lambda name: (name != "cuda", ""))
    assert backends.choose("auto", problem) == "numba"


def test_without_numba_and_rapidfuzz_python_remains(monkeypatch):
    monkeypatch.setattr(backends, "_availability", lambda name: (name == "python", ""))
    assert backends.choose("auto", LITTLE) == "python"


def test_the_environment_replaces_auto_only(monkeypatch):
    monkeypatch.setenv(backends.ENVIRONMENT, "python")
    assert backends.choose("auto", LITTLE) == "python"
    assert backends.choose("rapidfuzz", LITTLE) == "rapidfuzz"
    monkeypatch.setenv(backends.ENVIRONMENT, "auto")
    assert backends.choose("auto", LITTLE) == "rapidfuzz"
    monkeypatch.setenv(backends.ENVIRONMENT, "")
    assert backends.choose("auto", LITTLE) == "rapidfuzz"


def test_unknown_names_are_refused_with_the_known_ones(monkeypatch):
    with pytest.raises(
        UsageError, match="unknown backend 'fortran'; known: auto, cuda, numba, rapidfuzz, python"
    ):
        match([], backend="fortran")
    monkeypatch.setenv(backends.ENVIRONMENT, "fortran")
    with pytest.raises(UsageError, match="unknown backend 'fortran' in ESASCORE_BACKEND"):
        match([])


def test_a_backend_that_cannot_run_says_why(monkeypatch):
    monkeypatch.setattr(backends, "_availability", lambda name: (False, "no device answers"))
    with pytest.raises(UsageError, match="backend cuda cannot run here: no device answers"):
        match([], backend="cuda")


def test_a_module_that_cannot_be_imported_is_not_available(monkeypatch):
    monkeypatch.setattr(backends, "MODULES", {"numba": "esascore.align._missing"})
    (row,) = backends.describe()
    assert not row.available
    assert "esascore.align._missing" in row.detail


def test_importing_the_package_imports_no_heavy_one():
    code = "import sys, esascore.align; print(*sorted({'numba', 'rapidfuzz', 'cupy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


def test_little_work_imports_no_numba():
    code = (
        "import sys; from esascore.align import match; match([(['a'], 'a b')]); print('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_the_public_names():
    import esascore.align

    assert esascore.align.__all__ == ["Matches", "hits", "match"]
    assert isinstance(match([]), Matches)
