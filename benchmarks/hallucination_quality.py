"""How well hallucinations are found: counterfactual texts, human texts, and the systems of WebNLG.

    ESASCORE_DATA=... python benchmarks/hallucination_quality.py [dev|train] [--systems]

The first table gives, for texts as they are and in lower case, the share of inserted mentions that a flag
overlaps, by kind of counterfactual, and the share of unchanged human texts with a flag. ``corpus`` has
learned from the inputs and references of that part, ``alone`` from nothing. With ``--systems`` a second table
counts, for each system, the texts with a flagged name, date and number, next to Table 4 of the ESA paper
(before its manual check), with Spearman's correlation of the first two; for 2017 also the area under the
curve of flags against human ratings of semantics.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from _corpus import annotated, ratings_2017, submissions, table, webnlg_corpus
from esascore.claims.hallucinations import Hallucination
from esascore.gold.counterfactual.make import Counterfactual, make_counterfactuals
from esascore.gold.mentions.benchmark import annotated_texts
from esascore.gold.mentions.locate import overlap
from esascore.gold.ratings.files import match_names, read_ratings
from esascore.learned import learn
from esascore.metrics.hallucination import Hallucinations, count
from esascore.model import Example
from esascore.pipeline import Pipeline, build_pipeline
from esascore.readers.corpus import read_corpus
from esascore.readers.outputs import read_outputs
from esascore.stats.correlation import correlation

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

Found = list[tuple[Hallucination, ...]]


def find(pipeline: Pipeline, pairs: Sequence[tuple[Example, str]]) -> Found:
    """Return the hallucinations of texts."""
    examples, texts = [example for example, _ in pairs], [text for _, text in pairs]
    return Hallucinations(pipeline).find(examples, texts)


def flagged(made: Sequence[Counterfactual], found: Found) -> tuple[int, int]:
    """Count inserted mentions, and those that a flag overlaps."""
    hits = [
        any(overlap((flag.start, flag.end), (span.start, span.end)) for flag in some)
        for one, some in zip(made, found, strict=True)
        for span in one.inserted
    ]
    return len(hits), sum(hits)


def quality(part: str) -> None:
    corpus = read_corpus(annotated(part))
    texts = annotated_texts(corpus)
    rulers = {"corpus": build_pipeline(learned=learn(corpus)), "alone": build_pipeline()}
    rows = []
    for lowercase in (False, True):
        for known, pipeline in rulers.items():
            human = [(t.example, t.reference.text.lower() if lowercase else t.reference.text) for t in texts]
            untouched = find(pipeline, human)
            cells = [f"{sum(map(bool, untouched)) / len(untouched):.2%}"]
            for kind in KINDS:
                made = make_counterfactuals(texts, kinds=(kind,), lowercase=lowercase)
                found = find(pipeline, [(one.source.example, one.text) for one in made])
                number, hits = flagged(made, found)
                cells.append(f"{hits / number:.3f} ({number})")
            rows.append([f"{'lower' if lowercase else 'cased'}, {known}", *cells])
    print(table([part, "human texts flagged", *(f"{kind} (n)" for kind in KINDS)], rows), end="")


def systems(year: int) -> None:
    corpus = read_corpus(webnlg_corpus(year))
    metric = Hallucinations(build_pipeline(learned=learn(corpus)))
    names: dict[str, int] = {}
    flags: dict[str, list[bool]] = {}
    rows = []
    for path in sorted(submissions(year), key=lambda path: TABLE_4[year][path.stem]):
        types = count(metric.find(corpus, read_outputs(path)))[:, :3] > 0
        names[path.stem] = int(types[:, 0].sum())
        flags[path.stem] = types.any(axis=1).tolist()
        figures = (*types.sum(axis=0).tolist(), f"{types.any(axis=1).mean():.2%}")
        rows.append([path.stem, TABLE_4[year][path.stem], *figures])
    print("\n" + table([str(year), "Table 4", "names", "dates", "numbers", "any"], rows))
    kept = [name for name in names if name != UNDERCOUNTED]
    published = [TABLE_4[year][name] for name in kept]
    rho = correlation([names[name] for name in kept], published, "spearman").value
    print(f"Spearman's correlation of names with Table 4, {year}, without {UNDERCOUNTED}: {rho:.3f}")
    if year == 2017:
        print(f"AUC against ratings of semantics: {ratings(corpus, flags):.3f}")


def ratings(corpus: Sequence[Example], flags: dict[str, list[bool]]) -> float:
    """Return the probability that an unflagged text is rated above a flagged one; ties count half."""
    judged = read_ratings(ratings_2017(), corpus)
    names = match_names(judged.systems, list(flags))
    good: list[float] = []
    bad: list[float] = []
    for (team, place), (value,) in judged.aspects["semantics"].items():
        if team in names:
            (bad if flags[names[team]][place] else good).append(value)
    means = [sum(some) / len(some) for some in (bad, good)]
    print(f"{len(bad)} flagged texts rated {means[0]:.2f}, {len(good)} others {means[1]:.2f}")
    wins = sum((g > b) + (g == b) / 2 for g in good for b in bad)
    return wins / (len(good) * len(bad))


def main() -> None:
    quality(next((argument for argument in sys.argv[1:] if not argument.startswith("-")), "dev"))
    if "--systems" in sys.argv:
        for year in TABLE_4:
            systems(year)


if __name__ == "__main__":
    main()
