"""``esascore score``: the agreed fields, files and messages."""

from __future__ import annotations

import csv
import io
import json

import pytest

from esascore import ESA
from esascore.readers.corpus import read_corpus

from .conftest import json_lines

GOOD = ("Bionico is a dish from Mexico.", "Kestrel Arena is in Trondheim, Norway.")
POOR = ("null", "Kestrel Arena is in Trondheim.")


def test_json_has_the_agreed_fields(run, xml, outputs):
    result = run(
        "score", xml, outputs("good.en.txt", *GOOD), f"bad={outputs('x.txt', *POOR)}", "--format", "json"
    )
    assert result.code == 0
    document = json.loads(result.out)
    assert list(document) == ["signature", "systems"]
    good, bad = document["systems"]
    counts = {"system": "good.en", "texts": 2, "blank": 0, "undefined": 0}
    means = {"esa_c": 1.0, "esa_c_1": None, "esa_c_2": None}
    shares = {"esic_1": 0.0, "esic_2": 0.0, "esic": {"1": 0.0, "2": 0.0}}
    assert good == {**counts, **means, **shares, "undetected": {}}
    # 0 of 2 (blank) and 2 of 3 entities
    means = {"esa_c": 1 / 3, "esa_c_1": 1 / 3, "esa_c_2": 0.0}
    shares = {"esic_1": 1.0, "esic_2": 0.5, "esic": {"1": 1.0, "2": 0.5}}
    assert bad == counts | {"system": "bad", "blank": 1, **means, **shares, "undetected": {"1": 1, "2": 1}}


def test_blank_outputs_are_counted_and_named(run, xml, outputs):
    files = outputs("good.txt", *GOOD), outputs("poor.txt", *POOR)
    warning = "esascore: warning: system poor: 1 of 2 outputs are blank or null-like and score 0 (Id1)\n"
    assert run("score", xml, *files).err == warning
    assert run("score", xml, *files, "--quiet").err == ""
    assert run("--quiet", "score", xml, *files).err == ""


def test_many_blank_outputs_are_named_by_the_first(run, tmp_path, outputs):
    corpus = outputs("c.jsonl", *['{"triples": [["a", "b", "c"]], "text": ""}'] * 8)
    assert (
        "8 of 8 outputs are blank or null-like and score 0 (Id1, Id2, Id3, Id4, Id5 and 3 more)"
        in run("score", corpus).err
    )


def test_inputs_without_entities_are_counted_and_named(run, outputs):
    corpus = outputs(
        "c.jsonl", '{"triples": [["a", "b", "c"]], "text": "a c"}', '{"triples": [], "text": "x"}'
    )
    result = run("score", corpus, "--format", "json")
    assert result.err.startswith("esascore: warning: 1 of 2 inputs have no entity")
    assert "(Id2)" in result.err
    (system,) = json.loads(result.out)["systems"]
    assert (system["texts"], system["undefined"], system["esa_c"]) == (2, 1, 1.0)


def test_without_outputs_the_texts_of_the_corpus_are_scored(run, outputs):
    corpus = outputs("mine.v2.csv", "triples,text", "Bionico | country | Mexico,Bionico is a dish.")
    result = run("score", corpus, "--format", "json")
    (system,) = json.loads(result.out)["systems"]
    assert (system["system"], system["esa_c"]) == ("mine.v2", 0.5)


def test_segments_and_output_files(run, xml, outputs, tmp_path):
    files = outputs("good.txt", *GOOD), outputs("poor.txt", *POOR)
    result = run("score", xml, *files, "-q", "--format", "csv", "-o", "t.csv", "--segments", "s.jsonl")
    assert (result.code, result.out, result.err) == (0, "", "")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "t.csv").read_text())))
    assert [row["system"] for row in rows] == ["good", "poor"]
    assert json_lines(tmp_path / "s.jsonl") == [
        {"system": "good", "id": "Id1", "scores": {"esa": 1.0}},
        {"system": "good", "id": "Id2", "scores": {"esa": 1.0}},
        {"system": "poor", "id": "Id1", "scores": {"esa": 0.0}},
        {"system": "poor", "id": "Id2", "scores": {"esa": 2 / 3}},
    ]


