from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from esascore.model import Cell, Example, Graph, Input, Reference
from esascore.reports.table_html import table_page


class Reader(HTMLParser):
    """Collects the tags and texts of a page."""

    def __init__(self):
        super().__init__()
        self.tags: list[tuple[str, dict]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.texts.append(data)


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    return reader


def test_spans_headers_and_highlights_are_shown():
    table = Input.from_table(
        (Cell("Year", is_header=True, highlighted=False, column_span=2), Cell("2015", row=1, row_span=3)),
        title="Plays",
    )
    page = "".join(
        table_page([(Example("7", table, (Reference("Id1", "In 2015."),)), "It was 2015.")], "dev")
    )
    assert '<th colspan="2">Year</th>' in page
    assert '<td class="marked" rowspan="3">2015</td>' in page
    assert "<dd>In 2015.</dd>" in page
    assert '<p class="text">It was 2015.</p>' in page
    assert "<em>no text</em>" in "".join(table_page([(Example("7", table), "")], "dev"))
    assert 'class="text"' not in "".join(table_page([(Example("7", Graph()), None)], "dev"))


hostile = st.text(st.sampled_from("<>&\"'`=/ab;#x"), max_size=20)


@given(texts=st.lists(hostile, min_size=8, max_size=8))
def test_nothing_from_files_becomes_markup(texts):
    value, header, title, section, prose, reference, text, name = texts
    table = Input.from_table((Cell(header, is_header=True), Cell(value, row=1)), title, section, prose)
    example = Example("<script>", table, (Reference("Id1", reference),))
    plain = Input.from_table(
        (Cell("x", is_header=True), Cell("x", row=1)), "x", section and "x", prose and "x"
    )
    expected = Example("x", plain, (Reference("Id1", "x"),))
    found = read("".join(table_page([(example, text)], name)))
    judged = read("".join(table_page([(expected, text and "x")], "x")))
    assert found.tags == judged.tags
