"""``esascore score``: systems on a corpus, one row each."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import TYPE_CHECKING

import click

from esascore.cli import options
from esascore.cli.documented import Documented
from esascore.cli.outputs import Outputs, paths_of
from esascore.cli.parent_options import check_taken, parent_options
from esascore.cli.shards import Sharding, score_shards, sharding_options
from esascore.cli.systems import (
    ODD_TEXTS,
    evaluate_parts,
    spooled,
    started_workers,
    systems_of,
    warn_all,
    watched,
)
from esascore.cli.timings import timings_option

if TYPE_CHECKING:
    from esascore.metrics.family import ParentOptions
    from esascore.model import Example
    from esascore.reports.summary import Significance


@click.command(cls=Documented)
@options.systems_arguments
@options.metrics_option("esa")
@options.result_options
@click.option(
    "--by",
    multiple=True,
    type=click.Choice(["category", "size", "seen"]),
    help="Add rows for groups of inputs; can be repeated.",
)
@click.option("--train", metavar="CORPUS", help="Training data; its categories count as seen.")
@options.segments_option
@options.significance_options
@parent_options
@options.reading_options
@sharding_options(5_000)
@options.detection_options
@timings_option
def score(
    corpus: str,
    outputs: tuple[str, ...],
    metrics: list[str],
    format_: str,
    by: tuple[str, ...],
    train: str | None,
    output: str,
    segments: str | None,
    significance: Significance | None,
    reading: options.Reading,
    parent: ParentOptions,
    settings: options.Settings,
    sharding: Sharding,
) -> None:
    """Score systems on a corpus, one row per system.

    CORPUS holds the inputs (WebNLG XML file or folder, JSON lines, CSV, Parquet, records, RDF). Each OUTPUT
    is a file with one text per line, in corpus order, or JSON lines, CSV or Parquet with `id` and `text`; the
    name of the system is NAME or that of the file. Without OUTPUT, the texts of CORPUS itself (its field
    `text`) are scored.

    With --out every argument is a file, folder, pattern or URL of rows: `id`, `system`, `text` and the input.
    The results go to DIR, and esascore merge DIR shows the scores again.

    Examples
    --------
    esascore score esascore-demo/corpus.jsonl esascore-demo/fluent.txt esascore-demo/forgetful.txt
    esascore score esascore-demo/corpus.jsonl mine=esascore-demo/fluent.txt --by category --format csv
    esascore score esascore-demo/corpus.jsonl esascore-demo/*.txt --format json -o scores.json
    esascore score esascore-demo/corpus.jsonl esascore-demo/*.txt --significance fluent
    esascore score esascore-demo/corpus.jsonl esascore-demo/*.txt --significance all
    esascore score ROWS --out DIR --metrics esa,hallucination
    """
    workers = started_workers(() if sharding.out is not None else outputs, settings, metrics)

    from esascore.errors import UsageError
    from esascore.metrics import create_metrics
    from esascore.reports.lines import segment_lines
    from esascore.reports.parquet import SEGMENTS
    from esascore.reports.summary import summarise_parts
    from esascore.reports.tables import FORMATS

    if train is not None and "seen" not in by:
        raise UsageError("--train needs --by seen")
    check_taken(parent, metrics)
    whole = {"--by": by, "--segments": segments, "--significance": significance}
    sharding.check({**whole, "--input-format": reading.input_format})
    if sharding.out is not None:
        files = Outputs({"-o": output})
        make_metrics = partial(create_metrics, metrics, options=parent)
        summary = score_shards([corpus, *outputs], sharding, make_metrics, settings, reading)
        files.write({"-o": [FORMATS[format_](summary)]}, for_people=format_ == "table")
        return
    named = {"-o": output, "--segments": segments}
    files = Outputs(named, inputs=[corpus, *paths_of(outputs)], rows={"--segments": SEGMENTS})
    examples: Collection[Example] = reading.corpus(corpus)
    systems = systems_of(corpus, outputs, examples)
    if significance is not None:
        significance.checked([system.name for system in systems])
    if "seen" in by:
        examples = _with_seen(examples, train)
    make_metrics = partial(create_metrics, metrics, options=parent)
    scored = evaluate_parts(settings, examples, systems, make_metrics, workers=workers)
    parts = watched(scored, "unlinked", *ODD_TEXTS)
    with files.spool("--segments") as spool:
        summary = summarise_parts(spooled(parts, spool, segment_lines), *by, significance=significance)
        warn_all(summary.warnings)
        contents = {"-o": [FORMATS[format_](summary)], "--segments": spool.pieces() if spool else ()}
        files.write(contents, for_people=format_ == "table")


def _with_seen(examples: Collection[Example], train: str | None) -> Collection[Example]:
    from esascore.readers.corpus import iter_corpus
    from esascore.readers.seen import WithSeen, categories_of

    return WithSeen(examples, None if train is None else categories_of(iter_corpus(train)))
