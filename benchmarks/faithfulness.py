"""Faithfulness and ESA against the human ratings of WebNLG 2017 (223 inputs, 9 systems and the human texts).

python benchmarks/faithfulness.py [--json FILE]

Pearson correlation with semantics: over the 2,007 system texts, those that are not blank, and the 2,230 texts
that include the human ones; over systems, mean of 500 bootstrap samples of the inputs, with and without
UIT-DANGNT, most of whose texts are blank. The ablation gives the formula without each of its parts. At the
end the mean score of the training texts that people wrote: what is lost there is not the texts' fault.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from _harness import header
from parent_webnlg2017 import rated

BLANK_SYSTEM = "vietnam"  # the team of UIT-DANGNT


def human_texts(folder: Path) -> tuple[list[str], np.ndarray]:
    """The human text of each input, in the order of `rated`, and its rating."""
    import csv

    with (folder / "human" / "all_data_final_averaged.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    order = list(dict.fromkeys(row["mr"] for row in rows if row["team"] != "webnlg"))
    found = {row["mr"]: row for row in rows if row["team"] == "webnlg"}
    return (
        [found[mr]["text"].strip() for mr in order],
        np.array([float(found[mr]["semantics"]) for mr in order]),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    options = parser.parse_args()
    if not os.environ.get("ESASCORE_DATA"):
        raise SystemExit("the real corpora are not here: set ESASCORE_DATA")
    header("Faithfulness against human ratings of WebNLG 2017", "scipy")
    from esascore.metrics.base import Batch
    from esascore.metrics.faithfulness import Faithfulness, FaithfulnessRef
    from esascore.pipeline import build_pipeline
    from esascore.readers import iter_corpus
    from esascore.stats.correlation import correlation
    from esascore.stats.systems import system_correlation
    from esascore.text.blank import is_blank

    data = Path(os.environ["ESASCORE_DATA"])
    examples, systems, texts, ratings = rated(data / "webnlg-2017")
    written, human = human_texts(data / "webnlg-2017")
    semantics = np.vstack([ratings["semantics"], human])
    texts = [*texts, written]
    named = np.array([name != BLANK_SYSTEM for name in systems])
    full = np.array([[not is_blank(text) for text in system] for system in texts[:-1]])

    def parts(profile: str, metric: Any) -> np.ndarray:
        """Coverage, support, wording and agreement of each text, (systems, inputs, parts)."""
        pipeline = build_pipeline(profile)
        rows = []
        for system in texts:
            pairs = [(example.input, text) for example, text in zip(examples, system, strict=True)]
            batch = Batch(examples, system, detect=lambda pairs=pairs: pipeline.detect(pairs))
            rows.append(metric.from_detector(pipeline).statistics(batch))
        return np.array(rows)

    free, ref = parts("default", Faithfulness), parts("default", FaithfulnessRef)
    paper = parts("paper", Faithfulness)
    _, coverage, support, wording = np.moveaxis(free, -1, 0)
    _, _, support_ref, _, agreement = np.moveaxis(ref, -1, 0)
    scores = {
        "ESA, profile paper": paper[..., 1],
        "ESA": coverage,
        "support": support,
        "wording": wording,
        "agreement": agreement,
        "faithfulness": free[..., 0],
        "  without coverage": support * (3 + wording) / 4,
        "  without support": coverage * (3 + wording) / 4,
        "  without wording": coverage * support,
        "  wording may take half": coverage * support * (1 + wording) / 2,
        "  wording may take all": coverage * support * wording,
        "  mean of three parts": (coverage + support + wording) / 3,
        "faithfulness-ref": ref[..., 0],
        "  without agreement": coverage * support_ref * (3 + wording) / 4,
        "  agreement may take all": coverage * support_ref * (3 + wording) / 4 * agreement,
        "  mean of four parts": (coverage + support_ref + wording + agreement) / 4,
    }
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
        print(
            f"{name:26}"
            + "".join(f"{row[key]:{w}.3f}" for key, w in zip(row, (8, 11, 8, 9, 13), strict=True))
        )
    for name, values in (("default", coverage), ("paper", paper[..., 1])):
        missed = int((values[:-1] < 1).sum())
        print(f"texts of systems with an undetected entity, profile {name}: {missed} of {full.size}")

    pipeline = build_pipeline("default")
    train = []
    for example in iter_corpus(data / "enriched-webnlg-1.6" / "en" / "train"):
        train += [(example, reference.text) for reference in example.references]
    pairs = [(example.input, text) for example, text in train]
    batch = Batch(
        [example for example, _ in train], [text for _, text in train], detect=lambda: pipeline.detect(pairs)
    )
    score = Faithfulness.from_detector(pipeline).score_statistics(
        Faithfulness.from_detector(pipeline).statistics(batch)
    )
    print(f"\n{len(train)} human texts of the training data: {score}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
