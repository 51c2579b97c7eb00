"""Faithfulness: one score for what a text leaves out and what it adds.

A text is faithful when it mentions every entity (*coverage*), when the input explains what it says
(*support*), and when it puts the relations into words (*wording*); with references also when it says what
they say (*agreement*), and with a model that verifies facts when it states those of the input (*facts*). The
parts are multiplied: a fault in one cannot be compensated by another.

    faithfulness      = coverage x support x (3 + wording) / 4
    faithfulness-ref  = coverage x support x (3 + wording) / 4 x (1 + agreement) / 2
    with facts        = either of them x (1 + facts) / 2

The constants are all that was chosen, with their reasons in ``docs/statistics.md``; that of facts is a
setting of the profile (``docs/facts.md``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import nan
from typing import ClassVar

import numpy as np

from esascore.claims.wordlists import WORDLISTS
from esascore.metrics.base import Batch, Column, Need, Signature, Statistics
from esascore.metrics.bases import DetectorMetric, MeanMetric
from esascore.metrics.support import Stretch, content_words, stretches, unsupported_words, unworded_triples
from esascore.model import Detection, Example, Input, Reference, Triple
from esascore.text.blank import is_blank
from esascore.text.document import Document, read
from esascore.text.stem import stem
from esascore.wordlists import lexicon_digest

VERSION = "v2"
_WORDING_FLOOR = 3 / 4
_AGREEMENT_FLOOR = 1 / 2


@dataclass(frozen=True, slots=True)
class Explanation:
    """The faithfulness of one text, and the reasons for lost points.

    Attributes
    ----------
    score
        The product; None if the input has no entity, or references are needed and missing.
    coverage
        Share of the input's entities that were detected (ESA_I); None if it has none.
    support
        Share of the text's content words that are explained.
    wording
        Share of the input's triples whose property has a word in the text; 1 for tables.
    facts
        Mean probability that the text states a fact of the input; None without a model, or if the model was
        trained for no such facts.
    agreement
        Share of a reference's content words that the text has, for the best reference; None without one.
    missing
        Entities that were not detected.
    unsupported
        Where the text says what nothing explains.
    unworded
        Triples without a word for their property.
    unsaid
        Content words of the best reference that the text lacks.
    """

    score: float | None
    coverage: float | None
    support: float
    wording: float
    agreement: float | None
    missing: tuple[str, ...] = ()
    unsupported: tuple[Stretch, ...] = ()
    unworded: tuple[Triple, ...] = ()
    unsaid: tuple[str, ...] = ()
    facts: float | None = None


class Faithfulness(DetectorMetric, MeanMetric):
    """Faithfulness of texts to their input; no reference is needed.

    Parameters
    ----------
    profile, lexicon, linker, coref, backend
        How entities are detected, as for `esascore.ESA`.

    Examples
    --------
    >>> from esascore.model import Input
    >>> graph = Input.from_triples([("Bionico", "country", "Mexico"), ("Bionico", "course", "Dessert")])
    >>> found = Faithfulness().explain(graph, "Bionico is a cheap dessert.")
    >>> round(found.coverage, 2), round(found.support, 2), found.wording
    (0.67, 0.67, 0.5)
    >>> found.missing, [span.text for span in found.unsupported], round(found.score, 3)
    (('Mexico',), ['cheap'], 0.389)
    """

    name: ClassVar[str] = "faithfulness"
    needs: ClassVar[Need] = "detections"
    columns: ClassVar[tuple[Column, ...]] = (
        Column(
            "faithfulness", "Faithfulness", meaning="what a text leaves out and what it adds, in one figure"
        ),
        Column(
            "faithfulness_support", "Support", meaning="share of a text's content that the input supports"
        ),
        Column(
            "faithfulness_wording",
            "Wording",
            meaning="share of the relations of the input that a text puts into words",
        ),
    )
    parts: ClassVar[tuple[str, ...]] = ("coverage", "support", "wording")
    measures: ClassVar[tuple[str, ...]] = ("", *parts)

    def explain(self, input: Input, text: str, references: Sequence[str] = ()) -> Explanation:  # noqa: A002
        """Score one text, and give the reasons for lost points."""
        listed = tuple(Reference(f"Id{n}", reference) for n, reference in enumerate(references, 1))
        document = Document(input, text)
        found = self._detector.detect([document])
        [explained] = self.explain_all([Example("Id1", input, listed)], found, [document])
        return explained

    def explain_all(
        self, examples: Sequence[Example], found: Sequence[Detection], documents: Sequence[Document]
    ) -> list[Explanation]:
        """Score texts whose entities were detected already."""
        explained = [self._explained(*text) for text in zip(examples, found, documents, strict=True)]
        verifier = self._detector.verifier
        if verifier is None:
            return explained
        from esascore.facts.verdicts import verdicts

        pairs = [(example.input, own) for example, own in zip(examples, found, strict=True)]
        return [
            _with_facts(one, [v.probability for v in some if v.known], self._detector.facts_weight)
            for one, some in zip(
                explained, verdicts(pairs, verifier, contradictions=False, guesses=False), strict=True
            )
        ]

    def _explained(self, example: Example, found: Detection, document: Document) -> Explanation:
        references = tuple(_content(reference.text) for reference in example.references)
        if is_blank(found.text):
            agreement = 0.0 if references else None
            return Explanation(
                self._score(found.esa, 0.0, 0.0, agreement),
                *(found.esa, 0.0, 0.0, agreement),
                missing=found.undetected,
                unworded=example.input.triples,
            )
        reading = None if document.language.english else document.reading
        said = _said(references) if self.with_references else frozenset()
        document, content, unsupported = self._words(example, found, document, said)
        support = _share_left(content, unsupported)
        unworded = unworded_triples(document, example.input)
        triples = example.input.triples
        wording = 1 - len(unworded) / len(triples) if triples else 1.0
        stems = Counter(stem(document.words.texts[number]) for number in content)
        agreement, unsaid = _agreement(stems, references)
        return Explanation(
            self._score(found.esa, support, wording, agreement),
            *(found.esa, support, wording, agreement),
            missing=found.undetected,
            unsupported=tuple(
                one if reading is None else Stretch(*reading.to_source(one.start, one.end), one.text)
                for one in stretches(document, unsupported)
            ),
            unworded=unworded,
            unsaid=unsaid,
        )

    def support(self, example: Example, found: Detection, document: Document) -> float:
        """Return the share of the content words of a text that its input explains."""
        return 0.0 if is_blank(found.text) else _share_left(*self._words(example, found, document)[1:])

    def _words(
        self, example: Example, found: Detection, document: Document, said: frozenset[str] = frozenset()
    ) -> tuple[Document, list[int], list[int]]:
        """Return a text as it is read, and the numbers of its content words and of the unsupported ones."""
        reading = None if document.language.english else document.reading
        if reading is not None:
            found, document = found.moved(reading.text, reading.from_source), document.as_read
        explained = self._detector.explainer.explain(document.input, example.original)
        content = content_words(document)
        return document, content, unsupported_words(document, content, found.mentions, explained, said)

    def _score(
        self, coverage: float | None, support: float, wording: float, agreement: float | None
    ) -> float | None:
        if coverage is None or (self.with_references and agreement is None):
            return None
        score = coverage * support * (_WORDING_FLOOR + (1 - _WORDING_FLOOR) * wording)
        if self.with_references and agreement is not None:
            score *= _AGREEMENT_FLOOR + (1 - _AGREEMENT_FLOOR) * agreement
        return score

    def signature(self) -> Signature:
        """Return the settings of detection, and the version of formula and word lists."""
        policies = {"blank": "zero", "undefined": "excluded", self.name: VERSION}
        if self._detector.verifier is not None:
            from esascore.facts.verdicts import VERSION as VERDICTS

            policies |= {"facts": VERDICTS, "model": self._detector.verifier.version()}
        return self._signature(**policies, words=lexicon_digest(WORDLISTS))

    def statistics(self, batch: Batch) -> Statistics:
        """Return per text the score and its parts; NaN if it has no score."""
        rows = np.empty((len(batch), 1 + len(self.parts)))
        found = self.explain_all(batch.examples, batch.detections, batch.documents)
        for row, explained in zip(rows, found, strict=True):
            if explained.score is None:
                row[:] = nan
            else:
                row[:] = [explained.score, *(getattr(explained, part) for part in self.parts)]
        return rows


class FaithfulnessRef(Faithfulness):
    """Faithfulness with references: words that are in a reference are supported, and agreement counts.

    A text without any reference has no score.

    Examples
    --------
    >>> from esascore.model import Input
    >>> graph = Input.from_triples([("Bionico", "country", "Mexico")])
    >>> found = FaithfulnessRef().explain(graph, "Bionico is Mexican.", ["Bionico is a Mexican dish."])
    >>> round(found.agreement, 2), found.unsaid
    (0.67, ('dish',))
    """

    name: ClassVar[str] = "faithfulness-ref"
    with_references: ClassVar[bool] = True
    columns: ClassVar[tuple[Column, ...]] = (
        Column(
            "faithfulness-ref",
            "Faithfulness-ref",
            meaning="Faithfulness that also asks how far a text says what a reference says",
        ),
        Column(
            "faithfulness-ref_support",
            "Support-ref",
            meaning="share of a text's content that the input or a reference supports",
        ),
        Column(
            "faithfulness-ref_agreement", "Agreement", meaning="how far a text says what a reference says"
        ),
    )
    parts: ClassVar[tuple[str, ...]] = ("coverage", "support", "wording", "agreement")
    measures: ClassVar[tuple[str, ...]] = ("", *parts)


def _share_left(some: Sequence[int], without: Sequence[int]) -> float:
    return 1 - len(without) / len(some) if some else 1.0


def _with_facts(explained: Explanation, shares: Sequence[float], weight: float) -> Explanation:
    """Apply the mean probability that the facts are stated; without such facts, nothing changes."""
    if explained.score is None or not shares:
        return explained
    facts = sum(shares) / len(shares)
    score = explained.score * (1 - weight + weight * facts)
    return replace(explained, score=score, facts=facts)


@lru_cache(maxsize=1 << 14)  # references are asked for once per system
def _content(text: str) -> tuple[str, ...]:
    document = read(text)
    return tuple(document.words.texts[number] for number in content_words(document))


@lru_cache(maxsize=1 << 12)
def _said(references: tuple[tuple[str, ...], ...]) -> frozenset[str]:
    return frozenset(stem(word) for reference in references for word in reference)


def _agreement(
    stems: Counter[str], references: Sequence[Sequence[str]]
) -> tuple[float | None, tuple[str, ...]]:
    """Recall of the content words of the best reference (the first of equals), and what it has more."""
    best: tuple[float, tuple[str, ...]] | None = None
    for reference in references:
        left = Counter(stems)
        unsaid = []
        for word in reference:
            if left[stem(word)] > 0:
                left[stem(word)] -= 1
            else:
                unsaid.append(word)
        recall = 1 - len(unsaid) / len(reference) if reference else 1.0
        if best is None or recall > best[0]:
            best = recall, tuple(unsaid)
    return (None, ()) if best is None else best
