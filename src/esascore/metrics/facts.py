"""Metrics of a model of facts: what a text states of its input, and what can be extracted from a text.

``facts`` is the share of an input's facts that a text states (and of those that it contradicts). The others
are defined by Wiseman et al. (2017) and, for tables of any kind, in section 4 of the PARENT paper:

``rg``
    the share of extracted facts that the input has, and how many are extracted; RG-F is the F-measure of the
    extracted facts against those of the input
``cs``
    precision, recall and F of the extracted facts against those extracted from a reference
``co``
    one minus the normalised Damerau-Levenshtein distance between the two lists of facts

With several references, the one with the best F (or the least distance) counts. A text without references has
no ``cs`` and no ``co``. Where neither text states a fact, they agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from math import nan
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from esascore.errors import UsageError
from esascore.fact_results import RULINGS, FactVerdict
from esascore.facts.verdicts import VERSION, extract, verdicts
from esascore.facts.verifier import Verifier
from esascore.metrics.base import Batch, Column, Detector, Need, Signature, Statistics, ratio
from esascore.metrics.bases import DetectorMetric, MeanMetric, TalliedMetric
from esascore.model import Example, Input, Triple

EXTRACTION_VERSION = "v3"
"""Changes with every change of the rules that can change what is extracted."""

_REMEMBERED = 1 << 16


def required_verifier(detector: Detector) -> Verifier:
    """Return the verifier of a pipeline, or raise an error that says how to get one."""
    if detector.verifier is None:
        raise UsageError(
            "no model that verifies facts: train one with esascore facts train, and name it with --facts"
        )
    return detector.verifier


def knows_any(verifier: Verifier, example: Example) -> bool:
    """Return whether an input has a fact that a model was trained for; of others it only guesses."""
    input_ = example.input
    return any(verifier.knows(fact.predicate, input_.shape) for fact in input_.triples)


class Facts(DetectorMetric, TalliedMetric):
    """The share of facts that texts state.

    A text has a score if its input has a fact whose predicate the model knows; the others count for nothing.
    The statistics of a text are its numbers of facts that are stated, contradicted and not stated.
    """

    name: ClassVar[str] = "facts"
    needs: ClassVar[Need] = "detections"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("facts", "Facts", meaning="mean share of the input's facts that a text states, by a model"),
        Column(
            "facts_contradicted",
            "Contradicted",
            better="lower",
            meaning="mean share of the input's facts that a text contradicts, by a model",
        ),
    )

    def find(self, batch: Batch) -> list[tuple[FactVerdict, ...]]:
        """Judge the facts of each text; unless details are requested, only those that count."""
        pairs = [(e.input, found) for e, found in zip(batch.examples, batch.detections, strict=True)]
        return verdicts(pairs, required_verifier(self._detector), guesses=batch.details is not None)

    def signature(self) -> Signature:
        """Return the settings of detection, the model, and the version of the rules."""
        model = required_verifier(self._detector).version()
        return self._signature(facts=VERSION, model=model, undefined="excluded")

    def statistics(self, batch: Batch) -> Statistics:
        """Return per text how many facts are stated, contradicted and not stated."""
        found = self.find(batch)
        if batch.details is not None:
            batch.details[self.name] = found
        return count(found)

    def summands(self, statistics: NDArray[Any]) -> NDArray[Any]:
        """One for each text with a fact, and the shares of its facts that are stated and contradicted."""
        facts = statistics.sum(axis=1)
        defined = facts > 0
        return np.column_stack(
            (defined.astype(int), *(statistics[:, at] / np.where(defined, facts, 1) for at in (0, 1)))
        )

    def figures(self, sums: NDArray[Any]) -> dict[str, NDArray[np.float64]]:
        """Return the mean shares over texts with a fact."""
        texts, stated, contradicted = np.moveaxis(sums, -1, 0)
        return {"facts": ratio(stated, texts), "facts_contradicted": ratio(contradicted, texts)}


def count(found: Sequence[Sequence[FactVerdict]]) -> NDArray[np.int64]:
    """Count the rulings on the facts that the model knows, (n, 3)."""
    counts = np.zeros((len(found), len(RULINGS)), np.int64)
    for row, some in enumerate(found):
        for one in some:
            if one.known:
                counts[row, RULINGS.index(one.ruling)] += 1
    return counts


class ExtractionMetric(DetectorMetric, MeanMetric):
    """What metrics of extracted facts have in common: the facts of texts and references."""

    needs: ClassVar[Need] = "detections"

    def __init__(self, *, detector: Detector):
        super().__init__(detector=detector)
        self._of_references: dict[tuple[Input, str], tuple[Triple, ...]] = {}

    def signature(self) -> Signature:
        """Return the settings of detection, the model, and the version of the rules."""
        model = required_verifier(self._detector).version()
        return self._signature(extraction=EXTRACTION_VERSION, model=model, undefined="excluded")

    def _facts(self, batch: Batch) -> list[tuple[Triple, ...]]:
        pairs = zip(batch.examples, batch.detections, strict=True)
        return extract([(e.input, found) for e, found in pairs], required_verifier(self._detector))

    def _knows(self, example: Example) -> bool:
        """Return whether the model was trained for such facts; what it only guesses counts for nothing."""
        return knows_any(required_verifier(self._detector), example)

    def _references(self, examples: Sequence[Example]) -> list[list[tuple[Triple, ...]]]:
        """Extract the facts of references; systems share those of their corpus."""
        keys = [
            [(example.input, reference.text) for reference in example.references if self._knows(example)]
            for example in examples
        ]
        if len(self._of_references) > _REMEMBERED:
            self._of_references.clear()
        wanted = dict.fromkeys(chain.from_iterable(keys))
        new = [pair for pair in wanted if pair not in self._of_references]
        found = self._detector.detect(new)
        items = [(graph, own) for (graph, _), own in zip(new, found, strict=True)]
        extracted = extract(items, required_verifier(self._detector))
        self._of_references |= dict(zip(new, extracted, strict=True))
        return [[self._of_references[key] for key in own] for own in keys]


class RelationGeneration(ExtractionMetric):
    """The share of a text's facts that its input has; undefined for a text without any."""

    name: ClassVar[str] = "rg"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("rg", "RG", meaning="share of the facts of a text that the input has, by a model"),
        Column("rg_facts", "RG #", "RG \\#", meaning="mean number of facts of a text"),
        Column("rg_f", "RG-F", meaning="F-measure of the facts of a text and of its input"),
    )
    measures: ClassVar[tuple[str, ...]] = ("", "facts", "f")

    def statistics(self, batch: Batch) -> Statistics:
        """Return per text the share of facts that the input has, their number, and the F-measure."""
        rows = np.full((len(batch), len(self.measures)), nan)
        for row, example, found in zip(rows, batch.examples, self._facts(batch), strict=True):
            if found and self._knows(example):
                precision, _, f = agreement(found, example.input.triples)
                row[:] = precision, len(found), f
        return rows


