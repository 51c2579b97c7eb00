"""Hallucinations: names, dates and numbers that a text mentions and nothing in its input explains.

The share of texts with at least one is the figure of a system; names, dates and numbers have figures of their
own. Each is classified as in Figure 4 of the ESA paper:

``inaccurate``
    it is like an entity of the input: at most 0.6 from one of its forms, or a date with most parts right
``replacement``
    else, if the text lacks an entity of the same type
``addition``
    else
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from esascore.detectors.base import Document
from esascore.detectors.dates import DateRange, PartialDate, entity_date, find_dates
from esascore.detectors.explained import Explained, explain
from esascore.detectors.numbers import entity_quantity
from esascore.detectors.unexplained import EVIDENCE, Unexplained, find_unexplained
from esascore.errors import DataError
from esascore.lexicon import Lexicon
from esascore.lexicon.files import lexicon_digest
from esascore.link.known_names import corpus_names
from esascore.link.names import Names, name_words
from esascore.metrics.base import Batch, Column, Detector, Need, Signature, Statistics, plain, ratio
from esascore.metrics.kinds import DetectorMetric, TalliedMetric
from esascore.metrics.totals import Tally
from esascore.model import Detection, Entity, Example
from esascore.text.blank import is_blank

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TYPES = ("name", "date", "number")
CLASSES = ("addition", "replacement", "inaccurate")
VERSION = "1"
"""Changes with every change of the rules that can change a number."""


@dataclass(frozen=True, slots=True)
class Hallucination:
    """A mention that nothing in the input explains.

    Attributes
    ----------
    start, end, text
        Where it stands in the text.
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
        """The object that stands in JSON output."""
        return {
            "start": self.start,
            "end": self.end,
            "text": self.text,
            "type": self.type,
            "class": self.kind,
            "entity": self.entity,
            "nearest": self.nearest,
            "confidence": self.confidence,
        }


