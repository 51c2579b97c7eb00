"""``esascore linker serve``: answer REL clients from the gazetteer."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import click

from esascore.cli.documented import Documented
from esascore.cli.options import number_option
from esascore.cli.terminal import complain, quiet_option, say, warn


@click.command(cls=Documented)
@click.argument("index", nargs=-1, metavar="[INDEX]...")
@click.option("--corpus", metavar="FILE", help="Also use the entities of this corpus.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@number_option("--port", 5555, "Port to listen on; 0 chooses a free one.", least=0, most=65535)
@number_option("--max-bytes", 1 << 20, "Largest accepted request in bytes.")
@number_option(
    "--workers",
    4,
    "Number of requests linked at the same time; others wait briefly, then are told to try again.",
    most=64,
)
@quiet_option
def serve(
    index: tuple[str, ...], corpus: str | None, host: str, port: int, max_bytes: int, workers: int
) -> None:
    """Serve the gazetteer over HTTP, in the protocol of the entity linker REL.

    INDEX is a file from esascore linker build; without one, only the names of places and of --corpus are
    known. Prints the address to standard output as soon as requests are answered.

    Examples
    --------
    esascore linker serve --corpus esascore-demo/corpus.jsonl
    esascore linker serve dbpedia.names --port 0

    Stop it with Ctrl-C.
    """
    from esascore.link.gazetteer.linker import gazetteer_linker
    from esascore.link.services.loopback import is_loopback
    from esascore.link.services.server import Limits, LinkServer
    from esascore.readers import read_corpus

    examples = read_corpus(corpus) if corpus is not None else []
    if not index and corpus is None:
        warn("only names of places are known: give an INDEX or --corpus")
    if not is_loopback(host):
        warn(f"{host} can be reached from other machines: there is no encryption and no password")
    limits = Limits(max_bytes=max_bytes, workers=workers)
    server = LinkServer(
        gazetteer_linker(index, examples), host, port, limits, report=lambda line: complain(f"error: {line}")
    )
    with _told_to_stop() as stop, server:
        say(f"listening on {server.url}")
        stop.wait()


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
