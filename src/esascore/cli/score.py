"""``esascore score``: systems on a corpus, one row each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from esascore.cli.options import Settings, detection_options, format_option, input_format_option
from esascore.cli.parent_options import parent_options
from esascore.cli.terminal import print_pieces, progress_bar, warn

if TYPE_CHECKING:
    from esascore.metrics.family import ParentOptions
    from esascore.model import Example
    from esascore.readers.systems import System

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
@click.argument("corpus")
@click.argument("outputs", metavar="[[NAME=]OUTPUT]...", nargs=-1)
@click.option(
    "--metrics", default="esa", show_default=True, metavar="NAME,...", help="Metrics, separated by commas."
)
@format_option
@click.option("--by", type=click.Choice(["category", "size", "seen"]), help="Add rows for groups of inputs.")
@click.option("--train", metavar="CORPUS", help="Training data, whose categories are the seen ones.")
@click.option("-o", "--output", metavar="FILE", help="Write the result there.  [default: standard output]")
@click.option("--segments", metavar="FILE", help="Write the scores of every text there, as JSON lines.")
@click.option(
    "--significance",
    metavar="NAME",
    help="Compare every system with this one: intervals, and a mark where a difference is significant.",
)
@click.option(
    "--test",
    type=click.Choice(["randomisation", "bootstrap"]),
    default="randomisation",
    show_default=True,
    help="Paired test of --significance.",
)
@click.option(
    "--resamples",
    type=click.IntRange(min=100, max=1_000_000),
    default=1000,
    show_default=True,
    help="Resamples of --significance.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Seed of --significance: equal seeds give equal results.",
)
@parent_options
@input_format_option
@detection_options
def score(
    corpus: str,
    outputs: tuple[str, ...],
    metrics: str,
    format_: str,
    by: str | None,
    train: str | None,
    output: str | None,
    segments: str | None,
    significance: str | None,
    test: Literal["randomisation", "bootstrap"],
    resamples: int,
    seed: int,
    input_format: str | None,
    parent: ParentOptions,
    settings: Settings,
) -> None:
    """Score systems on a corpus, one row per system.

    CORPUS holds the inputs (WebNLG XML file or folder, JSON lines, CSV, records, RDF). Each OUTPUT is a file
    with one text a line in the order of the corpus; the system is called NAME or like the file. Without
    OUTPUT, the texts in CORPUS itself (its field `text`) are scored.
    """
    from esascore.engine import evaluate
    from esascore.errors import UsageError
    from esascore.metrics import create_metrics
    from esascore.metrics.family import parent_metrics
    from esascore.readers.corpus import read_corpus
    from esascore.readers.systems import split_spec
    from esascore.reports.lines import segment_lines
    from esascore.reports.summary import Significance, summarise
    from esascore.reports.tables import FORMATS
    from esascore.reports.writing import check_writable, write_files

    names = [name.strip() for name in metrics.split(",") if name.strip()]
    if train is not None and by != "seen":
        raise UsageError("--train says which categories are seen: it needs --by seen")
    files = [path for path in (output, segments) if path is not None and path != "-"]
    if output is not None and segments is not None and Path(output) == Path(segments):
        raise UsageError("-o and --segments name the same file")
    for path in files:
        check_writable(path, inputs=[corpus, *(split_spec(spec)[1] for spec in outputs)])

    examples = read_corpus(corpus, input_format=input_format)
    systems = systems_of(corpus, outputs, examples)
    compared = None
    if significance is not None:
        compared = Significance(significance, test, resamples, seed)
        compared.place([system.name for system in systems])
    if by == "seen":
        examples = _with_seen(examples, train)
    with progress_bar("Detecting entities") as progress:
        evaluation = evaluate(
            settings.factory(),
            examples,
            systems,
            partial(create_metrics, names, factories=parent_metrics(parent)),
            jobs=settings.jobs,
            progress=progress,
        )
    warn_about(examples, systems)
    for system in evaluation.systems:
        warn_of_unlinked(system.name, [examples[n].id for n in system.unlinked], len(examples))
    text = FORMATS[format_](summarise(evaluation, by, significance=compared))
    contents = []
    if segments is not None and segments != "-":
        contents.append((segments, segment_lines(evaluation)))
    if output is not None and output != "-":
        contents.append((output, iter([text])))
    write_files(contents)
    if output is None or output == "-":
        print_pieces([text], for_people=format_ == "table")
    if segments == "-":
        print_pieces(segment_lines(evaluation))


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
