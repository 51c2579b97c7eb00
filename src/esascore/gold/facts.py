"""Marked texts of a corpus: the data on which fact models are trained and evaluated."""

from __future__ import annotations

from collections.abc import Sequence

from esascore.errors import DataError
from esascore.facts.bank import Marked
from esascore.facts.verdicts import Page
from esascore.gold.mentions.locate import located
from esascore.metrics.base import Detector
from esascore.model import Detection, Example, Input, Reference, Triple


def marked_texts(examples: Sequence[Example], detector: Detector) -> list[Marked]:
    """Mark the mentions of all references: those that people annotated, otherwise those that are detected.

    Raises
    ------
    DataError
        If no example has both triples and a reference.

    Examples
    --------
    >>> from esascore.model import Reference
    >>> from esascore.pipeline import build_pipeline
    >>> graph = Input.from_triples([("Bionico", "country", "Mexico")], "Food")
    >>> example = Example("Id1", graph, (Reference("Id1", "Bionico is from Mexico."),))
    >>> [text] = marked_texts([example], build_pipeline())
    >>> [piece.entity for piece in text.pieces if piece.entity], text.category
    (['Bionico', 'Mexico'], 'Food')
    """
    pairs = _pairs(examples)
    bare = [(graph, reference.text) for graph, reference in pairs if not reference.mentions]
    detected = iter(detector.detect(bare))
    found = []
    for graph, reference in pairs:
        if reference.mentions:
            mentions = [(mention.entity, *span) for mention, span in located(reference)]
        else:
            mentions = _mentions(next(detected))
        found.append(Marked.of(reference.text, mentions, graph.triples, graph.category or "", graph.shape))
    return found


def reference_pages(examples: Sequence[Example], detector: Detector) -> list[Page]:
    """Lay out the references of a corpus with the entities that are detected in them.

    Raises
    ------
    DataError
        If no example has both triples and a reference.
    """
    pairs = _pairs(examples)
    found = detector.detect([(graph, reference.text) for graph, reference in pairs])
    return [Page.of(graph, own) for (graph, _), own in zip(pairs, found, strict=True)]


def detected_mentions(
    items: Sequence[tuple[Sequence[Triple], str]], detector: Detector
) -> list[list[tuple[str, int, int]]]:
    """Return the mentions of each text that a pipeline detects."""
    found = detector.detect([(Input.from_triples(facts), text) for facts, text in items])
    return [_mentions(one) for one in found]


def _mentions(found: Detection) -> list[tuple[str, int, int]]:
    """Return the mentions of detected entities: a pronoun alone may stand for something else."""
    return [(m.entity, m.start, m.end) for m in found.mentions if m.entity not in found.undetected]


def _pairs(examples: Sequence[Example]) -> list[tuple[Input, Reference]]:
    found = [
        (example.input, reference)
        for example in examples
        if example.input.triples
        for reference in example.references
    ]
    if not found:
        raise DataError("no input has both triples and a reference text: there is nothing to learn from")
    return found
