"""BLEU, as sacrebleu computes it, through the seam that all metrics share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, log
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from esascore._version import __version__
from esascore.errors import import_extra
from esascore.metrics.base import Batch, Column, Signature, Statistics, listed
from esascore.metrics.bases import SummedMetric
from esascore.model import Example

_ORDER = 4
_SMOOTHING = "exp"


class Bleu(SummedMetric):
    """BLEU of sacrebleu: 13a tokens, case kept unless told otherwise, exponential smoothing.

    Parameters
    ----------
    lowercase
        Whether case is ignored.

    Notes
    -----
    The statistics of a text are its length and that of the closest reference, and the matching and all
    n-grams of orders 1 to 4; NaN if it has no reference. The corpus score is that of their sums. A text
    alone is scored over the orders that it has, as sacrebleu scores sentences.

    Examples
    --------
    >>> from esascore.model import Graph, Reference
    >>> example = Example("Id1", Graph(), (Reference("Id1", "Bionico is a dish from Mexico."),))
    >>> batch = Batch([example], ["Bionico is food from Mexico."], detect=list)
    >>> round(Bleu().score_statistics(Bleu().statistics(batch)).value, 2)
    32.16
    """

    name: ClassVar[str] = "bleu"
    with_references: ClassVar[bool] = True
    columns: ClassVar[tuple[Column, ...]] = (
        Column("bleu", "BLEU", meaning="n-grams that a text shares with its references, up to 100"),
    )

    def __init__(self, *, lowercase: bool = False):
        self.lowercase = lowercase
        self._bleu = import_extra("BLEU", "sacrebleu.metrics", extra="bleu").BLEU(
            lowercase=lowercase, effective_order=True
        )

    def texts(self, texts: Sequence[str]) -> Sequence[str]:
        """Return the texts as they are scored."""
        return texts

    def references(self, example: Example) -> list[str]:
        """Return the references of an example, as the text is compared with them."""
        return [reference.text for reference in example.references]

    def signature(self) -> Signature:
        """Return every setting that can change a number."""
        return Signature.of(
            {
                "esascore": __version__,
                "case": "lc" if self.lowercase else "mixed",
                "tok": "13a",
                "smooth": _SMOOTHING,
                "sacrebleu": str(import_extra("BLEU", "sacrebleu", extra="bleu").__version__),
            }
        )

    def statistics(self, batch: Batch) -> Statistics:
        """Return per text: length, length of the closest reference, matches, n-grams."""
        rows = np.full((len(batch), 2 + 2 * _ORDER), np.nan)
        for row, text, example in zip(rows, self.texts(batch.texts), batch.examples, strict=True):
            references = self.references(example)
            if references:
                found = self._bleu.sentence_score(text, references)
                row[:] = [found.sys_len, found.ref_len, *found.counts, *found.totals]
        return rows

    def figures(self, sums: NDArray[Any]) -> dict[str, NDArray[np.float64]]:
        """BLEU; 0 where an order has no n-gram."""
        floats = np.asarray(sums, np.float64)
        return {self.name: np.where((floats[..., -_ORDER:] == 0).any(axis=-1), 0.0, 1.0) * _bleu(floats)}

    def segment_scores(self, statistics: Statistics) -> list[float | None]:
        """BLEU of each text, over the orders that it has."""
        return listed(_bleu(self.summands(statistics)))


def _bleu(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """BLEU of sums over the orders that have n-grams; NaN if no text has a reference."""
    defined, length, reference = np.moveaxis(sums[..., :3], -1, 0)
    matches, ngrams = sums[..., 3 : 3 + _ORDER], sums[..., 3 + _ORDER :]
    # Exponential smoothing: the k-th order without a match gets 1 / 2**k of a match.
    missing = (matches == 0) & (ngrams > 0)
    counted = np.where(missing, 0.5 ** np.cumsum(missing, axis=-1), matches)
    precisions = 100.0 * counted / np.maximum(ngrams, 1)
    shortness = np.where(length < reference, 1.0 - reference / np.maximum(length, 1), 0.0)
    # Functions of Python, as sacrebleu uses them: those of NumPy differ in the last bit from CPU to CPU.
    with np.errstate(invalid="ignore"):  # what Python leaves in the processor's flags means nothing
        means = np.frompyfunc(_geometric_mean, _ORDER, 1)(*np.moveaxis(precisions, -1, 0))
        score = np.asarray(np.frompyfunc(exp, 1, 1)(shortness) * means, np.float64)
    return np.where(defined > 0, np.where((matches > 0).any(axis=-1), score, 0.0), np.nan)


def _geometric_mean(*precisions: float) -> float:
    """Return the geometric mean of the precisions of orders that have n-grams: the others are 0."""
    logarithms = [log(precision) for precision in precisions if precision > 0]
    return exp(sum(logarithms) / len(logarithms)) if logarithms else 0.0


def tokenizer_13a() -> Callable[[str], str]:
    """Return the tokenizer 13a of sacrebleu.

    Examples
    --------
    >>> tokenizer_13a()("Hello, world.")
    'Hello , world .'
    """
    import_extra("The tokenizer 13a", "sacrebleu", extra="bleu")
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    tokenizer: Callable[[str], str] = Tokenizer13a()  # type: ignore[no-untyped-call]
    return tokenizer


class BleuT(Bleu):
    """BLEU where an n-gram may also match a value of the table (Dhingra et al. 2019, section 5.3).

    Each distinct value (a graph's subjects and objects with spaces for underscores, a table's highlighted
    cells) is a reference of its own. A text without any other reference has no score.

    Examples
    --------
    >>> from esascore.metrics.base import Batch
    >>> from esascore.model import Graph, Reference
    >>> graph = Graph.from_triples([("Bionico", "region", "Guadalajara,_Jalisco,_Mexico")])
    >>> example = Example("Id1", graph, (Reference("Id1", "Bionico is from Jalisco."),))
    >>> batch = Batch([example], ["Bionico is from Guadalajara, Jalisco, Mexico."], detect=list)
    >>> [round(m.segment_scores(m.statistics(batch))[0], 1) for m in (Bleu(), BleuT())]
    [20.2, 61.5]
    """

    name: ClassVar[str] = "bleu-t"
    columns: ClassVar[tuple[Column, ...]] = (
        Column(
            "bleu-t",
            "BLEU-T",
            meaning="n-grams that a text shares with its references, as ToTTo counts them, up to 100",
        ),
    )

    def references(self, example: Example) -> list[str]:
        """Return the references of an example and, if there are any, the values of its input."""
        references = super().references(example)
        if not references:
            return []
        return [*references, *(entity.term.replace("_", " ") for entity in example.input.entities)]

    def signature(self) -> Signature:
        """Return every setting that can change a number."""
        return Signature.of({**dict(super().signature().parts), "values": "each"})
