"""What every metric is: statistics of segments, their sum, and the score of the sum.

A segment is one text of one system with its input. A metric turns a batch of segments into an array with
one row of fixed length per segment; rows are all it keeps. ``total`` adds rows up, totals add up with
``+`` exactly (no matter how the segments were sharded, in which order), and ``score_total`` makes the
corpus score. Breakdowns score a subset of the rows; resampling weighs them.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Protocol, Self, TypeAlias, TypeVar

from esascore.errors import DataError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from esascore.explain.explainer import Explainer
    from esascore.model import Detection, Example, Input

Statistics: TypeAlias = "NDArray[Any]"
"""One row per segment; the metric says what its columns are."""

Need = Literal["nothing", "coverage", "detections"]
"""How much of entity detection a metric uses: none of it, the two counts per text, or all mentions."""

_KEY = re.compile(r"[a-z0-9][a-z0-9._-]*", re.ASCII)


class Detector(Protocol):
    """What metrics and the engine ask of a pipeline."""

    def detect(self, items: Sequence[tuple[Input, str]], *, threads: int = 1) -> list[Detection]:
        """Detect the entities of each input in its text; one result per item, in order."""
        ...

    def signature_parts(self) -> dict[str, str]:
        """Every setting of detection that can change a number."""
        ...

    @property
    def explainer(self) -> Explainer:
        """Tells what an input explains, with the lexicon and the languages of detection."""
        ...


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
        The figure that stands for the metric; None where it is undefined.
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
        """The score as plain data."""
        return {"metric": self.metric, "signature": str(self.signature), **self.fields}

    def to_json(self) -> str:
        """The score as one line of JSON, in full precision."""
        return json.dumps(self.as_dict(), allow_nan=False)

    def __str__(self) -> str:
        shown = ", ".join(
            f"{key} {_shown(value)}" for key, value in self.fields.items() if not isinstance(value, Mapping)
        )
        return f"{self.metric} = {_shown(self.value)} ({shown}) {self.signature}"


@dataclass(frozen=True, slots=True)
class Column:
    """A field of a score that tables show.

    ``header`` is plain text, ``latex`` the same in LaTeX; a ``share`` is a number between 0 and 1, a
    ``count`` an integer.
    """

    field: str
    header: str
    latex: str
    kind: Literal["share", "count"] = "share"


@dataclass(frozen=True, slots=True)
class Tally:
    """A multiset of integer rows: how often each row of statistics occurred, sorted by row.

    The exact sum for metrics whose corpus score is no function of column sums (a mean of fractions with
    different denominators).

    Examples
    --------
    >>> Tally.of([(3, 0), (2, 1), (3, 0)]).counts
    (((2, 1), 1), ((3, 0), 2))
    >>> Tally.of([(3, 0)]) + Tally.of([(2, 1), (3, 0)]) == Tally.of([(3, 0), (2, 1), (3, 0)])
    True
    """

    counts: tuple[tuple[tuple[int, ...], int], ...] = ()

    @classmethod
    def of(cls, rows: Iterable[Iterable[int]] | NDArray[np.int64]) -> Self:
        """Count rows."""
        listed = rows.tolist() if hasattr(rows, "tolist") else rows
        counts: dict[tuple[int, ...], int] = {}
        for row in map(tuple, listed):
            counts[row] = counts.get(row, 0) + 1
        return cls(tuple(sorted(counts.items())))

    def __add__(self, other: Tally) -> Tally:
        merged = dict(self.counts)
        for row, count in other.counts:
            merged[row] = merged.get(row, 0) + count
        return Tally(tuple(sorted(merged.items())))


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
    system
        Name of the system.
    """

    def __init__(
        self,
        examples: Sequence[Example],
        texts: Sequence[str],
        *,
        detect: Callable[[], Sequence[Detection]],
        coverage: NDArray[np.int64] | None = None,
        system: str = "",
    ):
        if len(examples) != len(texts):
            raise DataError(f"{len(examples)} inputs, but {len(texts)} texts: each input needs one text")
        self.system = system
        self.examples = examples
        self.texts = texts
        self._detect = detect
        self._coverage = coverage

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def detections(self) -> Sequence[Detection]:
        """The detection of each text."""
        return self._detect()

    @cached_property
    def coverage(self) -> NDArray[np.int64]:
        """Per text the number of entities and of undetected entities, (n, 2)."""
        if self._coverage is not None:
            return self._coverage
        return coverage_of(self.detections)


def coverage_of(detections: Sequence[Detection]) -> NDArray[np.int64]:
    """Per detection the number of entities and of undetected entities, (n, 2)."""
    import numpy as np

    counts = [(len(found.entities), len(found.undetected)) for found in detections]
    return np.array(counts, dtype=np.int64).reshape(len(counts), 2)


class _Total(Protocol):
    def __add__(self, other: Any, /) -> Any: ...


T = TypeVar("T", bound=_Total)


class Metric(ABC, Generic[T]):
    """A metric: statistics of segments, their exact sum, the score of the sum.

    Class attributes: ``name`` as in ``--metrics``, ``needs`` of entity detection, and the ``columns``
    that tables show.
    """

    name: ClassVar[str]
    needs: ClassVar[Need] = "nothing"
    columns: ClassVar[tuple[Column, ...]]

    @abstractmethod
    def signature(self) -> Signature:
        """Every setting that can change a number of this metric."""

    @abstractmethod
    def statistics(self, batch: Batch) -> Statistics:
        """One row per segment of the batch."""

    @abstractmethod
    def total(self, statistics: Statistics) -> T:
        """Add up rows; totals of shards add up with ``+`` to the total of all, exactly."""

    @abstractmethod
    def score_total(self, total: T) -> Score:
        """Score a total."""

    @abstractmethod
    def segment_scores(self, statistics: Statistics) -> list[float | None]:
        """Score each segment alone; None where it is undefined."""

    @abstractmethod
    def summands(self, statistics: Statistics) -> NDArray[np.float64]:
        """Per segment the floats whose weighted sums ``figures`` reads, (n, k): made for resampling."""

    @abstractmethod
    def figures(self, sums: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
        """Figures of many weighted sums of summands at once: ``sums`` is (..., k), each figure (...).

        NaN marks undefined figures here, since arrays have no None.
        """

    def score_statistics(self, statistics: Statistics) -> Score:
        """Score the segments together."""
        return self.score_total(self.total(statistics))


def _encoded(value: str) -> str:
    def percent(match: re.Match[str]) -> str:
        return "".join(f"%{byte:02X}" for byte in match[0].encode(errors="surrogatepass"))

    return re.sub(r"[|%\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", percent, value)


def _shown(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.4f}" if isinstance(value, float) else str(value)
