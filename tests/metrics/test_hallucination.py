from __future__ import annotations

import re

import pytest

from esascore.claims.hallucinations import Hallucination
from esascore.errors import DataError, UsageError
from esascore.examples import example_corpus_path, example_output_paths
from esascore.learned import learn
from esascore.lexicon import UserEntry
from esascore.metrics.base import Batch
from esascore.metrics.hallucination import Hallucinations, count
from esascore.model import Example, Graph
from esascore.pipeline import build_pipeline
from esascore.profiles import changed, load_profile
from esascore.readers.corpus import read_corpus
from esascore.readers.outputs import read_outputs
from example_key import example_key
from fakes import graph_of


@pytest.fixture(scope="module")
def metric() -> Hallucinations:
    return Hallucinations(build_pipeline())


def one(triples, original=None) -> Example:
    return Example("Id1", graph_of(triples), original=original)


ACT = "Mina_Torvald | associatedBand | Glasswing\nMina_Torvald | genre | Trance_music"
BAND = one(ACT)
RADIO = one("""
    Radio_Kestrel | headquarter | Tern_House
    Radio_Kestrel | presenter | Ada_Quill
    Radio_Kestrel | firstAired | 1986-04-15
""")
FILM = one("""
    The_Long_Ferry | starring | John_Harlow
    The_Long_Ferry | director | Petra_Osei
    John_Harlow | deathYear | 2005
""")


@pytest.mark.parametrize(
    ("example", "marked", "expected"),
    [
        (
            RADIO,
            "Ada Quill presents Radio Kestrel, first aired on 15 April 1986 from Tern House in [London].",
            "name addition",
        ),
        (BAND, "[Oskar Pellier] plays trance music with the band Glasswing.", "name replacement"),
        (
            FILM,
            "Petra Osei directed The Long Ferry with John Harlow. Mr. [harlaw] died in 2005.",
            "name inaccurate",
        ),
        (
            RADIO,
            "Ada Quill presents Radio Kestrel from Tern House, first aired on [15 April 1987].",
            "date replacement",
        ),
        (
            RADIO,
            "Ada Quill presents Radio Kestrel from Tern House, first aired on [3 July 2001].",
            "date replacement",
        ),
        (
            RADIO,
            "Radio Kestrel with Ada Quill, first aired on 15 April 1986, has [30] rooms in Tern House.",
            "number addition",
        ),
    ],
)
def test_types_and_classes(metric, example, marked, expected):
    text, span = re.sub(r"[\[\]]", "", marked), re.search(r"\[(.*)\]", marked)
    [[found]] = metric.find([example], [text])
    assert (found.text, f"{found.type} {found.kind}") == (span[1], expected)
    assert (found.start, text[found.start : found.end]) == (span.start(), found.text)
    assert 0 < found.confidence <= 1


def test_the_nearest_entity_of_a_replacement_is_one_that_is_missing(metric):
    [[found]] = metric.find([BAND], ["Oskar Pellier plays trance music with the band Glasswing."])
    assert found.nearest == "Mina_Torvald"


def test_what_is_known_by_name_has_an_entity(metric):
    [[found]] = metric.find([BAND], ["Mina Torvald of Glasswing plays trance music in New Zealand."])
    assert (found.text, found.entity) == ("New Zealand", "New Zealand")


def test_entities_of_other_inputs_are_known(metric):
    food = one("Zorb | ingredient | Coconut")
    text = "mina torvald of glasswing plays trance music and likes coconut ."
    assert metric.find([BAND], [text]) == [()]
    taught = Hallucinations(build_pipeline(learned=learn([food, *others()])))
    assert [f.entity for f in taught.find([BAND], [text])[0]] == ["Coconut"]
    few = Hallucinations(build_pipeline(learned=learn([food, *others()[:18]])))
    assert few.find([BAND], [text]) == [()]


def others() -> list[Example]:
    """As many other inputs as are needed to learn anything."""
    return [one(f"Zorb | weight | {n}") for n in range(19)]


@pytest.mark.parametrize("turned", [False, True])
def test_of_labels_that_fold_alike_the_order_of_the_corpus_decides_nothing(turned):
    food = [
        one("Zorb | ingredient | Café_Olé"),
        one("Zorb | ingredient | Cafe_Ole"),
        one('Zorb | x | "Cafe Ole"'),
    ]
    learned = learn([*others(), *(reversed(food) if turned else food)])
    [found] = Hallucinations(build_pipeline(learned=learned)).find([BAND], ["Mina Torvald likes Cafe Ole."])
    assert [hallucination.entity for hallucination in found] == ["Cafe_Ole"]


def test_unequal_numbers_are_an_error_that_gives_both(metric):
    with pytest.raises(DataError, match="1 inputs, but 2 texts"):
        metric.find([BAND], ["a", "b"])
    with pytest.raises(DataError, match="1 texts, but 0 detections"):
        metric.find([BAND], ["a"], [])


def test_a_text_that_is_none(metric):
    with pytest.raises(UsageError, match="a text must be a str, not NoneType"):
        metric.find([BAND], [None])


def test_blank_texts_have_none(metric):
    assert metric.find([BAND, BAND], ["", "null"]) == [(), ()]


def test_the_original_triples_explain_too(metric):
    text = "Mina Torvald of Glasswing, a trance music act, was born in Kuopio."
    assert [f.text for f in metric.find([BAND], [text])[0]] == ["Kuopio"]
    assert metric.find([one(ACT, graph_of("Mina_Torvald | birthPlace | Kuopio"))], [text]) == [()]


