from __future__ import annotations

import re
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from esascore.claims.hallucinations import Hallucination
from esascore.model import Detection, Mention
from esascore.reports import notebook
from esascore.reports.nearest import Nearest

TEXT = "Oslo is big.\nIt rains in Rome."
FOUND = Detection(
    TEXT,
    ("Oslo", "Bergen_city"),
    (Mention("Oslo", 0, 4, "Oslo", "string", 0.0, "Oslo"), Mention("Oslo", 13, 15, "It", "pronoun")),
    ("Bergen_city",),
)
ROME = Hallucination(25, 29, "Rome", "name", "addition", None, None, 0.9, reason="it is written like a name")
VOID = {"br", "meta"}


class Reader(HTMLParser):
    """Reads elements, checks that they are closed, and keeps the texts of the class ``text``."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[tuple[str, str]] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append((tag, str(dict(attrs).get("class"))))
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        classes = [one for _, one in self.open]
        if "text" in classes and "number" not in classes and "blank" not in classes:
            self.text += data


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert not reader.open
    return reader


def test_one_text():
    html = notebook.card(
        FOUND, [ROME], [Nearest("Bergen_city", 8, 12, 0.5, "Bergen city")], system="s", id_="Id1"
    )
    assert '<mark class="span e0" title="Oslo (found by: string)">Oslo<span class="number"' in html
    assert '<mark class="span e0 anaphor" title="Oslo (found by: pronoun)">It' in html
    assert '<mark class="span flag" title="addition: it is written like a name">Rome' in html
    assert "<b>Bergen_city</b>: nearest is &quot;big.&quot; at distance 0.50" in html
    assert "<b>Rome</b>: addition, it is written like a name" in html
    assert "ESA <b>0.50</b>" in html
    assert read(html).text == TEXT


def test_a_flag_over_a_mention():
    long = Hallucination(8, 15, TEXT[8:15], "name", "inaccurate", None, "Oslo", 0.5)
    html = notebook.card(FOUND, [long])
    assert '<mark class="span flag" title="inaccurate: ">big.' in html
    assert '<mark class="span e0 anaphor flag"' in html
    assert read(html).text == TEXT


def test_nothing_found():
    html = notebook.card(Detection("", (), (), ()))
    assert "(blank)" in html
    assert "ESA <b>undefined</b>" in html


HOSTILE = "\"><script>alert(1)</script><img src=x onerror=alert(1)>&'\x1b\u202e"


def test_nothing_that_comes_from_files_is_markup():
    mention = Mention(HOSTILE, 0, 3, HOSTILE[:3], HOSTILE, 0.0, HOSTILE)
    flag = Hallucination(4, 8, HOSTILE, "name", "addition", HOSTILE, HOSTILE, 0.5, HOSTILE, HOSTILE)
    found = Detection(HOSTILE, (HOSTILE, HOSTILE + "2"), (mention,), (HOSTILE + "2",))
    html = notebook.page(notebook.card(found, [flag], system=HOSTILE, id_=HOSTILE))
    tags = {tag for tag, _ in read(html).seen}
    assert tags <= {"style", "div", "article", "header", "b", "span", "p", "mark", "ul", "li"}
    assert not any(
        name.startswith("on") or name in ("src", "href") for _, own in read(html).seen for name in own
    )
    assert not set(html) & {"\x1b", "\u202e"}


@given(
    st.text(st.characters(exclude_categories=["Cs", "Cc", "Cf", "Zl", "Zp", "Co", "Cn"]), max_size=40),
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=6),
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=4),
)
def test_any_spans_leave_the_text_as_it_is(text, named, flagged):
    def within(pairs):
        return [(min(a, b), max(a, b)) for a, b in pairs if max(a, b) <= len(text) and a != b]

    mentions = tuple(Mention("E", a, b, text[a:b], "string") for a, b in within(named))
    flags = [Hallucination(a, b, text[a:b], "name", "addition", None, None, 0.5) for a, b in within(flagged)]
    shown = read(notebook.card(Detection(text, ("E",), mentions, ()), flags))
    assert shown.text.removesuffix("(blank)") == text


def test_the_style_touches_nothing_else_and_loads_nothing():
    html = notebook.page()
    style = html.partition("<style>")[2].partition("</style>")[0]
    assert "url(" not in style
    assert "@import" not in style
    bare = re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)
    for selectors in re.findall(r"([^{}]+)\{[^{}]*\}", bare):
        for one in selectors.split(","):
            assert one.strip().startswith(".esascore"), one
    assert {f".esascore .e{n}" for n in range(8)} <= {one.strip() for one in re.findall(r"([^{}]+)\{", bare)}
