"""How well esascore checks texts outside WebNLG: everyday records, restaurants, weather, phones, tables.

    ESASCORE_DATA=... python benchmarks/outside.py [SET ...] [--misses N] [--facts MODEL] [--calibrate]
        [--docs]

For each set it prints the share of flags that are right, the share of errors that are found, the share of
texts without an error that have no flag, the mean of that and the share of texts with an error that have one,
and texts per second. Then it prints the same with one principle left out at a time, and how good the
confidence of flags is: the share of flags of their kind that were right on the other sets. ``--calibrate``
writes the confidence from all sets to `lexicons/confidence.tsv`, ``--docs`` the first and the last table into
their pages.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from time import process_time

from _corpus import data, table
from _outside import CORPORA, Corpus, Text
from esascore.claims.confidence import Kind, Shares, shares_of
from esascore.claims.hallucinations import Hallucination
from esascore.metrics.hallucination import Hallucinations
from esascore.pipeline import build_pipeline
from esascore.run.gc_tuning import rare_collections
from esascore.text.document import Document

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs" / "outside-webnlg.md", ROOT / "docs" / "confidence.md"
TABLE = ROOT / "lexicons" / "confidence.tsv"
BEGIN, END = "<!-- python benchmarks/outside.py --docs -->\n", "<!-- end -->\n"
HEAD = """\
# How often a flag is right, by the rule that found it and its type: flags and right flags on all development
# sets, at most {most} flags of each set, and the share of right ones (esascore.claims.confidence).
# source: made by benchmarks/outside.py --calibrate
# licence: MIT
# columns: evidence	type	flags	right	confidence
"""
MOST = 300
"""The most flags of one set that count, so that no large set decides alone."""

PRINCIPLES: Mapping[str, frozenset[str]] = {
    "numbers: description length": frozenset({"number"}),
    "numbers: named attributes": frozenset({"address"}),
    "pairs of numbers": frozenset({"pair"}),
    "labels": frozenset({"labelled"}),
    "polarity": frozenset({"polarity", "unknown-attribute"}),
    "hours": frozenset({"hours"}),
    "dates, weekdays, times": frozenset({"date", "weekday", "time"}),
    "order and direction": frozenset({"order", "direction", "superlative"}),
    "bindings": frozenset({"binding"}),
    "values": frozenset({"value", "opposite"}),
    "codes": frozenset({"code"}),
    "names": frozenset({"capitals", "capital", "title", "linked", "listed", "proper", "unknown", "likeness"}),
}
"""The principles, with the evidence of the flags that rest on them."""

Flags = Sequence[Sequence[tuple[Hallucination, bool]]]
"""The flags of each text, and whether each is right."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A set with the flags of each text, and how long that took."""

    corpus: Corpus
    flags: Flags
    seconds: float

    def chosen(self, off: frozenset[str], least: float = 0.0, by: Shares | None = None) -> Flags:
        """Leave out flags with some kinds of evidence, and those with too little confidence."""
        return [
            [
                (flag, right)
                for flag, right in some
                if flag.evidence not in off
                and (by is None or by.confidence(flag.evidence, flag.type) >= least)
            ]
            for some in self.flags
        ]

    def kinds(self) -> dict[Kind, tuple[float, float]]:
        """Flags and right ones of each kind, at most `MOST` in all."""
        made: Counter[Kind] = Counter()
        right: Counter[Kind] = Counter()
        for flag, is_right in chain.from_iterable(self.flags):
            made[flag.evidence, flag.type] += 1
            right[flag.evidence, flag.type] += is_right
        weight = min(1.0, MOST / max(1, made.total()))
        return {kind: (number * weight, right[kind] * weight) for kind, number in made.items()}


def judge(corpus: Corpus, facts: str | None) -> Judged:
    """Check the texts of a set."""
    pipeline = build_pipeline(learned=corpus.learned, facts=facts)
    examples = [one.example for one in corpus.texts]
    texts = [one.text for one in corpus.texts]
    with rare_collections():  # as in all commands
        started = process_time()
        documents = [Document(e.input, text) for e, text in zip(examples, texts, strict=True)]
        found = Hallucinations(pipeline).find(examples, texts, pipeline.detect(documents), documents)
        seconds = process_time() - started
    before = dict(zip(texts, found, strict=True))
    flags = [_rated(own, some, before) for own, some in zip(corpus.texts, found, strict=True)]
    return Judged(corpus, flags, seconds)


def _rated(
    own: Text, flags: Sequence[Hallucination], before: Mapping[str, Sequence[Hallucination]]
) -> list[tuple[Hallucination, bool]]:
    """Return flags and whether they are right; a flag that the faithful text also has is wrong."""
    known = Counter(flag.text for flag in before[own.of]) if own.of else Counter[str]()
    rated = []
    for flag in flags:
        known[flag.text] -= 1
        rated.append((flag, known[flag.text] < 0 and own.is_right(flag)))
    return rated


@dataclass(frozen=True, slots=True)
class Figures:
    """Flags, the share of right ones, of errors found, of good texts without a flag, and both together."""

    made: int
    right: float
    found: float
    passed: float
    balanced: float

    @classmethod
    def of(cls, texts: Sequence[Text], flags: Flags) -> Figures:
        """Compare flags with what is wrong."""
        pairs = list(zip(texts, flags, strict=True))
        made = sum(map(len, flags))
        right = sum(is_right for some in flags for _, is_right in some)
        counts = [text.found([flag for flag, is_right in some if is_right]) for text, some in pairs]
        good = [not some for text, some in pairs if not text.bad]
        bad = [any(is_right or not text.of for _, is_right in some) for text, some in pairs if text.bad]
        passed, stopped = sum(good) / max(1, len(good)), sum(bad) / max(1, len(bad))
        found = sum(a for a, _ in counts) / max(1, sum(b for _, b in counts))
        return cls(made, right / max(1, made), found, passed, (passed + stopped) / 2)


