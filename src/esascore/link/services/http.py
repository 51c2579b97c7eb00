"""How the web services of others are asked: politely, with an end to everything, trusting no answer."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urljoin, urlsplit

from esascore._version import __version__
from esascore.errors import LinkerError, UsageError
from esascore.link.services.loopback import is_loopback
from esascore.text.escapes import escaped

if TYPE_CHECKING:
    from urllib3 import PoolManager
    from urllib3.response import BaseHTTPResponse

KEY_VARIABLE = "ESASCORE_LINKER_KEY"
"""Environment variable with a key for the service: ``secret``, or ``X-Header: secret``."""

_DEFAULT_PORTS = {"http": 80, "https": 443}
_PASSING_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504})
_STATUS_OF_A_TEXT = frozenset({400, 413, 414, 422})
_PIECE = 1 << 14
_SHOWN = 80
_URL = re.compile(r"[A-Za-z0-9._~:/\[\]@!$&'()*+,;=%-]+")
_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+): +(.+)")


class ServiceFailure(LinkerError):  # noqa: N818 (it is raised as an error and kept as a result)
    """A service that did not give an answer.

    Attributes
    ----------
    everywhere
        Whether other texts will hardly fare better: the service is down, or refuses us.
    """

    def __init__(self, reason: str, *, everywhere: bool = True):
        super().__init__(reason)
        self.everywhere = everywhere


@dataclass(frozen=True, slots=True)
class HttpPolicy:
    """How long to wait, how often to try, how much to accept.

    Attributes
    ----------
    connect_timeout, read_timeout
        Seconds until a connection has to stand, and between two pieces of an answer.
    total_timeout
        Seconds that one attempt may take in all, however steadily the answer trickles in.
    attempts
        How often a request is sent where the failure may pass: no connection, timeout, status 408, 425, 429,
        500, 502, 503, 504.
    backoff, longest_wait
        Seconds to wait after the first failure, doubled after each further one and varied by chance, and the
        most to wait, also where the service asks for more.
    max_bytes
        The most bytes of an answer, unpacked.
    max_redirects
        How many redirects within the same host are followed.
    """

    connect_timeout: float = 5.0
    read_timeout: float = 30.0
    total_timeout: float = 60.0
    attempts: int = 4
    backoff: float = 0.5
    longest_wait: float = 60.0
    max_bytes: int = 8 << 20
    max_redirects: int = 3

    def __post_init__(self) -> None:
        times = (self.connect_timeout, self.read_timeout, self.total_timeout)
        if min(*times, self.attempts, self.max_bytes) <= 0:
            raise UsageError("timeouts, attempts and the size of an answer must be more than 0")


def check_url(url: str) -> str:
    """Return the URL of a service if it can be asked.

    Examples
    --------
    >>> check_url("http://127.0.0.1:5555")
    'http://127.0.0.1:5555'
    >>> check_url("ftp://example.org/")
    Traceback (most recent call last):
    ...
    esascore.errors.UsageError: ftp://example.org: the URL of a linker must begin with http:// or https://
    """
    try:
        parts = urlsplit(url)
        host, scheme, _ = parts.hostname, parts.scheme, parts.port
    except ValueError:  # whose message may hold a password
        raise UsageError("not a valid URL for a linker, which is like http://127.0.0.1:5555") from None
    shown = f"{scheme}://{host or ''}"  # the rest may hold a password
    if scheme not in _DEFAULT_PORTS:
        raise UsageError(f"{shown}: the URL of a linker must begin with http:// or https://")
    if not host or not _URL.fullmatch(url.partition("?")[0].partition("#")[0]):
        raise UsageError(f"{shown}: not a valid URL for a linker, which is like http://127.0.0.1:5555")
    if "@" in parts.netloc:
        raise UsageError(
            f"{shown}: a URL with a user name or password ends up in results and logs: "
            f"set {KEY_VARIABLE} instead"
        )
    if "?" in url or "#" in url:
        raise UsageError(f"{shown}: the URL of a linker has no ? or #: set a key as {KEY_VARIABLE} instead")
    return url


def key_header(key: str) -> tuple[str, str]:
    """Return the header that carries a key.

    Examples
    --------
    >>> key_header("secret"), key_header("X-Api-Key: secret")
    (('Authorization', 'Bearer secret'), ('X-Api-Key', 'secret'))
    """
    key = key.strip()
    if not key or not key.isascii() or not key.isprintable():
        raise UsageError(f"{KEY_VARIABLE} must be one line of visible ASCII characters")
    if named := _HEADER.fullmatch(key):
        return named[1], named[2]
    return "Authorization", f"Bearer {key}"


def redirect_target(url: str, status: int, location: str) -> str:
    """Return where a redirected request goes next, if it may.

    A text goes only to the host it was meant for: the same host and port, or the same host with https in
    place of http. Redirects that turn POST into GET lose the text and are errors.

    Examples
    --------
    >>> redirect_target("http://example.org/api", 308, "/api/")
    'http://example.org/api/'
    >>> redirect_target("https://example.org/api", 307, "http://example.org/api")
    Traceback (most recent call last):
    ...
    esascore.link.services.http.ServiceFailure: redirects from https to http, which is not followed
    """
    try:
        target = urljoin(url, location)
        before, after = urlsplit(url), urlsplit(target)
        same_place = _place(before) == _place(after)
    except ValueError:
        raise ServiceFailure("redirects to an invalid URL") from None
    if after.scheme not in _DEFAULT_PORTS:
        raise ServiceFailure("redirects to something other than http or https")
    if (before.scheme, after.scheme) == ("https", "http"):
        raise ServiceFailure("redirects from https to http, which is not followed")
    upgraded = (before.scheme, after.scheme) == ("http", "https") and before.hostname == after.hostname
    if "@" in after.netloc or not (same_place or upgraded):
        host = shown_text(after.hostname or "")
        raise ServiceFailure(f"redirects to another host ({host}), which is not followed")
    if status not in (307, 308):
        raise ServiceFailure(
            f"redirects with status {status}, which does not allow a text to be sent: give the target URL"
        )
    return target


def _place(parts: SplitResult) -> tuple[str, str | None, int | None]:
    return parts.scheme, parts.hostname, parts.port or _DEFAULT_PORTS.get(parts.scheme)


def shown_text(text: str | bytes) -> str:
    r"""Return the beginning of something that others wrote, in one safe line.

    Examples
    --------
    >>> print(shown_text(b"HTTP/1.0 400\r\n\xff"))
    HTTP/1.0 400\x0d\x0a�
    """
    start = text[: 4 * _SHOWN].decode("utf-8", "replace") if isinstance(text, bytes) else text
    safe = "".join(c if c.isprintable() else escaped(c) for c in start[:_SHOWN])
    return safe if len(start) <= _SHOWN else safe + "..."


class HttpService:
    """A service that is asked by POST, by any number of threads.

    Connections are kept and used again. A service can be pickled, and opens its own connections in a process
    that was forked or spawned.

    Parameters
    ----------
    url
        Its address.
    policy
        How long to wait, how often to try, how much to accept.
    key
        A key for the service; None for the one in the environment, an empty string for none.
    """

    def __init__(self, url: str, policy: HttpPolicy | None = None, *, key: str | None = None):
        self.url = check_url(url)
        self.policy = policy or HttpPolicy()
        key = os.environ.get(KEY_VARIABLE, "") if key is None else key
        self._header = key_header(key) if key.strip() else None
        parts = urlsplit(self.url)
        if self._header and parts.scheme == "http" and not is_loopback(parts.hostname or ""):
            raise UsageError(
                f"{self.url}: a key is not sent without encryption: use https, or unset {KEY_VARIABLE}"
            )
        self._connections: dict[int, PoolManager] = {}  # by process: they must not cross to another one

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_connections": {}}

    def __repr__(self) -> str:
        return f"HttpService({self.url!r})"

    def post(
        self,
        body: bytes,
        headers: Mapping[str, str],
        *,
        attempts: int | None = None,
        stopped: Event | None = None,
    ) -> bytes:
        """Return what the service answers, with status 200; raises `ServiceFailure`.

        ``attempts`` takes the place of that in the policy. Nothing is tried again once ``stopped`` is set.
        """
        from urllib3.exceptions import HTTPError, LocationParseError, MaxRetryError

        from esascore.link.services.connections import Patience

        sent = {**headers, "User-Agent": f"esascore/{__version__}"}
        if self._header:
            sent[self._header[0]] = self._header[1]
        most = attempts or self.policy.attempts
        patience = Patience(
            most - 1, backoff_factor=self.policy.backoff, backoff_max=self.policy.longest_wait
        )
        # A loop of our own, since that of urllib3 ends where an answer begins, reads refused answers to an
        # end that they may not have, and logs to the terminal.
        while True:
            busy = None
            try:
                return self._attempt(body, sent)
            except ServiceFailure as failure:
                raise ServiceFailure(self.safe(str(failure)), everywhere=failure.everywhere) from None
            except LocationParseError:  # a host name that cannot be encoded
                raise ServiceFailure(self.safe("is not a valid URL")) from None
            except _PassingError as error:
                reason, busy = str(error), error.response
            except HTTPError as error:
                reason = _told(error)
            except Exception as error:  # what servers send can break any of the parsers below us
                reason = f"gave an answer that cannot be read ({type(error).__name__})"
            if stopped is not None and stopped.is_set():
                raise ServiceFailure(self.safe(reason))
            try:
                patience = patience.increment()
            except MaxRetryError:
                tried = f" ({most} attempts)" if most > 1 else ""
                raise ServiceFailure(self.safe(reason + tried)) from None
            self._manager().clear()  # a connection that was kept may be what failed
            patience.sleep(busy)

    def safe(self, reason: str) -> str:
        """Return why the service failed, with its address and without our key, which it may know."""
        secret = self._header[1].removeprefix("Bearer ") if self._header else ""
        return f"{self.url} {reason.replace(secret, '***') if secret else reason}"

    def _manager(self) -> PoolManager:
        from esascore.link.services.connections import connections_to

        known = self._connections.get(os.getpid())
        # Of several threads that come here at once, all get what the first has made.
        return known or self._connections.setdefault(
            os.getpid(), connections_to(self.url, self.policy.total_timeout)
        )

    def _attempt(self, body: bytes, headers: dict[str, str]) -> bytes:
        from urllib3 import Timeout

        url = self.url
        timeout = Timeout(connect=self.policy.connect_timeout, read=self.policy.read_timeout)
        for _ in range(self.policy.max_redirects + 1):
            with self._manager().urlopen(
                "POST",
                url,
                body=body,
                headers=headers,
                timeout=timeout,
                retries=False,
                redirect=False,
                preload_content=False,
            ) as response:
                location = response.get_redirect_location()
                if not location:
                    return self._answer(response)
                url = redirect_target(url, response.status, location)
        raise ServiceFailure(f"redirects more than {self.policy.max_redirects} times")

    def _answer(self, response: BaseHTTPResponse) -> bytes:
        status = response.status
        if status in _PASSING_STATUS:
            raise _PassingError(f"answered with status {status}", response)
        body = _content(response, self.policy.max_bytes)
        if status != 200:
            told = f": {shown_text(body)}" if body else ""
            raise ServiceFailure(
                f"answered with status {status}{told}", everywhere=status not in _STATUS_OF_A_TEXT
            )
        return body


class _PassingError(Exception):
    """An answer that may be another one the next time."""

    def __init__(self, reason: str, response: BaseHTTPResponse | None = None):
        super().__init__(reason)
        self.response = response


def _content(response: BaseHTTPResponse, limit: int) -> bytes:
    """Return the unpacked body of an answer, reading no more of it than is allowed."""
    from urllib3.exceptions import ProtocolError

    too_large = ServiceFailure(f"answered with more than {limit:,} bytes", everywhere=False)
    announced = response.headers.get("Content-Length", "")
    if announced.isascii() and announced.isdigit() and int(announced[:19]) > limit:
        raise too_large
    content = bytearray()
    try:
        for piece in response.stream(_PIECE):
            content += piece
            if len(content) > limit:
                raise too_large
    except ProtocolError:
        raise _PassingError("broke off in the middle of an answer") from None
    return bytes(content)


def _told(error: BaseException) -> str:
    """Return in plain words what went wrong with a request."""
    from urllib3 import exceptions

    if isinstance(error, exceptions.ReadTimeoutError):
        return "took too long to answer"
    if isinstance(error, exceptions.DecodeError):
        return "answered with data that cannot be unpacked"
    cause: BaseException | None = error
    while cause is not None and not (isinstance(cause, OSError) and cause.strerror):
        # urllib3 keeps what an error was made from in one of these.
        cause = next((arg for arg in cause.args if isinstance(arg, BaseException)), cause.__cause__)
    how = f": {shown_text(str(cause.strerror))}" if isinstance(cause, OSError) else ""
    if isinstance(error, exceptions.ConnectTimeoutError):
        return f"cannot be reached{how or ': no connection in time'}"
    if isinstance(error, exceptions.SSLError):
        return f"cannot be trusted{how or ': TLS failed'}"
    if isinstance(error, exceptions.ProxyError):
        return f"cannot be reached through the proxy{how}"
    if isinstance(error, exceptions.ProtocolError) and not how:
        return "closed the connection without an answer"
    return f"cannot be reached{how or ': ' + type(error).__name__}"
