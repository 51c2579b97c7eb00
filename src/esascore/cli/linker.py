"""``esascore linker``: your own entity linkers: build their index, serve them."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Annotated

import click

from esascore.cli import options
from esascore.cli.commands import command, group
from esascore.cli.terminal import complain, counted, progress_bar, say, warn


@group
def linker() -> None:
    """Your own entity linkers: build an index of names, serve it.

    Examples
    --------
    esascore linker build LABELS.ttl.bz2 REDIRECTS.ttl.bz2 -o dbpedia.names
    """


@command(linker)
def build(
    labels: tuple[str, ...],
    output: str,
    language: str = "en",
    max_malformed: options.Share = 0.01,
    strict: bool = False,
    jobs: options.Positive | None = None,
) -> None:
    """Build an index of names for the linker gazetteer.

    LABELS are dumps in N-Triples (labels, aliases, redirects, disambiguations, types, link counts) or TSV
    files with name, entity and optionally type and count; .gz and .bz2 files are read directly. Memory use is
    bounded however large they are. If a build is stopped, run the same command again to continue.

    Options
    -------
    -o, --output FILE
        The file to write the index to.
    --language CODE
        Language of the labels to keep, or all; labels without a language are always kept.
    --max-malformed
        The share of a file's lines that may be malformed.
    --strict
        Stop at the first malformed line.
    --jobs N
        Number of processes; never changes the file. [default: one per core]

    Examples
    --------
    esascore linker build LABELS.ttl.bz2 REDIRECTS.ttl.bz2 DISAMBIGUATIONS.ttl.bz2 -o dbpedia.names
    esascore linker build NAMES.tsv -o my.names --strict
    """
    from esascore.link.gazetteer.build import build_index
    from esascore.reports.writing import check_writable
    from esascore.run.workers import processes_available

    check_writable(output, inputs=labels)
    made = build_index(
        labels,
        output,
        language=None if language == "all" else language.lower(),
        max_malformed=0 if strict else max_malformed,
        jobs=jobs or processes_available(),
        stage=progress_bar,
    )
    for file, number, first in made.malformed:
        more = ", ..." if number > len(first) else ""
        warn(f"{file}: {counted(number, 'malformed line')} skipped ({', '.join(map(str, first))}{more})")
    if not made.entries:
        warn("no name was found: are these the right files and the right language?")
    names = f"{counted(made.names, 'name')} of {counted(made.entities, 'entity', 'entities')}"
    say(f"{names} from {counted(made.lines, 'line')}{' (resumed)' if made.resumed else ''}")


@command(linker)
def serve(
    index: tuple[str, ...] = (),
    corpus: str | None = None,
    host: str = "127.0.0.1",
    port: Annotated[int, click.IntRange(0, 65535)] = 5555,
    max_bytes: options.Positive = 1 << 20,
    workers: Annotated[int, click.IntRange(1, 64)] = 4,
) -> None:
    """Serve the gazetteer over HTTP, in the protocol of the entity linker REL.

    INDEX is a file from esascore linker build; without one, only the names of places and of --corpus are
    known. Prints the address to standard output as soon as requests are answered.

    Options
    -------
    --corpus FILE
        Also use the entities of this corpus.
    --host
        Address to listen on.
    --port
        Port to listen on; 0 chooses a free one.
    --max-bytes
        Largest accepted request in bytes.
    --workers
        Number of requests linked at the same time; others wait briefly, then are told to try again.

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
