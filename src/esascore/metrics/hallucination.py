"""Hallucinations: names, dates and numbers that a text mentions and nothing in its input explains.

The share of texts with at least one is the figure of a system; names, dates and numbers have figures of their
own, and so has each class of Figure 4 of the ESA paper (`esascore.claims.classes`). With a model that
verifies facts, those that a text contradicts count as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from esascore.claims.classes import CLASSES, CONTRADICTED
from esascore.claims.evidence import TYPES
from esascore.errors import DataError
from esascore.metrics.base import (
    Batch,
    Column,
    Detector,
    Need,
    Signature,
    Statistics,
    checked_text,
    plain,
    ratio,
)
from esascore.metrics.bases import DetectorMetric, TalliedMetric
from esascore.metrics.totals import Tally
from esascore.model import Detection, Example
from esascore.text.document import Document
from esascore.wordlists import lexicon_digest

if TYPE_CHECKING:
    from esascore.claims.hallucinations import Hallucination

VERSION = "6"
"""Changes with every change of the rules that can change a number."""


class Hallucinations(DetectorMetric, TalliedMetric):
    """The share of texts that mention what their input does not contain.

    Parameters
    ----------
    detector
        The pipeline that detects entities; what the text lacks distinguishes replacements from additions.

    Notes
    -----
    Common words count as names where a corpus taught that inputs of this shape have an entity of that name
    (`esascore.learned`). The statistics of a text are the numbers of its hallucinations, by type and by
    class.

    Examples
    --------
    >>> from esascore.model import Graph
    >>> from esascore.pipeline import build_pipeline
    >>> example = Example("Id1", Graph.from_triples([("Bionico", "country", "Mexico")]))
    >>> [[found]] = Hallucinations(build_pipeline()).find([example], ["Bionico is a dish from Peru."])
    >>> found.text, found.type, found.kind, found.nearest
    ('Peru', 'name', 'replacement', 'Mexico')
    """

    name: ClassVar[str] = "hallucination"
    needs: ClassVar[Need] = "coverage"  # and the mentions of the few texts where something may be wrong
    learns: ClassVar[bool] = True
    columns: ClassVar[tuple[Column, ...]] = (
        Column(
            "hallucination",
            "Halluc.",
            better="lower",
            meaning="share of texts with a name, date, number or value that the input does not explain",
        ),
        Column("hallucination_name", "Names", better="lower", meaning="share of texts with such a name"),
        Column("hallucination_date", "Dates", better="lower", meaning="share of texts with such a date"),
        Column(
            "hallucination_number", "Numbers", better="lower", meaning="share of texts with such a number"
        ),
    )

    def __init__(self, detector: Detector):
        super().__init__(detector=detector)

    def find(
        self,
        examples: Sequence[Example],
        texts: Sequence[str],
        detections: Sequence[Detection] | None = None,
        documents: Sequence[Document] | None = None,
    ) -> list[tuple[Hallucination, ...]]:
        """Find the hallucinations of each text, in text order.

        Parameters
        ----------
        examples, texts
            The corpus and one text for each example.
        detections, documents
            What was detected in the texts, and the texts as they have been read, if that is known already.
        """
        if len(examples) != len(texts):
            raise DataError(f"{len(examples)} inputs, but {len(texts)} texts: each input needs one text")
        items = [(example.input, checked_text(text)) for example, text in zip(examples, texts, strict=True)]
        if documents is None:
            documents = [Document(*item) for item in items]
        if detections is None:
            detections = self._detector.detect(documents, whole=False)
        if len(detections) != len(texts):
            raise DataError(f"{len(texts)} texts, but {len(detections)} detections: each text needs one")
        from esascore.claims.hallucinations import hallucinations  # figures of ESA alone need no claims

        explainer, learned = self._detector.explainer, self._detector.learned
        added = [
            hallucinations(document, example, detection, learned.about(example.input), explainer)
            for document, example, detection in zip(documents, examples, detections, strict=True)
        ]
        verifier = self._detector.verifier
        if verifier is None or CONTRADICTED in explainer.off:
            return added
        from esascore.facts.verdicts import contradictions, verdicts

        pairs = [(example.input, own) for example, own in zip(examples, detections, strict=True)]
        judged = verdicts(pairs, verifier, guesses=False)
        return [
            _in_text_order(
                own,
                [
                    flag
                    for flag in contradictions(detection, example.input.entities, some, explainer.languages)
                    if flag.type not in explainer.off and flag.confidence >= explainer.min_confidence
                ],
            )
            for own, example, detection, some in zip(added, examples, detections, judged, strict=True)
        ]

    def signature(self) -> Signature:
        """The settings of detection, the version of the rules, and the words that they know."""
        from esascore.claims.wordlists import WORDLISTS

        more = {"rules": f"v{VERSION}", "words": lexicon_digest(WORDLISTS)}
        if (least := self._detector.explainer.min_confidence) > 0:
            more["min-confidence"] = f"{least:g}"
        if self._detector.verifier is not None:
            from esascore.facts.verdicts import VERSION as VERDICTS

            more |= {"facts": VERDICTS, "model": self._detector.verifier.version()}
        return self._signature(**more)

    def statistics(self, batch: Batch) -> Statistics:
        """Per text the number of names, dates and numbers, then of each class."""
        found = self.find(batch.examples, batch.texts, batch.detections, batch.documents)
        if batch.details is not None:
            batch.details[self.name] = found
        return count(found)

    def summands(self, statistics: NDArray[Any]) -> NDArray[Any]:
        """One for each text, whether it has any hallucination, and any of each type and class."""
        kinds = statistics > 0
        return np.column_stack((np.ones(len(kinds), int), kinds[:, : len(TYPES)].any(axis=1), kinds))

    def figures(self, sums: NDArray[Any]) -> dict[str, NDArray[np.float64]]:
        """The shares of texts that tables show."""
        shares = self._shares(sums)
        return {column.field: shares[column.field] for column in self.columns}

    def fields(self, total: Tally) -> dict[str, Any]:
        """The share of texts with any, with each type and each class, and the number of texts and spans."""
        sums = self.sums(total)
        spans = sum(sum(row[: len(TYPES)]) * number for row, number in total.counts)
        return {**plain(self._shares(sums)), "hallucinated_texts": int(sums[1]), "hallucinations": spans}

    def segment_scores(self, statistics: Statistics) -> list[float | None]:
        """The number of hallucinations in each text."""
        return [float(sum(row[: len(TYPES)])) for row in statistics.tolist()]

    def _shares(self, sums: NDArray[Any]) -> dict[str, NDArray[np.float64]]:
        fields = (self.name, *(f"{self.name}_{kind}" for kind in (*TYPES, *CLASSES)))
        return {field: ratio(sums[..., at], sums[..., 0]) for at, field in enumerate(fields, 1)}


def count(found: Sequence[Sequence[Hallucination]]) -> NDArray[np.int64]:
    """Count the hallucinations of each text by type and by class, (n, 9)."""
    counts = np.zeros((len(found), len(TYPES) + len(CLASSES)), np.int64)
    for row, some in enumerate(found):
        for one in some:
            counts[row, TYPES.index(one.type)] += 1
            counts[row, len(TYPES) + CLASSES.index(one.kind)] += 1
    return counts


def _in_text_order(
    added: Sequence[Hallucination], contradicted: Sequence[Hallucination]
) -> tuple[Hallucination, ...]:
    return tuple(sorted((*added, *contradicted), key=lambda one: (one.start, one.end)))
