from __future__ import annotations

import json
import logging
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from esascore.errors import DataError, MissingExtraError
from esascore.model import Graph, Triple
from esascore.readers.corpus import read_corpus

pytest.importorskip("rdflib", reason="rdflib is not installed: pip install 'esascore[rdf]'")


TURTLE = """# Bridges
@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

ex:Copper_Bridge ex:crosses ex:River_Wend%2C_Newland ;
    ex:length "214.0"^^<http://dbpedia.org/datatype/metre> ;
    ex:opened "1962-05-09"^^xsd:date ;
    ex:address [ ex:street "Ferry Row"@en ; ex:plot [ ex:number 7 ] ] ;
    ex:colours ( "red" "green" ) ;
    ex:architect ex:Q7 .
ex:Q7 rdfs:label "Haddad"@de , "Noor Haddad"@en ; ex:born ex:Wendmouth .
"""
BRIDGE = [
    ("crosses", "River_Wend,_Newland"),
    ("length", "214.0 (metre)"),
    ("opened", "1962-05-09"),
    ("street", "Ferry Row"),
    ("number", "7"),
    ("colours", "red"),
    ("colours", "green"),
    ("architect", "Noor Haddad"),
]
HADDAD = Triple("Noor Haddad", "born", "Wendmouth")
NT = '<http://e.org/a> <http://e.org#p> <http://e.org/b/> .\n<http://e.org/a> <http://e.org#q> "x\\ny" .\n'
JSON_LD = {
    "@context": {"likes": {"@id": "http://e.org/likes", "@type": "@id"}, "name": "http://e.org/name"},
    "@id": "http://e.org/Ann",
    "name": "Ann Lee",
    "likes": ["http://e.org/Bob", "http://e.org/Cy"],
}


def triples(path, **options):
    (example,) = read_corpus(path, **options)
    assert isinstance(example.input, Graph)
    return example.input.triples


@pytest.mark.parametrize("name", ["a.ttl", "a.txt"])
def test_turtle_as_one_graph(write, name):
    path = write(TURTLE if name == "a.ttl" else TURTLE.partition("\n")[2], name)
    found = triples(path)
    assert sorted(found, key=str) == sorted(
        [*(Triple("Copper_Bridge", *pair) for pair in BRIDGE), HADDAD], key=str
    )
    assert found[0] == Triple("Copper_Bridge", "crosses", "River_Wend,_Newland")


def test_one_graph_per_named_subject(write):
    first, second = read_corpus(write(TURTLE, "a.ttl"), input_format="rdf-subjects")
    assert (first.id, first.size, second.id) == ("Copper_Bridge", 8, "Noor Haddad")
    assert second.input.triples == (HADDAD,)


def test_n_triples_keep_their_order(write):
    expected = (Triple("a", "p", "b"), Triple("a", "q", "x\ny"))
    assert triples(write(NT, "a.nt")) == triples(write(NT, "a.txt")) == expected


def test_json_ld(write):
    expected = (Triple("Ann", "name", "Ann Lee"), Triple("Ann", "likes", "Bob"), Triple("Ann", "likes", "Cy"))
    assert triples(write(json.dumps(JSON_LD), "a.jsonld")) == expected
    assert triples(write(json.dumps([JSON_LD], indent=1), "a.json")) == expected


def test_directory(tmp_path):
    (tmp_path / "x10.nt").write_text(NT, encoding="utf-8")
    (tmp_path / "x9.ttl").write_text(TURTLE, encoding="utf-8")
    assert [example.id for example in read_corpus(tmp_path)] == ["x9", "x10"]
    subjects = read_corpus(tmp_path, input_format="rdf-subjects")
    assert [example.id for example in subjects] == ["x9/Copper_Bridge", "x9/Noor Haddad", "x10/a"]


def test_nothing_is_fetched_or_printed(write, capfd, monkeypatch):
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    remote = "https://schema.org"
    for context in (remote, [remote], {"x": {"@id": "a:b", "@context": "c:d"}}, {"@import": "e"}):
        path = write(json.dumps({**JSON_LD, "@context": context}), "a.jsonld")
        with pytest.raises(DataError, match="nothing is downloaded"):
            read_corpus(path)
    odd = '<a:b> <a:c> "not a date"^^<http://www.w3.org/2001/XMLSchema#date> .'
    assert triples(write(odd, "a.nt"))[0].object == "not a date"
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("content", "name", "line", "message"),
    [
        ('<a:b> <a:c> "d" .\n<a:b> <a:c> .\n', "a.nt", 2, "the RDF cannot be read as nt"),
        ('@prefix : <a:> .\n:b :c "d" ;\n  :e "f\n" .', "a.ttl", 3, "the RDF cannot be read as turtle"),
        ('{"@id": "a:b",\n "c:d": }', "a.jsonld", 2, "not JSON"),
        ("# nothing\n", "a.ttl", None, "the file contains no RDF statement"),
        ("[] <a:b> <a:c> .", "a.ttl", None, "a blank node that no named node leads to has no name"),
        ("_:x <a:b> _:y. _:y <a:b> _:x; <a:c> 1.", "a.ttl", None, "a blank node that no named node leads to"),
        (b"<a:b> <a:c> \n'\xe9' .", "a.ttl", 2, "not UTF-8"),
    ],
)
def test_errors_name_the_file(refused, content, name, line, message):
    refused(content, name, line, message, input_format="rdf")


def test_without_rdflib(write, monkeypatch):
    path = write(NT, "a.nt")
    monkeypatch.setitem(sys.modules, "rdflib", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'esascore\[rdf\]'"):
        read_corpus(path)


NAME = st.text("abcxyzÄéñ中_", min_size=1)
VALUE = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"], exclude_characters='"\\'), min_size=1)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=50)
@given(st.lists(st.tuples(NAME, NAME, VALUE), min_size=1, unique=True))
def test_round_trip(write, statements):
    content = "".join(f'<http://e.org/{s}> <http://e.org/{p}> "{o}" .\n' for s, p, o in statements)
    assert triples(write(content, "a.nt")) == Graph.from_triples(statements).triples
