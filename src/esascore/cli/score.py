"""``esascore score``: systems on a corpus, one row each."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from esascore.cli import options, parent
from esascore.cli.commands import command
from esascore.cli.outputs import Outputs, paths_of
from esascore.cli.shards import Sharding, first_input, score_shards
from esascore.cli.systems import (
    ODD_TEXTS,
    evaluate_parts,
    spooled,
    started_workers,
    systems_of,
    watched,
)
from esascore.cli.terminal import warn
from esascore.cli.timings import timings_option
from esascore.errors import UsageError
from esascore.metrics.parent_options import ParentOptions
from esascore.model import Example
from esascore.readers.corpus import iter_corpus
from esascore.readers.seen import categories_of, with_seen
from esascore.reports.parquet import SEGMENTS

if TYPE_CHECKING:
    from esascore.metrics.base import Detector, Metric
    from esascore.reports.summary import Significance, Summary
    from esascore.run.scoring import MakeMetrics

TOTTO = ("totto",)
"""The metrics of ToTTo's authors, under the name that stands for all of them."""


@command(
    result=options.Result,
    shown=options.shown,
    significance=options.comparison,
    sharding=Sharding,
    reading=options.Reading,
    settings=options.Settings,
    family=parent.family,
)
@timings_option
def score(
    corpus: str,
    outputs: tuple[str, ...] = (),
    metrics: options.Names = (),
    by: tuple[Literal["category", "size", "seen", "overlap"], ...] = (),
    train: str | None = None,
    segments: str | None = None,
    plot: str | None = None,
    parent_files: bool = False,
    *,
    result: options.Result,
    shown: Callable[[Summary], Summary],
    significance: Significance | None,
    reading: options.Reading,
    family: ParentOptions,
    settings: options.Settings,
    sharding: Sharding,
) -> None:
    """Score systems on a corpus, one row per system.

    CORPUS holds the inputs (WebNLG XML, JSON lines, CSV, Parquet, records, RDF). Each OUTPUT is a file with
    one text per line, in corpus order, or JSON lines, CSV or Parquet with `id` and `text`; the name of the
    system is NAME or that of the file. Without OUTPUT, the field `text` of CORPUS is scored.

    With --out every argument is a file, folder, pattern or URL of rows: `id`, `system`, `text` and the input.

    Options
    -------
    --metrics NAME,...
        Metrics, separated by commas; can be repeated. [default: esa; for data esa,hallucination]
    --by GROUP
        Add rows for groups: category, size, seen, overlap; can be repeated.
    --segments FILE
        Write the scores of every text to FILE, as JSON lines or (.parquet) Parquet.
    --plot FILE
        Draw the systems with intervals, their ranks by BLEU and ESIC, their categories (.svg, .png, .pdf).

    More options
    ------------
    --train CORPUS
        Training data; its categories count as seen.
    --parent-files
        The arguments are the files of the public PARENT script: TABLES REFERENCES GENERATIONS...

    Examples
    --------
    esascore score esascore-demo/corpus.jsonl esascore-demo/fluent.txt esascore-demo/forgetful.txt
    esascore score esascore-demo/corpus.jsonl mine=esascore-demo/fluent.txt --by category -o scores.csv
    esascore score esascore-demo/corpus.jsonl esascore-demo/*.txt --significance all
    esascore score ROWS --out DIR --metrics esa,hallucination
    """
    if parent_files:
        parent.score_files(corpus, outputs, result, family)
        return
    workers = started_workers(() if sharding.out is not None else outputs, settings, metrics or ["esa"])

    from esascore.metrics import usual_metrics
    from esascore.reports.lines import segment_lines
    from esascore.reports.plots import check_figure, draw_systems
    from esascore.reports.summary import Significance, summarise_parts

    if train is not None and "seen" not in by:
        raise UsageError("--train needs --by seen")
    parent.check_taken(family, ["parent-t"] if metrics == TOTTO else metrics)
    whole = {"--by": by, "--segments": segments, "--significance": significance, "--plot": plot}
    sharding.check({**whole, "--input-format": reading.input_format})
    if sharding.out is not None:
        files = Outputs({"-o": result.output})
        metrics = metrics or usual_metrics(first_input([corpus, *outputs], sharding.out))
        summary = score_shards([corpus, *outputs], sharding, _maker(metrics, family), settings, reading)
        files.write({"-o": [result.of(shown(summary))]}, for_people=result.for_people)
        return
    read: list[str | Path] = [corpus, *paths_of(outputs)]
    files = Outputs({"-o": result.output, "--segments": segments}, inputs=read, rows={"--segments": SEGMENTS})
    examples: Collection[Example] = reading.corpus(corpus)
    if plot is not None:
        check_figure(plot, inputs=read)
    systems = systems_of(corpus, outputs, examples)
    if significance is not None:
        significance.checked([system.name for system in systems])
    if "seen" in by:
        examples = with_seen(examples, None if train is None else categories_of(iter_corpus(train)))
    first = next(iter(examples))
    tells_overlap = metrics == TOTTO and not by and any(example.seen is not None for example in examples)
    asked = [*by, *(["overlap"] if tells_overlap else [])]
    drawn = ["category"] if plot is not None and first.category and "category" not in asked else []
    make_metrics = _maker(metrics or usual_metrics(first.input), family)
    scored = evaluate_parts(settings, examples, systems, make_metrics, workers=workers)
    parts = watched(scored, "unlinked", *ODD_TEXTS)
    with files.spool("--segments") as spool:
        how = Significance() if significance is None and plot is not None else significance
        summary = summarise_parts(spooled(parts, spool, segment_lines), *asked, *drawn, significance=how)
        warn(*summary.warnings)
        if plot is not None:
            draw_systems(plot, summary)
        told = shown(replace(summary, by=tuple(asked), significance=significance))
        contents = {"-o": [result.of(told)], "--segments": spool.lines() if spool else ()}
        files.write(contents, for_people=result.for_people)


def _maker(metrics: tuple[str, ...], family: ParentOptions) -> MakeMetrics:
    from esascore.metrics import create_metrics

    if metrics == TOTTO:
        return partial(_totto_metrics, options=family)
    return partial(create_metrics, metrics, options=family)


def _totto_metrics(detector: Detector, options: ParentOptions) -> list[Metric[Any]]:
    from esascore.metrics import create_metrics
    from esascore.metrics.totto import TottoBleu, TottoParentT

    return [*create_metrics(["esa"], detector), TottoParentT.create(detector, options), TottoBleu()]
