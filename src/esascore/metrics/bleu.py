"""BLEU, as sacrebleu computes it, through the seam that all metrics share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from esascore._version import __version__
from esascore.errors import MissingExtraError
from esascore.metrics.base import Batch, Column, Metric, Score, Signature, Statistics
from esascore.model import Example

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ORDER = 4
_SMOOTHING = "exp"


@dataclass(frozen=True, slots=True)
class CountSums:
    """Column sums of whole numbers, and how many rows they are of."""

    sums: tuple[int, ...]
    texts: int

    def __add__(self, other: CountSums) -> CountSums:
        sums = tuple(a + b for a, b in zip(self.sums, other.sums, strict=True))
        return CountSums(sums, self.texts + other.texts)


class Bleu(Metric[CountSums]):
    """BLEU of sacrebleu: 13a tokens, case kept unless told otherwise, exponential smoothing.

    Parameters
    ----------
    lowercase
        Whether case is ignored.

    Notes
    -----
    The statistics of a text are whether it is defined (has a reference), the length of the text and of the
    closest reference, and the matching and all n-grams of orders 1 to 4; the corpus score is that of their
    sums. A text alone is scored over the orders that it has, as sacrebleu scores sentences.

    Examples
    --------
    >>> from esascore.model import Graph, Reference
    >>> example = Example("Id1", Graph(()), (Reference("Id1", "Bionico is a dish from Mexico."),))
    >>> batch = Batch([example], ["Bionico is food from Mexico."], detect=list)
    >>> round(Bleu().score_statistics(Bleu().statistics(batch)).value, 2)
    32.16
    """

    name: ClassVar[str] = "bleu"
    columns: ClassVar[tuple[Column, ...]] = (Column("bleu", "BLEU", "BLEU"),)

    def __init__(self, *, lowercase: bool = False):
        self.lowercase = lowercase
        self._bleu = _sacrebleu("BLEU").metrics.BLEU(lowercase=lowercase, effective_order=True)

    def texts(self, texts: Sequence[str]) -> Sequence[str]:
        """The texts as they are scored."""
        return texts

    def references(self, example: Example) -> list[str]:
        """The references of an example, as the text is compared with them."""
        return [reference.text for reference in example.references]

    def signature(self) -> Signature:
        """Every setting that can change a number."""
        return Signature.of(
            {
                "esascore": __version__,
                "case": "lc" if self.lowercase else "mixed",
                "tok": "13a",
                "smooth": _SMOOTHING,
                "sacrebleu": str(_sacrebleu("BLEU").__version__),
            }
        )

    def statistics(self, batch: Batch) -> Statistics:
        """Per text: 1 if it has a reference, length, length of the closest reference, matches, n-grams."""
        import numpy as np

        rows = np.zeros((len(batch), 3 + 2 * _ORDER), np.int64)
        for row, text, example in zip(rows, self.texts(batch.texts), batch.examples, strict=True):
            references = self.references(example)
            if references:
                found = self._bleu.sentence_score(text, references)
                row[:] = [1, found.sys_len, found.ref_len, *found.counts, *found.totals]
        return rows

    def total(self, statistics: Statistics) -> CountSums:
        """The sums of the columns."""
        return CountSums(tuple(int(total) for total in statistics.sum(axis=0)), len(statistics))

    def score_total(self, total: CountSums) -> Score:
        """BLEU, and how many texts have no reference."""
        value = self._score(total.sums, effective_order=False)
        fields = {self.name: value, f"{self.name}_undefined": total.texts - total.sums[0]}
        return Score(self.name, value, fields, self.signature())

    def segment_scores(self, statistics: Statistics) -> list[float | None]:
        """BLEU of each text, over the orders that it has."""
        return [self._score(row, effective_order=True) for row in statistics.tolist()]

    def summands(self, statistics: Statistics) -> NDArray[np.float64]:
        """The statistics themselves."""
        import numpy as np

        return statistics.astype(np.float64)

    def figures(self, sums: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
        """BLEU from weighted sums of statistics."""
        import numpy as np

        defined, system, reference = np.moveaxis(sums[..., :3], -1, 0)
        matches, ngrams = sums[..., 3 : 3 + _ORDER], sums[..., 3 + _ORDER :]
        # Exponential smoothing: the k-th order without a match gets 1 / 2**k of a match.
        missing = (matches == 0) & (ngrams > 0)
        halved = 0.5 ** np.cumsum(missing, axis=-1)
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = np.where(missing, halved, matches) / ngrams
            score = 100 * np.exp(np.log(precision).mean(axis=-1) + np.minimum(0, 1 - reference / system))
        score = np.where((ngrams > 0).all(axis=-1) & (matches > 0).any(axis=-1), score, 0.0)
        return {self.name: np.where(defined > 0, score, np.nan)}

    def _score(self, sums: Sequence[int], *, effective_order: bool) -> float | None:
        defined, system, reference, *counts = sums
        if not defined:
            return None
        found = self._bleu.compute_bleu(
            correct=list(counts[:_ORDER]),
            total=list(counts[_ORDER:]),
            sys_len=system,
            ref_len=reference,
            smooth_method=_SMOOTHING,
            effective_order=effective_order,
            max_ngram_order=_ORDER,
        )
        return float(found.score)


def tokenizer_13a() -> Callable[[str], str]:
    """The tokenizer 13a of sacrebleu.

    Examples
    --------
    >>> tokenizer_13a()("Hello, world.")
    'Hello , world .'
    """
    _sacrebleu("The tokenizer 13a")
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    tokenizer: Callable[[str], str] = Tokenizer13a()  # type: ignore[no-untyped-call]
    return tokenizer


def _sacrebleu(purpose: str) -> Any:
    try:
        import sacrebleu
        import sacrebleu.metrics
    except ImportError:
        raise MissingExtraError(purpose, package="sacrebleu", extra="bleu") from None
    return sacrebleu
