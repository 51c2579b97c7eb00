"""Real processes, killed in the middle of a unit: the same command again gives the same figures."""

from __future__ import annotations

import json
import os
import signal
import sys

import pytest

from esascore.cli import main
from run.invented import rows, write_lines
from run.processes import in_work, started, waited, was_hit

pytest.importorskip("pyarrow")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

INPUTS, UNIT = 900, 600


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rows")
    file = write_lines(folder / "rows.jsonl", rows(INPUTS))
    command = "--metrics", "esa", "--unit", UNIT
    given = file, *command, "--out", folder / "whole", "--jobs", 1, "-q", "-o", folder / "s.json"
    assert main(["score", *map(str, given)]) == 0
    return file, command, json.loads((folder / "s.json").read_text("utf-8"))


@pytest.mark.parametrize("how", ["kill -9", "Ctrl-C", "kill -9 of a worker"])
def test_a_killed_run_is_resumed(tmp_path, corpus, how):
    file, command, expected = corpus
    run, scores = tmp_path / "run", tmp_path / "s.json"
    arguments = file, *command, "--out", run, "--jobs", 2, "-o", scores
    process = started(*arguments)
    unit, worker = waited(lambda: in_work(run), process)
    if how == "kill -9 of a worker":
        os.kill(worker, signal.SIGKILL)
        assert process.wait(300) == 0
    else:
        process.send_signal(signal.SIGKILL if how == "kill -9" else signal.SIGINT)
        assert process.wait(60) == (-signal.SIGKILL if how == "kill -9" else 130)
        assert not scores.exists()
        assert main(["merge", str(run), "-q"]) == 3
        assert main(["score", *map(str, arguments), "-q"]) == 0
    process.stderr.close()
    assert was_hit(run, unit, worker)
    assert json.loads(scores.read_text("utf-8")) == expected
    assert [path.name for path in (run / "units").iterdir() if path.name.startswith(".")] == []
