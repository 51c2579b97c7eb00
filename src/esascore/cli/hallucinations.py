"""``esascore hallucinations``: what texts mention and their inputs do not contain."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from esascore.cli import options
from esascore.cli.commands import command
from esascore.cli.outputs import STDOUT, Outputs, paths_of
from esascore.cli.systems import evaluate_parts, spooled, started_workers, systems_of, watched
from esascore.cli.terminal import print_pieces, warn
from esascore.cli.texts import EVERY_TEXT, SHOWN, Worst, print_texts
from esascore.cli.timings import timings_option
from esascore.reports.parquet import HALLUCINATIONS

if TYPE_CHECKING:
    from esascore.reports.summary import Summary
    from esascore.run.scoring import Keep


@command(shown=options.shown, reading=options.Reading, settings=options.Settings)
@timings_option
def hallucinations(
    corpus: str,
    outputs: tuple[str, ...] = (),
    format_: options.Format = "table",
    output: str | None = None,
    *,
    shown: Callable[[Summary], Summary],
    reading: options.Reading,
    settings: options.Settings,
) -> None:
    """Find names, dates and numbers that nothing in the input explains.

    CORPUS and OUTPUT are as in esascore score. Prints the texts that add the most, and one row per system:
    the number of texts with a hallucination and of distinct hallucinations, and the share of texts with any
    hallucination, a name, a date and a number. With -o every text goes to FILE with the spans, their type,
    their class (addition, replacement, inaccurate, ...) and the nearest entity of the input.

    Options
    -------
    --format
        Format of the result.
    -o, --output FILE
        Write the hallucinations of every text there, as JSON lines or (.parquet) Parquet.

    Examples
    --------
    esascore hallucinations esascore-demo/corpus.jsonl esascore-demo/dreamer.txt
    esascore hallucinations esascore-demo/corpus.jsonl esascore-demo/*.txt -o hallucinations.jsonl
    """
    workers = started_workers(outputs, settings, ["hallucination"])

    from esascore.reports.lines import hallucination_lines
    from esascore.reports.summary import summarise_hallucinations
    from esascore.reports.tables import FORMATS

    files = Outputs({"-o": output}, inputs=[corpus, *paths_of(outputs)], rows={"-o": HALLUCINATIONS})
    examples = reading.corpus(corpus)
    systems = systems_of(corpus, outputs, examples)
    for_people = output is None and format_ == "table"
    keep: Keep = "detections" if for_people else "details"
    scored = evaluate_parts(settings, examples, systems, ["hallucination"], keep, workers)
    worst = Worst(SHOWN, added=True)
    parts = watched(worst.watched(scored) if for_people else scored, "unlinked")
    with files.spool("-o") as spool:
        summary = summarise_hallucinations(spooled(parts, spool, hallucination_lines))
        warn(*summary.warnings)
        files.write({"-o": spool.lines() if spool else ()})
    if for_people:
        print_texts(worst.texts, "auto", FORMATS[format_](shown(summary)), EVERY_TEXT)
    elif output != STDOUT:
        print_pieces([FORMATS[format_](shown(summary))], for_people=format_ == "table")
