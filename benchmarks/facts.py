"""How good a fact model is: on corrupted texts, against the ratings of WebNLG 2017, and what it costs.

    ESASCORE_DATA=... python benchmarks/facts.py MODEL [--held-out MODEL ...] [--texts N]
        [--questeval DIR] [--json FILE]

Prints the table of docs/fact-checks.md and the figures that docs/ratings.md quotes. MODEL comes from
``esascore facts train`` with all categories. The models of ``--held-out`` are trained without Monument,
University and ComicsCharacter, one for each seed: the table has the mean over them, and their spread.
Correlations are Pearson's over the 2,007 rated texts of systems and over those that are not blank; intervals
come from resampling inputs. Contradictions are counted in texts that people wrote, and in the same texts with
two mentions exchanged. Processor time is that of one core, includes detection, and leaves out blank texts.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import sys
import time
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from _corpus import annotated, rated_2017, table
from _harness import header, write_figures
from esascore.facts.bank import Marked, bank_of
from esascore.facts.claims import CORRUPTIONS
from esascore.facts.evaluation import ACCEPTED, Evaluation, evaluate
from esascore.facts.verdicts import verdicts
from esascore.facts.verifier import EncoderVerifier
from esascore.gold.facts import detected_mentions, marked_texts
from esascore.metrics import create_metrics
from esascore.metrics.base import Batch
from esascore.metrics.faithfulness import Explanation, Faithfulness
from esascore.model import Graph
from esascore.pipeline import build_pipeline
from esascore.readers.corpus import iter_corpus
from esascore.stats.correlation import pearson_rows
from esascore.text.blank import is_blank

HELD_OUT = ("Monument", "University", "ComicsCharacter")
SAMPLES = 2000
FOLDS = 5
FLOORS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The factor of faithfulness where no fact is stated; 1 leaves facts out."""
PUBLISHED = {
    "data-QuestEval, published": {"fluency": 0.576, "grammar": 0.604, "semantics": 0.735},
    "FactSpotter, published": {"semantics": 0.775},
}
SHOWN = (
    "mentions swapped",
    "roles exchanged in the data",
    "wrong predicate in the text",
    "predicate exchanged in the data",
    "one for another",
    "mention replaced",
    "mention deleted",
    "number changed",
    "fact added in the data",
)


def held_out_figures(found: Evaluation) -> dict[str, float | None]:
    """Return the figures of one model, by the name of their row."""
    rejected = {kind.name: kind.rejected for kind in found.kinds}
    return {
        "AUC": found.auc,
        'AUC of the rule "both are mentioned"': found.auc_mentioned,
        **{f"rejected: {name}": rejected[name] for name in SHOWN},
        "threshold": found.threshold,
    }


def held_out(folders: list[Path], number: int) -> dict[str, Any]:
    """Measure models on the categories that they have never seen, with detected and annotated mentions."""
    pipeline = build_pipeline()
    examples = [
        example
        for split in ("train", "dev")
        for example in iter_corpus(annotated(split))
        if getattr(example.input, "category", None) in HELD_OUT
    ]
    texts: list[Marked] = marked_texts(examples, pipeline)
    ways = {"detected": partial(detected_mentions, detector=pipeline), "annotated": None}
    rows: dict[str, dict[str, list[float]]] = {}
    for folder in folders:
        known = json.loads((folder / "esascore.json").read_text("utf-8"))
        if seen := sorted(set(HELD_OUT) & set(known["categories"])):
            sys.exit(f"{folder} was trained on {', '.join(seen)}")
        for way, detect in ways.items():
            found = held_out_figures(evaluate(EncoderVerifier(folder), texts, detect, number=number))
            for name, value in found.items():
                rows.setdefault(name, {}).setdefault(way, []).append(float("nan") if value is None else value)
    print(
        f"\nCategories that the models have never seen ({', '.join(HELD_OUT)}; {len(texts)} texts, "
        f"{len(folders)} models); rejected at the threshold that accepts {ACCEPTED} of the true facts:\n"
    )
    print(table(("", *(f"mentions {way}" for way in ways)), _spread(rows)))
    return rows


def _spread(rows: dict[str, dict[str, list[float]]]) -> list[list[str]]:
    """Return rows with the mean and, if there are several models, the least and the greatest figure."""
    shown = []
    for name, ways in rows.items():
        cells = []
        for values in ways.values():
            span = f" ({min(values):.3f} to {max(values):.3f})" if len(values) > 1 else ""
            cells.append(f"{statistics.fmean(values):.3f}{span}")
        shown.append([name, *cells])
    return shown


