"""The interface of metrics: statistics of segments, their exact total, and figures of sums.

A segment is one text of one system with its input. A metric turns a batch of segments into an array with
one row of fixed length per segment; rows are all it keeps. ``total`` adds rows up exactly, no matter how the
segments were split and ordered. ``figures`` is the one place where a figure is computed: corpus scores and
breakdowns give it the exact sums of a total, bootstrap and randomisation the sums of many draws at once.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isnan
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Protocol, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from esascore.errors import DataError, UsageError
from esascore.metrics.parent_options import ParentOptions
from esascore.model import Detection, Example, Input
from esascore.text.document import Document

if TYPE_CHECKING:  # what not all metrics need takes long to load
    from esascore.claims.explainer import Explainer
    from esascore.facts.questions import Questioner
    from esascore.facts.similarity import Similarity
    from esascore.facts.verifier import Verifier
    from esascore.learned import Learned

Statistics: TypeAlias = "NDArray[Any]"
"""One row per segment; the metric says what its columns are."""

Need = Literal["nothing", "coverage", "detections"]
"""How much of entity detection a metric needs: nothing, what each text lacks (and few mentions), or all."""

_KEY = re.compile(r"[a-z0-9][a-z0-9._-]*", re.ASCII)


class Detector(Protocol):
    """The interface of a pipeline for metrics and the engine."""

    def detect(self, items: Sequence[tuple[Input, str] | Document], *, whole: bool = True) -> list[Detection]:
        """Detect the entities of each input in its text; one result per item, in order.

        Unless the ``whole`` result is asked for, it is enough to know which entities are detected.
        """

    def signature_parts(self) -> dict[str, str]:
        """Return every setting of detection that can change a number."""

    @property
    def explainer(self) -> Explainer:
        """Says what an input explains, with the lexicon and the languages of detection."""

    @property
    def learned(self) -> Learned:
        """What a corpus taught."""

    @property
    def verifier(self) -> Verifier | None:
        """Says whether a text states a fact; None without a model that can."""

    @property
    def facts_weight(self) -> float:
        """The share of its faithfulness that a text loses if it states no fact."""

    @property
    def questioner(self) -> Questioner | None:
        """Asks and answers questions, if there are models that do."""

    @property
    def similarity(self) -> Similarity | None:
        """Says how alike two answers are, if something other than the alignment should."""


@dataclass(frozen=True, slots=True)
class Signature:
    """Every setting that can change a number, in a fixed order.

    Two scores may be compared when their signatures are equal. What cannot change a number (backend,
    processes, threads) is never part of it. In the printed form ``|``, ``%`` and control characters of a
    value are percent-encoded, so that it splits at ``|`` and then at the first ``:``.

    Examples
    --------
    >>> signature = Signature.of({"esascore": "0.1.0", "linker": "http://localhost:5555|x"})
    >>> print(signature)
    esascore:0.1.0|linker:http://localhost:5555%7Cx
    >>> Signature.parse(str(signature)) == signature
    True
    """

    parts: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, parts: Mapping[str, str]) -> Self:
        """Make a signature of key-value pairs, in their order."""
        for key in parts:
            if not _KEY.fullmatch(key):
                raise ValueError(f"{key!r} cannot be a key of a signature")
        return cls(tuple(parts.items()))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the printed form."""
        from urllib.parse import unquote

        pairs = [part.partition(":") for part in text.split("|")] if text else []
        return cls.of({key: unquote(value, errors="surrogatepass") for key, _, value in pairs})

    def __str__(self) -> str:
        return "|".join(f"{key}:{_encoded(value)}" for key, value in self.parts)

    @classmethod
    def joined(cls, named: Iterable[tuple[str, Signature]]) -> Self:
        """Join the signatures of several metrics into one.

        A part that all metrics share stands once; where a later metric says something else for a key, its
        part is marked with its name.

        Examples
        --------
        >>> esa, parent = Signature((("esascore", "1"), ("tok", "a"))), Signature((("tok", "b"),))
        >>> print(Signature.joined([("esa", esa), ("parent", parent)]))
        esascore:1|tok:a|parent.tok:b
        """
        parts: dict[str, str] = {}
        for name, signature in named:
            for key, value in signature.parts:
                if parts.setdefault(key, value) != value:
                    parts[f"{name}.{key}"] = value
        return cls.of(parts)


