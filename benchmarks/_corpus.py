"""The texts that benchmarks measure: the outputs of WebNLG 2020, or invented ones where it is absent."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

Items = list[tuple[list[str], str]]


def webnlg(year: int = 2020) -> Items:
    """(lower-cased entity labels, lower-cased text) of every system's output, system by system."""
    from esascore.readers import read_corpus, read_outputs

    folder = Path(os.environ["ESASCORE_DATA"]) / f"webnlg-{year}"
    (corpus,) = folder.glob("*.xml")
    labels = [[label(entity.term) for entity in example.input.entities] for example in read_corpus(corpus)]
    items = []
    for path in sorted((folder / "submissions").iterdir()):
        texts = [tokens(text) for text in read_outputs(path)]
        items += list(zip(labels, texts, strict=True))
    return items


def parent_instances() -> list[Any]:
    """(text, references, triples) of every system's output, system by system."""
    from esascore.metrics.parent import references_of, tables_of
    from esascore.readers import read_corpus, read_outputs

    folder = Path(os.environ["ESASCORE_DATA"]) / "webnlg-2020"
    (path,) = folder.glob("*.xml")
    corpus = read_corpus(path)
    references, tables = references_of(corpus), tables_of(corpus)
    found: list[Any] = []
    for system in sorted((folder / "submissions").iterdir()):
        found += zip(read_outputs(system), references, tables, strict=True)
    return found


def label(term: str) -> str:
    return term.strip('"').replace("_", " ").lower()


def tokens(text: str) -> str:
    return " ".join(text.lower().split())


def invented(inputs: int = 1779, systems: int = 16, seed: int = 0) -> Items:
    """Texts of about the shape of WebNLG's: every system words the same names a little differently."""
    rng = random.Random(seed)
    letters = "eeeeetttaaaoooiiinnnsshhrrddlluucmwfgypbvk"

    def word() -> str:
        return "".join(rng.choices(letters, k=rng.choice((2, 3, 4, 5, 6, 7, 8, 9))))

    vocabulary = [word() for _ in range(4000)]
    glue = ["the", "is", "of", "in", "and", "a", "was", "by", "which", "located", "born", "has", "from"]
    names = [
        [
            " ".join(rng.choices(vocabulary, k=rng.choice((1, 1, 2, 2, 3, 4))))
            for _ in range(rng.randint(2, 8))
        ]
        for _ in range(inputs)
    ]
    items = []
    for _ in range(systems):
        for candidates in names:
            words: list[str] = []
            for name in candidates:
                words += rng.choices(glue, k=rng.randint(1, 3))
                words.append(_typo(name, rng) if rng.random() < 0.3 else name)
            items.append((candidates, " ".join(words) + " ."))
    return items


def load() -> tuple[str, Items]:
    """The corpus and its name."""
    if os.environ.get("ESASCORE_DATA"):
        return "WebNLG 2020 outputs", webnlg()
    return "invented texts (set ESASCORE_DATA for WebNLG 2020)", invented()


def _typo(name: str, rng: random.Random) -> str:
    position = rng.randrange(len(name))
    return name[:position] + rng.choice("abcdefghij") + name[position + 1 :]
