"""Files beside the code: what a package index gets, the Dockerfile, CI and the pages agree with the code."""

from __future__ import annotations

import fnmatch
import json
import re
import tomllib
from pathlib import Path

import pytest

from doc_pages import known_command
from esascore._version import __version__
from esascore.cli import main

ROOT = Path(__file__).parents[1]
ADDRESS = "https://example.org/people/esascore"


@pytest.fixture(scope="module")
def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def built(hatch_build, address):
    metadata = {}
    hatch_build.Metadata(str(ROOT), {"address": address}).update(metadata)
    return metadata


def test_links_and_images_are_of_this_version(hatch_build):
    text = "![A](docs/a.png) [b](docs/b.md#c) [d](https://d.org) [e](#e)"
    assert hatch_build.readme(text, ADDRESS, "1.2") == (
        f"![A]({ADDRESS}/raw/v1.2/docs/a.png) [b]({ADDRESS}/blob/v1.2/docs/b.md#c) [d](https://d.org) [e](#e)"
    )
    assert hatch_build.readme(text, "", "1.2") == " b [d](https://d.org) [e](#e)"


def test_with_an_address_everything_is_absolute(hatch_build):
    metadata = built(hatch_build, ADDRESS + "/")
    assert {"Homepage", "Documentation", "Source", "Issues", "Changelog"} == metadata["urls"].keys()
    assert all(url.startswith(ADDRESS) for url in metadata["urls"].values())
    text = metadata["readme"]["text"]
    assert f"]({ADDRESS}/raw/v{__version__}/docs/report-texts.png)" in text
    assert [target for target in re.findall(r"\]\(([^)]+)\)", text) if not re.match("https:|#", target)] == []


def test_without_an_address_nothing_leads_nowhere(hatch_build):
    metadata = built(hatch_build, "")
    assert metadata["urls"] == {}
    assert re.findall(r"\]\((?!https:|#)", metadata["readme"]["text"]) == []


@pytest.mark.parametrize("address", ["", ADDRESS])
def test_the_long_description_renders(hatch_build, address):
    markdown = pytest.importorskip("readme_renderer.markdown")
    html = markdown.render(built(hatch_build, address)["readme"]["text"])
    assert html is not None
    assert html.count("<h2") >= 3
    assert ("<img" in html) == bool(address)


def test_every_link_of_the_readme_is_a_file(hatch_build):
    text = (ROOT / "README.md").read_text("utf-8")
    targets = [found["target"].partition("#")[0] for found in hatch_build._LINK.finditer(text)]
    assert len(targets) > 10
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_other_files_name_the_same_address(project):
    """The pages and the citation say where the project lives only where the one line does."""
    address = project["tool"]["hatch"]["metadata"]["hooks"]["custom"]["address"]
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert re.findall(r"^repository-code: (.*)$", citation, re.MULTILINE) == ([address] if address else [])
    hook = re.search(r"- repo: (\S+)", (ROOT / "docs" / "check.md").read_text("utf-8"))
    assert hook[1] == (address or "https://github.com/OWNER/esascore")


def test_classifiers_name_every_python_that_is_supported(project):
    classifiers = project["project"]["classifiers"]
    assert classifiers == sorted(classifiers)
    assert project["project"]["requires-python"] == ">=3.11"
    versions = [one.rpartition(" ")[2] for one in classifiers if re.search(r":: 3\.\d+$", one)]
    assert versions[0] == "3.11"
    trove = pytest.importorskip("trove_classifiers")
    assert set(classifiers) <= trove.classifiers


# --- the Dockerfile, as far as it can be checked where no engine runs


@pytest.fixture(scope="module")
def lines():
    """Instructions with their arguments, continued lines joined."""
    text = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    return [tuple(line.split(None, 1)) for line in text.split("\n") if line and not line.startswith("#")]


def given(lines, instruction):
    return [rest for name, rest in lines if name == instruction]


def test_it_ends_as_an_ordinary_user(lines):
    names = [name for name, _ in lines]
    last = names.index("USER", len(names) - names[::-1].index("FROM"))
    assert lines[last][1] not in {"root", "0"}
    assert any(f" {lines[last][1]}" in run for run in given(lines, "RUN") if run.startswith("useradd "))
    assert "USER" not in names[last + 1 :]
    assert names.index("ENTRYPOINT") > last


def test_what_the_wheel_is_made_of_is_in_the_context(project):
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


# --- other files


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
