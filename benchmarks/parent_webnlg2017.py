"""PARENT and its relatives against the human ratings of WebNLG 2017 (223 inputs, 9 systems).

python benchmarks/parent_webnlg2017.py [--json FILE]

System level: Pearson correlation of the systems' mean scores and mean ratings, as mean and standard deviation
over 500 bootstrap samples of the inputs (section 5.6 of the PARENT paper). Text level: the correlation over
all 2,007 texts. Unless a name says otherwise, tokens are words and lambda comes from the heuristic. Counts
for PARENT-C come from the training texts of the annotated WebNLG.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from _corpus import annotated, rated_2017
from _harness import header

ASPECTS = ("semantics", "grammar", "fluency")


def training_pairs() -> Iterator[tuple[list[tuple[str, ...]], str]]:
    from esascore.metrics.parent import tables_of
    from esascore.readers.corpus import iter_corpus

    for example in iter_corpus(annotated("train")):
        (table,) = tables_of([example])
        for reference in example.references:
            yield table, reference.text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = parser.parse_args()
    examples, systems, texts, ratings = rated_2017()
    header("PARENT against human ratings of WebNLG 2017", "sacrebleu")
    from esascore.metrics.base import Batch
    from esascore.metrics.bleu import Bleu, BleuT
    from esascore.metrics.cooccurrence import Cooccurrence, count_rows
    from esascore.metrics.parent import (
        Parent,
        ParentC,
        ParentE,
        PseudoParent,
        references_of,
        tables_of,
        tokenizer_of,
        tune_lambda,
    )
    from esascore.pipeline import build_pipeline
    from esascore.stats.correlation import system_correlation

    print(f"{len(examples)} inputs, {len(systems)} systems")
    counts = Cooccurrence.of(count_rows(training_pairs(), tokenize=tokenizer_of("words")))
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
            found = system_correlation(scores, ratings[aspect])
            figures[name][aspect] = [found.mean, found.deviation]
            line += f"{found.mean:11.3f} ± {found.deviation:.2f}"
        by_text = np.corrcoef(scores.ravel(), ratings["semantics"].ravel())[0, 1]
        figures[name]["texts"] = by_text
        print(line + f"{by_text:20.3f}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
