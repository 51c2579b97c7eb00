from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from esascore.errors import DataError
from esascore.model import Example, GoldMention, Graph, Reference, Triple
from esascore.readers.corpus import read_corpus

ENTRY = """<entry category="Bridge" eid="{eid}" size="1">
  <originaltripleset><otriple>Copper_Bridge | spans | River_Wend</otriple></originaltripleset>
  <originaltripleset><otriple>Copper_Bridge | over | River_Wend</otriple></originaltripleset>
  <modifiedtripleset>
    <mtriple>Copper_Bridge | crosses | River_Wend</mtriple>
  </modifiedtripleset>
  <lex comment="good" lid="Id1"> The Copper Bridge crosses the River Wend.
  </lex>
  <lex lang="" lid="Id2">The River Wend is crossed by &quot;Copper Bridge&quot; &amp; ferries.</lex>
</entry>
"""
ENRICHED = """<?xml version="1.0" ?>
<benchmark><entries>
<entry category="Bridge" eid="Id7" size="1">
  <modifiedtripleset><mtriple>Copper_Bridge | crosses | River_Wend</mtriple></modifiedtripleset>
  <lex comment="good" lid="Id1">
    <sortedtripleset><sentence ID="1"><striple>x | y | z</striple></sentence></sortedtripleset>
    <references>
      <reference entity="Copper_Bridge" number="1" tag="AGENT-1" type="name">The Copper Bridge</reference>
      <reference entity="River_Wend" number="2" tag="PATIENT-1" type="pronoun">it</reference>
    </references>
    <text>The Copper Bridge crosses it.</text>
    <template>AGENT-1 crosses PATIENT-1 .</template>
  </lex>
  <lex comment="bad" lid="Id2"><references/></lex>
  <entitymap><entity>AGENT-1 | Copper_Bridge</entity></entitymap>
</entry>
</entries></benchmark>
"""


def document(*entries):
    body = "".join(entries)
    return f"<?xml version='1.0' encoding='utf-8'?>\n<benchmark><entries>\n{body}</entries></benchmark>\n"


def entry(inner, eid: str = "Id1"):
    return f'<entry category="A" eid="{eid}">\n{inner}\n</entry>\n'


def triples(*texts):
    return f"<modifiedtripleset>{''.join(f'<mtriple>{t}</mtriple>' for t in texts)}</modifiedtripleset>"


def test_one_file(write):
    first, second = read_corpus(write(document(ENTRY.format(eid="Id1"), ENTRY.format(eid="Id2")), "a.xml"))
    assert first == Example(
        id="Id1",
        input=Graph.from_triples([Triple("Copper_Bridge", "crosses", "River_Wend")], "Bridge"),
        references=(
            Reference("Id1", "The Copper Bridge crosses the River Wend.", "good"),
            Reference("Id2", 'The River Wend is crossed by "Copper Bridge" & ferries.'),
        ),
        size=1,
        original=Graph.from_triples([Triple("Copper_Bridge", "spans", "River_Wend")], "Bridge"),
    )
    assert second.id == "Id2"


def test_directory_in_natural_order(tmp_path):
    names = "2triples/B.xml 10triples/A.xml 1triples/C.XML 2triples/A.xml top.xml .hidden.xml x/.y/z.xml"
    for name in names.split():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(document(ENTRY.format(eid="Id1"), ENTRY.format(eid="Id2")), encoding="utf-8")
    (tmp_path / "notes.txt").write_text("not a corpus", encoding="utf-8")
    ordered = ("1triples/C", "2triples/A", "2triples/B", "10triples/A", "top")
    assert [example.id for example in read_corpus(tmp_path)][::2] == [f"{name}/Id1" for name in ordered]


def test_annotated_mentions(write):
    path = write(ENRICHED)
    (example,) = read_corpus(path)
    bridge = GoldMention("Copper_Bridge", "The Copper Bridge", "name")
    river = GoldMention("River_Wend", "it", "pronoun")
    first = Reference("Id1", "The Copper Bridge crosses it.", "good", (bridge, river))
    assert example.references == (first, Reference("Id2", "", "bad"))
    (plain,) = read_corpus(path, input_format="webnlg")
    assert [r.mentions for r in plain.references] == [(), ()]
    assert [r.text for r in plain.references] == [r.text for r in example.references]


def test_what_may_be_absent(write):
    original = "<originaltripleset><otriple>a | b | c</otriple></originaltripleset>"
    content = f"<b><entry>{original}<lex>x</lex><lex>y</lex></entry><entry>{triples()}</entry></b>"
    first, second = read_corpus(write(content))
    graph, references = (
        Graph.from_triples([Triple("a", "b", "c")]),
        (Reference("Id1", "x"), Reference("Id2", "y")),
    )
    assert first == Example("Id1", graph, references, size=1, original=graph)
    assert second == Example("Id2", Graph())


def test_bars_in_a_triple(write):
    lines = ["a|b | c | d", 's | p | "x | y"', 's|t | p | "x | y | z"@en', "s | p | |"]
    (example,) = read_corpus(write(document(entry(triples(*lines)))))
    assert isinstance(example.input, Graph)
    assert example.input.triples == (
        Triple("a|b", "c", "d"),
        Triple("s", "p", '"x | y"'),
        Triple("s|t", "p", '"x | y | z"@en'),
        Triple("s", "p", "|"),
    )


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1", "windows-1252"])
def test_the_encoding_that_xml_declares(write, encoding):
    declared = {"utf-8-sig": "utf-8"}.get(encoding, encoding)
    content = f'<?xml version="1.0" encoding="{declared}"?>\n<b>{entry(triples("Zoë | p | é"))}</b>'
    (example,) = read_corpus(write(content.encode(encoding)))
    assert example.input == Graph.from_triples([Triple("Zoë", "p", "é")], "A")


