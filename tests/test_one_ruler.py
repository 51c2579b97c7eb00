"""A verdict depends on the input, the text and the ruler: not on the way in, nor on what lies beside it.

Records of four kinds of input are judged in every way there is, with one ruler; each text must have the same
scores, omissions and flags in all of them.
"""

from __future__ import annotations

import csv
import json
import random
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

import esascore
from esascore.batch import Scorer
from esascore.cli import main

EACH = 52
"""Records of each of the four kinds."""

TOWNS = ("Oslo", "Lima", "Trondheim", "Quarn", "Port Ellery", "Velmont", "Brelling")
PEOPLE = ("Ada Holt", "Bo Berg", "Mira Fenn", "Ivo Marsh", "Ruth Carrow", "Jan Vos", "Elsa Brand")
NAMES = ("Heron", "Lantern", "Kestrel", "Juniper", "Copper", "Linden", "Ember", "Falcon", "Gannet")
PRICES = {"cheap": "easy on the purse", "moderate": "fairly priced", "high": "for deep pockets"}
SKIES = ("light snow", "clear", "fog", "heavy rain")

Record = tuple[dict[str, Any], str]
"""The fields of an input, and a faithful text."""


def hotel(chance: random.Random, n: int) -> Record:
    """Data with named parts and a truth value."""
    name, price, pets = f"{chance.choice(NAMES)} Inn {n}", chance.choice(sorted(PRICES)), n % 8 < 4
    rooms = [{"name": f"{chance.choice(NAMES)} Suite", "beds": chance.randrange(1, 5)} for _ in range(2)]
    data = {"name": name, "town": chance.choice(TOWNS), "price": price, "petsAllowed": pets, "rooms": rooms}
    bring = "Pets are welcome." if pets else "No pets, please."
    beds = f"The {rooms[0]['name']} has {rooms[0]['beds']} beds."
    return {"data": data}, f"{name} in {data['town']} is {PRICES[price]}. {bring} {beds}"


def weather(chance: random.Random, n: int) -> Record:
    """Data with dates and units; "night" is no word of it."""
    days = [
        {"date": f"2024-01-{day:02}", "temp": chance.randrange(-9, 30), "sky": chance.choice(SKIES)}
        for day in range(1 + n % 20, 4 + n % 20)
    ]
    town, coldest = chance.choice(TOWNS), min(day["temp"] for day in days)
    data = {"city": {"name": town}, "units": {"temp": "°C"}, "days": days}
    sky = days[0]["sky"]
    return {"data": data}, f"In {town} the coldest night falls to {coldest} °C, with {sky} at first."


def job(chance: random.Random, n: int) -> Record:
    """Data that call a common word true."""
    pay, hours = chance.randrange(20, 60) * 1000, chance.choice((20, 32, 38.5))
    data = {"title": f"Porter {n}", "nights": n % 12 < 8, "pay": pay, "hours": hours}
    when = "You work nights." if data["nights"] else "There are no nights."
    return {"data": data}, f"Porter {n} earns {pay:,} a year for {hours} hours a week. {when}"


def game(chance: random.Random, n: int) -> Record:
    """Data in which numbers belong to somebody."""
    called = zip(chance.sample(TOWNS, 2), chance.sample(NAMES, 2), strict=True)
    teams = [
        {
            "name": f"{town} {name}s",
            "points": chance.randrange(60, 120),
            "players": [
                {"name": f"{who} {n}{side}", "points": chance.randrange(40), "assists": chance.randrange(12)}
                for who in chance.sample(PEOPLE, 2)
            ],
        }
        for side, (town, name) in enumerate(called)
    ]
    (home, away), best = teams, teams[0]["players"][0]
    score = f"{home['name']} met {away['name']}, {home['points']}-{away['points']}."
    return {"data": {"teams": teams}}, f"{score} {best['name']} had {best['assists']} assists."


