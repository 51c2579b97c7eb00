"""Faithfulness and ESA against the human ratings of WebNLG 2017 (223 inputs, 9 systems and the human texts).

python benchmarks/faithfulness.py [--json FILE]

Pearson correlation with semantics: over the 2,007 system texts, those that are not blank, and the 2,230 texts
that include the human ones; over systems, mean of 500 bootstrap samples of the inputs, with and without
UIT-DANGNT, most of whose texts are blank. The ablation gives the formula without each of its parts. The last
line is the mean score of the training texts that people wrote: what they lose is not the fault of the texts.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from _corpus import annotated, rated_2017
from _harness import header
from esascore.metrics.base import Batch
from esascore.metrics.faithfulness import Faithfulness, FaithfulnessRef
from esascore.model import Example
from esascore.pipeline import build_pipeline

BLANK_SYSTEM = "vietnam"  # the team of UIT-DANGNT


def parts(examples: list[Example], texts: list[list[str]], profile: str, metric: Any) -> np.ndarray:
    """Return coverage, support, wording and agreement of each text, (systems, inputs, parts)."""
    pipeline = build_pipeline(profile)
    rows = []
    for system in texts:
        pairs = [(example.input, text) for example, text in zip(examples, system, strict=True)]
        batch = Batch(examples, system, detect=lambda pairs=pairs: pipeline.detect(pairs))
        rows.append(metric.from_detector(pipeline).statistics(batch))
    return np.moveaxis(np.array(rows), -1, 0)


def scores_of(examples: list[Example], texts: list[list[str]]) -> dict[str, np.ndarray]:
    """Return the scores and those of the ablation, (systems, inputs) each."""
    free, coverage, support, wording = parts(examples, texts, "default", Faithfulness)
    ref, _, support_ref, _, agreement = parts(examples, texts, "default", FaithfulnessRef)
    return {
        "ESA, profile paper": parts(examples, texts, "paper", Faithfulness)[1],
        "ESA": coverage,
        "support": support,
        "wording": wording,
        "agreement": agreement,
        "faithfulness": free,
        "  without coverage": support * (3 + wording) / 4,
        "  without support": coverage * (3 + wording) / 4,
        "  without wording": coverage * support,
        "  wording may take half": coverage * support * (1 + wording) / 2,
        "  wording may take all": coverage * support * wording,
        "  mean of three parts": (coverage + support + wording) / 3,
        "faithfulness-ref": ref,
        "  without agreement": coverage * support_ref * (3 + wording) / 4,
        "  agreement may take all": coverage * support_ref * (3 + wording) / 4 * agreement,
        "  mean of four parts": (coverage + support_ref + wording + agreement) / 4,
    }


def human_texts() -> str:
    """Describe the mean score of the training texts that people wrote."""
    from esascore.readers.corpus import iter_corpus

    pipeline = build_pipeline("default")
    train = [
        (example, reference.text)
        for example in iter_corpus(annotated("train"))
        for reference in example.references
    ]
    pairs = [(example.input, text) for example, text in train]
    batch = Batch(
        [example for example, _ in train], [text for _, text in train], detect=lambda: pipeline.detect(pairs)
    )
    metric = Faithfulness.from_detector(pipeline)
    return (
        f"{len(train)} human texts of the training data: {metric.score_statistics(metric.statistics(batch))}"
    )


def main() -> None:
    from esascore.stats.correlation import correlation, system_correlation
    from esascore.text.blank import is_blank

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = parser.parse_args()
    examples, systems, texts, ratings = rated_2017(human=True)
    header("Faithfulness against human ratings of WebNLG 2017", "scipy")
    semantics = ratings["semantics"]
    named = np.array([name != BLANK_SYSTEM for name in systems[:-1]])
    full = np.array([[not is_blank(text) for text in system] for system in texts[:-1]])
    scores = scores_of(examples, texts)
    print(f"\n{'':26}{'2,007':>8}{'not blank':>11}{'2,230':>8}{'systems':>9}{'without UIT':>13}")
    figures: dict[str, dict[str, float | None]] = {}
    for name, values in scores.items():
        ours = values[:-1]
        row = {
            "texts": correlation(ours.ravel(), semantics[:-1].ravel()).value,
            "not_blank": correlation(ours[full], semantics[:-1][full]).value,
            "with_human": correlation(values.ravel(), semantics.ravel()).value,
            "systems": system_correlation(ours, semantics[:-1]).mean,
            "systems_without": system_correlation(ours[named], semantics[:-1][named]).mean,
        }
        figures[name.strip()] = row
        shown = zip(row.values(), (8, 11, 8, 9, 13), strict=True)
        print(f"{name:26}" + "".join(f"{value:{width}.3f}" for value, width in shown))
    for profile, name in (("default", "ESA"), ("paper", "ESA, profile paper")):
        missed = int((scores[name][:-1] < 1).sum())
        print(f"texts of systems with an undetected entity, profile {profile}: {missed} of {full.size}")
    print(f"\n{human_texts()}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
