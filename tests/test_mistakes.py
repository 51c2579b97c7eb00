"""Mistakes of new users with their own data: each gives a message that says what to do, and an exit code."""

from __future__ import annotations

import json

import pytest

import esascore
from esascore.cli import main
from esascore.errors import DataError, EsascoreError, UsageError

CORPUS = [
    {"id": "1", "data": {"name": "Blue Lantern", "rooms": 12}, "text": "The Blue Lantern has 14 rooms."},
    {"id": "2", "data": {"name": "Copper Kettle", "rooms": 5}, "text": "Copper Kettle has 5 rooms."},
]
FILES = {
    "inns.jsonl": "".join(f"{json.dumps(one)}\n" for one in CORPUS),
    "ids.jsonl": '{"id": "1", "text": "Blue Lantern."}\n{"id": "3", "text": "x"}\n',
    "double.jsonl": '{"id": "1", "text": "Blue Lantern."}\n{"id": "1", "text": "x"}\n',
    "txt.jsonl": '{"id": "1", "txt": "Blue Lantern."}\n{"id": "2", "txt": "x"}\n',
    "txt.csv": "id,txt\n1,Blue\n2,x\n",
    "printed.csv": "triples,text\n['Inn | rooms | 12'],Inn has 12 rooms.\n",
    "references.csv": "triples,references,text\nInn | rooms | 12,\"['Inn has 12.', 'It has 12.']\",Inn.\n",
    "typo.toml": "[tool.esascore.check]\nmax-halucinations = 0\n",
    "word.toml": '[tool.esascore.check]\nmax-hallucinations = "none"\n',
    "broken.toml": "[tool.esascore.check\n",
    "bare.toml": "[check]\nmax-hallucinations = 1\n",
    "span.jsonl": '{"kind": "added"}\n',
    "other.jsonl": '{"x": 1}\n',
    "maybe.jsonl": '{"system": "inns", "id": "1", "entity": "12", "verdict": "maybe"}\n',
    "nobody.jsonl": '{"system": "nobody", "id": "1", "entity": "12", "verdict": "right"}\n',
    "verdicts.csv": "system,id,verdict\ninns,1,right\n",
    "empty.jsonl": "",
}
GATE = ("check", "inns.jsonl", "--max-hallucinations", "0")
COMMANDS = [
    (("score", "inns.jsonl", "ids.jsonl"), 3, "give each id of the corpus one text"),
    (("score", "inns.jsonl", "double.jsonl"), 3, "given more than once: 1 (lines 1, 2)"),
    (("score", "inns.jsonl", "txt.jsonl"), 3, "is 'txt' meant to be 'text'?"),
    (("score", "inns.jsonl", "txt.csv"), 3, "has the columns id and text"),
    (("score", "printed.csv"), 3, "triples contains a list as Python prints it: write it as JSON"),
    (("score", "references.csv"), 3, "references contains a list as Python prints it: write it as JSON"),
    (("score", "-", "-"), 2, "give a file instead of one -"),
    (("score", "inns.jsonl", "--significance", "all"), 2, "give two or more"),
    (("score", "inns.jsonl", "--metrics", "esaa"), 2, "did you mean 'esa'?"),
    (("score", "inns.jsonl", "--profile", "defualt"), 2, "did you mean 'default'?"),
    (("score", "inns.jsonl", "--linker", "rell"), 2, "did you mean 'rel'?"),
    (("scor", "inns.jsonl"), 2, "did you mean 'score'?"),
    (("facts",), 2, "error: a command is missing: evaluate, train (see esascore facts --help)"),
    (("linker",), 2, "error: a command is missing: "),
    (("score", "inns.jsonl", "--facts", "none"), 3, "give the folder of a model that esascore has trained"),
    (("check",), 2, "give it, or set corpus in esascore.toml or pyproject.toml"),
    (("check", "inns.jsonl"), 2, "nothing to check: give --min-esa"),
    (("check", "inns.jsonl", "--config", "typo.toml"), 3, "did you mean 'max-hallucinations'?"),
    (("check", "inns.jsonl", "--config", "word.toml"), 3, "'none' is not a valid integer\n"),
    (("check", "inns.jsonl", "--config", "broken.toml"), 3, "not valid TOML"),
    (("check", "inns.jsonl", "--config", "bare.toml"), 3, "write the options under it"),
    (("check", "inns.jsonl", "--min-esa", "80"), 2, "80.0 is not in the range 0<=x<=1"),
    (("check", "inns.jsonl", "--require", "prices"), 2, "known: name, rooms"),
    ((*GATE, "--accept", "span.jsonl"), 3, "--write-accept writes some"),
    ((*GATE, "--baseline", "other.jsonl"), 3, "write one with --save"),
    ((*GATE, "-o", "none/x.xml"), 2, "there is no folder"),
    (("benchmark", "inns.jsonl", "--verdicts", "maybe.jsonl"), 3, 'verdict must be "right" or "wrong"'),
    (("benchmark", "inns.jsonl", "--verdicts", "verdicts.csv"), 3, "one whole object per line is needed"),
    (("benchmark", "inns.jsonl", "--verdicts", "nobody.jsonl"), 3, "as NAME=OUTPUT if names differ"),
    (("correlate", "inns.jsonl", "--verdicts", "empty.jsonl"), 3, "judge flags in the report"),
    (("benchmark", "inns.jsonl"), 3, "give enriched WebNLG XML"),
    (("show", "inns.jsonl", "--id", "9"), 3, "known: 1, 2"),
]