def triples(chance: random.Random, n: int) -> Record:
    hall, who, town = f"{chance.choice(NAMES)}_Hall_{n}", chance.choice(PEOPLE), chance.choice(TOWNS)
    year, dish = chance.randrange(1800, 2020), chance.choice(("Coconut", "Dessert", "Night"))
    facts = [
        [hall, "architect", who.replace(" ", "_")],
        [hall, "location", town],
        [hall, "openingDate", f"{year}-05-{chance.randrange(1, 28):02}"],
        [who.replace(" ", "_"), "likes", dish],
    ]
    text = f"{hall.replace('_', ' ')} in {town} was opened in May {year}."
    return {"triples": facts, "category": "Building"}, f"{text} {who}, who likes {dish.lower()}, built it."


def table(chance: random.Random, n: int) -> Record:
    rows = [[who, chance.choice(TOWNS), str(chance.randrange(10, 99))] for who in chance.sample(PEOPLE, 3)]
    text = f"{rows[0][0]} of {rows[0][1]} has {rows[0][2]} votes, and {rows[1][0]} has {rows[1][2]}."
    return {"table": [["candidate", "town", f"votes {2000 + n}"], *rows]}, text


def flat(chance: random.Random, n: int) -> Record:
    """A row of a wide CSV file: all values are strings."""
    price, rating, terrace = chance.choice(sorted(PRICES)), chance.choice(("low", "average", "high")), n % 3
    data = {
        "name": f"{chance.choice(NAMES)} Cafe",
        "phone": f"555-01{n:03}",
        "area": chance.choice(("riverside", "old town")),
        "price": price,
        "rating": rating,
        "terrace": "yes" if terrace else "no",
    }
    text = f"{data['name']} in the {data['area']} is {PRICES[price]}, with a {rating} rating."
    return {"data": data}, f"{text} It has {'a' if terrace else 'no'} terrace."


KINDS: tuple[tuple[Callable[[random.Random, int], Record], ...], ...] = (
    (hotel, weather, job, game),
    (triples,),
    (table,),
    (flat,),
)


def slip(chance: random.Random, text: str) -> str:
    """A text as a system may write it: as it should be, or with a mistake."""
    town, who, price = chance.choice(TOWNS), chance.choice(PEOPLE), chance.choice(sorted(PRICES.values()))
    more = chance.randrange(2)
    return chance.choice(
        (
            text,
            re.sub(r"\d+", lambda found: str(int(found[0]) + more), text),
            text.partition(". ")[0] + ".",
            f"{text} Its low prices and a night in {town} are for all the family.",
            text.replace(" is ", " is not ", 1),
            f"{text} {who} likes coconut on Monday, 3 May.",
            text.replace(" is ", f" is {price} and ", 1),
        )
    )


def invented(number: int, seed: int) -> list[dict[str, Any]]:
    """So many records of each kind, with a reference and the texts of two systems."""
    chance = random.Random(seed)
    rows = []
    for kind in KINDS:
        for n in range(number):
            make = kind[n % len(kind)]
            fields, text = make(chance, n)
            said = [slip(chance, text) for _ in "ab"]
            rows.append({"id": f"{make.__name__}{n}", **fields, "references": [text], "said": said})
    return rows


ROWS = invented(EACH, 1)
FLAT = [row for row in ROWS if row["id"].startswith("flat")]
METRICS = ("esa", "hallucination")
INPUTS = ("id", "data", "triples", "table", "category")
FIELDS = ("start", "end", "class", "type", "entity", "nearest", "confidence", "expected", "reason")