@pytest.mark.parametrize(
    ("more", "code", "message"),
    [
        (["--metrics", "esa,bleurgh"], 2, "there is no metric 'bleurgh': did you mean 'bleu'?"),
        (["--metrics", ","], 2, "no name is given"),
        (["--profile", "nope"], 2, "nope"),
        (["--linker", "nope"], 2, "nope"),
        (["--coref", "nope"], 2, "nope"),
        (["--backend", "nope"], 2, "nope"),
        (["--input-format", "nope"], 2, "nope"),
        (["--by", "seen", "--train", "nope.xml"], 3, "nope.xml"),
        (["--train", "corpus.xml"], 2, "--train needs --by seen"),
        (["gone.txt"], 3, "gone.txt"),
        (["poor.txt"], 3, "two systems are called 'poor'"),
        (["short.txt"], 3, "1 text, but the corpus has 2 examples"),
        (["--significance", "x"], 2, "there is no system 'x' to compare with; known: poor, all\n"),
        (["--columns", "esa"], 2, "there is no column 'esa': did you mean 'esa_c'?"),
        (["--lambda", "0.3"], 2, "--lambda needs parent, "),
        (["--multi-ref", "best-f"], 2, "--multi-ref needs parent, "),
        (["--parent-tokenizer", "words", "--metrics", "parent-t"], 2, "--parent-tokenizer needs parent, "),
        (["--attributes", "--metrics", "esa,parent-t"], 2, "--attributes needs parent or parent-e in"),
        (["--cooccurrence", "x", "--metrics", "parent"], 2, "--cooccurrence needs parent-c in"),
        (["--parent-t", "paper"], 2, "--parent-t needs parent-t in"),
        (["--plot", "p.doc"], 2, "its name must end in"),
        (["--segments", "no/such/folder"], 2, "there is no folder no/such"),
        (["--segments", "poor.txt"], 2, "it is one of the files to be read"),
        (["--segments", "corpus.xml"], 2, "it is one of the files to be read"),
        (["--segments", "out.txt"], 2, "name the same file"),
    ],
)
def test_an_error_writes_nothing(refused, xml, outputs, tmp_path, more, code, message):
    poor = outputs("poor.txt", *POOR)
    outputs("short.txt", "x")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    refused(code, message, "score", xml, poor, "-q", "-o", "out.txt", *more)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_breakdowns(run, xml, outputs):
    poor = outputs("poor.txt", *POOR)

    def groups(*more: str) -> dict[str, float]:
        result = run("score", xml, poor, "--format", "json", "-q", *more)
        (system,) = json.loads(result.out)["systems"]
        (parts,) = system["by"].values()
        return {label: fields["esa_c"] for label, fields in parts.items()}

    assert groups("--by", "category") == {"Film": 2 / 3, "Food": 0.0}
    assert groups("--by", "size") == {"1": 0.0, "2": 2 / 3}
    # Film was not in the training data of WebNLG 2020, Food was
    assert groups("--by", "seen") == {"seen": 0.0, "unseen": 2 / 3}
    train = outputs("train.jsonl", '{"triples": [["a", "b", "c"]], "category": "Film"}')
    assert groups("--by", "seen", "--train", str(train)) == {"seen": 2 / 3, "unseen": 0.0}


@pytest.mark.parametrize("format_", ["table", "csv", "markdown", "latex"])
def test_every_format_is_printed(run, xml, outputs, format_):
    result = run("score", xml, outputs("a.txt", *GOOD), "--format", format_)
    assert result.code == 0
    assert "1.0" in result.out


def test_commands_and_library_agree(run, xml, outputs):
    poor = outputs("poor.txt", *POOR)
    for profile in ("default", "paper"):
        result = run("score", xml, poor, "--format", "json", "-q", "--profile", profile)
        inputs = [example.input for example in read_corpus(xml)]
        score = ESA(profile).corpus(inputs, POOR)
        document = json.loads(result.out)
        assert document["systems"][0] == {"system": "poor", **score.fields}
        assert document["signature"] == str(score.signature)


def test_backend_and_jobs_do_not_show_in_the_signature(run, xml, outputs):
    poor = outputs("poor.txt", *POOR)
    plain = run("score", xml, poor, "--format", "json")
    assert run("score", xml, poor, "--format", "json", "--jobs", "2", "--backend", "python").out == plain.out


@pytest.mark.corpora
def test_processes_give_the_same_numbers_on_a_real_corpus(run, corpora, tmp_path):
    corpus = corpora / "webnlg-2020" / "rdf-to-text-generation-test-data-with-refs-en.xml"
    systems = sorted((corpora / "webnlg-2020" / "submissions").glob("*.en"))[:6]
    results = []
    for jobs in ("1", "2"):
        segments = tmp_path / f"{jobs}.jsonl"
        result = run("score", corpus, *systems, "--format", "json", "--jobs", jobs, "--segments", segments)
        results.append((result.out, segments.read_bytes()))
    assert results[0] == results[1]
    rows = json.loads(results[0][0])["systems"]
    assert [row["texts"] for row in rows] == [1779] * 6
    assert all(0.5 < row["esa_c"] < 1 for row in rows)


