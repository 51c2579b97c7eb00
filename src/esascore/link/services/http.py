"""How the web services of others are asked: politely, with an end to everything, trusting no answer."""

from __future__ import annotations

import os
import random
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urljoin, urlsplit

from esascore._version import __version__
from esascore.errors import LinkerError, UsageError
from esascore.link.services.connections import Sessions, deadline
from esascore.link.services.loopback import is_loopback

if TYPE_CHECKING:
    from requests import Response

    from esascore.link.services.connections import Session

KEY_VARIABLE = "ESASCORE_LINKER_KEY"
"""Environment variable with a key for the service: ``secret``, or ``X-Header: secret``."""

_DEFAULT_PORTS = {"http": 80, "https": 443}
_PASSING_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504})
_STATUS_OF_A_TEXT = frozenset({400, 413, 414, 422})
_PIECE = 1 << 14
_SHOWN = 80
_SLOW = "took too long to answer"
_URL = re.compile(r"[A-Za-z0-9._~:/\[\]@!$&'()*+,;=%-]+")
_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+): +(.+)")


class ServiceFailure(LinkerError):  # noqa: N818 (it is raised as an error and kept as a result)
    """A service that did not give an answer.

    Attributes
    ----------
    everywhere
        Whether other texts will hardly fare better: the service is down, or refuses us.
    """

    def __init__(self, reason: str, *, everywhere: bool):
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
        How often a request is sent where the failure may pass: no connection, time-out, status 408, 425, 429,
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
        if (
            min(self.connect_timeout, self.read_timeout, self.total_timeout, self.attempts, self.max_bytes)
            <= 0
        ):
            raise UsageError("time-outs, attempts and the size of an answer must be more than 0")


def check_url(url: str) -> str:
    """Return the URL of a service if it can be asked.

    Examples
    --------
    >>> check_url("http://127.0.0.1:5555")
    'http://127.0.0.1:5555'
    >>> check_url("ftp://example.org/")
    Traceback (most recent call last):
    ...
    esascore.errors.UsageError: ftp://example.org: the URL of a linker begins with http:// or https://
    """
    try:
        parts = urlsplit(url)
        host, scheme, _ = parts.hostname, parts.scheme, parts.port
    except ValueError:  # whose message may hold a password
        raise UsageError("not a valid URL for a linker, which is like http://127.0.0.1:5555") from None
    shown = f"{scheme}://{host or ''}"  # the rest may hold a password
    if scheme not in _DEFAULT_PORTS:
        raise UsageError(f"{shown}: the URL of a linker begins with http:// or https://")
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
        raise UsageError(f"{KEY_VARIABLE} has to be one line of visible ASCII characters")
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
        raise ServiceFailure("redirects to an invalid URL", everywhere=True) from None
    if after.scheme not in _DEFAULT_PORTS:
        raise ServiceFailure("redirects to something else than http or https", everywhere=True)
    if (before.scheme, after.scheme) == ("https", "http"):
        raise ServiceFailure("redirects from https to http, which is not followed", everywhere=True)
    upgraded = (before.scheme, after.scheme) == ("http", "https") and before.hostname == after.hostname
    if "@" in after.netloc or not (same_place or upgraded):
        raise ServiceFailure(
            f"redirects to another host ({shown_text(after.hostname or '')}), which is not followed",
            everywhere=True,
        )
    if status not in (307, 308):
        raise ServiceFailure(
            f"redirects with status {status}, after which no text can be sent: give the URL that it leads to",
            everywhere=True,
        )
    return target


def _place(parts: SplitResult) -> tuple[str, str | None, int | None]:
    return parts.scheme, parts.hostname, parts.port or _DEFAULT_PORTS.get(parts.scheme)


def retry_after(value: str | None, now: datetime) -> float | None:
    """Return the seconds that a ``Retry-After`` header asks to wait, given as a number or as a date.

    Examples
    --------
    >>> now = datetime(2024, 2, 1, 12, 0, 0, tzinfo=UTC)
    >>> retry_after("7", now), retry_after("Thu, 01 Feb 2024 12:00:30 GMT", now), retry_after("soon", now)
    (7.0, 30.0, None)
    """
    value = (value or "").strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        then = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError):
        return None
    then = then if then.tzinfo else then.replace(tzinfo=UTC)
    return max(0.0, (then - now).total_seconds())


