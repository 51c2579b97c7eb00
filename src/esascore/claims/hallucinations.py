"""Hallucinations: mentions in a text that nothing in its input explains, each with its class."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from esascore.claims.cells import Cell, record_of
from esascore.claims.classes import Classifier
from esascore.claims.confidence import confidence_of
from esascore.claims.explainer import Explainer
from esascore.claims.finding import Finding
from esascore.claims.judge import Judgement, judge
from esascore.claims.knowledge import Knowledge
from esascore.claims.phrases import Said
from esascore.claims.unexplained import find_unexplained, mention_around
from esascore.data import EVERY
from esascore.label import label
from esascore.model import Detection, Example, Input, Triple
from esascore.text.blank import is_blank
from esascore.text.clauses import clauses
from esascore.text.document import Document
from esascore.text.phrases import Phrases
from esascore.text.words import name_words

_NEGATION_REACH = 3
_LEAST_ITEMS = 3


@dataclass(frozen=True, slots=True)
class Hallucination:
    """A mention that nothing in the input explains.

    Attributes
    ----------
    start, end, text
        Where it is in the text.
    type
        A name of `esascore.claims.evidence.TYPES`.
    kind
        Its class, a name of `esascore.claims.classes.CLASSES`.
    entity
        The entity according to an entity linker or the list of known names.
    nearest
        The most similar entity of the input; for a replacement, of those that the text lacks.
    confidence
        The share of flags of its kind that were right on the development sets (`esascore.claims.confidence`).
    expected
        The value that the input has instead, where that is known.
    reason
        Why it is flagged, in words.
    fact
        The fact of the input that the text contradicts here, if that is why.
    evidence
        Which rule found it, a name of `esascore.claims.evidence.EVIDENCE`.
    attribute
        The path of the attribute that says otherwise, where that is known.
    """

    start: int
    end: int
    text: str
    type: str
    kind: str
    entity: str | None
    nearest: str | None
    confidence: float
    expected: str | None = None
    reason: str = ""
    fact: Triple | None = None
    evidence: str = ""
    attribute: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The object for JSON output; ``fact`` is present only if there is one."""
        listed = {_NAMES_IN_JSON.get(name, name): getattr(self, name) for name in _LISTED}
        return listed if self.fact is None else {**listed, "fact": self.fact.as_list()}


_LISTED = (
    "start", "end", "text", "type", "kind", "entity", "nearest", "attribute", "expected", "reason",
    "confidence",
)  # fmt: skip
_NAMES_IN_JSON = {"kind": "class"}


def hallucinations(
    document: Document,
    example: Example,
    detection: Detection,
    knowledge: Knowledge,
    explainer: Explainer,
) -> tuple[Hallucination, ...]:
    """Find the hallucinations of a text, in text order.

    Parameters
    ----------
    document, example
        The text, and the example whose input it should verbalise.
    detection
        Which entities of the input were detected in the text.
    knowledge
        What was learned about inputs of this kind.
    explainer
        Knows what the input explains, and which rules, types and classes are switched off.
    """
    if is_blank(detection.text):
        return ()
    claims, reading = judge(document), document.reading
    if reading is None:
        return tuple(_found(document, example, detection, knowledge, explainer, claims))
    moved = detection.moved(reading.text, reading.from_source)
    spans = []
    for one in _found(document.as_read, example, moved, knowledge, explainer, claims):
        start, end = reading.to_source(one.start, one.end)
        spans.append(replace(one, start=start, end=end, text=detection.text[start:end]))
    return tuple(spans)


def _found(
    document: Document,
    example: Example,
    detection: Detection,
    knowledge: Knowledge,
    explainer: Explainer,
    claims: Judgement,
) -> Iterator[Hallucination]:
    """Yield the hallucinations of a text without marks, given its wrong claims."""
    explained = explainer.explain(document.input, example.original)
    said = Said(explainer.lexicon.phrasings(example.input), knowledge.closed, detection.undetected)
    classifier = Classifier(example.input, detection, explainer)
    for span in find_unexplained(
        document, explained, knowledge, detection.mentions, detection.links, claims, said
    ):
        is_new = span.type == "name" and span.verdict == "baseless"
        if is_new and (
            _is_form(span, detection, knowledge.names)
            or _is_of_another_kind(span, document, knowledge.words)
            or _is_denied(span, document)
        ):
            continue
        kind, nearest = classifier.classify(span)
        sure = confidence_of(span.evidence, span.type)
        if sure < explainer.min_confidence or not explainer.off.isdisjoint((span.evidence, span.type, kind)):
            continue
        text = detection.text[span.start : span.end]
        cell = _cell(span, example.input, nearest if kind == "inaccurate" else None)
        yield Hallucination(
            *(span.start, span.end, text, span.type, kind, span.entity, nearest, sure),
            expected=span.expected if span.cell is not None or cell is None else cell.value,
            reason=span.reason or _reason(text, cell),
            evidence=span.evidence,
            attribute=None if cell is None else cell.path,
        )


def _cell(span: Finding, input_: Input, nearest: str | None) -> Cell | None:
    """Return the cell that says otherwise: that of the judgement, or the name that is most like it."""
    cells = record_of(input_).cells
    if span.cell is not None:
        return cells[span.cell]
    meant = None if nearest is None else label(nearest)
    return next((cell for cell in cells if cell.value == meant), None) if meant else None


def _reason(text: str, cell: Cell | None) -> str:
    """Say in words why a name is a hallucination; ``cell`` has the name that is most like it."""
    told = f"the input has no {text}"
    return told if cell is None else f"{told}; it says {cell.statement}"


def _is_form(span: Finding, detection: Detection, names: Phrases) -> bool:
    """Return whether a form of an entity has the words of the span: one of a user's lexicon, or of a value.

    A form that names another thing explains nothing: annotators have marked "Broadcasting House in London" as
    a mention of the house, but a text that says so still adds London.
    """
    words = name_words(detection.text[span.start : span.end])
    if span.entity is not None or words in names:
        return False
    whole = mention_around(detection.mentions, span.start, span.end)
    return whole is not None and whole.variant is not None and set(words) <= set(name_words(whole.variant))


def _is_of_another_kind(span: Finding, document: Document, known: frozenset[str]) -> bool:
    """Return whether a name is of another kind than those of a corpus: a list of players has no arenas.

    Only what a corpus taught can show this: without it every name is judged.
    """
    items = sum(subject.kind.endswith(EVERY) for subject in document.input.subjects) if known else 0
    return items >= _LEAST_ITEMS and known.isdisjoint(name_words(document.text[span.start : span.end]))


def _is_denied(span: Finding, document: Document) -> bool:
    """Return whether a text says that the input lacks a name, which is no mistake: "it has no GPS"."""
    if not document.language.english:
        return False
    read = clauses(document)
    place = bisect_left(read.words, span.start, key=document.words.starts.__getitem__)
    return place < len(read.words) and read.negated(place, _NEGATION_REACH)