@pytest.mark.parametrize(("arguments", "code", "message"), COMMANDS, ids=str)
def test_on_the_command_line(tmp_path, monkeypatch, capsys, arguments, code, message):
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        (tmp_path / name).write_text(content, "utf-8")
    assert main(list(arguments)) == code
    told = capsys.readouterr()
    assert message in told.err
    assert told.err.count("esascore: error: ") == 1
    assert not told.out


def test_every_broken_output_is_listed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        (tmp_path / name).write_text(content, "utf-8")
    assert main(["score", "inns.jsonl", "none.txt", "ids.jsonl", "double.jsonl"]) == 3
    assert capsys.readouterr().err.count("esascore: error: ") == 3


CALLS = [
    (lambda: esascore.evaluate(CORPUS, {"a": "a whole text"}), DataError, "or give texts as a list"),
    (lambda: esascore.evaluate(CORPUS, {"a": ["x"]}), DataError, "one text for each example is needed"),
    (lambda: esascore.evaluate(CORPUS, {"a": {"1": "x"}}), DataError, "give each id of the corpus one text"),
    (lambda: esascore.evaluate(CORPUS, {"a": [1, 2]}), DataError, "is a int, not a str"),
    (lambda: esascore.evaluate(CORPUS, metrics=3), UsageError, "one string or several are needed"),
    (lambda: esascore.evaluate(CORPUS, profile="papr"), UsageError, "did you mean 'paper'"),
    (lambda: esascore.evaluate(CORPUS, jobs=0), UsageError, "at least 1"),
    (lambda: esascore.read_corpus(5), UsageError, "a path, a list or a table, not int"),
    (lambda: esascore.read_corpus([CORPUS[0]] * 2), DataError, "the id '1' is already used in row 1"),
    (lambda: esascore.check(CORPUS), UsageError, "give a threshold, for instance min_esa=0.9"),
    (lambda: esascore.check(CORPUS, min_esa=80), UsageError, "between 0 and 1, not 80"),
    (lambda: esascore.detect("A text.", [("a", "b", "c")]), UsageError, "data must be triples, a dict"),
    (lambda: esascore.detect([("a", "b", "c")], None), UsageError, "a text must be a str"),
    (lambda: esascore.detect([("a", "b", "c", "d")], "a"), DataError, "a triple needs three parts"),
]


@pytest.mark.parametrize(("call", "error", "message"), CALLS, ids=[one[2] for one in CALLS])
def test_in_python(call, error, message):
    with pytest.raises(EsascoreError, match=message) as caught:
        call()
    assert caught.type is error


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"triples": "inputs"}, "there is no column 'inputs': did you mean 'input'?"),
        ({"tripels": "input"}, "there is no field 'tripels' for a column to hold: did you mean 'triples'?"),
    ],
)
def test_columns_of_a_table(columns, message):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"input": ["Bionico | country | Mexico"], "text": ["Bionico."]})
    with pytest.raises(UsageError) as caught:
        esascore.read_corpus(table, columns=columns)
    assert str(caught.value) == message
