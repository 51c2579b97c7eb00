"""The commands of guides give what the pages show; ``python tests/test_guides.py`` writes it anew."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
PAGES = ("data.md", "tutorials/paper.md", "tutorials/gate.md", "tutorials/shared-task.md")
FILE = re.compile(r"```file\n(\S+)\n.*?```\n", re.DOTALL)
CONSOLE = re.compile(r"```console\n(.*?)```\n", re.DOTALL)


def written(name: str) -> str:
    """Return a page with every file and every output as it is now."""
    page = (DOCS / name).read_text("utf-8")
    page = FILE.sub(
        lambda found: f"```file\n{found[1]}\n\n{(DOCS / 'data' / found[1]).read_text('utf-8')}```\n", page
    )
    with tempfile.TemporaryDirectory() as folder:
        for path in (DOCS / "data").iterdir():
            Path(folder, path.name).write_bytes(path.read_bytes())
        return CONSOLE.sub(lambda found: f"```console\n{outputs(found[1], folder)}```\n", page)


def outputs(block: str, folder: str) -> str:
    """Return the commands of a block, each with its output; a gate may fail."""
    lines = []
    for line in block.split("\n"):
        if line.startswith("$ esascore "):
            arguments = shlex.split(line.removeprefix("$ esascore "))
            done = subprocess.run(
                [sys.executable, "-m", "esascore", *arguments],
                cwd=folder,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                env={**os.environ, "PYTHONUTF8": "1"},
                check=False,
            )
            assert done.returncode == 0 or (arguments[0], done.returncode) == ("check", 1), done.stdout
            lines.append(f"{line}\n{done.stdout}")
    return "".join(lines)


@pytest.mark.parametrize("name", PAGES)
def test_commands_give_what_the_page_shows(name):
    assert written(name) == (DOCS / name).read_text("utf-8")


def test_every_file_is_used():
    page = (DOCS / "data.md").read_text("utf-8")
    assert [path.name for path in (DOCS / "data").iterdir() if path.name not in page] == []


if __name__ == "__main__":
    for page in PAGES:
        new = written(page)
        (DOCS / page).write_text(new, "utf-8")
