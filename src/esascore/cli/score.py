"""``esascore score``: systems on a corpus, one row each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from esascore.cli.options import (
    Settings,
    detection_options,
    format_option,
    input_format_option,
    metrics_option,
    output_option,
    segments_option,
    significance_options,
    systems_arguments,
)
from esascore.cli.outputs import Outputs, paths_of
from esascore.cli.parent_options import parent_options
from esascore.cli.terminal import progress_bar, warn

if TYPE_CHECKING:
    from esascore.metrics.family import ParentOptions
    from esascore.model import Example
    from esascore.readers.systems import System
    from esascore.reports.summary import Significance

_NAMED = 5


@click.command(
    epilog="""\b
Examples (after esascore demo, which writes these files):
  esascore score esascore-demo/corpus.jsonl esascore-demo/fluent.txt esascore-demo/forgetful.txt
  esascore score esascore-demo/corpus.jsonl mine=esascore-demo/fluent.txt --by category --format csv
  esascore score esascore-demo/corpus.jsonl esascore-demo/*.txt --format json -o scores.json
  esascore score esascore-demo/corpus.jsonl esascore-demo/*.txt --significance fluent
"""
)
@systems_arguments
@metrics_option("esa")
@format_option
@click.option("--by", type=click.Choice(["category", "size", "seen"]), help="Add rows for groups of inputs.")
@click.option("--train", metavar="CORPUS", help="Training data, whose categories are the seen ones.")
@output_option
@segments_option
@significance_options
@parent_options
@input_format_option
@detection_options
def score(
    corpus: str,
    outputs: tuple[str, ...],
    metrics: list[str],
    format_: str,
    by: str | None,
    train: str | None,
    output: str,
    segments: str | None,
    significance: Significance | None,
    input_format: str | None,
    parent: ParentOptions,
    settings: Settings,
) -> None:
    """Score systems on a corpus, one row per system.

    CORPUS holds the inputs (WebNLG XML file or folder, JSON lines, CSV, records, RDF). Each OUTPUT is a file
    with one text per line in the order of the corpus; the system is called NAME or like the file. Without
    OUTPUT, the texts in CORPUS itself (its field `text`) are scored.
    """
    from esascore.engine import evaluate
    from esascore.errors import UsageError
    from esascore.metrics import create_metrics
    from esascore.readers.corpus import read_corpus
    from esascore.reports.lines import segment_lines
    from esascore.reports.summary import summarise
    from esascore.reports.tables import FORMATS

    if train is not None and by != "seen":
        raise UsageError("--train says which categories are seen: it needs --by seen")
    files = Outputs({"-o": output, "--segments": segments}, inputs=[corpus, *paths_of(outputs)])
    examples = read_corpus(corpus, input_format=input_format)
    systems = systems_of(corpus, outputs, examples)
    if significance is not None:
        significance.place([system.name for system in systems])
    if by == "seen":
        examples = _with_seen(examples, train)
    with progress_bar("Detecting entities") as progress:
        evaluation = evaluate(
            settings.factory(),
            examples,
            systems,
            partial(create_metrics, metrics, options=parent),
            jobs=settings.jobs,
            progress=progress,
        )
    warn_about(examples, systems)
    for system in evaluation.systems:
        warn_of_unlinked(system.name, [examples[n].id for n in system.unlinked], len(examples))
    text = FORMATS[format_](summarise(evaluation, by, significance=significance))
    contents = {"-o": [text], "--segments": segment_lines(evaluation)}
    files.write(contents, for_people=format_ == "table")


def systems_of(corpus: str, outputs: Sequence[str], examples: Sequence[Example]) -> list[System]:
    """The systems of the command line; without any, the texts of the corpus itself."""
    from esascore.errors import UsageError
    from esascore.readers.systems import own_outputs, read_systems

    if outputs:
        return read_systems(outputs, examples)
    own = own_outputs(examples, Path(corpus).stem)
    if own is None:
        raise UsageError(f"{corpus} holds no texts of a system: give one or more OUTPUT files")
    return [own]


def warn_about(examples: Sequence[Example], systems: Sequence[System]) -> None:
    """Name blank outputs, which score 0, and inputs without entities, which have no score."""
    from esascore.text.blank import is_blank

    for system in systems:
        pairs = zip(examples, system.texts, strict=True)
        blank = [example.id for example, text in pairs if is_blank(text)]
        if blank:
            warn(
                f"system {system.name}: {len(blank)} of {len(examples)} outputs are blank or null-like "
                f"and score 0 ({_listed(blank)})"
            )
    empty = [example.id for example in examples if not example.input.entities]
    if empty:
        warn(
            f"{len(empty)} of {len(examples)} inputs have no entity: ESA is undefined there and leaves them "
            f"out ({_listed(empty)})"
        )


def warn_of_unlinked(system: str, ids: Sequence[str], texts: int) -> None:
    """Name the texts that the entity linker gave no answer for."""
    if ids:
        warn(
            f"system {system}: the linker gave no answer for {len(ids)} of {texts} texts: what it would have "
            f"found is unknown ({_listed(ids)})"
        )


def _listed(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return ", ".join(ids[:_NAMED]) + more


def _with_seen(examples: Sequence[Example], train: str | None) -> list[Example]:
    from esascore.readers.corpus import read_corpus
    from esascore.readers.seen import categories_of, with_seen

    return with_seen(examples, None if train is None else categories_of(read_corpus(train)))
