"""``esascore totto``: its tables as strings or as a web page."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Literal

from esascore.cli import options
from esascore.cli.commands import command, group
from esascore.cli.outputs import STDOUT, Outputs, paths_of
from esascore.errors import DataError
from esascore.readers.corpus import iter_corpus, read_corpus
from esascore.readers.systems import read_systems
from esascore.reports.jsontext import to_json


@group
def totto() -> None:
    """ToTTo's tables as strings or as a page.

    Its evaluation is esascore score --metrics totto.

    Examples
    --------
    esascore score TOTTO_DEV OUTPUT --metrics totto
    esascore totto linearise TOTTO_TRAIN -o train.jsonl
    esascore totto view TOTTO_DEV OUTPUT -o tables.html
    """


@command(totto)
def linearise(
    corpus: str,
    style: Literal["subtable", "full"] = "subtable",
    metadata: bool = True,
    headers: bool = True,
    text: bool = False,
    output: str = STDOUT,
) -> None:
    """Write each table as one string, as the baselines of the ToTTo paper read them.

    JSON lines have the fields id, input and references. With --text, line ends within a table become spaces.

    Options
    -------
    --style
        The highlighted cells only, or the whole table with them marked.
    --metadata/--no-metadata
        Page and section titles at the start.
    --headers/--no-headers
        Column and row headers after each cell.
    --text
        One string per line instead of JSON lines.
    -o, --output FILE
        Write the result to FILE.

    Examples
    --------
    esascore totto linearise TOTTO_TRAIN -o train.jsonl
    esascore totto linearise TOTTO_TRAIN --style full --no-metadata --text -o train.txt
    """
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


@command(totto)
def view(
    corpus: str,
    output: str,
    system: str | None = None,
    first: options.Positive = 100,
    ids: tuple[str, ...] = (),
) -> None:
    """Write a page that shows tables with their highlighted cells, the references, and a system's texts.

    Options
    -------
    -o, --output FILE
        The page to write.
    --first
        Number of examples to show.
    --id ID
        Show only this example; can be repeated.

    Examples
    --------
    esascore totto view TOTTO_DEV OUTPUT -o tables.html
    esascore totto view TOTTO_DEV --first 20 -o tables.html
    """
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
