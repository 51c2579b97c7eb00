"""The corpora that benchmarks use, invented texts where there are none, and the tables that they print."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    from esascore.model import Example

Items = list[tuple[list[str], str]]
HUMAN = "webnlg"
"""What the ratings of WebNLG 2017 call the human texts."""


def data() -> Path:
    """Return the folder of the corpora."""
    folder = os.environ.get("ESASCORE_DATA")
    if not folder:
        sys.exit("this benchmark needs the corpora: set ESASCORE_DATA to their folder")
    return Path(folder)


def annotated(split: str) -> Path:
    """Return the folder of the training (train) or development (dev) part of the enriched WebNLG."""
    return data() / "enriched-webnlg-1.6" / "en" / split


def webnlg_corpus(year: int) -> Path:
    """Return the file with the test data of WebNLG 2017 or 2020."""
    (path,) = (data() / f"webnlg-{year}").glob("*.xml")
    return path


def submissions(year: int) -> list[Path]:
    """Return the output files of the systems of a year."""
    return sorted((data() / f"webnlg-{year}" / "submissions").iterdir())


def ratings_2017() -> Path:
    """Return the file with the human ratings of WebNLG 2017."""
    return data() / "webnlg-2017" / "human" / "all_data_final_averaged.csv"


def rated_2017(
    *, human: bool = False
) -> tuple[list[Example], list[str], list[list[str]], dict[str, np.ndarray]]:
    """Return rated inputs, systems, texts by system, and ratings (systems x inputs) by aspect.

    On request, the human texts are the last system.
    """
    import numpy as np

    from esascore.gold.ratings.files import read_ratings
    from esascore.readers.corpus import read_corpus

    corpus = read_corpus(webnlg_corpus(2017))
    judged = read_ratings(ratings_2017(), corpus)
    places = list(dict.fromkeys(place for team, place in judged.texts if team != HUMAN))
    systems = [*sorted({*judged.systems} - {HUMAN}), *[HUMAN] * human]
    texts = [[judged.texts[system, place] for place in places] for system in systems]
    ratings = {
        aspect: np.array([[rated[system, place][0] for place in places] for system in systems])
        for aspect, rated in judged.aspects.items()
    }
    return [corpus[place] for place in places], systems, texts, ratings


def table(header: Sequence[str], rows: Iterable[Iterable[object]], *, labels: int = 1) -> str:
    """Return a table in Markdown."""
    from esascore.reports.grid import markdown_lines

    return "\n".join(markdown_lines(header, [list(map(str, row)) for row in rows], labels=labels)) + "\n"


def webnlg(year: int = 2020) -> Items:
    """Return (lower-cased entity labels, lower-cased text) for the outputs of one system after another."""
    from esascore.readers.corpus import read_corpus
    from esascore.readers.outputs import read_outputs

    corpus = read_corpus(webnlg_corpus(year))
    labels = [[label(entity.term) for entity in example.input.entities] for example in corpus]
    items = []
    for path in submissions(year):
        texts = [tokens(text) for text in read_outputs(path)]
        items += list(zip(labels, texts, strict=True))
    return items


def parent_instances() -> list[Any]:
    """Return (text, references, triples) for the outputs of one system after another."""
    from esascore.metrics.parent import references_of, tables_of
    from esascore.readers.corpus import read_corpus
    from esascore.readers.outputs import read_outputs

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
    """Invent texts that resemble those of WebNLG: every system writes the same names a little differently."""
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
    """Return the name of the corpus, and the corpus."""
    if os.environ.get("ESASCORE_DATA"):
        return "WebNLG 2020 outputs", webnlg()
    return "invented texts (set ESASCORE_DATA for WebNLG 2020)", invented()


def _typo(name: str, rng: random.Random) -> str:
    position = rng.randrange(len(name))
    return name[:position] + rng.choice("abcdefghij") + name[position + 1 :]
