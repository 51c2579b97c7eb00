"""Asking services: every way in which one can fail, against real servers on this machine."""

from __future__ import annotations

import gzip
import zlib
from datetime import UTC, datetime

import pytest

from esascore.errors import UsageError
from esascore.link.services.http import (
    HttpPolicy,
    HttpService,
    ServiceFailure,
    check_url,
    key_header,
    redirect_target,
)

TWICE = HttpPolicy(attempts=2, max_bytes=1000)
ONCE = HttpPolicy(attempts=1, max_bytes=1000)
IMPATIENT = HttpPolicy(connect_timeout=0.5, read_timeout=0.2, total_timeout=0.4, attempts=2)
JSON = {"Content-Type": "application/json"}
SECRET = "s3cret-key"


@pytest.fixture
def waits(monkeypatch):
    """How long would have been waited between attempts, with the most that chance adds."""
    seconds = []
    monkeypatch.setattr("time.sleep", seconds.append)
    monkeypatch.setattr("random.random", lambda: 1.0)
    return seconds


pytestmark = pytest.mark.usefixtures("waits")


def service(url, policy=TWICE, **more):
    return HttpService(url, policy, **more)


def failure(made, body=b"{}"):
    with pytest.raises(ServiceFailure) as caught:
        made.post(body, JSON)
    return caught.value


def test_what_is_sent_and_answered(serve):
    server = serve(lambda exchange: exchange.reply("yes"))
    made = service(server.url + "/api")
    assert made.post(b'{"a": 1}', JSON) == b"yes"
    (seen,) = server.seen
    assert (seen.path, seen.body, seen.headers["Content-Type"]) == ("/api", b'{"a": 1}', "application/json")
    assert seen.headers["User-Agent"].startswith("esascore/")
    assert "Authorization" not in seen.headers


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("", "must begin with http"),
        ("127.0.0.1:5555", "must begin with http"),
        ("file:///etc/passwd", "must begin with http"),
        ("gopher://example.org", "must begin with http"),
        ("http://", "not a valid URL"),
        ("http:///path", "not a valid URL"),
        ("http://exam ple.org", "not a valid URL"),
        ("http://example..org", "not a valid URL"),
        ("http://example.org\r\nX: y", "not a valid URL"),
        ("http://example.org\\@evil.org", "not a valid URL"),
        ("http://example.org|x", "not a valid URL"),
        ("http://b\u00fccher.example", "not a valid URL"),
        ("http://example.org:99999", "not a valid URL"),
        ("http://[::1", "not a valid URL"),
        ("http://me:hunter2", "not a valid URL"),
        ("http://me:hunter2@example.org", "ESASCORE_LINKER_KEY"),
        ("http://hunter2@example.org", "ESASCORE_LINKER_KEY"),
        ("http://example.org/?key=hunter2", "ESASCORE_LINKER_KEY"),
        ("http://example.org/#hunter2", "ESASCORE_LINKER_KEY"),
    ],
)
def test_addresses_that_are_refused(url, problem):
    with pytest.raises(UsageError, match=problem) as caught:
        HttpService(url)
    assert "hunter2" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["http://localhost", "HTTPS://example.org:8443/a/b", "http://[::1]:5555/", "https://a.b/~x/%20"]
)
def test_addresses_that_are_taken(url):
    assert check_url(url) == url


@pytest.mark.parametrize(
    "wrong", [{"attempts": 0}, {"read_timeout": 0.0}, {"max_bytes": 0}, {"connect_timeout": -1.0}]
)
def test_policies_that_make_no_sense(wrong):
    with pytest.raises(UsageError, match="more than 0"):
        HttpPolicy(**wrong)


@pytest.mark.parametrize(
    ("key", "header", "value"),
    [
        (SECRET, "Authorization", f"Bearer {SECRET}"),
        (f"X-Api-Key: {SECRET}", "X-Api-Key", SECRET),
        (f" {SECRET}\n", "Authorization", f"Bearer {SECRET}"),
    ],
)
def test_a_key_goes_into_a_header(serve, monkeypatch, key, header, value):
    server = serve(lambda exchange: exchange.reply("yes"))
    monkeypatch.setenv("ESASCORE_LINKER_KEY", key)
    made = service(server.url)
    made.post(b"", JSON)
    assert server.seen[0].headers[header] == value
    unkeyed = service(server.url, key="")
    unkeyed.post(b"", JSON)
    assert header not in server.seen[1].headers


