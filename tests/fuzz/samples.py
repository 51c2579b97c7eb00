"""One small file of every format that is read, all about the same things, invented for this."""

from __future__ import annotations

import io
import json
import sqlite3
from datetime import date
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow
import pyarrow.parquet

from esascore.cache import AnswerCache
from esascore.link.gazetteer.build import build_index
from esascore.metrics import create_metrics
from esascore.metrics.cooccurrence import HEADER
from esascore.model import Example, Graph
from esascore.pipeline import build_pipeline
from esascore.readers.systems import System
from esascore.reports.evaluation_file import saved_lines
from esascore.run.evaluation import evaluate

_WEBNLG = """<?xml version="1.0" encoding="utf-8"?>
<benchmark><entries>
  <entry category="Airport" eid="Id1" size="2" shape="(X (X))" shape_type="NA">
    <originaltripleset><otriple>Kestrel_Arena | location | Oslo</otriple></originaltripleset>
    <modifiedtripleset>
      <mtriple>Kestrel_Arena | location | Oslo</mtriple>
      <mtriple>Kestrel_Arena | opened | "1999-05-12"</mtriple>
    </modifiedtripleset>
    <lex comment="good" lid="Id1">Kestrel Arena in Oslo opened on 12 May 1999.</lex>
    <lex comment="good" lid="Id2">It opened &amp; closed in Oslo.</lex>
  </entry>
  <entry category="Food" eid="Id2" size="1">
    <modifiedtripleset><mtriple>Bionico | energy | "185.0"^^xsd:double</mtriple></modifiedtripleset>
    <lex comment="" lid="Id1">Bionico has 185 units of energy.</lex>
  </entry>
</entries></benchmark>
"""
_ENRICHED = """<benchmark><entries>
<entry category="Town" eid="Id1" size="1">
<originaltripleset><otriple>Norvik | country | Kelland</otriple></originaltripleset>
<modifiedtripleset><mtriple>Norvik | country | Kelland</mtriple></modifiedtripleset>
<entitymap><entity>AGENT-1 | Norvik</entity><entity>PATIENT-1 | Kelland</entity></entitymap>
<lex comment="good" lid="Id1">
<sortedtripleset><sentence ID="1"><striple>Norvik | country | Kelland</striple></sentence></sortedtripleset>
<references>
<reference entity="Norvik" number="1" tag="AGENT-1" type="name">Norvik</reference>
<reference entity="Kelland" number="2" tag="PATIENT-1" type="name">Kelland</reference>
<reference entity="Norvik" number="3" tag="AGENT-1" type="pronoun">It</reference>
</references>
<text>Norvik is a town in Kelland. It is old.</text>
<template>AGENT-1 is a town in PATIENT-1 . AGENT-1 is old .</template>
<lexicalization>AGENT-1 VP[] be a town in PATIENT-1 .</lexicalization>
</lex>
</entry></entries></benchmark>
"""
_TABLE = [
    [{"value": "Season", "is_header": True, "column_span": 1, "row_span": 1}] * 2,
    [{"value": "2001", "is_header": False, "column_span": 1, "row_span": 1}] * 2,
]
_TOTTO = {
    "table": _TABLE,
    "table_webpage_url": "",
    "table_page_title": "Ken",
    "table_section_title": "Clubs",
    "table_section_text": "In Kofu.",
    "highlighted_cells": [[1, 1]],
    "example_id": 7,
    "overlap_subset": True,
    "sentence_annotations": [{"final_sentence": "Ken played in 2001."}],
}
_HOTEL = {
    "name": "Hotel Lind",
    "city": "Oslo",
    "stars": 4,
    "parking": True,
    "opened": "1999-05-12",
    "beds": [1, 2],
}
_DBPEDIA = "http://dbpedia.org"
_SCHEMA = "http://www.w3.org"
_OSLO = f"<{_DBPEDIA}/resource/Oslo>"
_NT = f"""<{_DBPEDIA}/resource/Kestrel_Arena> <{_DBPEDIA}/ontology/location> {_OSLO} .
{_OSLO} <{_SCHEMA}/2000/01/rdf-schema#label> "Oslo"@en .
{_OSLO} <{_DBPEDIA}/ontology/area> "454.0"^^<{_SCHEMA}/2001/XMLSchema#double> .
"""
_DUMP = f"""<{_DBPEDIA}/resource/Tiger_City> <{_DBPEDIA}/ontology/wikiPageRedirects> {_OSLO} .
{_OSLO} <{_SCHEMA}/2000/01/rdf-schema#label> "Oslo \\u00E9"@en .
{_OSLO} <{_DBPEDIA}/ontology/wikiPageInLinkCountCleaned> "12"^^<{_SCHEMA}/2001/XMLSchema#integer> .
{_OSLO} <{_SCHEMA}/1999/02/22-rdf-syntax-ns#type> <{_DBPEDIA}/ontology/City> .
"""


