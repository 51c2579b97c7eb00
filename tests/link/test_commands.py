"""What commands make of an entity linker, asked over HTTP."""

from __future__ import annotations

import json

import pytest

from esascore.cli import main

TRIPLES = [
    {"id": "1", "triples": [["Ada_Hall", "location", "New_York_City"]], "text": "Ada Hall is in Gotham."},
    {"id": "2", "triples": [["Ada_Hall", "owner", "Bo_Berg"]], "text": "Ada Hall is owned by Zed of Quux."},
]
LINKS = {"Gotham": "New_York_City", "Quux": "Quux_(company)"}


def rel(exchange):
    """Answer as REL does: the known words of the text, with their places."""
    text = exchange.seen.json["text"]
    found = [
        [text.index(word), len(word), word, entity, 0.9, 0.8, "MISC"]
        for word, entity in LINKS.items()
        if word in text
    ]
    exchange.reply(found)


def failing(exchange):
    if "Quux" in exchange.seen.json["text"]:
        exchange.reply("no", status=400)
    else:
        rel(exchange)


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in TRIPLES), "utf-8")
    return str(path)


@pytest.fixture
def run(capsys):
    def command(*arguments):
        capsys.readouterr()
        code = main(list(arguments))
        return code, *capsys.readouterr()

    return command


def detections(out):
    return {row["id"]: row for row in map(json.loads, out.splitlines())}


def test_linked_entities_of_the_input_count_as_detected(run, corpus, serve):
    server = serve(rel)
    code, out, _ = run("detect", corpus, "--own", "-o", "-", "-q")
    assert code == 0
    assert detections(out)["1"]["undetected"] == ["New_York_City"]
    assert "links" not in detections(out)["1"]

    code, out, err = run("detect", corpus, "--own", "-o", "-", "--linker", "rel", "--linker-url", server.url)
    assert (code, err) == (0, "")
    found = detections(out)["1"]
    assert found["undetected"] == []
    assert [(m["entity"], m["text"], m["method"]) for m in found["mentions"]][1] == (
        "New_York_City",
        "Gotham",
        "linker",
    )
    assert [link["entity"] for link in found["links"]] == ["New_York_City"]
    # A link to something else is no mention of the input.
    assert detections(out)["2"]["undetected"] == ["Bo_Berg"]
    assert [link["entity"] for link in detections(out)["2"]["links"]] == ["Quux_(company)"]


def test_scores_name_the_linker_in_their_signature(run, corpus, serve):
    server = serve(rel)
    without = json.loads(run("score", corpus, "--format", "json", "-q")[1])
    with_linker = json.loads(
        run("score", corpus, "--format", "json", "--linker", "rel", "--linker-url", server.url)[1]
    )
    assert (without["systems"][0]["esa_c"], with_linker["systems"][0]["esa_c"]) == (0.5, 0.75)
    assert "linker:none" in without["signature"]
    assert f"linker:rel.v1({server.url})" in with_linker["signature"]


def test_linked_entities_that_are_not_in_the_input_are_hallucinations(run, corpus, serve):
    server = serve(rel)
    options = ("-o", "-", "--linker", "rel", "--linker-url", server.url)
    rows = [json.loads(line) for line in run("hallucinations", corpus, *options)[1].splitlines()]
    assert rows[0]["hallucinations"] == []  # Gotham is New York City, says the linker
    assert [(h["text"], h["entity"]) for h in rows[1]["hallucinations"]] == [
        ("Zed of Quux", "Quux_(company)")
    ]
    without = [json.loads(line) for line in run("hallucinations", corpus, "-o", "-")[1].splitlines()]
    assert [h["text"] for h in without[0]["hallucinations"]] == ["Gotham"]


@pytest.mark.parametrize("command", ["score", "detect", "hallucinations"])
def test_a_linker_that_is_down_ends_the_command(run, corpus, closed_port, command, monkeypatch):
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    own = ["--own"] if command == "detect" else []
    code, out, err = run(command, corpus, *own, "--linker", "rel", "--linker-url", closed_port)
    assert (code, out) == (4, "")
    assert err.count("\n") == 1
    assert "2 of 2 texts are unknown" in err
    assert "--allow-linker-failures" in err


def test_allowed_failures_are_counted_and_listed(run, corpus, serve, tmp_path):
    server = serve(failing)
    options = ("--linker", "rel", "--linker-url", server.url, "--allow-linker-failures")
    code, _, err = run("score", corpus, *options, "--segments", str(tmp_path / "segments.jsonl"))
    assert code == 0
    assert "no answer for 1 of 2 texts" in err
    assert "(2)" in err
    segments = [json.loads(line) for line in (tmp_path / "segments.jsonl").read_text("utf-8").splitlines()]
    assert ["linker_failure" in row for row in segments] == [False, True]

    code, out, err = run("detect", corpus, "--own", "-o", "-", *options)
    assert code == 0
    assert "no answer for 1 of 2 texts" in err
    assert detections(out)["2"]["links"] is None
    assert "400" in detections(out)["2"]["linker_failure"]
    assert "linker_failure" not in detections(out)["1"]

    code, out, err = run("hallucinations", corpus, "-o", "-", *options)
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert ["linker_failure" in row for row in rows] == [False, True]
    assert "no answer for 1 of 2 texts" in err