class Rated:
    """The rated texts of WebNLG 2017, their human ratings, and their faithfulness without facts."""

    def __init__(self, folder: Path, models: Path | None = None):
        self.examples, _, texts, self.ratings = rated_2017()
        self.full = np.array([[not is_blank(text) for text in system] for system in texts])
        pipeline = build_pipeline(facts=EncoderVerifier(folder))  # no cache
        plain = build_pipeline()
        self.without = _values(self._explained(plain, texts), "score")
        begin = time.process_time()
        with_facts = self._explained(pipeline, texts)
        self.seconds = time.process_time() - begin
        self.score = _values(with_facts, "score")
        self.facts = np.nan_to_num(_values(with_facts, "facts"))
        self.costs = {"faithfulness": self.seconds}
        self._statistics("facts", build_pipeline(facts=EncoderVerifier(folder)), texts)
        self.questeval: dict[str, np.ndarray] = {}
        for name, answering in {"questeval": None, "questeval, models": models}.items():
            if name == "questeval" or answering is not None:
                pipeline = build_pipeline(facts=EncoderVerifier(folder), questeval=answering)
                asked = np.moveaxis(self._statistics("questeval", pipeline, texts, name), -1, 0)
                parts = ("", " precision", " recall", " F")
                self.questeval |= {name + part: own for part, own in zip(parts, asked, strict=True)}

    def _statistics(
        self, name: str, pipeline: Any, texts: list[list[str]], called: str | None = None
    ) -> np.ndarray:
        """The statistics of a metric of facts, (systems, inputs, ...); notes what they cost."""
        [metric] = create_metrics([name], pipeline)
        begin = time.process_time()
        rows = []
        for system in texts:
            pairs = [(example.input, text) for example, text in zip(self.examples, system, strict=True)]
            batch = Batch(self.examples, system, detect=lambda pairs=pairs: pipeline.detect(pairs))
            rows.append(metric.statistics(batch))
        self.costs[called or name] = time.process_time() - begin
        return np.array(rows)

    def _explained(self, pipeline: Any, texts: list[list[str]]) -> list[list[Explanation]]:
        metric = Faithfulness.from_detector(pipeline)
        found = []
        for system in texts:
            pairs = [(example.input, text) for example, text in zip(self.examples, system, strict=True)]
            batch = Batch(self.examples, system, detect=lambda pairs=pairs: pipeline.detect(pairs))
            found.append(metric.explain_all(batch.examples, batch.detections, batch.documents))
        return found


def _values(found: list[list[Explanation]], part: str) -> np.ndarray:
    return np.array([[getattr(one, part) for one in system] for system in found], float)


def pearson(scores: np.ndarray, ratings: np.ndarray, chosen: np.ndarray) -> float:
    return float(np.corrcoef(scores[chosen], ratings[chosen])[0, 1])


def differences(rated: Rated, one: np.ndarray, other: np.ndarray, chosen: np.ndarray) -> tuple[float, float]:
    """Return the 95% interval of the difference of two correlations with semantics, over resampled inputs."""
    chance = np.random.default_rng(0)
    semantics = rated.ratings["semantics"]
    found = []
    for _ in range(SAMPLES):
        inputs = chance.integers(0, len(rated.examples), len(rated.examples))
        kept = chosen[:, inputs]
        judged = semantics[:, inputs][kept][None]
        values = np.array([some[:, inputs][kept] for some in (one, other)])
        both = pearson_rows(values, np.repeat(judged, 2, 0))
        found.append(both[0] - both[1])
    low, high = np.quantile(found, (0.025, 0.975))
    return float(low), float(high)


def correlations(rated: Rated) -> dict[str, Any]:
    """Print the correlations by aspect, and the difference that facts make."""
    everything = np.ones_like(rated.full)
    subsets = {"all": everything, "not blank": rated.full}
    rows = {"faithfulness": rated.without, "faithfulness with facts": rated.score, "facts": rated.facts}
    rows |= rated.questeval
    aspects = list(rated.ratings)
    figures: dict[str, Any] = {
        name: {
            aspect: [pearson(values, rated.ratings[aspect], chosen) for chosen in subsets.values()]
            for aspect in aspects
        }
        for name, values in rows.items()
    }
    print(f"WebNLG 2017, {rated.full.size} texts, {int(rated.full.sum())} not blank (all / not blank):\n")
    shown = [
        [name, *(" / ".join(f"{value:.3f}" for value in figures[name][aspect]) for aspect in aspects)]
        for name in rows
    ]
    shown += [
        [name, *(published.get(aspect, "") for aspect in aspects)] for name, published in PUBLISHED.items()
    ]
    print(table(("Pearson's r", *aspects), shown))
    for name, chosen in subsets.items():
        low, high = differences(rated, rated.score, rated.without, chosen)
        figures[f"difference, {name}"] = [low, high]
        gain = figures["faithfulness with facts"]["semantics"][list(subsets).index(name)]
        gain -= figures["faithfulness"]["semantics"][list(subsets).index(name)]
        print(f"what facts add with semantics, {name}: {gain:+.3f} (95% interval {low:+.3f} to {high:+.3f})")
    return figures


