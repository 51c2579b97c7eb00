"""Ray: a cluster of its own, and a real one of two nodes on this machine whose parts are killed.

Two nodes with 127.0.0.1 hang; with 127.0.0.2 and 127.0.0.3 they do not. Processes are ended by their id.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from esascore.batch import Scorer
from esascore.cli import main
from run.invented import rows, write_lines
from run.processes import events, in_work, started, waited, was_hit

ray = pytest.importorskip("ray", reason="make test-ray installs ray")

HEAD, NODE, PORT = "127.0.0.2", "127.0.0.3", "26379"
METRICS = "esa,hallucination"
# The clusters of these tests have a token of their own, which nobody else has.
OURS = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32), "RAY_USAGE_STATS_ENABLED": "0"}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rows")
    file = write_lines(folder / "rows.jsonl", rows(1500))
    command = str(file), "--metrics", METRICS, "--unit", "500"
    scores = folder / "s.json"
    assert (
        main(["score", *command, "--out", str(folder / "run"), "--jobs", "2", "-q", "-o", str(scores)]) == 0
    )
    return command, json.loads(scores.read_text("utf-8"))


def tree(pid: int) -> list[int]:
    """A process and all below it."""
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:
            continue
        parents.setdefault(int(text.rpartition(")")[2].split()[1]), []).append(int(stat.parent.name))
    found = [pid]
    for one in found:
        found += parents.get(one, [])
    return found


def end(pids: list[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def ray_start(*arguments: str) -> subprocess.Popen:
    environment = {**os.environ, **OURS, "RAY_health_check_failure_threshold": "2"}
    command = [str(Path(sys.executable).parent / "ray"), "start", "--block", "--num-cpus", "1", *arguments]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}
    return subprocess.Popen(command, env=environment, start_new_session=True, **quiet)


@pytest.fixture
def nodes(tmp_path_factory):
    """The processes of a head and of a second node."""
    head = ray_start(
        "--head",
        f"--node-ip-address={HEAD}",
        f"--port={PORT}",
        "--include-dashboard=false",
        f"--temp-dir={tmp_path_factory.mktemp('r')}",
    )
    node = None
    try:
        waited(lambda: True if _answers() else None, None)
        node = ray_start(f"--address={HEAD}:{PORT}", f"--node-ip-address={NODE}")
        yield head, node
    finally:
        for process in (node, head):
            if process is not None:
                end(tree(process.pid))
                process.wait()


def _answers() -> bool:
    import socket

    with socket.socket() as probe:
        return probe.connect_ex((HEAD, int(PORT))) == 0


def finish(process):
    assert process.wait(300) == 0, process.stderr.read().decode()
    process.stderr.close()


def on_cluster(command, run, scores):
    address = "--engine", "ray", "--address", f"{HEAD}:{PORT}"
    return started(*command, "--out", run, *address, "-o", scores, ESASCORE_RAY_NODE_IP=HEAD, **OURS)


def test_a_cluster_of_its_own(tmp_path, corpus):
    command, expected = corpus
    process = started(
        *command, "--out", tmp_path / "run", "--engine", "ray", "--jobs", 2, "-o", tmp_path / "s.json"
    )
    finish(process)
    assert json.loads((tmp_path / "s.json").read_text("utf-8")) == expected


def test_a_worker_is_killed(tmp_path, corpus, nodes):
    command, expected = corpus
    process = on_cluster(command, tmp_path / "run", tmp_path / "s.json")
    unit, worker = waited(lambda: in_work(tmp_path / "run"), process)
    end([worker])
    finish(process)
    assert was_hit(tmp_path / "run", unit, worker)
    assert json.loads((tmp_path / "s.json").read_text("utf-8")) == expected


def test_a_node_is_killed_with_its_workers(tmp_path, corpus, nodes):
    command, expected = corpus
    _, node = nodes
    process = on_cluster(command, tmp_path / "run", tmp_path / "s.json")

    def on_node() -> tuple[str, int, list[int]] | None:
        own = tree(node.pid)
        for unit, lines in events(tmp_path / "run").items():
            if lines and lines[-1]["event"] == "start" and lines[-1]["pid"] in own:
                return unit, lines[-1]["pid"], own
        return None

    unit, worker, own = waited(on_node, process)
    end(own)
    finish(process)
    assert was_hit(tmp_path / "run", unit, worker)
    assert json.loads((tmp_path / "s.json").read_text("utf-8")) == expected


def test_the_driver_is_killed_and_resumed_with_another_profile_all_is_scored_again(tmp_path, corpus, nodes):
    command, expected = corpus
    run, scores = tmp_path / "run", tmp_path / "s.json"
    process = on_cluster(command, run, scores)
    unit, worker = waited(lambda: in_work(run), process)
    end([process.pid])
    process.wait()
    process.stderr.close()
    assert not scores.exists()
    waited(lambda: None if Path(f"/proc/{worker}").exists() else True)  # Ray ends the workers of a driver
    again = on_cluster(command, run, scores)
    finish(again)
    assert was_hit(run, unit, worker)
    assert json.loads(scores.read_text("utf-8")) == expected
    before = {path.name: path.stat().st_mtime_ns for path in (run / "units").iterdir()}
    paper = on_cluster([*command, "--profile", "paper"], run, scores)
    finish(paper)
    after = {path.name: path.stat().st_mtime_ns for path in (run / "units").iterdir()}
    assert after.keys() == before.keys()
    assert all(after[name] != before[name] for name in after)
    assert json.loads(scores.read_text("utf-8"))["signature"] != expected["signature"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::ResourceWarning")
def test_batches_of_ray_data():
    some = [
        {"id": row["id"], "triples": [" | ".join(one) for one in row["triples"]], "text": row["text"]}
        for row in rows(30)
        if "triples" in row
    ]
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    try:
        ray.data.DataContext.get_current().enable_progress_bars = False
        found = ray.data.from_items(some).map_batches(Scorer(["esa"]), batch_size=7).take_all()
    finally:
        ray.shutdown()
    columns = {name: [row[name] for row in some] for name in some[0]}
    wanted = dict(
        zip(zip(columns["id"], columns["text"], strict=True), Scorer(["esa"])(columns)["esa"], strict=True)
    )
    assert {(row["id"], row["text"]): row["esa"] for row in found} == wanted
