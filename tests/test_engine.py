"""The engine with a small detector of its own: order, processes, errors and memory do not change results."""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore import engine
from esascore.errors import DataError, EsascoreError, LinkerError, MissingExtraError, UsageError
from esascore.metrics.esa import ESA
from esascore.model import Cell, Detection, Example, Graph, Mention, Table
from esascore.readers.systems import System


class WordDetector:
    """Finds an entity where its term stands in the text."""

    def __init__(self, fail_on: str | None = None, die_on: str | None = None):
        self.fail_on, self.die_on = fail_on, die_on
        self.seen: list[int] = []

    def detect(self, items, *, threads=1):
        self.seen.append(len(items))
        return [self._one(input_, text) for input_, text in items]

    def _one(self, input_, text):
        if self.die_on is not None and self.die_on in text:
            os._exit(1)
        if self.fail_on is not None and self.fail_on in text:
            raise LinkerError("the linker is down")
        terms = tuple(entity.term for entity in input_.entities)
        mentions = tuple(
            Mention(term, found.start(), found.end(), found[0], "string", 0.0, term)
            for term in terms
            if (found := re.search(re.escape(term), text))
        )
        return Detection(text, terms, mentions, tuple(t for t in terms if t not in text))

    def signature_parts(self):
        return {"profile": "words"}


class ElsewhereFails(WordDetector):
    """Fails in every process but the one that made the test."""

    def __init__(self, home: int, how: str):
        super().__init__()
        self.home, self.how = home, how

    def detect(self, items, *, threads=1):
        if os.getpid() == self.home:
            time.sleep(0.05)
            return super().detect(items)
        if self.how == "die":
            os._exit(1)
        if self.how == "extra":
            raise MissingExtraError("Linking", package="rellm", extra="rel")
        raise ZeroDivisionError("no such luck")


def graph(n: int) -> Graph:
    return Graph.from_triples([(f"s{n}", "p", f"o{n % 7}"), (f"s{n}", "q", f"x{n % 3}")])


def items(number: int):
    return [(graph(n), f"s{n} is with o{n % 5} \u2028 and \ud800 x{n % 2}") for n in range(number)]


@pytest.fixture
def small_batches(monkeypatch):
    monkeypatch.setattr(engine, "BATCH", 8)
    monkeypatch.setattr(engine, "WORTH_A_PROCESS", 10)


def test_processes_do_not_change_results(small_batches):
    table = Table((Cell("s1", "a"), Cell("zz", "b", row=3)), "title", "section")
    work = [*items(60), (table, "s1 alone")]
    alone = engine.detect_all(WordDetector, work)
    together = engine.detect_all(WordDetector, work, jobs=3)
    assert together == alone
    assert [d.text for d in alone] == [text for _, text in work]
    assert all(m.text == d.text[m.start : m.end] for d in together for m in d.mentions)
    counts = engine.cover_all(WordDetector, work, jobs=3)
    assert counts.tolist() == [[len(d.entities), len(d.undetected)] for d in alone]


def test_small_work_stays_in_this_process_and_is_batched(monkeypatch):
    def no_process(*_args):
        raise AssertionError("a process was started")

    monkeypatch.setattr("multiprocessing.get_context", no_process)
    detector = WordDetector()
    assert len(engine.detect_all(WordDetector, items(3000), pipeline=detector, jobs=8)) == 3000
    assert max(detector.seen) <= engine.BATCH
    assert sum(detector.seen) == 3000


def test_equal_texts_of_an_input_are_looked_at_once():
    one, other = graph(1), graph(2)
    detector = WordDetector()
    work = [(one, "a"), (one, "s1"), (other, "a"), (one, "a"), (one, "s1")]
    found = engine.detect_all(WordDetector, work, pipeline=detector)
    assert detector.seen == [3]
    assert [d.text for d in found] == ["a", "s1", "a", "a", "s1"]
    assert [d.entities[0] for d in found] == ["s1", "s1", "s2", "s1", "s1"]


def test_no_items():
    assert engine.detect_all(WordDetector, []) == []
    assert engine.cover_all(WordDetector, []).shape == (0, 2)


