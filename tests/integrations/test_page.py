"""The examples of ``docs/adapters.md``, with the real tools."""

from __future__ import annotations

import json
import shutil
import sys

import pytest

from adapters import ADAPTERS, require
from doc_pages import ROOT, blocks

PAGE = (ROOT / "docs" / "adapters.md").read_text("utf-8")
EXAMPLES = {block.reason.split()[1].rstrip(",;"): block for block in blocks(PAGE) if block.limit == "not run"}
COPIED = [block for block in blocks(PAGE) if block.reason.startswith("needs the copied file")]


def test_every_adapter_has_an_example():
    names = {"deepeval", "promptfoo", "langsmith", "ragas", "mcp", "opentelemetry", "GitHub", "evaluate"}
    assert set(EXAMPLES) == {*names, "the"}
    assert len(COPIED) == 2


@pytest.fixture
def run(adapter, tmp_path, monkeypatch):
    """Run a block of Python in a folder with the adapters, copied as the page says; its names."""
    monkeypatch.setenv("LANGSMITH_ENDPOINT", "http://127.0.0.1:9")
    for path in ADAPTERS.glob("*/esascore_*.py"):
        shutil.copy(path, tmp_path)
        monkeypatch.delitem(sys.modules, path.stem, raising=False)
    shutil.copytree(ADAPTERS / "evaluate", tmp_path / "integrations" / "evaluate")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))

    def execute(block):
        names = {}
        exec(compile(block.body, "<page>", "exec"), names)
        return names

    return execute


@pytest.mark.filterwarnings("ignore")  # those of the tools
@pytest.mark.parametrize("package", ["deepeval", "langsmith", "ragas", "opentelemetry", "evaluate"])
def test_the_examples_in_python_run(package, run):
    require(package)
    names = run(EXAMPLES[package])
    if package == "langsmith":
        [row] = names["results"]
        assert [one.score for one in row["evaluation_results"]["results"]] == [1.0, 1.0, True]
    if package == "ragas":
        assert names["result"].value < 1
    if package == "evaluate":
        assert names["found"]["flags"] == [["5"]]


def test_the_examples_that_need_no_package_run(run):
    lettuce, factgenie = map(run, COPIED)
    assert [span["text"] for span in lettuce["spans"]] == ["32"]
    assert [span["text"] for span in factgenie["annotated"][0]["spans"]] == ["32"]


def test_the_example_of_github_has_inputs_of_the_action():
    require("yaml")
    import yaml

    [step] = yaml.safe_load(EXAMPLES["GitHub"].body)
    action = yaml.safe_load((ADAPTERS / "github" / "action.yml").read_text("utf-8"))
    assert step["uses"].partition("@")[0].endswith("/integrations/github")
    assert step["with"].keys() <= action["inputs"].keys()


def test_the_example_of_promptfoo_passes(promptfoo):
    code, results = promptfoo(EXAMPLES["promptfoo"].body)
    assert code == 0
    assert [one["success"] for one in results] == [True]


@pytest.mark.filterwarnings("ignore")
def test_the_example_of_mcp_starts_the_server(ask_server):
    [server] = json.loads(EXAMPLES["mcp"].body)["mcpServers"].values()
    assert server["command"] == "esascore"
    tools, _ = ask_server(arguments=("-m", server["command"], *server["args"]))
    assert [tool.name for tool in tools] == ["check_text", "explain_flag"]
