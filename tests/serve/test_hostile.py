"""Hostile and unusual requests: a server in a process of its own, asked through sockets."""

from __future__ import annotations

import http.client
import json
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esascore.errors import UsageError
from esascore.link.base import LinkFailure
from esascore.serve.limits import Limits
from esascore.serve.server import Server

from .conftest import Reply
from .serve_words import Nothing, Silent, Toy

SCRIPT = Path(__file__).with_name("serve_words.py")
WAIT = 10  # seconds after which a test gives up: a server that hangs fails it
OSLO = [[3, 4, "Oslo", "Oslo", 0.9, 0.9, "Place"]]
JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def served():
    """The ports of the servers by name, and the process."""
    process = subprocess.Popen(
        [sys.executable, str(SCRIPT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    ports = dict(
        zip(("plain", "hasty", "narrow", "full"), map(int, process.stdout.readline().split()), strict=True)
    )
    yield ports
    out, err = process.communicate(timeout=WAIT)
    assert out == "closed\n"
    assert process.returncode == 0
    # Whatever was asked, nothing of it is in what the server reports.
    assert {line.rpartition(":")[0] for line in err.split("\n")} <= {
        "",
        "the linker failed: ValueError at serve_words.py",
    }


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=WAIT)


def replies(connection, *, head=False):
    """Everything that a server says until it closes, as replies."""
    data = b""
    while chunk := connection.recv(1 << 16):
        data += chunk
    found = []
    while data:
        top, _, data = data.partition(b"\r\n\r\n")
        first, *lines = top.decode("ascii").split("\r\n")
        version, status, _ = first.split(" ", 2)
        assert version == "HTTP/1.1"
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        size = 0 if head or status == "100" else int(headers["content-length"])
        found.append(Reply(int(status), headers, data[:size]))
        assert len(data) >= size
        data = data[size:]
    return found


def send(port, data, *, head=False, end=True):
    with connect(port) as connection:
        connection.sendall(data)
        if end:
            connection.shutdown(socket.SHUT_WR)
        return replies(connection, head=head)


def request(method="POST", target="/", body=b"", version="HTTP/1.1", **headers):
    given = {"Host": "localhost", "Content-Length": str(len(body)), "Content-Type": "application/json"}
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = "".join(f"{name}: {value}\r\n" for name, value in given.items() if value is not None)
    return f"{method} {target} {version}\r\n{lines}\r\n".encode() + body


def question(text, spans=()):
    return json.dumps({"text": text, "spans": list(spans)}).encode()


def test_a_question_is_answered(served):
    (reply,) = send(served["plain"], request(body=question("in Oslo")))
    assert reply.status == 200
    assert reply.json == OSLO
    assert reply.headers["content-type"] == "application/json"


def test_spans_are_answered(served):
    (reply,) = send(served["plain"], request(body=question("in Oslo", [[0, 2], [3, 4]])))
    assert reply.json == [[3, 4, "Oslo", "Oslo", 0.9, 0.0, "Place"]]


def test_get_says_that_it_is_up_and_head_the_same_without_a_body(served):
    (got,) = send(served["plain"], request("GET", Content_Type=None, Content_Length=None))
    (head,) = send(served["plain"], request("HEAD", Content_Type=None, Content_Length=None), head=True)
    assert got.json == {"schemaVersion": 1, "label": "status", "message": "up", "color": "green"}
    assert (got.status, got.headers) == (head.status, head.headers)
    assert got.status == 200
    assert not any(name.startswith("access-control") for name in got.headers)


BODY = question("in Oslo")
REFUSALS = {
    "no JSON": (400, request(body=b"{")),
    "no text": (400, request(body=b'{"spans": []}')),
    "a span outside": (400, request(body=question("in Oslo", [[0, 99]]))),
    "a short body": (400, request(body=BODY, Content_Length=str(len(BODY) + 1))),
    "no HTTP": (400, b"how do you do\r\n\r\n"),
    "HTTP/0.9": (400, b"GET /\r\n"),
    "no version": (400, b"GET / HTTPS/1.1\r\n\r\n"),
    "no Host": (400, request(body=BODY, Host=None)),
    "two Hosts": (400, request(body=BODY, host="localhost")),
    "a Host in pieces": (400, request(body=BODY, Host="[::1")),
    "two lengths": (400, request(body=BODY, content_length="1")),
    "length and chunks": (400, request(body=BODY, Transfer_Encoding="chunked")),
    "a negative length": (400, request(body=BODY, Content_Length="-1")),
    "a length that is no number": (400, request(body=BODY, Content_Length="+12")),
    "a header without a colon": (400, b"POST / HTTP/1.1\r\nHost: localhost\r\nnonsense\r\nX: 1\r\n\r\n"),
    "another path": (404, request(target="/annotate", body=BODY)),
    "PUT": (405, request("PUT", body=BODY)),
    "a preflight": (405, request("OPTIONS", Origin="http://example.org", Content_Length=None)),
    "a method that nobody knows": (405, request("LINK", body=BODY)),
    "no length": (411, request(body=b"", Content_Length=None)),
    "chunks": (411, request(body=b"0\r\n\r\n", Content_Length=None, Transfer_Encoding="chunked")),
    "too large": (413, request(body=b"x" * 2_001)),
    "enormous": (413, request(body=BODY, Content_Length="9" * 500)),
    "a long target": (414, request(target="/" + "a" * 5_000, body=BODY)),
    "a form": (415, request(body=BODY, Content_Type="application/x-www-form-urlencoded")),
    "plain text": (415, request(body=BODY, Content_Type="text/plain")),
    "no type": (415, request(body=BODY, Content_Type=None)),
    "another charset": (415, request(body=BODY, Content_Type="application/json; charset=latin-1")),
    "compressed": (415, request(body=BODY, Content_Encoding="gzip")),
    "another name": (421, request(body=BODY, Host="rebound.example.org")),
    "another name in the target": (421, request(target="http://rebound.example.org/", body=BODY)),
    "a long header": (431, request(body=BODY, X="a" * 5_000)),
    "many headers": (431, request(body=BODY, **{f"x{n}": "" for n in range(101)})),
    "the linker broke": (500, request(body=question("BREAK Oslo"))),
    "the linker is down": (502, request(body=question("DOWN Oslo"))),
    "HTTP/2": (505, request(body=BODY, version="HTTP/2.0")),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_refusals_have_a_status_and_say_why_without_repeating_the_request(served, case):
    status, data = REFUSALS[case]
    (reply,) = send(served["plain"], data)
    assert reply.status == status
    assert reply.headers["content-type"] == "application/problem+json"
    assert list(reply.json) == ["type", "title", "status", "detail"]
    assert reply.json["status"] == status
    assert "Oslo" not in reply.json["detail"]
    if status == 405:
        assert reply.headers["allow"] == "GET, HEAD, POST"


@pytest.mark.parametrize(
    "data",
    [
        request(body=BODY, Host="127.0.0.1:5555"),
        request(body=BODY, Host="[::1]:80"),
        request(body=BODY, Host="LOCALHOST"),
        request(body=BODY, Content_Type="Application/JSON; charset=UTF-8"),
        request(body=BODY, version="HTTP/1.0", Host=None),
        request(target="http://localhost:1/", body=BODY, Host="whatever"),
        request(target="/?x=1", body=BODY),
        b"\r\n" + request(body=BODY),
        request(body=BODY).replace(b"\r\n", b"\n", 5),
        request(body=BODY, Content_Length=f"{len(BODY):09}"),
    ],
)
def test_what_is_right_but_unusual_is_answered(served, data):
    (reply,) = send(served["plain"], data)
    assert (reply.status, reply.json) == (200, OSLO)


def test_a_body_that_is_too_large_is_refused_before_it_is_sent(served):
    with connect(served["plain"]) as connection:
        connection.sendall(request(body=b"", Content_Length=str(10**12), Expect="100-continue"))
        (reply,) = replies(connection)
    assert reply.status == 413


def test_a_client_that_sends_a_large_body_all_the_same_can_read_why_not(served):
    (reply,) = send(served["plain"], request(body=b"x" * 3_000_000))
    assert reply.status == 413


def test_a_client_that_asks_first_is_invited(served):
    with connect(served["plain"]) as connection:
        head, _, body = request(body=BODY, Expect="100-continue", Connection="close").rpartition(b"\r\n\r\n")
        connection.sendall(head + b"\r\n\r\n")
        assert connection.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(body)
        (reply,) = replies(connection)
    assert reply.json == OSLO


def test_many_requests_go_through_one_connection_even_after_mistakes(served):
    client = http.client.HTTPConnection("127.0.0.1", served["plain"], timeout=WAIT)
    client.connect()
    opened = client.sock
    for body, status in [(BODY, 200), (b"{", 400), (BODY, 200), (question("DOWN"), 502), (BODY, 200)]:
        client.request("POST", "/", body, JSON)
        answer = client.getresponse()
        assert answer.status == status
        answer.read()
    client.request("GET", "/")
    assert client.getresponse().read()
    assert client.sock is opened
    client.close()


def test_requests_sent_ahead_are_answered_in_order(served):
    ahead = [request(body=question("SLOW")), request("GET", Content_Length=None), request(body=BODY)]
    slow, status, found = send(served["plain"], b"".join(ahead))
    assert (slow.json, status.json["message"], found.json) == ([], "up", OSLO)


def test_what_follows_a_refused_request_is_never_taken_for_another(served):
    for refused in (
        request("GET", body=BODY),
        request("PUT", body=BODY),
        request(target="/x", body=BODY),
        request(body=BODY, content_length="0"),
    ):
        assert len(send(served["plain"], refused + request(body=BODY))) == 1


@pytest.mark.parametrize(
    ("version", "asked", "kept"),
    [
        ("HTTP/1.1", None, "keep-alive"),
        ("HTTP/1.1", "close", "close"),
        ("HTTP/1.0", None, "close"),
        ("HTTP/1.0", "keep-alive", "close"),
    ],
)
def test_a_connection_is_kept_as_the_client_wishes(served, version, asked, kept):
    data = request(body=BODY, version=version, Connection=asked)
    with connect(served["plain"]) as connection:
        connection.sendall(data)
        time.sleep(0.05)
        if kept == "keep-alive":
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
        found = replies(connection)
    assert [reply.headers["connection"] for reply in found] == [kept] * (2 if kept == "keep-alive" else 1)


@pytest.mark.parametrize("sent", [b"P", b"POST / HTTP/1.1\r\nHost: loc", request(body=BODY)[:-1]])
def test_a_slow_request_times_out(served, sent):
    (reply,) = send(served["hasty"], sent, end=False)
    assert reply.status == 408
    assert reply.headers["connection"] == "close"


def drip(connection):
    for _ in range(100):
        connection.sendall(b"X: y\r\n")
        time.sleep(0.05)


def test_a_request_that_drips_times_out(served):
    with connect(served["hasty"]) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\n")
        with pytest.raises(ConnectionError):
            drip(connection)


def test_an_idle_connection_is_closed_without_a_word(served):
    assert send(served["hasty"], b"", end=False) == []


def test_a_client_that_leaves_in_the_middle_gets_nothing(served):
    assert send(served["plain"], b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Le") == []


def test_who_finds_no_free_worker_is_told_to_come_back(served):
    with connect(served["narrow"]) as slow:
        slow.sendall(request(body=question("SLOW Oslo"), Connection="close"))
        time.sleep(0.2)
        (busy,) = send(served["narrow"], request(body=BODY))
        (status,) = send(served["narrow"], request("GET", Content_Length=None))
        (answered,) = replies(slow)
    assert (busy.status, busy.headers["retry-after"]) == (503, "1")
    assert busy.headers["connection"] == "keep-alive"
    assert (status.status, answered.status) == (200, 200)
    (again,) = send(served["narrow"], request(body=BODY))
    assert again.status == 200


def test_who_finds_no_free_connection_is_told_to_come_back(served):
    with connect(served["full"]) as first:
        first.sendall(request(body=BODY))
        assert first.recv(1 << 16).startswith(b"HTTP/1.1 200 ")
        (busy,) = send(served["full"], request(body=BODY))
        assert (busy.status, busy.headers["retry-after"], busy.headers["connection"]) == (503, "1", "close")
    answers = (send(served["full"], request(body=BODY))[0] for _ in range(500))
    assert next(reply for reply in answers if reply.status != 503).json == OSLO


def client_of(served, name, **policy):
    from esascore.link.services.http import HttpPolicy
    from esascore.link.services.rel import RelLinker

    quick = HttpPolicy(**{"attempts": 1, "backoff": 0.05, **policy})
    return RelLinker(f"http://127.0.0.1:{served[name]}", cache=None, policy=quick, key="")


def test_our_own_client_finds_its_way_back_to_the_text_it_sent(served):
    texts = ["in Oslo", "nothing", "", "😀 R&amp;D &amp;amp; more in Oslo", "SLOW Oslo"]
    found = client_of(served, "plain").link(texts)
    for text, links in zip(texts, found, strict=True):
        assert [(text[m.start : m.end], m.entity, m.confidence, m.type) for m in links] == (
            [("Oslo", "Oslo", 0.9, "Place")] if "Oslo" in text else []
        )


def test_our_own_client_takes_no_refusal_for_a_text_without_entities(served):
    found = client_of(served, "plain").link(["BREAK", "in Oslo", "DOWN", "x" * 3_000])
    assert [isinstance(links, LinkFailure) for links in found] == [True, False, True, True]


def test_our_own_client_comes_back_when_told_to(served):
    texts = ["SLOW Oslo", "in Oslo"]
    found = client_of(served, "narrow", attempts=8).link(texts)
    assert [len(links) for links in found] == [1, 1]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["text", "spans", "x"]), inner)
    ),
    max_leaves=8,
)
bodies = (
    st.binary(max_size=200)
    | json_values.map(lambda value: json.dumps(value).encode())
    | st.builds(
        lambda text, spans: json.dumps({"text": text, "spans": spans}).encode(),
        st.text(st.characters(codec="utf-8", exclude_characters="BDS"), max_size=30),
        st.lists(st.tuples(st.integers(-2, 40), st.integers(-2, 40)) | json_values, max_size=3),
    )
)


