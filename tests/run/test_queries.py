"""The queries of docs/scale.md run over the results of a run, where the packages are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from esascore.cli import main
from run.invented import rows, write_lines

pytest.importorskip("pyarrow")
PAGE = (Path(__file__).parents[2] / "docs" / "scale.md").read_text("utf-8")


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = write_lines(tmp_path / "rows.jsonl", rows())
    assert (
        main(["score", str(file), "--out", "run", "--metrics", "esa,hallucination", "--jobs", "1", "-q"]) == 0
    )


def test_duckdb(run):
    duckdb = pytest.importorskip("duckdb")
    [block] = re.findall(r"^```sql\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    found = [duckdb.sql(query).fetchall() for query in block.split(";") if query.strip()]
    assert len(found) == 3
    assert [row[0] for row in found[0]] == ["fluent", "wild"]
    assert all(found)


def test_polars(run):
    pytest.importorskip("polars")
    [block] = re.findall(r"^```python\n(import polars.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    lines = block.strip().split("\n")
    names: dict = {}
    exec("\n".join([*lines[:-1], f"found = {lines[-1]}"]), names)
    assert names["found"].columns == ["system", "id", "missing"]