def _lines(*rows: object) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _parquet(*rows: dict[str, object]) -> bytes:
    stream = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), stream)
    return stream.getvalue()


CORPORA: dict[str, str | bytes] = {
    "webnlg.xml": _WEBNLG,
    "enriched.xml": _ENRICHED,
    "triples.jsonl": _lines(
        {
            "id": "a",
            "triples": ["Kestrel_Arena | location | Oslo"],
            "references": ["It is in Oslo."],
            "text": "Oslo.",
        },
        {
            "id": "b",
            "triples": [["Bionico", "energy", "185.0"]],
            "category": "Food",
            "seen": False,
            "text": "185",
        },
    ),
    "records.jsonl": _lines(
        {"id": "a", "records": [["name", "Hotel Lind"], ["stars", "4"]], "text": "Hotel Lind."}
    ),
    "data.jsonl": _lines(
        {"id": "a", "data": _HOTEL, "references": ["Hotel Lind has 4 stars."], "text": "4 stars"}
    ),
    "data.json": json.dumps([_HOTEL, {**_HOTEL, "name": "Hotel Ost"}]),
    "triples.csv": 'id,triples,text,reference_1,category\na,"Oslo | country | Norway",Oslo.,There.,Town\n',
    "wide.csv": "name;city;stars\nHotel Lind;Oslo;4\nHotel Ost;Bergen;3\n",
    "triples.parquet": _parquet(
        {
            "id": "a",
            "triples": [["Kestrel_Arena", "location", "Oslo"]],
            "references": ["There."],
            "text": "Oslo.",
        },
        {"id": "b", "triples": [["Bionico", "energy", "185.0"]], "references": [], "text": None},
    ),
    "data.parquet": _parquet(
        {"id": "a", "data": _HOTEL, "text": "4 stars"}, {"id": "b", "data": {"name": "Ost"}}
    ),
    "wide.parquet": _parquet({**_HOTEL, "day": date(1999, 5, 12)}, {**_HOTEL, "stars": None}),
    "graph.nt": _NT,
    "graph.ttl": "@prefix d: <http://dbpedia.org/resource/> .\nd:Oslo d:country d:Norway ; d:area 454.0 .\n",
    "graph.jsonld": json.dumps(
        {"@id": "http://a.org/Oslo", "http://a.org/country": {"@id": "http://a.org/Norway"}}
    ),
    "records.txt": "name|||Hotel Lind\tstars|||4\nname|||Hotel Ost\tcity|||Oslo\n",
    "totto.jsonl": _lines(_TOTTO, {**_TOTTO, "example_id": 8, "overlap_subset": False}),
    "dart.json": json.dumps(
        [
            {
                "tripleset": [["Oslo", "COUNTRY", "Norway"]],
                "annotations": [{"source": "x", "text": "Oslo is there."}],
            }
        ]
    ),
}
"""Name of a file -> its content; the suffix belongs to the format."""

