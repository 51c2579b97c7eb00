"""How well esascore checks texts outside WebNLG: restaurants, box scores, phones, weather, Wikidata.

    ESASCORE_DATA=... python benchmarks/outside.py [e2e|rotowire|quintd ...] [--rules] [--misses N] [--docs]
        [--facts MODEL]

E2E: is something missing, is something added, against the public slot matcher; with a ruler that learned
nothing, that learned from other inputs (the development part), from the corpus under check, or from the texts
of all systems. RotoWire and Quintd, of which there are no references: flags against error spans that people
marked; the ruler learned from the inputs, or (``--learn-from``) from the texts as well. A flag of more than
six words counts as wrong and finds nothing. ``--rules`` shows what each rule is worth: the figures without
it. ``--docs`` does, too. With ``--facts``, contradicted facts are flags as well, and the last column of the
second table says how many texts have other flags for that.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any

from _corpus import data, table
from esascore.claims.evidence import EVIDENCE
from esascore.claims.hallucinations import Hallucination
from esascore.facts.verdicts import Page
from esascore.facts.verifier import EncoderVerifier
from esascore.learned import NOTHING, Learned, learn
from esascore.metrics.hallucination import Hallucinations
from esascore.model import Detection, Example
from esascore.pipeline import build_pipeline
from esascore.readers import read_corpus, read_outputs

Flags = Sequence[Hallucination]
Span = tuple[int, int]
MOST_WORDS = 6
PAGE = Path(__file__).parents[1] / "docs" / "outside-webnlg.md"
BEGIN, END = "<!-- python benchmarks/outside.py --docs -->\n", "<!-- end -->\n"
PARTS: Mapping[str, Sequence[str]] = {
    "rotowire": ("rotowire",),
    "quintd": ("quintd/wikidata", "quintd/gsmarena", "quintd/openweather"),
}
RULES = tuple(rule for rule in EVIDENCE if rule != "number")
"""Those that can be switched off alone; "number" is also the type of all numbers."""
_CAPITAL_INSIDE = re.compile(r"(?<![.!?]\s)(?<=\s)[^\W\d_a-z]\w*")


def check(
    examples: Sequence[Example], texts: Sequence[str], learned: Learned
) -> tuple[list[Detection], list[tuple[Hallucination, ...]]]:
    """Detections and hallucinations of one text per example."""
    pipeline = build_pipeline(learned=learned)
    found = pipeline.detect([(e.input, text) for e, text in zip(examples, texts, strict=True)])
    return found, Hallucinations(pipeline).find(examples, texts, found)


def objects(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON lines file."""
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def rulers(folder: Path) -> Iterator[tuple[str, Learned]]:
    """What the ruler of E2E may have learned, by what it learned from."""
    examples = read_corpus(folder / "corpus.jsonl")
    outputs = [read_outputs(path) for path in sorted((folder / "outputs").iterdir())]
    yield "nothing", NOTHING
    yield "other inputs", learn(read_corpus(folder / "dev.jsonl"))
    yield "references", learn(examples)
    yield "outputs", learn([replace(example, references=()) for example in examples], outputs)


def e2e(folder: Path, learned: Learned, misses: int) -> list[Any]:
    """Accuracy of (missing?, added?) and of any problem or none, and precision and recall of both."""
    examples = read_corpus(folder / "corpus.jsonl")
    gold = {(one["system"], one["id"]): one for one in objects(folder / "gold.jsonl")}
    systems = {path.stem: read_outputs(path) for path in sorted((folder / "outputs").iterdir())}
    texts = [text for own in systems.values() for text in own]
    detections, flags = check([*examples] * len(systems), texts, learned)
    cases = [(system, example.id) for system in systems for example in examples]
    said = [(bool(d.undetected), bool(f)) for d, f in zip(detections, flags, strict=True)]
    true = [(bool(gold[case]["missing"]), bool(gold[case]["added"])) for case in cases]
    for number, case in enumerate(cases):
        if said[number] != true[number] and misses > 0:
            misses -= 1
            show(case, gold[case], texts[number], flags[number], detections[number].undetected)
    pairs = list(zip(said, true, strict=True))
    return [
        len(pairs),
        sum(a == b for a, b in pairs) / len(pairs),
        sum(any(a) == any(b) for a, b in pairs) / len(pairs),
        *(
            figure
            for place in (0, 1)
            for figure in _precision_recall([(a[place], b[place]) for a, b in pairs])
        ),
    ]


