"""Texts per second for inputs of hundreds of facts, against an earlier commit.

    python benchmarks/large_inputs.py [--against REF] [--rounds N] [--facts N] [--words N]

Inputs are invented: teams with players and their figures, as triples and as data (JSON). Each has a text of
its own that states some of the facts, some of them wrongly. Every command runs in a new process; the seconds
for a single text, mostly the start of Python, are subtracted.
"""

from __future__ import annotations

import json
import random
import statistics
import tempfile
from pathlib import Path
from typing import Any

from _harness import header, parser_of, write_figures
from throughput import ROOT, checked_out, compile_sources, measured

COMMANDS = ("score", "detect", "hallucinations")
GOAL = 100
"""Texts per second of `score` on one core."""

_SYLLABLES = tuple(f"{a}{b}{c}" for a in "bdfglmnrst" for b in "aeiou" for c in ("", "n", "r"))
_FIGURES = ("points", "rebounds", "assists", "steals", "blocks", "minutes")


def corpus(kind: str, texts: int, facts: int, words: int) -> str:
    """Return JSON lines, each with an input of this many facts and a text of about this many words."""
    rng = random.Random(0)

    def name() -> str:
        return "".join(rng.choices(_SYLLABLES, k=rng.choice((2, 3)))).capitalize()

    def one(number: int) -> dict[str, Any]:
        team = f"{name()} {name()}"
        players = [
            {"name": f"{name()} {name()}"} | {figure: rng.randrange(2000) for figure in _FIGURES}
            for _ in range(facts // (len(_FIGURES) + 1))
        ]
        text = f"The {team} played in {name()}."
        while len(text.split()) < words:
            player = rng.choice(players)
            first, second = rng.sample(_FIGURES, 2)
            wrong = rng.random() < 0.1
            text += f" {player['name']} had {player[first] + wrong} {first} and {player[second]} {second}."
            text += rng.choice(["", " He was the best of them.", f" {name()} watched the game."])
        example: dict[str, Any] = {"id": f"game-{number}", "text": text}
        if kind == "data":
            return example | {"data": {"team": team, "players": players}}
        triples = [(team, "player", player["name"]) for player in players]
        triples += [
            (player["name"], figure, str(player[figure])) for player in players for figure in _FIGURES
        ]
        return example | {"triples": triples}

    return "".join(json.dumps(one(number)) + "\n" for number in range(texts))


def main() -> None:
    """Measure, and print a table."""
    parser = parser_of(__doc__, "ten texts, one round")
    parser.add_argument("--against", metavar="REF", help="a commit to compare with")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--texts", type=int, default=100)
    parser.add_argument("--facts", type=int, default=448)
    parser.add_argument("--words", type=int, default=300)
    options = parser.parse_args()
    texts = 10 if options.quick else options.texts
    header("Large inputs")
    print(f"{texts} inputs of {options.facts} facts with texts of {options.words} words (score: goal {GOAL})")
    print("\n| | texts per second | before | times as fast |\n| --- | ---: | ---: | ---: |")
    compile_sources(ROOT)
    figures: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder, checked_out(options.against) as earlier:
        one = Path(folder) / "one.jsonl"
        for kind in ("triples", "data"):
            path = Path(folder) / f"{kind}.jsonl"
            path.write_text(corpus(kind, texts, options.facts, options.words), "utf-8")
            one.write_text(corpus(kind, 1, options.facts, options.words), "utf-8")
            for command in COMMANDS:
                rates: dict[Path, list[float]] = {}
                for _ in range(1 if options.quick else options.rounds):
                    for sources in filter(None, (earlier, ROOT)):
                        many, start = (
                            measured(
                                sources, command, str(file), *["--own"] * (command == "detect"), "--jobs", "1"
                            )[0]
                            for file in (path, one)
                        )
                        rates.setdefault(sources, []).append((texts - 1) / max(many - start, 1e-3))
                own = rates[ROOT]
                figure = {"rate": max(own)}
                if earlier is not None:
                    pairs = zip(own, rates[earlier], strict=True)
                    figure |= {
                        "before": max(rates[earlier]),
                        "ratio": statistics.median(a / b for a, b in pairs),
                    }
                figures[f"{command}, {kind}"] = figure
                print(
                    f"| `{command}`, {kind} | {figure['rate']:.0f} | {figure.get('before', 0):.0f} "
                    f"| {figure.get('ratio', 0):.1f} |",
                    flush=True,
                )
    write_figures(options.json, texts=texts, figures=figures)


if __name__ == "__main__":
    main()