OTHERS: dict[str, str | bytes] = {
    "profile.toml": 'base = "paper"\n[strings]\nmax_distance = 0.3\n[dates]\nlanguages = ["en"]\n',
    "lexicon.tsv": "Oslo\tTiger City\tthe capital\n!drop\tOslo\tOsl\n# a comment\nBionico\tBionicos\n",
    "dump.nt": _DUMP,
    "names.tsv": "Tiger City\tOslo\tCity\t12\nOslo\tOslo\n",
    "counts.txt": f"{HEADER}\noslo\t3\tis 2 in 1\narena\t1\topened 1\n",
    "counts.json": json.dumps({"oslo": 3, "oslo|||is": 2, "oslo|||in": 1}),
    "tables": "name|||Hotel Lind\tstars|||4\nOslo|||country|||Norway\n",
    "references": "Hotel Lind has 4 stars .\tIt has 4 .\nOslo is in Norway .\n",
    "generations": "Hotel Lind .\nNorway has Oslo .\n",
    "ratings.csv": "system,id,fluency,adequacy\nout,Id1,3,80\nout,Id2,2.5,60\n",
    "ratings_long.csv": "system,id,aspect,rating,rater\nout,Id1,fluency,3,r1\nout,Id1,fluency,4,r2\n",
    "ratings_2017.csv": "mr,team,text,fluency,grammar,semantics,bleu,meteor,ter\n"
    "Kestrel_Arena | location | Oslo<br>Kestrel_Arena | opened | 1999-05-12,out,It is.,3,3,2,0.5,0.4,0.3\n",
    "ratings_2020.json": json.dumps(
        [{"submission_id": "out", "sample_id": n, "Correctness": 80, "Fluency": 70.5} for n in (1, 2)]
    ),
    "outputs.parquet": _parquet({"id": "Id2", "text": "Bionico."}, {"id": "Id1", "text": "Kestrel Arena."}),
    "segments.parquet": _parquet({"system": "out", "id": "Id1", "scores": {"x": 0.5}}),
    "segments.jsonl": _lines(*({"system": "out", "id": f"Id{n}", "scores": {"x": n / 2}} for n in (1, 2))),
    "esascore.toml": "[check]\nmin-esa = 0.5\nmax-hallucinations = 1\n[tool.esascore.check]\nlimit = 3\n",
    "accepted.jsonl": _lines({"id": "Id1", "text": "02e5f4da351258c7", "kind": "missing", "entity": "Oslo"}),
    "rel.json": json.dumps([[0, 4, "Oslo", "Oslo", 0.9, 0.8, "LOC"], [5, 3, "won", None]]),
    "spotlight.json": json.dumps(
        {
            "@text": "x",
            "Resources": [
                {"@URI": "http://dbpedia.org/resource/Oslo", "@surfaceForm": "Oslo", "@offset": "11"}
            ],
        }
    ),
    "question.json": json.dumps({"text": "Ada won in Oslo.", "spans": [[0, 3], {"start": 11, "length": 4}]}),
    "flags.jsonl": _lines(
        {
            "system": "out",
            "id": "Id1",
            "hallucinations": [{"start": 0, "end": 2, "text": "It", "type": "name"}],
        }
    ),
}
"""The same for files that are no corpora."""


def _saved() -> str:
    """The result of an earlier run."""
    example = Example("Id1", Graph.from_triples([("Kestrel_Arena", "location", "Oslo")]))
    metrics = partial(create_metrics, ["esa", "hallucination"])
    scored = evaluate(
        build_pipeline, [example], [System("out", ("It is in Rome.",))], metrics, keep_detections=True
    )
    return "".join(saved_lines(scored))


@cache
def files() -> dict[str, bytes]:
    """Return every sample, also those that only a program can write: an index of names and a cache."""
    found = {
        name: content.encode() if isinstance(content, str) else content
        for name, content in (CORPORA | OTHERS).items()
    }
    with TemporaryDirectory() as folder:
        names = Path(folder, "names.tsv")
        names.write_bytes(found["names.tsv"])
        build_index([names], Path(folder, "index"), jobs=1)
        found["names.index"] = Path(folder, "index").read_bytes()
        path = Path(folder, "answers.sqlite")
        AnswerCache(path).put("rel", {"a" * 64: "[]", "b" * 64: "[[1]]"})
        database = sqlite3.connect(path)
        database.execute("PRAGMA journal_mode = DELETE")
        database.close()
        found["answers.sqlite"] = path.read_bytes()
        found["saved.jsonl"] = _saved().encode()
    return found
