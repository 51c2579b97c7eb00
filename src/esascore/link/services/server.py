"""A small HTTP server that answers as REL does, from any entity linker.

REL's own server says 200 to everything; this one has a status for every mistake, so that a client never
takes a failure for a text without entities. The protocol is described in docs/linker-server.md.
"""

from __future__ import annotations

import errno
import io
import json
import os
import re
import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from http.client import LineTooLong
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Final, cast
from urllib.parse import urlsplit

from esascore.errors import UsageError
from esascore.link.base import EntityLinker
from esascore.link.services.loopback import is_loopback
from esascore.link.services.rel_protocol import Answer, BadQuestion, NoAnswer, Question, answer, read_question

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

STATUS: Final = {"schemaVersion": 1, "label": "status", "message": "up", "color": "green"}
"""What GET answers: the badge that REL's server shows."""

METHODS: Final = ("GET", "HEAD", "POST")

_BLANK_LINES = (b"\r\n", b"\n")
_REQUEST_LINE = re.compile(rb"[!-~]+ [!-~]+ HTTP/[0-9]\.[0-9]\r?\n")
_RETRY_SECONDS = 1
_GOODBYE_SECONDS = 1.0  # how long a client may take to read an answer before which it was not heard out
_GOODBYE_BYTES = 1 << 22
_POLL_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Limits:
    """What a client may ask of a server.

    Attributes
    ----------
    max_bytes
        Of the body of a request; more is refused before it is read.
    max_head_bytes
        Of the request line and all headers.
    max_spans
        Spans in one request.
    workers
        Requests that are linked at the same time; the linker must bear as many threads.
    connections
        Clients connected at the same time; others are told to come back.
    read_seconds
        For a request, from its first byte to its last.
    idle_seconds
        That a connection may stay open without a request.
    write_seconds
        For a client to take its answer.
    wait_seconds
        That a request waits for a free worker before it is told to come back.
    """

    max_bytes: int = 1 << 20
    max_head_bytes: int = 1 << 15
    max_spans: int = 1_000
    workers: int = 4
    connections: int = 64
    read_seconds: float = 10.0
    idle_seconds: float = 30.0
    write_seconds: float = 10.0
    wait_seconds: float = 5.0


class LinkServer:
    """Serves an entity linker over HTTP, in REL's protocol, from threads of its own.

    Parameters
    ----------
    linker
        Answers the requests; called from up to ``limits.workers`` threads at once.
    host, port
        Where to listen. Port 0 takes a free one. On a loopback address only requests whose ``Host`` is a
        loopback name are answered, so that no web page can reach the server through a name of its own.
    limits
        What clients may ask.
    report
        Called with one line where the linker breaks; the line never holds anything of a text.

    Examples
    --------
    >>> from esascore.link.base import LinkedMention
    >>> class Oslo:
    ...     def link(self, texts, documents=None):
    ...         return [(LinkedMention(0, 4, "Oslo", "Oslo"),) if t.startswith("Oslo") else () for t in texts]
    ...     def version(self):
    ...         return "oslo"
    >>> with LinkServer(Oslo(), port=0) as server:
    ...     server.url.startswith("http://127.0.0.1:")
    True
    """

    def __init__(
        self,
        linker: EntityLinker,
        host: str = "127.0.0.1",
        port: int = 5555,
        limits: Limits | None = None,
        report: Callable[[str], None] | None = None,
    ):
        self.linker = linker
        self.host = host
        self.port = port
        self.limits = limits or Limits()
        self._report = report
        self._http: _Http | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """Where the server listens; before it has started, where it shall."""
        host, port = (self.host, self.port) if self._http is None else self._http.server_address[:2]
        name = str(host)
        return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"

    def start(self) -> None:
        """Listen, and answer from now on.

        Raises
        ------
        UsageError
            If the address is taken or none of this machine.
        """
        if self._http is not None:
            return
        self._http = _listening(self)
        self._thread = threading.Thread(
            target=self._http.serve_forever, args=(_POLL_SECONDS,), name="esascore linker", daemon=True
        )
        self._thread.start()

    def close(self, grace_seconds: float = 5.0) -> None:
        """Stop listening; requests that were read are still answered, for some seconds at most."""
        if self._http is None or self._thread is None:
            return
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()
        self._http.hang_up(grace_seconds)
        self._http = self._thread = None

    def __enter__(self) -> LinkServer:
        self.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    def report(self, line: str) -> None:
        """Tell whoever started the server."""
        if self._report is not None:
            self._report(line)