def _precision_recall(pairs: Sequence[tuple[bool, bool]]) -> tuple[float, float]:
    both = sum(a and b for a, b in pairs)
    return both / max(1, sum(a for a, _ in pairs)), both / max(1, sum(b for _, b in pairs))


@dataclass(frozen=True, slots=True)
class Figures:
    """Texts, marked spans that are asked for and those found, flags and those that are right."""

    texts: int
    wanted: int
    found: int
    made: int
    right: int

    @classmethod
    def total(cls, some: Iterable[Figures]) -> Figures:
        """The sum of several."""
        return cls(*(sum(column) for column in zip(*map(astuple, some), strict=True)))

    @property
    def precision(self) -> float:
        """Right flags of all flags."""
        return self.right / max(1, self.made)

    @property
    def recall(self) -> float:
        """Found spans of all spans."""
        return self.found / max(1, self.wanted)


def spans(
    folder: Path, misses: int, rules: Sequence[str], outputs: bool
) -> tuple[Figures, dict[str, Figures]]:
    """What flags find of the spans that people marked, and the same without each of some rules."""
    examples = read_corpus(folder / "corpus.jsonl")
    texts = [example.text or "" for example in examples]
    gold = {one["id"]: one["spans"] for one in objects(folder / "gold.jsonl")}
    pipeline = build_pipeline(learned=learn(examples, [texts] if outputs else ()))
    found = pipeline.detect([(e.input, text) for e, text in zip(examples, texts, strict=True)])

    def figures(off: Sequence[str], misses: int) -> Figures:
        explainer = replace(pipeline.explainer, off=pipeline.explainer.off | frozenset(off))
        flags = Hallucinations(replace(pipeline, explainer=explainer)).find(examples, texts, found)
        return measure(examples, flags, gold, folder.name == "rotowire", misses)

    return figures((), misses), {rule: figures((rule,), 0) for rule in rules}


def measure(
    examples: Sequence[Example],
    flags: Sequence[Flags],
    gold: Mapping[str, Sequence[Any]],
    words: bool,
    misses: int,
) -> Figures:
    """Compare flags with spans; where spans are words, all count, and each flag is used once."""
    right = made = found = wanted = 0
    for example, some in zip(examples, flags, strict=True):
        text, marked = example.text or "", gold[example.id]
        short = [f for f in some if len(f.text.split()) <= MOST_WORDS]
        hits = [any(f.start < m[1] and m[0] < f.end for m in marked) for f in short]
        made, right = made + len(some), right + sum(hits)
        asked = marked if words else [m for m in marked if _counts(text, m)]
        missed = _unfound(asked, short, once=words)
        wanted, found = wanted + len(asked), found + len(asked) - len(missed)
        wrong = [f for f, hit in zip(short, hits, strict=True) if not hit]
        if misses > 0 and (missed or wrong):
            misses -= 1
            show(example.id, [(text[m[0] : m[1]], *m) for m in missed], text, wrong, ())
    return Figures(len(examples), wanted, found, made, right)


def with_facts(corpora: Sequence[str], folder: Path, model: str) -> str:
    """The figures with a model of facts, and how many texts are flagged otherwise than without."""
    rows = []
    for part in (part for name in corpora if name in PARTS for part in PARTS[name]):
        examples = read_corpus(folder / part / "corpus.jsonl")
        texts = [example.text or "" for example in examples]
        gold = {one["id"]: one["spans"] for one in objects(folder / part / "gold.jsonl")}
        items = [(e.input, text) for e, text in zip(examples, texts, strict=True)]
        own = learn(examples)
        plain, facts = build_pipeline(learned=own), build_pipeline(learned=own, facts=model)
        found = plain.detect(items)
        flags = [Hallucinations(one).find(examples, texts, found) for one in (plain, facts)]
        own = measure(examples, flags[1], gold, part == "rotowire", 0)
        other = sum(before != after for before, after in zip(*flags, strict=True))
        pages = [Page.of(example.input, one) for example, one in zip(examples, found, strict=True)]
        attributes = {(fact.predicate, page.kind) for page in pages for fact in page.facts}
        known = sum(EncoderVerifier(Path(model)).knows(*one) for one in attributes)
        rows.append([part, own.texts, own.made, own.precision, own.recall, len(attributes), known, other])
    columns = ["with facts", "texts", "flags", "precision", "recall", "attributes", "known"]
    return table([*columns, "texts with other flags"], map(rounded, rows))


