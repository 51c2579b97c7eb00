"""Hallucinations: mentions in a text that nothing in its input explains, each with its class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from esascore.explain.classes import classify
from esascore.explain.explainer import Explainer
from esascore.explain.spans import EVIDENCE, Unexplained
from esascore.explain.unexplained import find_unexplained
from esascore.model import Detection, Example, Mention
from esascore.text.blank import is_blank
from esascore.text.document import Document
from esascore.text.phrases import Phrases
from esascore.text.words import name_words

TYPES = ("name", "date", "number")


@dataclass(frozen=True, slots=True)
class Hallucination:
    """A mention that nothing in the input explains.

    Attributes
    ----------
    start, end, text
        Where it is in the text.
    type
        A name of `TYPES`.
    kind
        Its class, a name of `CLASSES`.
    entity
        What an entity linker took it for, or what it is called in the list of known names.
    nearest
        The entity of the input that is most like it; for a replacement among those that the text lacks.
    confidence
        How strong the evidence is, between 0 and 1: an order, no probability.
    """

    start: int
    end: int
    text: str
    type: str
    kind: str
    entity: str | None
    nearest: str | None
    confidence: float

    def as_dict(self) -> dict[str, Any]:
        """The object for JSON output."""
        return {"class" if name == "kind" else name: value for name, value in asdict(self).items()}


def hallucinations(
    document: Document, example: Example, detection: Detection, names: Phrases, explainer: Explainer
) -> tuple[Hallucination, ...]:
    """Find the hallucinations of a text, in text order.

    Parameters
    ----------
    document, example
        The text, and the example whose input it should verbalise.
    detection
        Which entities of the input were detected in the text.
    names
        Names of other entities, which may consist of common words.
    explainer
        Knows what the input explains.
    """
    if is_blank(detection.text):
        return ()
    explained = explainer.explain(example.input, example.original)
    found: list[Hallucination] = []
    for span in find_unexplained(document, explained, names, detection.mentions, detection.links):
        if not _is_user_form(span, detection.text, detection.mentions, names):
            kind, nearest = classify(span, example.input.entities, detection, explainer)
            text, sure = detection.text[span.start : span.end], EVIDENCE[span.evidence]
            found.append(
                Hallucination(span.start, span.end, text, span.type, kind, span.entity, nearest, sure)
            )
    return tuple(found)


def _is_user_form(span: Unexplained, text: str, mentions: Sequence[Mention], names: Phrases) -> bool:
    """Tell whether a lexicon of the user gives the span as a form of an entity.

    A form that names another thing explains nothing: people have marked "Broadcasting House in London" as a
    mention of the house, and a text that says so adds London all the same.
    """
    if span.type != "name" or span.entity is not None:
        return False
    words = name_words(text[span.start : span.end])
    return any(
        mention.variant is not None
        and mention.start <= span.start
        and span.end <= mention.end
        and set(words) <= set(name_words(mention.variant))
        and words not in names
        for mention in mentions
    )
