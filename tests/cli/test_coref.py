"""``esascore coref``, and ``--coref stanza`` where it is used."""

from __future__ import annotations

import json
import shutil
import sys
from xml.sax.saxutils import escape, quoteattr

import pytest

from esascore.coref.stanza import TRANSFORMER, WEIGHTS, StanzaModel
from esascore.run import workers


def annotated_xml(texts) -> str:
    """Invented texts as enriched WebNLG, one entry for each."""
    entries = []
    for number, one in enumerate(texts, 1):
        triples = "".join(f"<mtriple>{escape(' | '.join(triple))}</mtriple>" for triple in one.triples)
        references = "".join(
            f'<reference entity={quoteattr(entity)} number="{n}" type="{kind}">'
            f"{escape(one.text[start:end])}</reference>"
            for n, (entity, start, end, kind) in enumerate(one.mentions, 1)
        )
        entries.append(
            f'<entry category="{one.category}" eid="Id{number}" size="{len(one.triples)}">'
            f"<modifiedtripleset>{triples}</modifiedtripleset>"
            f'<lex comment="good" lid="Id1"><references>{references}</references>'
            f"<text>{escape(one.text)}</text></lex></entry>"
        )
    return f'<?xml version="1.0"?><benchmark><entries>{"".join(entries)}</entries></benchmark>'


@pytest.fixture
def gold(invented, tmp_path):
    """Write invented texts to a file."""

    def write(name: str, number: int, only: str | None = None, **more):
        path = tmp_path / name
        texts = [one for one in invented(number, **more) if only in (None, one.category)]
        path.write_text(annotated_xml(texts), encoding="utf-8")
        return path

    return write


def with_model(model) -> list[str]:
    return ["--coref", "stanza", "--coref-model", str(model)]


# esascore coref evaluate


def test_evaluate_the_root(run, gold):
    """Ten texts, eleven pronouns. Six stand for the root, and the root resolver gives it to all."""
    result = run("coref", "evaluate", gold("dev.xml", 10), "--coref", "root", "--format", "json")
    assert (result.code, result.err) == (0, "")
    found = json.loads(result.out)
    assert found["signature"] == "root"
    [row] = found["systems"]
    assert (row["system"], row["pronouns"], row["answered"]) == ("root", 11, 11)
    # Right: hall (templates 3, 4, 10), man (5), woman (6), town (7).
    assert row["precision"] == row["recall"] == 6 / 11
    assert 0 <= row["recall_low"] < 6 / 11 < row["recall_high"] <= 1


def test_evaluate_the_rules(run, gold):
    result = run("coref", "evaluate", gold("dev.xml", 10), "--by", "antecedent", "--format", "json")
    [row] = json.loads(result.out)["systems"]
    assert row["system"] == "rules"
    parts = row["by"]["part"]
    assert parts["antecedent: root"]["pronouns"] == 6
    assert parts["antecedent: not the root"]["pronouns"] == 5
    assert row["recall"] > 6 / 11


def test_evaluate_some_categories(run, gold):
    path = gold("dev.xml", 10)
    result = run("coref", "evaluate", path, "--coref", "root", "--category", "Person", "--format", "csv")
    assert result.code == 0
    header, row = result.out.split("\n")[:2]
    assert dict(zip(header.split(","), row.split(","), strict=True))["pronouns"] == "2"
    both = run("coref", "evaluate", path, "--category", "Person", "--category", "Town", "--by", "category")
    assert "category: Person" in both.out
    assert "category: Building" not in both.out


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (
            ["--category", "Food"],
            3,
            "dev.xml: no text has the category 'Food'; the categories are: Building, Person, Town",
        ),
        (["--category", "Town", "--category", "Food"], 3, "no text has the category 'Food'"),
        (["--coref", "nobody"], 2, "unknown coreference resolver 'nobody'; known: root, rules, stanza"),
        (["--coref", "rules", "--coref-model", "m"], 2, "'rules' has no models: choose stanza"),
        (["--coref", "stanza", "--coref-model", "no/model"], 2, "no/model is not a coreference model"),
        (["--by", "size"], 2, "'size' is not one of"),
    ],
)
def test_evaluate_refuses(run, gold, options, code, message):
    gold("dev.xml", 10)
    result = run("coref", "evaluate", "dev.xml", *options)
    assert (result.code, result.out) == (code, "")
    assert message in result.err
    assert result.err.count("\n") == 1