@settings(max_examples=150, deadline=None)
@given(bodies)
def test_whatever_the_body_is_there_is_an_answer(served, body):
    (reply,) = send(served["plain"], request(body=body))
    assert reply.status in (200, 400)
    assert isinstance(reply.json, list if reply.status == 200 else dict)


@settings(max_examples=150, deadline=None)
@given(
    st.binary(max_size=300)
    | st.lists(
        st.sampled_from(
            [
                *(b"POST / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\n", b"Host: localhost\r\n", b"\r\n", b" x\r\n"),
                *(
                    b"Content-Length: 4\r\n",
                    b"Content-Type: application/json\r\n",
                    b"Expect: 100-continue\r\n",
                ),
                *(b"Transfer-Encoding: chunked\r\n", b"null", b"\x00", b"\xff\r\n", b": \r\n"),
            ]
        ),
        max_size=8,
    ).map(b"".join)
)
def test_whatever_the_request_is_the_server_lives(served, data):
    assert all(reply.status < 500 or reply.status == 505 for reply in send(served["plain"], data))


def test_a_taken_port_is_a_usage_error_that_says_what_to_do():
    with Server(port=0, linker=Nothing, rel=True) as server:
        taken = Server(linker=Nothing, port=int(server.url.rpartition(":")[2]))
        with pytest.raises(UsageError, match="is in use: choose another, or 0 for any free port"):
            taken.start()