def test_significance_marks_and_explains(run, xml, outputs):
    files = outputs("good.txt", *GOOD), outputs("poor.txt", *POOR)
    result = run("score", xml, *files, "--significance", "good", "--resamples", "200", "--seed", "4")
    assert result.code == 0
    assert "± half of the 95% interval; * differs from good" in result.out
    asked = ["score", xml, *files, "--significance", "good", "--test", "bootstrap", "--format", "json"]
    document = json.loads(run(*asked).out)
    assert document["significance"]["test"] == "bootstrap"
    assert set(document["systems"][1]["ci"]) == {"esa_c", "esa_c_1", "esa_c_2", "esic_1", "esic_2"}
    assert run(*asked).out == run(*asked).out


def test_outputs_by_id_give_the_same_result(run, xml, outputs):
    lines = [json.dumps({"id": id_, "text": text}) for id_, text in zip(("Id1", "Id2"), POOR, strict=True)]
    by_line, by_id = outputs("poor.txt", *POOR), outputs("poor.jsonl", *reversed(lines))
    assert run("score", xml, by_line).out == run("score", xml, by_id).out


def test_every_broken_submission_is_listed(run, xml, outputs):
    names = [outputs("short.txt", "x"), outputs("lines.jsonl", '{"text": "x"}'), "gone.txt"]
    result = run("score", xml, outputs("good.txt", *GOOD), *names, "-o", "out.txt")
    lines = result.err.rstrip("\n").split("\n")
    assert (result.code, result.out, len(lines)) == (3, "", 3)
    assert all(line.startswith("esascore: error: ") for line in lines)
    assert [str(name) in line for name, line in zip(names, lines, strict=True)] == [True] * 3


def test_standard_input(run, xml, outputs, monkeypatch):
    expected = run("score", xml, outputs("good.txt", *GOOD)).out

    def type_(content):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))

    type_("\n".join(GOOD).encode())
    assert run("score", xml, "good=-").out == expected
    type_(xml.read_bytes())
    assert run("score", "-", "good.txt").out == expected
    assert "give a file instead of one -" in run("score", "-", "mine=-").err
    type_(b'{"triples": [["Bionico", "country", "Mexico"]], "text": "Bionico."}')
    assert run("score", "-").out.split("\n")[2].startswith("stdin")
    type_(b"")
    assert "standard input: the file is empty" in run("score", "-").err


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("x.json", "{"),
        ("x.JSON", "{"),
        ("x.csv", "system,"),
        ("x.md", "| System"),
        ("x.tex", "%"),
        ("x", "System"),
    ],
)
def test_the_suffix_of_the_output_sets_the_format(run, xml, outputs, tmp_path, name, begins):
    good = outputs("good.txt", *GOOD)
    assert run("score", xml, good, "-o", tmp_path / name).code == 0
    assert (tmp_path / name).read_text("utf-8").startswith(begins)
    assert run("score", xml, good, "-o", tmp_path / name, "--format", "csv").code == 0
    assert (tmp_path / name).read_text("utf-8").startswith("system,")


def test_options_that_list_things_can_be_repeated(run, xml, outputs):
    good = outputs("good.txt", *GOOD)
    together = run("score", xml, good, "--metrics", "esa, parent", "--format", "json").out
    assert (
        run("score", xml, good, "--metrics", "esa", "--metrics", "parent", "--format", "json").out == together
    )
    several = run("score", xml, good, "--by", "category", "--by", "size", "--by", "size", "--format", "json")
    groups = json.loads(several.out)["systems"][0]["by"]
    assert {by: list(parts) for by, parts in groups.items()} == {
        "category": ["Film", "Food"],
        "size": ["1", "2"],
    }
    rows = run("score", xml, good, "--by", "category", "--by", "size").out.split("\n")
    assert [line.split()[:3] for line in (rows[0], *rows[2:7])] == [
        ["System", "Category", "Size"],
        ["good", "all", "all"],
        ["good", "Film", "all"],
        ["good", "Food", "all"],
        ["good", "all", "1"],
        ["good", "all", "2"],
    ]
    lines = run("score", xml, good, "--by", "category", "--by", "size", "--format", "csv").out.split("\n")
    groups = [["", ""], ["category", "Film"], ["category", "Food"], ["size", "1"], ["size", "2"]]
    assert [line.split(",")[1:3] for line in lines[1:6]] == groups


