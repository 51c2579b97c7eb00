"""Connections to web services: kept for the next request, and cut off when an answer takes too long."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import requests


class Session:
    """The connections of one thread at a time, which other threads can cut off."""

    __slots__ = ("_session", "_sockets")

    def __init__(self) -> None:
        self._sockets: list[socket.socket] = []
        self._session = _session(self._sockets)

    def post(
        self,
        url: str,
        body: bytes,
        headers: Mapping[str, str],
        times: tuple[float, float],
        *,
        use_proxy: bool,
    ) -> requests.Response:
        """Send a request; the body of the answer is still to be read, redirects are not followed.

        ``times`` are seconds to connect and to wait for a piece of the answer. Proxies and certificates are
        those of the environment.
        """
        from requests.utils import get_environ_proxies

        return self._session.post(
            url,
            data=body,
            headers=dict(headers),
            timeout=times,
            allow_redirects=False,
            stream=True,
            proxies=get_environ_proxies(url) if use_proxy else {},
            verify=os.environ.get("REQUESTS_CA_BUNDLE") or os.environ.get("CURL_CA_BUNDLE") or True,
        )

    def cut_off(self) -> None:
        """End every exchange that is under way."""
        for one in list(self._sockets):
            with suppress(OSError):
                # Not the method that TLS sockets have, which is not safe while another thread reads.
                socket.socket.shutdown(one, socket.SHUT_RDWR)

    def close(self) -> None:
        """Close all connections."""
        self._session.close()


class Sessions:
    """Sessions for any number of threads: one that is not in use is used again."""

    __slots__ = ("_busy", "_idle", "_lock", "_pid")

    def __init__(self) -> None:
        self._reset()

    @contextmanager
    def one(self) -> Iterator[Session]:
        """A session that no other thread uses meanwhile; an error in between closes its connections."""
        if self._pid != os.getpid():
            self._reset()  # we were forked, and the connections belong to the other process
        with self._lock:
            session = self._idle.pop() if self._idle else Session()
            self._busy.append(session)
        try:
            yield session
        except BaseException:
            session.close()  # the rest of an answer must not be taken for the next one
            raise
        finally:
            with self._lock:
                self._busy.remove(session)
                self._idle.append(session)

    def close(self) -> None:
        """Close all connections, and cut off those in use."""
        with self._lock:
            for session in self._busy:
                session.cut_off()
            for session in self._idle:
                session.close()
            self._idle.clear()

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._pid = os.getpid()
        self._idle: list[Session] = []
        self._busy: list[Session] = []


@contextmanager
def deadline(session: Session, seconds: float) -> Iterator[threading.Event]:
    """Cut a session off when its time is over, and set the event.

    The time-outs of sockets do not suffice, as they start anew with every byte.
    """
    expired = threading.Event()

    def expire() -> None:
        expired.set()
        session.cut_off()

    timer = threading.Timer(seconds, expire)
    timer.daemon = True
    timer.start()
    try:
        yield expired
    finally:
        timer.cancel()


def _session(sockets: list[socket.socket]) -> requests.Session:
    """Return a session that appends every socket that it opens."""
    from http.cookiejar import DefaultCookiePolicy

    import requests
    from requests.adapters import HTTPAdapter
    from urllib3.connection import HTTPConnection, HTTPSConnection
    from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

    def remember(one: socket.socket) -> None:
        sockets[:] = [*(known for known in sockets if known.fileno() != -1), one]

    class Connection(HTTPConnection):
        def connect(self) -> None:
            super().connect()
            remember(self.sock)

    class SecureConnection(HTTPSConnection):
        def connect(self) -> None:
            super().connect()
            remember(self.sock)

    class Pool(HTTPConnectionPool):
        ConnectionCls = Connection

    class SecurePool(HTTPSConnectionPool):
        ConnectionCls = SecureConnection

    class Adapter(HTTPAdapter):
        def init_poolmanager(self, *args: Any, **more: Any) -> None:
            super().init_poolmanager(*args, **more)
            self.poolmanager.pool_classes_by_scheme = {"http": Pool, "https": SecurePool}

        def proxy_manager_for(self, *args: Any, **more: Any) -> Any:
            manager = super().proxy_manager_for(*args, **more)
            manager.pool_classes_by_scheme = {"http": Pool, "https": SecurePool}
            return manager

    session = requests.Session()
    session.trust_env = False  # else a password in .netrc would be sent, and proxies asked for this machine
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    for scheme in ("http://", "https://"):
        session.mount(scheme, Adapter(pool_connections=2, pool_maxsize=1))
    return session
