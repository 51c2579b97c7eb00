"""The recipes of ``docs/scale.md`` for other engines, as they stand there."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from esascore.batch import Scorer

pa = pytest.importorskip("pyarrow")
import pyarrow.parquet as pq  # noqa: E402

PAGE = (Path(__file__).parents[2] / "docs" / "scale.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
ROWS = {
    "id": [str(n) for n in range(6)],
    "text": ["Bionico is a dish.", "A text.", "Bionico is from Mexico.", None, "x", "In Mexico."],
    "triples": [["Bionico | country | Mexico"], ["no triple"], *[["Bionico | country | Mexico"]] * 4],
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the rows, in two files; the second has no error and no text that lacks everything."""
    (tmp_path / "rows").mkdir()
    table = pa.table(ROWS)
    for name, part in (("a", table.slice(0, 5)), ("b", table.slice(5))):
        pq.write_table(part, tmp_path / "rows" / f"{name}.parquet")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(name: str) -> None:
    """Run the recipe that names a package."""
    [recipe] = (block for block in BLOCKS if re.search(rf"^(?:import|from) {name}\b", block, re.MULTILINE))
    exec(compile(recipe, "docs/scale.md", "exec"), {"Scorer": Scorer})


def check(scored: Path) -> None:
    """Compare what a recipe wrote with what the scorer gives for all rows at once."""
    found = pq.read_table(scored)
    expected = Scorer(["esa"])(pa.table(ROWS))
    assert found.column_names == expected.column_names
    assert sorted(found.to_pylist(), key=lambda row: row["id"]) == expected.to_pylist()
    assert [row["error"] is None for row in expected.to_pylist()] == [True, False, True, True, True, True]


@pytest.mark.filterwarnings("ignore")  # theirs, about pandas
def test_dask(folder):
    pytest.importorskip("dask.dataframe", reason="needs dask[dataframe]: make test-ray")
    run("dask")
    check(folder / "scored")


@pytest.mark.filterwarnings("ignore")  # theirs
def test_ray_data(folder, monkeypatch):
    ray = pytest.importorskip("ray", reason="needs ray[data]: make test-ray")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    try:
        run("ray")
    finally:
        ray.shutdown()
    check(folder / "scored")


def test_datasets(folder, monkeypatch):
    datasets = pytest.importorskip("datasets", reason="needs datasets: pip install datasets")
    datasets.disable_progress_bars()
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", folder / "cache")
    run("datasets")
    check(folder / "scored.parquet")


@pytest.mark.filterwarnings("ignore")  # theirs, about pandas
def test_spark(folder, monkeypatch):
    pytest.importorskip("pyspark", reason="needs pyspark and Java: pip install pyspark")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "--master local[1] --conf spark.ui.enabled=false pyspark-shell")
    from pyspark.sql import SparkSession

    try:
        run("pyspark")
    finally:
        SparkSession.builder.getOrCreate().stop()
    check(folder / "scored")
