from __future__ import annotations

import json

import pytest

from esascore import Parent
from esascore.metrics.cooccurrence import read_counts
from esascore.metrics.parent import ParentC

FILES = ("score", "--parent-files")
TABLES = "name|||Ann Lee\tage|||12\nAnn|||is from|||Oslo\n\n"
REFERENCES = "Ann Lee is 12\tAnn is twelve\nAnn is from Oslo\nNothing .\n"
GENERATIONS = "Ann is 12\nAnn Lee of Oslo\nNothing .\n"


@pytest.fixture
def files(tmp_path):
    paths = [tmp_path / f"{name}.txt" for name in ("tables", "references", "texts")]
    for path, content in zip(paths, (TABLES, REFERENCES, GENERATIONS), strict=True):
        path.write_text(content, encoding="utf-8")
    return paths


def arguments():
    tables = [[("name", "Ann Lee"), ("age", "12")], [("Ann", "is from", "Oslo")], []]
    references = [line.split("\t") for line in REFERENCES.split("\n")[:-1]]
    return GENERATIONS.split("\n")[:-1], references, tables


@pytest.mark.parametrize(
    ("options", "metric"),
    [
        ([], Parent(None)),
        (["--lambda", "0.5"], Parent(0.5)),
        (["--lambda", "heuristic", "--attributes"], Parent(None, attributes=True)),
        (["--multi-ref", "independent-max"], Parent(None, multi_ref="independent-max")),
        (["--parent-tokenizer", "words"], Parent(None, tokenizer="words")),
    ],
)
def test_the_files_of_the_public_script_are_scored(run, files, options, metric):
    tables, references, texts = files
    result = run(*FILES, tables, references, f"mine={texts}", *options, "--format", "json")
    assert result.code == 0, result.err
    found = json.loads(result.out)
    expected = metric.corpus(*arguments())
    assert found["signature"] == str(expected.signature)
    assert found["systems"] == [{"system": "mine", "texts": 3, **expected.fields}]


def test_counts_are_made_and_used(run, files, tmp_path):
    tables, references, texts = files
    for name in ("counts.txt", "counts.json"):
        made = run("parent", "cooccurrence", tables, "--references", references, "-o", name)
        assert (made.code, made.out, made.err) == (0, "", "")
        counts = read_counts(tmp_path / name)
        scored = run(*FILES, tables, references, texts, "--cooccurrence", name, "--format", "json")
        expected = ParentC(counts, None).corpus(*arguments())
        assert json.loads(scored.out)["systems"] == [{"system": "texts", "texts": 3, **expected.fields}]
    made = json.loads((tmp_path / "counts.json").read_text())
    assert made["is_from"] == made["is_from|||oslo"]
    assert made["age"] == 2 * made["age|||twelve"]


def test_counts_of_a_corpus(run, xml, tmp_path):
    def counted(*options: str) -> dict[str, int]:
        assert run("parent", "cooccurrence", xml, "-o", "counts.json", *options).code == 0
        return json.loads((tmp_path / "counts.json").read_text())

    rare = counted("--min-count", "2")
    assert rare["bionico"] == 2
    assert "bionico|||bionico" not in rare  # "bionico." is another token
    assert "bionico|||mexico" not in rare  # once of two: too rare
    assert counted("--parent-tokenizer", "words")["bionico|||mexico"] == 2


def test_mistakes_are_one_line(refused, files, tmp_path, xml):
    tables, references, texts = files
    short, empty, bare = (tmp_path / name for name in ("short.txt", "empty.txt", "bare.jsonl"))
    short.write_text("one\n")
    empty.write_text("")
    bare.write_text('{"triples": ["a | b | c"]}\n')
    for command, code, message in [
        ([*FILES, tables, references, short], 3, "short.txt: it has 1 lines, but"),
        ([*FILES, empty, empty, empty], 3, "empty.txt: the file contains no text"),
        ([*FILES, tables, references, texts, "--lambda", "2"], 2, "neither a number between 0 and 1"),
        ([*FILES, tables, references, texts, "--lambda", "nan"], 2, "neither a number between 0 and 1"),
        ([*FILES, tables, references, texts, "-o", tables], 2, "it is one of the files to be read"),
        ([*FILES, references, references, texts], 3, "references.txt:1: an item is"),
        ([*FILES, tables, references, texts, "--cooccurrence", texts], 3, "not co-occurrence counts"),
        (["parent", "cooccurrence", bare, "-o", "c.txt"], 3, "bare.jsonl: the corpus has no reference texts"),
        (["parent", "cooccurrence", xml, "--references", texts, "--ignore", "x", "-o", "c.txt"], 2, "omit"),
        (["parent", "cooccurrence", xml], 2, "Missing option"),
        ([*FILES, tables, references], 2, "TABLES REFERENCES GENERATIONS"),
    ]:
        refused(code, message, *command)
    assert not (tmp_path / "c.txt").exists()


def test_score_takes_the_family(run, xml, outputs, tmp_path):
    made = run("parent", "cooccurrence", xml, "-o", "counts.txt")
    assert made.code == 0
    texts = outputs("a.txt", "Bionico is from Mexico.", "Kestrel Arena is in Trondheim.")
    names = ["parent", "parent-c", "parent-e", "pseudo-parent", "bleu", "bleu-t"]
    result = run(
        *["score", xml, texts, "--metrics", ",".join(names), "--cooccurrence", "counts.txt"],
        *["--lambda", "heuristic", "--format", "json", "--segments", "segments.jsonl"],
    )
    assert result.code == 0, result.err
    found = json.loads(result.out)
    assert "|lambda:heuristic|" in found["signature"]
    assert all(found["systems"][0][name] > 0 for name in names)
    lines = (tmp_path / "segments.jsonl").read_text().split("\n")[:-1]
    assert list(json.loads(lines[0])["scores"]) == names
    missing = run("score", xml, texts, "--metrics", "parent-c")
    assert missing.code == 2
    assert "--cooccurrence FILE" in missing.err
    graphs = run("score", xml, texts, "--metrics", "parent-t")
    assert graphs.code == 3
    assert "needs tables" in graphs.err
