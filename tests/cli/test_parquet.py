"""Parquet in and out of the commands: the same content as with JSON lines, and errors for people."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from esascore.examples import example_corpus_path, example_output_paths

from .conftest import json_lines as lines

pa = pytest.importorskip("pyarrow", reason="needs esascore[arrow]")
pq = pytest.importorskip("pyarrow.parquet", reason="needs esascore[arrow]")

CORPUS = str(example_corpus_path())
OUTPUTS = [str(path) for path in example_output_paths().values()]


def rows(path: Path | str) -> list[dict]:
    return [without_nulls(row) for row in pq.read_table(path).to_pylist()]


def without_nulls(value):
    if isinstance(value, dict):
        return {name: without_nulls(own) for name, own in value.items() if own is not None}
    return [without_nulls(own) for own in value] if isinstance(value, list) else value


def examples() -> list[dict]:
    """The example corpus with the texts of a system."""
    texts = Path(OUTPUTS[0]).read_text("utf-8").split("\n")
    return [{**row, "text": text} for row, text in zip(lines(Path(CORPUS)), texts, strict=False)]


@pytest.fixture
def corpus(tmp_path) -> Path:
    """The examples as Parquet."""
    pq.write_table(pa.Table.from_pylist(examples()), tmp_path / "corpus.parquet", row_group_size=7)
    return tmp_path / "corpus.parquet"


@pytest.fixture
def output(tmp_path) -> Path:
    """The texts alone as Parquet, in another order than the corpus."""
    own = [{"id": row["id"], "text": row["text"]} for row in reversed(examples())]
    path = tmp_path / f"{Path(OUTPUTS[0]).stem}.parquet"
    pq.write_table(pa.Table.from_pylist(own), path)
    return path


def test_scores_are_the_same(run, corpus, output):
    expected = run("score", CORPUS, OUTPUTS[0], "--format", "json", "--metrics", "esa,parent")
    found = run("score", corpus, output, "--format", "json", "--metrics", "esa,parent")
    assert (found.code, found.out) == (0, expected.out)


def test_own_texts(run, corpus):
    expected = json.loads(run("score", CORPUS, f"corpus={OUTPUTS[0]}", "--format", "json").out)
    assert json.loads(run("score", corpus, "--format", "json").out) == expected


@pytest.mark.parametrize(
    "command", ["detect -o x", "show --worst 1", "hallucinations", "report -o x.html", "check --min-esa 0"]
)
def test_other_commands_read_it(run, corpus, output, command):
    result = run(*command.split(), corpus, output)
    assert (result.code, "Traceback" in result.err) == (0, False), result.err


@pytest.mark.parametrize(
    ("command", "option"), [("score", "--segments"), ("detect", "-o"), ("hallucinations", "-o")]
)
def test_rows_are_the_lines(run, command, option):
    systems = OUTPUTS[:1] if command == "detect" else OUTPUTS
    more = ["--metrics", "esa,hallucination,parent"] if command == "score" else []
    assert run(command, CORPUS, *systems, *more, option, "x.jsonl").code == 0
    assert run(command, CORPUS, *systems, *more, option, "x.parquet").code == 0
    expected = [without_nulls(line) for line in lines(Path("x.jsonl"))]
    assert rows("x.parquet") == expected
    assert len(expected) == 40 * len(systems)
    assert sorted(path.name for path in Path().iterdir()) == ["x.jsonl", "x.parquet"]


def test_the_columns_are_typed(run):
    run("score", CORPUS, *OUTPUTS, "--segments", "x.parquet", "--metrics", "esa,parent")
    schema = pq.read_schema("x.parquet")
    assert schema.field("scores").type == pa.struct([("esa", "double"), ("parent", "double")])
    run("detect", CORPUS, "-o", "y.parquet")
    schema = pq.read_schema("y.parquet")
    assert schema.field("entities").type == pa.list_(pa.string())
    assert schema.field("mentions").type.value_type.field("start").type == pa.int64()
    assert schema.field("facts").type.value_type.field("probability").type == pa.float64()


def test_segments_can_be_correlated(run):
    ratings = Path(CORPUS).with_name("ratings.csv")
    run("score", CORPUS, *OUTPUTS, "--segments", "x.parquet", "--metrics", "parent")
    run("score", CORPUS, *OUTPUTS, "--segments", "x.jsonl", "--metrics", "parent")
    first, second = (
        run("correlate", CORPUS, *OUTPUTS, "--ratings", ratings, "--segments", f"x.{suffix}")
        for suffix in ("jsonl", "parquet")
    )
    assert (first.code, first.out) == (0, second.out)


def test_a_failed_run_leaves_the_file_as_it_was(run, tmp_path):
    (tmp_path / "x.parquet").write_bytes(b"before")
    (tmp_path / "bad.txt").write_text("one text\n")
    assert run("score", CORPUS, "bad.txt", "--segments", "x.parquet").code == 3
    assert (tmp_path / "x.parquet").read_bytes() == b"before"


def test_results_that_are_no_rows(refused):
    message = "-o does not write Parquet: give x.parquet another suffix\n"
    refused(2, message, "score", CORPUS, OUTPUTS[0], "-o", "x.parquet")
    assert not Path("x.parquet").exists()


@pytest.mark.parametrize("arguments", [["CORPUS"], [CORPUS, OUTPUTS[0], "--segments", "x.parquet"]])
def test_without_pyarrow(refused, corpus, monkeypatch, arguments):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    message = "which is not installed: pip install 'esascore[arrow]'\n"
    refused(5, message, "score", *[str(corpus) if one == "CORPUS" else one for one in arguments])
    assert not Path("x.parquet").exists()


@pytest.mark.parametrize("size", [4, 50, 1000, -1])
def test_a_file_that_was_cut(refused, corpus, size):
    corpus.write_bytes(corpus.read_bytes()[:size])
    refused(3, f"error: {corpus}: the Parquet file cannot be read (", "score", corpus)
