"""What each part of a profile contributes on annotated texts: steps added or left out one by one.

python benchmarks/ablation.py [added|left-out] [--gold DIR] [--lexicon FILE]... [--no-speed] [--json FILE]

Without --gold, the development data under ESASCORE_DATA are used. A step is a label and the settings that it
changes, as in a profile: {"section": {"key": value}}. ADDED starts from the profile `default` with all the
changes of START, and every step keeps those of the steps before it; each step of LEFT_OUT starts from the
whole profile. The first row is the profile `paper`; the last row of ADDED and the second of LEFT_OUT are the
whole profile `default`. A step that does not fit the profile's settings is an error that names the setting.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from _corpus import annotated, table
from _harness import header, in_turns

COLUMNS = ("step", "exact F1", "approximate F1", "entity F1", "sensitivity", "specificity", "texts/s")
Changes = Mapping[str, Mapping[str, Any]]

START: Changes = {
    "strings": {"sources": ["label", "no-parentheses", "before-comma"], "distances": [0.0] * 5},
    "dates": {"on": False},
    "numbers": {"on": False},
    "lists": {"on": False},
    "boundaries": {"on": False, "articles": [], "possessive": False, "quotes": False, "appositions": False},
    "descriptions": {"on": False},
    "pronouns": {"words": []},
}

ADDED: Sequence[tuple[str, Changes]] = (
    ("labels, exactly", {}),
    ("+ approximate where nothing is exact", {"strings": {"distances": [0.0, 0.2, 0.25, 0.3, 0.4]}}),
    ("+ articles in the span", {"boundaries": {"on": True, "articles": ["the", "a", "an"]}}),
    ("+ possessive in the span", {"boundaries": {"possessive": True}}),
    ("+ quotes and appositions", {"boundaries": {"quotes": True, "appositions": True}}),
    ("+ all variants of the lexicon", {"strings": {"sources": ["all"]}}),
    ("+ dates", {"dates": {"on": True}}),
    ("+ numbers", {"numbers": {"on": True}}),
    ("+ lists", {"lists": {"on": True}}),
    ("+ descriptions", {"descriptions": {"on": True}}),
    (
        "+ pronouns (default)",
        {
            "pronouns": {
                "words": [
                    *("he", "him", "his", "she", "her", "hers"),
                    *("it", "its", "they", "them", "their", "theirs"),
                ]
            }
        },
    ),
)

LEFT_OUT: Sequence[tuple[str, Changes]] = (
    ("default", {}),
    ("- approximate matches", {"strings": {"distances": [0.0] * 5}}),
    ("- variants but label, parentheses, comma", {"strings": {"sources": START["strings"]["sources"]}}),
    ("- dates", {"dates": {"on": False}}),
    ("- numbers", {"numbers": {"on": False}}),
    ("- lists", {"lists": {"on": False}}),
    ("- all boundary rules", {"boundaries": {"on": False}}),
    ("- articles", {"boundaries": {"articles": []}}),
    ("- possessive", {"boundaries": {"possessive": False}}),
    ("- quotes", {"boundaries": {"quotes": False}}),
    ("- appositions", {"boundaries": {"appositions": False}}),
    ("- descriptions", {"descriptions": {"on": False}}),
    ("- pronouns", {"pronouns": {"words": []}}),
    ("- rules of coreference (root instead)", {"pronouns": {"resolver": "root"}}),
    ("pronouns and descriptions prove presence", {"anaphora": {"count": True}}),
)


@dataclass(frozen=True)
class Row:
    """Figures of one step."""

    step: str
    exact: float
    approximate: float
    entity: float
    sensitivity: float
    specificity: float
    texts_per_second: float | None = None


def profiles(direction: str) -> dict[str, Any]:
    """Label of each step -> profile."""
    from esascore.profiles import changed, load_profile

    found = {"paper": load_profile("paper")}
    current = load_profile("default")
    if direction == "added":
        current = changed(current, START)
    for label, changes in ADDED if direction == "added" else LEFT_OUT:
        if direction == "added":
            current = found[label] = changed(current, changes)
        else:
            found[label] = changed(current, changes)
    return found


def measure(texts: Sequence[Any], made: Sequence[Any], detect: Any, step: str) -> Row:
    from esascore.gold.counterfactual.sensitivity import judge, summarise_verdicts
    from esascore.gold.mentions.benchmark import score

    scores = score(texts, detect)
    verdicts = summarise_verdicts(judge(made, detect), resamples=0)
    f1 = [scores[level]["f1"] for level in ("exact", "approximate", "entity")]
    return Row(step, *f1, verdicts["sensitivity"], verdicts["specificity"])


def speeds(texts: Sequence[Any], pipelines: Mapping[str, Any], rounds: int) -> dict[str, float]:
    """Measure texts per second in one warm process; the steps take turns."""
    items = [(text.example.input, text.reference.text) for text in texts]
    runs = {label: partial(pipeline.detect, items) for label, pipeline in pipelines.items()}
    seconds = in_turns(runs, {}, rounds)
    return {label: len(items) / statistics.median(times) for label, times in seconds.items()}


def shown(row: Row) -> list[str]:
    """Return a row of the table; F1, sensitivity and specificity in percent."""
    shares = [row.exact, row.approximate, row.entity, row.sensitivity, row.specificity]
    speed = "-" if row.texts_per_second is None else f"{row.texts_per_second:,.0f}"
    return [row.step, *(f"{100 * share:.1f}" for share in shares), speed]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("direction", nargs="?", choices=["added", "left-out"], default="added")
    parser.add_argument("--gold", type=Path, help="annotated texts")
    parser.add_argument("--lexicon", action="append", default=[], help="additional lexicon, only for default")
    parser.add_argument("--seed", type=int, default=0, help="seed of the counterfactual texts")
    parser.add_argument(
        "--rounds", type=int, default=1, help="rounds of the speed measurement, three runs each"
    )
    parser.add_argument("--no-speed", action="store_true", help="do not measure speed")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = parser.parse_args()
    gold = options.gold or annotated("dev")

    from esascore.errors import EsascoreError
    from esascore.gold.counterfactual.make import make_counterfactuals
    from esascore.gold.mentions.benchmark import read_annotated
    from esascore.pipeline import build_pipeline

    try:
        texts = read_annotated(gold)
        made = make_counterfactuals(texts, seed=options.seed)
        pipelines = {
            label: build_pipeline(profile, lexicon=[] if label == "paper" else options.lexicon)
            for label, profile in profiles(options.direction).items()
        }
    except EsascoreError as error:
        sys.exit(f"ablation: {error}")
    header("What each part of the profile is worth")
    print(f"{gold.name}: {len(texts):,} annotated texts, {len(made):,} counterfactual ones\n")
    rows = []
    for label, pipeline in pipelines.items():
        rows.append(measure(texts, made, pipeline.detect, label))
        print(f"  {label}: exact F1 {100 * rows[-1].exact:.1f}", file=sys.stderr)
    if not options.no_speed:
        found = speeds(texts, pipelines, options.rounds)
        rows = [Row(**{**vars(row), "texts_per_second": found[row.step]}) for row in rows]
    print(table(COLUMNS, map(shown, rows)), end="")
    if options.json:
        options.json.write_text(json.dumps([vars(row) for row in rows], indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
