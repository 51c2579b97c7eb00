"""The published corpora, against what ElementTree finds in them."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from esascore.model import Graph
from esascore.readers.corpus import read_corpus
from esascore.readers.seen import with_seen
from esascore.readers.systems import read_systems
from esascore.text.blank import is_blank

pytestmark = pytest.mark.corpora

TEST_2017 = "webnlg-2017/testdata_with_lex.xml"
TEST_2020 = "webnlg-2020/rdf-to-text-generation-test-data-with-refs-en.xml"


def flat(example):
    assert isinstance(example.input, Graph)
    return (
        example.id.rpartition("/")[2],
        example.category,
        example.size,
        [f"{t.subject} | {t.predicate} | {t.object}" for t in example.input.triples],
        [f"{t.subject} | {t.predicate} | {t.object}" for t in (example.original or Graph()).triples],
        [(r.id, r.text, r.comment) for r in example.references],
        [[(m.entity, m.text, m.kind) for m in r.mentions] for r in example.references],
    )


def expected(file):
    found = []
    for entry in ElementTree.parse(file).getroot().iter("entry"):
        lexes = entry.findall("lex")
        texts = [lex.text if lex.find("text") is None else lex.findtext("text") for lex in lexes]
        found.append(
            (
                entry.get("eid"),
                entry.get("category"),
                int(entry.get("size", "")),
                [t.text for t in entry.iterfind("modifiedtripleset/mtriple")],
                [t.text for t in entry.findall("originaltripleset")[0]],
                [
                    (lex.get("lid"), (text or "").strip(), lex.get("comment", ""))
                    for lex, text in zip(lexes, texts, strict=True)
                ],
                [
                    [
                        (r.get("entity"), (r.text or "").strip(), r.get("type"))
                        for r in lex.iterfind("references/reference")
                    ]
                    for lex in lexes
                ],
            )
        )
    return found


@pytest.mark.parametrize(
    ("name", "entries", "references"), [(TEST_2017, 1862, 4928), (TEST_2020, 1779, 5150)]
)
def test_test_sets(data, name, entries, references):
    examples = read_corpus(data / name)
    assert [example.id for example in examples] == [f"Id{n}" for n in range(1, entries + 1)]
    assert sum(len(example.references) for example in examples) == references
    assert [flat(example) for example in examples] == expected(data / name)


def test_annotated_corpus(data):
    folder = data / "enriched-webnlg-1.6" / "en" / "dev"
    examples = read_corpus(folder)
    assert examples[0].id == "1triples/Airport/Id1"
    assert len(examples) == 872
    assert sum(len(example.references) for example in examples) == 2268
    assert sum(len(r.mentions) for example in examples for r in example.references) == 9842
    files = list(dict.fromkeys(example.id.rpartition("/")[0] for example in examples))
    assert len(files) == 52
    assert [flat(e) for e in examples] == [row for name in files for row in expected(folder / f"{name}.xml")]


@pytest.mark.parametrize(
    ("corpus", "folder", "systems", "blank"),
    [
        (TEST_2017, "webnlg-2017/submissions", 9, {"Tilburg-Pipeline": 276, "UIT-DANGNT": 1323}),
        (TEST_2020, "webnlg-2020/submissions", 16, None),
    ],
)
def test_submissions(data, corpus, folder, systems, blank: dict[str, int] | None):
    examples = read_corpus(data / corpus)
    files = sorted((data / folder).iterdir())
    read = read_systems([str(file) for file in files], examples)
    assert [system.name for system in read] == [file.name.rpartition(".")[0] for file in files]
    assert len(read) == systems
    assert not any("\r" in text or "\n" in text for system in read for text in system.texts)
    if blank is not None:
        counts = {system.name: sum(map(is_blank, system.texts)) for system in read}
        assert {name: count for name, count in counts.items() if count} == blank


@pytest.mark.parametrize(("name", "seen"), [(TEST_2017, 971), (TEST_2020, 966)])
def test_seen_and_unseen(data, name, seen):
    examples = list(with_seen(read_corpus(data / name)))
    assert sum(example.seen is True for example in examples) == seen
    assert not any(example.seen is None for example in examples)
