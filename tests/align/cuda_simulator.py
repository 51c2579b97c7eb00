"""Every CUDA kernel in Numba's simulator against the oracle; `test_cuda.py` runs this in its own process.

The simulator compares some hundred pairs a second, hence the small examples.
"""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace

import numba
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from esascore.align import _cuda, _py
from esascore.align._cuda_kernels import KERNELS, SHARED_WORDS
from esascore.align._problem import make_problem
from esascore.errors import BackendWarning
from simulated_device import SimulatedDevice

pytestmark = [
    pytest.mark.skipif(not numba.config.ENABLE_CUDASIM, reason="runs with NUMBA_ENABLE_CUDASIM=1"),
    # Words wrap around on a device; the simulator's are NumPy scalars, which say so.
    pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning"),
]
COLUMNS = ("item", "candidate", "start", "end", "edits", "length")


@dataclass(frozen=True)
class Recording(SimulatedDevice):
    """A simulated device that counts what it launched."""

    launched: Counter[str] = field(default_factory=Counter)

    def launch(self, name, blocks, *arguments):
        self.launched[name] += 1
        # Idle blocks, as a real device has them.
        super().launch(name, blocks + 1, *arguments)


def check(items, max_distance=0.4, device=None, selects=(True, False)):
    problem = make_problem(items, max_distance)
    used = device or Recording()
    for select in selects:
        found = _cuda.solve_on(used, problem, select=select, threads=1)
        expected = _py.solve(problem, select=select, threads=1)
        for column in COLUMNS:
            assert getattr(found, column).dtype == getattr(expected, column).dtype
            np.testing.assert_array_equal(getattr(found, column), getattr(expected, column), column)
    return used


words = st.text(st.sampled_from("ab_é\u0301𝄞"), min_size=1, max_size=4)
candidate = st.one_of(
    st.just(""), st.text(st.sampled_from("ab _é"), max_size=6), st.lists(words, max_size=3).map(" ".join)
)
text = st.one_of(st.text(st.sampled_from("ab  é\t"), max_size=8), st.lists(words, max_size=5).map(" ".join))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(
    st.lists(st.tuples(st.lists(candidate, max_size=3), text), max_size=3),
    st.sampled_from([0, 0.2, 0.4, 1 / 3, 0.5, 1]),
)
def test_small_problems(items, max_distance):
    check(items, max_distance)


@pytest.mark.parametrize("size", [1, 63, 64, 65, 127, 128, 129])
def test_word_borders(size):
    random = np.random.default_rng(size)
    name = "".join(random.choice(list("abc"), size - 1)) + "d"
    wrong = f"{name[: size // 2]}x{name[size // 2 + 1 :]}"
    check([([name, name[1:], "d"], f"{wrong} d")], selects=(False,))


def test_a_thousand_characters():
    random = np.random.default_rng(0)
    name = "".join(random.choice(list("abcdefg"), 1000))
    check([([name], f"{name[:500]}x{name[501:]}")], selects=(True,))


def test_all_kernels_ran():
    used = check([(["new york", "n" * 65], "in new york " + "n" * 64)])
    assert set(used.launched) == set(KERNELS)


def test_ties_go_to_more_characters_then_the_start_then_the_candidate():
    # Distances 1/4 for "abcx" and 1/4 (2/8) for the longer n-gram; equal candidates; equal n-grams.
    check([(["abcd", "abcd", "abcdefgh"], "abcx abcd abcd abcdefxy ab abcx")], max_distance=0.5)


def test_underscores_separate_the_words_that_say_how_long_ngrams_are():
    check([(["aa_bb_cc"], "x aa bb cc y")])


def test_equal_fractions_of_different_lengths_are_equal():
    check([(["abcdef", "ab"], "abcdxx ax abcxxx abx ab")], max_distance=0.5)


@pytest.mark.parametrize("shared_words", [0, 7, 64, SHARED_WORDS])
def test_masks_in_shared_or_global_memory(shared_words):
    device = Recording(shared_words=shared_words, threads=3)
    check([(["abc", "abd", "bcd", "abc abd"], "abd abc xbd")], device=device)


def test_candidates_and_starts_in_several_tiles(monkeypatch):
    monkeypatch.setattr(_cuda, "TILE_PAIRS", 4)
    monkeypatch.setattr(_cuda, "TILE_CANDIDATES", 2)
    groups = [["ab", "ac", "bc", "x" * 65, "cd", ""], ["ab"], []]
    check([(groups[i % 3], "ab ac bc dd ab x") for i in range(5)])


