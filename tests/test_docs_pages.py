"""The pages on Python and on the gate: every block runs, and what it prints is what they say."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from esascore.cli import main

DOCS = Path(__file__).parents[1] / "docs"
BLOCKS = re.compile(r"^```(\w*)\n(.*?)^```\n(?:\n```\n(.*?)^```$)?", re.DOTALL | re.MULTILINE)


@pytest.fixture
def demo(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    assert main(["demo", "-q"]) == 0
    capfd.readouterr()


@pytest.mark.parametrize("page", ["python.md", "check.md"])
def test_python(demo, page):
    blocks = [found for found in BLOCKS.findall((DOCS / page).read_text("utf-8")) if found[0] == "python"]
    assert blocks
    for number, (_, code, expected) in enumerate(blocks):
        is_test = "def test_" in code
        Path(f"test_{number}.py").write_text(code, "utf-8")
        module = ["-m", "pytest", "-q", "-p", "no:cacheprovider"] if is_test else []
        plugin = ["-p", "esascore.pytest_plugin"] if is_test and "(assert_faithful)" in code else []
        command = [sys.executable, *module, f"test_{number}.py", *plugin]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if plugin and "already registered" in done.stderr:  # where it is installed
            done = subprocess.run(command[:-2], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        if expected:
            assert done.stdout == expected


@pytest.mark.parametrize("page", ["check.md"])
def test_commands(demo, page, capfd):
    blocks = BLOCKS.findall((DOCS / page).read_text("utf-8"))
    commands = [
        (code, expected) for kind, code, expected in blocks if not kind and code.startswith("esascore ")
    ]
    assert commands
    for command, expected in commands:
        main(shlex.split(command)[1:])
        assert capfd.readouterr().out == expected
