"""The Dockerfile, as far as it can be checked where no engine runs."""

from __future__ import annotations

import fnmatch
import json
import re
import tomllib
from pathlib import Path

import pytest

from doc_pages import known_command
from esascore.cli import main

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def lines():
    """Instructions with their arguments, continued lines joined."""
    text = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    return [tuple(line.split(None, 1)) for line in text.split("\n") if line and not line.startswith("#")]


def given(lines, instruction):
    return [rest for name, rest in lines if name == instruction]


def test_it_is_slim_and_pinned(lines):
    images = [rest.split()[0] for rest in given(lines, "FROM")]
    assert len(images) == 2, "what only building needs stays in the first stage"
    assert all(re.fullmatch(r"python:3\.\d+-slim", image) for image in images)
    assert not given(lines, "ADD")
    assert all("--no-cache-dir" in run for run in given(lines, "RUN") if " pip " in run)
    assert not any(re.search(r"curl|wget|apt", run) for run in given(lines, "RUN"))


def test_it_ends_as_an_ordinary_user(lines):
    names = [name for name, _ in lines]
    last = names.index("USER", len(names) - names[::-1].index("FROM"))
    assert lines[last][1] not in {"root", "0"}
    assert any(f" {lines[last][1]}" in run for run in given(lines, "RUN") if run.startswith("useradd "))
    assert "USER" not in names[last + 1 :]
    assert names.index("ENTRYPOINT") > last


def test_what_the_wheel_is_made_of_is_in_the_context():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    ignored = (ROOT / ".dockerignore").read_text("utf-8").split()
    needed = ["pyproject.toml", "hatch_build.py", "README.md", "src/esascore/_version.py", "lexicons"]
    needed += project["project"]["license-files"]
    for path in needed:
        assert (ROOT / path).exists()
        assert not any(fnmatch.fnmatch(path, one) or path.startswith(f"{one}/") for one in ignored), path


def test_its_commands_exist(lines):
    [install] = [run for run in given(lines, "RUN") if "pip install" in run]
    known_command(install.partition("-m ")[2])
    text = (ROOT / "Dockerfile").read_text("utf-8")
    comments = re.findall(r"^#   docker run .*? esascore (.*)$", text, re.MULTILINE)
    assert comments
    for comment in comments:
        known_command(f"esascore {comment}")


def test_the_entry_point_runs(lines, capsys):
    [entry], [command] = given(lines, "ENTRYPOINT"), given(lines, "CMD")
    words = json.loads(entry) + json.loads(command)  # the form without a shell: signals reach the command
    assert words[0] == "esascore"
    assert main(words[1:]) == 0
    assert "esascore score" in capsys.readouterr().out


def test_make_wheel_installs_the_same():
    wheel = (ROOT / "Makefile").read_text("utf-8").partition("\nwheel:")[2].partition("\n\n")[0]
    [install] = re.findall(r"'\.(\[[a-z,]+\])'", (ROOT / "Dockerfile").read_text("utf-8"))
    assert f"{install}'" in wheel