@pytest.mark.parametrize("key", [SECRET, f"X-Api-Key: {SECRET}"])
@pytest.mark.parametrize("status", [200, 403, 503])
def test_a_key_is_never_shown(serve, key, status):
    def echo(exchange):
        exchange.reply(f"bad key {SECRET} in {exchange.seen.headers}", status)

    made = service(serve(echo).url, ONCE, key=key)
    assert SECRET not in repr(made)
    if status == 200:
        assert SECRET not in made.safe(made.post(b"", JSON).decode())
    else:
        assert SECRET not in str(failure(made))


@pytest.mark.parametrize("key", [f"{SECRET}\r\nX-Evil: 1", f"{SECRET}\x00", f"{SECRET}\u20ac"])
def test_a_key_that_cannot_be_sent_is_not_shown_either(key):
    with pytest.raises(UsageError, match="ESASCORE_LINKER_KEY") as caught:
        key_header(key)
    assert SECRET not in str(caught.value)


def test_a_key_is_not_sent_in_clear_text_to_other_machines():
    with pytest.raises(UsageError, match="without encryption") as caught:
        HttpService("http://example.org", key=SECRET)
    assert SECRET not in str(caught.value)
    assert HttpService("https://example.org", key=SECRET)
    assert HttpService("http://localhost:1", key=SECRET)


def test_down(closed_port, waits):
    made = service(closed_port, HttpPolicy(attempts=4))
    failed = failure(made)
    assert failed.everywhere
    assert str(failed) == f"{closed_port} cannot be reached: Connection refused (4 attempts)"
    assert waits == [0.5, 1.0, 2.0]


def test_waiting_is_varied_by_chance(closed_port, waits, monkeypatch):
    monkeypatch.setattr("random.random", lambda: 0.0)
    failure(service(closed_port, HttpPolicy(attempts=4)))
    assert waits == [0.25, 0.5, 1.0]


def test_a_name_that_does_not_exist():
    made = service("http://nowhere.invalid", ONCE)
    assert "http://nowhere.invalid cannot be reached" in str(failure(made))


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
def test_what_may_pass_is_tried_again(serve, waits, status):
    server = serve(lambda e: e.reply("yes") if e.answered_before == 2 else e.reply("no", status))
    made = service(server.url, HttpPolicy(attempts=3))
    assert made.post(b"x", JSON) == b"yes"
    assert [seen.body for seen in server.seen] == [b"x"] * 3
    assert waits == [0.5, 1.0]


@pytest.mark.parametrize(
    ("status", "everywhere"), [(400, False), (422, False), (401, True), (404, True), (204, True)]
)
def test_what_will_not_pass_is_not_tried_again(serve, waits, status, everywhere):
    server = serve(lambda exchange: exchange.reply("" if status == 204 else "no\x1b[31m", status))
    made = service(server.url)
    failed = failure(made)
    assert str(failed).startswith(f"{server.url} answered with status {status}")
    assert "\x1b" not in str(failed)
    assert failed.everywhere is everywhere
    assert (len(server.seen), waits) == (1, [])


@pytest.mark.parametrize(
    ("header", "wait"),
    [
        ("7", 7.0),
        ("0", 0.5),
        ("3600", 60.0),
        ("Thu, 01 Feb 2024 12:00:30 GMT", 30.0),
        ("Thu, 01 Feb 2024 11:00:00 GMT", 0.5),
        ("Fri, 01 Feb 2224 12:00:30 GMT", 60.0),
        ("soon", 0.5),
        ("-1", 0.5),
        ("9" * 400, 60.0),
        ("9" * 5000, 0.5),
        ("Fri, 01 Feb 99999999999 12:00:30 GMT", 0.5),
        ("Fri, 01 Feb 99999 12:00:30 GMT", 0.5),
        ("Fri, 01 Feb 2024 12:00:30 +99999999999999999999", 0.5),
        ("Fri, 01 Feb 9999 12:00:30 -999999", 60.0),
    ],
)
def test_retry_after(serve, waits, monkeypatch, header, wait):
    noon = datetime(2024, 2, 1, 12, tzinfo=UTC).timestamp()
    monkeypatch.setattr("time.time", lambda: noon)
    server = serve(lambda e: e.reply("yes") if e.answered_before else e.reply("", 429, Retry_After=header))
    made = service(server.url)
    assert made.post(b"", JSON) == b"yes"
    assert waits == [wait]


