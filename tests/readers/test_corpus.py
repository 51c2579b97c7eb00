from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from esascore.errors import DataError, UsageError
from esascore.model import Example, Graph
from esascore.readers.corpus import FORMATS, iter_corpus, read_corpus
from esascore.readers.seen import categories_of, seen_categories, with_seen
from esascore.readers.sniff import sniff

XML = (
    "<benchmark><entry eid='Id1'><modifiedtripleset><mtriple>a | b | c</mtriple></modifiedtripleset></entry>"
    "</benchmark>"
)


@pytest.mark.parametrize("name", ["a.xml", "a.jsonl", "a.csv", "a", "a.txt"])
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (XML, "webnlg"),
        ("\ufeff\n" + XML, "webnlg"),
        ("<!DOCTYPE x>" + XML, "webnlg"),
        (XML.replace("</entry>", "<lex><references></references></lex></entry>"), "enriched-webnlg"),
        ('{"triples": []}\n', "jsonl"),
        ('\n {"triples": [], "text": "\\"@id\\": x"}\n', "jsonl"),
        ("[1]", "json"),
        ('{"@context": {}, "@id": "a:b"}', "rdf"),
        ('[\n{"@id": "a:b"}]', "rdf"),
        ("<http://e.org/a> <http://e.org/b> 1 .", "rdf"),
        ("@prefix : <a:b> .", "rdf"),
        ("PREFIX x: <a:b>\n", "rdf"),
        ("_:x <a:b> 1 .", "rdf"),
        ("a|||b\tc|||d\n", "records"),
        ("triples\na | b | c\n", "csv"),
        ('"id";"Triples"\n', "csv"),
        ("id\ttable\n", "csv"),
    ],
)
def test_content_decides(write, name, content, expected):
    assert sniff(write(content, name)) == expected


@pytest.mark.parametrize(
    ("content", "name", "expected"),
    [
        ("# a comment\n", "a.ttl", "rdf"),
        ("[] <a:b> 1 .", "a.ttl", "rdf"),
        ("id,tripels\n", "a.csv", "csv"),
        ("not json", "a.jsonl", "jsonl"),
        ("not xml", "a.xml", "webnlg"),
    ],
)
def test_a_suffix_helps_where_the_content_does_not(write, content, name, expected):
    assert sniff(write(content, name)) == expected


@pytest.mark.parametrize("content", ["A plain text.\nAnother.\n", "a,b,c\n1,2,3\n"])
def test_no_known_format(write, content):
    with pytest.raises(DataError, match=r":1: the format cannot be detected .* --input-format"):
        read_corpus(write(content))


@pytest.mark.parametrize("content", [b"", b" \n\t\n", b"\xef\xbb\xbf"])
def test_empty_file(write, content):
    with pytest.raises(DataError, match="the file is empty"):
        read_corpus(write(content, "a.xml"))


def test_other_encodings(write):
    with pytest.raises(DataError, match=":1: the file is in UTF-16: save it as UTF-8"):
        read_corpus(write('{"triples": []}'.encode("utf-16")))
    with pytest.raises(DataError, match=":1: the file is in UTF-32: save it as UTF-8"):
        read_corpus(write('{"triples": []}'.encode("utf-32")))


def test_paths(tmp_path):
    with pytest.raises(DataError, match="there is no such file or directory"):
        read_corpus(tmp_path / "none")
    with pytest.raises(DataError, match="there is no such file or directory"):
        read_corpus("a\x00b")
    with pytest.raises(DataError, match="there is no such file or directory"):
        read_corpus("a" * 10_000)
    with pytest.raises(DataError, match=r"the directory has no \.xml file"):
        read_corpus(tmp_path)
    for name in ("webnlg", "enriched-webnlg", "rdf"):
        with pytest.raises(DataError, match="the directory contains no"):
            read_corpus(tmp_path, input_format=name)
    for name in ("jsonl", "csv", "records"):
        with pytest.raises(DataError, match="this is a directory, but a file is needed"):
            read_corpus(tmp_path, input_format=name)


def test_unknown_format_is_said_at_once(tmp_path):
    with pytest.raises(UsageError, match="there is no input format 'xls'; known: webnlg, enriched-webnlg,"):
        iter_corpus(tmp_path / "none", input_format="xls")


