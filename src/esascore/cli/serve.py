"""``esascore serve``: the page and the HTTP API."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

import click

from esascore.cli import options
from esascore.cli.commands import command
from esascore.cli.terminal import complain, say, warn
from esascore.errors import MissingExtraError, UsageError
from esascore.readers.corpus import read_corpus
from esascore.run.workers import processes_available

if TYPE_CHECKING:
    from esascore.link.gazetteer.linker import Gazetteer
    from esascore.serve.limits import Limits

Port = Annotated[int, click.IntRange(0, 65535)]
Workers = Annotated[int, click.IntRange(1, 64)]
_TOKEN = "ESASCORE_SERVE_TOKEN"


@command(guard=options.guard)
def serve(
    host: str = "127.0.0.1",
    port: Port = 8000,
    jobs: Workers | None = None,
    max_bytes: options.Positive = 8 << 20,
    max_items: options.Positive = 1_000,
    max_facts: options.Positive = 20_000,
    seconds: Annotated[float, click.FloatRange(min=0.1)] = 30.0,
    allow_host: tuple[str, ...] = (),
    cors: tuple[str, ...] = (),
    token_file: str | None = None,
    linker_index: tuple[str, ...] = (),
    linker_corpus: str | None = None,
    rel: bool = False,
    *,
    guard: dict[str, Any],
) -> None:
    """Serve the page and the HTTP API.

    Open the address that is printed, or POST to /v1/check, /v1/detect and /v1/score; GET /openapi.json
    describes them. With --linker-index, --linker-corpus or --rel, an entity linker answers REL's protocol at
    /rel.

    Options
    -------
    --host ADDRESS
        Address to listen on.
    --port
        Port to listen on; 0 chooses a free one.
    --jobs N
        Number of worker processes. [default: one per core]

    More options
    ------------
    --max-bytes
        Largest accepted request in bytes.
    --max-items
        Most items in one request.
    --max-facts
        Most facts in one item.
    --seconds
        Most seconds of work on one request; longer work is stopped.
    --allow-host NAME
        A host name that requests may use, besides those of this machine; can be repeated.
    --cors ORIGIN
        Origin of a web page that may send requests; can be repeated.
    --token-file FILE
        File with the bearer token that requests need; ESASCORE_SERVE_TOKEN can hold it instead.
    --linker-index FILE
        Names from esascore linker build, to serve a linker at /rel; can be repeated.
    --linker-corpus FILE
        A corpus whose entities the linker knows as well.
    --rel
        Serve the linker at / instead of the page.

    Examples
    --------
    esascore serve --port PORT
    esascore serve --port PORT --require name --min-confidence 0.5

    Stop it with Ctrl-C.
    """
    check_extra()
    from esascore.guard import Guard
    from esascore.serve.limits import Limits

    limits = Limits(
        max_bytes=max_bytes,
        max_items=max_items,
        max_facts=max_facts,
        workers=jobs or processes_available(),
        work_seconds=seconds,
    )
    Guard(**guard)  # whatever is wrong with it is reported before anything starts
    linker = None
    if linker_index or linker_corpus or rel:
        linker = partial(linker_of, linker_index, linker_corpus)
        linker()
    token = _token(token_file)
    run_server(
        host, port, limits, guard=guard, linker=linker, rel=rel, hosts=allow_host, token=token, origins=cors
    )


def check_extra() -> None:
    """Import what a server needs.

    Raises
    ------
    MissingExtraError
        It is not installed.
    """
    try:
        import esascore.serve.server  # noqa: F401
    except ImportError as error:
        package = (error.name or "").partition(".")[0]
        if package not in ("starlette", "uvicorn", "h11"):
            raise
        raise MissingExtraError("Serving", package=package, extra="serve") from None


def run_server(host: str, port: int, limits: Limits, *, token: str | None = None, **more: Any) -> None:
    """Serve until Ctrl-C or a request to terminate; ``more`` is as for `esascore.serve.server.Server`."""
    from esascore.link.services.http import is_loopback
    from esascore.serve.server import Server

    if not is_loopback(host):
        password = "" if token else " and no password"
        warn(f"{host} can be reached from other machines: there is no encryption{password}")

    def report(line: str) -> None:
        complain(f"error: {line}")

    server = Server(host=host, port=port, limits=limits, token=token, report=report, **more)
    with _told_to_stop() as stop, server:
        say(f"listening on {server.url}")
        stop.wait()


def linker_of(index: tuple[str, ...], corpus: str | None) -> Gazetteer:
    """Make the linker of index files and of a corpus; each process makes its own."""
    from esascore.link.gazetteer.linker import gazetteer_linker

    return gazetteer_linker(index, read_corpus(corpus) if corpus is not None else [])


def _token(path: str | None) -> str | None:
    from os import environ

    if path is None:
        return environ.get(_TOKEN) or None
    try:
        token = Path(path).read_text("utf-8").strip()
    except (OSError, ValueError):
        raise UsageError(f"{path}: the token cannot be read") from None
    if not token or not token.isascii():
        raise UsageError(f"{path}: the token must be ASCII characters")
    return token


@contextmanager
def _told_to_stop() -> Iterator[threading.Event]:
    """An event that Ctrl-C or a request to terminate sets, instead of ending the process at once."""
    stop = threading.Event()

    def told(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    before = {number: signal.signal(number, told) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