def test_batches_of_little_memory():
    items = [(["ab", "cd"], "ab cd"), (["ab"], "ab"), (["ab", "cd"], "cd ab"), (["ab", "cd"], "ab cd")]
    one, many = Recording(), Recording(memory=1)
    check(items, device=one, selects=(True,))
    check(items, device=many, selects=(True,))
    assert one.launched["read_texts"] == 1
    assert many.launched["read_texts"] == 4


def test_long_columns_are_shared_by_many_pairs(monkeypatch):
    monkeypatch.setattr(_cuda, "COLUMN_BYTES", 16 * 2 * 2)  # two threads for all pairs
    name = "ab " * 22
    check([([name + "x", name + "y"], name + "x"), ([name], "ab ab")], selects=(False,))


def test_more_hits_than_expected_are_found_in_a_second_run():
    device = check([(["aaa"], "aaa aab aba")], max_distance=1, selects=(False,))
    assert device.launched["find_hits"] == 2


def test_types_of_arguments_are_those_that_kernels_are_compiled_for():
    with pytest.raises(TypeError, match="place_tokens is compiled for"):
        SimulatedDevice().launch("place_tokens", 1, np.zeros(1))


class Failing(Recording):
    def launch(self, name, blocks, *arguments):
        if self.launched["select_hits"] == 1 and name == "find_hits":
            raise MemoryError("out of memory: 3 bytes")
        super().launch(name, blocks, *arguments)


def test_a_failure_on_the_way_leaves_the_rest_to_the_cpu(monkeypatch):
    left = []

    def on_cpu(problem, select, threads):
        left.extend(problem.texts)
        return _py.solve(problem, select=select, threads=threads)

    monkeypatch.setattr(_cuda, "on_cpu", on_cpu)
    items = [(["ab", "cd"], "ab cd"), (["ab"], "ab"), (["cd"], "cd ab"), (["ac"], "ab cd")]
    with pytest.warns(
        BackendWarning, match="CUDA failed, the CPU did the work: out of memory: 3 bytes"
    ) as notes:
        device = check(items, device=Failing(memory=1), selects=(True,))
    assert [note.category for note in notes].count(BackendWarning) == 1
    assert left == ["ab", "cd ab", "ab cd"]
    assert device.launched["read_texts"] == 2  # one batch done, one failed, none tried after it


class Device(nullcontext):
    id = 0


class Stream:
    """What CuPy's streams do for `CupyDevice`, and a note of how many work at a time."""

    busy = 0
    most_busy = 0
    ptr = 0

    def __init__(self, non_blocking):
        assert non_blocking

    def __enter__(self):
        Stream.busy += 1
        Stream.most_busy = max(Stream.busy, Stream.most_busy)

    def __exit__(self, *_):
        Stream.busy -= 1


@pytest.fixture
def numpy_as_cupy(monkeypatch):
    """NumPy in the place of CuPy, with as much of its CUDA interface as `CupyDevice` uses."""
    module = ModuleType("cupy")
    module.__dict__.update({name: getattr(np, name) for name in np.__all__ if name != "test"})
    module.asnumpy = np.asarray
    module.get_default_memory_pool = lambda: SimpleNamespace(free_bytes=lambda: 1000)
    module.cuda = SimpleNamespace(
        Stream=Stream,
        Device=Device,
        get_current_stream=lambda: SimpleNamespace(ptr=0),
        runtime=SimpleNamespace(memGetInfo=lambda: (100, 200), deviceSynchronize=lambda: None),
    )
    monkeypatch.setitem(sys.modules, "cupy", module)
    monkeypatch.setattr("numba.cuda.external_stream", lambda ptr: ptr, raising=False)
    monkeypatch.setattr("numba.cuda.as_cuda_array", lambda array, sync: array, raising=False)
    monkeypatch.setattr(_cuda.CupyDevice, "threads", 4)
    monkeypatch.setattr(_cuda, "LEAST_BLOCKS", 2)
    _cuda._device.cache_clear()
    yield
    _cuda._device.cache_clear()


@pytest.mark.usefixtures("numpy_as_cupy")
def test_streams_of_the_real_device_take_turns():
    items = [(["ab", "cd", "x" * 65], f"ab cd {i}") for i in range(4)] + [
        (["ab"], "ab"),
        ([], "a"),
        (["a"], ""),
    ]
    problem = make_problem(items, 0.4)
    assert _cuda.CupyDevice().free_bytes() == 1100
    for select in (True, False):
        found = _cuda.solve(problem, select=select, threads=1)
        expected = _py.solve(problem, select=select, threads=1)
        for column in COLUMNS:
            np.testing.assert_array_equal(getattr(found, column), getattr(expected, column))
    assert 1 <= Stream.most_busy <= _cuda.CupyDevice.streams
    assert Stream.busy == 0
