"""Runs with a small detector of their own: order, processes, errors and memory do not change results."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from esascore.errors import DataError, EsascoreError, LinkerError, MissingExtraError, UsageError
from esascore.metrics import create_metrics
from esascore.metrics.esa import ESA
from esascore.model import Cell, Example, Graph, Input
from esascore.pipeline import build_pipeline
from esascore.readers.systems import System
from esascore.run import blocks, workers
from esascore.run.evaluation import detect_all, evaluate
from fakes import FakeDetector, PhraseReader

PATIENCE = 120
"""Seconds after which something that should happen is taken not to happen."""


class Failing(FakeDetector):
    """Fails on a text."""

    def __init__(self, text: str):
        super().__init__()
        self.text = text

    def detect(self, items, *, whole=True):
        if any(self.text in text for _, text in items):
            raise LinkerError("the linker is down")
        return super().detect(items)


class FailsElsewhere(FakeDetector):
    """Fails in every process but the one that made the test, which waits until that happened.

    ``folder`` receives a file for each process that failed, and that did its work.
    """

    def __init__(self, home: int, folder: Path, how: str):
        super().__init__()
        self.home, self.folder, self.how = home, folder, how

    def detect(self, items, *, whole=True):
        if os.getpid() == self.home:
            wait_until(lambda: any(self.folder.iterdir()))
        elif self.how == "killed once" and any(self.folder.iterdir()):
            (self.folder / f"done {os.getpid()}").touch()
        else:
            (self.folder / f"failed {os.getpid()}").touch()
            if self.how.startswith("killed"):
                os.kill(os.getpid(), signal.SIGKILL)
            if self.how == "extra":
                raise MissingExtraError("Linking", package="rellm", extra="rel")
            raise ZeroDivisionError("no such luck")
        return super().detect(items)


def wait_until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def graph(n: int) -> Graph:
    return Graph.from_triples([(f"s{n}", "p", f"o{n % 7}"), (f"s{n}", "q", f"x{n % 3}")])


def items(number: int):
    return [(graph(n), f"s{n} is with o{n % 5} \u2028 and \ud800 x{n % 2}") for n in range(number)]


@pytest.fixture
def small_batches(monkeypatch):
    monkeypatch.setattr(blocks, "BATCH", 8)
    monkeypatch.setattr(workers, "WORTH_A_PROCESS", 10)


def test_processes_do_not_change_results(small_batches):
    table = Input.from_table((Cell("s1", "a"), Cell("zz", "b", row=3)), "title", "section")
    work = [*items(60), (table, "s1 alone")]
    alone = detect_all(FakeDetector, work)
    together = detect_all(FakeDetector, work, jobs=3)
    assert together == alone
    assert [d.text for d in alone] == [text for _, text in work]
    assert all(m.text == d.text[m.start : m.end] for d in together for m in d.mentions)


def esa(detector):
    return [ESA.from_detector(detector)]


@pytest.mark.parametrize("jobs", [1, 3])
def test_counts_that_are_kept_without_mentions_are_those_of_the_mentions(small_batches, jobs):
    work = items(60)
    examples = [Example(f"Id{n}", input_) for n, (input_, _) in enumerate(work)]
    system = System("a", tuple(text for _, text in work))
    scored = evaluate(FakeDetector, examples, [system], esa, jobs=jobs)
    counts = [(len(d.entities), len(d.undetected), 0) for d in detect_all(FakeDetector, work)]
    assert list(map(tuple, scored.systems[0].statistics["esa"].tolist())) == counts


def test_small_work_stays_in_this_process_and_is_batched(monkeypatch):
    def no_process(*_args):
        raise AssertionError("a process was started")

    monkeypatch.setattr("multiprocessing.get_context", no_process)
    detector = FakeDetector()
    assert len(detect_all(FakeDetector, items(3000), pipeline=detector, jobs=8)) == 3000
    assert max(detector.asked) <= blocks.BATCH
    assert sum(detector.asked) == 3000


def test_texts_that_a_model_reads_are_worth_a_process_sooner(monkeypatch):
    started = []
    monkeypatch.setattr(workers.Workers, "start_ahead", lambda _, number: started.append(number))
    monkeypatch.setattr(blocks, "BATCH", 64)
    reader = PhraseReader({"p": ["{s} is with {o}"]})
    work = items(2 * workers.WORTH_A_PROCESS_WITH_MODELS)
    examples = [Example(f"Id{n}", input_) for n, (input_, _) in enumerate(work)]
    system = System("a", tuple(text for _, text in work))
    make_metrics = partial(create_metrics, ["facts"])
    alone, together = (
        evaluate(partial(build_pipeline, "paper", facts=reader), examples, [system], make_metrics, jobs=n)
        for n in (1, 2)
    )
    assert started == [0, 0, 0, 1]
    statistics = alone.systems[0].statistics["facts"]
    assert len(set(map(tuple, statistics.tolist()))) > 1
    assert together.systems[0].statistics["facts"].tolist() == statistics.tolist()


def test_equal_texts_of_an_input_are_looked_at_once():
    one, other = graph(1), graph(2)
    detector = FakeDetector()
    work = [(one, "a"), (one, "s1"), (other, "a"), (one, "a"), (one, "s1")]
    found = detect_all(FakeDetector, work, pipeline=detector)
    assert detector.asked == [3]
    assert [d.text for d in found] == ["a", "s1", "a", "a", "s1"]
    assert [d.entities[0] for d in found] == ["s1", "s1", "s2", "s1", "s1"]


def test_no_items():
    assert detect_all(FakeDetector, []) == []
    (system,) = evaluate(FakeDetector, [], [System("a", ())], esa).systems
    assert system.statistics["esa"].shape == (0, 3)


def test_progress_counts_every_text_to_the_end(small_batches):
    calls: list[tuple[int, int]] = []
    same = graph(1)
    work = [*items(30), *[(same, "s1")] * 10]
    detect_all(FakeDetector, work, progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (40, 40)
    assert calls == sorted(calls)


@pytest.mark.parametrize("jobs", [0, -2])
def test_jobs_must_be_positive(jobs):
    with pytest.raises(UsageError, match="at least 1"):
        detect_all(FakeDetector, items(1), jobs=jobs)


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_of_the_detector_arrives(small_batches, jobs):
    with pytest.raises(LinkerError, match="the linker is down"):
        detect_all(partial(Failing, "s33"), items(60), jobs=jobs)


@pytest.mark.parametrize(
    ("how", "kind", "message"),
    [
        ("extra", MissingExtraError, r"pip install 'esascore\[rel\]'"),
        ("odd", RuntimeError, "in a worker process: ZeroDivisionError: no such luck"),
        ("killed", EsascoreError, "a worker process died.*--jobs 1"),
    ],
)
def test_an_error_in_another_process_arrives(small_batches, tmp_path, how, kind, message):
    with pytest.raises(kind, match=message):
        detect_all(partial(FailsElsewhere, os.getpid(), tmp_path, how), items(400), jobs=2)
    killed = len(list(tmp_path.iterdir()))
    assert killed == (3 if how == "killed" else 1)


def test_a_worker_that_was_killed_is_replaced_and_its_batch_done_again(small_batches, tmp_path):
    work = items(60)
    found = detect_all(partial(FailsElsewhere, os.getpid(), tmp_path, "killed once"), work, jobs=2)
    assert found == detect_all(FakeDetector, work)
    assert [path.name.split()[0] for path in sorted(tmp_path.iterdir())] == ["done", "failed"]


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

    both = evaluate(FakeDetector, examples, systems, esa)
    for system, scores in zip(systems, both.systems, strict=True):
        (alone,) = evaluate(FakeDetector, examples, [system], esa).systems
        assert scores.name == system.name
        assert np.array_equal(scores.statistics["esa"], alone.statistics["esa"])
    assert "profile:fake" in str(both.signature)


class Mentions(ESA):
    """Declares that counts are enough, then asks for the mentions."""

    def statistics(self, batch):
        assert [found.text for found in batch.detections] == list(batch.texts)
        return super().statistics(batch)


def test_detections_are_there_for_a_metric_that_asks_late():
    examples = [Example("Id1", graph(1)), Example("Id2", graph(2))]
    systems = [System("a", ("s1", "")), System("b", ("", "o2"))]
    scored = evaluate(FakeDetector, examples, systems, lambda d: [Mentions.from_detector(d)])
    assert [system.statistics["esa"][:, 1].tolist() for system in scored.systems] == [[2, 3], [3, 2]]
    kept = evaluate(FakeDetector, examples, systems, esa, keep_detections=True)
    assert [[d.text for d in system.detections] for system in kept.systems] == [["s1", ""], ["", "o2"]]
    assert scored.systems[0].detections is None


def test_a_system_with_too_few_texts_is_refused():
    examples = [Example("Id1", graph(1)), Example("Id2", graph(2))]
    with pytest.raises(DataError, match="system 'a' has 1 texts, the corpus 2 examples"):
        evaluate(FakeDetector, examples, [System("a", ("x",))], esa)


BUSY = """
import os, pathlib, signal
from esascore.model import Graph
from esascore.run import blocks, workers
from esascore.run.evaluation import detect_all
from fakes import FakeDetector, PhraseReader

