"""``esascore parent``: PARENT on the files of the public script, and counts of training data for PARENT-C."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any, cast

import click

from esascore.cli import options
from esascore.cli.documented import DocumentedGroup
from esascore.cli.outputs import Outputs
from esascore.cli.parent_options import parent_options
from esascore.cli.terminal import quiet_option

if TYPE_CHECKING:
    from esascore.metrics.cooccurrence import Pair
    from esascore.metrics.family import ParentOptions
    from esascore.metrics.parent import Parent


@click.group(cls=DocumentedGroup)
def parent() -> None:
    """PARENT on plain files, and counts for its co-occurrence model.

    The metrics parent, parent-c, parent-e, parent-t and pseudo-parent are part of esascore score.

    Examples
    --------
    esascore parent cooccurrence esascore-demo/corpus.jsonl -o counts.txt
    esascore parent score TABLES REFERENCES GENERATIONS --format json
    """


@parent.command()
@click.argument("train")
@options.target_option("The file to write to; JSON if it ends in .json.")
@click.option(
    "--references", metavar="FILE", help="Texts, if TRAIN is a table file of the public PARENT script."
)
@options.number_option("--min-count", 1, "Leave out word pairs that occur less often.")
@options.choice_option(
    "--parent-tokenizer",
    ["whitespace", "words", "13a"],
    "How texts are split into tokens; use the same for scoring.",
    "tokenizer",
)
@options.reading_options
@quiet_option
def cooccurrence(
    train: str,
    output: str,
    references: str | None,
    min_count: int,
    tokenizer: str,
    reading: options.Reading,
) -> None:
    """Count how often words of texts occur with words of tables in training data.

    TRAIN is a corpus with reference texts. Memory holds the vocabulary and a fixed number of word pairs; the
    rest goes to a temporary file.

    Examples
    --------
    esascore parent cooccurrence esascore-demo/corpus.jsonl -o counts.txt
    esascore parent cooccurrence esascore-demo/corpus.jsonl -o counts.json --min-count 2
    esascore parent cooccurrence TABLES --references REFERENCES -o counts.txt
    """
    from esascore.errors import UsageError
    from esascore.metrics.cooccurrence import count_lines, count_rows, json_pieces
    from esascore.metrics.parent import tokenizer_of

    if references is not None and reading != options.Reading(None, (), ()):
        raise UsageError(
            "--references needs a table file of the public script: omit --input-format, --optional, --ignore"
        )
    files = Outputs({"-o": output}, inputs=[train, *([] if references is None else [references])])
    pairs = _file_pairs(train, references) if references is not None else _corpus_pairs(train, reading)
    rows = count_rows(pairs, min_count=min_count, tokenize=tokenizer_of(tokenizer))
    write = json_pieces if output.endswith(".json") else count_lines
    files.write({"-o": write(rows)})


@parent.command()
@click.argument("tables")
@click.argument("references")
@click.argument("generations", metavar="[NAME=]GENERATIONS...", nargs=-1, required=True)
@options.result_options
@parent_options
@quiet_option
def score(
    tables: str,
    references: str,
    generations: tuple[str, ...],
    format_: str,
    output: str,
    parent: ParentOptions,
) -> None:
    """Score the files that the public PARENT script reads, of any length, one row per generation file.

    Each line is an instance: in TABLES attribute|||value or head|||relation|||tail items separated by tabs,
    in REFERENCES texts separated by tabs, in GENERATIONS one text. As in that script, lambda is the heuristic
    unless given. With --cooccurrence the co-occurrence model replaces word overlap.

    Examples
    --------
    esascore parent score TABLES REFERENCES GENERATIONS
    esascore parent score TABLES REFERENCES GENERATIONS MORE_GENERATIONS --lambda 0.5 --format json
    """
    from dataclasses import replace

    from esascore.metrics import create_metrics
    from esascore.readers.systems import split_spec
    from esascore.reports.summary import Summary
    from esascore.reports.tables import FORMATS

    specs = [split_spec(spec) for spec in generations]
    files = Outputs({"-o": output}, inputs=[tables, references, *(path for _, path in specs)])
    if parent.lambda_weight is None:
        parent = replace(parent, lambda_weight="heuristic")
    name = "parent" if parent.cooccurrence is None else "parent-c"
    metric = cast("Parent", create_metrics([name], cast("Any", None), options=parent)[0])
    rows = tuple({"system": name, **_scored(metric, tables, references, str(path))} for name, path in specs)
    summary = Summary(str(metric.signature()), metric.columns, rows)
    files.write({"-o": [FORMATS[format_](summary)]}, for_people=format_ == "table")


def _scored(metric: Parent, tables: str, references: str, generations: str) -> dict[str, Any]:
    """Figures of one generation file; only sums and some thousands of lines are in memory."""
    from esascore.errors import DataError
    from esascore.readers.parent_files import in_step, read_generations, read_references, read_tables

    files = [generations, references, tables]
    streams = [read_generations(generations), read_references(references), read_tables(tables)]
    items = cast("Iterator[tuple[str, Sequence[str], Any]]", in_step(files, streams))
    totals = [metric.total(chunk) for chunk in metric.stream(items)]
    if not totals:
        raise DataError("the file contains no text", file=generations)
    total = reduce(add, totals)
    return {"texts": total.texts, **metric.fields(total)}


def _corpus_pairs(train: str, reading: options.Reading) -> Iterator[Pair]:
    from esascore.errors import DataError
    from esascore.metrics.parent import tables_of

    found = False
    for example in reading.corpus(train):
        (table,) = tables_of([example])
        for reference in example.references:
            found = True
            yield table, reference.text
    if not found:
        raise DataError("the corpus has no reference texts: give them with --references", file=train)


def _file_pairs(tables: str, references: str) -> Iterator[Pair]:
    from esascore.readers.parent_files import in_step, read_references, read_tables

    streams = [read_tables(tables), read_references(references)]
    for table, texts in cast("Iterator[tuple[Any, list[str]]]", in_step([tables, references], streams)):
        for text in texts:
            yield table, text