@dataclass(frozen=True, slots=True)
class Score:
    """The score of one metric on a set of texts.

    Attributes
    ----------
    metric
        Name of the metric.
    value
        The figure that stands for the metric; None if it is undefined.
    fields
        Every figure under its name in JSON output; undefined ones are None.
    signature
        The settings that gave these numbers.

    Examples
    --------
    >>> score = Score("esa", 0.75, {"esa_c": 0.75, "texts": 2}, Signature((("profile", "paper"),)))
    >>> print(score)
    esa = 0.7500 (esa_c 0.7500, texts 2) profile:paper
    >>> score.to_json()
    '{"metric": "esa", "signature": "profile:paper", "esa_c": 0.75, "texts": 2}'
    """

    metric: str
    value: float | None
    fields: Mapping[str, Any]
    signature: Signature

    def as_dict(self) -> dict[str, Any]:
        """Return the score as plain data."""
        return {"metric": self.metric, "signature": str(self.signature), **self.fields}

    def to_json(self) -> str:
        """Return the score as one line of JSON, in full precision."""
        return json.dumps(self.as_dict(), allow_nan=False)

    def __str__(self) -> str:
        shown = ", ".join(
            f"{key} {_shown(value)}" for key, value in self.fields.items() if not isinstance(value, Mapping)
        )
        return f"{self.metric} = {_shown(self.value)} ({shown}) {self.signature}"


@dataclass(frozen=True, slots=True)
class Column:
    """A field of a score that tables show.

    ``header`` is plain text, ``latex`` the same in LaTeX where that differs; a ``share`` is a number between
    0 and 1, a ``count`` an integer. ``better`` says which way a figure improves, ``meaning`` what it is.
    """

    field: str
    header: str
    latex: str = ""
    kind: Literal["share", "count"] = "share"
    better: Literal["higher", "lower"] = "higher"
    meaning: str = ""


class Batch:
    """One system's texts with their examples, and what several metrics need of them, computed once.

    Parameters
    ----------
    examples, texts
        The corpus and one text for each example.
    detect
        Gives the detections of the texts; called at most once, and only when a metric asks.
    coverage
        Per text the number of entities and of undetected ones, where they are known already.
    details
        Where metrics leave what they found in each text beyond their statistics, by name; None if nobody
        asked for it.
    documents
        The texts as they have been read, where they have.
    """

    def __init__(
        self,
        examples: Sequence[Example],
        texts: Sequence[str],
        *,
        detect: Callable[[], Sequence[Detection]],
        coverage: NDArray[np.int64] | None = None,
        details: dict[str, Sequence[Any]] | None = None,
        documents: Sequence[Document] | None = None,
    ):
        if len(examples) != len(texts):
            raise DataError(f"{len(examples)} inputs, but {len(texts)} texts: each input needs one text")
        self.examples = examples
        self.texts = texts
        self.details = details
        self._detect = detect
        self._coverage = coverage
        self._documents = documents

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def detections(self) -> Sequence[Detection]:
        """The detection of each text."""
        return self._detect()

    @cached_property
    def documents(self) -> Sequence[Document]:
        """Each text as it is read, once for all metrics."""
        if self._documents is not None:
            return self._documents
        return [
            Document(example.input, text) for example, text in zip(self.examples, self.texts, strict=True)
        ]

    @cached_property
    def coverage(self) -> NDArray[np.int64]:
        """Per text the number of entities and of undetected entities, (n, 2)."""
        if self._coverage is not None:
            return self._coverage
        return coverage_of(self.detections)


def checked_text(text: str) -> str:
    """Reject a text that is not a string, such as the None of a missing output."""
    if not isinstance(text, str):
        raise UsageError(f"a text must be a str, not {type(text).__name__}")
    return text


def coverage_of(detections: Sequence[Detection]) -> NDArray[np.int64]:
    """Return per detection the number of entities and of undetected entities, (n, 2)."""
    counts = [(len(found.entities), len(found.undetected)) for found in detections]
    return np.array(counts, dtype=np.int64).reshape(len(counts), 2)


