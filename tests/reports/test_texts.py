"""One text in JSON, on a terminal and in notebooks, with what comes nearest to what it lacks; tables."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from esascore.claims.hallucinations import Hallucination
from esascore.model import Cell, Detection, Example, Graph, Input, Mention, Reference
from esascore.reports import notebook
from esascore.reports.jsontext import to_json
from esascore.reports.lines import detection_lines, segment_lines
from esascore.reports.nearest import FARTHEST, Nearest, nearest_spans
from esascore.reports.spans import as_lines
from esascore.reports.table_html import table_page
from esascore.run.scored import Scored, SystemScores


def test_detections_in_the_agreed_form():
    text, city = "Abilene, Texas has it.", "Abilene,_Texas"
    mention = Mention(city, 0, 14, "Abilene, Texas", "string", 0.0, "abilene texas")
    pronoun = Mention("Airport", 18, 20, "it", "pronoun")
    found = Detection(text, ("Airport", city), (mention, pronoun), ("Airport",))
    example = Example("a/Id1", Input.from_triples([("Airport", "city", city)]))
    system = SystemScores("x", [text], {}, [found])
    (line,) = detection_lines(Scored([example], (), (system,)), [system])
    assert line.endswith("}\n")
    names = ("entity", "start", "end", "text", "method", "distance")
    mentions = [(city, 0, 14, "Abilene, Texas", "string", 0.0), ("Airport", 18, 20, "it", "pronoun", None)]
    assert json.loads(line) == {
        "id": "a/Id1",
        "text": text,
        "entities": ["Airport", city],
        "esa": 0.5,
        "undetected": ["Airport"],
        "missing": [{"attribute": "", "subject": "Airport", "value": "Airport"}],
        "mentions": [dict(zip(names, values, strict=True)) for values in mentions],
        "language": "en",
    }


def test_segments_system_by_system(score):
    scored = score([("ab", None), ("", None)], {"x": ["a", "a"], "y": ["null", "a"]})
    assert [json.loads(line) for line in segment_lines(scored)] == [
        {"system": "x", "id": "Id1", "scores": {"esa": 0.5}},
        {"system": "x", "id": "Id2", "scores": {"esa": None}},
        {"system": "y", "id": "Id1", "scores": {"esa": 0.0}},
        {"system": "y", "id": "Id2", "scores": {"esa": None}},
    ]


@given(st.recursive(st.text() | st.floats(allow_nan=False, allow_infinity=False) | st.none(), st.lists))
def test_json_is_lossless_on_one_line_that_utf8_can_hold(value):
    line = to_json(value)
    assert json.loads(line.encode().decode()) == value
    assert len(line.splitlines()) == 1


def test_json_has_no_nan():
    with pytest.raises(ValueError, match="JSON compliant"):
        to_json(float("nan"))


def asked(text, *terms, mentions=(), missing=None):
    graph = Graph.from_triples([(term, "is", term) for term in terms])
    return graph, Detection(text, terms, tuple(mentions), terms if missing is None else missing)


def near(*pair):
    graph, found = pair
    (result,) = nearest_spans([graph], [found])
    return {one.entity: (found.text[one.start : one.end], round(one.distance, 3)) for one in result}


def test_the_nearest_run_of_words_and_its_distance():
    # "kestral arena" is one edit from "kestrel arena", 13 characters.
    found = near(*asked("We saw the Kestral Arena, yes.", "Kestrel_Arena", "Quux"))
    assert found == {"Kestrel_Arena": ("Kestral Arena,", 0.077)}


def test_parentheses_and_what_follows_a_comma_are_tried_without():
    found = near(*asked("Phobbos is near Abilen.", "Phobos_(moon)", "Abilene,_Texas"))
    assert found == {"Phobos_(moon)": ("Phobbos", 0.143), "Abilene,_Texas": ("Abilen.", 0.143)}


def test_it_tells_what_the_span_was_taken_for():
    mention = Mention("Trondheim", 0, 9, "Trondheim", "string", 0.0, "Trondheim")
    terms = "Trondheim", "Trondheims"
    graph, found = asked("Trondheim is large.", *terms, mentions=[mention], missing=terms[1:])
    ((one,),) = nearest_spans([graph], [found])
    assert (one.entity, one.taken, one.variant) == ("Trondheims", "Trondheim", "Trondheims")


def test_found_entities_and_texts_without_words_have_none():
    found = asked("Mexico", "Mexico", missing=())
    blank = [asked(text, "Mexico") for text in ("", "  ", "!?")]
    graphs, detections = zip(found, *blank, strict=True)
    assert nearest_spans(graphs, detections) == [(), (), (), ()]


words = st.lists(st.sampled_from(["oslo", "arena", "kestrel", "of", "norway", "arenas", "x"]), max_size=7)


@settings(deadline=None, max_examples=60)
@given(words, st.lists(words.filter(bool), min_size=1, max_size=3, unique_by=tuple))
def test_it_agrees_with_comparing_every_run(text, names):
    terms = tuple("_".join(name) for name in names)
    found = near(*asked(" ".join(text), *terms))
    longest = max(len(name) for name in names) + 1
    runs = {
        " ".join(text[a:b]) for a in range(len(text)) for b in range(a + 1, min(a + longest, len(text)) + 1)
    }
    for term in terms:
        name = re.sub("_", " ", term)
        best = min((Levenshtein.normalized_distance(name, run) for run in runs), default=1.0)
        if best <= FARTHEST:
            assert found[term][1] == round(best, 3)
            assert found[term][0] in runs
        else:
            assert term not in found


SAID = "Oslo is big. It rains."
SHOWN = Detection(
    SAID,
    ("Oslo", "Bergen"),
    (Mention("Oslo", 0, 4, "Oslo", "string", 0.0, "Oslo"), Mention("Oslo", 13, 15, "It", "pronoun")),
    ("Bergen",),
)


def test_brackets_for_names_and_parentheses_for_anaphora():
    assert as_lines(SHOWN) == [
        "[Oslo]#1 is big. (It)#1 rains.",
        "  #1 Oslo: found",
        "  #2 Bergen: not found",
        "ESA 0.50",
    ]


def test_the_nearest_span_says_why():
    near = [Nearest("Bergen", 8, 12, 0.5, "Bergen", "Oslo")]
    told = '  #2 Bergen: not found, nearest is "big." at distance 0.50, which stands for Oslo'
    assert as_lines(SHOWN, near)[2] == told


def test_colours():
    lines = as_lines(SHOWN, coloured=True)
    number = "\x1b[2m#1\x1b[0m"
    assert lines[0] == f"\x1b[1;4;34mOslo\x1b[0m{number} is big. \x1b[3;4;34mIt\x1b[0m{number} rains."
    assert lines[2].startswith("\x1b[31m")


def test_control_characters_of_texts_and_names_do_nothing():
    text = "\x1b[2JOslo\u202e"
    mention = Mention("\x1b]0;x\x07", 4, 8, "Oslo", "string", 0.0, "Oslo")
    lines = as_lines(Detection(text, (mention.entity, "\x9b1m"), (mention,), ("\x9b1m",)))
    assert lines[0] == "\\x1b[2J[Oslo]#1\\u202e"
    assert not any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or c == "\u202e" for line in lines for c in line)


def test_mentions_that_overlap_are_shown_once():
    mentions = (Mention("a", 0, 6, "abcdef", "string"), Mention("b", 2, 4, "cd", "string"))
    assert as_lines(Detection("abcdef.", ("a", "b"), mentions, ()))[0] == "[abcdef]#1."


def test_blank_and_undefined():
    assert as_lines(Detection("", (), (), ())) == ["(blank)", "ESA undefined"]


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
        if tag not in VOID:
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
    assert found.seen == judged.seen
