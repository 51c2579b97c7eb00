"""The bundled corpus is what the demo and the self-test are checked against, so its key must be sound."""

from __future__ import annotations

import pytest

from esascore.examples import (
    SYSTEMS,
    example_corpus_path,
    example_output_paths,
    example_path,
)
from esascore.model import Example
from esascore.readers.corpus import read_corpus
from esascore.readers.systems import System, own_outputs, read_systems
from esascore.text.blank import is_blank
from example_key import KeyEntry, example_key

Corpus = tuple[list[Example], dict[str, System], list[KeyEntry]]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    examples = read_corpus(example_corpus_path())
    systems = read_systems([str(path) for path in example_output_paths().values()], examples)
    return examples, {system.name: system for system in systems}, example_key()


def test_key_covers_every_text(corpus: Corpus) -> None:
    examples, systems, key = corpus
    assert tuple(systems) == SYSTEMS
    assert [(e.system, e.id) for e in key] == [(name, e.id) for name in SYSTEMS for e in examples]


def test_key_names_entities_and_spans(corpus: Corpus) -> None:
    examples, systems, key = corpus
    by_id = {example.id: number for number, example in enumerate(examples)}
    for entry in key:
        number = by_id[entry.id]
        text = systems[entry.system].texts[number]
        terms = [entity.term for entity in examples[number].input.entities]
        assert [term for term in terms if term in entry.missing] == list(entry.missing)
        assert all(text.count(span) == 1 for span in entry.hallucinated)
        if is_blank(text):
            assert list(entry.missing) == terms


def test_what_is_missing_is_not_said(corpus: Corpus) -> None:
    examples, systems, key = corpus
    by_id = {example.id: number for number, example in enumerate(examples)}
    for entry in key:
        text = systems[entry.system].texts[by_id[entry.id]]
        for term in entry.missing:
            # "Golden Gate" is missing where only the bridge of that name is mentioned.
            name = term.replace("_", " ")
            assert name not in text.replace("Golden Gate Bridge", "")


def test_systems_differ_as_described(corpus: Corpus) -> None:
    examples, systems, key = corpus
    missing = {name: sum(len(e.missing) for e in key if e.system == name) for name in SYSTEMS}
    made_up = {name: sum(len(e.hallucinated) for e in key if e.system == name) for name in SYSTEMS}
    blank = {name: sum(map(is_blank, systems[name].texts)) for name in SYSTEMS}
    assert missing == {"copycat": 0, "fluent": 0, "forgetful": 92, "dreamer": 24}
    assert made_up == {"copycat": 0, "fluent": 0, "forgetful": 0, "dreamer": 41}
    assert blank == {"copycat": 0, "fluent": 0, "forgetful": 4, "dreamer": 0}
    for example, text in zip(examples, systems["copycat"].texts, strict=True):
        assert all(entity.term.replace("_", " ") in text for entity in example.input.entities)


def test_variety(corpus: Corpus) -> None:
    examples, _, _ = corpus
    assert len(examples) == 40
    assert {example.size for example in examples} == set(range(1, 8))
    assert {example.seen for example in examples} == {True, False}
    assert all(example.references for example in examples)


def test_walk_through() -> None:
    examples = read_corpus(example_path("walkthrough.csv"))
    system = own_outputs(examples, "mine")
    assert system is not None
    assert len(system.texts) == len(examples) == 5
    assert all(example.size == 2 and example.references and example.category for example in examples)
