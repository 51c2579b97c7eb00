"""Hallucinations: names, dates and numbers that a text mentions and nothing in its input explains.

The share of texts with at least one is the figure of a system; names, dates and numbers have figures of their
own, and so has each class of Figure 4 of the ESA paper (`esascore.explain.classes`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from esascore._version import __version__
from esascore.errors import DataError
from esascore.explain import WORDLISTS
from esascore.explain.classes import CLASSES
from esascore.explain.hallucinations import TYPES, Hallucination, hallucinations
from esascore.lexicon.known_names import corpus_names
from esascore.metrics.base import Batch, Column, Detector, Metric, Need, Score, Signature, Statistics, Tally
from esascore.model import Detection, Example
from esascore.text.phrases import Phrases
from esascore.wordlists import lexicon_digest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

VERSION = "1"
"""Changes with every change of the rules that can change a number."""


class Hallucinations(Metric[Tally]):
    """The share of texts that mention what their input does not contain.

    Parameters
    ----------
    detector
        The pipeline that detects entities; what the text lacks tells replacements from additions.

    Notes
    -----
    Common words count as names where the corpus has an entity of that name (see
    `esascore.lexicon.known_names`), so the examples of a batch should be the whole corpus. The statistics of
    a text are the numbers of its hallucinations, by type and by class.

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
    needs: ClassVar[Need] = "detections"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("hallucination", "Halluc.", "Halluc."),
        Column("hallucination_name", "Names", "Names"),
        Column("hallucination_date", "Dates", "Dates"),
        Column("hallucination_number", "Numbers", "Numbers"),
    )

    def __init__(self, detector: Detector):
        self._detector = detector
        self._corpus: tuple[Sequence[Example], Phrases] | None = None

    @classmethod
    def from_detector(cls, detector: Detector) -> Self:
        """Make the metric of a pipeline that exists already."""
        return cls(detector)

    def find(
        self,
        examples: Sequence[Example],
        texts: Sequence[str],
        detections: Sequence[Detection] | None = None,
    ) -> list[tuple[Hallucination, ...]]:
        """Find the hallucinations of each text, in text order.

        Parameters
        ----------
        examples, texts
            The corpus and one text for each example.
        detections
            What was detected in the texts, where that is known already.
        """
        if len(examples) != len(texts):
            raise DataError(f"{len(examples)} inputs, but {len(texts)} texts: each input needs one text")
        if detections is None:
            detections = self._detector.detect(
                [(e.input, text) for e, text in zip(examples, texts, strict=True)]
            )
        if len(detections) != len(texts):
            raise DataError(f"{len(texts)} texts, but {len(detections)} detections: each text needs one")
        names, explainer = self._known_names(examples), self._detector.explainer
        return [
            hallucinations(example, detection, names, explainer)
            for example, detection in zip(examples, detections, strict=True)
        ]

    def signature(self) -> Signature:
        """The settings of detection, the version of the rules, and the words that they know."""
        parts = {"esascore": __version__, **self._detector.signature_parts()}
        return Signature.of({**parts, "names": f"corpus.v{VERSION}", "words": lexicon_digest(WORDLISTS)})

    def statistics(self, batch: Batch) -> Statistics:
        """Per text the number of names, dates and numbers, then of each class."""
        return count(self.find(batch.examples, batch.texts, batch.detections))

    def total(self, statistics: Statistics) -> Tally:
        """How often each row occurs."""
        return Tally.of(statistics)

    def score_total(self, total: Tally) -> Score:
        """The share of texts with any, with each type and each class, and the number of texts and spans."""
        texts = sum(number for _, number in total.counts)
        kinds = (*TYPES, *CLASSES)

        def with_any(chosen: Iterable[str]) -> int:
            columns = [kinds.index(name) for name in chosen]
            return sum(number for row, number in total.counts if any(row[column] for column in columns))

        spans = sum(sum(row[: len(TYPES)]) * number for row, number in total.counts)
        fields: dict[str, Any] = {"hallucination": with_any(TYPES) / texts if texts else None}
        for kind in kinds:
            fields[f"hallucination_{kind}"] = with_any([kind]) / texts if texts else None
        fields["hallucinated_texts"] = with_any(TYPES)
        fields["hallucinations"] = spans
        return Score(self.name, fields["hallucination"], fields, self.signature())

    def segment_scores(self, statistics: Statistics) -> list[float | None]:
        """The number of hallucinations in each text."""
        return [float(sum(row[: len(TYPES)])) for row in statistics.tolist()]

    def summands(self, statistics: Statistics) -> NDArray[np.float64]:
        """One for each text, and whether it has any hallucination, and any of each type."""
        import numpy as np

        types = statistics[:, : len(TYPES)] > 0
        columns = (np.ones(len(statistics)), types.any(axis=1), *types.T)
        return np.column_stack(columns).astype(np.float64)

    def figures(self, sums: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
        """The shares that tables show, from weighted sums of ``summands``."""
        import numpy as np

        texts, *counts = np.moveaxis(sums, -1, 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = [np.asarray(number / texts, np.float64) for number in counts]
        return {column.field: share for column, share in zip(self.columns, shares, strict=True)}

    def _known_names(self, examples: Sequence[Example]) -> Phrases:
        # All systems of a run share one corpus: its names are collected once.
        if self._corpus is None or self._corpus[0] is not examples:
            self._corpus = examples, corpus_names(examples)
        return self._corpus[1]


def count(found: Sequence[Sequence[Hallucination]]) -> NDArray[np.int64]:
    """Count the hallucinations of each text by type and by class, (n, 6)."""
    import numpy as np

    counts = np.zeros((len(found), len(TYPES) + len(CLASSES)), np.int64)
    for row, some in enumerate(found):
        for one in some:
            counts[row, TYPES.index(one.type)] += 1
            counts[row, len(TYPES) + CLASSES.index(one.kind)] += 1
    return counts