def test_a_named_format_is_obeyed(write):
    with pytest.raises(DataError, match="not JSON"):
        read_corpus(write(XML), input_format="jsonl")


# Fragments that lead deep into each reader, mixed with anything.
FRAGMENTS = st.sampled_from(
    [
        *(
            "<benchmark>",
            "</benchmark>",
            "<entries>",
            "<entry>",
            "<entry eid='Id1' category='A'>",
            "</entry>",
        ),
        *("<modifiedtripleset>", "</modifiedtripleset>", "<mtriple>", "</mtriple>", "<text>", "</text>"),
        *("<lex>", "</lex>", "<references>", "</references>", "<reference entity='a'>", "</reference>"),
        *("<!DOCTYPE a [<!ENTITY b 'c'>]>", "&b;", "&lt;", "<![CDATA[", "]]>", "<!--", "-->"),
        *("<?xml version='1.0' encoding='latin-1'?>", "a | b | c", " | ", "|||", "\t", "\r\n", "\n"),
        *(",", ";", '"', '""', "triples", "text", "id", "seen", "references", "<br>"),
        *("{", "}", "[", "]", ":", '{"triples": [', '["a", "b", "c"]', '"triples": ', '"text": '),
        *("NaN", "null", "1e999", "\\u", "\\ud800", "\ufeff", "\x00", "\u2028", "\x85"),
        *("@prefix : <a:> .", "<http://a/b>", "_:x", " ."),
    ]
)
CONTENT = (
    st.lists(FRAGMENTS | st.text(max_size=5))
    .map("".join)
    .map(lambda text: text.encode("utf-8", "surrogatepass"))
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=300)
@given(
    CONTENT | st.binary(), st.sampled_from([None, *(name for name in FORMATS if not name.startswith("rdf"))])
)
def test_any_bytes_are_read_or_refused(write, content, input_format):
    check(write(content), input_format)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=60)
@given(CONTENT | st.binary(), st.sampled_from(["a.nt", "a.ttl", "a.jsonld"]))
def test_any_bytes_are_read_as_rdf_or_refused(write, content, name):
    pytest.importorskip("rdflib")
    check(write(content, name), "rdf")


@pytest.mark.parametrize("depth", [300, 500, 900, 990, 5000])
@pytest.mark.parametrize("start", ['{"triples": [', '{"x": "\\u0061", "triples": ['])
def test_deep_nesting(write, depth, start):
    with pytest.raises(DataError):
        read_corpus(write(start + "[" * depth + "]" * depth + "]}"))


def check(path, input_format):
    refused = None
    try:
        examples = read_corpus(path, input_format=input_format)
    except DataError as error:
        refused = error
    if refused is None:
        assert len({example.id for example in examples}) == len(examples) > 0
    else:
        assert "\n" not in str(refused)
        assert refused.file == str(path)


def corpus(*categories):
    return [Example(f"Id{n}", Graph(category=category)) for n, category in enumerate(categories)]


@pytest.mark.parametrize(
    ("categories", "seen"),
    [
        (["Food", "Artist", "City"], [True, False, True]),  # 2017
        (["Food", "Artist", "Film"], [True, True, False]),  # 2020
        (["Company", "Politician"], [True, True]),  # only the 2020 challenge has companies
        (["Scientist", "MusicalWork"], [False, False]),
        (["Food", None], [True, None]),
        (["Food", "Bridge"], [None, None]),
        ([None], [None]),
        ([], []),
    ],
)
def test_published_lists(categories, seen):
    assert [example.seen for example in with_seen(corpus(*categories))] == seen


def test_ten_and_sixteen_categories_were_in_training():
    assert [len(seen_categories(corpus(c)) or ()) for c in ("Food", "Film")] == [10, 16]


def test_a_training_corpus_decides():
    training = categories_of(corpus("Bridge", None, "Food"))
    assert training == {"Bridge", "Food"}
    assert [e.seen for e in with_seen(corpus("Bridge", "Museum", None), training)] == [True, False, None]


def test_what_the_corpus_says_stands():
    example = Example("Id1", Graph(category="Food"), seen=False)
    assert list(with_seen([example])) == [example]
