"""Uvicorn's HTTP/1.1 connection, with limits of size and time.

uvicorn waits forever for the rest of a request, answers every mistake with 400, and loses its answer if the
client is still sending. Here a request must arrive within a time limit, every kind of mistake has its own
status, and a client that is refused can read why.
"""

from __future__ import annotations

import asyncio
import re
import socket
import sys
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from esascore.serve.limits import PROBLEM, Limits, Problem, busy

_REQUEST_LINE = re.compile(rb"[!-~]+ [!-~]+ HTTP/([0-9])\.[0-9]\r?")
_HEAD_END = re.compile(rb"\n\r?\n")
_LENGTH = re.compile(rb"\n(content-length)[ \t]*:[ \t]*0*[0-9]{16,}[ \t]*\r?\n", re.IGNORECASE)
_MOST_HEADERS = 100
_GOODBYE_SECONDS = 1.0  # how long a client that was cut off may take to read the answer
_GOODBYE_BYTES = 1 << 22
_FLOOD = 32  # beyond this many times the served connections, clients are dropped without an answer


class _Transport:
    """A transport that closes in the way that its connection chooses."""

    def __init__(self, transport: asyncio.Transport, close: Callable[[], None]):
        self._transport = transport
        self.close = close

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class Connection(H11Protocol):
    """A connection with limits; ``left`` is set when the client has closed its side of it."""

    def __init__(self, limits: Limits, *args: Any, **more: Any):
        super().__init__(*args, **more)
        self._limits = limits
        self.left = asyncio.Event()
        self.app_state: dict[str, Any] = {**self.app_state, "left": self.left}
        self._raw: asyncio.Transport
        self._timer: asyncio.TimerHandle | None = None
        self._writing: asyncio.TimerHandle | None = None
        self._deaf = False
        self._dropped = 0

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Accept a client or ask it to come back later; in a flood of connections, drop it."""
        self._raw = transport
        # asyncio sees to it only for sockets that name their protocol; without it the body of an answer waits
        # until the client has acknowledged its head, which systems put off for 40 ms.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().connection_made(cast(asyncio.Transport, _Transport(transport, self._close)))
        if len(self.connections) > _FLOOD * self._limits.connections:
            transport.abort()
        elif len(self.connections) > self._limits.connections:
            self._refuse(busy())
        else:
            self._set_timer(self._limits.idle_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the client."""
        self.left.set()
        self._set_timer(None)
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read more of a request, unless it cannot be one."""
        if self._deaf:
            self._dropped += len(data)
            if self._dropped > _GOODBYE_BYTES:
                self._raw.abort()
            return
        if self._between():
            self._unset_keepalive_if_required()
            if not (known := self.conn.trailing_data[0]):
                data = data.lstrip(b"\r\n")
                self._set_timer(self._limits.read_seconds)
                if not data:  # an empty one would tell h11 that the client has left
                    return
            if problem := _problem_of(known + data, self._limits.max_head_bytes):
                self._refuse(problem)
                return
        super().data_received(data)
        if not self._between() and not self.cycle.more_body:
            self._set_timer(None)

    def eof_received(self) -> bool:
        """Answer the request: a client may close its side and still listen."""
        self.left.set()
        if self._deaf or self._between():
            return False
        if self.cycle.more_body and not self.cycle.response_started:
            self._refuse(Problem(400, "the body is shorter than its Content-Length"))
        return True

    def on_response_complete(self) -> None:
        """Wait for the next request, if one can follow."""
        super().on_response_complete()
        if self.left.is_set() and self._between():
            self._raw.close()

    def send_400_response(self, msg: str) -> None:
        """Answer with the error that the parser found, without repeating what the client sent."""
        error = sys.exc_info()[1]
        status = error.error_status_hint if isinstance(error, h11.RemoteProtocolError) else 400
        self._refuse(Problem(status, "this is not an HTTP request"))

    def pause_writing(self) -> None:
        """Limit the time that the client may take to read its answer."""
        self._writing = self.loop.call_later(self._limits.write_seconds, self._raw.abort)
        super().pause_writing()

    def resume_writing(self) -> None:
        """Go on."""
        if self._writing is not None:
            self._writing.cancel()
            self._writing = None
        super().resume_writing()

    def _between(self) -> bool:
        """Return whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _set_timer(self, seconds: float | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self.loop.call_later(seconds, self._late)

    def _late(self) -> None:
        if self._between() and not self.conn.trailing_data[0]:
            self._raw.close()
        else:
            self._refuse(Problem(408, "the request took too long to arrive"))

    def _refuse(self, problem: Problem) -> None:
        """Answer without the application, and close."""
        if not self._deaf and (self._between() or not self.cycle.response_started):
            size = str(len(problem.body))
            head = {"Content-Type": PROBLEM, "Content-Length": size, "Connection": "close", **problem.headers}
            lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
            start = f"HTTP/1.1 {problem.status} {HTTPStatus(problem.status).phrase}\r\n{lines}\r\n"
            self._raw.write(start.encode("ascii") + problem.body)
        self._close()

    def _close(self) -> None:
        """Close in such a way that the client can still read the answer.

        Closing while bytes of the client are unread resets the connection, and with it our last answer.
        """
        if self._deaf or self._raw.is_closing():
            return
        self._deaf = True
        self._set_timer(None)
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.left.is_set() or not self._raw.can_write_eof():
            self._raw.close()
            return
        self._raw.write_eof()
        self._raw.resume_reading()
        self._timer = self.loop.call_later(_GOODBYE_SECONDS, self._raw.close)


def _problem_of(head: bytes, most: int) -> Problem | None:
    """Return what is wrong with the beginning of a request that h11 would not see, or see differently."""
    end = _HEAD_END.search(head)
    lines = head[: end.start() if end else len(head)].split(b"\n")
    if len(lines[0]) > most:
        return Problem(414, "the request line is too long")
    if len(lines) > 1 or end:
        line = _REQUEST_LINE.fullmatch(lines[0])
        if line is None:
            return Problem(400, "this is not an HTTP request")
        if line[1] != b"1":
            return Problem(505, "this server supports only HTTP/1.1")
    if (end.start() if end else len(head)) > most or len(lines) > _MOST_HEADERS + 1:
        return Problem(431, "the headers are too large")
    if end and _LENGTH.search(head, 0, end.end()):
        return Problem(413, "the body is too large")
    return None