def test_metrics_that_compare_with_references_warn_where_there_are_none(run, tmp_path, outputs):
    corpus = tmp_path / "c.jsonl"
    corpus.write_text(
        '{"id": "a", "triples": ["A | b | C"], "references": ["A has C."]}\n'
        '{"id": "z", "triples": ["A | b | C"]}\n'
    )
    texts = outputs("s.txt", "A has C.", "A has C.")
    result = run("score", corpus, texts, "--metrics", "esa,bleu,parent,faithfulness-ref")
    assert result.code == 0
    assert (
        "1 of 2 inputs have no reference: bleu, parent, faithfulness-ref cannot score them, and they are "
        "excluded (z)" in result.err
    )
    assert "no reference" not in run("score", corpus, texts, "--metrics", "esa,faithfulness").err


def test_a_backend_whose_packages_are_missing_is_a_missing_extra(run, xml, outputs, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    result = run("score", xml, outputs("good.txt", *GOOD), "--backend", "cuda")
    assert result.code == 5
    assert "pip install 'esascore[cuda]'" in result.err


def test_data_have_hallucinations(run, outputs, tmp_path):
    outputs("flat.jsonl", '{"id": "a", "name": "Inn", "city": "Oslo", "text": "Inn is in Rome."}')
    outputs("data.jsonl", '{"id": "a", "data": {"name": "Inn", "city": "Oslo"}, "text": "Inn is in Rome."}')
    outputs("triples.jsonl", '{"triples": [["a", "b", "c"]], "text": "a"}')

    def scored(*arguments):
        return json.loads(run("score", *arguments, "--format", "json").out)["systems"][0] | {"system": ""}

    flat, data, triples = map(scored, ("flat.jsonl", "data.jsonl", "triples.jsonl"))
    assert flat == data
    assert (flat["esa_c"], flat["hallucination"]) == (0.5, 1.0)
    assert "hallucination" not in triples
    pytest.importorskip("pyarrow")
    assert scored("flat.jsonl", "--out", "run") == data


def test_columns_and_digits(run, xml, outputs):
    outputs("a.txt", "Bionico.", "Norway.")
    shown = run("score", xml, "a.txt", "--columns", "ESA_C,esic_1", "--digits", "2").out.split("\n")
    assert [shown[0].split(), shown[2].split()] == [["System", "ESA_C", "ESIC^1"], ["a", "0.42", "1.00"]]
    found = json.loads(run("score", xml, "a.txt", "--columns", "esa_c", "--format", "json").out)
    assert "esic_1" in found["systems"][0]


def test_latex_fits_on_a_page(run, xml, outputs):
    outputs("a.txt", "Bionico.", "Norway.")
    outputs("b.txt", "Bionico.", "Trondheim.")
    given = "score", xml, "a.txt", "b.txt", "--format", "latex", "--metrics", "esa,hallucination,faithfulness"
    header = next(line for line in run(*given).out.split("\n") if line.startswith("System"))
    assert header.count("&") == 8
    assert all(one in header for one in ("ESA$_{C}$", "Halluc.", "Faith"))
    compared = run(*given, "--significance", "a").out
    assert next(line for line in compared.split("\n") if line.startswith("System")).count("&") == 5
    every = run(
        *given, "--columns", "texts,blank,esa_c,esa_c_1,esa_c_2,esic_1,esic_2,hallucination,faithfulness"
    ).out
    assert next(line for line in every.split("\n") if line.startswith("System")).count("&") == 9


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_a_plot(run, xml, outputs, tmp_path, suffix):
    pytest.importorskip("matplotlib")
    outputs("a.txt", "Bionico.", "Norway.")
    outputs("b$x.txt", "Bionico is from Peru.", "Trondheim.")
    plain = run("score", xml, "a.txt", "b$x.txt", "--metrics", "esa,hallucination,bleu")
    result = run(
        "score", xml, "a.txt", "b$x.txt", "--metrics", "esa,hallucination,bleu", "--plot", f"p.{suffix}"
    )
    assert (result.code, result.out) == (0, plain.out)
    drawn = (tmp_path / f"p.{suffix}").read_bytes()
    assert len(drawn) > 5_000
    if suffix == "svg":
        for text in (
            "ESA_C, 95% intervals",
            "ESA_C by category",
            "Food",
            "rank by BLEU",
            "rank by ESIC",
            "b$x",
        ):
            assert text.encode() in drawn
