"""The API: the same JSON as the command line and the guard, problems as RFC 9457, limits, token, metrics."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request

import pytest

import esascore
from esascore.serve.limits import Limits
from esascore.serve.server import Server

from .conftest import Reply

HOTEL = {"name": "Casa do Rio", "city": "Porto", "rooms": 27}
ITEMS = [
    {"data": HOTEL, "text": "Casa do Rio in Porto has 32 rooms."},
    {"id": "b", "triples": [["Bionico", "country", "Mexico"]], "text": "Bionico is Mexican."},
    {"id": "c", "triples": ["Bionico | course | Dessert"], "text": ""},
]
LIMITS = Limits(workers=1, max_bytes=20_000, max_items=5, max_facts=50)


def ask(server, path, body=None, *, kind="application/json", method=None, **headers):
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    given = {"Content-Type": kind} if data is not None else {}
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    asked = urllib.request.Request(server.url + path, data, given, method=method)
    try:
        with urllib.request.urlopen(asked, timeout=30) as reply:
            return Reply(reply.status, {k.lower(): v for k, v in reply.headers.items()}, reply.read())
    except urllib.error.HTTPError as error:
        with error:
            return Reply(error.code, {k.lower(): v for k, v in error.headers.items()}, error.read())


@pytest.fixture(scope="module")
def server():
    told = []
    guard = {"optional": ["city"]}
    with Server(guard, port=0, limits=LIMITS, report=told.append) as running:
        yield running
    assert told == []


def test_check_is_the_verdict_of_a_guard(server):
    found = ask(server, "/v1/check", {"items": ITEMS})
    guard = esascore.Guard(optional=["city"])
    assert found.status == 200
    assert found.json["signature"] == guard.signature == found.headers["esascore-signature"]
    data = [HOTEL, [("Bionico", "country", "Mexico")], [("Bionico", "course", "Dessert")]]
    for one, given, item, id_ in zip(found.json["items"], data, ITEMS, ("Id1", "b", "c"), strict=True):
        assert one == {"id": id_, **guard.check(given, item["text"]).to_dict()}


def test_mentions_are_given_to_those_who_ask(server):
    [one, *_] = ask(server, "/v1/check?mentions=true", {"items": ITEMS}).json["items"]
    assert [mention["entity"] for mention in one["mentions"]] == ["Casa do Rio", "Porto"]


def test_detect_and_score_write_what_the_commands_write(server, tmp_path, capsys):
    from esascore.cli import main

    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("".join(json.dumps({"id": f"Id{n}", **item}) + "\n" for n, item in enumerate(ITEMS, 1)))
    chosen = ["--learned", "none", "--optional", "city", "-q", "--jobs", "1"]
    main(["detect", str(corpus), "--own", "-o", str(tmp_path / "found.jsonl"), *chosen])
    expected = [json.loads(line) for line in (tmp_path / "found.jsonl").read_text("utf-8").splitlines()]
    items = [{**item, "id": own["id"]} for item, own in zip(ITEMS, expected, strict=True)]
    assert ask(server, "/v1/detect", {"items": items}).json["items"] == expected
    segments = tmp_path / "segments.jsonl"
    metrics = "esa,hallucination,faithfulness"
    main(
        ["score", str(corpus), "--metrics", metrics, "--segments", str(segments), "--format", "json", *chosen]
    )
    scored = ask(server, f"/v1/score?metrics={metrics}", {"items": items}).json
    expected = [json.loads(line) for line in segments.read_text("utf-8").splitlines()]
    assert scored["items"] == [{"id": one["id"], "scores": one["scores"]} for one in expected]
    assert scored["signature"] == json.loads(capsys.readouterr().out)["signature"]


def test_lines_go_in_and_come_out(server):
    lines = "\n".join(map(json.dumps, ITEMS)).encode()
    found = ask(server, "/v1/check", lines, kind="application/x-ndjson")
    assert found.headers["content-type"] == "application/x-ndjson"
    whole = ask(server, "/v1/check", {"items": ITEMS}).json
    assert [json.loads(line) for line in found.body.decode().splitlines()] == whole["items"]
    assert found.headers["esascore-signature"] == whole["signature"]
    wrong = ask(server, "/v1/check", lines + b"\n{", kind="application/x-ndjson")
    assert (wrong.status, wrong.json["detail"][:7]) == (400, "line 4:")


def test_profiles_can_be_chosen(server):
    rulers = {one["profile"]: one["signature"] for one in ask(server, "/v1/rulers").json["rulers"]}
    assert set(rulers) == {"default", "paper"}
    found = ask(server, "/v1/check?profile=paper", {"items": ITEMS})
    assert found.json["signature"] == rulers["paper"]
    for wrong in ("other", ""):
        assert ask(server, f"/v1/check?profile={wrong}", {"items": []}).status == 422


TOO_MANY = [{"data": {}, "text": ""}] * 6
REFUSED = {
    "no JSON": (400, "/v1/check", b"{"),
    "no UTF-8": (400, "/v1/check", b'{"items": ["\xff"]}'),
    "a number that is none": (400, "/v1/check", b'{"items": [NaN]}'),
    "nested too deeply": (400, "/v1/check", b"[" * 9_000),
    "no items": (422, "/v1/check", {"texts": []}),
    "more than items": (422, "/v1/check", {"items": [], "profile": "x"}),
    "an item that is none": (422, "/v1/check", {"items": ["x"]}),
    "no input": (422, "/v1/check", {"items": [{"text": "x"}]}),
    "two inputs": (422, "/v1/check", {"items": [{"data": {}, "triples": [], "text": "x"}]}),
    "no text": (422, "/v1/check", {"items": [{"data": {}}]}),
    "a text that is none": (422, "/v1/check", {"items": [{"data": {}, "text": 3}]}),
    "a triple of two": (422, "/v1/check", {"items": [{"triples": [["a", "b"]], "text": ""}]}),
    "another field": (422, "/v1/check", {"items": [{"data": {}, "text": "", "txt": ""}]}),
    "a metric that is none": (422, "/v1/score?metrics=esb", {"items": ITEMS}),
    "too many items": (413, "/v1/check", {"items": TOO_MANY}),
    "too many facts": (413, "/v1/check", {"items": [{"data": list(map(str, range(51))), "text": ""}]}),
    "too many bytes": (413, "/v1/check", b" " * 20_001),
    "another path": (404, "/v1/chek", {"items": []}),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusals_are_problems(server, case):
    status, path, body = REFUSED[case]
    found = ask(server, path, body)
    assert found.status == status
    assert found.headers["content-type"] == "application/problem+json"
    assert found.json["status"] == status
    assert found.json["detail"]


def test_methods_types_and_names(server):
    assert ask(server, "/v1/check").status == 405
    assert ask(server, "/v1/check").headers["allow"] == "POST"
    assert ask(server, "/v1/check", b"{}", kind="text/plain").status == 415
    assert ask(server, "/v1/rulers", Host="example.org").status == 421
    assert "access-control-allow-origin" not in ask(server, "/", Origin="http://example.org").headers


def test_the_page_loads_nothing_from_elsewhere(server):
    page = ask(server, "/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    policy = page.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in policy
    files = re.findall(r'(?:src|href)="([^"#]+)"', page.body.decode())
    assert files
    for name in files:
        assert name.startswith("/page/")
        assert ask(server, name).status == 200


def test_what_machines_ask(server):
    assert ask(server, "/healthz").json["status"] == "alive"
    assert ask(server, "/readyz").json == {"status": "ready", "workers": 1}
    assert ask(server, "/healthz", method="HEAD").body == b""
    ask(server, "/v1/check", {"items": ITEMS})
    shown = ask(server, "/metrics").body.decode()
    assert re.search(r'^esascore_requests_total\{route="/v1/check",status="200"\} \d+$', shown, re.MULTILINE)
    assert re.search(r"^esascore_texts_total \d+$", shown, re.MULTILINE)
    assert "Casa do Rio" not in shown
    described = ask(server, "/openapi.json").json
    assert set(described["paths"]) == {"/v1/check", "/v1/detect", "/v1/score", "/v1/report", "/v1/rulers"}
    assert ask(server, "/docs").status == 404


def files(corpus, **outputs):
    given = [{"name": name, "content": content} for name, content in outputs.items()]
    return {"corpus": {"name": "corpus.jsonl", "content": corpus}, "outputs": given}


def test_files_become_a_report_with_progress(server):
    corpus = "".join(json.dumps({"data": {**HOTEL, "rooms": n}}) + "\n" for n in range(30))
    texts = "".join(f"Casa do Rio in Porto has {n} rooms.\n" for n in range(30))
    found = ask(server, "/v1/report", files(corpus, mine=texts, other="Casa do Rio.\n" * 30))
    *steps, last = [json.loads(line) for line in found.body.decode().splitlines()]
    assert steps[-1] == {"done": 60, "all": 60}
    result = last["result"]
    assert [(one["system"], one["texts"]) for one in result["systems"]] == [("mine", 30), ("other", 30)]
    assert result["systems"][0]["esa_c"] == 1
    assert result["html"].startswith("<!DOCTYPE html>")
    assert result["columns"][0][1] == "Texts"


def test_files_that_do_not_fit_are_told_by_their_names(server):
    found = ask(server, "/v1/report", files('{"data": {}}\n', mine="a\nb\n"))
    assert found.status == found.json["status"] == 422
    assert "mine" in found.json["detail"]
    assert "/" not in found.json["detail"]
    assert ask(server, "/v1/report", files("", **{"../../x": ""})).status == 422
    assert ask(server, "/v1/report", {"corpus": {"name": "x", "content": 3}, "outputs": []}).status == 422
    assert ask(server, "/v1/report?profile=x", files('{"data": {}}\n', mine="a\n")).status == 422


def test_a_token_is_needed_where_one_is_set():
    limits = Limits(workers=1)
    origins = ["http://pages.example"]
    with Server({}, port=0, limits=limits, token="secret", origins=origins) as running:
        assert ask(running, "/v1/rulers").status == 401
        assert ask(running, "/v1/rulers").headers["www-authenticate"] == "Bearer"
        assert ask(running, "/v1/rulers", Authorization="Bearer secres").status == 401
        assert ask(running, "/metrics").status == 401
        assert ask(running, "/v1/rulers", Authorization="Bearer secret").status == 200
        assert ask(running, "/healthz").status == ask(running, "/").status == 200
        allowed = ask(running, "/", Origin="http://pages.example")
        assert allowed.headers["access-control-allow-origin"] == "http://pages.example"
        assert "access-control-allow-origin" not in ask(running, "/", Origin="http://other.example").headers


def test_one_client_does_not_take_everything():
    limits = Limits(workers=1, per_client=0)
    with Server({}, port=0, limits=limits, hosts=["guard.example"]) as running:
        refused = ask(running, "/v1/rulers")
        assert (refused.status, refused.headers["retry-after"]) == (429, "1")
        assert ask(running, "/healthz", Host="guard.example").status == 200
