"""The fuzzing of ``make fuzz`` for some seconds, that it finds what is planted, and what it has found."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings

from fuzz import __main__ as program
from fuzz.commandlines import problems, run_as_process, run_here, some_command
from fuzz.guided import TARGETS
from fuzz.hostile import HostileService
from fuzz.invariants import Invariants
from fuzz.mutation import mutated
from fuzz.plants import PLANTS
from fuzz.readers import READERS, read_all_of
from fuzz.samples import files
from fuzz.session import Plan, Report, run
from fuzz.strategies import corpora, data, graphs, tables

settings.register_profile("ci", max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
settings.register_profile("nightly", settings.get_profile("ci"), max_examples=500)
PROFILE = settings.get_profile(os.environ.get("ESASCORE_FUZZ", "ci"))
"""Seconds, or twenty times as long with ESASCORE_FUZZ=nightly."""

pytestmark = pytest.mark.skipif(os.name == "nt", reason="alarms are signals")


@pytest.fixture(scope="module")
def invariants() -> Invariants:
    return Invariants()


@pytest.mark.parametrize("kind", [graphs, tables, data], ids=["graphs", "tables", "data"])
def test_what_holds_of_every_corpus(invariants, kind):
    @PROFILE
    @given(corpora(kind))
    def corpus(drawn):
        invariants.corpus(*drawn)

    corpus()


@settings(PROFILE, max_examples=max(1, PROFILE.max_examples // 25))
@given(drawn=corpora())
def test_the_number_of_processes_changes_nothing(invariants, drawn):
    examples, texts = drawn
    invariants.processes(examples * 40, list(texts) * 40)


@pytest.mark.parametrize("name", list(files()))
def test_damaged_files(tmp_path, name):
    chance = Random(name)
    path = tmp_path / name
    for reader in READERS:
        for _ in range(PROFILE.max_examples // 8):
            path.write_bytes(mutated(files()[name], chance))
            read_all_of(reader, path)


def test_every_format_has_a_sample_that_is_read(tmp_path):
    read = set()
    for name, content in files().items():
        (tmp_path / name).write_bytes(content)
        for reader, function in READERS.items():
            try:
                function(tmp_path / name)
            except Exception:  # the sample of another reader
                continue
            read.add(reader)
    assert read == set(READERS)
    assert set(TARGETS) <= set(READERS)


@pytest.mark.parametrize("number", range(6 * PROFILE.max_examples))
def test_command_lines(tmp_path, number):
    line = some_command(Random(number), tmp_path)
    ran = run_here(line, tmp_path)
    assert list(problems(line, tmp_path, ran)) == [], line


def test_a_process_does_the_same(tmp_path):
    results = []
    for name, how in (("a", run_here), ("b", lambda line, folder: run_as_process(line, folder, 60))):
        (tmp_path / name).mkdir()
        line = some_command(Random(4), tmp_path / name)
        results.append(how(line, tmp_path / name))
        assert list(problems(line, tmp_path / name, results[-1])) == []
    assert results[0] == results[1]


def test_a_hostile_service():
    service = HostileService(Random(1))
    for _ in range(PROFILE.max_examples):
        service.ask()
    service.close()


@pytest.mark.parametrize("plant", list(PLANTS))
def test_a_planted_bug_is_found(tmp_path, plant):
    found = run(Plan(seconds=60, seed=7, failures=tmp_path / "failures", plant=plant, limit=1.0))
    assert found.failures, f"{plant} was not found by {found}"
    kept = next((tmp_path / "failures").iterdir())
    assert {path.name for path in kept.iterdir()} >= {"error.txt", "input.txt"}


def test_the_last_line_and_the_exit_code(monkeypatch, capsys):
    class Pool:
        def __init__(self, *_):
            pass

        __enter__ = lambda self: self  # noqa: E731
        __exit__ = lambda *_: None  # noqa: E731

        def map(self, _run, plans):
            return [Report(Counter(x=2), failures=failures * (plan.seed == 1)) for plan in plans]

    monkeypatch.setattr(program, "ProcessPoolExecutor", Pool)
    monkeypatch.setattr("os.environ", dict(os.environ))
    for failures in ([], ["one"]):
        assert program.main(["--minutes", "1"]) == len(failures)
        last = capsys.readouterr().out.split("\n")[-2]
        assert last == f"fuzz: 4 calls, 0 command lines, {len(failures)} failures"


def _damaged_schema() -> bytes:
    return files()["answers.sqlite"].replace(b"TABLE answers", b"TABLE \xed\xa0\x80wers")


FOUND: list[tuple[str, bytes]] = [
    ("counts", b"esascore co-occurrence counts 1\noslo\t" + b"9" * 30 + b"\tis 2\n"),
    ("counts", b"esascore co-occurrence counts 1\noslo\t3\tis " + b"9" * 5000 + b"\n"),
    ("counts", b'{"oslo": 1' + b"0" * 30 + b', "oslo|||is": 2}'),
    ("lines of a dump", b"Oslo\tOslo\tCity\t" + b"9" * 5000),
    ("cache", _damaged_schema()),
    (
        "saved result",
        files()["saved.jsonl"].replace(b'"statistics": {"esa": [', b'"statistics": {"esa": [1e999, '),
    ),
    ("saved result", files()["saved.jsonl"].replace(b'{"esa": [2', b'{"esa": [1e999')),
    ("saved result", files()["saved.jsonl"].replace(b'{"esa": [2', b'{"esa": [' + b"9" * 30)),
    ("options in TOML", b"x = " + b"[" * 50_000),
]
"""Reader, and what it failed on."""


@pytest.mark.parametrize(("reader", "content"), FOUND)
def test_what_was_found_before(tmp_path, reader, content):
    path = Path(tmp_path, "file.sqlite")
    path.write_bytes(content)
    read_all_of(reader, path)


@pytest.mark.parametrize("reader", ["corpus", "outputs", "counts", "options in TOML", "profile"])
def test_a_name_that_is_too_long_for_the_system(reader):
    read_all_of(reader, Path("x" * 5000))