def test_texts_without_annotations(run, xml):
    for command in (["evaluate", xml], ["train", xml, "-o", "model", "--transformer", "t"]):
        xml.with_name("t").mkdir(exist_ok=True)
        (xml.with_name("t") / "config.json").write_text("{}")
        result = run("coref", *command)
        assert result.code == 3
        assert "no text here has annotated mentions" in result.err


def test_no_pronoun_has_no_figures(run, tmp_path, invented):
    one = invented(1)[0]
    names = tuple(mention for mention in one.mentions if mention[3] == "name")
    bare = type(one)(one.category, one.triples, one.text, names)
    (tmp_path / "gold.xml").write_text(annotated_xml([bare]), encoding="utf-8")
    result = run("coref", "evaluate", "gold.xml", "--format", "json")
    [row] = json.loads(result.out)["systems"]
    assert (row["pronouns"], row["precision"], row["recall"]) == (0, None, None)


# esascore coref train: what needs no Stanza


@pytest.fixture
def some_transformer(tmp_path):
    """A folder that passes for one of a transformer."""
    (tmp_path / "transformer").mkdir()
    (tmp_path / "transformer" / "config.json").write_text("{}")
    return tmp_path / "transformer"


def test_train_without_the_extra(run, gold, some_transformer, monkeypatch, tmp_path):
    for name in list(sys.modules):
        if name.split(".")[0] == "stanza":
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "stanza", None)
    result = run("coref", "train", gold("gold.xml", 10), "-o", "model", "--transformer", some_transformer)
    assert result.code == 5
    assert result.err.endswith(
        "needs the package stanza, which is not installed: pip install 'esascore[coref]'\n"
    )
    assert not list(tmp_path.glob("model*"))


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--transformer", "absent"], 2, "absent is not the folder of a transformer"),
        (["--hold-out", "Food"], 3, "gold.xml: no text has the category 'Food'"),
        (["--hold-out", "Person", "--dev", "town.xml"], 3, "town.xml: no text has the category 'Person'"),
        (["--dev", "absent.xml"], 3, "absent.xml"),
        (["--hold-out=Building", "--hold-out=Person", "--hold-out=Town"], 3, "no document with a chain"),
        (["--epochs", "0"], 2, "--epochs"),
        (["--minutes", "-1"], 2, "--minutes"),
        (["-o", "gold.xml"], 2, "gold.xml already exists"),
    ],
)
def test_train_refuses(run, gold, some_transformer, options, code, message, tmp_path):
    gold("gold.xml", 10)
    gold("town.xml", 10, only="Town")
    result = run("coref", "train", "gold.xml", "-o", "model", "--transformer", some_transformer, *options)
    assert (result.code, result.out) == (code, "")
    assert message in result.err
    assert result.err.count("\n") == 1
    assert not list(tmp_path.glob("model*"))


# esascore coref train, for real


@pytest.fixture
def train(run, small_transformer):
    def command(*arguments):
        return run("coref", "train", *arguments, "--transformer", small_transformer)

    return command


