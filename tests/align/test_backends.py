"""Which backend does the work, and what is said about each."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from types import ModuleType

import pytest

from esascore.align import _py, backends, match
from esascore.align._problem import make_problem
from esascore.align.matches import Matches
from esascore.errors import EsascoreError, UsageError

LITTLE = make_problem([(["a"], "a b c")], 0.4)
LOADABLE = int(backends.LOADING / backends.COMPARISON)
"""Comparisons from which loading compiled code pays."""


def work_of(comparisons: int):
    """A problem that is estimated to need at least so many comparisons."""
    problem = make_problem([(["a b c d"] * 10, "x" * (comparisons // 4 + 1))], 0.4)
    assert backends.work(problem).sum() >= comparisons
    return problem


@dataclass
class Kernels:
    """Kernels that pretend to be in a file or loaded, or that cannot be compiled."""

    in_file: bool = False
    loaded: bool = False
    broken: bool = False

    def stored(self):
        return [self] * self.in_file

    def is_loaded(self):
        return self.loaded

    @property
    def code(self):
        if self.broken:
            raise EsascoreError("the kernels could not be compiled")
        self.loaded = True
        return self


@pytest.fixture(autouse=True)
def _no_choice_from_outside(monkeypatch):
    monkeypatch.delenv(backends.ENVIRONMENT, raising=False)


@pytest.fixture
def pretend(monkeypatch):
    """Replace the backends by ones that are available or not and note who worked."""

    def replace(*available, code=None):
        calls = []
        for name in backends.MODULES:
            module = ModuleType(f"pretended_{name}")
            module.available = lambda name=name: (name in available, f"{name} is missing")
            module.solve = lambda problem, name=name, **how: calls.append(name) or _py.solve(problem, **how)
            monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setattr(backends, "MODULES", {name: f"pretended_{name}" for name in backends.MODULES})
        monkeypatch.setattr(backends, "MATCHING", code or Kernels())
        return calls

    return replace


def test_every_backend_is_described():
    rows = {row.name: row for row in backends.describe()}
    assert list(rows) == list(backends.MODULES)
    for name in ("numba", "rapidfuzz", "python"):
        assert rows[name].available
        assert rows[name].detail
    if not rows["cuda"].available:
        assert rows["cuda"].detail


def test_code_is_loaded_only_where_that_pays(pretend):
    pretend("numba", "rapidfuzz", code=Kernels(in_file=True))
    assert backends.choose("auto", work_of(LOADABLE // 2)) == "rapidfuzz"
    assert backends.choose("auto", work_of(2 * LOADABLE)) == "numba"


def test_loaded_code_is_used_for_all_but_the_smallest_work(pretend):
    pretend("numba", "rapidfuzz", code=Kernels(in_file=True, loaded=True))
    assert backends.choose("auto", LITTLE) == "rapidfuzz"
    assert backends.choose("auto", work_of(LOADABLE // 10)) == "numba"


@pytest.mark.parametrize(("work", "broken", "chosen"), [(0.5, False, 0), (2, False, 1), (2, True, 0)])
def test_code_is_compiled_only_for_work_that_takes_longer(pretend, work, broken, chosen):
    pretend("numba", "rapidfuzz", code=Kernels(broken=broken))
    problem = work_of(int(work * backends.COMPILING / backends.COMPARISON))
    assert backends.choose("auto", problem) == ("rapidfuzz", "numba")[chosen]


@pytest.mark.parametrize(("texts", "choice", "loaded"), [(10, "", 0), (10_000, "", 1), (10_000, "python", 0)])
def test_many_texts_that_will_come_are_reason_to_load_code(pretend, monkeypatch, texts, choice, loaded):
    code = Kernels(in_file=True)
    pretend("numba", code=code)
    monkeypatch.setenv(backends.ENVIRONMENT, choice)
    backends.prepare(texts)
    assert code.loaded == loaded


def test_very_much_work_takes_a_gpu_where_there_is_one(pretend):
    problem = work_of(backends.LARGE_WORK)
    pretend("cuda", "numba", code=Kernels(in_file=True))
    assert backends.choose("auto", problem) == "cuda"
    pretend("numba", code=Kernels(in_file=True))
    assert backends.choose("auto", problem) == "numba"


def test_without_numba_and_rapidfuzz_python_remains(pretend):
    pretend("python")
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


def test_a_backend_that_cannot_run_says_why(pretend):
    pretend("python")
    with pytest.raises(UsageError, match="backend cuda cannot run here: cuda is missing"):
        match([], backend="cuda")


def test_a_module_that_cannot_be_imported_is_not_available(monkeypatch):
    monkeypatch.setattr(backends, "MODULES", {"numba": "esascore.align._missing"})
    (row,) = backends.describe()
    assert not row.available
    assert "esascore.align._missing" in row.detail


def test_neither_the_import_nor_little_work_loads_a_compiler():
    code = (
        "import sys; from esascore.align import match; heavy = {'numba', 'llvmlite', 'rapidfuzz', 'cupy'};"
        "print(*heavy & set(sys.modules)); match([(['a'], 'a b')]); print(*heavy & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\nrapidfuzz\n"


def test_the_public_names():
    import esascore.align

    assert esascore.align.__all__ == ["Matches", "hits", "match"]
    assert isinstance(match([]), Matches)
