"""PARENT and its relatives against the human ratings of WebNLG 2017 (223 inputs, 9 systems).

python benchmarks/parent_webnlg2017.py [--json FILE]

System level: Pearson correlation of the systems' mean scores and mean ratings, mean and standard deviation
over 500 bootstrap samples of the inputs, as in section 5.6 of the PARENT paper. Text level: the correlation
over all 2,007 texts. Word tokens, lambda by the heuristic unless the name says otherwise. Counts for PARENT-C
come from the training texts of the annotated WebNLG.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from _harness import header

ASPECTS = ("semantics", "grammar", "fluency")
SAMPLES = 500
HUMAN = "webnlg"  # the team name of the reference texts


def key(triples: list[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    return tuple(sorted(triples))


def rated(folder: Path) -> tuple[list[Any], list[str], list[list[str]], dict[str, np.ndarray]]:
    """Inputs, systems, texts by system, and ratings (systems x inputs) by aspect."""
    from esascore.readers import read_corpus

    corpus = {
        key([(t.subject, t.predicate, t.object) for t in example.input.triples]): example
        for example in read_corpus(folder / "testdata_with_lex.xml")
    }
    rows: dict[str, dict[str, dict[str, str]]] = {}
    with (folder / "human" / "all_data_final_averaged.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["team"] != HUMAN:
                rows.setdefault(row["mr"], {})[row["team"]] = row
    examples = [corpus[key([tuple(part.split(" | ")) for part in mr.split("<br>")])] for mr in rows]
    systems = sorted(next(iter(rows.values())))
    texts = [[rows[mr][system]["text"].strip() for mr in rows] for system in systems]
    ratings = {
        aspect: np.array([[float(rows[mr][system][aspect]) for mr in rows] for system in systems])
        for aspect in ASPECTS
    }
    return examples, systems, texts, ratings


def correlations(scores: np.ndarray, ratings: np.ndarray, samples: np.ndarray) -> np.ndarray:
    """Pearson over systems in every bootstrap sample."""
    ours, theirs = scores[:, samples].mean(axis=2), ratings[:, samples].mean(axis=2)
    ours, theirs = ours - ours.mean(axis=0), theirs - theirs.mean(axis=0)
    return (ours * theirs).sum(axis=0) / np.sqrt((ours**2).sum(axis=0) * (theirs**2).sum(axis=0))


def training_pairs(folder: Path) -> Iterator[tuple[list[tuple[str, ...]], str]]:
    from esascore.metrics.parent import tables_of
    from esascore.readers import iter_corpus

    for example in iter_corpus(folder / "enriched-webnlg-1.6" / "en" / "train"):
        (table,) = tables_of([example])
        for reference in example.references:
            yield table, reference.text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    options = parser.parse_args()
    if not os.environ.get("ESASCORE_DATA"):
        raise SystemExit("the real corpora are not here: set ESASCORE_DATA")
    header("PARENT against human ratings of WebNLG 2017", "sacrebleu")
    from esascore.metrics.base import Batch
    from esascore.metrics.bleu import Bleu
    from esascore.metrics.bleu_t import BleuT
    from esascore.metrics.cooccurrence import count_pairs
    from esascore.metrics.parent import (
        Parent,
        ParentC,
        ParentE,
        references_of,
        tables_of,
        tokenizer_of,
        tune_lambda,
    )
    from esascore.metrics.pseudo_parent import PseudoParent
    from esascore.pipeline import build_pipeline

    data = Path(os.environ["ESASCORE_DATA"])
    examples, systems, texts, ratings = rated(data / "webnlg-2017")
    print(f"{len(examples)} inputs, {len(systems)} systems")
    counts = count_pairs(training_pairs(data), tokenize=tokenizer_of("words"))
    words: dict[str, Any] = {"tokenizer": "words"}
    pipeline = build_pipeline("default")
    best, _ = tune_lambda(
        Parent(**words), texts, references_of(examples), tables_of(examples), ratings["semantics"]
    )
    aligned = ParentE(pipeline, None, **words)
    aligned_half = ParentE(pipeline, 0.5, **words)
    metrics: dict[str, Any] = {
        "PARENT-W": Parent(None, **words),
        "PARENT-C": ParentC(counts, None, **words),
        "PARENT-E": aligned,
        "PARENT-W, lambda 0.5": Parent(0.5, **words),
        "PARENT-C, lambda 0.5": ParentC(counts, 0.5, **words),
        "PARENT-E, lambda 0.5": aligned_half,
        f"PARENT*-W, lambda {best:g}": Parent(best, **words),
        "  without w(g)": Parent(None, entailment="none", **words),
        "  lambda 0": Parent(0.0, **words),
        "  both": Parent(0.0, entailment="none", **words),
        "  attribute names too": Parent(None, attributes=True, **words),
        "PARENT-W, white space": Parent(None),
        "PARENT-E, white space": ParentE(pipeline, None),
        "PseudoPARENT": PseudoParent(0.5, **words),
        "BLEU of texts": Bleu(),
        "BLEU-T of texts": BleuT(),
    }
    detected = [aligned.batch(examples, listed) for listed in texts]
    for batch in detected:
        batch.detections  # noqa: B018 - detected once for all metrics
    samples = np.random.default_rng(0).integers(0, len(examples), (SAMPLES, len(examples)))
    figures = {}
    print(f"{'':26}" + "".join(f"{aspect:>18}" for aspect in ASPECTS) + f"{'semantics, texts':>20}")
    for name, metric in metrics.items():
        score: Callable[[Batch], Any] = lambda batch, metric=metric: metric.segment_scores(  # noqa: E731
            metric.statistics(batch)
        )
        scores = np.array([score(batch) for batch in detected], np.float64)
        line = f"{name:26}"
        figures[name] = {}
        for aspect in ASPECTS:
            found = correlations(scores, ratings[aspect], samples)
            figures[name][aspect] = [found.mean(), found.std()]
            line += f"{found.mean():11.3f} ± {found.std():.2f}"
        by_text = np.corrcoef(scores.ravel(), ratings["semantics"].ravel())[0, 1]
        figures[name]["texts"] = by_text
        print(line + f"{by_text:20.3f}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
