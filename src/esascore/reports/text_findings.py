"""What is wrong with texts: the entities that they leave out and the spans that they add."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from esascore.fact_results import FactVerdict
from esascore.model import Detection
from esascore.run.scored import SystemScores

if TYPE_CHECKING:
    from esascore.claims.hallucinations import Hallucination


class TextFindings(NamedTuple):
    """The position of a text in the corpus, what was detected in it, what it adds, and verdicts on facts."""

    place: int
    detection: Detection
    added: Sequence[Hallucination]
    facts: Sequence[FactVerdict]


def findings_of(system: SystemScores) -> list[TextFindings]:
    """Return every text of a system whose detections were kept; without the metrics, nothing is found."""
    detections = system.detections or ()
    added, facts = (system.details.get(name) or [()] * len(detections) for name in ("hallucination", "facts"))
    return [
        TextFindings(place, *text) for place, text in enumerate(zip(detections, added, facts, strict=True))
    ]


def worst_texts(system: SystemScores, number: int) -> list[TextFindings]:
    """Return the texts with the most mistakes, the worst first.

    Of equals the one with the lower ESA comes first. Texts without any mistake are left out.
    """
    wrong = [one for one in findings_of(system) if one.detection.undetected or one.added]
    return sorted(wrong, key=badness)[:number]


def badness(one: TextFindings) -> tuple[int, float, int]:
    """Return the key that sorts the worst texts first; texts of equal badness stay in corpus order."""
    return -len(one.detection.undetected) - len(one.added), one.detection.esa or 0.0, one.place
