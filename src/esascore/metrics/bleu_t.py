"""BLEU-T: BLEU with the values of the table as additional references (Dhingra et al. 2019, section 5.3)."""

from __future__ import annotations

from typing import ClassVar

from esascore.metrics.base import Column, Signature
from esascore.metrics.bleu import Bleu
from esascore.model import Example


class BleuT(Bleu):
    """BLEU where an n-gram may also match a value of the table.

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
        """The references of an example and, if there are any, the values of its input."""
        references = super().references(example)
        if not references:
            return []
        return [*references, *(entity.term.replace("_", " ") for entity in example.input.entities)]

    def signature(self) -> Signature:
        """Every setting that can change a number."""
        return Signature.of({**dict(super().signature().parts), "values": "each"})
