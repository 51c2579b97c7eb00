"""How well checks work in eight languages: faithful texts should pass, texts with one mistake should not.

``python benchmarks/languages.py`` prints the table of ``docs/languages.md``, with ``--wrong`` the texts that
are judged wrongly.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from esascore.metrics.hallucination import Hallucinations
from esascore.model import Example
from esascore.pipeline import build_pipeline
from esascore.readers.fields import make_example
from esascore.readers.located import Place

CORPUS = Path(__file__).parents[1] / "tests" / "languages" / "corpus.jsonl"


class Row(NamedTuple):
    """One text, whether it has a mistake, and how it was judged."""

    id: str
    language: str
    wrong: bool
    text: str
    detected: str
    flags: tuple[str, ...]
    undetected: tuple[str, ...]
    esa: float


def texts() -> Iterator[tuple[Example, str, bool, str]]:
    """Yield each example with the language and the text, and whether that has a mistake."""
    for number, line in enumerate(CORPUS.read_text("utf-8").splitlines(), 1):
        fields = json.loads(line)
        written = fields.pop("texts")
        example = make_example(fields, number, Place(CORPUS, number))
        for language, own in written.items():
            yield example, language, False, own["text"]
            yield example, language, True, own["text"].replace(*own["wrong"])


def rows() -> list[Row]:
    """Judge all texts."""
    pipeline = build_pipeline()
    judge = Hallucinations(pipeline)
    made = []
    for example, language, wrong, text in texts():
        found = pipeline.detect([(example.input, text)])
        [flags] = judge.find([example], [text])
        made.append(
            Row(
                example.id, language, wrong, text,
                pipeline.languages.of(text).code,
                tuple(f"{flag.text} ({flag.type}, {flag.evidence})" for flag in flags),
                found[0].undetected,
                found[0].esa or 0.0,
            )
        )  # fmt: skip
    return made


def figures(some: list[Row]) -> dict[str, dict[str, float]]:
    """Return the figures of each language."""
    found: dict[str, dict[str, float]] = {}
    by_language = defaultdict(list)
    for row in some:
        by_language[row.language].append(row)
    for language, own in by_language.items():
        right = [row for row in own if not row.wrong]
        wrong = [row for row in own if row.wrong]
        passed = sum(not row.flags for row in right) / len(right)
        stopped = sum(bool(row.flags) for row in wrong) / len(wrong)
        found[language] = {
            "detected": sum(row.detected == language for row in own) / len(own),
            "passed": passed,
            "stopped": stopped,
            "balanced": (passed + stopped) / 2,
            "esa": sum(row.esa for row in right) / len(right),
        }
    return found


def main() -> None:
    """Print the table, or the texts that are judged wrongly."""
    some = rows()
    if "--wrong" in sys.argv:
        for row in some:
            if row.wrong != bool(row.flags) or (not row.wrong and row.undetected):
                print(row.language, row.id, "WRONG" if row.wrong else "right", "|", row.text)
                print("    flags:", "; ".join(row.flags), "| undetected:", ", ".join(row.undetected))
    head = [
        "Language",
        "language detected",
        "faithful passed",
        "mistake stopped",
        "balanced accuracy",
        "ESA of the faithful",
    ]
    print("| " + " | ".join(head) + " |")
    print("| --- |" + " ---: |" * 5)
    for language, own in figures(some).items():
        print(f"| {language} | " + " | ".join(f"{value:.2f}" for value in own.values()) + " |")


if __name__ == "__main__":
    main()