def shown_text(text: str | bytes) -> str:
    r"""Return the beginning of something that others wrote, in one safe line.

    Examples
    --------
    >>> print(shown_text(b"HTTP/1.0 400\r\n\xff"))
    HTTP/1.0 400\x0d\x0a�
    """
    start = text[: 4 * _SHOWN].decode("utf-8", "replace") if isinstance(text, bytes) else text
    safe = "".join(c if c.isprintable() else _escaped(c) for c in start[:_SHOWN])
    return safe if len(start) <= _SHOWN else safe + "..."


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


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
    sleep, chance, now
        Stand-ins for the clock and for chance.
    """

    def __init__(
        self,
        url: str,
        policy: HttpPolicy | None = None,
        *,
        key: str | None = None,
        sleep: Callable[[float], object] | None = None,
        chance: Callable[[], float] = random.random,
        now: Callable[[], datetime] | None = None,
    ):
        self.url = check_url(url)
        self.policy = policy or HttpPolicy()
        key = os.environ.get(KEY_VARIABLE, "") if key is None else key
        self._header = key_header(key) if key.strip() else None
        parts = urlsplit(self.url)
        if self._header and parts.scheme == "http" and not is_loopback(parts.hostname or ""):
            raise UsageError(
                f"{self.url}: a key is not sent without encryption: use https, or unset {KEY_VARIABLE}"
            )
        self._sleep, self._chance, self._now = sleep, chance, now
        self._sessions = Sessions()
        self._closed = threading.Event()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_sessions", "_closed")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._sessions = Sessions()
        self._closed = threading.Event()

    def __repr__(self) -> str:
        return f"HttpService({self.url!r})"

    def post(self, body: bytes, headers: Mapping[str, str], *, attempts: int | None = None) -> bytes:
        """Return what the service answers, with status 200; raises `ServiceFailure`.

        ``attempts`` takes the place of that in the policy.
        """
        attempts = attempts or self.policy.attempts
        closed = self._closed
        for attempt in range(1, attempts + 1):
            try:
                return self._attempt(body, headers)
            except _PassingFailure as failure:
                if attempt == attempts or closed.is_set():
                    tried = "" if attempt == 1 else f" ({attempt} attempts)"
                    raise ServiceFailure(self.safe(f"{failure}{tried}"), everywhere=True) from None
                (self._sleep or closed.wait)(self._wait(attempt, failure.wanted_wait))
            except ServiceFailure as failure:
                raise ServiceFailure(self.safe(str(failure)), everywhere=failure.everywhere) from None
        raise AssertionError("unreachable")

    def close(self) -> None:
        """Close all connections and end all waiting, also in other threads; it can be asked again."""
        self._closed.set()
        self._closed = threading.Event()
        self._sessions.close()

    def safe(self, reason: str) -> str:
        """Return why the service failed, with its address and without our key, which it may know."""
        secret = self._header[1].removeprefix("Bearer ") if self._header else ""
        return f"{self.url} {reason.replace(secret, '***') if secret else reason}"

    def _wait(self, attempt: int, wanted: float | None) -> float:
        own = self.policy.backoff * 2.0 ** (attempt - 1) * (0.5 + self._chance() / 2)
        return min(max(own, wanted or 0.0), self.policy.longest_wait)

    def _attempt(self, body: bytes, headers: Mapping[str, str]) -> bytes:
        import requests

        sent = {**headers, "User-Agent": f"esascore/{__version__}"}
        if self._header:
            sent[self._header[0]] = self._header[1]
        with self._sessions.one() as session, deadline(session, self.policy.total_timeout) as expired:
            try:
                answer = self._exchange(session, body, sent)
            except (requests.exceptions.InvalidURL, UnicodeError):  # a host name that cannot be encoded
                raise ServiceFailure("is not a valid URL", everywhere=True) from None
            except (requests.RequestException, _PassingFailure) as error:
                if expired.is_set():
                    raise _PassingFailure(_SLOW) from None
                if isinstance(error, _PassingFailure):
                    raise
                raise _PassingFailure(_told(error)) from None
            if expired.is_set():  # to be cut off can look like the end of an answer
                raise _PassingFailure(_SLOW)
            return answer

    def _exchange(self, session: Session, body: bytes, headers: Mapping[str, str]) -> bytes:
        url = self.url
        times = self.policy.connect_timeout, self.policy.read_timeout
        for _ in range(self.policy.max_redirects + 1):
            local = is_loopback(urlsplit(url).hostname or "")
            with session.post(url, body, headers, times, use_proxy=not local) as response:
                location = response.headers.get("Location")
                if 300 <= response.status_code < 400 and location is not None:
                    url = redirect_target(url, response.status_code, location)
                    continue
                return self._answer(response)
        raise ServiceFailure(f"redirects more than {self.policy.max_redirects} times", everywhere=True)

    def _answer(self, response: Response) -> bytes:
        status = response.status_code
        if status in _PASSING_STATUS:
            now = self._now() if self._now else datetime.now(UTC)
            raise _PassingFailure(
                f"answered with status {status}", retry_after(response.headers.get("Retry-After"), now)
            )
        body = _content(response, self.policy.max_bytes)
        if status != 200:
            told = f": {shown_text(body)}" if body else ""
            raise ServiceFailure(
                f"answered with status {status}{told}", everywhere=status not in _STATUS_OF_A_TEXT
            )
        return body


class _PassingFailure(Exception):  # noqa: N818 (never leaves this module)
    """A failure that may be over the next time."""

    def __init__(self, reason: str, wanted_wait: float | None = None):
        super().__init__(reason)
        self.wanted_wait = wanted_wait


def _content(response: Response, limit: int) -> bytes:
    """Return the unpacked body of an answer, reading no more of it than is allowed."""
    announced = response.headers.get("Content-Length", "")
    length = int(announced) if announced.isascii() and announced.isdigit() and len(announced) < 19 else None
    too_large = ServiceFailure(f"answered with more than {limit:,} bytes", everywhere=False)
    if length is not None and length > limit:
        raise too_large
    content = bytearray()
    for piece in response.iter_content(_PIECE):
        content += piece
        if len(content) > limit:
            raise too_large
    if length is not None and len(content) < length and "Content-Encoding" not in response.headers:
        raise _PassingFailure(f"broke off after {len(content):,} of {length:,} bytes")
    return bytes(content)


def _told(error: BaseException) -> str:
    """Return in plain words what went wrong with a request."""
    from requests import exceptions

    if isinstance(error, exceptions.ConnectTimeout):
        return "cannot be reached: no connection in time"
    if isinstance(error, exceptions.ReadTimeout) or "Read timed out" in str(error):
        return _SLOW
    if isinstance(error, exceptions.ContentDecodingError):
        return "answered with data that cannot be unpacked"
    if isinstance(error, exceptions.ChunkedEncodingError):
        return "broke off in the middle of an answer"
    cause = next((c for c in _causes(error) if isinstance(c, OSError) and c.strerror), None)
    how = f": {shown_text(str(cause.strerror))}" if isinstance(cause, OSError) else ""
    if isinstance(error, exceptions.SSLError):
        return f"cannot be trusted{how or ': TLS failed'}"
    if isinstance(error, exceptions.ProxyError):
        return f"cannot be reached through the proxy{how}"
    if cause is None and isinstance(error, exceptions.ConnectionError):
        return "closed the connection without an answer"
    return f"cannot be reached{how or ': ' + type(error).__name__}"


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Walk over what an error was made from; requests keeps it in arguments, urllib3 in ``reason``."""
    seen: set[int] = set()
    waiting: list[object] = [error]
    while waiting:
        one = waiting.pop(0)
        if not isinstance(one, BaseException) or id(one) in seen:
            continue
        seen.add(id(one))
        if type(one).__module__.partition(".")[0] not in ("requests", "urllib3"):
            yield one
        waiting += [getattr(one, "reason", None), one.__cause__, one.__context__, *one.args]
