"""How well hallucinations are found: counterfactual texts, human texts, and the systems of WebNLG.

    ESASCORE_DATA=... python benchmarks/hallucination_quality.py [dev|train] [--systems]

The first table gives, for texts as they are and lower-cased, the share of inserted mentions that a flag
overlaps by kind of counterfactual, and the share of untouched human texts with a flag. ``alone`` knows the
names of places but no graph other than the text's own. With ``--systems`` the second table counts, for each
system, the texts with a flagged name, date and number, beside Table 4 of the ESA paper (before its manual
check), with Spearman's correlation of the first two; for 2017 also the area under the curve of flags against
people's ratings of semantics.
"""

from __future__ import annotations

import csv
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from esascore.explain.hallucinations import Hallucination
from esascore.gold.counterfactual.make import Counterfactual, make_counterfactuals
from esascore.gold.mentions.benchmark import AnnotatedText
from esascore.metrics.hallucination import Hallucinations, count
from esascore.model import Example
from esascore.pipeline import Pipeline, build_pipeline
from esascore.readers import read_corpus, read_outputs

KINDS = ("replace", "number", "date", "name")
TABLE_4 = {
    2020: {
        "RALI": 0, "Baseline-FORGE2017": 1, "Baseline-FORGE2020": 1, "NUIG-DSI": 4, "UPC-POE": 4,
        "DANGNT-SGU": 5, "TGen": 8, "cuni-ufal": 9, "Amazon_AI_(Shanghai)": 9, "FBConvAI": 17, "CycleGT": 19,
        "OSU_Neural_NLG": 20, "bt5": 36, "Huawei_Noahs_Ark_Lab": 48, "NILC": 117, "ORANGE-NLG": 288,
    },
    2017: {
        "UIT-DANGNT": 1, "Tilburg-SMT": 4, "Tilburg-NMT": 11, "UPF-FORGe": 12, "Tilburg-Pipeline": 14,
        "Melbourne": 114, "Adapt": 241, "PKUWriter": 286, "Baseline": 754,
    },
}  # fmt: skip
UNDERCOUNTED = "UPC-POE"
TEAMS = {
    "adapt": "Adapt", "baseline": "Baseline", "melbourne": "Melbourne", "pkuwriter": "PKUWriter",
    "tilburg-nmt": "Tilburg-NMT", "tilburg-pipe": "Tilburg-Pipeline", "tilburg-smt": "Tilburg-SMT",
    "upf-forge": "UPF-FORGe", "vietnam": "UIT-DANGNT",
}  # fmt: skip

Found = list[tuple[Hallucination, ...]]


def find(pipeline: Pipeline, pairs: Sequence[tuple[Example, str]], corpus: Sequence[Example] | None) -> Found:
    """Hallucinations of texts, with the names of a corpus or of each example alone."""
    examples, texts = [example for example, _ in pairs], [text for _, text in pairs]
    detections = pipeline.detect([(example.input, text) for example, text in pairs])
    if corpus is None:
        alone = Hallucinations(pipeline)
        return [
            alone.find([e], [text], [found])[0]
            for e, text, found in zip(examples, texts, detections, strict=True)
        ]
    # The corpus comes first, with blank texts, so that its graphs and references are known.
    blank = pipeline.detect([(example.input, "") for example in corpus])
    metric = Hallucinations(pipeline)
    found = metric.find([*corpus, *examples], [*[""] * len(corpus), *texts], [*blank, *detections])
    return found[len(corpus) :]


def flagged(made: Sequence[Counterfactual], found: Found) -> tuple[int, int]:
    """Inserted mentions, and those that a flag overlaps."""
    hits = [
        any(flag.start < span.end and span.start < flag.end for flag in some)
        for one, some in zip(made, found, strict=True)
        for span in one.inserted
    ]
    return len(hits), sum(hits)