def test_a_server_that_says_nothing(serve):
    server = serve(lambda exchange: exchange.hang())
    made = service(server.url, IMPATIENT)
    failed = failure(made)
    assert str(failed) == f"{server.url} took too long to answer (2 attempts)"
    assert failed.everywhere
    assert len(server.seen) == 2


HEAD = b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
    "pieces",
    [
        [HEAD + b"Content-Length: 500\r\n\r\n", *[b" "] * 500],
        [HEAD + b"Transfer-Encoding: chunked\r\n\r\n", *[b"1\r\nx\r\n"] * 500],
        [b"HTTP/1.0 200 OK\r\n\r\n", b"[]", *[b" "] * 500],
        [HEAD, *[b"X: y\r\n"] * 500],
        [*[HEAD[:1]] * 500],
    ],
    ids=["body", "chunks", "without length", "headers", "status line"],
)
def test_an_answer_that_drips(serve, pieces):
    server = serve(lambda exchange: exchange.raw(*pieces, pause=0.05))
    made = service(server.url, IMPATIENT)
    assert "took too long to answer" in str(failure(made))


def endless(exchange, head, piece):
    """Send until the other side has had enough."""
    exchange.close_connection = True
    exchange.wfile.write(head)
    try:
        for _ in range(100_000):
            exchange.wfile.write(piece)
    except ConnectionError:
        exchange.server.over.set()


BOMB = gzip.compress(bytes(50_000_000))


@pytest.mark.parametrize(
    "behave",
    [
        lambda e: e.raw(HEAD + b"Content-Length: 1001\r\n\r\n"),
        lambda e: e.reply(bytes(1001)),
        lambda e: e.raw(HEAD + b"Content-Length: 99999999999999999\r\n\r\n"),
        lambda e: endless(
            e, HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"3e8\r\n" + bytes(1000) + b"\r\n"
        ),
        lambda e: endless(e, b"HTTP/1.0 200 OK\r\n\r\n", bytes(1000)),
        lambda e: e.reply(BOMB, Content_Encoding="gzip"),
        lambda e: e.reply(gzip.compress(bytes(1001)), Content_Encoding="gzip"),
        lambda e: e.reply(gzip.compress(BOMB), Content_Encoding="gzip, gzip"),
        lambda e: e.reply(zlib.compress(bytes(1001)), Content_Encoding="deflate"),
    ],
    ids=["announced", "real", "huge", "chunked", "without length", "bomb", "gzip", "twice", "deflate"],
)
def test_an_answer_that_is_too_large(serve, behave):
    server = serve(behave)
    made = service(server.url)
    failed = failure(made)
    assert str(failed) == f"{server.url} answered with more than 1,000 bytes"
    assert not failed.everywhere
    assert len(server.seen) == 1


