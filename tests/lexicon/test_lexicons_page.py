"""``docs/lexicons.md`` says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from esascore.lexicon import SOURCES
from esascore.lexicon.user import KINDS
from esascore.wordlists import names

PAGE = Path(__file__).parents[2] / "docs" / "lexicons.md"


@pytest.fixture(scope="module")
def page() -> str:
    return PAGE.read_text("utf-8")


def test_every_source_is_there_with_its_cost(page):
    rows = re.findall(r"^\| `([\w-]+)` \| ([\d.]+) \| ", page, re.MULTILINE)
    assert [(name, float(cost)) for name, cost in rows] == [(n, s.cost) for n, s in SOURCES.items()]


def test_every_file_is_there(page):
    table = page.partition("## The package's files")[2].partition("\n## ")[0]
    assert sorted(re.findall(r"`(\w+)\.tsv`", table)) == list(names())


def test_every_kind_of_line_is_there(page):
    table = page.partition("| kind | meaning |")[2].partition("\n\n")[0]
    assert set(re.findall(r"`([a-z-]+)`", table)) - {"cost"} == set(KINDS)