def quality(folder: Path, part: str) -> None:
    corpus = read_corpus(folder / "enriched-webnlg-1.6" / "en" / part)
    texts = [
        AnnotatedText(example, reference, number)
        for number, example in enumerate(corpus)
        for reference in example.references
        if reference.mentions and reference.text
    ]
    pipeline = build_pipeline()
    print(f"| {part} | human texts flagged | " + " | ".join(f"{kind} (n)" for kind in KINDS) + " |")
    print("| --- |" + " ---: |" * (len(KINDS) + 1))
    for lowercase in (False, True):
        for known, names in (("corpus", corpus), ("alone", None)):
            human = [(t.example, t.reference.text.lower() if lowercase else t.reference.text) for t in texts]
            untouched = find(pipeline, human, names)
            cells = [f"{sum(map(bool, untouched)) / len(untouched):.2%}"]
            for kind in KINDS:
                made = make_counterfactuals(texts, kinds=(kind,), lowercase=lowercase)
                number, hits = flagged(
                    made, find(pipeline, [(one.source.example, one.text) for one in made], names)
                )
                cells.append(f"{hits / number:.3f} ({number})")
            print(f"| {'lower' if lowercase else 'cased'}, {known} | " + " | ".join(cells) + " |")


def ranks(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) - 1) / 2 for value in values]


def spearman(left: Sequence[float], right: Sequence[float]) -> float:
    import numpy as np

    return float(np.corrcoef(ranks(left), ranks(right))[0, 1])


def systems(folder: Path, year: int) -> None:
    place = folder / f"webnlg-{year}"
    (path,) = place.glob("*.xml")
    corpus = read_corpus(path)
    pipeline = build_pipeline()
    metric = Hallucinations(pipeline)
    names: dict[str, int] = {}
    flags: dict[str, list[bool]] = {}
    print(f"\n| {year} | Table 4 | names | dates | numbers | any |\n| --- |" + " ---: |" * 5)
    for system in sorted((place / "submissions").iterdir(), key=lambda p: TABLE_4[year][p.stem]):
        found = metric.find(corpus, read_outputs(system))
        types = count(found)[:, :3] > 0
        names[system.stem] = int(types[:, 0].sum())
        flags[system.stem] = types.any(axis=1).tolist()
        cells = (TABLE_4[year][system.stem], *types.sum(axis=0).tolist(), f"{types.any(axis=1).mean():.2%}")
        print(f"| {system.stem} | " + " | ".join(map(str, cells)) + " |")
    kept = [name for name in names if name != UNDERCOUNTED]
    rho = spearman([names[name] for name in kept], [TABLE_4[year][name] for name in kept])
    print(f"\nSpearman's correlation of names with Table 4, {year}, without {UNDERCOUNTED}: {rho:.3f}")
    if year == 2017:
        print(f"AUC against ratings of semantics: {ratings(place, corpus, flags):.3f}")


def ratings(place: Path, corpus: Sequence[Example], flags: dict[str, list[bool]]) -> float:
    """Probability that an unflagged text is rated above a flagged one, ties counted half."""
    from esascore.model import Graph

    by_triples = {
        frozenset((t.subject, t.predicate, t.object) for t in example.input.triples): n
        for n, example in enumerate(corpus)
        if isinstance(example.input, Graph)
    }
    good: list[float] = []
    bad: list[float] = []
    with (place / "human" / "all_data_final_averaged.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            triples = frozenset(tuple(p.strip() for p in t.split(" | ")) for t in row["mr"].split("<br>"))
            position = by_triples.get(triples)  # type: ignore[call-overload]
            if position is None or row["team"] not in TEAMS:
                continue
            (bad if flags[TEAMS[row["team"]]][position] else good).append(float(row["semantics"]))
    means = [sum(some) / len(some) for some in (bad, good)]
    print(f"{len(bad)} flagged texts rated {means[0]:.2f}, {len(good)} others {means[1]:.2f}")
    wins = sum((g > b) + (g == b) / 2 for g in good for b in bad)
    return wins / (len(good) * len(bad))


def main() -> None:
    folder = Path(os.environ["ESASCORE_DATA"])
    part = next((argument for argument in sys.argv[1:] if not argument.startswith("-")), "dev")
    quality(folder, part)
    if "--systems" in sys.argv:
        for year in TABLE_4:
            systems(folder, year)


if __name__ == "__main__":
    main()
