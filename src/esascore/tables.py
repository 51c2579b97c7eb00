"""Tables: their cells as facts, and which of them a text should mention."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from esascore.data import EVERY, Entity, Fact, Subject, Triple, dotted, matches, naming_key, type_of_term


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table; ``attribute`` is its header (or the attribute of a record)."""

    value: str
    attribute: str = ""
    highlighted: bool = True
    is_header: bool = False
    row: int = 0
    column: int = 0
    row_span: int = 1
    column_span: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    """A table or a list of attribute-value records; its entities are the highlighted cells' values.

    The header, name, date or first cell of a row of several cells says what it is about; cells in rows of
    their own are the attributes of one record.

    Examples
    --------
    >>> Table((Cell("Paris", "city"), Cell("2.1 million", "population"))).entities[1].object_of
    ('population',)
    >>> own = Table((Cell("Ann", "player"), Cell("7", "goals", column=1)))
    >>> [(fact.subject, fact.path, fact.value) for fact in own.facts]
    [('Ann', 'goals', '7')]
    """

    cells: tuple[Cell, ...]
    title: str = ""
    section_title: str = ""
    section_text: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", tuple(self.cells))  # a list has no hash

    @property
    def size(self) -> int:
        """How many cells there are."""
        return len(self.cells)

    @property
    def unknown(self) -> tuple[tuple[str, str], ...]:
        """Nothing: unknown values are simply absent."""
        return ()

    @property
    def shape(self) -> frozenset[str]:
        """The same for all tables."""
        return frozenset({"(table)"})

    @property
    def titles(self) -> tuple[str, ...]:
        """The titles of page and section, and the text around the table."""
        return tuple(filter(None, (self.title, self.section_title, self.section_text)))

    @property
    def root(self) -> str | None:
        """Always None: a table does not say what it is about in the way a graph does."""
        return None

    @property
    def triples(self) -> tuple[Triple, ...]:
        """Nothing: metrics of triples are not defined for tables."""
        return ()

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Each cell except those that name a row; a text need not say cells that are not highlighted."""
        return tuple(
            Fact(
                own.name if own else "",
                own.owner if own else "",
                cell.attribute,
                cell.value,
                type_of_term(cell.value),
                optional=not cell.highlighted,
                key=dotted(cell.attribute),
                spot=f"/{cell.row}/{cell.attribute}",
            )
            for own, cells in self._rows()
            for cell in cells
        )

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """The subjects of the rows."""
        return tuple(own for own, _ in self._rows() if own is not None)

    @property
    def entities(self) -> tuple[Entity, ...]:
        """The distinct values of highlighted cells, with all their headers."""
        found: dict[str, dict[str, None]] = {}
        for cell in self.cells:
            if cell.highlighted and cell.value:
                found.setdefault(cell.value, {}).update({cell.attribute: None} if cell.attribute else {})
        return tuple(
            Entity(term, (), tuple(attributes), type_of_term(term)) for term, attributes in found.items()
        )

    def chosen(self, optional: Sequence[str] = (), ignored: Sequence[str] = ()) -> Table:
        """Return the table without the cells of ignored headers; optional ones are not highlighted."""
        cells = tuple(
            replace(cell, highlighted=cell.highlighted and not matches(optional, cell.attribute))
            for cell in self.cells
            if not matches(ignored, cell.attribute)
        )
        return replace(self, cells=cells)

    def _rows(self) -> Iterator[tuple[Subject | None, list[Cell]]]:
        """Yield the cells that are about one thing, with its name."""
        is_grid = any(cell.column for cell in self.cells)
        rows: dict[int, list[Cell]] = {}
        for cell in self.cells:
            if cell.value:
                rows.setdefault(cell.row if is_grid else 0, []).append(cell)
        for number, row in rows.items():
            named = _naming(row, is_grid)
            if named is None:
                yield None, row
                continue
            owner, kind = (f"/{number}", EVERY) if is_grid else ("/", "")
            own = Subject(named.value, owner, kind, "", named.attribute, type_of_term(named.value))
            yield own, [cell for cell in row if cell is not named]


def _naming(row: Sequence[Cell], is_grid: bool) -> Cell | None:
    """Return the cell that says what the others of a row are about: a header, a name, a date, the first."""
    headers = [cell for cell in row if cell.is_header]
    if headers:
        return headers[0] if len(headers) < len(row) else None
    key = naming_key({cell.attribute: cell.value for cell in reversed(row)})
    if key is not None:
        return next(cell for cell in row if cell.attribute == key)
    first = row[0]
    return first if is_grid and len(row) > 1 and type_of_term(first.value) in ("name", "text") else None
