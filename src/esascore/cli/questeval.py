"""``esascore questeval``: synthetic questions and answers, and models that learn from them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from esascore.cli import options
from esascore.cli.documented import DocumentedGroup
from esascore.cli.terminal import counted, progress_bar, quiet_option, say

if TYPE_CHECKING:
    from esascore.facts.synthetic import Pair

_PARTS = ("data-qg", "data-qa", "text-qg", "text-qa")


@click.group(cls=DocumentedGroup)
@quiet_option
def questeval() -> None:
    """Questions and answers for the metric questeval: make a corpus, train models.

    Examples
    --------
    esascore questeval corpus CORPUS -o pairs.jsonl
    esascore questeval train PAIRS --part data-qa --model t5-small -o models/data-qa
    esascore score CORPUS OUTPUT --metrics questeval --questeval models
    """


@questeval.command()
@click.argument("corpus")
@options.target_option("File to write the pairs to, as JSON lines.")
@click.option(
    "--questions",
    metavar="DIR",
    help="Model that asks questions about texts; without it they come from templates.",
)
@options.seed_option
@options.reading_options
@quiet_option
def corpus(corpus: str, output: str, questions: str | None, seed: int, reading: options.Reading) -> None:
    """Make synthetic questions and answers from a corpus with references.

    Each question about a reference is matched with the data of its input, so that models learn to ask and to
    answer it, from data and from texts. Some questions are about other inputs: they are unanswerable.

    Examples
    --------
    esascore questeval corpus CORPUS -o pairs.jsonl
    esascore questeval corpus CORPUS -o pairs.jsonl --questions models/text-qg
    """
    from esascore.facts.seq2seq import Seq2Seq, Seq2SeqQuestions
    from esascore.facts.synthetic import synthetic_pairs
    from esascore.facts.templates import ReferenceQuestions
    from esascore.gold.facts import reference_pages
    from esascore.pipeline import build_pipeline
    from esascore.reports.writing import check_writable, write_files

    check_writable(output, inputs=[corpus])
    generator = ReferenceQuestions()
    asking = generator if questions is None else Seq2SeqQuestions(*[Seq2Seq(Path(questions))] * 2)
    pages = reference_pages(list(reading.corpus(corpus)), build_pipeline())
    pairs = synthetic_pairs(pages, asking, seed)
    lines = (json.dumps({"part": p.part, "source": p.source, "target": p.target}) + "\n" for p in pairs)
    write_files([(output, lines)])
    say(f"Pairs: {output} ({counted(len(pairs), 'pair')} of {counted(len(pages), 'text')})")


@questeval.command()
@click.argument("pairs")
@options.target_option("Folder to write the model to.", "DIR")
@click.option("--part", required=True, type=click.Choice(_PARTS), help="What the model learns.")
@click.option("--model", required=True, metavar="DIR", help="T5 or BART model to start from.")
@options.number_option("--epochs", 3, "Training epochs.")
@options.number_option("--batch", 16, "Pairs per step.")
@click.option(
    "--rate",
    type=click.FloatRange(min=0, min_open=True),
    default=3e-4,
    show_default=True,
    help="Learning rate.",
)
@options.seed_option
@options.number_option("--threads", 1, "Number of threads.")
@quiet_option
def train(
    pairs: str,
    output: str,
    part: str,
    model: str,
    epochs: int,
    batch: int,
    rate: float,
    seed: int,
    threads: int,
) -> None:
    """Fine-tune a local sequence-to-sequence model on synthetic questions and answers.

    PAIRS is a file from esascore questeval corpus. Nothing is downloaded: DIR has the model and its tokenizer
    in the format of the package transformers.

    Examples
    --------
    esascore questeval train PAIRS --part text-qg --model t5-small -o models/text-qg
    """
    from esascore.facts.seq2seq_training import Seq2SeqSettings, train_seq2seq

    settings = Seq2SeqSettings(epochs, batch, rate, seed)
    own = [pair for pair in _read(pairs) if pair.part == part]
    with progress_bar("Training", "steps") as progress:
        train_seq2seq(own, Path(output), Path(model), settings=settings, threads=threads, progress=progress)
    say(f"Model: {output} ({counted(len(own), 'pair')})")


def _read(path: str) -> list[Pair]:
    from esascore.facts.synthetic import Pair
    from esascore.readers.objects import iter_objects

    found = []
    for place, value in iter_objects(Path(path), "esascore questeval corpus writes them"):
        fields = [
            str(value[name]) for name in ("part", "source", "target") if isinstance(value.get(name), str)
        ]
        if len(fields) != 3:
            place.fail("part, source and target are needed, as esascore questeval corpus writes them")
        found.append(Pair(*fields))
    return found