@pytest.mark.parametrize(
    ("host", "port", "message"),
    [
        ("no.such.host.invalid", 0, "cannot listen on this address"),
        ("203.0.113.77", 0, "cannot listen on 203.0.113.77"),
        ("127.0.0.1", 70_000, "70000 is not a port"),
    ],
)
def test_an_address_that_is_none_is_a_usage_error(host, port, message):
    with pytest.raises(UsageError, match=message):
        Server(None, host, port, linker=Nothing).start()


def test_on_other_addresses_every_name_is_answered():
    with Server(None, "0.0.0.0", 0, linker=Nothing, rel=True) as server:
        (reply,) = send(int(server.url.rpartition(":")[2]), request(body=BODY, Host="my.example.org"))
    assert (reply.status, reply.json) == (200, [])


def test_ipv6():
    if not socket.has_ipv6:
        pytest.skip("no IPv6 here")
    server = Server(None, "::1", 0, linker=Nothing, rel=True)
    try:
        server.start()
    except UsageError:
        pytest.skip("no IPv6 here")
    with server:
        assert server.url.startswith("http://[::1]:")
        with socket.create_connection(
            ("::1", int(server.url.rpartition(":")[2])), timeout=WAIT
        ) as connection:
            connection.sendall(request(body=BODY, Connection="close"))
            assert replies(connection)[0].status == 200