Flags = tuple[tuple[Any, ...], ...]
Verdicts = dict[tuple[str, str], tuple[float | None, tuple[str, ...], Flags]]
"""By system and id: ESA, what is missing, and the flags."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus, in two orders and as CSV where it is flat; the texts of two systems; a ruler."""
    path = tmp_path_factory.mktemp("ruler")
    for name, rows in (("corpus", ROWS), ("turned", ROWS[::-1]), ("flat", FLAT)):
        write_rows(path / f"{name}.jsonl", map(as_corpus, rows))
        for place, system in enumerate("ab"):
            said = ({"id": row["id"], "text": row["said"][place]} for row in rows)
            write_rows(path / f"{name}-{system}.jsonl", said)
    with (path / "flat.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["id", *FLAT[0]["data"]])
        writer.writeheader()
        writer.writerows({"id": row["id"], **row["data"]} for row in FLAT)
    esascore.learn(list(map(as_corpus, invented(160, 2)))).save(path / "taught")
    return path


def as_corpus(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "said"}


def write_rows(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")


def read_rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def flags(found: Iterable[Any]) -> Flags:
    """Flags as tuples of their fields, whether they are objects of Python or JSON."""
    listed = (one if isinstance(one, dict) else one.as_dict() for one in found)
    return tuple(tuple(one[name] for name in FIELDS) for one in listed)


def run(*arguments: object) -> None:
    assert main([*map(str, arguments), "--quiet", "--jobs", "1"]) in (0, 1)


def systems_in(path: Path, names: str = "ab", files: str = "ab", corpus: str = "corpus") -> list[str]:
    return [f"{name}={path}/{corpus}-{file}.jsonl" for name, file in zip(names, files, strict=True)]


def alone(_path: Path, ruler: str) -> Verdicts:
    made: Verdicts = {}
    for row in ROWS:
        [example] = esascore.read_corpus([{name: row[name] for name in row if name in INPUTS}])
        for system, text in zip("ab", row["said"], strict=True):
            found = esascore.hallucinations(example.input, text, learned=ruler)
            detected = esascore.detect(row.get("data") or example, text, learned=ruler)
            assert detected.undetected == found.detection.undetected
            made[system, row["id"]] = detected.esa, detected.undetected, flags(found)
    return made


def in_files(path: Path, ruler: str, corpus: str = "corpus.jsonl", systems: str = "ab") -> Verdicts:
    """What three commands say that each write one part of it."""
    outputs = systems_in(path, systems, systems, corpus.partition(".")[0])
    given = (path / corpus, *outputs, "--learned", ruler)
    run("hallucinations", *given, "-o", path / "found.jsonl")
    asked = ("--metrics", ",".join(METRICS), "--segments", path / "scores.jsonl", "-o", path / "table.json")
    run("score", *given, *asked)
    found = {(row["system"], row["id"]): row["hallucinations"] for row in read_rows(path / "found.jsonl")}
    scores = {(row["system"], row["id"]): row["scores"] for row in read_rows(path / "scores.jsonl")}
    made: Verdicts = {}
    for system, output in zip(systems, outputs, strict=True):
        run("detect", path / corpus, output, "-o", path / "detected.jsonl", "--learned", ruler)
        for row in read_rows(path / "detected.jsonl"):
            key = system, row["id"]
            assert scores[key] == {"esa": row["esa"], "hallucination": len(found[key])}
            made[key] = row["esa"], tuple(row["undetected"]), flags(found[key])
    return made


def in_another_order(path: Path, ruler: str) -> Verdicts:
    return in_files(path, ruler, "turned.jsonl", "ba")


def without_the_other_system(path: Path, ruler: str) -> Verdicts:
    return in_files(path, ruler, systems="a") | in_files(path, ruler, systems="b")


def from_csv(path: Path, ruler: str) -> Verdicts:
    return in_files(path, ruler, "flat.csv")


def in_python(path: Path, ruler: str) -> Verdicts:
    systems = {system: [row["said"][place] for row in ROWS] for place, system in enumerate("ab")}
    found = esascore.evaluate(path / "corpus.jsonl", systems, metrics=METRICS, learned=ruler)
    return {
        (system.name, row["id"]): (one.esa, one.undetected, flags(added))
        for system in found.scored.systems
        for row, one, added in zip(ROWS, system.detections, system.details["hallucination"], strict=True)
    }


def unnamed(missing) -> tuple[str, ...]:
    """What is missing without the names of attributes, which only some ways give."""
    return tuple(re.sub(r" \([^()]*\)$", "", one) for one in missing)


def in_shards(path: Path, ruler: str) -> Verdicts:
    pq = pytest.importorskip("pyarrow.parquet")
    rows = [
        {**{name: row[name] for name in row if name in INPUTS}, "system": system, "text": text}
        for row in ROWS
        for system, text in zip("ab", row["said"], strict=True)
    ]
    random.Random(5).shuffle(rows)
    write_rows(path / "rows.jsonl", rows)
    out = path / f"shards-{Path(ruler).name}"
    asked = ("--unit", 150, "--metrics", ",".join(METRICS), "--learned", ruler)
    run("score", path / "rows.jsonl", "--out", out, *asked)
    return {
        (row["system"], row["id"]): (row["esa"], unnamed(row["missing"]), flags(row["flagged"]))
        for row in pq.read_table(out / "units").to_pylist()
    }


def in_batches(_path: Path, ruler: str) -> Verdicts:
    scorer = Scorer(METRICS, learned=ruler)
    made: Verdicts = {}
    for kind in ("data", "triples", "table"):
        rows = [row for row in ROWS if kind in row]
        for place, system in enumerate("ab"):
            batch = {name: [row[name] for row in rows] for name in rows[0] if name in INPUTS}
            found = scorer({**batch, "text": [row["said"][place] for row in rows]})
            columns = (found[name] for name in ("esa", "missing", "flagged"))
            for row, esa, missing, some in zip(rows, *columns, strict=True):
                made[system, row["id"]] = esa, unnamed(missing), flags(some)
    return made


def at_the_gate(path: Path, ruler: str, *more: object) -> Verdicts:
    """The texts that have a fault; nothing is said of the ESA of each."""
    asked = ("--max-hallucinations", 0, "--max-missing-texts", 0, "--limit", 0, "-o", path / "gate.json")
    run("check", path / "corpus.jsonl", *systems_in(path), *asked, *more, "--learned", ruler)
    return blamed(json.loads((path / "gate.json").read_text("utf-8")))


def at_the_gate_in_python(path: Path, ruler: str) -> Verdicts:
    systems = {system: path / f"corpus-{system}.jsonl" for system in "ab"}
    asked = {"max_hallucinations": 0, "max_missing_texts": 0, "learned": ruler}
    return blamed(esascore.check(path / "corpus.jsonl", systems, **asked).to_dict())


def blamed(verdict: dict[str, Any]) -> Verdicts:
    made: Verdicts = {}
    for row in verdict["texts"]:
        missing = tuple(one["entity"] for one in row["missing"])
        made[row["system"], row["id"]] = None, missing, flags(row["added"])
    return made


def at_the_gate_with_a_baseline(path: Path, ruler: str) -> Verdicts:
    """The texts of the other system were there before."""
    old = ("--min-esa", 0, "--save", path / "old.jsonl", "--learned", ruler)
    run("check", path / "corpus.jsonl", *systems_in(path, files="ba"), *old)
    return at_the_gate(path, ruler, "--baseline", path / "old.jsonl")


def in_the_report(path: Path, ruler: str) -> Verdicts:
    target = path / f"report-{Path(ruler).name}"
    asked = ("-o", target, "--metrics", ",".join(METRICS), "--learned", ruler)
    run("report", path / "corpus.jsonl", *systems_in(path), *asked)

    def received(name: str) -> Any:
        return json.loads((target / "data" / f"{name}.js").read_text("utf-8").partition(", ")[2].strip()[:-2])

    index = received("index")
    numbers = sorted(int(file.stem.partition("-")[2]) for file in (target / "data").glob("details-*.js"))
    details = [one for number in numbers for one in received(f"details-{number}")]
    made: Verdicts = {}
    for n, id_ in enumerate(index["ids"]):
        entities = [index["names"][at] for at in index["entities"][n]]
        for place, (system, own) in enumerate(zip("ab", details[n]["systems"], strict=True)):
            missing = tuple(entities[at] for at in index["missing"][place][n] or ())
            made[system, id_] = own["scores"][0], missing, tuple(map(tuple, own["flags"]))
    return made


WAYS = (
    in_files,
    in_another_order,
    without_the_other_system,
    from_csv,
    in_python,
    in_shards,
    in_batches,
    at_the_gate,
    at_the_gate_with_a_baseline,
    at_the_gate_in_python,
    in_the_report,
)


@pytest.fixture(scope="module", params=["none", "taught"])
def told(request: pytest.FixtureRequest, folder: Path) -> tuple[str, Verdicts]:
    """A ruler, and what it says of each text alone."""
    ruler = str(folder / "taught") if request.param == "taught" else "none"
    return ruler, alone(folder, ruler)


def faulty(verdicts: Verdicts) -> set[tuple[str, str]]:
    return {key for key, (_, missing, some) in verdicts.items() if missing or some}


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_every_way_in_says_the_same(way, told, folder):
    ruler, expected = told
    found = way(folder, ruler)
    every = {(system, row["id"]) for system in "ab" for row in (FLAT if way is from_csv else ROWS)}
    assert found.keys() == (faulty(expected) if "gate" in way.__name__ else every)
    for key, (esa, missing, some) in found.items():
        assert (key, missing, some) == (key, *expected[key][1:])
        assert esa is None or round(esa, 4) == round(expected[key][0], 4)


@pytest.mark.parametrize("by", ["--id", "--worst"])
def test_texts_are_shown_as_they_are_judged_alone(by, told, folder, capsys):
    ruler, expected = told
    chosen = ["--worst", 999] if by == "--worst" else [word for row in ROWS for word in ("--id", row["id"])]
    run("show", folder / "corpus.jsonl", *systems_in(folder), *chosen, "--color", "never", "--learned", ruler)
    cards = capsys.readouterr().out.strip().split("\n\n")
    assert len(cards) == len(faulty(expected) if by == "--worst" else expected)
    for card in cards:
        id_, system = card.partition("\n")[0].split("  ")
        esa, missing, some = expected[system, id_]
        assert card.endswith(f"\nESA {esa:.2f}")
        assert len(re.findall(r"^  #\d+ .*: not found", card, re.MULTILINE)) == len(missing)
        shown = re.findall(r'^  ! ".*": (\w+), (.*)$', card, re.MULTILINE)
        assert shown == [(one[2], one[8]) for one in some]


def test_a_ruler_that_learned_judges_otherwise(folder):
    """Else the test of all ways would prove little about it."""
    some = [row for row in ROWS if row["id"].startswith(("flat", "triples"))]
    judged = [
        [esascore.hallucinations(row.get("data") or row["triples"], text, learned=ruler) for row in some
         for text in row["said"]]
        for ruler in ("none", folder / "taught")
    ]  # fmt: skip
    changed = [tuple(map(flags, pair)) for pair in zip(*judged, strict=True) if len({*map(flags, pair)}) > 1]
    assert len(changed) > 20


def test_texts_under_check_teach_nothing_unless_somebody_says_so(folder):
    """Without a stored ruler the corpus is the teacher: its inputs and references, not what systems say."""
    corpus = esascore.read_corpus(folder / "corpus.jsonl")
    texts = {system: [row["said"][place] for row in ROWS] for place, system in enumerate("ab")}

    def verdict(names: str, **more: Any) -> tuple[str, list[Any]]:
        given = {name: texts[name] for name in names}
        found = esascore.evaluate(corpus, given, metrics=METRICS, **more)
        own = found.scored.systems[names.index("a")]
        return str(found.scored.signature), [*map(flags, own.details["hallucination"])]

    assert verdict("a") == verdict("ba")
    pooled = [verdict(names, learn_from="outputs")[0] for names in ("a", "ba")]
    assert all("|learned:outputs-" in signature for signature in pooled)
    assert pooled[0] != pooled[1]