@pytest.mark.parametrize("packing", [{}, {"Content_Encoding": "gzip"}])
def test_the_largest_answer_that_is_not_too_large(serve, packing):
    body = gzip.compress(bytes(1000)) if packing else bytes(1000)
    made = service(serve(lambda exchange: exchange.reply(body, **packing)).url)
    assert made.post(b"", JSON) == bytes(1000)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (HEAD + b"Content-Length: 100\r\n\r\n[[1, 2", "broke off"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n64\r\n[[1, 2", "broke off"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n[[1, 2", "broke off"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n-5\r\n[[1, 2", "cannot be read (ValueError)"),
        (HEAD + b"Content-Length: 5, 6\r\n\r\n[[1, 2", "cannot be reached: InvalidHeader"),
        (HEAD + b"Content-Encoding: gzip\r\nContent-Length: 6\r\n\r\n[[1, 2", "cannot be unpacked"),
        (b"", "closed the connection without an answer"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "closed the connection without an answer"),
    ],
    ids=[
        "length",
        "chunk",
        "no chunk",
        "negative chunk",
        "two lengths",
        "packed",
        "nothing",
        "another protocol",
    ],
)
def test_an_answer_that_breaks_off(serve, raw, reason):
    server = serve(lambda e: e.raw(raw) if e.answered_before < 2 else e.reply("yes"))
    assert reason in str(failure(service(server.url, ONCE)))
    assert service(server.url).post(b"", JSON) == b"yes"
    assert len(server.seen) == 3


@pytest.mark.parametrize("status", [307, 308])
def test_redirects_within_the_host_keep_the_text(serve, status):
    def move(exchange):
        if exchange.path == "/new/":
            exchange.reply("yes")
        else:
            exchange.reply("", status, Location="/new/" if exchange.path == "/old" else "/old")

    server = serve(move)
    made = service(server.url + "/older", key=SECRET)
    assert made.post(b"text", JSON) == b"yes"
    found = [(seen.path, seen.body) for seen in server.seen]
    assert found == [(path, b"text") for path in ("/older", "/old", "/new/")]
    assert all(seen.headers["Authorization"] == f"Bearer {SECRET}" for seen in server.seen)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_redirect_to_another_host_or_port_is_not_followed(serve, status, host):
    other = serve(lambda exchange: exchange.reply("got you"))
    place = f"http://{host}:{other.server_address[1]}/"
    server = serve(lambda exchange: exchange.reply("", status, Location=place))
    made = service(server.url)
    failed = failure(made)
    assert f"redirects to another host ({host}), which is not followed" in str(failed)
    assert failed.everywhere
    assert (len(server.seen), other.seen) == (1, [])


@pytest.mark.parametrize("status", [301, 302, 303])
def test_a_redirect_that_would_lose_the_text_is_an_error(serve, status):
    server = serve(lambda exchange: exchange.reply("", status, Location="/new"))
    made = service(server.url)
    assert f"redirects with status {status}" in str(failure(made))
    assert len(server.seen) == 1


def test_redirects_have_an_end(serve):
    server = serve(lambda exchange: exchange.reply("", 307, Location="/"))
    made = service(server.url)
    assert "redirects more than 3 times" in str(failure(made))
    assert len(server.seen) == 4


@pytest.mark.parametrize(
    ("url", "location", "problem"),
    [
        ("https://a.org/", "http://a.org/", "from https to http"),
        ("https://a.org/", "https://b.org/", "another host \\(b.org\\)"),
        ("https://a.org/", "//b.org/", "another host"),
        ("https://a.org/", "https://a.org:8443/", "another host"),
        ("https://a.org/", "https://me@a.org/", "another host"),
        ("http://a.org/", "https://b.org/", "another host"),
        ("http://a.org/", "ftp://a.org/", "other than http"),
        ("http://a.org/", "javascript:x", "other than http"),
        ("http://a.org/", "http://a.org:x/", "invalid URL"),
        ("http://a.org/", "http://[b/", "invalid URL"),
    ],
)
def test_where_redirects_may_not_lead(url, location, problem):
    with pytest.raises(ServiceFailure, match=problem):
        redirect_target(url, 307, location)


@pytest.mark.parametrize(
    ("url", "location", "target"),
    [
        ("http://a.org/x", "y?z=1", "http://a.org/y?z=1"),
        ("http://a.org/", "http://A.org:80/y", "http://A.org:80/y"),
        ("http://a.org/", "https://a.org/", "https://a.org/"),
    ],
)
def test_where_redirects_may_lead(url, location, target):
    assert redirect_target(url, 307, location) == target


def test_connections_are_used_again(serve):
    server = serve(lambda exchange: exchange.reply("yes"))
    made = service(server.url)
    for _ in range(3):
        made.post(b"", JSON)
    assert len({seen.client_port for seen in server.seen}) == 1


def test_this_machine_is_not_asked_through_a_proxy(serve, closed_port, monkeypatch):
    monkeypatch.setenv("http_proxy", closed_port)
    made = service(serve(lambda exchange: exchange.reply("yes")).url, ONCE)
    assert made.post(b"", JSON) == b"yes"


def test_other_machines_are_asked_through_the_proxy_of_the_environment(serve, monkeypatch):
    proxy = serve(lambda exchange: exchange.reply("from the proxy"))
    monkeypatch.setenv("http_proxy", proxy.url)
    made = service("http://nowhere.invalid/api", ONCE)
    assert made.post(b"", JSON) == b"from the proxy"
    assert proxy.seen[0].path == "http://nowhere.invalid/api"


def test_no_password_is_taken_from_netrc_and_no_cookie_returned(serve, tmp_path, monkeypatch):
    netrc = tmp_path / "netrc"
    netrc.write_text("default login me password hunter2\n")
    monkeypatch.setenv("NETRC", str(netrc))
    server = serve(lambda exchange: exchange.reply("yes", Set_Cookie="track=me"))
    made = service(server.url)
    made.post(b"", JSON)
    made.post(b"", JSON)
    assert not any({"Authorization", "Cookie"} & set(seen.headers) for seen in server.seen)
