"""Compiled code: what a build makes, what a process takes of it, and what happens where nothing fits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import llvmlite.binding as llvm
import pytest
from numba import int64

import esascore
from esascore.align import compiled, match
from esascore.align.compiled import LIBRARIES, MATCHING, SEQUENCES, Code, Library
from esascore.errors import EsascoreError

psutil = pytest.importorskip("psutil")
tags = pytest.importorskip("packaging.tags")

WORK = """
import json, sys
from pathlib import Path
from esascore import Parent
from esascore.align import backends, compiled, match

compiled.BUILT, backends.COMPILING = Path(sys.argv[1]), float(sys.argv[2])
found = match([([f"name {n}", "other"], f"a text with nome {n}") for n in range(6000)])
texts = [f"the text {n} says what others say of {n % 7}" for n in range(1500)]
scores = Parent().segments(texts, [[text.upper()] for text in texts], [[("a", "b", "text")]] * 1500)
columns = [getattr(found, name).tolist() for name in found.__slots__]
loaded = [library.name for library in compiled.LIBRARIES if library.is_loaded()]
print(json.dumps([[columns, scores.tolist()], loaded, "numba" in sys.modules]))
"""
"""Enough for compiled code, if there is any: prints results, which code was loaded, and whether Numba was."""

BOTH = [library.name for library in LIBRARIES]
NEVER, AT_ONCE = "inf", "0"
"""From how much work on code is compiled."""


def run(built, compiling, cache, **environment):
    """Do the work in a new process in which any warning is an error."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-B", "-c", WORK, str(built), compiling],
        env=os.environ | {"ESASCORE_BACKEND": "", "XDG_CACHE_HOME": str(cache)} | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return json.loads(done.stdout)


