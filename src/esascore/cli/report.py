"""``esascore report``: systems, texts and comparisons as web pages."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from esascore.cli import options
from esascore.cli.documented import Documented
from esascore.cli.outputs import check_inputs, paths_of, stem_of
from esascore.cli.systems import ODD_TEXTS, evaluate_systems, systems_of, warn_about
from esascore.cli.terminal import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from esascore.model import Example
    from esascore.reports.summary import Significance


@click.command(cls=Documented)
@options.systems_arguments
@click.option(
    "--html",
    required=True,
    metavar="FOLDER|FILE.html",
    help="Where to write the report: a folder, or one file that contains everything.",
)
@click.option("--title", metavar="TEXT", help="Heading of the report.  [default: the name of CORPUS]")
@options.metrics_option(
    "esa, and bleu if there are references and sacrebleu; with --facts hallucination and facts", named=False
)
@options.significance_options
@click.option(
    "--hallucinations",
    metavar="FILE",
    help="JSON lines with the hallucinations of these outputs, instead of those that we find.",
)
@options.reading_options
@options.detection_options
def report(
    corpus: str,
    outputs: tuple[str, ...],
    html: str,
    title: str | None,
    metrics: list[str] | None,
    significance: Significance | None,
    hallucinations: str | None,
    reading: options.Reading,
    settings: options.Settings,
) -> None:
    """Write a report that opens in a browser, without a server.

    It shows a table of the systems, each text with the spans that realise the input's entities and with what
    is missing, and two systems side by side. CORPUS and OUTPUT are as in esascore score.

    Examples
    --------
    esascore report esascore-demo/corpus.jsonl esascore-demo/fluent.txt esascore-demo/dreamer.txt --html pages
    esascore report esascore-demo/corpus.jsonl esascore-demo/dreamer.txt --html dreamer.html --title Dreamer
    """
    from esascore.metrics import create_metrics
    from esascore.reports.html import read_flags, write_report
    from esascore.reports.html.site import check_target

    read: list[str | Path] = [corpus, *paths_of(outputs)]
    check_inputs(read)
    check_target(html, inputs=read)
    examples = list(reading.corpus(corpus))
    systems = systems_of(corpus, outputs, examples)
    if significance is not None:
        significance.checked([system.name for system in systems])
    if metrics is None:
        metrics = _usual(examples) + (["hallucination", "facts"] if settings.facts is not None else [])
    make_metrics = partial(create_metrics, metrics)
    scored = evaluate_systems(settings, examples, systems, make_metrics, keep_detections=True)
    warn_about([scored], *ODD_TEXTS)
    unlinked = [(system.name, len(system.unlinked)) for system in scored.systems if system.unlinked]
    flags = None if hallucinations is None else read_flags(hallucinations, scored)
    page = write_report(
        scored,
        html,
        title=title if title is not None else stem_of(corpus),
        significance=significance,
        flags=flags,
        warnings=[f"{name}: no answer from the linker for {number} texts" for name, number in unlinked],
        threads=settings.jobs,
    )
    say(f"Report: {page}")


def _usual(examples: Sequence[Example]) -> list[str]:
    from importlib.util import find_spec

    with_bleu = find_spec("sacrebleu") and any(example.references for example in examples)
    return ["esa", "bleu"] if with_bleu else ["esa"]
