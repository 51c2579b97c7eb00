"""What is wrong with texts: the entities that they leave out and the spans that they add."""

from __future__ import annotations

from collections.abc import Sequence

from esascore.engine import SystemScores
from esascore.explain.hallucinations import Hallucination
from esascore.model import Detection

Faults = tuple[int, Detection, Sequence[Hallucination]]
"""The position of a text in the corpus, what was detected in it, and what it adds."""


def faults_of(system: SystemScores) -> list[Faults]:
    """Return every text of a system whose detections were kept; without the metric, nothing is added."""
    detections = system.detections or ()
    added = system.details.get("hallucination") or [()] * len(detections)
    return [(place, *pair) for place, pair in enumerate(zip(detections, added, strict=True))]


def worst(system: SystemScores, number: int) -> list[Faults]:
    """Return the texts with the most faults, the worst first.

    Of equals the one with the lower ESA comes first. Texts without any fault are left out.
    """
    wrong = [one for one in faults_of(system) if one[1].undetected or one[2]]
    wrong.sort(key=lambda one: (-len(one[1].undetected) - len(one[2]), one[1].esa or 0.0, one[0]))
    return wrong[:number]
