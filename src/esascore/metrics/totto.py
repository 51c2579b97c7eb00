"""PARENT-T and BLEU for ToTTo, as its authors' scripts compute them (Parikh et al. 2020, appendix A.1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Literal, get_args

from esascore.errors import DataError, import_extra
from esascore.metrics._parent import Instance, scores_of
from esascore.metrics.base import Batch, Column, Signature, Statistics
from esascore.metrics.bleu import Bleu, tokenizer_13a
from esascore.metrics.parent import Parent, _one_of, _refuse, columns_of
from esascore.model import Example

RecallTable = Literal["scripts", "paper"]
NULL = "<null>"
"""What the scripts use for a blank text or a missing reference."""

_REFERENCES = 3
_PLAIN = re.compile(r"[A-Za-z0-9 ]*", re.ASCII)
_CACHE = 2**17


class ParentT(Parent):
    """PARENT for tables of which some cells are highlighted.

    Words of the whole table, of page title, section title and section text are entailed; recall looks only
    at what should be mentioned.

    Parameters
    ----------
    recall_table
        ``"scripts"``: highlighted cells, page title and section title should be mentioned, as in the authors'
        published evaluation. ``"paper"``: highlighted cells alone, as their appendix says.
    lambda_weight
        As for `Parent`; the heuristic unless told otherwise.
    **options
        ``smoothing``, ``max_order``, ``multi_ref`` and ``threads`` of `Parent`.

    Notes
    -----
    ``|`` becomes ``-``; texts are lower-cased, detokenised as Moses does it, and split by sacrebleu's 13a. A
    blank text becomes ``<null>``, and so does each reference that is missing up to three. A text without any
    reference has no score.

    Examples
    --------
    >>> from esascore.model import Cell, Input, Reference
    >>> table = Input.from_table((Cell("Paris"), Cell("Rome", highlighted=False)), title="Towns")
    >>> example = Example("1", table, (Reference("Id1", "Paris is among the towns ."),))
    >>> batch = Batch([example], ["Paris is one of the towns."], detect=list)
    >>> metric = ParentT()
    >>> round(metric.score_statistics(metric.statistics(batch)).value, 3)
    0.371
    """

    name: ClassVar[str] = "parent-t"
    columns: ClassVar[tuple[Column, ...]] = columns_of("parent-t", "PARENT-T")
    _options: ClassVar[tuple[str, ...]] = ("recall_table", "lambda_weight", "multi_ref")

    def __init__(
        self, recall_table: RecallTable = "scripts", lambda_weight: float | None = None, **options: Any
    ):
        _refuse(options, "attributes", "entailment", "tokenizer", "lowercase")
        _one_of("recall_table", recall_table, get_args(RecallTable))
        super().__init__(lambda_weight, **options)
        self.recall_table: str = recall_table
        self._tokenize = prepared()

    def statistics(self, batch: Batch) -> Statistics:
        """Return per text precision, recall and F."""
        pairs = zip(batch.examples, batch.texts, strict=True)
        instances = (self._table_instance(example, text) for example, text in pairs)
        return scores_of(instances, self._hooks(), self.settings)

    def signature(self) -> Signature:
        """Return every setting that can change a number."""
        parts = dict(super().signature().parts)
        return Signature.of({**parts, "tok": "moses-detok+13a", "recall": self.recall_table})

    def _table_instance(self, example: Example, text: str) -> Instance:
        table = example.input.table
        if table is None:
            raise DataError(
                f"parent-t needs tables with highlighted cells, and example {example.id!r} has none"
            )
        values = [cell.value for cell in table.cells if cell.highlighted]
        titles = [table.title, table.section_title]
        if self.recall_table == "scripts":
            values += titles
        lexical = [*(cell.value for cell in table.cells), *titles, table.section_text]
        strings = [[value.replace("|", "-") for value in some if value.strip()] for some in (values, lexical)]
        return self._tokenised(Instance(text.strip() or NULL, three_references(example), *strings))


class TottoParentT(ParentT):
    """PARENT-T as ToTTo's scripts print it: figures are multiplied by 100."""

    scale: ClassVar[float] = 100.0


class TottoBleu(Bleu):
    """BLEU of texts prepared as ToTTo's scripts do it: lower case, Moses detokenisation, ``<null>``."""

    def __init__(self) -> None:
        super().__init__()
        self._prepare = detokenized()

    def texts(self, texts: Sequence[str]) -> Sequence[str]:
        """Return the texts as they are scored."""
        return [self._prepare(text.strip() or NULL) for text in texts]

    def references(self, example: Example) -> list[str]:
        """Return three references, or an empty list if the example has none."""
        return [self._prepare(reference) for reference in three_references(example)]

    def signature(self) -> Signature:
        """Return every setting that can change a number."""
        return Signature.of({**dict(super().signature().parts), "case": "lc", "prepared": "totto"})


def three_references(example: Example) -> list[str]:
    """Return the references of an example, with ``<null>`` for each that is missing; none where all are."""
    references = [reference.text for reference in example.references]
    return references + [NULL] * (_REFERENCES - len(references)) if references else []


def detokenized() -> Callable[[str], str]:
    """Make the function that lower-cases a text and detokenises it as Moses does.

    Examples
    --------
    >>> detokenized()("The Joneses ' house , 8 . 5 m")
    "the joneses' house, 8. 5 m"
    """
    sacremoses = import_extra("ToTTo's evaluation", "sacremoses", extra="bleu")
    detokenize = sacremoses.MosesDetokenizer(lang="en").detokenize

    def prepare(text: str) -> str:
        lowered = text.lower()
        if _PLAIN.fullmatch(lowered):
            return " ".join(lowered.split())  # most cells: nothing to detokenise, and a hundred times faster
        return str(detokenize(lowered.split()))

    return prepare


def prepared() -> Callable[[str], str]:
    """Make the function that turns a text into tokens, separated by spaces; it remembers what it did.

    Examples
    --------
    >>> prepared()("Joneses ' house , 8.5 m")
    "joneses' house , 8.5 m"
    """
    detokenize, tokenize = detokenized(), tokenizer_13a()

    @lru_cache(_CACHE)
    def prepare(text: str) -> str:
        lowered = text.lower()
        if _PLAIN.fullmatch(lowered):
            return " ".join(lowered.split())
        return tokenize(detokenize(lowered).lower())

    return prepare
