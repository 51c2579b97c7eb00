"""Runs of ``esascore score --out`` as processes that tests kill, and what their log says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
PATIENCE = 120.0


def started(*arguments: object, **environment: str) -> subprocess.Popen:
    command = [sys.executable, "-m", "esascore", "score", *map(str, arguments), "-q"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, env={**os.environ, **environment}, start_new_session=True, **quiet)


def waited(told: Callable[[], T | None], process: subprocess.Popen | None = None) -> T:
    """Wait for something; never longer than the process lives."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if (found := told()) is not None:
            return found
        if process is not None and process.poll() is not None:
            raise AssertionError(f"it ended with {process.returncode}: {process.stderr.read().decode()}")
        time.sleep(0.05)
    raise AssertionError("nothing happened")


def events(run: Path) -> dict[str, list[dict]]:
    """What was tried of each unit, in order."""
    found = {}
    for file in sorted((run / "attempts").glob("*.jsonl")):
        lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        found[file.stem] = [line for line in lines if line["what"] == "score"]
    return found


def in_work(run: Path) -> tuple[str, int] | None:
    """A unit that is being scored, and the process that does it."""
    for unit, lines in events(run).items():
        if lines and lines[-1]["event"] == "start":
            return unit, lines[-1]["pid"]
    return None


def was_hit(run: Path, unit: str, pid: int) -> bool:
    """Whether a process had begun a unit and never ended it, and another one did."""
    lines = events(run)[unit]
    ended = [line["pid"] for line in lines if line["event"] == "end"]
    begun = [line["pid"] for line in lines if line["event"] == "start"]
    return pid in begun and pid not in ended and bool(ended)
