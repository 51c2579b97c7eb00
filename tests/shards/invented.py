"""An invented corpus as rows: restaurants as data and ships as triples, in the texts of two systems."""

from __future__ import annotations

import json
import random
from pathlib import Path

METRICS = "esa,hallucination,faithfulness,faithfulness-ref,parent,parent-e,pseudo-parent,bleu"
_AREAS = ("riverside", "city centre", "old town")
_FOODS = ("Fish", "Italian", "Dessert", "Low", "French")


def corpus(inputs: int = 24) -> list[dict]:
    """Inputs with references; every third is data."""
    rng = random.Random(7)
    made = []
    for n in range(inputs):
        if n % 3 == 0:
            area, food, stars = rng.choice(_AREAS), rng.choice(_FOODS), rng.randrange(1, 6)
            source = {"data": {"name": f"Zorb {n}", "area": area, "food": food, "stars": stars}}
            reference = f"Zorb {n} serves {food} food in the {area} and has {stars} stars."
        else:
            town, food = rng.choice(("Oslo", "Lima", "Trondheim")), rng.choice(_FOODS)
            triples = [[f"Kestrel_{n}", "location", town], [f"Kestrel_{n}", "course", food]]
            source = {"triples": triples, "category": "Food"}
            reference = f"Kestrel {n} in {town} is a low {food.lower()}."
        made.append({"id": f"Id{n + 1}", **source, "references": [reference]})
    return made


def texts(examples: list[dict], system: str) -> list[str]:
    rng = random.Random(system)
    made = []
    for n, example in enumerate(examples):
        text = example["references"][0]
        if n % 7 == 5:
            text = ""
        elif rng.random() < 0.5:
            text = rng.choice(
                [f"{text} It is from Peru.", text.replace("Lima", "Oslo"), text.partition(" ")[0]]
            )
        made.append(text)
    return made


SYSTEMS = ("fluent", "wild")


def rows(inputs: int = 24) -> list[dict]:
    """One row per system and input."""
    examples = corpus(inputs)
    return [
        {**example, "system": system, "text": text}
        for system in SYSTEMS
        for example, text in zip(examples, texts(examples, system), strict=True)
    ]


def write_lines(path: Path, some: list[dict]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in some), encoding="utf-8")
    return path


def write_plain(folder: Path, inputs: int = 24) -> list[str]:
    """The corpus and the outputs of systems as ``esascore score`` takes them."""
    examples = corpus(inputs)
    made = [str(write_lines(folder / "corpus.jsonl", examples))]
    for system in SYSTEMS:
        file = folder / f"{system}.txt"
        file.write_text("".join(f"{text}\n" for text in texts(examples, system)), encoding="utf-8")
        made.append(str(file))
    return made
