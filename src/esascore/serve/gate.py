"""Permissions: checks of a request before any route sees it, and the headers of every answer."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Collection, MutableMapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from esascore.link.services.http import is_loopback
from esascore.serve.limits import PROBLEM, Limits, Problem, busy

OPEN = frozenset(("/healthz", "/readyz"))
"""Paths that need neither a token nor a place in the queue."""

_HEADERS = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}


@dataclass(frozen=True, slots=True)
class Admission:
    """Decides which requests are allowed.

    Attributes
    ----------
    limits
        The limits of requests.
    loopback
        Whether requests must use a name of this machine or one of ``hosts``.
    hosts
        Host names that are accepted; without any, every name is, unless the address is a loopback address.
    token
        The token that ``Authorization: Bearer`` must give, if any; the page itself needs none.
    public
        Paths of the page.
    """

    limits: Limits
    loopback: bool = True
    hosts: Collection[str] = ()
    token: str | None = None
    public: frozenset[str] = frozenset()

    def check(self, scope: Scope) -> int:
        """Return the length of the body of a request that is allowed.

        Raises
        ------
        Problem
            It is not.
        """
        headers = Headers(scope=scope)
        length = _length(headers)
        self._check_host(scope, headers)
        if self.token is not None and scope["path"] not in OPEN | self.public:
            given = headers.get("authorization", "").encode("latin-1")
            if not hmac.compare_digest(given, b"Bearer " + self.token.encode()):
                raise Problem(401, "a bearer token is needed", {"WWW-Authenticate": "Bearer"})
        if scope["method"] == "POST":
            _check_type(headers)
            if length is None:
                raise Problem(411, "Content-Length is needed")
            if length > self.limits.max_bytes:
                raise Problem(413, f"the body may have {self.limits.max_bytes} bytes at most")
        return length or 0

    def _check_host(self, scope: Scope, headers: Headers) -> None:
        try:
            target = urlsplit(scope["path"]) if "://" in scope["path"] else None
            given = target.netloc if target else headers.get("host", "").strip()
            host = urlsplit("//" + given.encode("ascii").decode()).hostname
        except ValueError:
            raise Problem(400, "the address of the request makes no sense") from None
        if target:
            scope["path"] = target.path or "/"
            scope["raw_path"] = scope["path"].encode()
        allowed = not (self.loopback or self.hosts) or (host or "") in self.hosts
        if given and not allowed and not (self.loopback and host and is_loopback(host)):
            raise Problem(421, "this server does not accept requests for this host name")


class Gate:
    """Lets requests through to an application, and counts those of each client.

    ``note`` is called with the path, the status and the seconds of each.
    """

    def __init__(self, app: ASGIApp, admission: Admission, note: Callable[[str, int, float], None]):
        self._app, self._admission, self._note = app, admission, note
        self._under_way: dict[str, int] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, exchange = perf_counter(), _Exchange(scope, receive, send)
        try:
            await self._serve(scope, exchange)
        finally:
            self._note(scope["path"], exchange.status, perf_counter() - started)

    async def _serve(self, scope: Scope, exchange: _Exchange) -> None:
        client = (scope.get("client") or ("",))[0]
        try:
            exchange.length = self._admission.check(scope)
            most = self._admission.limits.per_client
            if scope["path"] not in OPEN and self._under_way.get(client, 0) >= most:
                raise busy(429)
        except Problem as problem:
            await refusal(problem)(scope, exchange.receive, exchange.send)
            return
        self._under_way[client] = self._under_way.get(client, 0) + 1
        try:
            await self._app(scope, exchange.receive, exchange.send)
        finally:
            self._under_way[client] -= 1
            if not self._under_way[client]:
                del self._under_way[client]


class _Exchange:
    """One request and its answer, whose headers are completed."""

    def __init__(self, scope: Scope, receive: Receive, send: Send):
        self._receive, self._send = receive, send
        self.length = -1  # unknown: the body will not be read
        self._read = 0
        self.status = 0
        wishes = b",".join(value for name, value in scope["headers"] if name == b"connection").lower()
        self._keep = scope["http_version"] == "1.1" and b"close" not in wishes

    async def receive(self) -> Message:
        message = await self._receive()
        self._read += len(message.get("body", b""))
        return message

    async def send(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            known = {name.lower() for name, _ in message["headers"]}
            # The rest of a body must not be taken for the next request.
            keep = self._keep and self._read >= self.length >= 0
            more = {**_HEADERS, "connection": "keep-alive" if keep else "close"}
            own = [(name.encode(), value.encode()) for name, value in more.items()]
            own = [pair for pair in own if pair[0] not in known]
            message = {**message, "headers": [*message["headers"], *own]}
        await self._send(message)


def refusal(problem: Problem) -> Response:
    """Answer that a request is refused."""
    return Response(problem.body, problem.status, problem.headers, PROBLEM)


def _length(headers: Headers) -> int | None:
    """Return the length of the body, None if the request does not give it."""
    length, coded = headers.get("content-length"), "transfer-encoding" in headers
    if length and coded:
        raise Problem(400, "the length of the body is given in two ways")
    if coded:
        raise Problem(411, "send the body whole, with its Content-Length")
    return int(length) if length else None


def _check_type(headers: Headers) -> None:
    """Require a content type; this also keeps out what a web page may send without permission."""
    kind, *parameters = [part.strip() for part in headers.get("content-type", "").lower().split(";")]
    charsets = [part.partition("=")[2].strip('" ') for part in parameters if part.startswith("charset")]
    coding = headers.get("content-encoding", "identity").lower()
    if kind not in ("application/json", "application/x-ndjson") or coding != "identity":
        raise Problem(415, "send application/json or application/x-ndjson, not compressed")
    if any(charset not in ("utf-8", "utf8") for charset in charsets):
        raise Problem(415, "send the body in UTF-8")
