"""Tables as a web page: spans, headers, highlighted cells, references and the generated text.

Everything that comes from files is escaped; the page loads nothing from elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby
from string import Template

from esascore.model import Cell, Example
from esascore.reports.html.site import asset


def table_page(pairs: Iterable[tuple[Example, str | None]], title: str) -> Iterator[str]:
    """Yield the pieces of a page with one section per example and its generated text, if there is one.

    Examples
    --------
    >>> from esascore.model import Input
    >>> cells = Cell("<b>", is_header=True, highlighted=False), Cell("Paris", row=1)
    >>> example = Example("1", Input.from_table(cells, title="A & B"))
    >>> page = "".join(table_page([(example, "In Paris.")], "Towns"))
    >>> '<th>&lt;b&gt;</th>' in page, '<td class="marked">Paris</td>' in page, "A &amp; B" in page
    (True, True, True)
    """
    head, tail = asset("tables.html").split("$sections")
    yield Template(head).substitute(title=escape(title))
    for example, text in pairs:
        yield from _section(example, text)
    yield tail


def _section(example: Example, text: str | None) -> Iterator[str]:
    table = example.input.table
    heading = "" if table is None else table.title
    yield f"<section>\n<h2>{escape(heading)} <small>{escape(example.id)}</small></h2>\n"
    if text is not None:
        yield f'<p class="text">{escape(text) or "<em>no text</em>"}</p>\n'
    if table is not None:
        if table.section_title:
            yield f"<p><strong>{escape(table.section_title)}</strong></p>\n"
        if table.section_text:
            yield f"<p>{escape(table.section_text)}</p>\n"
        yield '<div class="scroll"><table>\n'
        for _, row in groupby(table.cells, lambda cell: cell.row):
            yield "<tr>" + "".join(map(_cell, row)) + "</tr>\n"
        yield "</table></div>\n"
    if example.references:
        yield "<dl>\n<dt>References</dt>\n"
        for reference in example.references:
            yield f"<dd>{escape(reference.text)}</dd>\n"
        yield "</dl>\n"
    yield "</section>\n"


def _cell(cell: Cell) -> str:
    name = "th" if cell.is_header else "td"
    marks = ' class="marked"' if cell.highlighted else ""
    if cell.column_span > 1:
        marks += f' colspan="{cell.column_span}"'
    if cell.row_span > 1:
        marks += f' rowspan="{cell.row_span}"'
    return f"<{name}{marks}>{escape(cell.value)}</{name}>"