def build(hatch_build, root):
    """Run the build hook of a project that has nothing but its place for code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled, "BUILT", root / "src" / "kernels")
        patch.setattr(sys, "path", sys.path[:])
        patch.setenv("NUMBA_OPT", "")
        warnings, data = [], {"artifacts": []}
        app = SimpleNamespace(display_warning=warnings.append)
        hatch_build.Kernels(str(root), {}, None, None, str(root), "wheel", app).initialize("standard", data)
    return SimpleNamespace(folder=root / "src" / "kernels", data=data, warnings=warnings)


@pytest.fixture(scope="module")
def built(hatch_build, tmp_path_factory):
    root = tmp_path_factory.mktemp("project")
    (root / "src" / "kernels").mkdir(parents=True)
    (root / "src" / "kernels" / "old.o").touch()
    return build(hatch_build, root)


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """What plain Python computes."""
    nowhere = tmp_path_factory.mktemp("nowhere")
    results, loaded, _ = run(nowhere, AT_ONCE, nowhere, ESASCORE_BACKEND="python")
    assert loaded == list(nowhere.iterdir()) == []
    return results


def test_the_build_makes_code_for_every_target_with_equal_results(built, monkeypatch, tmp_path):
    monkeypatch.setattr(compiled, "BUILT", built.folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # what this user has compiled does not count
    names = {library.file(target) for library in LIBRARIES for target in compiled.targets()}
    assert {path.name for path in built.folder.iterdir()} == names
    items = [(["name", "a much longer name of more than 32 characters"], "nome of more 32 characters")]
    stored = list(MATCHING.stored())
    assert len(stored) == len(compiled.fitting_targets())
    for _, content in stored:
        monkeypatch.setitem(vars(MATCHING), "code", Code(content))
        assert match(items, backend="numba").edits.tolist() == match(items, backend="python").edits.tolist()


def test_a_wheel_with_code_is_for_systems_that_can_load_it(built, hatch_build):
    assert built.data["artifacts"] == ["/src/kernels/"]
    wheel = tags.parse_tag(built.data["tag"])
    assert wheel & set(tags.sys_tags())
    assert {"any"}.isdisjoint(tag.platform for tag in wheel)
    names = ["linux-aarch64", "macosx-11.0-arm64", "win-amd64"]
    linux = "manylinux_2_17_aarch64.musllinux_1_1_aarch64"
    assert list(map(hatch_build.platforms, names)) == [linux, "macosx_11_0_arm64", "win_amd64"]


def test_without_numba_a_wheel_without_code_is_built(hatch_build, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "numba", None)
    without = build(hatch_build, tmp_path)
    assert without.data == {"artifacts": []}
    assert ["without compiled kernels: import of numba" in said for said in without.warnings] == [True]


@pytest.mark.parametrize(
    ("missing", "level"), [((), "avx512"), (("avx512vpopcntdq",), "avx2"), (("avx512f", "fma"), "baseline")]
)
def test_a_processor_gets_the_fastest_code_that_it_can_run(monkeypatch, missing, level):
    monkeypatch.setattr(llvm, "get_process_triple", lambda: "x86_64-unknown-linux-gnu")
    features = dict.fromkeys(compiled.targets()[0].features, True) | dict.fromkeys(missing, False)
    monkeypatch.setattr(llvm, "get_host_cpu_features", lambda: features)
    assert SEQUENCES.file(compiled.fitting_targets()[0]).split("-")[2:4] == ["x86_64", level]


def test_code_for_another_system_or_of_other_sources_is_not_taken(built, monkeypatch, tmp_path):
    monkeypatch.setattr(compiled, "BUILT", built.folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert not any(Library(MATCHING.name, MATCHING.kernels, ("_steps.py",)).stored())
    monkeypatch.setattr(sys, "platform", "another")
    assert not any(MATCHING.stored())


@pytest.mark.parametrize("damage", ["missing", "cut", "changed", "another's"])
def test_without_intact_code_the_results_are_the_same(built, plain, tmp_path, damage):
    (tmp_path / "built").mkdir()
    files = sorted(built.folder.iterdir())
    for file, other in zip(files, reversed(files), strict=True):
        content = (other if damage == "another's" else file).read_bytes()
        content = {"cut": content[:-1], "changed": content[:-1] + b"?"}.get(damage, content)
        if damage != "missing":
            (tmp_path / "built" / file.name).write_bytes(content)
    assert run(tmp_path / "built", NEVER, tmp_path / "cache") == [plain, [], False]
    assert not (tmp_path / "cache").exists()


def test_where_nothing_can_be_compiled_the_results_are_the_same(plain, tmp_path):
    assert run(tmp_path, AT_ONCE, tmp_path, NUMBA_DISABLE_JIT="1") == [plain, [], True]


@pytest.mark.parametrize("has_code", [True, False])
def test_no_process_stays_and_nothing_is_written_outside_the_cache(built, plain, tmp_path, has_code):
    for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME"):
        (tmp_path / name).mkdir()
    mark = {"ESASCORE_WATCHED": str(tmp_path)}  # in the environment of all processes that are started
    places = {name: str(tmp_path / name) for name in ("HOME", "TMPDIR")}
    folder, cache = built.folder if has_code else tmp_path, tmp_path / "XDG_CACHE_HOME"
    before = times_of_files(tmp_path, built.folder)
    assert run(folder, AT_ONCE, cache, **mark, **places) == [plain, BOTH, not has_code]
    assert processes_with(mark) == []
    changed = dict(times_of_files(tmp_path, built.folder).items() - before.items())
    names = [] if has_code else [library.file(compiled.fitting_targets()[0]) for library in LIBRARIES]
    assert changed.keys() == {cache / "esascore" / name for name in names}
    assert run(folder, NEVER, cache) == [plain, BOTH, False]  # the next process finds it


def times_of_files(*folders):
    """When each file of the folders and of the package was changed."""
    places = (Path(esascore.__file__).parent, *folders)
    return {path: path.stat().st_mtime_ns for place in places for path in place.rglob("*") if path.is_file()}


def processes_with(mark):
    """Command lines of the processes of this machine that have some environment variables."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if mark.items() <= process.environ().items():
                found.append(process.cmdline())
    return found


def test_where_nothing_can_be_written_the_code_is_for_this_process(monkeypatch, tmp_path):
    (tmp_path / "cache").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    library = Library("new", lambda: {"next": (lambda number: number + 1, [int64])}, ())
    assert library.code.call("next", 41) == 42


def test_why_code_cannot_be_compiled_is_said(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    library = Library("new", lambda: {"next": (lambda number: number.next, [int64])}, ())
    with pytest.raises(EsascoreError, match=r"^the kernels could not be compiled: Failed in nopython.*$"):
        library.code  # noqa: B018
    assert library.is_loaded() is any(tmp_path.iterdir()) is False
