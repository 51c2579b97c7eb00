"""Fit the weights of the default profile's resolver on annotated training data, by cross-validation.

For every combination of a small grid, exact F1 is measured on each of five folds of the training inputs. A
fold only serves to choose a combination, so the table shows the mean over folds for every combination. Below
it stands which combination four folds choose each time, and what it reaches on the fifth.

    ESASCORE_DATA=... python benchmarks/fit_weights.py [--every N]
"""

from __future__ import annotations

import argparse
import itertools

from _corpus import annotated, table
from esascore.gold.mentions.benchmark import AnnotatedText, read_annotated, score
from esascore.pipeline import build_pipeline
from esascore.profiles import changed, load_profile

FOLDS = 5
GRID = {
    ("resolve", "penalty"): (3.0, 4.0, 5.0),
    ("resolve", "bonus"): (-1.0, 0.0, 1.0),
    ("strings", "strong"): (0.02, 0.03, 0.04),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="use only every N-th training input")
    every = parser.parse_args().every
    texts = [text for text in read_annotated(annotated("train")) if text.cluster % every == 0]
    folds = [[text for text in texts if text.cluster // every % FOLDS == fold] for fold in range(FOLDS)]
    reached = {values: [f1(fold, values) for fold in folds] for values in itertools.product(*GRID.values())}
    print(f"{len(texts)} texts of train, {FOLDS} folds\n")
    ranked = sorted(reached.items(), key=lambda item: -sum(item[1]))
    rows = [[*values, f"{sum(scores) / FOLDS:.4f}"] for values, scores in ranked]
    print(table([*(key for _, key in GRID), "exact F1"], rows, labels=0), end="")
    held_out = []
    for fold in range(FOLDS):
        others = {values: sum(scores) - scores[fold] for values, scores in reached.items()}
        choice = max(others, key=lambda values: others[values])
        held_out.append(reached[choice][fold])
        print(
            f"\nfold {fold + 1}: the others choose {choice}, which reaches {reached[choice][fold]:.4f}",
            end="",
        )
    print(f"\n\nheld out: {sum(held_out) / FOLDS:.4f}")


def f1(texts: list[AnnotatedText], values: tuple[float, ...]) -> float:
    settings: dict[str, dict[str, float]] = {}
    for (section, key), value in zip(GRID, values, strict=True):
        settings.setdefault(section, {})[key] = value
    pipeline = build_pipeline(changed(load_profile("default"), settings))
    return score(texts, pipeline.detect)["exact"]["f1"] or 0.0


if __name__ == "__main__":
    main()