class Total(Protocol):
    """The interface of totals; see `esascore.metrics.totals`."""

    def __add__(self, other: Any, /) -> Any: ...

    def as_dict(self) -> dict[str, Any]:
        """Return the total as plain JSON values."""


T = TypeVar("T", bound=Total)


class Metric(ABC, Generic[T]):
    """A metric: statistics of segments, their exact total, figures of sums.

    Class attributes: ``name`` as in ``--metrics``, ``needs`` of entity detection, whether it ``learns``,
    that is, judges claims by what a corpus taught, whether texts are compared ``with_references``
    (without any there is no score), the ``columns`` that tables show, of which the first is the value of the
    metric, and the class of its totals. A row of statistics depends on its example, its text and the ruler
    alone.

    ``summands`` and ``figures`` are written for arrays of any numbers. They receive floats where resampling
    weighs segments, and fractions where a total is scored, so that a corpus score is rounded once.
    """

    name: ClassVar[str]
    needs: ClassVar[Need] = "nothing"
    with_references: ClassVar[bool] = False
    learns: ClassVar[bool] = False
    columns: ClassVar[tuple[Column, ...]]
    total_type: ClassVar[type[Any]]

    @classmethod
    def create(cls, detector: Detector, options: ParentOptions) -> Self:
        """Make the metric for a pipeline, with those of the options that it takes."""
        return cls()

    @abstractmethod
    def signature(self) -> Signature:
        """Return every setting that can change a number of this metric."""

    @abstractmethod
    def statistics(self, batch: Batch) -> Statistics:
        """Return one row per segment of the batch."""

    @abstractmethod
    def summands(self, statistics: NDArray[Any]) -> NDArray[Any]:
        """Return per segment the numbers whose sums ``figures`` reads, (n, k)."""

    @abstractmethod
    def figures(self, sums: NDArray[Any]) -> dict[str, NDArray[np.float64]]:
        """Figures of sums of summands, of many at once: ``sums`` is (..., k), each figure (...).

        NaN marks undefined figures here, since arrays have no None.
        """

    @abstractmethod
    def total(self, statistics: Statistics) -> T:
        """Add up rows; totals of shards add up with ``+`` to the total of all, exactly."""

    @abstractmethod
    def sums(self, total: T) -> NDArray[Any]:
        """Return the exact sums of the summands of all segments of a total, (k,)."""

    def fields(self, total: T) -> dict[str, Any]:
        """Return the figures of a total and what else its score says; undefined ones are None."""
        return plain(self.figures(self.sums(total)))

    def score_total(self, total: T) -> Score:
        """Score a total."""
        fields = self.fields(total)
        return Score(self.name, fields[self.columns[0].field], fields, self.signature())

    def score_statistics(self, statistics: Statistics) -> Score:
        """Score the segments together."""
        return self.score_total(self.total(statistics))

    def segment_scores(self, statistics: Statistics) -> list[float | None]:
        """Score each segment alone; None if it is undefined."""
        return listed(self.figures(self.summands(statistics))[self.columns[0].field])


def ratio(numerator: Any, denominator: Any) -> NDArray[np.float64]:
    """Divide numbers or arrays of floats or fractions, rounding once; NaN if the denominator is 0.

    Examples
    --------
    >>> import numpy as np
    >>> ratio(np.array([1.0, 0.0]), np.array([3.0, 0.0])).tolist()
    [0.3333333333333333, nan]
    """
    defined = np.not_equal(denominator, 0).astype(bool)
    quotient = np.asarray(numerator / np.where(defined, denominator, 1), np.float64)
    return np.where(defined, quotient, np.nan)


def listed(values: NDArray[np.float64]) -> list[float | None]:
    """Return an array as a list, with None for NaN."""
    return [None if isnan(value) else value for value in values.tolist()]


def plain(figures: Mapping[str, NDArray[np.float64]]) -> dict[str, float | None]:
    """Figures of one sum as numbers, with None for NaN."""
    return {field: None if isnan(value) else float(value) for field, value in figures.items()}


def _encoded(value: str) -> str:
    def percent(match: re.Match[str]) -> str:
        return "".join(f"%{byte:02X}" for byte in match[0].encode(errors="surrogatepass"))

    return re.sub(r"[|%\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", percent, value)


def _shown(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.4f}" if isinstance(value, float) else str(value)