def shown(*figures: float) -> list[str]:
    """Return figures with three digits."""
    return [f"{one:.3f}" for one in figures]


def main_table(judged: Sequence[Judged]) -> str:
    """The figures of each set."""
    rows = []
    for one in judged:
        texts = one.corpus.texts
        own = Figures.of(texts, one.flags)
        figures = shown(own.right, own.found, own.passed, own.balanced)
        rows.append([one.corpus.name, len(texts), own.made, *figures, round(len(texts) / one.seconds)])
    head = ["set", "texts", "flags", "right", "found", "good texts passed", "balanced", "texts/s"]
    return table(head, rows)


def ablation(judged: Sequence[Judged]) -> str:
    """Return the means over all sets with one principle left out at a time."""
    rows = []
    for name, evidence in {"all": frozenset[str](), **PRINCIPLES}.items():
        every = [Figures.of(one.corpus.texts, one.chosen(evidence)) for one in judged]
        fewer = sum(sum(map(len, one.flags)) for one in judged) - sum(own.made for own in every)
        means = [sum(getattr(own, f) for own in every) / len(every) for f in ("right", "found", "balanced")]
        if fewer or name == "all":
            rows.append([name if name == "all" else f"- {name}", fewer, *shown(*means)])
    return table(["principles", "fewer flags", "right", "found", "balanced"], rows)


def calibrated(judged: Sequence[Judged]) -> list[Shares]:
    """Return, for each set, the confidence that the other sets give."""
    kinds = [one.kinds() for one in judged]
    return [shares_of(_sum(kinds[:n] + kinds[n + 1 :])) for n in range(len(judged))]


def _sum(some: Iterable[Mapping[Kind, tuple[float, float]]]) -> dict[Kind, tuple[float, float]]:
    total: dict[Kind, tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))
    for kinds in some:
        for kind, (made, right) in kinds.items():
            total[kind] = total[kind][0] + made, total[kind][1] + right
    return total


def confidence_tables(judged: Sequence[Judged]) -> list[str]:
    """Mean confidence against the share of right flags, and both shares over thresholds."""
    others = calibrated(judged)
    rows = []
    for one, by in zip(judged, others, strict=True):
        every = chain.from_iterable(one.flags)
        sure = [by.confidence(flag.evidence, flag.type) for flag, _ in every]
        own = Figures.of(one.corpus.texts, one.flags)
        rows.append([one.corpus.name, len(sure), *shown(sum(sure) / max(1, len(sure)), own.right)])
    tables = [table(["set", "flags", "mean confidence, by the other sets", "right"], rows)]
    rows = []
    for least in (0.0, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9):
        every = [
            Figures.of(one.corpus.texts, one.chosen(frozenset(), least, by))
            for one, by in zip(judged, others, strict=True)
        ]
        made = sum(own.made for own in every)
        pooled = sum(own.right * own.made for own in every) / max(1, made)
        means = [sum(getattr(own, f) for own in every) / len(every) for f in ("found", "passed")]
        rows.append([f"{least:.2f}", made, *shown(pooled, *means)])
    return [*tables, table(["at least", "flags", "right", "found", "good texts passed"], rows)]


def write_confidences(judged: Sequence[Judged]) -> None:
    """Write the confidence that all sets give."""
    counts = _sum(one.kinds() for one in judged)
    kinds = {kind: (round(made), round(right)) for kind, (made, right) in counts.items()}
    by = shares_of(kinds)
    rows = [
        f"{evidence}\t{type_}\t{made}\t{right}\t{by.confidence(evidence, type_):.2f}\n"
        for (evidence, type_), (made, right) in sorted(kinds.items())
    ]
    TABLE.write_text(HEAD.format(most=MOST) + "".join(rows), "utf-8")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("sets", nargs="*", metavar="SET", help=", ".join(CORPORA))
    parser.add_argument("--misses", type=int, default=0, help="print this many wrong flags of each set")
    parser.add_argument("--facts", metavar="MODEL", help="use this fact model")
    parser.add_argument("--calibrate", action="store_true", help=f"write {TABLE.name}")
    parser.add_argument(
        "--docs", action="store_true", help="write the first and the last table into their pages"
    )
    arguments = parser.parse_args()
    if arguments.docs and arguments.sets:
        parser.error("the pages have all sets: leave out SET")
    names = [name for name in CORPORA if not arguments.sets or name in arguments.sets]
    judged = [judge(CORPORA[name](data()), arguments.facts) for name in names]
    for one in judged:
        wrong = [
            (text, flag)
            for text, some in zip(one.corpus.texts, one.flags, strict=True)
            for flag, is_right in some
            if not is_right
        ]
        for text, flag in wrong[: arguments.misses]:
            around = text.text[max(0, flag.start - 50) : flag.end + 30].replace("\n", " ")
            print(f"{one.corpus.name} {text.example.id}: {flag.text!r} ({flag.evidence}): {around}")
    tables = [main_table(judged)]
    if len(judged) > 1:
        tables += [ablation(judged), *confidence_tables(judged)]
    print("\n".join(tables), end="")
    if arguments.calibrate:
        write_confidences(judged)
    if arguments.docs:
        for page, written in zip(PAGES, (tables[0], tables[-1]), strict=True):
            before, begin, rest = page.read_text("utf-8").partition(BEGIN)
            _, end, after = rest.partition(END)
            page.write_text("".join([before, begin, "\n", written, end, after]), "utf-8")


if __name__ == "__main__":
    main()