def test_the_report_says_which_texts_the_linker_left_out(run, corpus, serve, tmp_path):
    server = serve(failing)
    options = ("--linker", "rel", "--linker-url", server.url, "--allow-linker-failures")
    code, _, err = run("report", corpus, "-o", str(tmp_path / "site"), *options)
    assert code == 0
    assert "no answer for 1 of 2 texts" in err
    files = [path.read_bytes() for path in (tmp_path / "site").rglob("*") if path.is_file()]
    assert any(b"no answer from the linker for 1 texts" in content for content in files)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--linker", "magic"], "known: none, gazetteer, rel, spotlight"),
        (["--linker-url", "http://127.0.0.1:1"], "need --linker"),
        (["--linker", "gazetteer", "--linker-url", "http://127.0.0.1:1"], "has no address"),
        (["--linker", "rel", "--linker-url", "ftp://127.0.0.1"], "http"),
        (["--linker", "none", "--allow-linker-failures"], "needs a linker"),
        (["--linker", "spotlight"], "--linker-url"),
    ],
)
def test_options_that_make_no_sense(run, corpus, options, complaint):
    code, out, err = run("score", corpus, *options)
    assert (code, out) == (2, "")
    assert complaint in err


def test_an_outage_in_the_middle_loses_no_answer(run, tmp_path, serve, monkeypatch):
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    rows = [{**TRIPLES[0], "id": str(n), "text": f"Ada Hall {n} is in Gotham."} for n in range(40)]
    path = tmp_path / "many.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    down = [False]

    def sometimes(exchange):
        if down[0] or len(server.seen) > 15:
            exchange.reply("gone", status=503)
        else:
            rel(exchange)

    server = serve(sometimes)
    target = tmp_path / "found.jsonl"
    options = ("detect", str(path), "--own", "--linker", "rel", "--linker-url", server.url, "-o", str(target))
    code, _, err = run(*options)
    assert code == 4
    assert "of 40 texts are unknown" in err
    assert "--allow-linker-failures" in err
    assert not target.exists()
    answered = 15
    # Once it is back, only what it had not answered is asked again, and all is as if it had never left.
    server.behaviour = rel
    server.seen.clear()
    code, _, err = run(*options)
    assert (code, err) == (0, "")
    assert len({seen.json["text"] for seen in server.seen}) == len(rows) - answered
    links = [row["links"] for row in map(json.loads, target.read_text("utf-8").splitlines())]
    assert [len(own) for own in links] == [1] * len(rows)


SECRET = "s3cr3t-Zq9xKw"


@pytest.mark.parametrize("key", [SECRET, f"X-Api-Key: {SECRET}"])
def test_a_key_is_in_no_message_cache_signature_or_report(run, corpus, serve, tmp_path, monkeypatch, key):
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    monkeypatch.setenv("ESASCORE_LINKER_KEY", key)
    monkeypatch.setenv("ESASCORE_CACHE", str(tmp_path / "cache.sqlite"))

    def tell_tale(exchange):  # a service that repeats the key where it can
        sent = " ".join(f"{name}: {value}" for name, value in exchange.seen.headers.items())
        assert SECRET in sent
        if "Quux" in exchange.seen.json["text"]:
            exchange.reply(f"{SECRET} is refused: {sent}", status=400)
        else:
            rel(exchange)

    server = serve(tell_tale)
    options = ("--linker", "rel", "--linker-url", server.url, "--debug")
    shown = []
    for command in (
        (
            "score",
            "--format",
            "json",
            "-o",
            tmp_path / "scores.json",
            "--segments",
            tmp_path / "segments.jsonl",
        ),
        ("detect", "--own", "-o", tmp_path / "found.jsonl"),
        ("hallucinations", "-o", tmp_path / "flags.jsonl"),
        ("report", "-o", tmp_path / "site"),
        ("report", "-o", tmp_path / "page.html"),
    ):
        for more in ((), ("--allow-linker-failures",)):
            code, *texts = run(command[0], corpus, *map(str, command[1:]), *options, *more)
            assert code == (0 if more else 4)
            shown += texts
    assert any("***" in text for text in shown)
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {"cache.sqlite", "scores.json", "segments.jsonl", "found.jsonl", "page.html"} <= {
        p.name for p in written
    }
    for content in (*(text.encode() for text in shown), *(path.read_bytes() for path in written)):
        assert SECRET.encode() not in content
