"""Requests to web services: with limits on everything, few retries, and checks of every answer."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address
from threading import Event
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from esascore._version import __version__
from esascore.errors import LinkerError, UsageError
from esascore.text.escapes import escaped

if TYPE_CHECKING:
    from requests import Response

    from esascore.link.services.connections import ServiceSession

KEY_VARIABLE = "ESASCORE_LINKER_KEY"
"""Environment variable with a key for the service: ``secret``, or ``X-Header: secret``."""

_DEFAULT_PORTS = {"http": 80, "https": 443}
_PASSING_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504})
_STATUS_OF_A_TEXT = frozenset({400, 413, 414, 422})
_TOO_LONG = "took too long to answer"
_PIECE = 1 << 14
_SHOWN = 80
_URL = re.compile(r"[A-Za-z0-9._~:/\[\]@!$&'()*+,;=%-]+")
_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+): +(.+)")


class ServiceFailure(LinkerError):  # noqa: N818 (it is raised as an error and kept as a result)
    """A service that did not give an answer.

    Attributes
    ----------
    everywhere
        Whether other texts are likely to fail as well: the service is down or rejects our requests.
    """

    def __init__(self, reason: str, *, everywhere: bool = True):
        super().__init__(reason)
        self.everywhere = everywhere


@dataclass(frozen=True, slots=True)
class HttpPolicy:
    """Time limits, number of attempts, and size of answers.

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
    """Return the URL of a service if it is valid.

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
        (host or "").encode("idna")  # labels that are empty or too long would fail with every request
    except ValueError:  # whose message may hold a password
        raise UsageError("not a valid URL for a linker, which is like http://127.0.0.1:5555") from None
    shown = f"{scheme}://{host or ''}"  # the rest may hold a password
    if scheme not in _DEFAULT_PORTS:
        raise UsageError(f"{shown}: the URL of a linker must begin with http:// or https://")
    if not host or not _URL.fullmatch(url.partition("?")[0].partition("#")[0]):
        raise UsageError(f"{shown}: not a valid URL for a linker, which is like http://127.0.0.1:5555")
    if "@" in parts.netloc or "?" in url or "#" in url:
        raise UsageError(
            f"{shown}: the URL of a linker ends up in results and logs, so it must not contain a user name, "
            f"a password, ? or #: set {KEY_VARIABLE} to send a key"
        )
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
    """Return where a redirected request goes next, if that is allowed.

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
        ports = {parts.port or _DEFAULT_PORTS.get(parts.scheme) for parts in (before, after)}
    except ValueError:
        raise ServiceFailure("redirects to an invalid URL") from None
    if after.scheme not in _DEFAULT_PORTS:
        raise ServiceFailure("redirects to something other than http or https")
    if after.scheme == "http" != before.scheme:
        raise ServiceFailure("redirects from https to http, which is not followed")
    elsewhere = after.hostname != before.hostname or (after.scheme == before.scheme and len(ports) > 1)
    if elsewhere or "@" in after.netloc:
        host = shown_text(after.hostname or "")
        raise ServiceFailure(f"redirects to another host ({host}), which is not followed")
    if status not in (307, 308):
        raise ServiceFailure(
            f"redirects with status {status}, which does not allow a text to be sent: give the target URL"
        )
    return target


