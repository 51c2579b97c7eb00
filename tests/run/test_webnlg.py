"""The 16 systems of WebNLG 2020 as rows: three cuts give the figures of a plain run, bit for bit."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest

from esascore.cli import main
from esascore.readers.corpus import read_corpus
from run.invented import write_lines

pa = pytest.importorskip("pyarrow")
METRICS = "esa,hallucination,parent"


@pytest.fixture(scope="module")
def folder() -> Path:
    root = os.environ.get("ESASCORE_DATA")
    if not root or not Path(root, "webnlg-2020").is_dir():
        pytest.skip("needs WebNLG 2020: set ESASCORE_DATA to the folder that holds webnlg-2020/")
    return Path(root, "webnlg-2020")


def triples(graph) -> list[list[str]]:
    return [[one.subject, one.predicate, one.object] for one in graph.triples]


@pytest.fixture(scope="module")
def rows(folder) -> list[dict]:
    examples = read_corpus(next(folder.glob("*.xml")))
    made = []
    for file in sorted((folder / "submissions").iterdir()):
        texts = file.read_text("utf-8").removesuffix("\n").split("\n")
        made += [
            {
                "id": example.id,
                "system": file.stem,
                "text": text,
                "triples": triples(example.input),
                # What only the unmodified triples have is explained, too.
                "original": None if example.original is None else triples(example.original),
                "references": [reference.text for reference in example.references],
                "category": example.category,
            }
            for example, text in zip(examples, texts, strict=True)
        ]
    return made


def scores(file: Path) -> dict:
    document = json.loads(file.read_text("utf-8"))
    return {"signature": document["signature"], **{one["system"]: one for one in document["systems"]}}


@pytest.fixture(scope="module")
def plain(folder, tmp_path_factory) -> dict:
    target = tmp_path_factory.mktemp("plain") / "scores.json"
    outputs = map(str, sorted((folder / "submissions").iterdir()))
    corpus = str(next(folder.glob("*.xml")))
    assert main(["score", corpus, *outputs, "--metrics", METRICS, "-q", "-o", str(target)]) == 0
    return scores(target)


def as_one_file(folder: Path, rows: list[dict]) -> str:
    return str(write_lines(folder / "rows.jsonl", rows))


def as_parquet_by_input(folder: Path, rows: list[dict]) -> str:
    import pyarrow.parquet as pq

    (folder / "parts").mkdir()
    ordered = sorted(rows, key=lambda row: row["id"])
    for n in range(0, len(ordered), 9000):
        table = pa.Table.from_pylist(ordered[n : n + 9000])
        pq.write_table(table, folder / "parts" / f"{n}.parquet", row_group_size=4000)
    return str(folder / "parts")


def as_shuffled_files(folder: Path, rows: list[dict]) -> str:
    shuffled = random.Random(1).sample(rows, len(rows))
    for n in range(5):
        write_lines(folder / "parts" / f"{n}.jsonl", shuffled[n::5])
    return f"{folder}/parts/*.jsonl"


@pytest.mark.corpora
@pytest.mark.parametrize("cut", [as_one_file, as_parquet_by_input, as_shuffled_files])
def test_three_cuts(tmp_path, rows, plain, cut):
    out, target = str(tmp_path / "run"), tmp_path / "scores.json"
    more = "--metrics", METRICS, "--unit", "6000", "-q", "-o", str(target)
    assert main(["score", cut(tmp_path, rows), "--out", out, *more]) == 0
    assert scores(target) == plain
