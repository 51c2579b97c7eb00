"""``esascore parent``: counts of training data for PARENT-C; the options of PARENT, and its public files."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import add
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import click

from esascore.cli import options
from esascore.cli.commands import command, group
from esascore.cli.outputs import Outputs
from esascore.errors import DataError, UsageError
from esascore.metrics.parent_options import DEFAULTS, ParentOptions
from esascore.readers.outputs import plain_texts
from esascore.readers.records import in_step, read_references, read_tables
from esascore.readers.systems import split_spec

if TYPE_CHECKING:
    from esascore.metrics.cooccurrence import Pair
    from esascore.metrics.parent import Parent

_FAMILY = ("parent", "parent-c", "parent-e", "parent-t", "pseudo-parent")
_TAKERS: Mapping[str, tuple[str, tuple[str, ...]]] = MappingProxyType(
    {
        "lambda_weight": ("--lambda", _FAMILY),
        "multi_ref": ("--multi-ref", _FAMILY),
        "tokenizer": ("--parent-tokenizer", tuple(name for name in _FAMILY if name != "parent-t")),
        "attributes": ("--attributes", ("parent", "parent-e")),
        "cooccurrence": ("--cooccurrence", ("parent-c",)),
        "recall_table": ("--parent-t", ("parent-t",)),
    }
)
"""Setting -> its option, and the metrics that take it."""

Tokenizer = Literal["whitespace", "words", "13a", "characters"]


def _weight(_ctx: click.Context, _parameter: click.Parameter, value: str | None) -> float | str | None:
    if value is None or value == "heuristic":
        return value
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise click.BadParameter(f"{value!r} is neither a number between 0 and 1 nor 'heuristic'")
    return number


def family(
    lambda_: Annotated[str, _weight] | None = None,
    multi_ref: Literal["best-f", "independent-max"] | None = None,
    parent_tokenizer: Tokenizer | None = None,
    attributes: bool = False,
    cooccurrence: str | None = None,
    parent_t: Literal["scripts", "paper"] = "scripts",
) -> ParentOptions:
    """Set how PARENT and the metrics of its family are computed.

    More options
    ------------
    --lambda NUMBER|heuristic
        PARENT: weight of recall against the table. [default: 0.5; parent-t: heuristic]
    --multi-ref
        PARENT: the reference with the best F, or the best of each figure. [default: best-f]
    --parent-tokenizer
        PARENT: how texts are split into tokens (parent-t has its own way). [default: whitespace]
    --attributes
        PARENT: words of attribute names are also entailed.
    --cooccurrence FILE
        Counts for parent-c, from esascore parent cooccurrence.
    --parent-t
        What a text must mention under parent-t: highlighted cells and titles, or the cells alone.
    """
    return ParentOptions(lambda_, multi_ref, parent_tokenizer, attributes, cooccurrence, parent_t)


def check_taken(parent: ParentOptions, metrics: Collection[str]) -> None:
    """Reject an option that none of the metrics takes, because it would change nothing.

    Raises
    ------
    UsageError
        For the first such option.

    Examples
    --------
    >>> check_taken(ParentOptions(lambda_weight=0.5), ["esa", "bleu"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    esascore.errors.UsageError: --lambda needs parent, ... or pseudo-parent in --metrics
    """
    for setting, (option, takers) in _TAKERS.items():
        if getattr(parent, setting) != getattr(DEFAULTS, setting) and not set(takers) & set(metrics):
            named = " or ".join(filter(None, (", ".join(takers[:-1]), takers[-1])))
            raise UsageError(f"{option} needs {named} in --metrics")


@group
def parent() -> None:
    """Counts for the co-occurrence model of PARENT.

    The metrics parent, parent-c, parent-e, parent-t and pseudo-parent are part of esascore score.

    Examples
    --------
    esascore parent cooccurrence esascore-demo/corpus.jsonl -o counts.txt
    """


@command(parent, reading=options.Reading)
def cooccurrence(
    train: str,
    output: str,
    references: str | None = None,
    min_count: options.Positive = 1,
    parent_tokenizer: Tokenizer = "whitespace",
    *,
    reading: options.Reading,
) -> None:
    """Count how often words of texts occur with words of tables in training data.

    TRAIN is a corpus with reference texts. Memory holds the vocabulary and a fixed number of word pairs; the
    rest goes to a temporary file.

    Options
    -------
    -o, --output FILE
        The file to write to; JSON if it ends in .json.
    --references FILE
        Texts, if TRAIN is a table file of the public PARENT script.
    --min-count
        Leave out word pairs that occur less often.
    --parent-tokenizer
        How texts are split into tokens; use the same for scoring.

    Examples
    --------
    esascore parent cooccurrence esascore-demo/corpus.jsonl -o counts.txt
    esascore parent cooccurrence esascore-demo/corpus.jsonl -o counts.json --min-count 2
    esascore parent cooccurrence TABLES --references REFERENCES -o counts.txt
    """
    from esascore.metrics.cooccurrence import count_lines, count_rows, json_pieces
    from esascore.metrics.parent import tokenizer_of

    if references is not None and reading != options.Reading():
        raise UsageError(
            "--references needs a table file of the public script: omit --input-format, --optional, --ignore"
        )
    files = Outputs({"-o": output}, inputs=[train, *([] if references is None else [references])])
    pairs = _file_pairs(train, references) if references is not None else _corpus_pairs(train, reading)
    rows = count_rows(pairs, min_count=min_count, tokenize=tokenizer_of(parent_tokenizer))
    write = json_pieces if output.endswith(".json") else count_lines
    files.write({"-o": write(rows)})


def score_files(tables: str, others: Sequence[str], result: options.Result, parent: ParentOptions) -> None:
    """Score the files that the public PARENT script reads, of any length, one row per generation file.

    Each line is an instance: in ``tables`` attribute|||value or head|||relation|||tail items separated by
    tabs, in the first of ``others`` references separated by tabs, in the rest generated texts. As in that
    script, lambda is the heuristic unless given.
    """
    from esascore.metrics import create_metrics
    from esascore.reports.summary import Summary

    if len(others) < 2:
        raise UsageError("Missing argument: --parent-files takes TABLES REFERENCES GENERATIONS...")
    references, *generations = others
    specs = [split_spec(spec) for spec in generations]
    files = Outputs({"-o": result.output}, inputs=[tables, references, *(path for _, path in specs)])
    if parent.lambda_weight is None:
        parent = replace(parent, lambda_weight="heuristic")
    name = "parent" if parent.cooccurrence is None else "parent-c"
    metric = cast("Parent", create_metrics([name], cast("Any", None), options=parent)[0])
    rows = tuple({"system": name, **_scored(metric, tables, references, str(path))} for name, path in specs)
    summary = Summary(str(metric.signature()), metric.columns, rows)
    files.write({"-o": [result.of(summary)]}, for_people=result.for_people)


def _scored(metric: Parent, tables: str, references: str, generations: str) -> dict[str, Any]:
    """Return the figures of one generation file; only sums and some thousand lines are in memory."""
    files = [generations, references, tables]
    streams = [plain_texts(Path(generations)), read_references(references), read_tables(tables)]
    items = cast("Iterator[tuple[str, Sequence[str], Any]]", in_step(files, streams))
    totals = [metric.total(chunk) for chunk in metric.stream(items)]
    if not totals:
        raise DataError("the file contains no text", file=generations)
    total = reduce(add, totals)
    return {"texts": total.texts, **metric.fields(total)}


def _corpus_pairs(train: str, reading: options.Reading) -> Iterator[Pair]:
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

    streams = [read_tables(tables), read_references(references)]
    for table, texts in cast("Iterator[tuple[Any, list[str]]]", in_step([tables, references], streams)):
        for text in texts:
            yield table, text
