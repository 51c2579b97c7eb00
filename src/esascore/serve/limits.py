"""The limits of a server, and how a request is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus

from esascore.reports.jsontext import to_json

PROBLEM = "application/problem+json"
"""The type of a refusal (RFC 9457)."""

RETRY_SECONDS = 1


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a server.

    Attributes
    ----------
    max_bytes, max_head_bytes
        Size of the body of a request; of its request line and headers.
    max_items, max_facts, max_spans
        Items in one request; facts of one item; spans of one question to a linker.
    workers
        Worker processes.
    waiting
        Requests that may wait for one of them.
    per_client
        Requests that one address may have under way.
    connections
        Clients connected at the same time; others are told to come back.
    read_seconds, idle_seconds, write_seconds
        Time for a request to arrive, for an idle connection, and for a client to take its answer.
    wait_seconds, work_seconds, report_seconds
        Time to wait for a free process, for the work on a request, and for the work on a report.
    """

    max_bytes: int = 8 << 20
    max_head_bytes: int = 1 << 15
    max_items: int = 1_000
    max_facts: int = 20_000
    max_spans: int = 1_000
    workers: int = 2
    waiting: int = 256
    per_client: int = 256
    connections: int = 512
    read_seconds: float = 10.0
    idle_seconds: float = 30.0
    write_seconds: float = 10.0
    wait_seconds: float = 5.0
    work_seconds: float = 30.0
    report_seconds: float = 300.0


class Problem(Exception):  # noqa: N818 - a decision about a request, not an error of ours
    """The answer to a request that is refused; ``detail`` never repeats any part of a text."""

    def __init__(self, status: int, detail: str, headers: Mapping[str, str] | None = None):
        super().__init__(status, detail, dict(headers or {}))
        self.status, self.detail, self.headers = status, detail, dict(headers or {})

    @property
    def body(self) -> bytes:
        """The problem as RFC 9457 has it, in JSON.

        Examples
        --------
        >>> Problem(404, "nothing").body
        b'{"type": "about:blank", "title": "Not Found", "status": 404, "detail": "nothing"}'
        """
        title = HTTPStatus(self.status).phrase
        document = {"type": "about:blank", "title": title, "status": self.status, "detail": self.detail}
        return to_json(document).encode()


def busy(status: int = 503) -> Problem:
    """Return the refusal that asks a client to try again soon."""
    return Problem(status, "busy: come back in a moment", {"Retry-After": str(RETRY_SECONDS)})
