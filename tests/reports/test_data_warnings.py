from __future__ import annotations

import pytest

from esascore.metrics import create_metrics
from esascore.model import Example, Graph
from esascore.pipeline import build_pipeline
from esascore.readers.corpus import read_corpus
from esascore.readers.outputs import read_outputs
from esascore.readers.systems import System
from esascore.reports.data_warnings import DataWarnings
from esascore.run.evaluation import evaluate

_TOWNS = "Zelmar Quorby Vastrin Oldrum Perrik Hundel Morvane Tessil Brannoc Yelvik Ganzor Fillora"
TOWNS = _TOWNS.split(" ")
NAMES = [f"{first} {second}" for first in TOWNS for second in ("Arna", "Dovik")]


def corpus(**more):
    return [Example(f"Id{n}", Graph.from_data({"name": name, **more})) for n, name in enumerate(NAMES)]


def data_warnings(examples, *texts):
    systems = [System(f"s{n}", tuple(some)) for n, some in enumerate(texts)]
    watching = DataWarnings()
    watching.add(evaluate(build_pipeline, examples, systems, lambda made: create_metrics(["esa"], made)))
    return watching.messages()


GOOD = [f"The town of {name} is what they visit, and they like it." for name in NAMES]


def test_good_texts_raise_no_doubt():
    assert data_warnings(corpus(), GOOD) == []


def test_a_value_that_is_never_found():
    texts = [f"{text} It has lots of snow." for text in GOOD]
    [attribute] = data_warnings(corpus(weather="blizzards"), texts)
    assert attribute.startswith("no value of weather is found in 24 of the 24 texts that should say it")
    mixed = [
        Example(one.id, Graph.from_data({"name": name, "weather": "sun" if n < 4 else "blizzards"}))
        for n, (one, name) in enumerate(zip(corpus(), NAMES, strict=True))
    ]
    [value] = data_warnings(mixed, [f"{text} It has lots of sun." for text in GOOD])
    assert value.startswith("the value 'blizzards' of weather is not found in 20 of the 20 texts")


def test_what_fewer_texts_lack_or_one_of_several_systems_is_no_doubt():
    data = corpus(weather="blizzards")
    assert data_warnings(data[:19], GOOD[:19]) == []
    assert data_warnings(data, GOOD, [f"{text} It has blizzards." for text in GOOD]) == []


def test_texts_that_select_from_much_data_are_no_doubt():
    assert data_warnings(corpus(**{f"figure{n}": 100 + n for n in range(9)}), GOOD) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "{} ist eine alte Stadt, die in den Bergen liegt und viele Gäste hat.",
        "{} is een oude stad in het noorden van het land, waar veel mensen wonen.",
        "{} es una ciudad antigua que se encuentra en las montañas del norte.",
        "{} est une ville ancienne qui se trouve dans les montagnes du nord.",
        "{} — старый город в горах на севере страны, где живёт много людей.",
    ],
)
def test_texts_that_are_not_english(sentence):
    [message] = data_warnings(corpus(), [sentence.format(name) for name in NAMES])
    assert message.startswith("system s0: the texts do not look English")


@pytest.mark.parametrize(("shift", "first", "where"), [(1, 1, "next"), (-1, 2, "previous")])
def test_outputs_that_are_shifted_by_a_line(shift, first, where):
    shifted = GOOD[-shift:] + GOOD[:-shift]
    [message] = data_warnings(corpus(), shifted)
    assert message == (
        f"system s0: the outputs look shifted by a line: 23 texts, the first in line {first}, "
        f"lack the names of their inputs, which the {where} line has"
    )
    half = GOOD[:12] + shifted[12:]
    assert "the outputs look shifted by a line" in data_warnings(corpus(), half)[0]


@pytest.mark.corpora
@pytest.mark.parametrize("year", [2017, 2020])
def test_no_false_alarm_on_the_systems_of_webnlg(corpora, year):
    folder = corpora / f"webnlg-{year}"
    examples = read_corpus(next(folder.glob("*.xml")))
    assert data_warnings(examples, *map(read_outputs, sorted((folder / "submissions").iterdir()))) == []


@pytest.mark.corpora
@pytest.mark.parametrize("name", ["rotowire", "quintd/wikidata", "quintd/gsmarena", "quintd/openweather"])
def test_no_false_alarm_outside_webnlg(corpora, name):
    examples = read_corpus(corpora / "outside" / name / "corpus.jsonl")
    assert data_warnings(examples, [example.text for example in examples]) == []


@pytest.mark.corpora
def test_nothing_but_the_truth_values_of_e2e_is_doubted(corpora):
    folder = corpora / "outside" / "e2e"
    outputs = map(read_outputs, sorted((folder / "outputs").iterdir()))
    found = data_warnings(read_corpus(folder / "corpus.jsonl"), *outputs)
    assert [message for message in found if "familyFriendly" not in message] == []
