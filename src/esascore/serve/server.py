"""A server that listens on an address until it is stopped."""

from __future__ import annotations

import errno
import logging
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, cast

import uvicorn

from esascore.errors import EsascoreError, UsageError
from esascore.link.base import EntityLinker
from esascore.link.services.http import is_loopback
from esascore.serve.app import PAGE, make_app
from esascore.serve.connection import Connection
from esascore.serve.gate import Admission, Gate
from esascore.serve.limits import Limits
from esascore.serve.pool import Pool
from esascore.serve.work import make_handler

_GRACE_SECONDS = 5
_BACKLOG = 2_048
_OPEN_FILES = 1 << 16


class Server:
    """Serves the API and the page, REL's protocol, or both, from a thread of its own.

    Parameters
    ----------
    guard
        The settings of the `esascore.Guard` that checks texts; None for no API and no page.
    host, port
        Where to listen. Port 0 chooses a free one. On a loopback address only requests whose ``Host`` is a
        loopback name, or one of ``hosts``, are answered, so that no web page can reach the server through its
        own name.
    limits
        The limits of requests.
    linker
        Makes the entity linker that answers at ``/rel``, in each process.
    rel
        Whether it also answers at ``/``, in place of the page.
    hosts, token, origins
        Other host names; the bearer token that requests need; origins of web pages with access (CORS).
    report
        Called with one line if something breaks; the line never holds any part of a text.
    """

    def __init__(
        self,
        guard: Mapping[str, Any] | None = None,
        host: str = "127.0.0.1",
        port: int = 8000,
        limits: Limits | None = None,
        *,
        linker: Callable[[], EntityLinker] | None = None,
        rel: bool = False,
        hosts: Sequence[str] = (),
        token: str | None = None,
        origins: Sequence[str] = (),
        report: Callable[[str], None] = lambda _: None,
    ):
        self.limits = limits or Limits()
        self._host, self._port = host, port
        self._pool = Pool(partial(make_handler, guard, linker, self.limits), self.limits)
        paths = () if linker is None else ("/", "/rel") if rel else ("/rel",)
        app, note = make_app(
            self._pool, self.limits, api=guard is not None, rel=paths, origins=origins, report=report
        )
        public = frozenset(PAGE) - set(paths) if guard is not None else frozenset()
        names = frozenset(name.lower() for name in hosts)
        admission = Admission(self.limits, is_loopback(host), names, token, public)
        config = uvicorn.Config(
            Gate(app, admission, note),
            http=cast("Any", partial(Connection, self.limits)),
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            h11_max_incomplete_event_size=2 * self.limits.max_head_bytes,
            timeout_keep_alive=self.limits.idle_seconds,
            timeout_graceful_shutdown=_GRACE_SECONDS,
        )
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL + 1)  # it would log what clients send
        self._server = uvicorn.Server(config)
        self._socket: socket.socket | None = None
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """The address on which the server listens; before it has started, on which it will."""
        host, port = (self._host, self._port) if self._socket is None else self._socket.getsockname()[:2]
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    def start(self) -> None:
        """Listen, and answer requests from now on.

        Raises
        ------
        UsageError
            If the address is taken or does not belong to this machine.
        """
        if self._thread is not None:
            return
        _raise_open_files()
        self._socket = _listening(self._host, self._port)
        try:
            self._pool.start()
        except (EOFError, OSError):
            self._socket.close()
            raise EsascoreError("the worker processes ended immediately") from None
        self._thread = threading.Thread(
            target=self._server.run, args=([self._socket],), name="esascore server", daemon=True
        )
        self._thread.start()
        while not self._server.started and self._thread.is_alive():
            self._thread.join(0.01)

    def close(self) -> None:
        """Stop listening; requests that were read are still answered, for some seconds at most."""
        if self._thread is None or self._socket is None:
            return
        self._server.should_exit = True
        self._thread.join()
        self._socket.close()
        self._pool.close()
        self._thread = None

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


def _listening(host: str, port: int) -> socket.socket:
    if not 0 <= port < 1 << 16:  # the system would silently take the remainder of a division
        raise UsageError(f"{port} is not a port: give one from 0 to 65535")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise UsageError(f"{host}: cannot listen on this address; 127.0.0.1 is usual") from None
    family, _type, _protocol, _name, address = found[0]
    try:
        return socket.create_server(address[:2], family=family, backlog=_BACKLOG)
    except PermissionError:
        raise UsageError(f"port {port} needs more privileges: choose one above 1023, or 0") from None
    except OSError as error:
        told = f"cannot listen on {host}: {error.strerror}"
        if error.errno == errno.EADDRINUSE:
            told = f"port {port} of {host} is in use: choose another, or 0 for any free port"
        raise UsageError(told) from None


def _raise_open_files() -> None:
    """Raise the limit of open files to what connections may need, where the system has such a limit."""
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _OPEN_FILES if hard == resource.RLIM_INFINITY else min(_OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
