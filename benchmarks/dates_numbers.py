"""How well and how fast dates and numbers are found.

    ESASCORE_DATA=... python benchmarks/dates_numbers.py [train|dev]

The first table compares the detectors with the annotated mentions whose entity is a date or a number: recall
of exact (entity, string) pairs and of overlapping spans, and the proposals that overlap no annotated mention
of the entity. Of overlapping proposals the one with the lowest distance counts, then the longest. The second
table gives processor time per text over the outputs of WebNLG 2020; every part of the texts is timed several
times in turns, and its least time counts, because other work on the machine can only add to it.
"""

from __future__ import annotations

import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from _corpus import annotated, submissions, webnlg_corpus
from _harness import header, pieces
from esascore.detectors.base import Proposer
from esascore.detectors.dates import DateDetector
from esascore.detectors.quantities import number_mentions
from esascore.gold.mentions.forms import untokenised
from esascore.gold.mentions.locate import locate, overlap
from esascore.literals.dates import FORMS, entity_date, find_dates
from esascore.literals.numbers import find_numbers
from esascore.literals.quantities import entity_quantity
from esascore.model import Entity, Example, Mention, Reference
from esascore.readers.corpus import read_corpus
from esascore.readers.outputs import read_outputs
from esascore.text.document import Document

KINDS: dict[str, tuple[Proposer, Callable[[Entity], Any]]] = {
    "dates": (DateDetector(tuple(FORMS)).mentions, entity_date),
    "numbers": (number_mentions, entity_quantity),
}


def chosen(proposals: Sequence[Mention]) -> list[Mention]:
    kept: list[Mention] = []
    for mention in sorted(proposals, key=lambda m: (m.distance, m.start - m.end, m.start)):
        if not any(overlap((mention.start, mention.end), (other.start, other.end)) for other in kept):
            kept.append(mention)
    return kept


def compare(example: Example, reference: Reference, detector: Proposer, terms: set[str]) -> Counter[str]:
    proposals = detector(Document(example.input, reference.text))
    found = chosen(proposals)
    gold = [
        (mention, span)
        for mention, span in zip(reference.mentions, locate(reference), strict=True)
        if mention.entity in terms
    ]
    strings = Counter((mention.entity, untokenised(mention.text)) for mention, _ in gold)
    exact = strings & Counter((mention.entity, untokenised(mention.text)) for mention in found)

    def meet(mention: Mention, entity: str, span: tuple[int, int] | None) -> bool:
        is_here = span is not None and overlap((mention.start, mention.end), span)
        return mention.entity == entity and is_here

    return Counter(
        texts=1,
        gold=len(gold),
        exact=exact.total(),
        overlap=sum(any(meet(m, g.entity, span) for m in found) for g, span in gold),
        proposed=len(found),
        false=sum(not any(meet(m, g.entity, span) for g, span in gold) for m in found),
    )


def quality(split: str) -> None:
    examples = read_corpus(annotated(split))
    for kind, (detector, meaning) in KINDS.items():
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for example in examples:
            terms = {entity.term for entity in example.input.entities if meaning(entity) is not None}
            for reference in example.references:
                if reference.text and reference.mentions:
                    count = compare(example, reference, detector, terms)
                    counts[example.category or ""] += count
                    counts["all"] += count
        print(f"\n{kind}, {split}: {counts['all']['texts']} texts")
        print(f"{'category':20} {'gold':>6} {'exact':>7} {'overlap':>8} {'proposed':>9} {'false':>6}")
        for category, count in sorted(counts.items()):
            if count["gold"] or count["proposed"]:
                exact, overlap = (count[name] / max(1, count["gold"]) for name in ("exact", "overlap"))
                print(
                    f"{category:20} {count['gold']:6} {exact:7.4f} {overlap:8.4f}"
                    f" {count['proposed']:9} {count['false']:6}"
                )


def speed() -> None:
    inputs = [example.input for example in read_corpus(webnlg_corpus(2020))]
    documents = [
        Document(source, text)
        for path in submissions(2020)
        for source, text in zip(inputs, read_outputs(path), strict=True)
    ]
    contenders: dict[str, Callable[[Sequence[Document]], Any]] = {
        "find_dates": lambda part: [find_dates(document.text) for document in part],
        "dates of the input": lambda part: list(map(KINDS["dates"][0], part)),
        "find_numbers": lambda part: [find_numbers(document.text) for document in part],
        "numbers of the input": lambda part: list(map(KINDS["numbers"][0], part)),
    }
    least: dict[tuple[str, int], float] = {}
    for _ in range(5):
        for number, part in enumerate(pieces(documents, 48)):
            for name, function in contenders.items():
                start = time.process_time()
                function(part)
                seconds = time.process_time() - start
                least[name, number] = min(seconds, least.get((name, number), seconds))
    print(f"\n{len(documents)} texts of webnlg-2020")
    for name in contenders:
        total = sum(seconds for (contender, _), seconds in least.items() if contender == name)
        print(f"{name:20} {total / len(documents) * 1e6:6.1f} µs per text")


def main() -> None:
    header("Dates and numbers")
    quality(sys.argv[1] if len(sys.argv) > 1 else "train")
    speed()


if __name__ == "__main__":
    main()
