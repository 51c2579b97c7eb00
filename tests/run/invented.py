"""Invented corpora as rows, in the texts of two systems: restaurants as data, ships as triples, and tables.

Rows can be cut in several ways, and be the corpus and the outputs of a plain run.
"""

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


def tables(inputs: int = 24) -> list[dict]:
    """Inputs that are tables, with references: of records, and now and then with a header."""
    rng = random.Random(8)
    made = []
    for n in range(inputs):
        town, food = rng.choice(("Oslo", "Lima", "Trondheim")), rng.choice(_FOODS)
        source = (
            {"table": [["name", "town", "food"], [f"Zorb {n}", town, food]]}
            if n % 4 == 0
            else {"records": [["name", f"Zorb {n}"], ["town", town], ["food", food]]}
        )
        references = [f"Zorb {n} in {town} serves {food} food.", f"{food} is what Zorb {n} serves."]
        made.append({"id": f"Id{n + 1}", **source, "references": references[: 1 + n % 2]})
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
    return rows_of(corpus(inputs))


def rows_of(examples: list[dict]) -> list[dict]:
    """One row per system and example."""
    return [
        {**example, "system": system, "text": text}
        for system in SYSTEMS
        for example, text in zip(examples, texts(examples, system), strict=True)
    ]


def write_lines(path: Path, some: list[dict]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in some), encoding="utf-8")
    return path


def write_plain(folder: Path, examples: list[dict] | None = None) -> list[str]:
    """The corpus and the outputs of systems as ``esascore score`` takes them."""
    examples = corpus() if examples is None else examples
    made = [str(write_lines(folder / "corpus.jsonl", examples))]
    for system in SYSTEMS:
        file = folder / f"{system}.txt"
        file.write_text("".join(f"{text}\n" for text in texts(examples, system)), encoding="utf-8")
        made.append(str(file))
    return made


def as_one_file(folder: Path, some: list[dict]) -> list[Path]:
    return [write_lines(folder / "rows.jsonl", some)]


def as_shuffled_files(folder: Path, some: list[dict]) -> list[Path]:
    shuffled = random.Random(3).sample(some, len(some))
    for n in range(0, len(shuffled), 11):
        write_lines(folder / "parts" / f"part-{n}.jsonl", shuffled[n : n + 11])
    return [folder / "parts"]


def as_parquet(folder: Path, some: list[dict]) -> list[str]:
    """Every other row, backwards, in small row groups; data as JSON."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = dict.fromkeys(name for row in some for name in row)
    cells = [
        {
            **{name: row.get(name) for name in names},
            **({"data": json.dumps(row["data"])} if "data" in row else {}),
        }
        for row in reversed(some)
    ]
    (folder / "tables").mkdir()
    for n in (0, 1):
        pq.write_table(
            pa.Table.from_pylist(cells[n::2]), folder / "tables" / f"{n}.parquet", row_group_size=7
        )
    return [f"{folder}/tables/*.parquet"]


CUTS = (as_one_file, as_shuffled_files, as_parquet)
