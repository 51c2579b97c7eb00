"""Numbers, names and words that do not belong to whom the text gives them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from esascore.explain.whose.judge import judge
from esascore.explain.whose.model import learn
from esascore.metrics.hallucination import Hallucinations
from esascore.model import Example, Graph, Triple
from esascore.pipeline import build_pipeline
from esascore.text.document import Document
from explain.whose.games import TEXTS, corpus, figures, game, report

NUMBER = 3
ANN, BO, CAT = (figures(NUMBER, 0, player) for player in range(3))


@pytest.fixture(scope="module")
def model():
    return learn(corpus())


def flags(text, model, off=()):
    found = judge(Document(game(NUMBER), text), model, frozenset(off)).flags
    return [(text[one.start : one.end], one.evidence, one.expected) for one in found]


def test_a_right_text_has_no_flag(model):
    for number in range(TEXTS):
        assert judge(Document(game(number), report(number)), model).flags == ()


def test_a_number_of_another_player_is_misattributed(model):
    text = f"Ann Berg had {BO['points']} points."
    [flag] = judge(Document(game(NUMBER), text), model).flags
    assert (flag.evidence, flag.kind, flag.expected) == ("owner", "misattributed", str(ANN["points"]))
    right, said = ANN["points"], BO["points"]
    reason = f"{said} as points: the input has {right} for Ann Berg; {said} is points for Bo Dahl"
    assert flag.reason == reason


def test_a_number_of_another_attribute_is_misattributed(model):
    text = f"Ann Berg had {ANN['assists']} boards."
    assert flags(text, model) == [(str(ANN["assists"]), "owner", str(ANN["rebounds"]))]


def test_the_wrong_number_of_a_pair_is_flagged(model):
    assert flags(f"The Bears ({NUMBER + 3}-9) won.", model) == [("9", "pair", str(40 - NUMBER))]
    assert flags("The Bears beat the Owls, 101 - 88.", model) == [("88", "pair", "86")]


def test_an_article_is_one(model):
    assert flags("Ann Berg had an assist.", model) == [("an", "implied", str(ANN["assists"]))]


def test_a_part_of_another_whole_and_a_name_twice(model):
    assert flags("Ann Berg of the Bears won.", None) == [("Bears", "kin", "Oslo Owls")]
    assert flags("The Owls beat the Oslo Owls.", None) == [("Oslo Owls", "twice", None)]


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (f"Ann Berg led the Owls with {ANN['points']} points.", "led"),
        (f"The Owls were led by Ann Berg, who had {ANN['points']} points.", "led"),
        (f"Ann Berg had a team-high {ANN['points']} points.", "team-high"),
        ("The Oslo Owls beat the Bergen Bears, 86 - 101.", "beat"),
        ("The Owls met the host Bears.", "host"),
        ("Ann Berg had a triple-double.", "triple-double"),
        (f"Bo Dahl was the only other Owl with {BO['points']} points.", "only other"),
    ],
)
def test_claims_that_the_input_denies(model, text, claim):
    assert [(found, rule) for found, rule, _ in flags(text, model)] == [(claim, "claim")]


@pytest.mark.parametrize(
    "text",
    [
        f"Cat Eide led the Owls with {CAT['points']} points.",
        f"Cat Eide had a game-high {CAT['points']} points.",
        "The Bergen Bears beat the Oslo Owls, 101 - 86.",
        "The Bears met the host Owls.",
        "Ann Berg had a double-double.",
        f"Ann Berg was third on the team with {ANN['points']} points.",
    ],
)
def test_claims_that_the_input_proves(model, text):
    assert flags(text, model) == []


def test_who_is_next_and_who_adds(model):
    text = f"Cat Eide had {CAT['points']} points. Ann Berg was next with {ANN['points']} points."
    assert flags(text, model) == [("next", "claim", None)]
    text = f"Cat Eide had {CAT['points']} points. Bo Dahl was next with {BO['points']} points."
    assert flags(text, model) == []
    assert flags("Cat Eide shone. Dag Foss chipped in.", model) == [("Dag Foss", "kin", None)]
    assert flags("Cat Eide shone. Ann Berg chipped in.", model) == []


def test_a_wrong_place_is_flagged(model):
    text = f"Ann Berg was second on the team with {ANN['points']} points."
    assert flags(text, model) == [("second", "rank", "3")]


def test_rules_are_switched_off(model):
    text = f"Ann Berg of the Bears had {ANN['assists']} boards."
    assert {rule for _, rule, _ in flags(text, model)} == {"owner", "kin"}
    assert {rule for _, rule, _ in flags(text, model, ["kin"])} == {"owner"}
    assert flags(text, model, ["kin", "owner"]) == []


def weather(shift):
    days = [
        {"at": f"2024-01-0{day} 08:00", "temp": shift + 2.25 * day, "pressure": 1000 + 3 * day + shift}
        for day in (4, 5, 6)
    ]
    return Graph.from_data({"city": {"name": "Oslo"}, "list": days})


def forecast(shift):
    return " ".join(
        f"On January {day} it is {shift + 2.25 * day} °C with a pressure of {1000 + 3 * day + shift} hPa."
        for day in (4, 5, 6)
    )


def test_numbers_belong_to_days():
    learned = learn([(weather(shift), forecast(shift)) for shift in range(12)])
    assert judge(Document(weather(2), forecast(2)), learned).flags == ()
    text = "On January 5 it is 11 °C. On January 4 the pressure is 1017 hPa."
    found = judge(Document(weather(2), text), learned).flags
    assert [(text[f.start : f.end], f.expected) for f in found] == [("11", "13.25"), ("1017", "1014")]


def test_what_is_called_the_highest_must_be_it():
    learned = learn([(weather(shift), forecast(shift)) for shift in range(12)])
    text = "From January 4 to January 6 it has a high of 13.25 °C."
    assert [flag.evidence for flag in judge(Document(weather(2), text), learned).flags] == ["extreme"]
    text = "From January 4 to January 6 it has a low of 15.5 °C."
    assert [flag.evidence for flag in judge(Document(weather(2), text), learned).flags] == ["extreme"]
    text = "From January 4 to January 6 it has a high of 15.5 °C."
    assert judge(Document(weather(2), text), learned).flags == ()


def test_a_number_that_only_others_hold_is_beyond_reach():
    learned = learn([(weather(shift), forecast(shift)) for shift in range(12)])
    text = "On January 4, folks, 1017 it was."
    assert [flag.evidence for flag in judge(Document(weather(2), text), learned).flags] == ["reach"]
    assert judge(Document(weather(2), "On January 4, folks, 1014 it was."), learned).flags == ()


def test_what_stands_so_in_the_input_is_explained():
    graph = Graph.from_data({"specs": [{"name": "3.5mm jack", "value": "Yes"}], "os": "Android 14"})
    assert len(judge(Document(graph, "A 3.5mm jack and Android 14.")).explained) == 2


def test_triples_are_not_judged():
    assert judge(Document(Graph((Triple("A", "b", "3"),)), "A is 4.")).flags == ()


def examples():
    return [Example(f"Id{number}", game(number)) for number in range(TEXTS)]


def test_hallucinations_say_whose_number_it_is():
    texts = [report(number) for number in range(TEXTS)]
    texts[NUMBER] = f"Ann Berg had {BO['points']} points."
    found = Hallucinations(build_pipeline()).find(examples(), texts)
    assert [len(some) for some in found] == [int(number == NUMBER) for number in range(TEXTS)]
    [flag] = found[NUMBER]
    assert (flag.kind, flag.type, flag.expected) == ("misattributed", "number", str(ANN["points"]))


def test_other_systems_have_no_influence():
    texts = [report(number) for number in range(TEXTS)]
    texts[NUMBER] = f"Ann Berg had {BO['points']} boards."
    alone = Hallucinations(build_pipeline()).find(corpus_ := examples(), texts)
    metric = Hallucinations(build_pipeline())
    metric.find(corpus_, [f"Ann Berg had {figures(n, 0, 0)['points']} boards." for n in range(TEXTS)])
    assert metric.find(corpus_, texts) == alone


def test_a_stored_model_is_used_and_in_the_signature(model):
    one = Example("Id1", game(NUMBER))
    text = f"Ann Berg had {ANN['assists']} boards."
    assert Hallucinations(build_pipeline()).find([one], [text]) == [()]
    metric = Hallucinations(build_pipeline(whose=model))
    assert [flag.text for flag in metric.find([one], [text])[0]] == [str(ANN["assists"])]
    assert f"whose:{model.digest}" in str(metric.signature())
    other = replace(model, common=frozenset({1.0}))
    assert str(Hallucinations(build_pipeline(whose=other)).signature()) != str(metric.signature())
