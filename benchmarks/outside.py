"""How well esascore checks texts outside WebNLG: restaurants, box scores, phones, weather, Wikidata.

    ESASCORE_DATA=... python benchmarks/outside.py [e2e|rotowire|quintd ...] [--misses N] [--docs]

E2E: is something missing, is something added, against the public slot matcher. Without a lexicon, wordings
are learned from the corpus under check: from its references, or without these from the texts. With one,
from the development part, by ``esascore lexicon learn``. RotoWire and Quintd: flags against error
spans that people marked. A flag of more than six words counts as wrong and finds nothing.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from _corpus import data, table
from esascore.explain.hallucinations import Hallucination
from esascore.lexicon import UserEntry
from esascore.metrics.hallucination import Hallucinations
from esascore.model import Detection, Example
from esascore.pipeline import build_pipeline, learned_entries
from esascore.readers import read_corpus, read_outputs

Flags = Sequence[Hallucination]
Span = tuple[int, int]
MOST_WORDS = 6
PAGE = Path(__file__).parents[1] / "docs" / "outside-webnlg.md"
BEGIN, END = "<!-- python benchmarks/outside.py --docs -->\n", "<!-- end -->\n"
QUINTD = ("wikidata", "gsmarena", "openweather")
_CAPITAL_INSIDE = re.compile(r"(?<![.!?]\s)(?<=\s)[^\W\d_a-z]\w*")


def check(
    examples: Sequence[Example],
    texts: Sequence[str],
    lexicons: Sequence[Path] = (),
    entries: Sequence[UserEntry] = (),
) -> tuple[list[Detection], list[tuple[Hallucination, ...]]]:
    """Detections and hallucinations of one text per example."""
    pipeline = build_pipeline(lexicons=lexicons, entries=entries)
    found = pipeline.detect([(e.input, text) for e, text in zip(examples, texts, strict=True)])
    return found, Hallucinations(pipeline).find(examples, texts, found)


def objects(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON lines file."""
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def e2e(folder: Path, lexicons: Sequence[Path], misses: int, *, references: bool = True) -> list[Any]:
    """Accuracy of (missing?, added?) and of any problem or none, and precision and recall of both."""
    examples = read_corpus(folder / "corpus.jsonl")
    if not references:
        examples = [replace(example, references=()) for example in examples]
    gold = {(one["system"], one["id"]): one for one in objects(folder / "gold.jsonl")}
    systems = {path.stem: read_outputs(path) for path in sorted((folder / "outputs").iterdir())}
    texts = [text for own in systems.values() for text in own]
    entries = learned_entries(examples, list(systems.values()), lexicons=lexicons)
    detections, flags = check([*examples] * len(systems), texts, lexicons, entries)
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


def spans(folder: Path, misses: int) -> list[Any]:
    """Recall and precision of flags against the spans that people marked."""
    examples = read_corpus(folder / "corpus.jsonl")
    texts = [example.text or "" for example in examples]
    gold = {one["id"]: one["spans"] for one in objects(folder / "gold.jsonl")}
    _, flags = check(examples, texts)
    right = made = found = wanted = 0
    for example, text, some in zip(examples, texts, flags, strict=True):
        marked = gold[example.id]
        short = [f for f in some if len(f.text.split()) <= MOST_WORDS]
        hits = [any(f.start < m[1] and m[0] < f.end for m in marked) for f in short]
        made, right = made + len(some), right + sum(hits)
        asked = marked if folder.name == "rotowire" else [m for m in marked if _counts(text, m)]
        wanted += len(asked)
        missed = _unfound(asked, short, once=folder.name == "rotowire")
        found += len(asked) - len(missed)
        wrong = [f for f, hit in zip(short, hits, strict=True) if not hit]
        if misses > 0 and (missed or wrong):
            misses -= 1
            show(example.id, [(text[m[0] : m[1]], *m) for m in missed], text, wrong, ())
    return [len(texts), wanted, made, right / max(1, made), found / max(1, wanted)]


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


def learned(folder: Path, target: Path) -> Path:
    """The lexicon that the command learns from the development part."""
    from esascore.cli import main

    main(["lexicon", "learn", str(folder / "dev.jsonl"), "-o", str(target), "--quiet"])
    return target


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("corpora", nargs="*", default=["e2e", "rotowire", "quintd"])
    parser.add_argument("--misses", type=int, default=0, help="print so many texts that were judged wrongly")
    parser.add_argument("--no-learning", action="store_true", help="leave out the learned lexicon")
    parser.add_argument("--docs", action="store_true", help=f"write the tables into {PAGE.name}, too")
    arguments = parser.parse_args()
    folder = data() / "outside"
    tables = []
    if "e2e" in arguments.corpora:
        rows = [
            ["none, no references", *e2e(folder / "e2e", (), 0, references=False)],
            ["none", *e2e(folder / "e2e", (), arguments.misses)],
        ]
        if not arguments.no_learning:
            with tempfile.TemporaryDirectory() as scratch:
                own = learned(folder / "e2e", Path(scratch, "learned.tsv"))
                rows.append(["learned", *e2e(folder / "e2e", (own,), arguments.misses)])
        columns = ["lexicon", "texts", "four-way", "ok/not", "missing P", "missing R", "added P", "added R"]
        tables.append(table(columns, map(rounded, rows)))
    wanted: Mapping[str, Sequence[str]] = {
        "rotowire": ("rotowire",),
        "quintd": tuple(f"quintd/{name}" for name in QUINTD),
    }
    rows = [
        [name, *spans(folder / name, arguments.misses)]
        for corpus in arguments.corpora
        for name in wanted.get(corpus, ())
    ]
    if rows:
        columns = ["corpus", "texts", "spans", "flags", "precision", "recall"]
        tables.append(table(columns, map(rounded, rows)))
    print("\n".join(tables), end="")
    if arguments.docs:
        before, begin, rest = PAGE.read_text("utf-8").partition(BEGIN)
        _, end, after = rest.partition(END)
        PAGE.write_text("".join([before, begin, "\n", "\n".join(tables), end, after]), "utf-8")


if __name__ == "__main__":
    main()
