"""Every command and every Python block of the README and of docs/ gives what the page shows (doc_pages)."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from operator import itemgetter

import click
import pytest

from doc_pages import (
    DOCS,
    PAGES,
    ROOT,
    PageError,
    blocks,
    command_reference,
    known_command,
    leaves,
    run,
    runs,
    written,
)
from esascore.cli.app import esascore

MOST_WORDS = 34_000
"""Of the README and docs/ without the changelog."""


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The files of the demo, made once."""
    folder = tmp_path_factory.mktemp("demo")

    def make():
        if not (folder / "esascore-demo").exists():
            with contextlib.chdir(folder):
                run("esascore demo -q")
        return folder / "esascore-demo"

    return make


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ESASCORE_CACHE", str(tmp_path / "cache" / "answers.sqlite"))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_shows_what_its_commands_print(name, tmp_path, demo):
    folder = tmp_path / "page"
    folder.mkdir()
    assert written(name, folder, demo) == (ROOT / name).read_text("utf-8"), "make pages writes it anew"


@pytest.mark.parametrize("name", PAGES)
def test_what_is_not_run_says_why(name):
    skipped = [block for block in blocks((ROOT / name).read_text("utf-8")) if not runs(block)]
    assert all(block.reason for block in skipped)
    if any(block.limit == "needs" for block in skipped):
        assert {block.reason for block in skipped if block.limit == "needs"} == {"corpora"}
        assert not os.environ.get("ESASCORE_DATA")
        pytest.skip("some blocks need the real corpora: set ESASCORE_DATA to their folder")


def test_the_pages_are_short():
    """What ``wc -w README.md docs/*.md docs/*/*.md`` counts, without the changelog."""
    words = {name: len((ROOT / name).read_text("utf-8").split()) for name in PAGES}
    del words["docs/changelog.md"]
    assert sum(words.values()) <= MOST_WORDS, sorted(words.items(), key=itemgetter(1))


def test_the_reference_of_the_commands_has_every_option():
    reference = command_reference()
    for context in leaves(esascore, click.Context(esascore, info_name="esascore")):
        assert f" {context.command_path}\n" in reference
        for parameter in context.command.params:
            if isinstance(parameter, click.Option):
                assert f"`{', '.join(parameter.opts)}" in reference


def test_a_code_box_wraps():
    assert "white-space: pre-wrap" in (DOCS / "wrap.css").read_text("utf-8")
    assert "extra_css: [wrap.css]" in (ROOT / "mkdocs.yml").read_text("utf-8")


def test_every_page_is_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
    listed = [line.rpartition(": ")[2] for line in navigation.split("\n") if line.endswith(".md")]
    assert sorted(f"docs/{name}" for name in listed) == sorted(set(PAGES) - {"README.md"})


def test_pages_that_the_sources_name_exist():
    named = {
        found
        for folder in ("src", "benchmarks", "tests")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ".toml", ".tsv"} and path.name != "test_project_files.py"
        for found in re.findall(r"\bdocs/[a-z-]+\.md\b", path.read_text("utf-8"))
    }
    assert len(named) > 10
    assert sorted(name for name in named if not (ROOT / name).is_file()) == []


def test_every_file_of_the_pages_is_used():
    pages = "".join((ROOT / name).read_text("utf-8") for name in PAGES)
    assert [path.name for path in (DOCS / "data").iterdir() if path.name not in pages] == []


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("esascore scor CORPUS", "there is no command scor"),
        ("esascore score CORPUS --metric esa", "score has no option --metric"),
        ("esascore lexicon mien GOLD", "there is no command mien"),
        ("make demos", "no target demos"),
        ("pip install 'esascore[plot]'", "no extra plot"),
        ("python benchmarks/none.py", "no file benchmarks/none.py"),
        ("rm -rf x", "does not know rm"),
    ],
)
def test_a_command_that_does_not_exist_is_found(command, message):
    with pytest.raises(PageError, match=message):
        known_command(command)


def test_the_commands_of_the_comparison_run(tmp_path, demo):
    """Each cell of the first column that begins with a command shows what it says."""
    page = (DOCS / "comparison.md").read_text("utf-8")
    rows = [row.split(" | ") for row in page.split("\n") if row.startswith("| ") and " | yes: " in row]
    found = [re.search(r"`(esascore \w+ [^`]*)`", row[1]) for row in rows]
    shown = [one[1] for one in found if one and " --verdicts" not in one[1]]
    assert len(rows) >= 15
    assert len(shown) > 10
    shutil.copytree(demo(), tmp_path / "esascore-demo")
    with contextlib.chdir(tmp_path):
        for command in shown:
            code, printed = run(command)
            assert code in ({0, 1} if command.startswith("esascore check") else {0}), f"{command}\n{printed}"


def page_of(tmp_path, monkeypatch, text):
    import doc_pages

    monkeypatch.setattr(doc_pages, "ROOT", tmp_path)
    (tmp_path / "page.md").write_text(text, "utf-8")
    folder = tmp_path / "empty"
    folder.mkdir()
    return written("page.md", folder, lambda: pytest.fail("no demo is needed"))


def test_outputs_are_replaced_by_what_is_printed(tmp_path, monkeypatch):
    page = (
        '```json title="a.jsonl"\n{"data": {"name": "Ada"}, "text": "Ada."}\n```\n'
        "```console\n$ esascore score a.jsonl --format csv | head -1\nold\n```\n"
        "```python\nx = 1\n```\n```python\nprint(x)\n```\n```output\n2\n```\n"
    )
    new = page_of(tmp_path, monkeypatch, page)
    assert "\nold\n" not in new
    assert "| head -1\nsystem,texts," in new
    assert new.endswith("```output\n1\n```\n")


def test_a_walk_is_what_a_run_passes(tmp_path, monkeypatch):
    new = page_of(
        tmp_path, monkeypatch, "```walk\n$ esascore doctor backends -q\nesascore.old  Never passed.\n```\n"
    )
    passed = [line.split()[0] for line in new.split("\n")[2:-2]]
    assert passed[:2] == ["esascore.cli", "esascore.cli.app"]
    assert passed.index("esascore.cli.doctor") < passed.index("esascore.align.backends")
    assert "esascore.old" not in passed


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("```\nesascore demo\n```\n", "make it console"),
        ("```python\n1 / 0\n```\n", "ZeroDivisionError"),
        ("```python\ndef test_x():\n    assert False\n```\n", "AssertionError"),
        ("```sh\nesascore score none.jsonl\n```\n", "exit code 3"),
        ("Say `esascore report --htm x`.\n", "no option --htm"),
        ("<!-- not run: a server -->\n```sh\nesascore scor x\n```\n", "no command scor"),
    ],
)
def test_what_does_not_hold_is_found(tmp_path, monkeypatch, page, message):
    with pytest.raises(PageError, match=message):
        page_of(tmp_path, monkeypatch, page)


def test_what_is_marked_is_not_run(tmp_path, monkeypatch):
    monkeypatch.delenv("ESASCORE_DATA", raising=False)
    page = (
        "<!-- not run: a server -->\n```sh\nesascore score none.jsonl --linker rel\n```\n"
        "<!-- needs: corpora -->\n```console\n$ esascore score $ESASCORE_DATA/none\nold\n```\n"
    )
    assert page_of(tmp_path, monkeypatch, page) == page