def user(form: str) -> Hallucinations:
    entry = UserEntry("Tern House", form, "alias", 0.0, "mine.tsv", 1)
    return Hallucinations(build_pipeline(lexicon=[entry]))


def test_forms_of_a_user_explain_but_not_other_entities():
    start = "Ada Quill presents Radio Kestrel, first aired on 15 April 1986, from "
    assert user("the Birdcage").find([RADIO], [start + "the Birdcage."]) == [()]
    [[found]] = user("Tern House in London").find([RADIO], [start + "Tern House in London."])
    assert found.text == "London"


def test_figures_worked_by_hand(metric):
    def some(*kinds: tuple[str, str]) -> tuple[Hallucination, ...]:
        return tuple(Hallucination(0, 1, "x", type_, kind, None, None, 0.5) for type_, kind in kinds)

    rows = count(
        [
            some(),
            some(("name", "addition"), ("name", "replacement")),
            some(("date", "inaccurate")),
            some(("name", "addition"), ("number", "addition")),
        ]
    )
    assert rows.tolist() == [
        [0, 0, 0, 0, 0, 0, 0, 0, 0],
        [2, 0, 0, 0, 1, 1, 0, 0, 0],
        [0, 1, 0, 0, 0, 0, 1, 0, 0],
        [1, 0, 1, 0, 2, 0, 0, 0, 0],
    ]
    score = metric.score_statistics(rows)
    assert score.value == 0.75
    assert score.fields == {
        "hallucination": 0.75,
        "hallucination_name": 0.5,
        "hallucination_date": 0.25,
        "hallucination_number": 0.25,
        "hallucination_value": 0.0,
        "hallucination_addition": 0.5,
        "hallucination_replacement": 0.25,
        "hallucination_inaccurate": 0.25,
        "hallucination_misattributed": 0.0,
        "hallucination_contradicted": 0.0,
        "hallucinated_texts": 3,
        "hallucinations": 5,
    }
    assert metric.segment_scores(rows) == [0.0, 2.0, 1.0, 2.0]


def test_the_signature_names_the_words_and_the_detection(metric):
    parts = dict(metric.signature().parts)
    assert {"profile", "lexicons", "linker", "learned", "rules", "words"} <= set(parts)


def test_statistics_are_those_of_what_is_found(metric):
    texts = ["Mina Torvald lives in Peru.", "Glasswing"]
    examples = [BAND, BAND]
    batch = Batch(
        examples, texts, detect=lambda: build_pipeline().detect([(BAND.input, text) for text in texts])
    )
    assert metric.statistics(batch).tolist() == count(metric.find(examples, texts)).tolist()


def test_the_example_systems(metric):
    """All texts of the dreamer add something; common words, a small number and a year BC are missed."""
    examples = read_corpus(example_corpus_path())
    key = {(entry.system, entry.id): entry.hallucinated for entry in example_key()}
    missed, invented = [], []
    for name, path in example_output_paths().items():
        texts = read_outputs(path)
        for example, some in zip(examples, metric.find(examples, texts), strict=True):
            if key[name, example.id] and not some:
                missed.append((name, example.id))
            if some and not key[name, example.id]:
                invented.append((name, example.id))
    assert missed == [("dreamer", f"Id{n}") for n in (4, 15, 28, 30)]
    # The demonyms follow from the input only for who knows the capitals.
    assert invented == [("fluent", "Id9"), ("fluent", "Id12")]


@pytest.mark.corpora
@pytest.mark.parametrize(
    ("system", "text", "kind"),
    [
        ("bt5.en", "London", "addition"),
        ("DANGNT-SGU.en", "Aaron Turner", "replacement"),
        ("NILC.en", "millis", "inaccurate"),
    ],
)
def test_the_kinds_of_figure_4(corpora, metric, system, text, kind):
    place = corpora / "webnlg-2020"
    (corpus,) = place.glob("*.xml")
    examples = read_corpus(corpus)
    outputs = read_outputs(place / "submissions" / system)
    chosen = [n for n, output in enumerate(outputs) if text in output]
    found = metric.find([examples[n] for n in chosen], [outputs[n] for n in chosen])
    assert (text, kind) in {(f.text, f.kind) for some in found for f in some}


@pytest.mark.parametrize(
    ("off", "left"),
    [([], ["Oslo", "30"]), (["number"], ["Oslo"]), (["addition"], ["Oslo"]), (["capital"], ["30"])],
)
def test_a_profile_switches_flags_off(off, left):
    pipeline = build_pipeline(changed(load_profile("default"), {"flags": {"off": off}}))
    [found] = Hallucinations(pipeline).find(
        [RADIO], ["Ada Quill presents Radio Kestrel in Oslo with 30 guests."]
    )
    assert [one.text for one in found] == left


def test_a_flag_that_is_none_cannot_be_switched_off():
    with pytest.raises(UsageError, match=r"flags.off names 'colour'.*addition"):
        build_pipeline(changed(load_profile("default"), {"flags": {"off": ["colour"]}}))


def test_a_name_that_data_are_said_to_lack_is_no_flag():
    phone = Example("Id1", Graph.from_data({"name": "Nova Nine", "weight": "205 g"}))
    metric = Hallucinations(build_pipeline())
    assert [one.text for one in metric.find([phone], ["The Nova Nine has Zigbee."])[0]] == ["Zigbee"]
    assert metric.find([phone], ["The Nova Nine does not have Zigbee."]) == [()]