def test_train_stop_and_go_on(train, gold, tmp_path):
    path = gold("gold.xml", 10)
    common = (path, "--epochs", "2", "--batch", "4", "--seed", "3")
    whole = train(*common, "-o", "whole")
    assert (whole.code, whole.out, whole.err) == (0, "Model: whole (10 texts)\n", "")
    for _ in range(2):
        part = train(*common, "-o", "parts", "--minutes", "0")
        assert (part.code, part.out) == (0, "")
        assert part.err == "esascore: warning: training is not finished: run the command again to continue\n"
        assert sorted(p.name for p in tmp_path.iterdir() if p.is_dir()) == ["parts.training", "whole"]
    other = train(path, "--epochs", "2", "--batch", "4", "--seed", "4", "-o", "parts")
    assert other.code == 2
    assert "belongs to a run with other documents or settings" in other.err
    rest = train(*common, "-o", "parts")
    assert (rest.code, rest.out) == (0, "Model: parts (10 texts)\n")
    assert StanzaModel("parts").version() == StanzaModel("whole").version()
    again = train(*common, "-o", "parts")
    assert again.code == 2
    assert "parts already exists" in again.err


def test_train_and_evaluate(train, gold):
    path, dev = gold("gold.xml", 20), gold("dev.xml", 10, known=False)
    result = train(path, "-o", "model", "--dev", dev, "--epochs", "1")
    assert (result.code, result.err) == (0, "")
    lines = result.out.split("\n")
    assert lines[0] == "Model: model (20 texts)"
    assert lines[1].split()[:3] == ["System", "Part", "Pronouns"]
    assert any(line.split()[:3] == ["stanza", "all", "11"] for line in lines)
    assert any("antecedent: root" in line for line in lines)


def test_hold_out(train, gold):
    """Of twenty texts six are of towns; of the ten to be judged three, with a pronoun each."""
    path, dev = gold("gold.xml", 20), gold("dev.xml", 10, known=False)
    result = train(path, "-o", "model", "--hold-out", "Town", "--dev", dev, "--epochs", "1")
    assert (result.code, result.err) == (0, "")
    lines = result.out.split("\n")
    assert lines[0] == "Model: model (14 texts)"
    assert any(line.split()[:3] == ["stanza", "all", "3"] for line in lines)


def test_evaluate_the_trained_model(run, gold, trained, no_network):
    path = gold("dev.xml", 50, known=False, seed=2)
    result = run("coref", "evaluate", path, *with_model(trained), "--format", "json", "--by", "pronoun")
    assert (result.code, result.err) == (0, "")
    found = json.loads(result.out)
    assert found["signature"].startswith(f"{StanzaModel(trained).version()}+chains.")
    [row] = found["systems"]
    assert row["pronouns"] == 55
    assert row["recall"] >= 0.8
    assert set(row["by"]["part"]) == {f"pronoun: {word}" for word in ("he", "she", "it", "its", "his", "her")}


# --coref stanza in detect and score


@pytest.fixture
def asked(monkeypatch):
    """The texts that the model is asked about."""
    texts = []
    real = StanzaModel.chains

    def chains(self, some):
        texts.extend(some)
        return real(self, some)

    monkeypatch.setattr(StanzaModel, "chains", chains)
    return texts


@pytest.fixture
def corpus(tmp_path):
    """Three inputs: a text with a pronoun, one without, and one whose pronoun is part of a name."""
    entries = "".join(
        f'<entry category="Town" eid="Id{number}" size="{triples.count("|") // 2}"><modifiedtripleset>'
        + "".join(f"<mtriple>{triple}</mtriple>" for triple in triples.split("; "))
        + f'</modifiedtripleset><lex comment="good" lid="Id1">{text}</lex></entry>'
        for number, (triples, text) in enumerate(
            [
                (
                    "Norvik | leader | Ada_Holt; Ada_Holt | residence | Ember_Bridge",
                    "Ada Holt leads Norvik. Her office is in Ember Bridge.",
                ),
                ("Sarmo | leader | Bo_Berg", "Bo Berg leads Sarmo."),
                ("It_Girl | director | Jan_Vos", "It Girl was directed by Jan Vos."),
            ],
            1,
        )
    )
    path = tmp_path / "corpus.xml"
    path.write_text(f'<?xml version="1.0"?><benchmark><entries>{entries}</entries></benchmark>', "utf-8")
    return path


def detect(run, corpus, model, name="found.jsonl"):
    result = run("detect", corpus, "-o", name, *with_model(model), "--jobs", "1")
    assert (result.code, result.out, result.err) == (0, "", "")
    return [json.loads(line) for line in (corpus.parent / name).read_text("utf-8").rstrip("\n").split("\n")]


