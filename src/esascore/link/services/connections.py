"""Connections to one web service, and when to try again; imported with the first request.

urllib3 does the work. What it does not have: an end to an answer that drips (timeouts of sockets start again
with every byte), and a limit to what servers ask for in ``Retry-After`` before its version 2.6.
"""

from __future__ import annotations

import io
import os
import random
import time
from http.client import HTTPResponse
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from requests.adapters import HTTPAdapter
from requests.utils import DEFAULT_CA_BUNDLE_PATH, get_environ_proxies, select_proxy
from urllib3 import PoolManager, Retry
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.response import BaseHTTPResponse

from esascore.link.services.loopback import is_loopback

if TYPE_CHECKING:
    import socket

    from _typeshed import WriteableBuffer

_HOSTS, _KEPT = 2, 64


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
        except Exception:  # of the parser of dates, for years and time zones that there are none of
            wanted = 0.0
        return min(max(wanted, self.get_backoff_time()), self.backoff_max)


class _UntilTime(io.RawIOBase):
    """Reads from a socket until a point in time, however slowly bytes arrive."""

    def __init__(self, connection: socket.socket, reads: io.RawIOBase, seconds: float):
        self._connection = connection
        self._reads = reads
        self._pause = connection.gettimeout()
        self._end = time.monotonic() + seconds

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int | None:
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._connection.settimeout(left if self._pause is None else min(left, self._pause))
        try:
            return self._reads.readinto(buffer)
        finally:
            self._connection.settimeout(self._pause)

    def close(self) -> None:
        self._reads.close()
        super().close()


def connections_to(url: str, total_timeout: float) -> PoolManager:
    """Return connections that can be used again, by any number of threads.

    Proxies and certificates are those of the environment, but no proxy is asked for this machine. An answer
    may take ``total_timeout`` seconds in all.
    """

    class Answer(HTTPResponse):
        def __init__(self, sock: socket.socket, *args: Any, **more: Any):
            super().__init__(sock, *args, **more)
            self.fp = io.BufferedReader(_UntilTime(sock, self.fp.detach(), total_timeout))

    class Connection(HTTPConnection):
        response_class = Answer

    class SecureConnection(HTTPSConnection):
        response_class = Answer

    class Pool(HTTPConnectionPool):
        ConnectionCls = Connection

    class SecurePool(HTTPSConnectionPool):
        ConnectionCls = SecureConnection

    bundle = os.environ.get("REQUESTS_CA_BUNDLE") or os.environ.get("CURL_CA_BUNDLE")
    bundle = bundle or DEFAULT_CA_BUNDLE_PATH
    trusted: dict[str, Any] = {"ca_cert_dir" if Path(bundle).is_dir() else "ca_certs": bundle}
    local = is_loopback(urlsplit(url).hostname or "")
    proxy = None if local else select_proxy(url, get_environ_proxies(url))
    if proxy is None:
        made = PoolManager(_HOSTS, maxsize=_KEPT, **trusted)
    else:
        address = proxy if "://" in proxy else f"http://{proxy}"
        made = HTTPAdapter(_HOSTS, _KEPT).proxy_manager_for(address, **trusted)
    made.pool_classes_by_scheme = {"http": Pool, "https": SecurePool}
    return made