def shown_text(text: str | bytes) -> str:
    r"""Return the beginning of a foreign text, in one safe line.

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
        name, self._secret = key_header(key) if key.strip() else ("", "")
        self._headers = {"User-Agent": f"esascore/{__version__}"} | ({name: self._secret} if name else {})
        parts = urlsplit(self.url)
        self._is_local = is_loopback(parts.hostname or "")
        if name and parts.scheme == "http" and not self._is_local:
            raise UsageError(
                f"{self.url}: a key is not sent without encryption: use https, or unset {KEY_VARIABLE}"
            )
        self._sessions: dict[int, ServiceSession] = {}  # by process: connections must not cross to another

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_sessions": {}}

    def __repr__(self) -> str:
        return f"HttpService({self.url!r})"

    def post(
        self, body: bytes, headers: Mapping[str, str], *, once: bool = False, stopped: Event | None = None
    ) -> bytes:
        """Return what the service answers, with status 200; raises `ServiceFailure`.

        Nothing is tried again if it is to be asked ``once``, nor when ``stopped`` has been set.
        """
        from esascore.link.services.connections import Patience, in_time

        attempt = partial(self._attempt, body, headers)
        most = 1 if once else self.policy.attempts
        patience = Patience(
            most - 1, backoff_factor=self.policy.backoff, backoff_max=self.policy.longest_wait
        )
        # A loop of our own, since that of urllib3 ends where an answer begins, and reads refused answers to
        # an end that they may not have.
        while True:
            busy = None
            try:
                answer = in_time(attempt, self.policy.total_timeout)
                if isinstance(answer, bytes):
                    return answer
                reason, busy = f"answered with status {answer.status_code}", answer.raw
            except ServiceFailure as failure:
                raise ServiceFailure(self.safe(str(failure)), everywhere=failure.everywhere) from None
            except TimeoutError:
                reason = _TOO_LONG
            except Exception as error:  # what servers send can break any of the parsers below us
                reason = _reason(error)
            if not patience.total or (stopped is not None and stopped.is_set()):
                tried = f" ({most} attempts)" if most > 1 else ""
                raise ServiceFailure(self.safe(reason + tried))
            patience = patience.increment()
            self._session().close()  # a connection that was kept may be what failed
            patience.sleep(busy)

    def safe(self, reason: str) -> str:
        """Return why the service failed, with its address and without our key, which it may know."""
        secret = self._secret.removeprefix("Bearer ")
        return f"{self.url} {reason.replace(secret, '***') if secret else reason}"

    def _session(self) -> ServiceSession:
        from esascore.link.services.connections import ServiceSession

        known = self._sessions.get(os.getpid())
        # Of several threads that come here at once, all get what the first has made.
        return known or self._sessions.setdefault(os.getpid(), ServiceSession(self._headers))

    def _attempt(self, body: bytes, headers: Mapping[str, str]) -> bytes | Response:
        """Return what the service answers, or its response if the failure may pass."""
        with self._response(body, headers) as response:
            return response if response.status_code in _PASSING_STATUS else self._content(response)

    def _response(self, body: bytes, headers: Mapping[str, str]) -> Response:
        url = self.url
        for _ in range(self.policy.max_redirects + 1):
            response = self._session().post(
                url,
                data=body,
                headers=headers,
                timeout=(self.policy.connect_timeout, self.policy.read_timeout),
                proxies={"http": "", "https": ""} if self._is_local else None,
                stream=True,
            )
            if not response.is_redirect:
                return response
            with response:
                url = redirect_target(url, response.status_code, response.headers["Location"])
        raise ServiceFailure(f"redirects more than {self.policy.max_redirects} times")

    def _content(self, response: Response) -> bytes:
        """Return the unpacked body of an answer with status 200, reading no more of it than is allowed."""
        status, most = response.status_code, self.policy.max_bytes
        too_large = ServiceFailure(f"answered with more than {most:,} bytes", everywhere=False)
        if (response.raw.length_remaining or 0) > most:  # as it is announced
            raise too_large
        content = bytearray()
        for piece in response.raw.stream(_PIECE, decode_content=True):
            content += piece
            if len(content) > most:
                raise too_large
        if status != 200:
            reason = f"answered with status {status}" + (f": {shown_text(bytes(content))}" if content else "")
            raise ServiceFailure(reason, everywhere=status not in _STATUS_OF_A_TEXT)
        return bytes(content)


def _reason(error: BaseException) -> str:
    """Return a description of what went wrong with a request."""
    from http.client import IncompleteRead

    from urllib3 import exceptions

    chain = list(_causes(error))
    said = next((one.strerror for one in chain if isinstance(one, OSError) and one.strerror), "")
    how = f": {shown_text(said)}" if said else ""
    for kind, reason in (
        (exceptions.ReadTimeoutError, _TOO_LONG),
        (exceptions.DecodeError, "answered with data that cannot be unpacked"),
        (IncompleteRead, "broke off in the middle of an answer"),
        (exceptions.SSLError, f"cannot be trusted{how or ': TLS failed'}"),
        (exceptions.ProxyError, f"cannot be reached through the proxy{how}"),
        (exceptions.ConnectTimeoutError, f"cannot be reached{how or ': no connection in time'}"),
        (() if how else exceptions.ProtocolError, "closed the connection without an answer"),
        (exceptions.HTTPError, f"cannot be reached{how or f': {type(error).__name__}'}"),
        (OSError, f"cannot be reached: {shown_text(str(error))}"),
    ):
        if any(isinstance(one, kind) for one in chain):
            return reason
    return f"gave an answer that cannot be read ({type(error).__name__})"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and what it was made from, which urllib3 and requests keep in one of two places."""
    while error is not None:
        yield error
        error = next((arg for arg in error.args if isinstance(arg, BaseException)), error.__cause__)


def is_loopback(host: str) -> bool:
    """Return whether a host name or address means this machine and can be reached from no other.

    Examples
    --------
    >>> [is_loopback(host) for host in ("localhost", "127.0.0.9", "::1", "0.0.0.0", "example.org")]
    [True, True, True, False, False]
    """
    name = host.lower()
    if name in ("localhost", "localhost.") or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name.partition("%")[0]).is_loopback
    except ValueError:
        return False