def test_detect(run, corpus, trained, asked, no_network):
    first, second, third = detect(run, corpus, trained)
    [pronoun] = [mention for mention in first["mentions"] if mention["method"] == "pronoun"]
    found = [pronoun[name] for name in ("entity", "text", "start", "end")]
    assert found == ["Ada_Holt", "Her", 23, 26]
    assert not any(m["method"] == "pronoun" for record in (second, third) for m in record["mentions"])
    # Most texts have no pronoun of their own, and cost nothing.
    assert asked == ["Ada Holt leads Norvik. Her office is in Ember Bridge."]


def test_answers_are_kept(run, corpus, trained, asked, monkeypatch, tmp_path):
    monkeypatch.setenv("ESASCORE_CACHE", str(tmp_path / "answers.sqlite"))
    first = detect(run, corpus, trained, "first.jsonl")
    assert len(asked) == 1
    assert detect(run, corpus, trained, "second.jsonl") == first
    assert len(asked) == 1
    # In another cache there is nothing.
    monkeypatch.setenv("ESASCORE_CACHE", str(tmp_path / "other.sqlite"))
    assert detect(run, corpus, trained, "third.jsonl") == first
    assert len(asked) == 2


def test_answers_of_another_model_are_not_taken(run, corpus, trained, asked, train, gold):
    """One that learnt next to nothing: its answers are its own."""
    train(gold("gold.xml", 10), "-o", "other", "--epochs", "1")
    detect(run, corpus, trained)
    detect(run, corpus, "other")
    assert len(asked) == 2


def test_the_signature_names_the_model(run, corpus, trained, outputs):
    texts = outputs("system.txt", "Ada Holt leads Norvik. Her office is old.", "Bo Berg.", "It Girl.")
    result = run("score", corpus, texts, *with_model(trained), "--format", "json", "--jobs", "1")
    assert result.code == 0
    assert f"|coref:{StanzaModel(trained).version()}+chains." in json.loads(result.out)["signature"]


def test_more_processes_find_the_same(run, trained, invented, outputs, gold, monkeypatch, tmp_path):
    monkeypatch.setattr(workers, "WORTH_A_PROCESS", 10)
    texts = invented(40, known=False, seed=9)
    path = gold("many.xml", 40, known=False, seed=9)
    system = outputs("system.txt", *(one.text for one in texts))
    found = []
    for jobs in ("1", "2"):
        monkeypatch.setenv("ESASCORE_CACHE", str(tmp_path / f"{jobs}.sqlite"))
        result = run("detect", path, system, "-o", f"{jobs}.jsonl", "--jobs", jobs, *with_model(trained))
        assert (result.code, result.err) == (0, "")
        found.append((path.parent / f"{jobs}.jsonl").read_bytes())
    assert found[0] == found[1]
    assert found[0].count(b'"pronoun"') > 30


def test_a_damaged_model(run, corpus, trained, tmp_path):
    folder = shutil.copytree(trained, tmp_path / "damaged")
    (folder / TRANSFORMER / "model.safetensors").unlink()
    result = run("detect", corpus, "-o", "d.jsonl", *with_model(folder), "--jobs", "1")
    assert (result.code, result.out) == (5, "")
    assert result.err.startswith(f"esascore: error: the coreference model {folder} is damaged")
    assert result.err.count("\n") == 1
    assert not (tmp_path / "d.jsonl").exists()


def test_stanzas_models_that_are_not_there(run, corpus, stanza, trained, tmp_path, no_network):
    for model in (["--coref", "stanza"], with_model("ontonotes"), with_model(trained / WEIGHTS)):
        result = run("detect", corpus, "-o", "d.jsonl", "--jobs", "1", "--coref-dir", tmp_path, *model)
        assert result.code == 5
        assert "Train one (esascore coref train)" in result.err
        assert result.err.count("\n") == 1