def test_closing_lets_running_requests_end_and_hangs_up_on_idle_ones():
    server = Server(port=0, linker=Toy, rel=True, limits=Limits(idle_seconds=60, workers=1))
    server.start()
    port = int(server.url.rpartition(":")[2])
    with connect(port) as idle, connect(port) as running:
        running.sendall(request(body=question("SLOW Oslo")))
        time.sleep(0.2)
        closing = threading.Thread(target=server.close)
        closing.start()
        assert idle.recv(100) == b""
        (reply,) = replies(running)
        closing.join(WAIT)
        assert not closing.is_alive()
        with pytest.raises(ConnectionRefusedError):
            connect(port)
    assert len(reply.json) == 1


def test_a_linker_that_answers_too_little_is_reported_not_passed_on():
    told: list[str] = []
    with Server(port=0, linker=Silent, rel=True, limits=Limits(workers=1), report=told.append) as server:
        (reply,) = send(int(server.url.rpartition(":")[2]), request(body=BODY))
    assert reply.status == 500
    assert reply.json["detail"] == "the linker failed"
    assert len(told) == 1
    assert told[0].startswith("the linker failed: ValueError at rel_protocol.py:")


def test_work_that_takes_too_long_is_stopped_and_the_next_request_answered(served):
    started = time.monotonic()
    (late,) = send(served["hasty"], request(body=question("ENDLESS")), end=False)
    assert (late.status, late.headers["retry-after"]) == (503, "1")
    (again,) = send(served["hasty"], request(body=BODY, Connection="close"), end=False)
    assert again.json == OSLO
    assert time.monotonic() - started < WAIT


def test_a_client_that_leaves_frees_its_worker(served):
    with connect(served["narrow"]) as leaving:
        leaving.sendall(request(body=question("ENDLESS")))
        time.sleep(0.1)
    answers = (send(served["narrow"], request(body=BODY))[0] for _ in range(500))
    assert next(reply for reply in answers if reply.status != 503).json == OSLO