class _Refused(Exception):  # noqa: N818 - a decision about a request, not an error of ours
    """The answer to a request that is not granted."""

    def __init__(self, status: HTTPStatus, problem: str, headers: Mapping[str, str] | None = None):
        super().__init__(problem)
        self.status = status
        self.problem = problem
        self.headers = dict(headers or {})


def _bad(problem: str) -> _Refused:
    return _Refused(HTTPStatus.BAD_REQUEST, problem)


class _Incoming:
    """What a client sends, within limits of time and size."""

    def __init__(self, connection: socket.socket):
        self._raw = _TimedReads(connection)
        self._buffered = io.BufferedReader(self._raw)
        self._budget = 0

    def await_request(self, idle_seconds: float, read_seconds: float, head_bytes: int) -> bool:
        """Return whether a request begins; from then on it has a time and a number of bytes to end."""
        self._raw.give(idle_seconds)
        try:
            if not self._buffered.peek(1):
                return False
        except TimeoutError:
            return False
        self._raw.give(read_seconds)
        self._budget = head_bytes
        return True

    def readline(self, limit: int = -1, /) -> bytes:
        """Return a line of the head."""
        line = self._buffered.readline(self._budget + 1 if limit < 0 else min(limit, self._budget + 1))
        self._budget -= len(line)
        if self._budget < 0:
            raise LineTooLong("head")
        if not line.endswith(b"\n"):
            raise ConnectionAbortedError("the client stopped before the end of its request")
        return line

    def read(self, number: int) -> bytes:
        """Return so many bytes, or fewer if the client stops before."""
        return self._buffered.read(number)

    def close(self) -> None:
        self._buffered.close()


