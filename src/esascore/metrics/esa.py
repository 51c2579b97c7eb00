r"""Entity-based semantic adequacy: which share of the input's entities does a text mention?

ESA_I of a text is detected / entities. ESA_C is its mean over the texts, ESA_C\n its mean over the texts
with at least n undetected entities, ESIC^n the share of texts with at least n undetected entities. A blank
text scores 0; a text whose input has no entity is undefined and left out of every figure but its count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from esascore.metrics.base import Batch, Column, Need, Score, Signature, Statistics, checked_text, ratio
from esascore.metrics.bases import DetectorMetric, TalliedMetric
from esascore.metrics.totals import Tally
from esascore.model import Detection, Example, Input
from esascore.readers.rows import as_input
from esascore.text.blank import is_blank

_BATCH = 2048


class ESA(DetectorMetric, TalliedMetric):
    """Entity-based semantic adequacy of texts.

    Parameters
    ----------
    profile
        Name of a profile (``default``, ``paper``) or the path of your own.
    lexicon
        A further lexicon file, or several.
    linker, coref
        An entity linker and a coreference resolver, by name or as a choice with its settings; None takes
        those of the profile.
    backend
        Which implementation compares strings; never changes a number.

    Notes
    -----
    The statistics of a text are three integers: its entities, its undetected entities, and whether it is
    blank. Corpus scores are computed from exact counts of these rows, so they do not depend on the order
    of the texts or on how they were split up.

    Examples
    --------
    >>> from esascore import ESA, Graph
    >>> graph = Graph.from_triples([("Bionico", "country", "Mexico")])
    >>> result = ESA().score(graph, "Bionico is a dish from Mexico.")
    >>> result.esa, result.undetected
    (1.0, ())
    >>> score = ESA().corpus([graph, graph], ["Bionico is a dish from Mexico.", "Bionico is a dish."])
    >>> score.value, score.fields["esic_1"], score.fields["undetected"]
    (0.75, 0.5, {'1': 1})
    """

    name: ClassVar[str] = "esa"
    needs: ClassVar[Need] = "coverage"
    columns: ClassVar[tuple[Column, ...]] = (
        Column(
            "esa_c", "ESA_C", r"ESA$_{C}$", meaning="mean share of the input's entities that a text mentions"
        ),
        Column(
            "esa_c_1",
            "ESA_C\\1",
            r"ESA$_{C\setminus 1}$",
            meaning="mean of the same over the texts that leave out at least one entity",
        ),
        Column(
            "esa_c_2",
            "ESA_C\\2",
            r"ESA$_{C\setminus 2}$",
            meaning="mean of the same over the texts that leave out at least two entities",
        ),
        Column(
            "esic_1",
            "ESIC^1",
            r"ESIC$^{1}$",
            better="lower",
            meaning="share of texts that leave out at least one entity",
        ),
        Column(
            "esic_2",
            "ESIC^2",
            r"ESIC$^{2}$",
            better="lower",
            meaning="share of texts that leave out at least two entities",
        ),
    )

    def score(self, input: Input | Mapping[str, Any], text: str) -> Detection:  # noqa: A002 - of the domain
        """Detect the entities of one input, or of a dict with any data, in one text.

        Returns
        -------
        Detection
            With ``esa`` (None if the input has no entity), ``undetected`` and ``mentions``.
        """
        return self._detector.detect([(as_input(input), checked_text(text))])[0]

    def corpus(self, inputs: Sequence[Input | Mapping[str, Any]], texts: Sequence[str]) -> Score:
        """Score texts together, each against the input at the same position."""
        examples = [Example(f"Id{n}", as_input(input_)) for n, input_ in enumerate(inputs, 1)]
        items = [checked_text(text) for text in texts]
        batch = Batch(examples, items, detect=lambda: self._detections(examples, items))
        return self.score_statistics(self.statistics(batch))

    def _detections(self, examples: Sequence[Example], texts: Sequence[str]) -> list[Detection]:
        found: list[Detection] = []
        for start in range(0, len(texts), _BATCH):
            stop = start + _BATCH
            pairs = zip(examples[start:stop], texts[start:stop], strict=True)
            found += self._detector.detect([(example.input, text) for example, text in pairs])
        return found

    def signature(self) -> Signature:
        """Return the settings of detection, and what happens with blank texts and inputs without entities."""
        return self._signature(blank="zero", undefined="excluded")

    def statistics(self, batch: Batch) -> Statistics:
        """Return per text: entities, undetected entities, 1 if it is blank."""
        blank = np.fromiter(map(is_blank, batch.texts), np.int64, len(batch))
        return np.column_stack((batch.coverage, blank))

    def summands(self, statistics: NDArray[Any]) -> NDArray[Any]:
        """Whether a text is defined, has one and two undetected entities, and its ESA_I in each case."""
        entities, missed = statistics[:, 0], statistics[:, 1]
        defined = entities > 0
        cases = np.column_stack((defined, defined & (missed >= 1), defined & (missed >= 2)))
        esa = (entities - missed) / np.maximum(entities, 1)
        return np.hstack((cases, cases * esa[:, None]))

    def figures(self, sums: NDArray[Any]) -> dict[str, NDArray[np.float64]]:
        r"""ESA_C, ESA_C\1, ESA_C\2, ESIC^1 and ESIC^2."""
        texts, one, two, esa, esa_1, esa_2 = np.moveaxis(sums, -1, 0)
        return {
            "esa_c": ratio(esa, texts),
            "esa_c_1": ratio(esa_1, one),
            "esa_c_2": ratio(esa_2, two),
            "esic_1": ratio(one, texts),
            "esic_2": ratio(two, texts),
        }

    def fields(self, total: Tally) -> dict[str, Any]:
        """Return the figures, ESIC^n for every n, and the texts by number of undetected entities."""
        figures = super().fields(total)
        defined = [(missed, count) for (entities, missed, _), count in total.counts if entities]
        texts = sum(count for _, count in defined)
        missing: Counter[int] = Counter()
        for missed, count in defined:
            missing[missed] += count
        esic = {"1": figures["esic_1"], "2": figures["esic_2"]} if defined else {}
        for n in range(3, max(missing, default=0) + 1):
            esic[str(n)] = sum(count for missed, count in defined if missed >= n) / texts
        return {
            "texts": total.texts,
            "blank": sum(count for (_, _, blank), count in total.counts if blank),
            "undefined": total.texts - texts,
            **figures,
            "esic": esic,
            "undetected": {str(n): missing[n] for n in sorted(missing) if n},
        }
