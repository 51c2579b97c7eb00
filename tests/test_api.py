"""The public functions agree with the commands, and their results show themselves."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import esascore
from esascore.api import Figures, Texts
from esascore.cli import main
from esascore.errors import DataError, MissingExtraError, SeveralDataError, UsageError
from esascore.examples import example_corpus_path, example_output_paths

CORPUS = [
    ["Bionico | country | Mexico"],
    [("Bionico", "course", "Dessert")],
    {"name": "Blue Spice", "stars": 3},
]
TEXTS = {
    "full": ["Bionico is a dish from Mexico.", "Bionico is a dessert.", "Blue Spice has 3 stars."],
    "poor": ["Bionico is a dish from Peru.", "", "Blue Spice has 5 stars."],
}


@pytest.fixture(scope="module")
def demo():
    return esascore.evaluate(
        example_corpus_path(), example_output_paths(), metrics=["esa", "hallucination", "faithfulness"]
    )


def run(capfd, *arguments: object) -> str:
    capfd.readouterr()
    assert main([str(argument) for argument in arguments]) == 0
    return str(capfd.readouterr().out)


def test_the_figures_are_those_of_the_command(demo, capfd, tmp_path):
    files = [example_corpus_path(), *example_output_paths().values()]
    asked = ["--metrics", "esa,hallucination,faithfulness", "-q"]
    segments = tmp_path / "segments.jsonl"
    assert demo.table().format("json") == run(capfd, "score", *files, *asked, "--format", "json")
    assert str(demo.table("category")) + "\n" == run(capfd, "score", *files, *asked, "--by", "category")
    shown = run(capfd, "score", *files, *asked, "--significance", "fluent", "--segments", segments)
    assert str(esascore.compare(demo, "fluent")) + "\n" == shown
    assert demo.segments() == [json.loads(line) for line in segments.read_text("utf-8").splitlines()]
    assert demo.to_dict() == json.loads(demo.table().format("json"))


def test_worst_texts_are_those_of_the_command(demo, capfd):
    files = [example_corpus_path(), example_output_paths()["dreamer"]]
    shown = run(capfd, "show", *files, "--worst", "3", "-q")
    heads = [line for line in shown.split("\n") if line.endswith("  dreamer")]
    worst = [line.split("  ") for line in str(demo.show(system="dreamer", worst=3)).split("\n")]
    assert [f"{id_}  {name}" for name, id_ in worst] == heads


def test_systems_in_every_form(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text(
        "".join(json.dumps({"id": f"Id{n}", "text": text}) + "\n" for n, text in enumerate(TEXTS["poor"], 1))
    )
    corpus = esascore.read_corpus(CORPUS)
    forms = {
        "list": TEXTS["poor"],
        "tuple": tuple(TEXTS["poor"]),
        "ids": {f"Id{n}": text for n, text in reversed(list(enumerate(TEXTS["poor"], 1)))},
        "path": path,
        "string": str(path),
    }
    found = esascore.evaluate(corpus, forms, metrics="esa,hallucination").to_dict()["systems"]
    assert len({json.dumps({**figures, "system": ""}) for figures in found}) == 1
    assert esascore.evaluate(corpus, [path, f"y={path}"]).systems == ["x", "y"]
    assert esascore.evaluate(corpus, str(path)).systems == ["x"]
    assert esascore.read_outputs(path, corpus) == TEXTS["poor"]


def test_attributes_that_need_not_be_mentioned(tmp_path):
    path = tmp_path / "c.jsonl"
    path.write_text(json.dumps({"data": {"name": "Blue Spice", "stars": 3, "sku": "A7"}}) + "\n", "utf-8")
    for source in (path, [{"name": "Blue Spice", "stars": 3, "sku": "A7"}]):
        corpus = esascore.read_corpus(source, optional=["stars"], ignore=["sku"])
        assert esascore.evaluate(corpus, {"x": ["Blue Spice."]}).to_dict()["systems"][0]["esa_c"] == 1
        with pytest.raises(UsageError, match="'star' fits no attribute"):
            esascore.read_corpus(source, optional=["star"])


def test_texts_of_the_corpus_itself():
    rows = [{"triples": ["A_b | c | D_e"], "text": "A b."}]
    assert esascore.evaluate(rows).to_dict()["systems"][0]["esa_c"] == 0.5


@pytest.mark.parametrize(
    ("systems", "error", "message"),
    [
        ({"a": ["x"]}, DataError, "system 'a' has 1 texts, the corpus 3 examples"),
        ({"a": ["x", 3, "y"]}, DataError, "system 'a': the text of 'Id2' is a int, not a str"),
        ({"a": {"Id1": "x", "Id9": "y"}}, DataError, "no text for 2 of 3 ids: Id2, Id3; 1 id is not in"),
        ({"a": "no/such.txt"}, DataError, "there is no such file"),
        ({"a": ["x"], "b": "no/such.txt"}, SeveralDataError, "(?s)system 'a' has 1 .*there is no such file"),
        ([["x", "y", "z"]], UsageError, "systems are {'name': texts or path}, or a list of paths"),
        ({}, UsageError, "there is no system"),
        ({"a": 3}, DataError, "system 'a': texts or a path are needed, not int"),
        (3, UsageError, "one string or several are needed, not int"),
        (None, UsageError, "the corpus contains no texts of a system"),
    ],
)
def test_systems_that_do_not_fit(systems, error, message):
    with pytest.raises(error, match=message):
        esascore.evaluate(CORPUS, systems)


def test_other_mistakes(demo):
    for call, message in [
        (lambda: esascore.evaluate(CORPUS, TEXTS, metrics="esaa"), r"no metric 'esaa': did you mean 'esa'\?"),
        (lambda: demo.table().format("latx"), r"no format 'latx': did you mean 'latex'\?"),
        (lambda: demo.detections("dreamers"), r"no system 'dreamers': did you mean 'dreamer'\?"),
        (lambda: demo.table("categry"), r"no breakdown by 'categry': did you mean 'category'\?"),
        (lambda: demo.show("x"), "there is no id 'x'"),
        (lambda: esascore.read_corpus("c.jsonl", columns={"id": "x"}), "columns are for tables in memory"),
        (lambda: esascore.evaluate(CORPUS, TEXTS, keep_detections=False).show(), "kept no detections"),
    ]:
        with pytest.raises(UsageError, match=message):
            call()


def test_one_text():
    found = esascore.detect(CORPUS[2], "Blue Spice has 5 stars.")
    assert (found.esa, [str(term) for term in found.undetected]) == (0.5, ["3"])
    assert isinstance(found, esascore.Detection)
    added = esascore.hallucinations(CORPUS[2], "Blue Spice has 5 stars.")
    assert [one.text for one in added] == ["5"]
    assert (len(added), added[0], added.to_dict()["hallucinations"][0]["text"]) == (1, added.spans[0], "5")
    assert esascore.detect([("A", "b", "C")], "C", profile="paper").esa == 0.5


def test_saved_and_loaded(demo, tmp_path):
    path = tmp_path / "demo.jsonl"
    demo.save(path)
    loaded = esascore.Evaluation.load(path)
    assert loaded.to_dict() == demo.to_dict()
    assert loaded._repr_html_() == demo._repr_html_()
    assert loaded.segments() == demo.segments()
    loaded.save(path)
    assert esascore.Evaluation.load(path).signature == demo.signature


def test_rows_for_pandas_and_arrow(demo):
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    frame, table = demo.to_pandas(), demo.to_arrow()
    assert isinstance(frame, pandas.DataFrame)
    assert isinstance(table, pyarrow.Table)
    assert list(frame.columns) == table.column_names
    assert list(frame.columns[:6]) == ["system", "id", "category", "size", "text", "blank"]
    assert len(frame) == table.num_rows == 160
    mean = frame.groupby("system")["esa"].mean()
    assert mean["fluent"] == pytest.approx(demo.to_dict()["systems"][1]["esa_c"])
    assert frame[(frame.system == "dreamer") & (frame.id == "Id7")].added.tolist() == [["Minsk"]]
    assert frame[frame.system == "forgetful"].blank.sum() == 4


def test_what_is_not_installed_is_named(demo, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'esascore\[pandas\]'"):
        demo.to_pandas()
    with pytest.raises(MissingExtraError, match=r"pip install 'esascore\[arrow\]'"):
        demo.to_arrow()


def test_results_show_themselves_in_notebooks(demo):
    shown = [
        demo,
        demo.table(),
        demo.table("category"),
        demo.significance("fluent"),
        demo.show("Id7", "Id8"),
        demo.show(worst=2),
        esascore.detect(CORPUS[0], "Bionico <b>."),
        esascore.hallucinations(CORPUS[0], "Bionico is from Peru."),
    ]
    for one in shown:
        html = one._repr_html_()
        assert "<script" not in html
        assert html.count('<div class="esascore">') == 1
        assert not any(mark in html for mark in ("http:", "https:", "src="))
    assert "<td>0.9600</td>" in demo._repr_html_()
    assert demo._repr_html_().count('<article class="card">') <= 5
    assert isinstance(demo.table(), Figures)
    assert isinstance(demo.show("Id7"), Texts)
    assert "Bionico &lt;b&gt;." not in shown[0]._repr_html_()


def test_the_report(demo, tmp_path):
    page = esascore.report(demo, tmp_path / "pages", title="Mine")
    assert page == tmp_path / "pages" / "index.html"
    assert "<title>Mine</title>" in page.read_text("utf-8")


def test_nothing_heavy_is_imported_unless_asked_for():
    code = (
        "import sys, esascore; esascore.detect([('A', 'b', 'C')], 'A'); "
        "print(sorted({'pandas', 'pyarrow', 'datasets', 'requests', 'stanza', 'IPython'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_folder_is_a_corpus(tmp_path):
    folder = Path(tmp_path, "c")
    folder.mkdir()
    (folder / "a.xml").write_text(
        '<benchmark><entries><entry eid="Id1"><modifiedtripleset><mtriple>A | b | C</mtriple>'
        "</modifiedtripleset></entry></entries></benchmark>",
        "utf-8",
    )
    assert [example.id for example in esascore.read_corpus(folder)] == ["a/Id1"]


def test_the_gate(tmp_path, capfd):
    found = esascore.check(CORPUS, TEXTS, max_hallucinations=0, min_esa=0.9)
    assert (found.passed, bool(found)) == (False, False)
    assert [gate["passed"] for gate in found.to_dict()["gates"]] == [True, True, False, False]
    assert [text["id"] for text in found.to_dict()["texts"]] == ["Id1", "Id2", "Id3"]
    assert esascore.check(CORPUS, {"full": TEXTS["full"]}, max_hallucinations=0)
    html = found._repr_html_()
    assert html.count('<article class="card">') == 3
    assert "<script" not in html
    accepted = tmp_path / "ok.jsonl"
    accepted.write_text('{"kind": "added", "span": "Peru"}\n{"kind": "added", "span": "5"}\n', "utf-8")
    assert esascore.check(CORPUS, TEXTS, max_hallucinations=0, accept=[accepted])
    assert esascore.check(CORPUS, TEXTS, max_hallucinations=0, accept=accepted)
    for settings, message in [
        ({"min_esa": "0.5"}, r"--min-esa must be a number between 0 and 1, not '0\.5'"),
        ({"min_esa": float("nan")}, "--min-esa must be a number between 0 and 1, not nan"),
        ({"max_hallucinations": -1}, "--max-hallucinations must be a whole number of at least 0, not -1"),
        ({"require": ["star"]}, r"no input has the attribute 'star': did you mean 'stars'\?"),
        ({}, "nothing to check: give a threshold"),
    ]:
        with pytest.raises(UsageError, match=message):
            esascore.check(CORPUS, TEXTS, **settings)
    esascore.evaluate(CORPUS, TEXTS).save(tmp_path / "last.jsonl")
    assert esascore.check(CORPUS, TEXTS, baseline=tmp_path / "last.jsonl")
    page = tmp_path / "x.json"
    corpus, dreamer = example_corpus_path(), example_output_paths()["dreamer"]
    assert main(["check", str(corpus), str(dreamer), "--min-esa", "1", "-o", str(page)]) == 1
    same = esascore.check(corpus, [dreamer], min_esa=1)
    assert same.to_dict() == json.loads(page.read_text("utf-8"))


def test_attributes_may_be_optional_for_one_text():
    data = {"name": "Blue Inn", "rooms": 27, "wifi": True}
    text = "Blue Inn has 27 rooms."
    assert esascore.detect(data, text).undetected == ("yes",)
    assert esascore.detect(data, text, optional=["wifi", "pool"]).esa == 1
    assert esascore.detect(data, text, ignore="wi*").entities == ("Blue Inn", "27")
    assert esascore.evaluate([data], {"a": [text]}, optional="wifi").to_dict()["systems"][0]["esa_c"] == 1


def test_a_lexicon_may_be_a_dict(tmp_path):
    data, text = [("Abilene", "country", "Mexico")], "The Friendly Frontier is in Mexico."
    forms = {"Abilene": ["the Friendly Frontier"]}
    assert esascore.detect(data, text, lexicon=forms).esa == 1
    assert esascore.evaluate([data], {"a": [text]}, lexicon=forms).segments()[0]["scores"] == {"esa": 1.0}
    file = tmp_path / "own.tsv"
    file.write_text("Abilene\tthe Friendly Frontier\n", encoding="utf-8")
    assert esascore.detect(data, text, lexicon=file).esa == 1
    with pytest.warns(FutureWarning, match="the argument lexicons is now lexicon"):
        assert esascore.detect(data, text, lexicons=[file]).esa == 1


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: esascore.detect({}, "", languge="de"), "languge"),
        (lambda: esascore.hallucinations({}, "", lexcion={}), "lexcion"),
        (lambda: esascore.evaluate([], {}, metric="esa"), "metric"),
        (lambda: esascore.check([], {}, min_eas=1), "min_eas"),
        (lambda: esascore.check_text({}, "", requires="name"), "requires"),
        (lambda: esascore.ESA(lexicn="a"), "lexicn"),
        (lambda: esascore.read_corpus([], column={}), "column"),
    ],
)
def test_unknown_arguments_are_named(call, argument):
    with pytest.raises(esascore.EsascoreError, match=rf"has no argument '{argument}': did you mean '"):
        call()


def test_results_print_what_they_found():
    data = {"name": "Blue Inn", "rooms": 27}
    found = esascore.detect(data, "Blue Inn\nhas rooms.")
    assert "27 (rooms): not found" in str(found)
    assert '"Rome": ' in str(esascore.hallucinations(data, "Blue Inn is in Rome."))


def test_ids_are_stripped_on_both_sides():
    corpus = esascore.read_corpus([{"id": " a", "name": "Blue Inn"}, {"id": "b ", "name": "Red Inn"}])
    found = esascore.evaluate(corpus, {"mine": {"b": "Red Inn", " a ": "Blue Inn"}})
    assert found.ids == ["a", "b"]
    assert [row["scores"]["esa"] for row in found.segments()] == [1.0, 1.0]