BOMB = '<!DOCTYPE b [\n<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>\n<b>&b;</b>'
EXTERNAL = '<!DOCTYPE b [<!ENTITY a SYSTEM "file:///etc/hostname">]><b>&a;</b>'
DTD = '<!DOCTYPE b SYSTEM "http://localhost/x.dtd"><b/>'
DECLARED = "<?xml version='1.0' encoding='{}'?>\n<b/>"
EMPTY = document(entry(triples("")))


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (BOMB, 1, "document type and entity declarations are rejected"),
        (EXTERNAL, 1, "document type and entity declarations are rejected"),
        ("<?xml version='1.0'?>\n\n" + DTD, 3, "document type and entity declarations are rejected"),
        ("<benchmark><entries>\n<entry>\n", 3, "the XML ends too early"),
        ("<benchmark>\n<entries ", 2, "the XML ends too early"),
        ("<benchmark>\n<entries>\n</benchmark>", 3, "the XML is broken (mismatched tag)"),
        ("<benchmark>\n&nbsp;</benchmark>", 2, "the XML is broken (undefined entity)"),
        (b"<?xml version='1.0' encoding='utf-8'?>\n<b>\n\xe9</b>", 3, "the XML is broken"),
        (DECLARED.format("klingon"), 1, "the encoding that the XML declares cannot be used"),
        (DECLARED.format("shift_jis"), 1, "the encoding that the XML declares cannot be used"),
        ("<benchmark/>", None, "no <entry> found"),
        (document(entry("\n" + triples("a | b"))), 5, "a triple needs three parts"),
        (document(entry(triples("a | b | c", "a | b | c | d"))), 4, "a triple needs three parts"),
        (document(entry(triples("a | b | "))), 4, "a triple needs three parts"),
        (EMPTY, 4, "a triple needs three parts, as in 'subject | predicate | object', found 0"),
        (document(entry(triples("a |  | c"))), 4, "a part of the triple 'a |  | c' is empty"),
        (document(entry(triples("a | <i>b</i> | c"))), 4, "<mtriple> mixes text and elements"),
        (document(entry(triples() + "\n<lex>a <b>c</b></lex>")), 5, "<lex> mixes text and elements"),
        (document(entry(triples() + "\n" + triples())), 5, "the entry has two modified triple sets"),
        (document(entry("<lex>a</lex>")), 3, "the entry has no triple set"),
        (document(entry(triples()), entry(triples())), 6, "the id 'Id1' is already used in "),
        (document(entry(triples() + "\n<x><entry/></x>")), 5, "an <entry> is inside another"),
        ("<b>\n" + "<b>" * 100, 2, "elements are nested more than 64 deep"),
    ],
)
def test_errors_name_file_and_line(refused, content, line, message):
    refused(content, "a.xml", line, message)


def test_nothing_outside_is_read(refused, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("a | b | SECRET", encoding="utf-8")
    content = f'<!DOCTYPE b [<!ENTITY a SYSTEM "{secret.as_uri()}">]>{document(entry(triples("&a;")))[39:]}'
    assert "SECRET" not in refused(content, "a.xml", 1, "document type and entity declarations are rejected")


def test_limits(write, monkeypatch):
    monkeypatch.setattr("esascore.readers.webnlg.MAX_FIELD_CHARACTERS", 2**18)
    monkeypatch.setattr("esascore.readers.located.MAX_TRIPLES", 3)
    with pytest.raises(DataError, match="an element has more than"):
        read_corpus(write(document(entry(triples() + f"<lex>{'a' * 2**19}</lex>"))))
    with pytest.raises(DataError, match="an element has more than"):
        read_corpus(write(f"<b a='{'a' * 2**20}'/>"))
    with pytest.raises(DataError, match="at most 3 triples"):
        read_corpus(write(document(entry(triples(*["a | b | c"] * 4)))))
    assert len(read_corpus(write(document(entry(triples(*["a | b | c"] * 3)))))) == 1


def test_examples_come_before_the_file_is_read_to_its_end(write):
    from esascore.readers.corpus import iter_corpus

    content = document(*(ENTRY.format(eid=f"Id{n}") for n in range(1000)))[:-100]
    examples = iter_corpus(write(content))
    assert next(examples).id == "Id0"
    with pytest.raises(DataError, match="ends too early"):
        list(examples)


TERM = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Z"], exclude_characters='|"\ufffe\uffff'), min_size=1
)
SENTENCE = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"))


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    st.lists(
        st.tuples(st.lists(st.tuples(TERM, TERM, TERM), max_size=3), st.lists(SENTENCE, max_size=3), TERM),
        min_size=1,
        max_size=4,
    )
)
def test_round_trip(write, entries):
    content = "".join(
        f"<entry category={quoteattr(category)} eid='Id{number}'>"
        + triples(*(escape(" | ".join(triple)) for triple in graph))
        + "".join(f"<lex lid='L{n}'>{escape(text)}</lex>" for n, text in enumerate(texts))
        + "</entry>"
        for number, (graph, texts, category) in enumerate(entries)
    )
    assert read_corpus(write(document(content)), input_format="webnlg") == [
        Example(
            f"Id{number}",
            Graph.from_triples(graph, category),
            tuple(Reference(f"L{n}", text.strip()) for n, text in enumerate(texts)),
            len(graph),
        )
        for number, (graph, texts, category) in enumerate(entries)
    ]
