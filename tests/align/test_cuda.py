"""The CUDA backend without a device: what it says, how it gives way to the CPU, its kernels simulated."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import types
from pathlib import Path

import numba
import numpy as np
import pytest

from esascore.align import _cuda, _py, backends
from esascore.align._problem import make_problem
from esascore.errors import BackendWarning, MissingExtraError
from simulated_device import SimulatedDevice

ITEMS = [(["abilene texas", "texas"], "abilene texas is in texas"), (["a"], ""), ([], "b")]


def test_kernels_in_the_simulator():
    script = Path(__file__).with_name("cuda_simulator.py")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(script)],
        env=os.environ | {"NUMBA_ENABLE_CUDASIM": "1"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    summary = done.stdout.strip().split("\n")[-1]
    assert re.match(r"\d+ passed in", summary), summary  # none skipped


@pytest.mark.skipif(importlib.util.find_spec("cupy") is not None, reason="CuPy is installed")
def test_without_cupy_it_is_unavailable_and_says_what_to_install():
    with pytest.raises(
        MissingExtraError, match=r"cupy, which is not installed: pip install 'esascore\[cuda\]'"
    ):
        backends.choose("cuda", make_problem([], 0.4))
    assert any(row.name == "cuda" and not row.available for row in backends.describe())


def pretend_cupy(monkeypatch, **runtime):
    """Install a package cupy of which only the calls of `available` work."""
    module = types.ModuleType("cupy")
    module.__spec__ = importlib.util.spec_from_loader("cupy", None)
    module.__version__ = "13.6.0"
    module.cuda = types.SimpleNamespace(
        runtime=types.SimpleNamespace(**runtime), Device=lambda: types.SimpleNamespace(id=0)
    )
    monkeypatch.setitem(sys.modules, "cupy", module)
    _cuda._found.cache_clear()
    monkeypatch.setattr(numba.config, "ENABLE_CUDASIM", 0)


def test_without_a_driver_it_gives_the_first_line_of_the_reason(monkeypatch):
    def no_driver():
        raise RuntimeError("cudaErrorInsufficientDriver: too old\nsecond line")

    pretend_cupy(monkeypatch, getDeviceCount=no_driver)
    assert _cuda.available() == (
        False,
        "no CUDA device answers: cudaErrorInsufficientDriver: too old",
    )
    _cuda._found.cache_clear()


def test_with_a_device_it_names_it(monkeypatch):
    properties = {"name": b"A Device", "totalGlobalMem": 40 * 2**30}
    pretend_cupy(monkeypatch, getDeviceCount=lambda: 1, getDeviceProperties=lambda _: properties)
    monkeypatch.setattr("numba.cuda.is_available", lambda: True)
    assert _cuda.available() == (True, "A Device, 40 GB, cupy 13.6.0")
    _cuda._found.cache_clear()


def test_the_simulator_is_no_device(monkeypatch):
    pretend_cupy(monkeypatch)
    monkeypatch.setattr(numba.config, "ENABLE_CUDASIM", 1)
    available, reason = _cuda.available()
    assert not available
    assert "only for tests" in reason


class Broken(SimulatedDevice):
    """A device on which nothing can be started."""

    def launch(self, name, blocks, *arguments):
        raise RuntimeError("unspecified launch failure\nwith a long story")


@pytest.mark.parametrize("select", [True, False])
def test_a_launch_failure_gives_the_same_result_and_one_notice(select):
    problem = make_problem(ITEMS, 0.4)
    with pytest.warns(BackendWarning) as notes:
        found = _cuda.solve_on(Broken(memory=1), problem, select=select, threads=1)
    assert [str(note.message) for note in notes] == [
        "CUDA failed, the CPU did the work: unspecified launch failure"
    ]
    expected = _py.solve(problem, select=select, threads=1)
    for column in ("item", "candidate", "start", "end", "edits", "length"):
        np.testing.assert_array_equal(getattr(found, column), getattr(expected, column))


@pytest.mark.skipif(importlib.util.find_spec("cupy") is not None, reason="CuPy is installed")
def test_a_device_that_cannot_be_opened_gives_the_same_result_and_one_notice():
    problem = make_problem(ITEMS, 0.4)
    with pytest.warns(BackendWarning, match="No module named 'cupy'") as notes:
        found = _cuda.solve(problem, select=True, threads=1)
    assert len(notes) == 1
    assert found.candidate.tolist() == [0, 1]


def test_errors_of_the_program_are_not_taken_for_failures_of_the_device():
    class Wrong(SimulatedDevice):
        def launch(self, name, blocks, *arguments):
            raise TypeError("a wrong argument")

    with pytest.raises(TypeError, match="a wrong argument"):
        _cuda.solve_on(Wrong(), make_problem(ITEMS, 0.4), select=True, threads=1)


def test_nothing_in_nothing_out():
    found = _cuda.solve_on(Broken(), make_problem([], 0.4), select=True, threads=1)
    assert len(found) == 0
    assert found.item.dtype == np.int64


def test_importing_the_module_loads_neither_numba_nor_cupy():
    code = "import sys, esascore.align._cuda; print([m for m in ('numba', 'cupy') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
