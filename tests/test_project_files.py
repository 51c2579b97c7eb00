"""Files beside the code that must agree with it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from esascore._version import __version__

ROOT = Path(__file__).parents[1]


def test_the_citation_names_this_version():
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


def test_the_changelog_speaks_of_this_version_or_of_what_is_to_come():
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.search(rf"^## \[({re.escape(__version__)}|Unreleased)\]", changelog, re.MULTILINE)


def test_ci_runs_every_target_that_make_declares():
    makefile, script = (ROOT / "Makefile").read_text("utf-8"), (ROOT / ".ci" / "run").read_text("utf-8")
    declared = set(re.findall(r"^(test[a-z-]*|lint|types|contracts|wheel):", makefile, re.MULTILINE))
    assert declared <= set(re.findall(r"^step \d+ make (\S+)$", script, re.MULTILINE))
    assert {"test", "lint", "types", "contracts", "wheel"} <= declared


def test_the_hook_of_pre_commit_and_the_recipes_call_commands_that_exist():
    yaml = pytest.importorskip("yaml")
    from esascore.cli.app import COMMANDS

    [hook] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert {"id", "name", "entry", "language"} <= hook.keys()
    for suffix in (".jsonl", ".ndjson", ".parquet", ".pq", ".json", ".csv", ".txt", ".xml", ".toml"):
        assert re.search(hook["files"], f"texts/products{suffix}")
    assert not re.search(hook["files"], "src/generator.py")
    page = (ROOT / "docs" / "check.md").read_text("utf-8")
    recipes = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)]
    assert [next(iter(recipe)) for recipe in recipes] == ["jobs", "texts", "repos"]
    assert recipes[2]["repos"][0]["hooks"][0]["id"] == hook["id"]
    called = [hook["entry"], *re.findall(r"esascore \w+(?= )", page)]
    assert all(command.split()[1] in COMMANDS for command in called if command.startswith("esascore check"))


def test_the_settings_in_the_page_on_the_gate_are_options():
    from esascore.cli.check import check

    page = (ROOT / "docs" / "check.md").read_text("utf-8")
    [block] = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    settings = tomllib.loads(block)["tool"]["esascore"]["check"]
    known = {name.lstrip("-") for parameter in check.params for name in parameter.opts}
    assert settings.keys() <= known
