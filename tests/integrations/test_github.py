"""SARIF, judged by its published schema and Microsoft's validator, and the action for GitHub."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from adapters import ADAPTERS, require
from esascore.cli import main
from esascore.examples import example_corpus_path

GATES = ("--max-hallucinations", "0", "--max-missing-texts", "0", "--min-faithfulness", "0.99")


@pytest.fixture
def logs(tmp_path, monkeypatch):
    """Logs of texts to blame and of texts that pass, also of names that are hard to write down."""
    monkeypatch.chdir(tmp_path)
    corpus = example_corpus_path()
    odd = Path("an odd name, é %41#?.txt")
    odd.write_bytes(corpus.with_name("dreamer.txt").read_bytes())
    files = {
        "bad.sarif": ["check", str(corpus), str(corpus.with_name("dreamer.txt")), *GATES],
        "good.sarif": ["check", str(corpus), str(odd), "--min-esa", "0"],
        "odd.sarif": ["check", str(corpus), str(odd), *GATES],
    }
    for name, command in files.items():
        assert main([*command, "-q", "-o", name]) == (name != "good.sarif")
    return [tmp_path / name for name in files]


def test_logs_follow_the_published_schema(logs):
    schema = os.environ.get("ESASCORE_SARIF_SCHEMA")
    if not schema:
        pytest.skip(
            "needs the schema of SARIF from the npm package @microsoft/sarif-multitool: make test-adapters"
        )
    require("jsonschema")
    from jsonschema import Draft7Validator

    validator = Draft7Validator(json.loads(Path(schema).read_text("utf-8-sig")))
    for log in logs:
        assert [error.message for error in validator.iter_errors(json.loads(log.read_text("utf-8")))] == []
    broken = json.loads(logs[0].read_text("utf-8"))
    del broken["runs"][0]["results"][0]["message"]
    assert not validator.is_valid(broken)  # so the schema does judge them


def test_the_validator_of_microsoft_finds_no_error(logs):
    program = os.environ.get("ESASCORE_SARIF_VALIDATOR")
    if not program:
        pytest.skip("needs the npm package @microsoft/sarif-multitool: make test-adapters")
    for log in logs:
        done = subprocess.run(
            [program, "validate", log, "--level", "Error"],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert ": error " not in done.stdout


def action():
    require("yaml")
    import yaml

    return yaml.safe_load((ADAPTERS / "github" / "action.yml").read_text("utf-8"))


def test_the_action_follows_the_schema_of_github():
    require("check_jsonschema")  # which brings it
    require("jsonschema")
    from jsonschema import Draft7Validator

    [folder] = find_spec("check_jsonschema").submodule_search_locations
    schema = Path(folder, "builtin_schemas", "vendor", "github-actions.json").read_text("utf-8")
    validator = Draft7Validator(json.loads(schema))
    assert [error.message for error in validator.iter_errors(action())] == []
    broken = action()
    del broken["runs"]["using"]
    assert not validator.is_valid(broken)


@pytest.mark.parametrize("sarif", ["", "found.sarif"])
def test_the_step_of_the_action_runs(sarif, tmp_path):
    [step] = [step for step in action()["runs"]["steps"] if step.get("name") == "Check"]
    rows = [{"id": n, "data": {"name": "Bo", "rooms": 4}, "text": f"Bo has {n} rooms."} for n in (4, 5)]
    (tmp_path / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "esascore"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m esascore "$@"\n', "utf-8")
    program.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{program.parent}:{os.environ['PATH']}",
        "ARGUMENTS": "corpus.jsonl --max-hallucinations 0",
        "SARIF": sarif,
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
    }
    # How GitHub runs a step with shell: bash.
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    done = subprocess.run(shell, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    if sarif:
        results = json.loads((tmp_path / sarif).read_text("utf-8"))["runs"][0]["results"]
        assert [(one["ruleId"], one["level"]) for one in results] == [
            ("missing", "note"),
            ("replacement", "error"),
        ]
        assert all(
            one["locations"][0]["physicalLocation"]
            == {"artifactLocation": {"uri": "corpus.jsonl"}, "region": {"startLine": 2}}
            for one in results
        )
    else:
        assert "::error file=corpus.jsonl,line=2,title=corpus 5::" in done.stdout
        assert "## esascore check: failed" in (tmp_path / "summary.md").read_text("utf-8")