class _TimedReads(io.RawIOBase):
    """Reads from a socket until a point in time, however slowly bytes arrive."""

    def __init__(self, connection: socket.socket):
        self._connection = connection
        self._until = 0.0

    def give(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._connection.settimeout(left)
        return self._connection.recv_into(buffer)


class _Http(ThreadingHTTPServer):
    """Accepts connections, each with a thread, up to a number."""

    daemon_threads = True
    block_on_close = False
    # Elsewhere than on POSIX this option would let a second server take the same port.
    allow_reuse_address = os.name == "posix"
    request_queue_size = 64

    def __init__(self, address: tuple[Any, ...], family: socket.AddressFamily, owner: LinkServer):
        self.address_family = family
        self.owner = owner
        self.loopback = is_loopback(str(address[0]))
        self.free_workers = threading.BoundedSemaphore(owner.limits.workers)
        self._served: set[socket.socket] = set()
        self._refused: set[socket.socket] = set()
        self._changed = threading.Condition()
        super().__init__(address, _Handler)

    def server_bind(self) -> None:
        TCPServer.server_bind(self)  # without HTTPServer's look-up of this machine's name
        self.server_name, self.server_port = str(self.server_address[0]), int(self.server_address[1])

    def process_request(self, request: Any, client_address: Any) -> None:
        most = self.owner.limits.connections
        with self._changed:
            room = next((room for room in (self._served, self._refused) if len(room) < most), None)
            if room is not None:
                room.add(request)
        if room is self._served:
            super().process_request(request, client_address)
        elif room is self._refused:
            threading.Thread(target=self._turn_away, args=(request,), daemon=True).start()
        else:  # a flood: not even worth a word
            self.close_request(request)

    def _turn_away(self, request: socket.socket) -> None:
        busy = _busy()
        with suppress(OSError):
            request.settimeout(_GOODBYE_SECONDS)
            request.sendall(_message(busy.status, _problem(busy.problem), busy.headers, close=True))
        self.shutdown_request(request)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection so that the client can still read what it was told.

        Closing while bytes of the client are unread resets the connection, and with it our last answer.
        """
        try:
            with suppress(OSError):
                request.shutdown(socket.SHUT_WR)
                reads = _TimedReads(request)
                reads.give(_GOODBYE_SECONDS)
                rubbish, left = bytearray(1 << 16), _GOODBYE_BYTES
                while left > 0 and (number := reads.readinto(rubbish)):
                    left -= number
        finally:
            self._forget(request)
            self.close_request(request)

    def _forget(self, request: socket.socket) -> None:
        with self._changed:
            self._served.discard(request)
            self._refused.discard(request)
            self._changed.notify_all()

    def hang_up(self, grace_seconds: float) -> None:
        """Take no further requests from those who are connected, and wait until they have their answers."""
        with self._changed:
            for request in self._served:
                with suppress(OSError):
                    request.shutdown(socket.SHUT_RD)
            self._changed.wait_for(lambda: not self._served, grace_seconds)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients come and go; what breaks in the linker is reported where it breaks."""


class _Handler(BaseHTTPRequestHandler):
    """Answers the requests of one connection."""

    protocol_version = "HTTP/1.1"
    server: _Http

    def setup(self) -> None:
        self.connection = self.request
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)
        self.incoming = _Incoming(self.connection)
        self.rfile = cast("IO[bytes]", self.incoming)  # type: ignore[assignment]
        self.awaits_continue = False

    def finish(self) -> None:
        self.incoming.close()

    def handle_one_request(self) -> None:
        limits = self.server.owner.limits
        self.close_connection = True
        self.command = ""
        self.awaits_continue = False
        try:
            if not self.incoming.await_request(
                limits.idle_seconds, limits.read_seconds, limits.max_head_bytes
            ):
                return
            try:
                self._serve()
            except _Refused as refused:
                self._send(refused.status, _problem(refused.problem), refused.headers)
            except TimeoutError:
                self.close_connection = True
                self._send(HTTPStatus.REQUEST_TIMEOUT, _problem("the request took too long to arrive"))
        except OSError:  # the client has gone, or does not take its answer
            self.close_connection = True

    def _serve(self) -> None:
        try:
            self.raw_requestline = self.incoming.readline()
            while self.raw_requestline in _BLANK_LINES:
                self.raw_requestline = self.incoming.readline()
        except LineTooLong:
            raise _Refused(HTTPStatus.REQUEST_URI_TOO_LONG, "the request line is too long") from None
        if not _REQUEST_LINE.fullmatch(self.raw_requestline):
            raise _bad("this is no HTTP request")
        if not self.parse_request():
            return
        # Who is refused from here on leaves a body unread, which must not pass for the next request.
        keep, self.close_connection = not self.close_connection, True
        length = self._length()
        self._check_target()
        if self.command not in METHODS:
            raise _Refused(
                HTTPStatus.METHOD_NOT_ALLOWED,
                f"use one of {', '.join(METHODS)}",
                {"Allow": ", ".join(METHODS)},
            )
        if self.command != "POST":
            self.close_connection = not keep or bool(length)
            self._send(HTTPStatus.OK, STATUS)
            return
        body = self._body(length)
        self.close_connection = not keep
        try:
            asked = read_question(body, self.server.owner.limits.max_spans)
        except BadQuestion as problem:
            raise _bad(str(problem)) from None
        self._send(HTTPStatus.OK, self._linked(asked))

    def _length(self) -> int | None:
        """Return the length of the body, None if the request does not say."""
        if self.headers.defects:
            raise _bad("this is no HTTP request")
        lengths = set(self.headers.get_all("Content-Length", []))
        coded = "Transfer-Encoding" in self.headers
        if len(lengths) > 1 or (lengths and coded):
            raise _bad("the length of the body is told in two ways")
        if coded:
            raise _Refused(HTTPStatus.LENGTH_REQUIRED, "send the body whole, with its Content-Length")
        if not lengths:
            return None
        (length,) = lengths
        if not (length.isascii() and length.isdigit()):
            raise _bad("Content-Length must be a number")
        # Long before Python would refuse to read it, a number is larger than any limit.
        return int(length[-18:]) if len(length.lstrip("0")) <= 18 else 1 << 62

    def _check_target(self) -> None:
        try:
            target = urlsplit(self.path)
            hosts = [target.netloc] if target.netloc else self.headers.get_all("Host", [])
            host = urlsplit(f"//{hosts[0].strip()}").hostname if hosts else None
        except ValueError:
            raise _bad("the address of the request makes no sense") from None
        if len(hosts) > 1 or (not hosts and self.request_version != "HTTP/1.0"):
            raise _bad("one header Host is needed")
        if self.server.loopback and hosts and not (host and is_loopback(host)):
            raise _Refused(
                HTTPStatus.MISDIRECTED_REQUEST, "this server answers to localhost and 127.0.0.1 only"
            )
        if target.path not in ("", "/"):
            raise _Refused(HTTPStatus.NOT_FOUND, "there is nothing but /")

    def _body(self, length: int | None) -> bytes:
        limits = self.server.owner.limits
        if length is None:
            raise _Refused(HTTPStatus.LENGTH_REQUIRED, "Content-Length is needed")
        if length > limits.max_bytes:
            raise _Refused(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"the body may have {limits.max_bytes} bytes at most"
            )
        # Asking for this type also keeps out the requests that a web page may send without being allowed to.
        charset = str(self.headers.get_param("charset", "utf-8")).lower()
        if (
            self.headers.get_content_type() != "application/json"
            or "Content-Type" not in self.headers
            or charset not in ("utf-8", "utf8")
            or self.headers.get("Content-Encoding", "identity").lower() != "identity"
        ):
            raise _Refused(
                HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "send application/json in UTF-8, not compressed"
            )
        if self.awaits_continue:
            self._write(b"HTTP/1.1 100 Continue\r\n\r\n")
        body = self.incoming.read(length)
        if len(body) < length:
            raise _bad("the body is shorter than its Content-Length")
        return body

    def _linked(self, asked: Question) -> list[Answer]:
        owner = self.server.owner
        if not self.server.free_workers.acquire(timeout=owner.limits.wait_seconds):
            raise _busy()
        try:
            return answer(owner.linker, asked)
        except NoAnswer as problem:
            raise _Refused(HTTPStatus.BAD_GATEWAY, str(problem)) from None
        except Exception as error:
            # Its message may hold the text; its type and place do not.
            place = error.__traceback__
            while place is not None and place.tb_next is not None:
                place = place.tb_next
            where = "" if place is None else f" at {_file_name(place)}:{place.tb_lineno}"
            owner.report(f"the linker failed: {type(error).__name__}{where}")
            raise _Refused(HTTPStatus.INTERNAL_SERVER_ERROR, "the linker failed") from None
        finally:
            self.server.free_workers.release()

    def handle_expect_100(self) -> bool:
        """Invite the body later, when it is known to be wanted."""
        self.awaits_continue = True
        return True

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Say what the parser found, without repeating what the client sent."""
        self.close_connection = True
        status = HTTPStatus(code)
        told = _PARSER_SAYS.get(status, "this is no HTTP request")
        self._send(status, _problem(told))

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the base class's
        """Nothing is logged."""

    def _send(self, status: HTTPStatus, content: object, headers: Mapping[str, str] | None = None) -> None:
        whole = self.command != "HEAD"
        self._write(_message(status, content, headers or {}, close=self.close_connection, whole=whole))

    def _write(self, data: bytes) -> None:
        self.connection.settimeout(self.server.owner.limits.write_seconds)
        try:
            self.connection.sendall(data)
        except TimeoutError as error:  # nothing more can be said to one who does not listen
            raise ConnectionAbortedError from error


_PARSER_SAYS: Final[Mapping[HTTPStatus, str]] = {
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: "the headers are too large",
    HTTPStatus.HTTP_VERSION_NOT_SUPPORTED: "HTTP/1.1 is spoken here",
}


def _message(
    status: HTTPStatus, content: object, headers: Mapping[str, str], *, close: bool, whole: bool = True
) -> bytes:
    body = json.dumps(content).encode("ascii")
    lines = {
        "Server": "esascore",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "Connection": "close" if close else "keep-alive",
        **headers,
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    start = f"HTTP/1.1 {status.value} {status.phrase}\r\n{head}\r\n".encode("ascii")
    return start + body if whole else start


def _problem(problem: str) -> dict[str, str]:
    return {"error": problem}


def _busy() -> _Refused:
    return _Refused(
        HTTPStatus.SERVICE_UNAVAILABLE, "busy: come back in a moment", {"Retry-After": str(_RETRY_SECONDS)}
    )


def _file_name(place: TracebackType) -> str:
    return os.path.basename(place.tb_frame.f_code.co_filename)  # noqa: PTH119 - no path is touched


def _listening(server: LinkServer) -> _Http:
    if not 0 <= server.port < 1 << 16:  # the system would take the rest of a division
        raise UsageError(f"{server.port} is not a port: give one from 0 to 65535")
    try:
        found = socket.getaddrinfo(server.host, server.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise UsageError(f"{server.host}: cannot listen on this address; 127.0.0.1 is usual") from None
    family, _type, _protocol, _name, address = found[0]
    try:
        return _Http(address, family, server)
    except PermissionError:
        raise UsageError(f"port {server.port} needs more privileges: choose one above 1023, or 0") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise UsageError(
                f"port {server.port} of {server.host} is in use: choose another, or 0 for any free port"
            ) from None
        raise UsageError(f"cannot listen on {server.host}: {error.strerror}") from None
