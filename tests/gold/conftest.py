from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from esascore.gold.mentions.benchmark import AnnotatedText, annotated_texts
from esascore.model import Detection, Example, GoldMention, Graph, Mention, Reference


def reference(text: str, *gold: tuple[str, ...], number: int = 1) -> Reference:
    """A text with (entity, string[, type]) annotations."""
    mentions = tuple(GoldMention(one[0], one[1], one[2] if len(one) > 2 else "name") for one in gold)
    return Reference(f"Id{number}", text, mentions=mentions)


def example(id_: str, triples: Sequence[tuple[str, str, str]], *references: Reference, category="Food"):
    return Example(id_, Graph.from_triples(triples, category), references=references, size=len(triples))


def texts(*examples: Example) -> list[AnnotatedText]:
    return annotated_texts(examples)


def detector(
    found: dict[str, list[tuple[str, int, int]]], undetected: dict[str, list[str]] | None = None
) -> Callable[[Sequence], list[Detection]]:
    """A detector that finds what it is told for each text: (entity, start, end[, method])."""

    def detect(items):
        detections = []
        for input_, text in items:
            mentions = tuple(
                Mention(entity, start, end, text[start:end], *(more or ["string"]))
                for entity, start, end, *more in found.get(text, [])
            )
            terms = tuple(entity.term for entity in input_.entities)
            missing = (undetected or {}).get(text)
            if missing is None:
                missing = [term for term in terms if term not in {m.entity for m in mentions}]
            detections.append(Detection(text, terms, mentions, tuple(missing)))
        return detections

    return detect


def finds_labels(items):
    """A detector that finds labels as they stand."""
    found = {}
    for input_, text in items:
        found[text] = []
        for entity in input_.entities:
            label = entity.term.strip('"').replace("_", " ")
            start = text.lower().find(label.lower())
            if start >= 0:
                found[text].append((entity.term, start, start + len(label)))
        found[text].sort(key=lambda mention: mention[1])
    return detector(found)(items)


@pytest.fixture(scope="session")
def make() -> SimpleNamespace:
    """The functions above."""
    return SimpleNamespace(
        reference=reference, example=example, texts=texts, detector=detector, finds_labels=finds_labels
    )


@pytest.fixture(scope="session")
def dev(corpora) -> Path:
    """The annotated development data, where it is."""
    return corpora / "enriched-webnlg-1.6" / "en" / "dev"
