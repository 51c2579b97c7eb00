"""``esascore linker``: your own entity linkers: build their index, serve them."""

from __future__ import annotations

from functools import partial

from esascore.cli import options
from esascore.cli.commands import command, group
from esascore.cli.serve import Port, Workers, check_extra, linker_of, run_server
from esascore.cli.terminal import progress_bar, say, warn
from esascore.errors import counted
from esascore.run.workers import processes_available


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
    port: Port = 5555,
    max_bytes: options.Positive = 1 << 20,
    jobs: Workers | None = None,
) -> None:
    """Serve the gazetteer over HTTP, in the protocol of the entity linker REL.

    INDEX is a file from esascore linker build; without one, only the names of places and of --corpus are
    known. Prints the address to standard output as soon as requests are answered. It is the server of
    esascore serve, but serves only the linker.

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
    --jobs N
        Number of processes that link. [default: one per core]

    Examples
    --------
    esascore linker serve --corpus esascore-demo/corpus.jsonl
    esascore linker serve dbpedia.names --port 0

    Stop it with Ctrl-C.
    """
    check_extra()
    from esascore.serve.limits import Limits

    linker = partial(linker_of, index, corpus)
    linker()  # whatever is wrong with it is reported before anything starts
    if not index and corpus is None:
        warn("only names of places are known: give an INDEX or --corpus")
    limits = Limits(max_bytes=max_bytes, workers=jobs or processes_available())
    run_server(host, port, limits, linker=linker, rel=True)