def test_progress_counts_every_text_to_the_end(small_batches):
    calls: list[tuple[int, int]] = []
    same = graph(1)
    work = [*items(30), *[(same, "s1")] * 10]
    engine.detect_all(WordDetector, work, progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (40, 40)
    assert calls == sorted(calls)


@pytest.mark.parametrize("jobs", [0, -2])
def test_jobs_must_be_positive(jobs):
    with pytest.raises(UsageError, match="at least 1"):
        engine.detect_all(WordDetector, items(1), jobs=jobs)


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_of_the_detector_arrives(small_batches, jobs):
    with pytest.raises(LinkerError, match="the linker is down"):
        engine.detect_all(partial(WordDetector, "s33"), items(60), jobs=jobs)


@pytest.mark.parametrize(
    ("how", "kind", "message"),
    [
        ("extra", MissingExtraError, r"pip install 'esascore\[rel\]'"),
        ("odd", RuntimeError, "in a worker process: ZeroDivisionError: no such luck"),
        ("die", EsascoreError, "a worker process died.*--jobs 1"),
    ],
)
def test_an_error_in_another_process_arrives(small_batches, how, kind, message):
    with pytest.raises(kind, match=message):
        engine.detect_all(partial(ElsewhereFails, os.getpid(), how), items(400), jobs=2)


@pytest.mark.parametrize(
    "error",
    [DataError("bad", file="a.xml", line=3), MissingExtraError("X", package="y", extra="z"), UsageError("u")],
)
def test_errors_survive_pickling(error):
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)


@given(texts=st.lists(st.lists(st.text(max_size=12), min_size=2, max_size=2), max_size=12))
def test_each_system_gets_its_own_texts_back(texts):
    examples = [Example(f"Id{n}", graph(n)) for n in range(len(texts))]
    systems = [System(name, tuple(row[k] for row in texts)) for k, name in enumerate("ab")]

    def metrics(detector):
        return [ESA.from_detector(detector)]

    both = engine.evaluate(WordDetector, examples, systems, metrics)
    for system, scores in zip(systems, both.systems, strict=True):
        (alone,) = engine.evaluate(WordDetector, examples, [system], metrics).systems
        assert scores.name == system.name
        assert np.array_equal(scores.statistics["esa"], alone.statistics["esa"])
    assert "profile:words" in str(both.signature)


class Mentions(ESA):
    """Declares that counts are enough, then asks for the mentions."""

    def statistics(self, batch):
        assert [found.text for found in batch.detections] == list(batch.texts)
        return super().statistics(batch)


def test_detections_are_there_for_a_metric_that_asks_late():
    examples = [Example("Id1", graph(1)), Example("Id2", graph(2))]
    systems = [System("a", ("s1", "")), System("b", ("", "o2"))]
    scored = engine.evaluate(WordDetector, examples, systems, lambda d: [Mentions.from_detector(d)])
    assert [system.statistics["esa"][:, 1].tolist() for system in scored.systems] == [[2, 3], [3, 2]]
    kept = engine.evaluate(
        WordDetector, examples, systems, lambda d: [ESA.from_detector(d)], keep_detections=True
    )
    assert [[d.text for d in system.detections] for system in kept.systems] == [["s1", ""], ["", "o2"]]
    assert scored.systems[0].detections is None


def test_a_system_with_too_few_texts_is_refused():
    examples = [Example("Id1", graph(1)), Example("Id2", graph(2))]
    with pytest.raises(DataError, match="system 'a' has 1 texts, the corpus 2 examples"):
        engine.evaluate(WordDetector, examples, [System("a", ("x",))], lambda d: [ESA.from_detector(d)])


INTERRUPTED = """
import os, pathlib, signal, sys, threading, time
sys.path.insert(0, {tests!r})
import test_engine
from esascore import engine

engine.BATCH, engine.WORTH_A_PROCESS = 4, 8
SEEN = pathlib.Path({seen!r})

class Slow(test_engine.WordDetector):
    def detect(self, items, *, threads=1):
        (SEEN / str(os.getpid())).touch()
        time.sleep(0.05)
        return super().detect(items)

def interrupt_when_both_work():
    while len(list(SEEN.iterdir())) < 2:
        time.sleep(0.05)
    os.killpg(os.getpgid(0), signal.SIGINT)

if __name__ == "__main__":
    threading.Thread(target=interrupt_when_both_work, daemon=True).start()
    try:
        engine.detect_all(Slow, test_engine.items(40_000), jobs=2)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX")
def test_ctrl_c_ends_all_processes_quietly(tmp_path):
    script, seen = tmp_path / "interrupted.py", tmp_path / "seen"
    seen.mkdir()
    script.write_text(INTERRUPTED.format(tests=str(Path(__file__).parent), seen=str(seen)))
    run = subprocess.run(
        [sys.executable, str(script)], check=False, capture_output=True, text=True, start_new_session=True
    )
    assert (run.stdout, run.stderr) == ("interrupted\n", "")
    for process in seen.iterdir():
        with pytest.raises(ProcessLookupError):
            os.kill(int(process.name), 0)
