"""What a corpus teaches: of inputs of one shape, about inputs of this shape, once for each input."""

from __future__ import annotations

import json
import pickle
import random

import pytest

import esascore
from esascore.errors import DataError
from esascore.learned import NOTHING, Learned, learn, load
from esascore.model import Example, Graph, Reference


def example(data, *references: str) -> Example:
    graph = Graph.from_triples(data) if isinstance(data, list) else Graph.from_data(data)
    return Example("", graph, tuple(Reference(str(n), text) for n, text in enumerate(references)))


def jobs(number: int = 20) -> list[Example]:
    return [example({"title": f"Porter {n}", "nights": n % 3 > 0, "pay": 30000 + n}) for n in range(number)]


WEATHER = {"city": "Oslo", "days": [{"date": "2024-01-04", "temp": -3}]}
COLDEST = "Oslo has its coldest night on 4 January at -3 °C."


def texts(found) -> list[str]:
    return [one.text for one in found]


def test_other_shapes_have_no_say():
    learned = learn([*jobs(), *(example({**WEATHER, "city": f"Town {n}"}) for n in range(20))])
    assert len(learned.lessons) == 2
    assert texts(esascore.hallucinations(WEATHER, COLDEST, learned=learned)) == []


def test_wordings_are_of_one_shape():
    chance = random.Random(1)
    said = {"cheap": "easy on the purse", "dear": "for deep pockets"}
    inns = [
        example({"name": f"Inn of {'ABCDEFG'[n % 7]}", "price": price, "rooms": n}, f"It is {said[price]}.")
        for n, price in enumerate(chance.choices(sorted(said), k=150))
    ]
    learned = learn([*inns, *jobs()])
    inn, text = {"name": "Grey Heron", "price": "dear", "rooms": 7}, "Grey Heron with 7 rooms is "
    found = esascore.hallucinations(inn, text + said["cheap"], learned=learned)
    assert [one.expected for one in found] == ["dear"]
    assert esascore.detect(inn, text + said["dear"], learned=learned).esa == 1
    job = {"title": "Porter 7", "nights": True, "pay": 30000}
    assert texts(esascore.hallucinations(job, f"Porter 7 is {said['cheap']}.", learned=learned)) == []


@pytest.mark.parametrize(("object_", "flagged"), [("Coconut", ["coconut"]), ("coconut", [])])
def test_a_word_is_a_name_by_its_own_casing(object_, flagged):
    others = [example([(f"Zorb_{n}", "ingredient", object_)]) for n in range(20)]
    found = esascore.hallucinations(
        [("Glasswing", "genre", "Trance_music")],
        "Glasswing plays trance music, with coconut as an ingredient.",
        learned=learn(others),
    )
    assert texts(found) == flagged


def test_neither_order_nor_repetition_nor_cut_matters():
    some = jobs(30)
    assert learn(some) == learn(some[::-1]) == learn([*some, *some[:9]]) != learn(some[:25])
    assert learn(jobs(19) * 3) == NOTHING
    assert learn(jobs(19)).version == "none"


def test_texts_under_check_are_no_references():
    some = [Example(str(n), one.input, (), text=f"Night {n} is Coconut.") for n, one in enumerate(jobs())]
    assert learn(some) == learn(jobs())


def test_outputs_that_teach_are_told_apart():
    said = [[f"Porter {n}." for n in range(20)]]
    assert learn(jobs(), said).version.startswith("outputs-")


def test_it_survives_files_and_processes(tmp_path):
    learned = learn(jobs())
    learned.save(tmp_path / "learned")
    for again in (load(tmp_path / "learned"), pickle.loads(pickle.dumps(learned))):
        assert again == learned
        assert (
            again.about(jobs()[0].input).closed.truths == learned.about(jobs()[0].input).closed.truths != ()
        )
    (tmp_path / "plain").write_text(json.dumps(learned.as_dict()), "utf-8")
    assert load(tmp_path / "plain") == learned
    assert [file.name for file in sorted(tmp_path.iterdir())] == ["learned", "plain"]


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"format": "esascore-learned-0"}', "\x1f\x8b"])
def test_what_is_no_such_file_is_refused(tmp_path, content):
    (tmp_path / "file").write_bytes(content.encode("latin-1"))
    with pytest.raises(DataError, match="not what esascore learn writes"):
        load(tmp_path / "file")


def test_a_file_that_names_its_parts_wrongly_is_refused(tmp_path):
    values = learn(jobs()).as_dict()
    del values["lessons"][0]["closed"]
    (tmp_path / "file").write_text(json.dumps(values), "utf-8")
    with pytest.raises(DataError, match="learn it again"):
        load(tmp_path / "file")


def test_nothing_is_nothing():
    assert not NOTHING
    assert Learned().version == "none"
