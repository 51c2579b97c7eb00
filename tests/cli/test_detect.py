"""``esascore detect``: JSON lines in the agreed form."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from esascore.cli import main

from .conftest import json_lines


def test_an_output_file(run, xml, outputs, tmp_path):
    texts = outputs("a.txt", "  Bionico is a dish.  ", "")
    result = run("detect", xml, texts, "-o", "d.jsonl")
    assert (result.code, result.out) == (0, "")
    assert result.err == (
        "esascore: warning: 1 of 2 texts are blank or null-like: nothing can be detected in them\n"
    )
    first, second = json_lines(tmp_path / "d.jsonl")
    assert list(first) == ["id", "text", "entities", "esa", "undetected", "missing", "mentions", "language"]
    assert (first["id"], first["text"]) == ("Id1", "Bionico is a dish.")
    assert (first["entities"], first["esa"], first["undetected"]) == (["Bionico", "Mexico"], 0.5, ["Mexico"])
    (mention,) = first["mentions"]
    assert list(mention) == ["entity", "start", "end", "text", "method", "distance"]
    assert list(mention.values())[:4] == ["Bionico", 0, 7, "Bionico"]
    assert (second["text"], second["esa"], second["mentions"]) == ("", 0.0, [])
    assert second["undetected"] == second["entities"]


def test_references_have_their_own_ids(run, xml, tmp_path):
    one = [found["id"] for found in json_lines(run("detect", xml, "-o", "-").out)]
    assert one == ["Id1/Id1", "Id1/Id2", "Id2/Id1"]
    folder = tmp_path / "tree" / "1triples"
    folder.mkdir(parents=True)
    xml.rename(folder / "Food.xml")
    tree = json_lines(run("detect", tmp_path / "tree", "-o", "-").out)
    assert [found["id"] for found in tree] == [f"1triples/Food/{id_}" for id_ in one]


def test_texts_of_the_corpus_itself(run, outputs):
    line = '{"id": "x", "triples": [["Bionico", "country", "Mexico"]], "text": "Mexico!"%s}'
    alone = outputs("alone.jsonl", line % "")
    both = outputs("both.jsonl", line % ', "references": ["Bionico."]')
    for options, expected in (
        ([alone], ("x", "Mexico!")),
        ([both, "--own"], ("x", "Mexico!")),
        ([both], ("x/Id1", "Bionico.")),
    ):
        [found] = json_lines(run("detect", *options, "-o", "-").out)
        assert (found["id"], found["text"]) == expected


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["corpus.xml", "--own"], 2, "contains no texts of a system"),
        (["bare.jsonl"], 2, "contains no reference texts: give an OUTPUT file"),
        (["corpus.xml", "one.txt", "--own"], 2, "omit OUTPUT"),
        (["corpus.xml", "one.txt"], 3, "1 text, but the corpus has 2 examples"),
        (["corpus.xml", "-o", "corpus.xml"], 2, "one of the files to be read"),
    ],
)
def test_errors(refused, xml, outputs, tmp_path, arguments, code, message):
    outputs("bare.jsonl", '{"triples": [["a", "b", "c"]]}')
    outputs("one.txt", "x")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    refused(code, message, "detect", *arguments)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(
    st.lists(
        st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"])), min_size=1, max_size=4
    )
)
def test_any_texts_give_as_many_lines_with_true_offsets(tmp_path, texts):
    texts = [f"Bionico {text} Mexico" for text in texts]
    corpus, outputs, found = (tmp_path / name for name in ("c.jsonl", "o.txt", "d.jsonl"))
    corpus.write_text('{"triples": [["Bionico", "country", "Mexico"]]}\n' * len(texts))
    outputs.write_bytes("".join(text + "\n" for text in texts).encode())
    assert main(["detect", str(corpus), str(outputs), "-q", "-o", str(found)]) == 0
    lines = json_lines(found.read_bytes().decode())
    assert [record["text"] for record in lines] == [text.strip() for text in texts]
    for record in lines:
        for mention in record["mentions"]:
            assert record["text"][mention["start"] : mention["end"]] == mention["text"]


def test_without_a_file_the_figures_and_the_worst_texts(run, outputs):
    texts = ["Blue Inn is in Oslo.", "It is an inn.", "Blue Inn."]
    row = {"name": "Blue Inn", "city": "Oslo"}
    outputs("c.jsonl", *(json.dumps({**row, "text": text}) for text in texts))
    result = run("detect", "c.jsonl")
    assert result.code == 0
    lines = result.out.split("\n")
    assert [line for line in lines if line.startswith("Id")] == ["Id2  own", "Id3  own"]
    assert any(line.split()[:4] == ["own", "3", "0", "0.5000"] for line in lines)
    assert "-o FILE writes what is found in every text" in lines[-2]
