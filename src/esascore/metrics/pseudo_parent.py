"""PseudoPARENT: PARENT whose table is a bag of the words of an input text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

from esascore.metrics._parent import Instance
from esascore.metrics.base import Batch, Column, Detector, Statistics
from esascore.metrics.parent import Parent, TableLike, _refuse, columns_of, references_of
from esascore.metrics.parent_options import ParentOptions
from esascore.model import Example
from esascore.text.words import spaced


class PseudoParent(Parent):
    """PARENT for inputs that are plain text: every word of the input is a value of its own.

    A word is entailed where the input has it; recall against the input is the share of its words, repetitions
    counted, that the text has. All else is as in `Parent`, but a table may be one string, and is else written
    as one (see `input_text`).

    Parameters
    ----------
    lambda_weight, **options
        As for `Parent`, without ``attributes`` and ``entailment``.

    Examples
    --------
    >>> metric = PseudoParent()
    >>> inputs = ["Bionico country Mexico"]
    >>> metric.segments(["Bionico is from Mexico"], [["Bionico comes from Mexico"]], inputs).round(4).tolist()
    [[0.5, 0.0421, 0.0777]]
    """

    name: ClassVar[str] = "pseudo-parent"
    columns: ClassVar[tuple[Column, ...]] = columns_of("pseudo-parent", "PseudoPARENT")

    def __init__(self, lambda_weight: float | None = 0.5, **options: Any):
        _refuse(options, "attributes", "entailment")
        super().__init__(lambda_weight, **options)

    @classmethod
    def create(cls, detector: Detector, options: ParentOptions) -> Self:
        """Make the metric with the options that it takes."""
        return cls(**options.given())

    def statistics(self, batch: Batch) -> Statistics:
        """Per text precision, recall and F."""
        inputs = [input_text(example) for example in batch.examples]
        return self.segments(batch.texts, references_of(batch.examples), inputs)

    def _instance(
        self, text: str, references: Sequence[str], table: str | TableLike, number: int
    ) -> Instance:
        plain = super()._instance(text, references, (), number)
        source = table if isinstance(table, str) else _written(table)
        return plain._replace(values=self._tokens(source).split())

    def _model(self) -> str:
        return "input-words"


def input_text(example: Example) -> str:
    """The input as text: that of the corpus, otherwise records as ``head relation tail``, joined by spaces.

    Underscores and camel case are split.

    Examples
    --------
    >>> from esascore.model import Input
    >>> graph = Input.from_triples([("Ann_Lee", "birthPlace", '"New_Town"'), ("Ann_Lee", "isA", "USCitizen")])
    >>> input_text(Example("Id1", graph))
    'Ann Lee birth Place "New Town" Ann Lee is A US Citizen'
    """
    if example.input_text is not None:
        return example.input_text
    source = example.input
    if source.table is not None:
        return _written([(cell.attribute, cell.value) for cell in source.table.cells if cell.highlighted])
    return _written([(t.subject, t.predicate, t.object) for t in source.triples])


def _written(table: TableLike) -> str:
    joined = " ".join(part for entry in table for part in entry)
    return " ".join(spaced(joined).split())