blocks.BATCH, workers.WORTH_A_PROCESS = 4, 8

class Busy(FakeDetector):
    def detect(self, items, *, whole=True):
        pathlib.Path({seen!r}, str(os.getpid())).touch()
        while True:
            pass

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job inherits that it is ignored
    try:
        detect_all(Busy, [(Graph(), str(n)) for n in range(100)], jobs=2)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


@pytest.fixture
def busy(tmp_path):
    """A process in the middle of its work, and the ids of it and its worker; at the end both are gone."""
    if sys.platform == "win32":
        pytest.skip("process groups are POSIX")
    script, seen = tmp_path / "busy.py", tmp_path / "seen"
    seen.mkdir()
    script.write_text(BUSY.format(seen=str(seen)))
    with subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as process:
        try:
            wait_until(lambda: len(list(seen.iterdir())) == 2)
            yield process, [int(path.name) for path in seen.iterdir()]
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def test_ctrl_c_ends_all_processes_quietly(busy):
    process, ids = busy
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=PATIENCE) == ("interrupted\n", "")
    for number in ids:
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)


def test_workers_end_in_the_middle_of_their_work_when_this_process_is_killed(busy):
    process, _ = busy
    process.kill()
    # Its output ends when the last process that inherited it has ended.
    assert process.communicate(timeout=PATIENCE) == ("", "")
