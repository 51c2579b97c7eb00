"""Web services that behave as a test wants, on ports of their own."""

from __future__ import annotations

import contextlib
import json
import socket
import socketserver
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest


@dataclass
class Seen:
    """A request that arrived."""

    path: str
    headers: dict[str, str]
    body: bytes
    client_port: int

    @property
    def json(self):
        return json.loads(self.body)


class Exchange(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 10

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        seen = Seen(self.path, dict(self.headers), body, self.client_address[1])
        self.server.seen.append(seen)
        self.seen = seen
        self.answered_before = len(self.server.seen) - 1
        with contextlib.suppress(ConnectionError):
            self.server.behaviour(self)

    def reply(self, body: bytes | str | list | dict = b"", status: int = 200, **headers: str) -> None:
        """Send an answer that is as it should be."""
        text = body if isinstance(body, bytes | str) else json.dumps(body)
        raw = text.encode() if isinstance(text, str) else text
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def raw(self, *pieces: bytes, pause: float = 0.0) -> None:
        """Send bytes as they are, then close the connection."""
        self.close_connection = True
        for number, piece in enumerate(pieces):
            if number and pause and self.server.over.wait(pause):
                return
            self.wfile.write(piece)
            self.wfile.flush()

    def hang(self) -> None:
        """Say nothing until the test is over."""
        self.close_connection = True
        self.server.over.wait(10)

    def log_message(self, *args):
        pass


class FakeServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, behaviour: Callable[[Exchange], object]):
        super().__init__(("127.0.0.1", 0), Exchange)
        self.behaviour = behaviour
        self.seen: list[Seen] = []
        self.over = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def server_bind(self):
        # That of HTTPServer looks up the name of the machine, which can take seconds.
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", self.server_address[1]

    def handle_error(self, request, client_address):
        pass


@dataclass
class Serving:
    servers: list[FakeServer] = field(default_factory=list)

    def __call__(self, behaviour: Callable[[Exchange], object]) -> FakeServer:
        server = FakeServer(behaviour)
        self.servers.append(server)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.005}, daemon=True).start()
        return server


@pytest.fixture
def serve():
    """Start a server on this machine whose answers a function writes."""
    serving = Serving()
    yield serving
    for server in serving.servers:
        server.over.set()
        server.shutdown()
        server.server_close()


@pytest.fixture
def closed_port() -> str:
    """The URL of a port on which nobody listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{one.getsockname()[1]}"


@pytest.fixture(autouse=True)
def no_environment(monkeypatch, tmp_path):
    """No test uses the key, the proxies or the cache of who runs it."""
    for name in (
        "ESASCORE_LINKER_KEY",
        "http_proxy",
        "HTTP_PROXY",
        "https_proxy",
        "all_proxy",
        "ALL_PROXY",
        "no_proxy",
        "NO_PROXY",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ESASCORE_CACHE", str(tmp_path / "answers.sqlite"))
