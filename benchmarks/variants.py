"""What each source of variants contributes, on the annotated WebNLG training data.

For every annotated mention that is not a number, date or pronoun: is it, folded and without article and
possessive, one of the variants of its entity, and from which source? A mention that begins with an article
counts as a description: "the airport" is one, and not a variant. Harm is the reverse: the annotated string is
a variant of another entity of the same input, and the right entity has no variant that is as cheap. The rules
were written by people who saw what was missing in the training data, so the tables by category use test data
that were not looked at. There the question is how many entities have a variant in the reference text.

    ESASCORE_DATA=... python benchmarks/variants.py
"""

from __future__ import annotations

import re
from collections import Counter

from _corpus import annotated, table, webnlg_corpus
from esascore.gold.mentions.benchmark import read_annotated
from esascore.lexicon import SOURCES, Lexicon, label
from esascore.model import Entity
from esascore.readers.corpus import read_corpus
from esascore.text.normalize import comparable, folded
from esascore.text.tokenize import split_words

KINDS = ("name", "description")
PAPER = ("label", "no-parentheses", "before-comma", "language")
ARTICLE = re.compile(r"(?i)^(?:the|an?)\s+")
POSSESSIVE = re.compile(r"\s*['’]\s*s?$")
QUANTITY = re.compile(r"[\W\d]*|-?[\d.,]+\s*(\(.*\)|[a-z]{1,2})?|\w+ \d{4}")


def fold(text: str) -> str:
    return comparable(split_words(text), folded).text


class Forms:
    """The folded variants of entities; of equal ones the cheapest."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.known: dict[Entity, dict[str, tuple[float, str]]] = {}

    def of(self, entity: Entity) -> dict[str, tuple[float, str]]:
        if entity not in self.known:
            forms = self.known[entity] = {}
            for variant in self.lexicon.variants(entity):
                if key := fold(variant.text):
                    forms.setdefault(key, (variant.cost, variant.source.partition("+")[0]))
        return self.known[entity]


def by_source() -> None:
    forms = Forms(Lexicon())
    total, harm = Counter[str](), Counter[str]()
    covered = {kind: Counter[str]() for kind in KINDS}
    for text in read_annotated(annotated("train")):
        entities = {entity.term: entity for entity in text.example.input.entities}
        for mention in text.reference.mentions:
            if mention.kind not in KINDS or mention.entity not in entities:
                continue
            if QUANTITY.fullmatch(label(mention.entity)):
                continue
            name = POSSESSIVE.sub("", mention.text.strip())
            keys = (fold(name), fold(ARTICLE.sub("", name)))
            own = forms.of(entities[mention.entity])
            total[mention.kind] += 1
            right = next((own[key] for key in keys if key in own), None)
            if right:
                covered[mention.kind][right[1]] += 1
            for term, entity in entities.items():
                other = forms.of(entity).get(keys[1]) if term != mention.entity else None
                if other and (right is None or other[0] < right[0]):
                    harm[other[1]] += 1
    for kind, found in covered.items():
        share = found.total() / total[kind]
        print(f"{found.total():,} of {total[kind]:,} annotated {kind}s are variants ({share:.1%})")
    rows = [
        [name, f"{source.cost:g}", *(covered[kind][name] for kind in KINDS), harm[name]]
        for name, source in SOURCES.items()
    ]
    print("\n" + table(["source", "cost", "names", "descriptions", "harm"], rows), end="")


def by_category() -> None:
    lexicons = {
        "label": Forms(Lexicon(("label",))),
        "paper": Forms(Lexicon(PAPER)),
        "default": Forms(Lexicon()),
    }
    for year in (2017, 2020):
        counts: dict[str, Counter[str]] = {}
        for example in read_corpus(webnlg_corpus(year)):
            for reference in example.references:
                text = f" {fold(reference.text)} "
                for entity in example.input.entities:
                    if QUANTITY.fullmatch(label(entity.term)) or entity.term.startswith('"'):
                        continue
                    count = counts.setdefault(example.category or "", Counter())
                    count["entities"] += 1
                    for name, forms in lexicons.items():
                        count[name] += any(f" {form} " in text for form in forms.of(entity))
        counts["all"] = sum(counts.values(), Counter())
        rows = [
            [category, count["entities"], *(f"{count[name] / count['entities']:.3f}" for name in lexicons)]
            for category, count in sorted(counts.items())
        ]
        print("\n" + table([f"WebNLG {year}", "entities", *lexicons], rows), end="")


def main() -> None:
    by_source()
    by_category()


if __name__ == "__main__":
    main()
