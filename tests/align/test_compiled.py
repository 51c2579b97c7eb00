"""Compiled code: who compiles it and when, where it is kept, and what happens where that goes wrong."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time

import pytest

from esascore.align import compiled
from esascore.align.compiled import MATCHING, SEQUENCES, Code
from esascore.errors import EsascoreError

fcntl = pytest.importorskip("fcntl")

WORK = (
    "from esascore.align import match; from esascore.align.compiled import MATCHING; import sys;"
    "found = match([([f'name {n}', 'other'], f'a text with nome {n}') for n in range(6000)]);"
)


@pytest.fixture
def elsewhere(monkeypatch, tmp_path):
    """An empty place for code and locks, where nothing has been compiled."""
    (tmp_path / "cache").mkdir()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.delenv("ESASCORE_BACKEND", raising=False)
    monkeypatch.setenv("ESASCORE_COMPILE", "on")
    return tmp_path / "cache"


@pytest.fixture
def shell(elsewhere, monkeypatch, tmp_path):
    """A shell that writes down what it was told, and does nothing."""
    program = tmp_path / "bin" / "sh"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$@" >> {shlex.quote(str(tmp_path / "told"))}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    return lambda: (tmp_path / "told").read_text().splitlines() if (tmp_path / "told").exists() else []


def run(code, **environment):
    """Run Python so that any warning is an error, and return what it printed."""
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", code],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout


def compiler(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "esascore.align._compiler", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_first_work_starts_the_compiler_and_the_next_process_uses_the_code(elsewhere):
    assert run(WORK + "print(len(found), MATCHING.is_loaded())") == "6000 False\n"
    until = time.monotonic() + 300
    while not MATCHING.is_compiled() and time.monotonic() < until:
        time.sleep(0.2)
    loaded = run(WORK + "print(len(found), MATCHING.is_loaded(), 'numba' in sys.modules)")
    assert loaded == "6000 True False\n"


def test_many_texts_that_will_come_are_reason_to_load_code():
    code = "from esascore.align import backends as b; b.prepare({}); print(b.MATCHING.is_loaded())"
    compiled.compile_now(MATCHING)
    assert [run(code.format(texts)) for texts in (10, 100_000)] == ["False\n", "True\n"]


def test_one_process_starts_one_compiler_of_the_lowest_priority(shell):
    run(WORK + "match([(['a b'], 'x' * 10**7)])")
    (told,) = shell()
    assert "; nice -n 19 " in told
    assert told.endswith("esascore.align._compiler match --background &")


@pytest.mark.parametrize("reason", ["forbidden", "failed before", "little work", "another backend"])
def test_no_compiler_is_started(reason, shell, monkeypatch):
    if reason == "forbidden":
        monkeypatch.setenv("ESASCORE_COMPILE", "off")
    if reason == "failed before":
        MATCHING.paths()[0].with_suffix(compiled.FAILED).touch()
    if reason == "another backend":
        monkeypatch.setenv("ESASCORE_BACKEND", "rapidfuzz")
    run(WORK if reason != "little work" else "from esascore.align import match; match([(['a'], 'a b')])")
    assert shell() == []


def test_who_finds_another_at_the_same_work_leaves_it_to_him(elsewhere, tmp_path):
    with (tmp_path / "esascore-sequences.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert compiler("sequences", "--background").returncode == 0
        assert list(elsewhere.iterdir()) == []
        assert compiler("sequences").returncode == 0  # who asks for the code does not wait for him
        assert SEQUENCES.is_compiled()


def test_neither_a_dead_process_nor_a_damaged_file_stands_in_the_way(elsewhere, tmp_path):
    path = SEQUENCES.paths()[0]
    path.write_bytes(b"damaged")
    with pytest.raises(ValueError, match="damaged"):
        Code(path.read_bytes())
    hold = (
        "import fcntl, os, sys; fcntl.flock(open(sys.argv[1], 'w'), fcntl.LOCK_EX); os.kill(os.getpid(), 9)"
    )
    for name in ("esascore-sequences", "esascore-compiler"):
        subprocess.run([sys.executable, "-c", hold, str(tmp_path / f"{name}.lock")], check=False)
    assert compiler("sequences", "--background").returncode == 0
    Code(path.read_bytes())
    assert list(elsewhere.iterdir()) == [path]


def test_where_nothing_can_be_written_the_code_is_for_this_process(elsewhere, monkeypatch):
    (elsewhere / "file").write_text("no folder")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(elsewhere / "file"))
    code = (
        "from esascore.align import match; print(match([(['ab'], 'ab ac')], backend='numba').start.tolist())"
    )
    assert run(code) == "[0]\n"
    assert compiler("match", "--background").returncode == 1  # does not even begin
    assert not MATCHING.is_compiled()


def test_what_a_compiler_died_of_is_said():
    with pytest.raises(EsascoreError, match="the kernels could not be compiled: StopIteration"):
        compiled.compile_now(compiled.Library("unknown", "nowhere", ()))


def test_another_source_has_another_file(elsewhere):
    one, two = (compiled.Library("x", "nowhere", (source,)) for source in ("_steps.py", "_simd.py"))
    assert one.paths() != two.paths()
    assert one.paths()[0].parent == elsewhere
