"""esascore linker: indexes that are built, a server that is started, asked and stopped."""

from __future__ import annotations

import bz2
import http.client
import json
import signal
import socket
from contextlib import ExitStack, contextmanager
from urllib.parse import urlsplit

import click
import pytest

from esascore.cli import linker as group
from esascore.link.gazetteer.linker import gazetteer_linker
from fakes import serving

LABEL = '<http://dbpedia.org/resource/{}> <http://www.w3.org/2000/01/rdf-schema#label> "{}"@en .\n'
REDIRECT = (
    "<http://dbpedia.org/resource/{}> <http://dbpedia.org/ontology/wikiPageRedirects> "
    "<http://dbpedia.org/resource/{}> .\n"
)


def test_an_index_is_built_and_found_in_texts(run, tmp_path):
    (tmp_path / "labels.nt.bz2").write_bytes(
        bz2.compress(LABEL.format("Zorblax_House", "Zorblax House").encode())
    )
    (tmp_path / "redirects.nt").write_text(REDIRECT.format("Zorbie_Hall", "Zorblax_House"), encoding="utf-8")
    shown = run("linker", "build", "labels.nt.bz2", "redirects.nt", "-o", "my.names", "--jobs", "1")
    assert (shown.code, shown.out, shown.err) == (0, "2 names of 1 entity from 2 lines\n", "")
    [links] = gazetteer_linker([tmp_path / "my.names"]).link(["I saw Zorbie Hall."])
    assert [(link.text, link.entity) for link in links] == [("Zorbie Hall", "Zorblax_House")]


def test_malformed_lines_are_told(run, tmp_path):
    (tmp_path / "a.tsv").write_text("A b\tX\nbroken\n", encoding="utf-8")
    shown = run("linker", "build", "a.tsv", "-o", "my.names", "--max-malformed", "0.5", "--jobs", "1")
    assert (shown.code, shown.out) == (0, "1 name of 1 entity from 2 lines\n")
    assert shown.err == "esascore: warning: a.tsv: 1 malformed line skipped (2)\n"
    strict = run("linker", "build", "a.tsv", "-o", "other.names", "--strict", "--jobs", "1")
    assert strict.code == 3
    assert strict.err.startswith("esascore: error: a.tsv:2: 1 of the first 2 lines ")
    assert not (tmp_path / "other.names").exists()


def test_nothing_found_is_told(run, tmp_path):
    (tmp_path / "a.nt").write_text(LABEL.format("A", "Ab").replace("@en", "@de"), encoding="utf-8")
    assert "no name was found" in run("linker", "build", "a.nt", "-o", "my.names", "--jobs", "1").err
    german = run("linker", "build", "a.nt", "-o", "my.names", "--language", "DE", "--jobs", "1")
    assert (german.out, german.err) == ("1 name of 1 entity from 1 line\n", "")
    assert run("linker", "build", "a.nt", "-o", "m", "--language", "all", "--jobs", "1").err == ""


def test_the_input_is_not_overwritten(run, tmp_path):
    (tmp_path / "a.tsv").write_text("A b\tX\n", encoding="utf-8")
    assert run("linker", "build", "a.tsv", "-o", "a.tsv").code == 2
    assert run("linker", "build", "a.tsv", "-o", "no/such/folder").code == 2
    assert run("linker", "build", "missing.tsv", "-o", "b").code == 3


def test_a_damaged_index_is_one_line(run, tmp_path, xml, outputs):
    (tmp_path / "bad.names").write_bytes(b"no index")
    shown = run(
        "score", xml, outputs("a.txt", "x", "y"), "--linker", "gazetteer", "--linker-index", "bad.names"
    )
    assert shown.code == 3
    assert (
        shown.err
        == "esascore: error: bad.names: this is not an index of names: make one with esascore linker build\n"
    )


@pytest.mark.parametrize("command", list(group.linker.commands))
def test_every_subcommand_has_help_and_an_example(run, command):
    shown = run("linker", command, "--help")
    assert shown.code == 0
    assert f"esascore linker {command}" in shown.out
    options = [one for one in group.linker.commands[command].params if isinstance(one, click.Option)]
    assert all(option.help for option in options)


# --- the server

WAIT = 20


@contextmanager
def linking(*arguments):
    """Run the command until it is stopped; gives the process and a client."""
    pytest.importorskip("uvicorn", reason="the linker server needs esascore[serve]")
    with serving("linker", "serve", "--port", "0", *arguments) as (process, address), ExitStack() as opened:
        client = http.client.HTTPConnection(urlsplit(address).netloc, timeout=WAIT)
        opened.callback(client.close)
        yield process, client


def ask(client, text, spans=()):
    body = json.dumps({"text": text, "spans": spans})
    client.request("POST", "/", body.encode(), {"Content-Type": "application/json"})
    reply = client.getresponse()
    assert reply.status == 200
    return json.loads(reply.read())


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_it_answers_from_the_corpus_and_stops_when_told(xml, stop):
    with linking("--corpus", xml) as (process, client):
        found = ask(client, "Is Kestrel Arena &amp; its park in Trondheim?")
        assert [(start, length, mention, entity) for start, length, mention, entity, *_ in found] == [
            (3, 13, "Kestrel Arena", "Kestrel_Arena"),
            (31, 9, "Trondheim", "Trondheim"),
        ]
        assert all(0 <= ed <= 1 and 0 <= md <= 1 and isinstance(tag, str) for *_, ed, md, tag in found)
        (only,) = ask(client, "Kestrel Arena, Trondheim", [[15, 9]])
        assert only[:4] == [15, 9, "Trondheim", "Trondheim"]
        process.send_signal(stop)  # with the connection still open
        out, err = process.communicate(timeout=WAIT)
    assert (process.returncode, out, err) == (0, "", "")


def test_limits_are_passed_on_and_missing_names_are_told(tmp_path):
    with linking("--max-bytes", "20", "--jobs", "1") as (process, client):
        client.request("POST", "/", b"x" * 21, {"Content-Type": "application/json"})
        reply = client.getresponse()
        assert reply.status == 413
        assert "20 bytes" in reply.read().decode()
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=WAIT)
    assert err == "esascore: warning: only names of places are known: give an INDEX or --corpus\n"


def test_a_taken_port_is_an_error_of_usage(run, xml):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run("linker", "serve", "--corpus", xml, "--port", port)
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        f"esascore: error: port {port} of 127.0.0.1 is in use: choose another, or 0 for any free port\n"
    )


def test_another_address_than_loopback_is_warned_of(run, xml):
    result = run("linker", "serve", "--corpus", xml, "--host", "203.0.113.77")
    warning, error, _ = result.err.split("\n")
    assert result.code == 2
    assert (
        "203.0.113.77 can be reached from other machines: there is no encryption and no password" in warning
    )
    assert "cannot listen on 203.0.113.77" in error


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--port", "65536"], 2),
        (["--jobs", "0"], 2),
        (["--max-bytes", "0"], 2),
        (["no-such-index"], 3),
        (["--corpus", "no-such-corpus"], 3),
    ],
)
def test_wrong_arguments_are_one_line(run, arguments, code):
    result = run("-q", "linker", "serve", *arguments)
    assert (result.code, result.out, result.err.count("\n")) == (code, "", 1)