class ContentSelection(ExtractionMetric):
    """Precision, recall and F of a text's facts against those of a reference."""

    name: ClassVar[str] = "cs"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("cs", "CS", meaning="F-measure of the facts of a text and of a reference"),
        Column("cs_precision", "CS-P", meaning="share of the facts of a text that a reference has"),
        Column("cs_recall", "CS-R", meaning="share of the facts of a reference that a text has"),
    )
    measures: ClassVar[tuple[str, ...]] = ("", "precision", "recall")

    def statistics(self, batch: Batch) -> Statistics:
        """Return per text F, precision and recall."""
        rows = np.full((len(batch), len(self.measures)), nan)
        texts = zip(rows, self._facts(batch), self._references(batch.examples), strict=True)
        for row, found, references in texts:
            if references:
                precision, recall, f = max((agreement(found, own) for own in references), key=lambda a: a[2])
                row[:] = f, precision, recall
        return rows


class ContentOrdering(ExtractionMetric):
    """How far a text's facts come in the order of those of a reference."""

    name: ClassVar[str] = "co"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("co", "CO", meaning="how far facts come in the order of a reference"),
    )
    measures: ClassVar[tuple[str, ...]] = ("",)

    def statistics(self, batch: Batch) -> Statistics:
        """Return per text one minus the normalised distance of the two lists."""
        from rapidfuzz.distance import DamerauLevenshtein

        rows = np.full((len(batch), 1), nan)
        texts = zip(rows, self._facts(batch), self._references(batch.examples), strict=True)
        for row, found, references in texts:
            if references:
                row[0] = max(DamerauLevenshtein.normalized_similarity(found, own) for own in references)
        return rows


def agreement(found: Sequence[Triple], meant: Sequence[Triple]) -> tuple[float, float, float]:
    """Return precision, recall and F of facts; all 1 if there are none on either side.

    Examples
    --------
    >>> a, b, c = (Triple("s", "p", name) for name in "abc")
    >>> agreement([a, b], [b, c, a])
    (1.0, 0.6666666666666666, 0.8)
    >>> agreement([], []), agreement([a], [])
    ((1.0, 1.0, 1.0), (0.0, 0.0, 0.0))
    """
    one, other = set(found), set(meant)
    if not one and not other:
        return 1.0, 1.0, 1.0
    common = len(one & other)
    if not common:
        return 0.0, 0.0, 0.0
    return common / len(one), common / len(other), 2 * common / (len(one) + len(other))
