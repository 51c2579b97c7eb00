"""Files beside the code that must agree with it."""

from __future__ import annotations

import re
from pathlib import Path

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
    assert declared <= set(re.findall(r"^(?:step \d+ make|optional) (\S+)(?: \d+)?$", script, re.MULTILINE))
    assert {"test", "lint", "types", "contracts", "wheel"} <= declared
