"""``esascore report``: systems, texts and comparisons as web pages."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from esascore.cli import options
from esascore.cli.commands import command
from esascore.cli.outputs import check_inputs, paths_of, stem_of
from esascore.cli.systems import ODD_TEXTS, evaluate_systems, systems_of, warn_about
from esascore.cli.terminal import say

if TYPE_CHECKING:
    from esascore.reports.summary import Significance


@command(significance=options.comparison, reading=options.Reading, settings=options.Settings)
def report(
    corpus: str,
    output: str,
    outputs: tuple[str, ...] = (),
    title: str | None = None,
    metrics: options.Names = (),
    hallucinations: str | None = None,
    *,
    significance: Significance | None,
    reading: options.Reading,
    settings: options.Settings,
) -> None:
    """Write a report that opens in a browser, without a server.

    It shows a table of the systems, each text with the spans that realise the input's entities and with what
    is missing, and two systems side by side. CORPUS and OUTPUT are as in esascore score.

    Options
    -------
    -o, --output FOLDER|FILE.html
        Where to write the report: a folder, or one file that contains everything.
    --title TEXT
        Heading of the report. [default: the name of CORPUS]
    --metrics NAME,...
        Metrics, separated by commas; can be repeated. [default: esa, hallucination (if not read from a
        file), bleu if there are references and sacrebleu, and with --facts facts]
    --hallucinations FILE
        JSON lines with the hallucinations of these outputs, instead of detecting them.

    Examples
    --------
    esascore report esascore-demo/corpus.jsonl esascore-demo/fluent.txt esascore-demo/dreamer.txt -o pages
    esascore report esascore-demo/corpus.jsonl esascore-demo/dreamer.txt -o dreamer.html --title Dreamer
    """
    from esascore.reports.html import read_flags, write_report
    from esascore.reports.html.site import check_target

    read: list[str | Path] = [corpus, *paths_of(outputs)]
    check_inputs(read)
    check_target(output, inputs=read)
    examples = list(reading.corpus(corpus))
    systems = systems_of(corpus, outputs, examples)
    if significance is not None:
        significance.checked([system.name for system in systems])
    usual = ["esa", *(["hallucination"] if hallucinations is None or settings.facts is not None else [])]
    if find_spec("sacrebleu") and any(example.references for example in examples):
        usual.append("bleu")
    usual += [] if settings.facts is None else ["facts"]
    scored = evaluate_systems(settings, examples, systems, metrics or usual)
    warn_about(scored, *ODD_TEXTS)
    unlinked = [(system.name, len(system.unlinked)) for system in scored.systems if system.unlinked]
    flags = None if hallucinations is None else read_flags(hallucinations, scored)
    page = write_report(
        scored,
        output,
        title=title if title is not None else stem_of(corpus),
        significance=significance,
        flags=flags,
        warnings=[f"{name}: no answer from the linker for {number} texts" for name, number in unlinked],
        threads=settings.processes,
    )
    say(f"Report: {page}")
