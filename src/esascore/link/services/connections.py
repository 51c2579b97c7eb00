"""Connections to one web service, and when to try again; imported with the first request.

requests and urllib3 do the work. This module adds what they lack: a time limit for answers that trickle in
(time-outs of sockets start again with every byte), and a pause before the first new attempt.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from http.cookiejar import DefaultCookiePolicy
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeVar

from requests import Response, Session
from requests.adapters import HTTPAdapter
from urllib3 import Retry
from urllib3.response import BaseHTTPResponse

_CONNECTIONS_KEPT = 64

Found = TypeVar("Found")


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
    """Reusable connections to a service, for any number of threads.

    Proxies and certificates are those of the environment; cookies, passwords in ``.netrc`` and redirects are
    left alone.
    """

    def __init__(self, headers: dict[str, str]):
        super().__init__()
        self.headers.clear()
        self.headers.update(headers)
        self.auth = lambda request: request  # without any, requests would look into .netrc
        self.cookies.set_policy(DefaultCookiePolicy(allowed_domains=()))
        for scheme in ("http://", "https://"):
            self.mount(scheme, HTTPAdapter(pool_maxsize=_CONNECTIONS_KEPT))

    def get_redirect_target(self, resp: Response) -> None:
        """Follow no redirect: requests would read everything that comes with one."""


def in_time(ask: Callable[[], Found], seconds: float) -> Found:
    """Return what a call returns, or raise `TimeoutError`: an answer may arrive slowly, but not forever.

    A late call is left to end by itself.
    """
    done: SimpleQueue[Found | BaseException] = SimpleQueue()

    def run() -> None:
        try:
            done.put(ask())
        except BaseException as error:
            done.put(error)

    Thread(target=run, daemon=True).start()
    try:
        answer = done.get(timeout=seconds)
    except Empty:
        raise TimeoutError from None
    try:
        if isinstance(answer, BaseException):
            raise answer
        return answer
    finally:
        del answer  # an error that refers to itself would keep its connection open
