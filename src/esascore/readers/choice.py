"""What of an input counts: attributes that a user leaves out, or says that texts need not mention."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from esascore.data import matches
from esascore.errors import UsageError
from esascore.model import Example, Graph, Input, Table


@dataclass(frozen=True, slots=True)
class Choice:
    """Patterns of attribute paths, in which ``*`` stands for anything (`esascore.data.matches`).

    ``optional`` attributes explain what a text says but are never missing; ``ignored`` ones do neither. For
    triples the path is the property, for records and tables the attribute.

    Examples
    --------
    >>> graph = Graph.from_triples([("Ada", "birthPlace", "London"), ("Ada", "wikiPageId", "12")])
    >>> chosen = Choice(optional=("birth*",), ignored=("*Id",)).of(Example("Id1", graph))
    >>> [(entity.term, entity.optional) for entity in chosen.input.entities], chosen.size
    ([('Ada', False), ('London', True)], 1)
    """

    optional: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()

    def of(self, example: Example) -> Example:
        """Return an example whose input is what counts of it."""
        if not self.optional and not self.ignored:
            return example
        chosen, size = self._input(example.input)
        return replace(example, input=chosen, size=size)

    def check(self, paths: Sequence[str]) -> None:
        """Refuse a pattern that fits none of the paths of a corpus.

        Raises
        ------
        UsageError
            There is one; most likely it is misspelt.
        """
        for name, patterns in (("optional", self.optional), ("ignore", self.ignored)):
            for pattern in patterns:
                if not any(matches([pattern], path) for path in paths):
                    some = ", ".join(paths[:_LISTED]) + (", ..." if len(paths) > _LISTED else "")
                    raise UsageError(f"--{name} {pattern!r} fits no attribute; the corpus has: {some}")

    def _input(self, input_: Input) -> tuple[Input, int]:
        if isinstance(input_, Table):
            kept = [cell for cell in input_.cells if not matches(self.ignored, cell.attribute)]
            cells = tuple(
                replace(cell, highlighted=cell.highlighted and not matches(self.optional, cell.attribute))
                for cell in kept
            )
            return replace(input_, cells=cells), len(cells)
        if input_.data is not None:
            graph = Graph.from_data(input_.data.chosen(self.optional, self.ignored), input_.category)
            return graph, graph.size
        triples = tuple(t for t in input_.triples if not matches(self.ignored, t.predicate))
        soft = frozenset(t.predicate for t in triples if matches(self.optional, t.predicate))
        return Graph(triples, input_.category, optional=soft), len(triples)


def paths_of(input_: Input) -> Iterator[str]:
    """Yield the attribute paths of an input, those that name its subjects included."""
    if isinstance(input_, Table):
        yield from (cell.attribute for cell in input_.cells if cell.attribute)
    elif input_.data is not None:
        yield from (subject.path for subject in input_.data.subjects)
        yield from (fact.path for fact in input_.data.facts)
    else:
        yield from (triple.predicate for triple in input_.triples)


_LISTED = 20