class Hallucinations(DetectorMetric, TalliedMetric):
    """The share of texts that mention what their input does not contain.

    Parameters
    ----------
    detector
        The pipeline that detects entities; what the text lacks tells replacements from additions.

    Notes
    -----
    Common words count as names where the corpus has an entity of that name (see `esascore.link.known_names`),
    so the examples of a batch should be the whole corpus. The statistics of a text are the numbers of its
    hallucinations, by type and by class.

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
        super().__init__(detector=detector)
        self._corpus: _Corpus | None = None

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
        corpus = self._of(examples)
        return [
            corpus.hallucinations(position, text, detection)
            for position, (text, detection) in enumerate(zip(texts, detections, strict=True))
        ]

    def signature(self) -> Signature:
        """The settings of detection, the version of the rules, and the words that they know."""
        return self._signature(names=f"corpus.v{VERSION}", words=_words_digest())

    def statistics(self, batch: Batch) -> Statistics:
        """Per text the number of names, dates and numbers, then of each class."""
        found = self.find(batch.examples, batch.texts, batch.detections)
        if batch.details is not None:
            batch.details[self.name] = found
        return count(found)

    def summands(self, statistics: NDArray[Any]) -> NDArray[Any]:
        """One for each text, whether it has any hallucination, and any of each type and class."""
        import numpy as np

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

    def _of(self, examples: Sequence[Example]) -> _Corpus:
        # All systems of a run share one corpus: what its inputs explain is collected once.
        if self._corpus is None or self._corpus.examples is not examples:
            self._corpus = _Corpus(examples)
        return self._corpus


def count(found: Sequence[Sequence[Hallucination]]) -> NDArray[np.int64]:
    """Count the hallucinations of each text by type and by class, (n, 6)."""
    import numpy as np

    counts = np.zeros((len(found), len(TYPES) + len(CLASSES)), np.int64)
    for row, some in enumerate(found):
        for one in some:
            counts[row, TYPES.index(one.type)] += 1
            counts[row, len(TYPES) + CLASSES.index(one.kind)] += 1
    return counts


class _Corpus:
    """The examples of a corpus, what each explains (collected when first asked for), and its names."""

    def __init__(self, examples: Sequence[Example]):
        self.examples = examples
        self._names: Names = corpus_names(examples)
        self._lexicon = Lexicon()
        self._explained: dict[int, Explained] = {}

    def hallucinations(self, position: int, text: str, detection: Detection) -> tuple[Hallucination, ...]:
        if is_blank(text):
            return ()
        example = self.examples[position]
        explained = self._explained.get(position)
        if explained is None:
            explained = explain(example.input, example.original, self._lexicon)
            self._explained[position] = explained
        document = Document(example.input, text)
        found = find_unexplained(document, explained, self._names, detection.mentions, detection.links)
        return tuple(
            self._classified(span, example, detection)
            for span in found
            if not self._is_user_form(span, detection)
        )

    def _is_user_form(self, span: Unexplained, detection: Detection) -> bool:
        """Whether a lexicon of the user gives the span as a form of an entity.

        A form that names another thing explains nothing: people have marked "Broadcasting House in London" as
        a mention of the house, and a text that says so adds London all the same.
        """
        if span.type != "name" or span.entity is not None:
            return False
        words = name_words(detection.text[span.start : span.end])
        return any(
            mention.variant is not None
            and mention.start <= span.start
            and span.end <= mention.end
            and set(words) <= set(name_words(mention.variant))
            and words not in self._names
            for mention in detection.mentions
        )

    def _classified(self, span: Unexplained, example: Example, detection: Detection) -> Hallucination:
        text = detection.text[span.start : span.end]
        same_type = [entity for entity in example.input.entities if _type(entity) == span.type]
        distance, nearest = self._nearest(span.type, text, same_type)
        kind = "inaccurate"
        if nearest is None or (distance > _INACCURATE and span.evidence != "likeness"):
            missing = [entity for entity in same_type if entity.term in detection.undetected]
            kind = "replacement" if missing else "addition"
            if missing:
                nearest = self._nearest(span.type, text, missing)[1]
        return Hallucination(
            span.start, span.end, text, span.type, kind, span.entity, nearest, EVIDENCE[span.evidence]
        )

    def _nearest(self, type_: str, text: str, entities: Sequence[Entity]) -> tuple[float, str | None]:
        """Return the entity that is most like a text, and its distance."""
        if not entities:
            return 1.0, None
        if type_ == "date":
            return min(((_date_distance(text, e), e.term) for e in entities), key=lambda pair: pair[0])
        best: tuple[float, str | None] = (2.0, None)
        own = " ".join(name_words(text))
        for entity in entities:
            for variant in self._lexicon.variants(entity):
                distance = _distance(own, " ".join(name_words(variant.text)))
                if distance < best[0]:
                    best = distance, entity.term
        return best if best[1] is not None else (1.0, entities[0].term)


_INACCURATE = 0.6
_OTHER_DATE = 1.0


def _distance(left: str, right: str) -> float:
    from rapidfuzz.distance import Levenshtein

    return Levenshtein.normalized_distance(left, right)


def _date_distance(text: str, entity: Entity) -> float:
    """Return how many of the stated parts of a date differ from those of an entity, as a share."""
    meant = entity_date(entity)
    found = find_dates(text)
    if meant is None or not found:
        return _OTHER_DATE
    distances = [_OTHER_DATE]
    for said in (value for date in found for value in date.values):
        if isinstance(said, DateRange) or isinstance(meant, DateRange):
            continue
        distances.append(_parts_that_differ(said, meant))
    return min(distances)


def _parts_that_differ(said: PartialDate, meant: PartialDate) -> float:
    pairs = [(said.year, meant.year), (said.month, meant.month), (said.day, meant.day)]
    stated = [(a, b) for a, b in pairs if a is not None and b is not None]
    if not stated:
        return _OTHER_DATE
    if len(stated) == 1 and stated[0][0] != stated[0][1]:
        left, right = map(str, stated[0])
        return _distance(left, right)
    return sum(a != b for a, b in stated) / len(stated) if stated else _OTHER_DATE


def _type(entity: Entity) -> str:
    if entity_date(entity) is not None:
        return "date"
    return "number" if entity_quantity(entity) is not None else "name"


@cache
def _words_digest() -> str:
    return lexicon_digest(("english_words", "place_names", "territories", "demonyms", "states", "titles"))
