"""Connections to one web service, and when to try again; imported with the first request.

requests and urllib3 do the work. What they do not have: an end to an answer that drips (time-outs of sockets
start again with every byte), and a pause before the first new attempt.
"""

from __future__ import annotations

import io
import random
import time
from functools import partial
from http.client import HTTPResponse
from http.cookiejar import DefaultCookiePolicy
from typing import TYPE_CHECKING, Any

from requests import Response, Session
from requests.adapters import HTTPAdapter
from urllib3 import Retry
from urllib3.response import BaseHTTPResponse

if TYPE_CHECKING:
    import socket

    from _typeshed import WriteableBuffer

_CONNECTIONS_KEPT = 64


class Patience(Retry):
    """How often and when to try again: from the first failure on with a pause, varied by chance."""

    def get_backoff_time(self) -> float:
        """Return the seconds to wait after the failures so far."""
        doubled = self.backoff_factor * 2.0 ** (len(self.history) - 1)
        return min(doubled * (0.5 + random.random() / 2), self.backoff_max)

    def get_retry_after(self, response: BaseHTTPResponse) -> float:
        """Return the seconds that the service asks for, at least our own and at most the limit."""
        try:
            wanted = super().get_retry_after(response) or 0.0
        except Exception:  # from the parser of dates, for years and time zones that do not exist
            wanted = 0.0
        return min(max(wanted, self.get_backoff_time()), self.backoff_max)


class ServiceSession(Session):
    """Connections to a service that can be used again, by any number of threads.

    Proxies and certificates are those of the environment; cookies, passwords in ``.netrc`` and redirects are
    left alone. An answer may take ``total_timeout`` seconds in all.
    """

    def __init__(self, headers: dict[str, str], total_timeout: float):
        super().__init__()
        self.headers.clear()
        self.headers.update(headers)
        self.auth = lambda request: request  # without any, requests would look into .netrc
        self.cookies.set_policy(DefaultCookiePolicy(allowed_domains=()))
        for scheme in ("http://", "https://"):
            self.mount(scheme, _InTime(total_timeout))

    def get_redirect_target(self, resp: Response) -> None:
        """Return that no redirect is followed: requests would read all that comes with one."""


class _InTime(HTTPAdapter):
    """Makes connections whose answers end at a point in time, however slowly bytes arrive."""

    def __init__(self, seconds: float):
        super().__init__(pool_maxsize=_CONNECTIONS_KEPT)
        self._seconds = seconds

    def get_connection_with_tls_context(self, *args: Any, **more: Any) -> Any:
        pool: Any = super().get_connection_with_tls_context(*args, **more)
        pool.ConnectionCls = partial(self._connection, type(pool).ConnectionCls)
        return pool

    def _connection(self, kind: Any, **settings: Any) -> Any:
        made = kind(**settings)
        made.response_class = partial(_Answer, seconds=self._seconds)
        return made


class _Answer(HTTPResponse):
    def __init__(self, sock: socket.socket, *args: Any, seconds: float, **more: Any):
        super().__init__(sock, *args, **more)
        self.fp = io.BufferedReader(_UntilTime(sock, self.fp.detach(), seconds))


class _UntilTime(io.RawIOBase):
    def __init__(self, connection: socket.socket, reads: io.RawIOBase, seconds: float):
        self._connection, self._reads = connection, reads
        self._pause = connection.gettimeout() or seconds
        self._end = time.monotonic() + seconds

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int | None:
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._connection.settimeout(min(left, self._pause))
        return self._reads.readinto(buffer)

    def close(self) -> None:
        self._reads.close()
        super().close()
