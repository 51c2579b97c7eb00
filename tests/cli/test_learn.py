"""``esascore learn`` stores what a corpus teaches; ``--learned`` uses exactly that."""

from __future__ import annotations

import json
import random
import re

import pytest

from .conftest import json_lines

NAMES = ("Grey Heron", "Old Mill", "Red Lantern", "Stone Bridge", "White Hart")
SAID = {"cheap": "easy on the purse", "dear": "for deep pockets"}


@pytest.fixture
def inns(tmp_path):
    """A corpus that puts prices in other words, and texts that call all inns dear."""
    chance = random.Random(1)
    rows = []
    for n in range(150):
        data = {"name": NAMES[n % 5], "price": chance.choice(sorted(SAID)), "rooms": n}
        text = f"{data['name']} has {n} rooms and is {SAID[data['price']]}."
        rows.append({"id": str(n), "data": data, "references": [text]})
    (tmp_path / "inns.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    texts = [re.sub("easy on the purse", "for deep pockets", row["references"][0]) for row in rows]
    (tmp_path / "texts.txt").write_text("".join(f"{text}\n" for text in texts), "utf-8")
    return rows


@pytest.mark.parametrize("ruler", ["--learned", "--lexicon"])
def test_what_was_learned_judges_texts(run, tmp_path, inns, ruler):
    result = run("learn", "inns.jsonl", "-o", "learned.gz", "--wordings", "learned.tsv", "--check")
    assert result.code == 0, result.err
    assert "changed: missing" in result.out
    version = re.search(r"learned:(\w{12}), with 2 wordings of values, from 150 examples", result.out)[1]
    lines = (tmp_path / "learned.tsv").read_text("utf-8").splitlines()
    assert any(line.startswith("alias\tprice=cheap\t") and "purse" in line for line in lines)
    assert run("lexicon", "check", "learned.tsv").code == 0
    file = "learned.gz" if ruler == "--learned" else "learned.tsv"
    result = run("hallucinations", "inns.jsonl", "texts.txt", ruler, file, "-o", "found.jsonl")
    assert result.code == 0, result.err
    assert (f"learned:{version}" in result.out) == (ruler == "--learned")
    for row, found in zip(inns, json_lines(tmp_path / "found.jsonl"), strict=True):
        flags = found["hallucinations"]
        expected = [("value", "cheap")] if row["data"]["price"] == "cheap" else []
        assert [(flag["type"], flag["expected"]) for flag in flags] == expected


def test_what_the_corpus_teaches_is_the_same_stored_or_not(run, tmp_path, inns):
    assert run("learn", "inns.jsonl", "-o", "learned.gz").code == 0
    command = ("hallucinations", "inns.jsonl", "texts.txt")
    assert run(*command).out == run(*command, "--learned", "learned.gz").out
    assert "|learned:none|" in run(*command, "--learned", "none").out


def test_outputs_teach_if_somebody_says_so(run, tmp_path, inns):
    shared = run("hallucinations", "inns.jsonl", "texts.txt", "--learn-from", "outputs").out
    assert re.search(r"\|learned:outputs-\w{12}\|", shared)
    assert run("learn", "inns.jsonl", "texts.txt", "-o", "learned.gz").code == 0
    assert run("hallucinations", "inns.jsonl", "texts.txt", "--learned", "learned.gz").out == shared


def test_few_inputs_teach_nothing(run, tmp_path, inns):
    lines = (tmp_path / "inns.jsonl").read_text("utf-8").splitlines(keepends=True)
    again = [line.replace('"id": "', f'"id": "{n}.') for n in range(10) for line in lines[:19]]
    (tmp_path / "few.jsonl").write_text("".join(again), "utf-8")
    result = run("learn", "few.jsonl", "-o", "learned.gz")
    assert "learned:none" in result.out
    assert "at least 20 distinct inputs of one shape" in result.err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["learn", "inns.jsonl", "-o", "-"], 2, "give -o the name of a file"),
        (["learn", "inns.jsonl", "-o", "inns.jsonl"], 2, "inns.jsonl"),
        (["score", "inns.jsonl", "texts.txt", "--learned", "nope.gz"], 3, "esascore learn writes it"),
        (["score", "inns.jsonl", "texts.txt", "--learned", "texts.txt"], 3, "not what esascore learn writes"),
        (
            ["score", "inns.jsonl", "texts.txt", "--learned", "none", "--learn-from", "outputs"],
            2,
            "cannot be combined with --learned",
        ),
    ],
)
def test_mistakes(refused, inns, arguments, code, message):
    refused(code, message, *arguments)