def span_tables(
    corpora: Sequence[str], folder: Path, misses: int, rules: bool, outputs: bool
) -> Iterator[str]:
    """The figures of the corpora and their parts, and what each rule is worth."""
    rows: list[Sequence[Any]] = []
    worth: list[Sequence[Any]] = []
    for corpus in (name for name in corpora if name in PARTS):
        parts = {
            part: spans(folder / part, misses, RULES if rules else (), outputs) for part in PARTS[corpus]
        }
        whole = Figures.total(own for own, _ in parts.values())
        named = {part: own for part, (own, _) in parts.items()} | {corpus: whole}
        rows += ([name, o.texts, o.wanted, o.made, o.precision, o.recall] for name, o in named.items())
        for rule in RULES if rules else ():
            without = Figures.total(own[rule] for _, own in parts.values())
            if without != whole:
                fewer = whole.made - without.made
                worth.append([corpus, rule, fewer, without.precision, without.recall])
    if rows:
        yield table(["corpus", "texts", "spans", "flags", "precision", "recall"], map(rounded, rows))
    if worth:
        columns = ["corpus", "without the rule", "fewer flags", "precision", "recall"]
        yield table(columns, map(rounded, worth))


def _counts(text: str, marked: Sequence[Any]) -> bool:
    """Tell whether a span has a digit or a capitalised word that does not begin a sentence."""
    if marked[2] not in ("incorrect", "not checkable"):
        return False
    piece = text[marked[0] : marked[1]]
    inside = (m for m in _CAPITAL_INSIDE.finditer(text, max(0, marked[0] - 3)) if m.start() >= marked[0])
    first = next(inside, None)
    return any(c.isdigit() for c in piece) or (first is not None and first.end() <= marked[1])


def _unfound(marked: Sequence[Any], flags: Flags, once: bool) -> list[Any]:
    """The spans that no flag overlaps; where spans are words, each flag is used once."""
    left, missed = list(flags), []
    for one in marked:
        hit = next((f for f in left if f.start < one[1] and one[0] < f.end), None)
        if hit is None:
            missed.append(one)
        elif once:
            left.remove(hit)
    return missed


def show(case: Any, gold: Any, text: str, flags: Flags, missing: Sequence[str]) -> None:
    """Print a text that was judged otherwise than by people."""
    told = [(f.text, f.type, f.kind, f.reason) for f in flags]
    print(f"{case}\n  gold: {gold}\n  missing: {missing}\n  flags: {told}\n  {text}\n")


def rounded(row: Sequence[Any]) -> list[Any]:
    """A row of a table with three digits."""
    return [f"{value:.3f}" if isinstance(value, float) else value for value in row]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("corpora", nargs="*", default=["e2e", "rotowire", "quintd"])
    parser.add_argument("--misses", type=int, default=0, help="print so many texts that were judged wrongly")
    parser.add_argument("--rules", action="store_true", help="show what each rule is worth")
    parser.add_argument("--learn-from", choices=["references", "outputs"], default="references")
    parser.add_argument("--facts", metavar="MODEL", help="show the figures with a model of facts, too")
    parser.add_argument("--docs", action="store_true", help=f"write the tables into {PAGE.name}, too")
    arguments = parser.parse_args()
    folder = data() / "outside"
    tables = []
    if "e2e" in arguments.corpora:
        rows = [
            [name, *e2e(folder / "e2e", learned, arguments.misses)]
            for name, learned in rulers(folder / "e2e")
        ]
        columns = [
            "learned from",
            "texts",
            "four-way",
            "ok/not",
            "missing P",
            "missing R",
            "added P",
            "added R",
        ]
        tables.append(table(columns, map(rounded, rows)))
    rules = arguments.rules or arguments.docs
    tables += span_tables(
        arguments.corpora, folder, arguments.misses, rules, arguments.learn_from == "outputs"
    )
    if arguments.facts:
        tables.append(with_facts(arguments.corpora, folder, arguments.facts))
    print("\n".join(tables), end="")
    if arguments.docs:
        before, begin, rest = PAGE.read_text("utf-8").partition(BEGIN)
        _, end, after = rest.partition(END)
        PAGE.write_text("".join([before, begin, "\n", "\n".join(tables), end, after]), "utf-8")


if __name__ == "__main__":
    main()
