"""``esascore totto``: its evaluation, and its tables as strings or as a web page."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from esascore.cli import options
from esascore.cli.documented import DocumentedGroup
from esascore.cli.outputs import Outputs, paths_of
from esascore.cli.parent_options import parent_options
from esascore.cli.systems import ODD_TEXTS, evaluate_systems, warn_about
from esascore.cli.terminal import quiet_option

if TYPE_CHECKING:
    from esascore.metrics.base import Detector, Metric
    from esascore.metrics.family import ParentOptions
    from esascore.text.linearise import Style


@click.group(cls=DocumentedGroup)
def totto() -> None:
    """ToTTo: score systems, write tables as strings or as a page.

    Examples
    --------
    esascore totto score TOTTO_DEV OUTPUT
    esascore totto linearise TOTTO_TRAIN -o train.jsonl
    esascore totto view TOTTO_DEV OUTPUT -o tables.html
    """


@totto.command()
@click.argument("corpus")
@click.argument("outputs", metavar="[NAME=]OUTPUT...", nargs=-1, required=True)
@options.result_options
@options.segments_option
@parent_options
@options.detection_options
def score(
    corpus: str,
    outputs: tuple[str, ...],
    format_: str,
    output: str,
    segments: str | None,
    parent: ParentOptions,
    settings: options.Settings,
) -> None:
    """Score systems with ESA (are the highlighted cells mentioned?), PARENT-T and BLEU.

    CORPUS is a JSON lines file of ToTTo; each OUTPUT has one text per line. Rows are the whole corpus and,
    if it marks them, its overlap and non-overlap subsets. PARENT-T and BLEU are as in the authors' scripts.

    Examples
    --------
    esascore totto score TOTTO_DEV OUTPUT
    esascore totto score TOTTO_DEV OUTPUT --parent-t paper --format json --segments segments.jsonl
    """
    from esascore.readers.corpus import read_corpus
    from esascore.readers.systems import read_systems
    from esascore.reports.lines import segment_lines
    from esascore.reports.parquet import SEGMENTS
    from esascore.reports.summary import summarise
    from esascore.reports.tables import FORMATS

    named = {"-o": output, "--segments": segments}
    files = Outputs(named, inputs=[corpus, *paths_of(outputs)], rows={"--segments": SEGMENTS})
    examples = read_corpus(corpus, input_format="totto")
    systems = read_systems(outputs, examples)

    scored = evaluate_systems(settings, examples, systems, partial(_metrics, options=parent))
    warn_about([scored], *ODD_TEXTS)
    told = any(example.seen is not None for example in examples)
    text = FORMATS[format_](summarise(scored, *(["overlap"] if told else [])))
    contents = {"-o": [text], "--segments": segment_lines(scored)}
    files.write(contents, for_people=format_ == "table")


def _metrics(detector: Detector, options: ParentOptions) -> list[Metric[Any]]:
    from esascore.metrics import create_metrics
    from esascore.metrics.totto import TottoBleu, TottoParentT

    return [*create_metrics(["esa"], detector), TottoParentT.create(detector, options), TottoBleu()]


@totto.command()
@click.argument("corpus")
@options.choice_option(
    "--style", ["subtable", "full"], "The highlighted cells only, or the whole table with them marked."
)
@click.option(
    "--metadata/--no-metadata", default=True, show_default=True, help="Page and section titles at the start."
)
@click.option(
    "--headers/--no-headers", default=True, show_default=True, help="Column and row headers after each cell."
)
@click.option("--text", is_flag=True, help="One string per line instead of JSON lines.")
@options.output_option
@quiet_option
def linearise(corpus: str, style: Style, metadata: bool, headers: bool, text: bool, output: str) -> None:
    """Write each table as one string, as the baselines of the ToTTo paper read them.

    JSON lines have the fields id, input and references. With --text, line ends within a table become spaces.

    Examples
    --------
    esascore totto linearise TOTTO_TRAIN -o train.jsonl
    esascore totto linearise TOTTO_TRAIN --style full --no-metadata --text -o train.txt
    """
    from esascore.readers.corpus import iter_corpus
    from esascore.reports.jsontext import to_json
    from esascore.text.linearise import linearise as as_string

    def lines() -> Iterator[str]:
        for example in iter_corpus(corpus, input_format="totto"):
            assert example.input.table is not None, "the ToTTo reader makes tables"
            string = as_string(example.input.table, style, metadata=metadata, headers=headers)
            if text:
                yield " ".join(string.split()) + "\n"
            else:
                references = [reference.text for reference in example.references]
                yield to_json({"id": example.id, "input": string, "references": references}) + "\n"

    Outputs({"-o": output}, inputs=[corpus]).write({"-o": lines()})


@totto.command()
@click.argument("corpus")
@click.argument("system", metavar="[OUTPUT]", required=False)
@options.target_option("The page to write.")
@options.number_option("--first", 100, "Number of examples to show.")
@options.repeated_option("--id", "ID", "Show only this example", "ids")
@quiet_option
def view(corpus: str, system: str | None, output: str, first: int, ids: tuple[str, ...]) -> None:
    """Write a page that shows tables with their highlighted cells, the references, and a system's texts.

    Examples
    --------
    esascore totto view TOTTO_DEV OUTPUT -o tables.html
    esascore totto view TOTTO_DEV --first 20 -o tables.html
    """
    from esascore.errors import DataError
    from esascore.readers.corpus import read_corpus
    from esascore.readers.systems import read_systems
    from esascore.reports.table_html import table_page

    files = Outputs({"-o": output}, inputs=[corpus, *paths_of([system] if system else [])])
    examples = read_corpus(corpus, input_format="totto")
    texts: list[str | None] = [None] * len(examples)
    if system is not None:
        texts = list(read_systems([system], examples)[0].texts)
    pairs = list(zip(examples, texts, strict=True))
    if ids:
        missing = set(ids) - {example.id for example in examples}
        if missing:
            raise DataError(f"there is no example {min(missing)!r}", file=corpus)
        pairs = [pair for pair in pairs if pair[0].id in ids]
    files.write({"-o": table_page(islice(pairs, first), Path(corpus).name)})
