"""The attributes of an input that count: some are left out, others need not be mentioned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from esascore.data import matches
from esascore.errors import UsageError
from esascore.model import Example, Input


@dataclass(frozen=True, slots=True)
class Choice:
    """Patterns of attribute paths, in which ``*`` stands for anything (`esascore.data.matches`).

    ``optional`` attributes explain what a text says but are never missing; ``ignored`` ones do neither. For
    triples the path is the property, for records and tables the attribute.

    Examples
    --------
    >>> ada = Input.from_triples([("Ada", "birthPlace", "London"), ("Ada", "wikiPageId", "12")])
    >>> chosen = Choice(optional=("birth*",), ignored=("*Id",)).of(Example("Id1", ada))
    >>> [(entity.term, entity.optional) for entity in chosen.input.entities], chosen.size
    ([('Ada', False), ('London', True)], 1)
    """

    optional: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()

    def of(self, example: Example) -> Example:
        """Return an example without the ignored attributes of its input."""
        if not self.optional and not self.ignored:
            return example
        chosen = replace(example.input, given=example.input.given.chosen(self.optional, self.ignored))
        return replace(example, input=chosen, size=chosen.size)

    def check(self, paths: Sequence[str]) -> None:
        """Reject a pattern that matches none of the paths of a corpus.

        Raises
        ------
        UsageError
            There is such a pattern; most likely it is misspelt.
        """
        for name, patterns in (("optional", self.optional), ("ignore", self.ignored)):
            for pattern in patterns:
                if not any(matches([pattern], path) for path in paths):
                    some = ", ".join(paths[:_LISTED]) + (", ..." if len(paths) > _LISTED else "")
                    raise UsageError(f"--{name} {pattern!r} fits no attribute; the corpus has: {some}")


def paths_of(input_: Input) -> Iterator[str]:
    """Yield the attribute paths of an input, those that name its subjects included."""
    yield from filter(None, [subject.path for subject in input_.subjects])
    yield from filter(None, [fact.path for fact in input_.facts])


_LISTED = 20