def combination(rated: Rated) -> dict[str, Any]:
    """Print how much facts should count: chosen on four folds of the inputs, measured on the fifth."""
    semantics = rated.ratings["semantics"]
    scores = {floor: rated.without * (floor + (1 - floor) * rated.facts) for floor in FLOORS}
    fold_of = np.arange(len(rated.examples)) % FOLDS
    chosen: list[float] = []
    joined = np.zeros_like(rated.without)
    for fold in range(FOLDS):
        others = rated.full & (fold_of != fold)
        best = max(FLOORS, key=lambda floor: pearson(scores[floor], semantics, others))
        chosen.append(best)
        joined[:, fold_of == fold] = scores[best][:, fold_of == fold]
    everything = np.ones_like(rated.full)
    rows = [
        [
            f"{floor:g} + {1 - floor:g} f",
            f"{pearson(scores[floor], semantics, everything):.3f}",
            f"{pearson(scores[floor], semantics, rated.full):.3f}",
            chosen.count(floor),
        ]
        for floor in FLOORS
    ]
    rows.append(
        [
            "the choice of the other folds",
            f"{pearson(joined, semantics, everything):.3f}",
            f"{pearson(joined, semantics, rated.full):.3f}",
            "",
        ]
    )
    print("\nFaithfulness times a factor made from the mean probability f of the facts:\n")
    print(table(("factor", "all", "not blank", f"chosen in {FOLDS} folds"), rows))
    return {"chosen": chosen}


def throughput(rated: Rated, folder: Path) -> dict[str, float]:
    """Print texts per second of one core for each metric, and the memory of the process."""
    texts = int(rated.full.sum())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    found = {name: texts / seconds for name, seconds in rated.costs.items()}
    shown = ", ".join(f"{name} {speed:.0f}" for name, speed in found.items())
    print(f"{folder.name}, texts/s on one core: {shown}; memory {peak:.2f} GiB")
    return {**found, "gib": peak}


def contradicted(folder: Path, number: int = 1000) -> dict[str, float]:
    """Print how often texts of the development set have a flag of the class contradicted."""
    pipeline = build_pipeline(facts=EncoderVerifier(folder))
    own = marked_texts(list(iter_corpus(annotated("dev"))), pipeline)
    chance = Random(1)
    bank = bank_of(own)
    chance.shuffle(own)
    pairs = [(text, CORRUPTIONS["mentions swapped"](text, bank, chance)) for text in own]
    both = [(text, swapped) for text, swapped in pairs if swapped is not None][:number]
    figures = {}
    for name, some in (
        ("as people wrote them", [a for a, _ in both]),
        ("mentions swapped", [b for _, b in both]),
    ):
        items = [(Graph.from_triples(text.facts), text.text) for text in some]
        found = pipeline.detect(items)
        inputs = [(graph, one) for (graph, _), one in zip(items, found, strict=True)]
        judged = verdicts(inputs, EncoderVerifier(folder))
        figures[name] = sum(any(v.instead is not None for v in own) for own in judged) / len(judged)
    shown = ", ".join(f"{name} {share:.3f}" for name, share in figures.items())
    print(f"share of {len(both)} texts with a contradicted fact: {shown}")
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("model", type=Path, help="folder of a model trained on all categories")
    parser.add_argument(
        "--held-out",
        type=Path,
        nargs="*",
        default=[],
        metavar="MODEL",
        help="trained without three categories",
    )
    parser.add_argument("--texts", type=int, default=5940, help="texts to corrupt for --held-out")
    parser.add_argument("--questeval", type=Path, metavar="DIR", help="models that answer questions")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = parser.parse_args()
    import torch

    torch.set_num_threads(1)
    header("Facts", "torch")
    figures: dict[str, Any] = {}
    if options.held_out:
        figures["held_out"] = held_out(options.held_out, options.texts)
    rated = Rated(options.model, options.questeval)
    figures |= {"ratings": correlations(rated), "combination": combination(rated)}
    figures["throughput"] = throughput(rated, options.model)
    figures["contradicted"] = contradicted(options.model)
    write_figures(options.json, **figures)


if __name__ == "__main__":
    main()
