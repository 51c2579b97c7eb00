"""Which modules one command passes, in order: traced in a process of its own, where nothing is loaded yet.

Listed is each module of the package where it first does work: not where it is imported, where one of its
objects is made, or where the pipeline is put together. The rooms at the bottom, which every other one uses
(`TOOLS`), are left out.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from types import FrameType

from esascore.cli import main

TOOLS = frozenset(
    [
        "errors",
        "temporary_database",
        "lazy",
        "plugins",
        "label",
        "data",
        "triples",
        "tables",
        "model",
        "sample",
        "wordlists",
        "text",
        "literals",
        "cache",
        "profiles",
    ]
)
BUILDS = "build_pipeline"


def walk(command: Sequence[str]) -> list[str]:
    """Return the modules that a command passes."""
    run = [sys.executable, __file__, *command]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise AssertionError(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
    passed: list[str] = json.loads(done.stdout.rpartition("\n")[2])
    return passed


class Trace:
    """The modules that were passed so far, for `sys.setprofile`."""

    def __init__(self) -> None:
        self.passed: list[str] = []
        self._known: set[str] = set()
        self._building = 0

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        """Note where a function is entered."""
        if event not in ("call", "return"):
            return
        name = frame.f_globals.get("__name__", "")
        function = frame.f_code.co_name
        if function == BUILDS:
            self._building += 1 if event == "call" else -1
        if name in self._known or event == "return" or self._building or function.startswith(("__", "<")):
            return
        if not _is_imported(frame):
            self._known.add(name)
            parts = name.split(".")
            is_step = parts[0] == "esascore" and not TOOLS.intersection(parts[1:2])
            if is_step and not parts[-1].startswith("_"):
                self.passed.append(name)


def _is_imported(frame: FrameType | None) -> bool:
    """Return whether a module of the package is being imported."""
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_globals.get("__name__", "").startswith("esascore"):
            return True
        frame = frame.f_back
    return False


if __name__ == "__main__":
    trace = Trace()
    sys.setprofile(trace)
    code = main(sys.argv[1:])
    sys.setprofile(None)
    sys.stdout.write("\n" + json.dumps(trace.passed))
    sys.exit(code)
