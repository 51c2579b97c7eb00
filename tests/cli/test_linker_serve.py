"""esascore linker serve: a process that is started, asked and stopped."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import subprocess
import sys
from contextlib import closing, contextmanager
from urllib.parse import urlsplit

import click
import pytest

pytest.importorskip("uvicorn", reason="the linker server needs esascore[serve]")

from esascore.cli.linker import serve

WAIT = 20


@contextmanager
def serving(*arguments):
    """Run the command until it is stopped; gives the process and a client."""
    process = subprocess.Popen(
        [sys.executable, "-m", "esascore", "linker", "serve", "--port", "0", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        ready = process.stdout.readline()
        assert ready.startswith("listening on http://127.0.0.1:"), process.stderr.read()
        client = http.client.HTTPConnection(urlsplit(ready.split()[-1]).netloc, timeout=WAIT)
        with closing(client):
            yield process, client
    finally:
        process.kill()
        process.communicate()


def ask(client, text, spans=()):
    body = json.dumps({"text": text, "spans": spans})
    client.request("POST", "/", body.encode(), {"Content-Type": "application/json"})
    reply = client.getresponse()
    assert reply.status == 200
    return json.loads(reply.read())


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_it_answers_from_the_corpus_and_stops_when_told(xml, stop):
    with serving("--corpus", xml) as (process, client):
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
    with serving("--max-bytes", "20", "--workers", "1") as (process, client):
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
        (["--workers", "0"], 2),
        (["--max-bytes", "0"], 2),
        (["no-such-index"], 3),
        (["--corpus", "no-such-corpus"], 3),
    ],
)
def test_wrong_arguments_are_one_line(run, arguments, code):
    result = run("-q", "linker", "serve", *arguments)
    assert (result.code, result.out, result.err.count("\n")) == (code, "", 1)


def test_the_help_describes_every_option(run):
    shown = run("linker", "serve", "--help")
    assert shown.code == 0
    assert "esascore linker serve --corpus esascore-demo/corpus.jsonl" in shown.out
    assert all(parameter.help for parameter in serve.params if isinstance(parameter, click.Option))
